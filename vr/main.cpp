// glovebox: parses the command line, runs one row of the command table, turns errors into one line and an exit code.
#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <exception>
#include <filesystem>
#include <iostream>
#include <vector>

#include "tracking/quoted.h"
#include "vr/cli/command.h"
#include "vr/platform/platform.h"
#include "vr/platform/version.h"

namespace {

constexpr const char* kExamples = R"(Examples:
  glovebox                                       replay the bundled flick in a window (or headless, without a display)
  glovebox replay hand.csv --scene table-and-ball
  glovebox replay hand.csv --headless --rate max --report report.json --screenshot hand.png
  glovebox replay hand.csv --check               every frame through every method; exit 3 if two disagree
  glovebox COMMAND --help                        options of one command

Exit: 0 fine, 1 could not run, 2 usage, 3 a check did not hold.)";

// What a command line cannot mean: a script's variable that is not set, a command that there is not. Empty if fine.
std::string check_arguments(const std::vector<std::string>& arguments) {
    using namespace glovebox::vr;
    for (std::size_t i = 0; i < arguments.size(); ++i)
        if (arguments[i].empty() || (arguments[i].starts_with("--") && arguments[i].ends_with('=')))
            return (i == 0 ? "the first argument" : "what follows '" + arguments[i - 1] + "'") +
                   " is empty: is a variable not set?";
    const std::string& name = arguments.front();
    std::string names;
    for (const Command& command : commands()) {
        if (command.name == name || name.starts_with('-')) return {};
        names += (names.empty() ? "" : ", ") + std::string(command.name);
    }
    return "no command '" + name + "': one of " + names +
           (std::filesystem::exists(name) ? "; to replay it: glovebox replay " + name : "");
}

// One line on stderr. What it names may come from a stranger's file.
int refuse(int exit_code, const std::string& reason) {
    std::fprintf(stderr, "glovebox: %s\n", glovebox::tracking::printable(reason).c_str());
    return exit_code;
}

int run(int argc, char** argv) {
    using namespace glovebox::vr;
    open_standard_descriptors();
    // A file that grows beyond its limit is an error to be told where it is written, as a full disk is.
    std::signal(SIGXFSZ, SIG_IGN);
    CLI::App app{"glovebox tells what a hand touches", "glovebox"};
    app.footer(kExamples);
    app.set_version_flag("--version", kVersion);
    app.require_subcommand(0, 1);

    std::vector<std::pair<CLI::App*, std::function<int()>>> declared;
    for (const Command& command : commands()) {
        CLI::App* sub = app.add_subcommand(std::string(command.name), std::string(command.summary));
        declared.emplace_back(sub, command.declare(*sub));
    }

    // No arguments: the first command with its defaults. Only options: they are the first command's.
    std::vector<std::string> arguments(argv + 1, argv + argc);
    const auto is_global = [](const std::string& a) { return a == "-h" || a == "--help" || a == "--version"; };
    if (arguments.empty() || (arguments.front().rfind('-', 0) == 0 && !is_global(arguments.front())))
        arguments.insert(arguments.begin(), std::string(commands().front().name));
    if (const std::string trouble = check_arguments(arguments); !trouble.empty()) return refuse(kExitUsage, trouble);
    std::reverse(arguments.begin(), arguments.end());

    try {
        app.parse(arguments);
    } catch (const CLI::ParseError& error) {
        return app.exit(error) == 0 ? kExitFine : kExitUsage;
    }
    try {
        for (const auto& [sub, run] : declared)
            if (sub->parsed()) return run();
    } catch (const UsageError& error) {
        return refuse(kExitUsage, error.what());
    } catch (const std::exception& error) {
        return refuse(kExitCouldNotRun, error.what());
    }
    return kExitFine;
}

}  // namespace

int main(int argc, char** argv) {
    using namespace glovebox::vr;
    const int exit_code = run(argc, argv);
    // What was printed counts only if it arrived: on a full disk the result is missing, and a script must be told.
    std::cout.flush();
    errno = 0;
    if (std::fflush(stdout) == 0 && std::ferror(stdout) == 0 && std::cout.good()) return exit_code;
    refuse(kExitCouldNotRun, std::string("standard output: cannot be written") +
                                 (errno != 0 ? std::string(": ") + std::strerror(errno) : ""));
    return exit_code == kExitFine ? kExitCouldNotRun : exit_code;
}
