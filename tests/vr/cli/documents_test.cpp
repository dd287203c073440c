// Every command that README.md and docs/ show in a sh block must run. Lines that start with `glovebox` are taken as
// they stand, in a folder that holds a recording called hand.csv; without a display, as on a server.
#include <gtest/gtest.h>

#include "tests/vr/run_program.h"

namespace glovebox::vr {
namespace {

// A sanitizer makes everything slower by its own measure: what a bench asks of its times says nothing then.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool kSanitized = true;
#else
constexpr bool kSanitized = false;
#endif

struct ShownCommand {
    std::string document, command;
};

std::vector<ShownCommand> commands_in(const std::filesystem::path& document) {
    std::vector<ShownCommand> commands;
    std::istringstream lines(text_of_file(document));
    bool in_block = false;
    for (std::string line; std::getline(lines, line);) {
        if (line.rfind("```", 0) == 0) {
            in_block = line == "```sh";
            continue;
        }
        if (!in_block || line.rfind("glovebox ", 0) != 0) continue;
        line = line.substr(9, line.find(" #") == std::string::npos ? line.npos : line.find(" #") - 9);
        commands.push_back({document.filename().string(), line});
    }
    return commands;
}

TEST(Documents, EveryCommandRuns) {
    const std::filesystem::path source = GLOVEBOX_SOURCE;
    std::vector<ShownCommand> commands = commands_in(source / "README.md");
    EXPECT_GE(commands.size(), 4U) << "README.md shows no commands: this test is not reading it";
    for (const auto& entry : std::filesystem::recursive_directory_iterator(source / "docs"))
        if (entry.path().extension() == ".md")
            for (ShownCommand& command : commands_in(entry.path())) commands.push_back(std::move(command));

    const TestFolder folder("documents");
    ASSERT_EQ(run_program("convert flick hand.csv", folder.path).exit_code, 0);
    for (const ShownCommand& shown : commands) {
        const ProgramResult result = run_program(shown.command, folder.path);
        if (kSanitized && result.exit_code == 3 && shown.command.starts_with("bench ")) continue;
        EXPECT_EQ(result.exit_code, 0) << shown.document << ": glovebox " << shown.command << "\n" << result.error;
    }
}

}  // namespace
}  // namespace glovebox::vr
