// Conveniences for the first minutes: a file as the only argument, help, misspelt names, lists for programs.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <nlohmann/json.hpp>
#include <utility>

#include "tests/vr/run_program.h"
#include "tracking/names.h"
#include "vr/cli/help.h"

namespace glovebox::vr {
namespace {

using nlohmann::json;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

TEST(Conveniences, AFileAloneIsReplayed) {
    const TestFolder folder("file_alone");
    ASSERT_EQ(run_program("convert flick hand.csv", folder.path).exit_code, 0);
    for (const char* arguments : {"hand.csv --headless --frames 5", "flick --headless --frames 5"}) {
        const ProgramResult result = run_program(arguments, folder.path);
        EXPECT_EQ(result.exit_code, 0) << result.error;
        EXPECT_THAT(result.out, HasSubstr("state hash")) << arguments;
    }
}

TEST(Conveniences, HelpAndVersion) {
    const TestFolder folder("help");
    EXPECT_EQ(run_program("help", folder.path).out, run_program("--help", folder.path).out);
    EXPECT_EQ(run_program("help touches", folder.path).out, run_program("touches --help", folder.path).out);
    EXPECT_THAT(run_program("-V", folder.path).out, StartsWith("glovebox "));
    EXPECT_EQ(run_program("-V", folder.path).out, run_program("--version", folder.path).out);
}

TEST(Conveniences, HelpFitsAHundredColumns) {
    const TestFolder folder("help_width");
    std::istringstream commands(run_program("completion bash", folder.path).out);
    std::vector<std::string> pages = {"help"};
    for (std::string line; std::getline(commands, line);)
        if (const auto at = line.find(") words="); at != std::string::npos && line.find('*') == std::string::npos)
            pages.push_back("help " + line.substr(line.find_first_not_of(' '), at - line.find_first_not_of(' ')));
    EXPECT_GT(pages.size(), 20U);
    for (const std::string& page : pages) {
        std::istringstream lines(run_program(page, folder.path).out);
        for (std::string line; std::getline(lines, line);) EXPECT_LE(line.size(), kHelpWidth) << page << ": " << line;
    }
}

TEST(Conveniences, NamesThatAreNearlyRightAreNamed) {
    const TestFolder folder("did_you_mean");
    for (const auto& [arguments, meant] :
         {std::pair("repaly flick", "did you mean 'replay'?"), std::pair("touch flick", "did you mean 'touches'?"),
          std::pair("replay flick --headles", "did you mean '--headless'?"),
          std::pair("replay flick --method cabb", "--method: no 'cabb', did you mean 'cab'?"),
          std::pair("bench frames", "did you mean 'frame'?"),
          std::pair("screenshot flick", "did you mean 'glovebox replay --screenshot'?"),
          std::pair("replay flick --inject nosuch", "glovebox: --inject 'nosuch': no such fault"),
          std::pair("touches flick --figrue x.svg", "did you mean '--figure'?")}) {
        const ProgramResult result = run_program(arguments, folder.path);
        EXPECT_EQ(result.exit_code, 2) << arguments;
        EXPECT_THAT(result.error, HasSubstr(meant)) << arguments;
        EXPECT_THAT(result.error, StartsWith("glovebox: "));
        EXPECT_EQ(std::ranges::count(result.error, '\n'), 1) << result.error;
    }
    const ProgramResult scene = run_program("replay flick --headless --scene held-bal", folder.path);
    EXPECT_EQ(scene.exit_code, 1);
    EXPECT_THAT(scene.error, HasSubstr("no scene 'held-bal': did you mean 'held-ball'?"));
    EXPECT_THAT(run_program("replay flick --headless --scene zzzzzzzzz", folder.path).error,
                HasSubstr("no scene 'zzzzzzzzz': neither a file nor one of table-and-ball"));
    EXPECT_THAT(run_program("replay flikc --headless", folder.path).error, HasSubstr("did you mean 'flick'?"));
    using tracking::nearest_name;
    EXPECT_EQ(nearest_name("xyzzy", {"replay", "touches"}), "");
    EXPECT_EQ(nearest_name("rpelay", {"replay", "touches"}), "replay");
}

TEST(Conveniences, WrongSubcommandsAndRepeatedOptionsAreSaidInPlainWords) {
    const TestFolder folder("plain_words");
    const std::array<std::pair<const char*, const char*>, 7> cases = {
        {{"scene foo", "scene: no 'foo'; it is one of new, grabs"},
         {"scene grab", "did you mean 'grabs'?"},
         {"clips foo", "clips: no 'foo'; it is one of index, find"},
         {"scene", "scene needs one of new, grabs"},
         {"replay flick --hand left --hand right", "--hand is given 2 times; give it once"},
         {"calibrate flick -o me.json --name ' '", "--name: is blank"},
         {"calibrate flick", "--output is required"}}};
    for (const auto& [command, words] : cases) {
        const ProgramResult ran = run_program(command, folder.path);
        EXPECT_EQ(ran.exit_code, 2) << command;
        EXPECT_THAT(ran.error, HasSubstr(words)) << command;
    }
    EXPECT_THAT(run_program("replay flick --headless --hand-mesh /dev/null", folder.path).error,
                Not(HasSubstr("no such file")));
}

TEST(Conveniences, ListsInfoAndDoctorAreJsonWhenAsked) {
    const TestFolder folder("lists_json");
    for (const char* list : {"scenes", "methods", "formats", "sources", "outputs"}) {
        const json rows = json::parse(run_program(std::string(list) + " --json", folder.path).out);
        std::istringstream lines(run_program(list, folder.path).out);
        std::size_t count = 0;
        for (std::string line; std::getline(lines, line); ++count)
            EXPECT_EQ(rows.at(count)["name"], line.substr(0, line.find(' '))) << list;
        EXPECT_EQ(count, rows.size()) << list;
    }
    const json info = json::parse(run_program("info flick --json", folder.path).out);
    EXPECT_EQ(info["recording"]["frames"], 705);
    EXPECT_EQ(info["gaps"].size(), 1U);
    EXPECT_FALSE(info.contains("findings"));
    EXPECT_GE(json::parse(run_program("doctor flick --json", folder.path).out)["findings"].size(), 1U);
}

TEST(Conveniences, QuietPrintsNothingAndAReportGoesToStandardOutput) {
    const TestFolder folder("quiet");
    const ProgramResult quiet = run_program("replay flick --headless --quiet --frames 9", folder.path);
    EXPECT_EQ(quiet.exit_code, 0);
    EXPECT_EQ(quiet.out + quiet.error, "");
    for (const char* arguments :
         {"replay flick --headless --frames 9 --report -", "replay flick --headless --frames 9 --json"})
        EXPECT_EQ(json::parse(run_program(arguments, folder.path).out)["frames"], 9) << arguments;
    EXPECT_THAT(run_program("replay flick --headless --frames 9 --verbose", folder.path).out, HasSubstr("n_v"));
}

TEST(Conveniences, ColourIsThereWhenAskedForAndTheOldNameOfEmulateWorks) {
    const TestFolder folder("color");
    EXPECT_THAT(run_program("--color always repaly", folder.path).error, HasSubstr("\033[31m"));
    EXPECT_THAT(run_program("--color never repaly", folder.path).error, StartsWith("glovebox: "));
    EXPECT_EQ(run_program("--color maybe repaly", folder.path).exit_code, 2);
    const ProgramResult old = run_program("play --help", folder.path);
    EXPECT_EQ(old.exit_code, 0);
    EXPECT_THAT(old.error, HasSubstr("'emulate' now"));
}

TEST(Conveniences, AtShowsTheFrameThatIsShownWithThatTime) {
    const TestFolder folder("at");
    const ProgramResult shown = run_program("replay flick --headless --screenshot a.png --at 2.678", folder.path);
    if (shown.exit_code != 0) GTEST_SKIP() << "no OpenGL 3.3 here: no pictures";
    // The frame shown as 2.678 s is the last one whose rounded time is not later.
    ASSERT_EQ(run_program("convert flick flick.jsonl", folder.path).exit_code, 0);
    std::istringstream contacts(
        (run_program("replay flick -q --headless --contacts c.csv", folder.path), text_of_file(folder.path / "c.csv")));
    int expected = -1;
    double last_s = 0.0;
    std::string line;
    std::getline(contacts, line);
    while (std::getline(contacts, line)) {
        const double time_s = std::stod(line.substr(line.find(',') + 1));
        if (time_s < 2.6785 && time_s > last_s) {
            last_s = time_s;
            expected = std::stoi(line);
        }
    }
    const auto at = shown.out.find("picture of frame ");
    ASSERT_NE(at, std::string::npos);
    const int frame = std::stoi(shown.out.substr(at + 17));
    if (last_s > 2.66) {
        EXPECT_EQ(frame, expected);
    }
    EXPECT_GT(frame, 200);
}

TEST(Conveniences, ManualPageAndCompletionsAreThoseOfTheOptionTable) {
    const TestFolder folder("man");
    const std::string page = run_program("man", folder.path).out;
    EXPECT_THAT(page, StartsWith(".TH GLOVEBOX 1"));
    EXPECT_THAT(page, HasSubstr("\\-\\-figure"));
    const std::string bash = run_program("completion bash", folder.path).out;
    EXPECT_THAT(bash, HasSubstr("--figure"));
    std::ofstream(folder.path / "bash") << bash;
    const auto completed = [&](const std::string& words, int at) {
        const std::string tried = "bash -c '. " + (folder.path / "bash").string() + " && COMP_WORDS=(glovebox " +
                                  words + ") COMP_CWORD=" + std::to_string(at) +
                                  " && _glovebox && echo ${COMPREPLY[*]}' >" + (folder.path / "said").string();
        EXPECT_EQ(std::system(tried.c_str()), 0);
        return text_of_file(folder.path / "said");
    };
    EXPECT_EQ(completed("touches --fig", 2), "--figure\n");
    EXPECT_EQ(completed("rep", 1), "replay\n");
    EXPECT_EQ(completed("touches --by \"\"", 3), "finger bone object\n");
    EXPECT_EQ(completed("replay flick --method cov", 4), "covariance\n");
    EXPECT_EQ(completed("clips find --hand le", 4), "left\n");
    std::ofstream(folder.path / "zsh") << run_program("completion zsh", folder.path).out;
    if (std::system("command -v zsh >/dev/null") == 0) {
        EXPECT_EQ(std::system(("zsh -n " + (folder.path / "zsh").string()).c_str()), 0);
    }
    if (std::system("command -v groff >/dev/null") == 0) {
        std::ofstream(folder.path / "glovebox.1") << page;
        EXPECT_EQ(std::system(("groff -man -Tascii -ww " + (folder.path / "glovebox.1").string() + " >/dev/null 2>" +
                               (folder.path / "groff").string())
                                  .c_str()),
                  0);
        EXPECT_EQ(text_of_file(folder.path / "groff"), "");
    }
}

}  // namespace
}  // namespace glovebox::vr
