#include "vr/cli/program.h"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <exception>
#include <filesystem>
#include <iostream>
#include <vector>

#include "tracking/names.h"
#include "tracking/quoted.h"
#include "vr/cli/command.h"
#include "vr/cli/help.h"
#include "vr/platform/color.h"
#include "vr/platform/end_on_signal.h"
#include "vr/platform/platform.h"
#include "vr/platform/tool.h"
#include "vr/platform/version.h"
#include "vr/session/open_session.h"

namespace glovebox::vr {
namespace {

constexpr const char* kExamples = R"(Examples:
  glovebox                                       replay the bundled flick in a window (or headless)
  glovebox hand.csv --scene table-and-ball       replay your recording
  glovebox touches hand.csv                      which finger touched what, when and how deep
  glovebox replay hand.csv --headless --rate max --report report.json --screenshot hand.png
  glovebox replay hand.csv --check               every frame through every method; exit 3 if two disagree
  glovebox help COMMAND                          options of one command

--color auto|always|never and NO_COLOR hold for every command.
Exit: 0 fine, 1 could not run, 2 usage, 3 a check failed.)";

// Returns an error for a meaningless command line (a script's unset variable, an unknown command); empty if fine.
std::string check_arguments(const std::vector<std::string>& arguments, const CLI::App& app) {
    for (std::size_t i = 0; i < arguments.size(); ++i)
        if (arguments[i].empty() || (arguments[i].starts_with("--") && arguments[i].ends_with('=')))
            return (i == 0 ? "the first argument" : "what follows '" + arguments[i - 1] + "'") +
                   " is empty: is a variable not set?";
    const std::string& name = arguments.front();
    const std::vector<std::string> names = command_names(app);
    if (name.starts_with('-') || std::ranges::find(names, name) != names.end()) return {};
    const std::string nearest = tracking::nearest_name(name, names);
    if (nearest.empty())
        for (const CLI::App* command : app.get_subcommands({}))
            if (const auto options = option_names(*command); std::ranges::find(options, "--" + name) != options.end())
                return "no command '" + name + "': did you mean 'glovebox " + command->get_name() + " --" + name + "'?";
    return "no command '" + name + "'" +
           (nearest.empty() ? ", and no file of that name; commands are " + tracking::listed(names)
                            : ": did you mean '" + nearest + "'? (glovebox --help lists all)");
}

// Rewords CLI11's "--method: x not in {a,b}" and adds the nearest name. Empty if `text` is another kind of error.
std::string choice_trouble(const std::string& text) {
    constexpr std::string_view kNotIn = " not in {";
    const std::size_t value = text.find(": "), list = text.find(kNotIn);
    if (value == text.npos || list == text.npos || value + 2 > list || text.back() != '}') return {};
    const std::string wrong = text.substr(value + 2, list - value - 2);
    const std::size_t first = list + kNotIn.size();
    const std::vector<std::string> names = CLI::detail::split(text.substr(first, text.size() - first - 1), ',');
    const std::string nearest = tracking::nearest_name(wrong, names);
    return text.substr(0, value) + ": no '" + wrong + "'" +
           (nearest.empty() ? "" : ", did you mean '" + nearest + "'?") +
           (nearest.empty() ? "; it is one of " : " One of ") + tracking::listed(names);
}

// Rewords "A subcommand is required", which CLI11 says of a wrong one, too.
std::string subcommand_trouble(const CLI::App& command, const std::vector<std::string>& arguments) {
    const std::vector<std::string> names = command_names(command);
    const std::string all = tracking::listed(names);
    const auto wrong = std::find_if(arguments.begin() + 1, arguments.end(),
                                    [](const std::string& argument) { return !argument.starts_with('-'); });
    if (wrong == arguments.end()) return command.get_name() + " needs one of " + all;
    const std::string nearest = tracking::nearest_name(*wrong, names);
    return command.get_name() + ": no '" + *wrong + "'" +
           (nearest.empty() ? "; it is one of " : ", did you mean '" + nearest + "'? One of ") + all;
}

// Returns CLI11's message for what it could not parse, with the nearest name.
std::string parse_trouble(const CLI::ParseError& error, const CLI::App& app,
                          const std::vector<std::string>& arguments) {
    std::string text = error.what();
    for (char& c : text)
        if (c == '\n') c = ' ';
    const CLI::App* command = &app;
    for (const CLI::App* sub : app.get_subcommands()) command = sub;
    if (dynamic_cast<const CLI::ExtrasError*>(&error) != nullptr)
        for (const std::string& argument : arguments) {
            const std::string option = argument.substr(0, argument.find('='));
            const std::vector<std::string> names = option_names(*command);
            if (!option.starts_with("--") || std::ranges::find(names, option) != names.end()) continue;
            const std::string nearest = tracking::nearest_name(option, names);
            return "no option '" + option + "'" + (nearest.empty() ? "" : ": did you mean '" + nearest + "'?") +
                   " (glovebox " + command->get_name() + " --help)";
        }
    if (const std::string choice = choice_trouble(text); !choice.empty()) text = choice;
    if (text == "A subcommand is required") text = subcommand_trouble(*command, arguments);
    constexpr std::string_view kTooOften = ": At Most 1 required but received ";
    if (const std::size_t at = text.find(kTooOften); at != text.npos)
        text = text.substr(0, at) + " is given " + text.substr(at + kTooOften.size()) + " times; give it once";
    // CLI11 names the option of a check once more: remove the duplicate.
    if (const std::size_t at = text.find(": "); at != text.npos && text.compare(at + 2, at, text, 0, at) == 0)
        text.erase(0, at + 2);
    return text + (command == &app ? "" : " (glovebox " + command->get_name() + " --help)");
}

// Prints one line to stderr. Names in it may come from untrusted files.
int refuse(int exit_code, const std::string& reason) {
    std::fprintf(stderr, "%s %s\n", red("glovebox:", stderr_is_terminal()).c_str(),
                 tracking::printable(reason).c_str());
    return exit_code;
}

// Applies --color WHEN, which every command has. Returns an error message, or empty.
std::string take_color(std::vector<std::string>& arguments) {
    for (std::size_t i = 0; i < arguments.size(); ++i) {
        std::string when;
        std::size_t words = 1;
        if (arguments[i].starts_with("--color=")) {
            when = arguments[i].substr(8);
        } else if (arguments[i] == "--color" && i + 1 < arguments.size()) {
            when = arguments[i + 1];
            words = 2;
        } else {
            continue;
        }
        if (when != "auto" && when != "always" && when != "never") return "--color is auto, always or never";
        choose_color(when);
        const auto at = arguments.begin() + static_cast<std::ptrdiff_t>(i);
        arguments.erase(at, at + static_cast<std::ptrdiff_t>(words));
        return {};
    }
    return {};
}

// Replaces this program by the one that runs the command.
int become_program(const Command& command, const std::vector<std::string>& arguments) {
    const std::string program(command.program);
    std::vector<std::string> all = {(program_folder() / program).string()};
    if (!std::filesystem::exists(all.front()))
        throw std::runtime_error(std::string(command.name) + " is run by " + program + ", which is not beside this " +
                                 "program; `./run.sh " + std::string(command.name) + "` builds it");
    all.insert(all.end(), arguments.begin(), arguments.end());
    become(all);
}

int run(int argc, char** argv, std::span<const Command> commands) {
    open_standard_descriptors();
    // A file beyond the size limit gives an error where it is written, as a full disk does.
    std::signal(SIGXFSZ, SIG_IGN);
    clean_up_on_signal();
    CLI::App app{"glovebox reports what a hand touches", "glovebox"};
    app.footer(kExamples);
    app.formatter(std::make_shared<WrappedHelp>());
    app.set_version_flag("-V,--version", std::string("glovebox ") + kVersion);
    app.require_subcommand(0, 1);

    struct Declared {
        const Command& command;
        CLI::App* app;
        std::function<int()> run;  // owns what the options are parsed into
    };
    std::vector<Declared> declared;
    for (const Command& command : commands) {
        CLI::App* sub = app.add_subcommand(std::string(command.name), std::string(command.summary));
        declared.push_back({command, sub, command.declare(*sub)});
    }

    // No arguments: run the first command with its defaults. Only options, or a file: they belong to the first command.
    std::vector<std::string> arguments(argv + 1, argv + argc);
    const auto is_global = [](const std::string& a) {
        return a == "-h" || a == "--help" || a == "-V" || a == "--version";
    };
    if (const std::string trouble = take_color(arguments); !trouble.empty()) return refuse(kExitUsage, trouble);
    if (!arguments.empty() && arguments.front() == "play") {
        std::fprintf(stderr, "glovebox: 'play' is called 'emulate' now; the old name goes on working\n");
        arguments.front() = "emulate";
    }
    const std::vector<std::string> names = command_names(app);
    const auto is_command = [&names](const std::string& a) { return std::ranges::find(names, a) != names.end(); };
    std::error_code ignored;
    if (!arguments.empty() && arguments.front() == "help") {
        arguments.erase(arguments.begin());
        arguments.emplace_back("--help");
    } else if (arguments.empty() || (arguments.front().starts_with('-') && !is_global(arguments.front())) ||
               (!is_command(arguments.front()) &&
                (std::filesystem::exists(arguments.front(), ignored) || find_bundled(arguments.front()) != nullptr) &&
                !arguments.front().empty())) {
        arguments.insert(arguments.begin(), std::string(commands.front().name));
    }
    if (const std::string trouble = check_arguments(arguments, app); !trouble.empty())
        return refuse(kExitUsage, trouble);
    const std::vector<std::string> given = arguments;
    std::reverse(arguments.begin(), arguments.end());

    try {
        app.parse(arguments);
    } catch (const CLI::ParseError& error) {
        if (error.get_exit_code() == 0) return app.exit(error) == 0 ? kExitFine : kExitUsage;
        return refuse(kExitUsage, parse_trouble(error, app, given));
    }
    try {
        for (const Declared& each : declared)
            if (each.app->parsed())
                return each.command.program.empty() ? each.run()
                                                    : become_program(each.command, {argv + 1, argv + argc});
    } catch (const UsageError& error) {
        return refuse(kExitUsage, error.what());
    } catch (const std::exception& error) {
        return refuse(kExitCouldNotRun, error.what());
    }
    return kExitFine;
}

}  // namespace

int run_program(int argc, char** argv, std::span<const Command> commands) {
    const int exit_code = run(argc, argv, commands);
    // Report output errors: on a full disk the result is missing, and a script must know.
    std::cout.flush();
    errno = 0;
    if (std::fflush(stdout) == 0 && std::ferror(stdout) == 0 && std::cout.good()) return exit_code;
    refuse(kExitCouldNotRun, std::string("standard output: cannot be written") +
                                 (errno != 0 ? std::string(": ") + std::strerror(errno) : ""));
    return exit_code == kExitFine ? kExitCouldNotRun : exit_code;
}

int run_glovebox(int argc, char** argv) {
    return run_program(argc, argv, commands());
}

}  // namespace glovebox::vr
