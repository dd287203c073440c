#include "vr/cli/help.h"

#include <algorithm>
#include <sstream>

namespace glovebox::vr {
namespace {

constexpr std::size_t kColumn = 30;  // column of CLI11's descriptions

std::vector<const CLI::App*> commands_of(const CLI::App& app) {
    return app.get_subcommands(
        [](const CLI::App* sub) { return !sub->get_name().empty() && !sub->get_group().empty(); });
}

// Escapes a full stop or an apostrophe at the begin of a line, and backslashes, which are special in roff.
std::string roff(const std::string& text) {
    std::string out;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const bool first = i == 0 || text[i - 1] == '\n';
        if (first && (text[i] == '.' || text[i] == '\'')) out += "\\&";
        if (text[i] == '\\')
            out += "\\e";
        else if (text[i] == '-')
            out += "\\-";
        else
            out += text[i];
    }
    return out;
}

std::string option_line(const CLI::Option* option) {
    return option->get_positional() ? option->get_name(true, false) : option->get_name(false, true);
}

void add_options(const CLI::App& app, std::string& page) {
    for (const CLI::Option* option : app.get_options()) {
        if (option->get_group().empty()) continue;
        page += ".TP\n.B " + roff(option_line(option)) + "\n" + roff(option->get_description()) + "\n";
    }
}

// Escapes a cell of a Markdown table: a bar would end the cell, a less-than sign begin a tag.
std::string cell(const std::string& text) {
    std::string out;
    for (const char c : text) {
        if (c == '|' || c == '<' || c == '*') out += '\\';
        out += c == '\n' ? ' ' : c;
    }
    return out;
}

void add_command_section(const CLI::App& app, const std::string& heading, std::string& page) {
    page += "\n" + heading + "\n\n" + cell(app.get_description()) + ".\n";
    std::string rows;
    for (const CLI::Option* option : app.get_options())
        if (!option->get_group().empty() && option->get_name() != "--help")
            rows += "| `" + option_line(option) + "` | " + cell(option->get_description()) + " |\n";
    if (!rows.empty()) page += "\n| option | meaning |\n|---|---|\n" + rows;
    if (!app.get_footer().empty()) page += "\n```text\n" + app.get_footer() + "\n```\n";
}

std::string joined(const std::vector<std::string>& words) {
    std::string text;
    for (const std::string& word : words) text += (text.empty() ? "" : " ") + word;
    return text;
}

// Returns the values that an option takes, if they are a fixed list: CLI11 writes its check as "TEXT:{left,right}".
std::vector<std::string> values_of(const CLI::Option& option) {
    const std::string type = option.get_type_name();
    const std::size_t open = type.find('{'), close = type.rfind('}');
    if (open == std::string::npos || close < open) return {};
    return CLI::detail::split(type.substr(open + 1, close - open - 1), ',');
}

// Escapes a word in single quotes for zsh's _arguments, in which brackets and colons are special.
std::string zsh_text(const std::string& text) {
    std::string out;
    for (const char c : text) {
        if (c == '\'') {
            out += "'\\''";
            continue;
        }
        if (c == '[' || c == ']' || c == ':' || c == '\\') out += '\\';
        out += c == '\n' ? ' ' : c;
    }
    return out;
}

}  // namespace

std::string wrapped(const std::string& text, std::size_t width) {
    std::istringstream lines(text);
    std::string out;
    for (std::string line; std::getline(lines, line);) {
        const std::size_t text_at = std::min(line.find_first_not_of(' '), line.size());
        const bool described = line.size() > kColumn && line[kColumn - 1] == ' ' && line[kColumn] != ' ';
        const std::size_t hang = described ? kColumn : std::min(text_at + 2, kColumn);
        while (line.size() > width) {
            std::size_t cut = line.rfind(' ', width);
            // Break a list of names without spaces after a comma.
            if (cut == std::string::npos || cut <= hang) {
                cut = line.rfind(',', width - 1);
                if (cut == std::string::npos || cut <= hang) break;
                ++cut;
            }
            out += line.substr(0, cut) + '\n';
            const std::size_t next = std::min(line.find_first_not_of(' ', cut), line.size());
            line = std::string(hang, ' ') + line.substr(next);
        }
        out += line + '\n';
    }
    if (!text.empty() && text.back() != '\n') out.pop_back();
    return out;
}

std::string WrappedHelp::make_help(const CLI::App* app, std::string name, CLI::AppFormatMode mode) const {
    return wrapped(CLI::Formatter::make_help(app, std::move(name), mode), kHelpWidth);
}

std::vector<std::string> option_names(const CLI::App& app) {
    std::vector<std::string> names;
    for (const CLI::Option* option : app.get_options()) {
        if (option->get_group().empty()) continue;
        for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
        for (const std::string& name : option->get_snames()) names.push_back("-" + name);
    }
    return names;
}

std::vector<std::string> command_names(const CLI::App& app) {
    std::vector<std::string> names;
    for (const CLI::App* sub : commands_of(app)) names.push_back(sub->get_name());
    return names;
}

std::string manual_page(const CLI::App& app, const std::string& version) {
    std::string page = ".TH GLOVEBOX 1 \"\" \"glovebox " + roff(version) +
                       "\" \"User Commands\"\n.SH NAME\nglovebox \\- reports what a hand touches\n.SH SYNOPSIS\n.B "
                       "glovebox\n[\\fICOMMAND\\fR] [\\fIOPTIONS\\fR]\n.br\n.B glovebox\n\\fIFILE\\fR\n.SH COMMANDS\n";
    for (const CLI::App* sub : commands_of(app)) {
        page += ".SS " + roff(sub->get_name()) + "\n" + roff(sub->get_description()) + ".\n";
        add_options(*sub, page);
        if (!sub->get_footer().empty()) page += ".PP\n.nf\n" + roff(sub->get_footer()) + "\n.fi\n";
        for (const CLI::App* below : commands_of(*sub)) {
            page += ".SS " + roff(sub->get_name() + " " + below->get_name()) + "\n" + roff(below->get_description()) +
                    ".\n";
            add_options(*below, page);
        }
    }
    return page +
           ".SH EXIT STATUS\n0 fine, 1 could not run, 2 usage, 3 a check failed or a \\-\\-fail\\-if condition is "
           "true.\n";
}

std::string markdown_page(const CLI::App& app) {
    std::string page =
        "# Command line\n\nFor users who look up a command or an option. Printed by `glovebox man --markdown`; a test "
        "compares.\n\nExit codes: 0 success, 1 could not run, 2 wrong usage, 3 a check failed or a `--fail-if` "
        "condition is true. Every\ncommand takes `--help`.\n";
    for (const CLI::App* sub : commands_of(app)) {
        add_command_section(*sub, "## " + sub->get_name(), page);
        for (const CLI::App* below : commands_of(*sub))
            add_command_section(*below, "### " + sub->get_name() + " " + below->get_name(), page);
    }
    return page;
}

std::string bash_completion(const CLI::App& app) {
    std::string values;
    const auto add_values = [&values](const std::string& command, const CLI::App& options) {
        for (const CLI::Option* option : options.get_options()) {
            const std::string words = joined(values_of(*option));
            if (words.empty() || option->get_positional()) continue;
            for (const std::string& name : option->get_lnames())
                values += "        \"" + command + " --" + name + "\") words=\"" + words + "\" ;;\n";
        }
    };
    for (const CLI::App* sub : commands_of(app)) {
        add_values(sub->get_name(), *sub);
        for (const CLI::App* below : commands_of(*sub)) add_values(sub->get_name(), *below);
    }
    std::string text =
        "# bash completion for glovebox, made by: glovebox completion bash\n_glovebox() {\n"
        "    local word=\"${COMP_WORDS[COMP_CWORD]}\" words=\"\"\n    COMPREPLY=()\n"
        "    case \"${COMP_WORDS[1]} ${COMP_WORDS[COMP_CWORD-1]}\" in\n" +
        values +
        "    esac\n"
        "    if [ -n \"$words\" ]; then\n        :\n"
        "    elif [ \"$COMP_CWORD\" -eq 1 ] && [[ \"$word\" != -* ]]; then\n        words=\"" +
        joined(command_names(app)) + "\"\n    elif [[ \"$word\" == -* ]]; then\n        case \"${COMP_WORDS[1]}\" in\n";
    for (const CLI::App* sub : commands_of(app))
        text += "            " + sub->get_name() + ") words=\"" + joined(option_names(*sub)) + "\" ;;\n";
    text += "            *) words=\"" + joined(option_names(app)) +
            "\" ;;\n        esac\n    fi\n"
            "    [ -n \"$words\" ] && mapfile -t COMPREPLY < <(compgen -W \"$words\" -- \"$word\")\n"
            "    [ \"${#COMPREPLY[@]}\" -eq 0 ] && mapfile -t COMPREPLY < <(compgen -f -- \"$word\")\n    return 0\n}\n"
            "complete -o filenames -F _glovebox glovebox\n";
    return text;
}

std::string zsh_completion(const CLI::App& app) {
    std::string text =
        "#compdef glovebox\n# zsh completion for glovebox, made by: glovebox completion zsh\n_glovebox() {\n"
        "    local -a commands\n    commands=(\n";
    for (const CLI::App* sub : commands_of(app))
        text += "        '" + zsh_text(sub->get_name()) + ":" + zsh_text(sub->get_description()) + "'\n";
    text +=
        "    )\n    if (( CURRENT == 2 )); then\n        _describe command commands\n        _files\n        return\n"
        "    fi\n    case \"$words[2]\" in\n";
    for (const CLI::App* sub : commands_of(app)) {
        text += "        " + sub->get_name() + ")\n            _arguments";
        for (const CLI::Option* option : sub->get_options()) {
            if (option->get_group().empty() || option->get_positional()) continue;
            const std::string words = joined(values_of(*option));
            const std::string value = option->get_type_size() == 0 ? ""
                                      : words.empty()              ? ":value:_files"
                                                                   : ":value:(" + words + ")";
            for (const std::string& name : option->get_lnames())
                text +=
                    " \\\n                '--" + name + "[" + zsh_text(option->get_description()) + "]" + value + "'";
        }
        text += " \\\n                '*:file:_files' ;;\n";
    }
    return text + "    esac\n}\n_glovebox \"$@\"\n";
}

}  // namespace glovebox::vr
