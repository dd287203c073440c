// The queries that docs/reference/log.md shows for the sqlite3 shell and Python: each must return an answer.
#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "tests/vr/run_program.h"

namespace glovebox::vr {
namespace {

bool has_program(const std::string& name) {
    return std::system(("command -v " + name + " > /dev/null 2>&1").c_str()) == 0;
}

std::string answer_of(const std::string& command, const std::filesystem::path& folder) {
    std::ofstream(folder / "ask.sh") << "cd '" << folder.string() << "'\n" << command << "\n";
    const int status = std::system(
        ("sh '" + (folder / "ask.sh").string() + "' > '" + (folder / "answer").string() + "' 2>&1").c_str());
    const std::string answer = text_of_file(folder / "answer");
    EXPECT_EQ(status, 0) << command << "\n" << answer;
    return answer;
}

TEST(LogQuestions, OfTheDocumentsAreAnsweredBySqliteAndByPython) {
    const TestFolder folder("questions");
    ASSERT_EQ(run_program("convert flick take.glove", folder.path).exit_code, 0);
    std::istringstream document(text_of_file(std::filesystem::path(GLOVEBOX_SOURCE) / "docs" / "reference" / "log.md"));
    std::vector<std::string> questions;
    std::string python;
    bool in_python = false;
    for (std::string line; std::getline(document, line);) {
        if (line.rfind("    sqlite3 take.glove", 0) == 0) questions.push_back(line);
        if (line.rfind("```", 0) == 0) {
            in_python = line == "```python";
        } else if (in_python) {
            python += line + "\n";
        }
    }
    ASSERT_GE(questions.size(), 3U);
    ASSERT_FALSE(python.empty());
    if (!has_program("sqlite3") || !has_program("python3")) GTEST_SKIP() << "sqlite3 or python3 is not installed";
    for (const std::string& question : questions) EXPECT_GT(answer_of(question, folder.path).size(), 4U) << question;
    std::ofstream(folder.path / "ask.py") << python;
    const std::string answer = answer_of("python3 ask.py", folder.path);
    EXPECT_GE(std::count(answer.begin(), answer.end(), '\n'), 3) << answer;
}

}  // namespace
}  // namespace glovebox::vr
