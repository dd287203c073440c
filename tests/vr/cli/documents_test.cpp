// Runs every command that README.md and docs/ show in a sh block, in a folder with a recording called hand.csv and
// without a display. Runs the tutorial of live hands as one script, and compares the command-line reference with what
// the program prints.
#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "tests/vr/run_program.h"

namespace glovebox::vr {
namespace {

// A sanitizer slows code down unevenly, so limits that a bench sets on times mean nothing.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool kSanitized = true;
#else
constexpr bool kSanitized = false;
#endif

const std::filesystem::path kSource = GLOVEBOX_SOURCE;

// Returns the lines of all blocks of one language.
std::vector<std::string> lines_of_blocks(const std::filesystem::path& document, const std::string& language) {
    std::vector<std::string> shown;
    std::istringstream lines(text_of_file(document));
    bool in_block = false;
    for (std::string line; std::getline(lines, line);) {
        if (line.starts_with("```"))
            in_block = line == "```" + language;
        else if (in_block)
            shown.push_back(line);
    }
    return shown;
}

struct ShownCommand {
    std::string document, command;
};

std::vector<ShownCommand> commands_in(const std::filesystem::path& document) {
    std::vector<ShownCommand> commands;
    for (const std::string& line : lines_of_blocks(document, "sh")) {
        if (!line.starts_with("glovebox ")) continue;
        const std::size_t comment = line.find(" #");
        commands.push_back(
            {document.filename().string(), line.substr(9, comment == line.npos ? comment : comment - 9)});
    }
    return commands;
}

TEST(Documents, EveryCommandRuns) {
    std::vector<ShownCommand> commands = commands_in(kSource / "README.md");
    EXPECT_GE(commands.size(), 4U) << "README.md shows no commands: this test is not reading it";
    std::vector<std::filesystem::path> pages;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(kSource / "docs"))
        if (entry.path().extension() == ".md") pages.push_back(entry.path());
    std::ranges::sort(pages);
    for (const auto& page : pages)
        for (ShownCommand& command : commands_in(page)) commands.push_back(std::move(command));
    EXPECT_GE(commands.size(), 60U) << "docs/ shows few commands: this test is not reading it";

    const TestFolder folder("documents");
    ASSERT_EQ(run_program("convert flick hand.csv", folder.path).exit_code, 0);
    for (const ShownCommand& shown : commands) {
        const ProgramResult result = run_program(shown.command, folder.path);
        if (kSanitized && result.exit_code == 3 && shown.command.starts_with("bench ")) continue;
        EXPECT_EQ(result.exit_code, 0) << shown.document << ": glovebox " << shown.command << "\n" << result.error;
    }
}

TEST(Documents, TutorialOfLiveHandsRunsAsOneScript) {
    const TestFolder folder("live_tutorial");
    std::filesystem::create_symlink(GLOVEBOX_PROGRAM, folder.path / "glovebox");
    std::ofstream script(folder.path / "script");
    script << "set -em\nPATH=$PWD:$PATH\n";
    int commands = 0;
    for (const std::string& line : lines_of_blocks(kSource / "docs/tutorials/live.md", "bash")) {
        commands += line.starts_with("glovebox ") ? 1 : 0;
        script << line << "\n";
        // A reader types the next command later than the program creates its pipe; the script must wait.
        if (line.ends_with("&")) script << "until [ -e glove.pipe ]; do sleep 0.05; done\n";
    }
    script.close();
    EXPECT_GE(commands, 4) << "live.md shows no script: this test is not reading it";
    const std::string run = "cd '" + folder.path.string() +
                            "' && env -u DISPLAY -u WAYLAND_DISPLAY timeout -k 5 100 bash script >said 2>&1 </dev/null";
    EXPECT_EQ(std::system(run.c_str()), 0) << text_of_file(folder.path / "said");
    EXPECT_NE(text_of_file(folder.path / "said").find("on ball"), std::string::npos)
        << text_of_file(folder.path / "said");
}

TEST(Documents, PageOfTheCommandLineIsWhatTheProgramPrints) {
    const TestFolder folder("cli_page");
    EXPECT_EQ(text_of_file(kSource / "docs/reference/cli.md"), run_program("man --markdown", folder.path).out)
        << "write it again: glovebox man --markdown >docs/reference/cli.md";
}

}  // namespace
}  // namespace glovebox::vr
