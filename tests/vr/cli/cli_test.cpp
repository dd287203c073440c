// The command line's contract: printed text, written files and exit codes.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <regex>

#include "tests/recordings/refused_files.h"
#include "tests/vr/run_program.h"

namespace glovebox::vr {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

TEST(CommandLine, ReportHasEveryKeyOfTheContract) {
    const TestFolder folder("report");
    const ProgramResult result = run_program("replay flick --headless --frames 300 --report r.json", folder.path);
    ASSERT_EQ(result.exit_code, 0) << result.error;
    const auto report = nlohmann::json::parse(text_of_file(folder.path / "r.json"));
    for (const char* key : {"path", "format", "frames", "hands", "duration_s", "longest_gap_s"})
        EXPECT_TRUE(report["recording"].contains(key)) << key;
    for (const char* stage : {"ingest", "refit", "test", "exact", "step", "haptics", "total"})
        for (const char* figure : {"count", "mean", "p50", "p90", "p99", "p999", "max"})
            EXPECT_TRUE(report["stages_us"][stage].contains(figure)) << stage << " " << figure;
    for (const char* count : {"coll", "false", "true", "n_u", "n_v", "n_p", "n_v_object", "n_v_tree"})
        EXPECT_TRUE(report["counts"].contains(count) && report["count_names"].contains(count)) << count;
    for (const char* key : {"scene", "method", "frames", "events", "quarantine", "state_hash", "machine", "version"})
        EXPECT_TRUE(report.contains(key)) << key;
    EXPECT_EQ(report["frames"], 300);
    EXPECT_EQ(report["stages_us"]["total"]["count"], 300);
    // A unit's cost here is its stage's time divided by its count, computed without the prices' code.
    const auto& costs = report["costs"];
    const auto all_us = [&](const char* stage) {
        return report["frames"].get<double>() * report["stages_us"][stage]["mean"].get<double>();
    };
    for (const auto& [cost, stage, count] :
         {std::tuple{"c_u", "refit", "n_u"}, {"c_v", "test", "n_v"}, {"c_p", "exact", "n_p"}})
        EXPECT_NEAR(1e-3 * costs["measured_ns"][cost].get<double>() * report["counts"][count].get<double>(),
                    all_us(stage), 0.01 * all_us(stage) + 1.0)
            << cost;
    for (const char* price : {"c_u", "c_v_object", "c_v_tree", "c_p"}) {
        EXPECT_GT(costs["prices_ns"][price]["mean"], 0.0) << price;
        EXPECT_LE(costs["prices_ns"][price]["p10"], costs["prices_ns"][price]["p90"]) << price;
    }
    EXPECT_NEAR(costs["sum_over_measured"].get<double>(),
                costs["sum_us"].get<double>() / costs["measured_us"].get<double>(), 0.01);
    EXPECT_EQ(report["counts"]["coll"].get<int>(),
              report["counts"]["true"].get<int>() + report["counts"]["false"].get<int>());
}

TEST(CommandLine, TwoRunsHaveTheSameHashAndAnyMethodToo) {
    const TestFolder folder("hash");
    const auto hash_of = [&](const std::string& options) {
        const ProgramResult result = run_program("replay flick --headless --report r.json " + options, folder.path);
        EXPECT_EQ(result.exit_code, 0) << result.error;
        return nlohmann::json::parse(text_of_file(folder.path / "r.json"))["state_hash"].get<std::string>();
    };
    const std::string hash = hash_of("");
    EXPECT_EQ(hash.size(), 16U);
    EXPECT_EQ(hash_of(""), hash);
    EXPECT_EQ(hash_of("--method aabb"), hash) << "contacts do not depend on the boxes";
    EXPECT_NE(hash_of("--frames 100"), hash);
}

TEST(CommandLine, TheBundledFlickTouchesAndFlicks) {
    const TestFolder folder("flick");
    ASSERT_EQ(run_program("replay flick --headless --check --report r.json", folder.path).exit_code, 0);
    const auto report = nlohmann::json::parse(text_of_file(folder.path / "r.json"));
    EXPECT_GT(report["counts"]["true"].get<int>(), 20);
    EXPECT_GT(report["event_counts"]["touch_begin"].get<int>(), 1);
    double fastest_m_s = 0.0;
    for (const auto& event : report["events"])
        if (event["kind"] == "touch_begin" && event["object"] == "ball")
            fastest_m_s = std::max(fastest_m_s, event["speed_m_s"].get<double>());
    EXPECT_GT(fastest_m_s, 0.3) << "a flick is fast";
    EXPECT_THAT(report["recording"]["notes"].dump(), HasSubstr("Synthetic"));
}

TEST(CommandLine, UsageErrorsExitWithTwo) {
    const TestFolder folder("usage");
    for (const char* arguments :
         {"replay flick --no-such-option", "no-such-command", "replay flick --method obb", "replay flick --rate fast",
          "replay flick --frames 0", "bench no-such-bench", "bench", "convert flick x.foo",
          "convert flick x.csv --as papyrus", "emulate flick --rate 0", "emulate flick --rate nan",
          "bench chains x.ply --quick", "replay flick --headless --haptics null --haptics-log x.csv"})
        EXPECT_EQ(run_program(arguments, folder.path).exit_code, 2) << arguments;
}

TEST(CommandLine, WhatCannotRunSaysWhyInOneLineAndExitsWithOne) {
    const TestFolder folder("cannot");
    std::ofstream(folder.path / "empty.csv").close();
    std::ofstream(folder.path / "noise.bin", std::ios::binary)
        << std::string("\x7f\x00\xff\x01", 4) << std::string(5000, '\x93');
    std::ofstream(folder.path / "bad.toml") << "name = \n";
    for (const char* arguments :
         {"replay no-such-file.csv --headless", "replay empty.csv --headless", "replay noise.bin --headless",
          "replay flick --headless --scene no-such-scene", "replay flick --headless --scene bad.toml",
          "replay flick --headless --frames 5 --report no/such/folder/r.json", "info noise.bin"}) {
        const ProgramResult result = run_program(arguments, folder.path);
        EXPECT_EQ(result.exit_code, 1) << arguments;
        EXPECT_THAT(result.error, StartsWith("glovebox: ")) << arguments;
        EXPECT_EQ(std::count(result.error.begin(), result.error.end(), '\n'), 1) << result.error;
    }
}

TEST(CommandLine, FailIfExitsWithThree) {
    const TestFolder folder("fail_if");
    EXPECT_EQ(run_program("replay flick --headless --frames 20 --fail-if 'total.p99_us>0'", folder.path).exit_code, 3);
    EXPECT_EQ(run_program("replay flick --headless --frames 20 --fail-if 'total.p99_us>1e9'", folder.path).exit_code,
              0);
    EXPECT_NE(run_program("replay flick --headless --frames 20 --fail-if 'nonsense>1'", folder.path).exit_code, 0);
}

TEST(CommandLine, ListsPrintOneNameALineFirst) {
    const TestFolder folder("lists");
    for (const char* list : {"scenes", "methods", "formats", "bench --list"}) {
        const ProgramResult result = run_program(list, folder.path);
        ASSERT_EQ(result.exit_code, 0) << list;
        std::istringstream lines(result.out);
        int count = 0;
        for (std::string line; std::getline(lines, line); ++count)
            EXPECT_TRUE(std::regex_match(line, std::regex("[a-z0-9+_.-]+  +\\S.*"))) << list << ": " << line;
        EXPECT_GE(count, 1) << list;
    }
    EXPECT_THAT(run_program("methods", folder.path).out, StartsWith("cab "));
}

TEST(CommandLine, ContactsCsvHasALinePerContactPointAndUnits) {
    const TestFolder folder("contacts");
    ASSERT_EQ(run_program("replay carry --headless --contacts c.csv --report r.json", folder.path).exit_code, 0);
    std::istringstream lines(text_of_file(folder.path / "c.csv"));
    std::string line;
    std::getline(lines, line);
    EXPECT_THAT(line, HasSubstr("depth_m"));
    const auto columns = std::count(line.begin(), line.end(), ',');
    int pairs = 0, points = 0;
    while (std::getline(lines, line)) {
        EXPECT_EQ(std::count(line.begin(), line.end(), ','), columns);
        EXPECT_EQ(line.find(",-0.000000,"), std::string::npos) << line;
        EXPECT_EQ(line.find(",-0.00000,"), std::string::npos) << line;
        std::istringstream cells(line);
        std::string cell;
        for (int i = 0; i < 6; ++i) std::getline(cells, cell, ',');
        points += cell == "1" ? 1 : 0;
        pairs += cell == "1" && line.ends_with(",0") ? 1 : 0;
    }
    const auto counts = nlohmann::json::parse(text_of_file(folder.path / "r.json"))["counts"];
    EXPECT_EQ(pairs, counts["true"].get<int>());
    EXPECT_GT(points, pairs);
}

// The names come from the scene's author.
TEST(CommandLine, ContactsCsvHoldsNamesOfAnyLengthWithAnyLetters) {
    const TestFolder folder("contact_names");
    const std::string name = "ball, \"the big one\" " + std::string(1000, 'o');
    std::ofstream(folder.path / "named.toml") << "[[object]]\nname = '" << name
                                              << "'\nshape = \"ball\"\nradius_m = 0.035\n"
                                                 "position_m = [0.0, 0.035, 0.0]\n";
    ASSERT_EQ(run_program("replay flick --headless --scene named.toml --contacts c.csv", folder.path).exit_code, 0);
    std::istringstream lines(text_of_file(folder.path / "c.csv"));
    std::string line;
    std::getline(lines, line);
    const auto columns = std::count(line.begin(), line.end(), ',');
    const std::string cell = ",\"ball, \"\"the big one\"\" " + std::string(1000, 'o') + "\",";
    int count = 0;
    for (; std::getline(lines, line); ++count) {
        ASSERT_THAT(line, HasSubstr(cell));
        EXPECT_EQ(std::count(line.begin(), line.end(), ','), columns + 1) << "one more, within quotes";
        EXPECT_TRUE(std::all_of(line.begin(), line.end(), [](char c) { return c >= ' ' && c <= '~'; })) << line;
    }
    EXPECT_GT(count, 100);
}

TEST(CommandLine, WhatIsGivenInTheWrongPlaceIsToldWhereItBelongs) {
    const TestFolder folder("misplaced");
    ASSERT_EQ(run_program("convert flick hand.csv --as openxr-csv", folder.path).exit_code, 0);
    ASSERT_EQ(run_program("convert flick hand.jsonl", folder.path).exit_code, 0);
    std::ofstream(folder.path / "cup.obj") << "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n";
    std::ofstream(folder.path / "cup.toml") << "[[object]]\nname = \"a\"\nshape = \"ball\"\nradius_m = 0.1\n";
    // Begins as a JSON array does.
    std::ofstream(folder.path / "hand.toml") << "[hand]\nplacement = \"here\"\n[[object]]\nname = \"a\"\n";
    for (const auto& [arguments, exit_code, words] :
         {std::tuple{"replay cup.obj --headless", 1, "with --scene"},
          {"info cup.toml", 1, "with --scene"},
          {"replay flick --headless --scene hand.csv", 1, "a recording (openxr-csv), not a scene"},
          {"replay flick --headless --scene hand.toml", 1, "hand.toml:2: 'placement' is 'here' but must be one of"},
          {"replay flick --headless --scene hand.jsonl", 1, "a recording (glovebox-jsonl), not a scene"},
          {"relpay flick", 2, "no command 'relpay': did you mean 'replay'?"},
          {"papyrus", 2, "no command 'papyrus', and no file of that name; commands are replay, "}}) {
        const ProgramResult result = run_program(arguments, folder.path);
        EXPECT_EQ(result.exit_code, exit_code) << arguments;
        EXPECT_THAT(result.error, StartsWith("glovebox: ")) << arguments;
        EXPECT_THAT(result.error, HasSubstr(words)) << arguments;
        EXPECT_EQ(std::count(result.error.begin(), result.error.end(), '\n'), 1) << result.error;
    }
    EXPECT_EQ(run_program("info hand.jsonl", folder.path).exit_code, 0) << "JSON may be a mesh too, glTF";
}

TEST(CommandLine, AFilesUnitIsToldAlikeEverywhere) {
    const TestFolder folder("units");
    ASSERT_EQ(run_program("convert flick m.csv", folder.path).exit_code, 0);
    for (const char* command : {"convert m.csv /dev/null --as glovebox-csv", "replay m.csv --headless",
                                "label m.csv -o l.csv", "clips index m.csv"}) {
        for (const char* unit : {"m", "1", "auto"})
            EXPECT_EQ(run_program(command + std::string(" --unit ") + unit, folder.path).exit_code, 0) << command;
        for (const char* wrong : {"nan", "inf", "0", "-1", "ell", "1mm", "''"})
            EXPECT_EQ(run_program(command + std::string(" --unit ") + wrong, folder.path).exit_code, 2)
                << command << ' ' << wrong;
    }
}

TEST(CommandLine, WhatIsForFilesIsRefusedForBundledRecordings) {
    const TestFolder folder("cli_bundled_options");
    for (const char* command : {"info flick --unit mm", "doctor flick --unit mm", "convert flick out.csv --unit mm",
                                "label flick -o labels.csv --unit mm", "info flick --axes unity",
                                "convert flick out.csv --wrist wrist.csv"}) {
        const ProgramResult run = run_program(command, folder.path);
        EXPECT_EQ(run.exit_code, 2) << command;
        EXPECT_THAT(run.error, HasSubstr("is for files, and flick is a bundled recording")) << command;
    }
    EXPECT_FALSE(std::filesystem::exists(folder.path / "out.csv"));
}

TEST(CommandLine, APicturesNameAndSizeAreLookedAtBeforeTheWork) {
    const TestFolder folder("pictures");
    for (const char* command : {"replay flick --headless", "lab rocks --headless"})
        for (const char* wrong : {"--screenshot a.jpg", "--screenshot a", "--screenshot a.png --size 640x480x",
                                  "--screenshot a.png --size 640", "--screenshot a.png --size 8000x100",
                                  "--screenshot a.png --size 320x200", "--screenshot a.png --size 480x1920"}) {
            const auto result = run_program(command + std::string(" ") + wrong, folder.path);
            EXPECT_EQ(result.exit_code, 2) << command << ' ' << wrong;
        }
    EXPECT_TRUE(std::filesystem::is_empty(folder.path));
}

TEST(CommandLine, NumbersAreLookedAtAndTheirRangesAreToldInWords) {
    const TestFolder folder("numbers");
    ASSERT_EQ(run_program("convert flick hand.csv", folder.path).exit_code, 0);
    std::ofstream(folder.path / "cup.obj") << "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n";
    for (const char* arguments : {"replay flick --headless --at nan",
                                  "replay flick --headless --at -1",
                                  "replay flick --headless --at inf",
                                  "replay flick --headless --frames 3.5",
                                  "replay flick --headless --frames nan",
                                  "replay flick --headless --inject nan --stop-within 0",
                                  "replay hand.csv --headless --unit 1e30",
                                  "lab rocks --headless --at nan",
                                  "lab rocks --headless --at 500",
                                  "lab crowd --headless --radius nan",
                                  "bench replay --quick --frames -5",
                                  "bench replay --quick --frames 0",
                                  "bench replay --quick --frames 2.5",
                                  "diff flick flick --position-mm -1",
                                  "diff flick flick --position-mm nan",
                                  "diff flick flick --time-ms inf",
                                  "fit cup.obj -o cup.gbxtree --unit 1e30",
                                  "fit cup.obj -o cup.gbxtree --unit 1e-30",
                                  "fit cup.obj -o cup.gbxtree --threads -1",
                                  "live hand.csv --seconds nan",
                                  "live hand.csv --seconds -1",
                                  "emulate flick --max-analog nan",
                                  "calibrate flick -o me.json --seconds nan",
                                  "vr --headless --wait nan"}) {
        const ProgramResult result = run_program(arguments, folder.path);
        EXPECT_EQ(result.exit_code, 2) << arguments << '\n' << result.out;
        EXPECT_THAT(result.error, Not(HasSubstr("000000000000"))) << arguments;
        EXPECT_LT(result.error.size(), 300U) << arguments << ": " << result.error;
    }
    EXPECT_THAT(run_program("replay flick --headless --frames 3.5", folder.path).error,
                HasSubstr("--frames: 3.5 is not a whole number from 1 to 1000000000"));
    const ProgramResult late = run_program("replay flick --headless --at 100 --screenshot l.png", folder.path);
    if (late.exit_code == 0) {
        EXPECT_THAT(late.error, HasSubstr("--at 100: the recording ends at 8.000 s"));
    }
}

// Data and messages go to separate streams, and a pipe's data can be read only once.
TEST(CommandLine, RecordingsGoThroughPipes) {
    const TestFolder folder("pipes");
    ASSERT_EQ(run_program("convert flick flick.csv", folder.path).exit_code, 0);
    const ProgramResult written = run_program("convert flick.csv /dev/stdout --as glovebox-csv", folder.path);
    EXPECT_EQ(written.exit_code, 0);
    EXPECT_TRUE(written.out == text_of_file(folder.path / "flick.csv"));
    EXPECT_THAT(written.error, HasSubstr("flick.csv (glovebox-csv) -> /dev/stdout"));

    const auto through_pipe = [&](const std::string& arguments) {
        const std::string fill = "cd '" + folder.path.string() + "' && rm -f p && mkfifo p && (cat flick.csv > p &)";
        EXPECT_EQ(std::system(fill.c_str()), 0);
        return run_program(arguments, folder.path);
    };
    for (const char* command : {"info p", "doctor p", "convert p again.csv"})
        EXPECT_EQ(through_pipe(command).exit_code, 0) << command;
    EXPECT_TRUE(text_of_file(folder.path / "again.csv") == text_of_file(folder.path / "flick.csv"));
    EXPECT_EQ(run_program("convert p p.bvh", folder.path).exit_code, 1);
    EXPECT_THAT(run_program("convert p p.bvh", folder.path).error, HasSubstr("a pipe can be read once"));
}

// A file size limit acts like a full disk: the error is one line, and no partial file is left.
TEST(CommandLine, AFileThatMayNotGrowIsToldAndLeftOut) {
    const TestFolder folder("file_limit");
    for (const char* out : {"x.csv", "x.bvh", "x.jsonl", "x.glove"}) {
        const std::string script = "cd '" + folder.path.string() +
                                   "' && ulimit -f 100 && " GLOVEBOX_PROGRAM " convert flick " + out +
                                   " > said.txt 2>&1";
        EXPECT_EQ(WEXITSTATUS(std::system(script.c_str())), 1) << out;
        const std::string said = text_of_file(folder.path / "said.txt");
        EXPECT_EQ(std::count(said.begin(), said.end(), '\n'), 1) << said;
        std::filesystem::remove(folder.path / "said.txt");
        EXPECT_TRUE(std::filesystem::is_empty(folder.path)) << out;
    }
}

TEST(CommandLine, ConvertWritesTheHandThatIsAskedFor) {
    const TestFolder folder("hand");
    const auto convert = [&](const std::string& arguments) { return run_program("convert " + arguments, folder.path); };
    const auto text = [&](const char* name) { return text_of_file(folder.path / name); };
    ASSERT_EQ(convert("carry both.csv").exit_code, 0);
    for (const char* from : {"carry", "both.csv"}) {
        SCOPED_TRACE(from);
        for (const char* earlier : {"l.csv", "r.csv", "e.csv"}) std::filesystem::remove(folder.path / earlier);
        const ProgramResult left = convert(from + std::string(" l.csv --as openxr-csv --hand left"));
        const ProgramResult right = convert(from + std::string(" r.csv --as openxr-csv --hand right"));
        const ProgramResult either = convert(from + std::string(" e.csv --as openxr-csv"));
        ASSERT_EQ(left.exit_code + right.exit_code + either.exit_code, 0) << left.error << right.error << either.error;
        EXPECT_NE(text("l.csv"), text("r.csv"));
        EXPECT_EQ(text("l.csv"), text("e.csv"));
        EXPECT_THAT(left.error + right.error, Not(HasSubstr("hand is written")));
        EXPECT_THAT(either.error,
                    HasSubstr("e.csv: the left hand is written, for the format holds one; the right hand"));
        // If a format holds both hands, the other hand is left out.
        for (const char* ending : {"csv", "jsonl", "glove", "bvh"}) {
            const std::string to = (std::string(from).starts_with("both") ? "again." : "one.") + std::string(ending);
            ASSERT_EQ(convert(from + (" " + to) + " --hand right").exit_code, 0);
            const std::string info = run_program("info " + to, folder.path).out;
            EXPECT_THAT(info, HasSubstr("  right  ")) << ending;
            EXPECT_THAT(info, Not(HasSubstr("  left   "))) << ending;
        }
    }
    // A file that does not say which hand it holds takes the option; one that says so is believed.
    ASSERT_EQ(convert("r.csv told.csv --hand left").exit_code, 0);
    EXPECT_THAT(run_program("info told.csv", folder.path).out, HasSubstr("  left   "));
    ASSERT_EQ(convert("flick flick.csv").exit_code, 0);
    for (const char* from : {"flick", "flick.csv"}) {
        const ProgramResult none = convert(from + std::string(" none.csv --hand left"));
        EXPECT_EQ(none.exit_code, 1);
        EXPECT_THAT(none.error, HasSubstr(std::string(from) + ": there is no left hand in it"));
        EXPECT_FALSE(std::filesystem::exists(folder.path / "none.csv"));
    }
}

TEST(CommandLine, ConvertSaysWhatAFormatCannotHold) {
    const TestFolder folder("losses");
    ASSERT_EQ(run_program("convert lift whole.csv", folder.path).exit_code, 0);
    std::istringstream lines(text_of_file(folder.path / "whole.csv"));
    std::ofstream gap(folder.path / "gap.csv");
    int row = 0;
    for (std::string line; std::getline(lines, line); ++row)
        if (row < 60 || row > 90) gap << line << "\n";
    gap.close();
    EXPECT_THAT(run_program("convert gap.csv gap.bvh", folder.path).error, HasSubstr("one step for all frames"));
    EXPECT_THAT(run_program("convert whole.csv whole.bvh", folder.path).error, Not(HasSubstr("one step")));
    const ProgramResult relative = run_program("convert whole.csv a.csv --as openxr-csv", folder.path);
    EXPECT_THAT(relative.error, HasSubstr("the motion of the wrist is left out"));
    EXPECT_EQ(std::count(relative.error.begin(), relative.error.end(), '\n'), 1) << relative.error;
}

TEST(CommandLine, AxesAndUnitsAreToldToWhatLooksAtFilesToo) {
    const TestFolder folder("axes");
    ASSERT_EQ(run_program("convert flick hand.csv", folder.path).exit_code, 0);
    ASSERT_EQ(run_program("convert hand.csv turned.csv --axes z-up", folder.path).exit_code, 0);
    EXPECT_EQ(run_program("diff hand.csv turned.csv", folder.path).exit_code, 3);
    EXPECT_THAT(run_program("doctor hand.csv --axes unity", folder.path).out, HasSubstr("WRONG SIDE"));
    for (const char* command :
         {"info hand.csv", "doctor hand.csv", "convert hand.csv t.csv", "replay hand.csv -q", "touches hand.csv"}) {
        const ProgramResult refused = run_program(command + std::string(" --unit mm"), folder.path);
        EXPECT_EQ(refused.exit_code, 1) << command;
        EXPECT_THAT(refused.error, HasSubstr("hand.csv: this format is in metres")) << command;
    }
    EXPECT_EQ(run_program("convert hand.csv monado.csv --as openxr-csv", folder.path).exit_code, 0);
    EXPECT_EQ(run_program("info monado.csv --unit cm", folder.path).exit_code, 0);
    EXPECT_EQ(run_program("info hand.csv --unit ell", folder.path).exit_code, 2);
    EXPECT_EQ(run_program("convert hand.csv t.csv --axes sideways", folder.path).exit_code, 2);
}

TEST(CommandLine, EachCommandHasItsOwnExamples) {
    const TestFolder folder("examples");
    for (const char* command : {"clips index", "clips find", "clips clash", "lab crowd", "lab rocks", "scenes",
                                "methods", "formats", "info", "convert"}) {
        const ProgramResult help = run_program(command + std::string(" --help"), folder.path);
        EXPECT_EQ(help.exit_code, 0);
        EXPECT_THAT(help.out, HasSubstr("  glovebox " + std::string(command))) << command;
        EXPECT_THAT(help.out, Not(HasSubstr("replay the bundled flick in a window"))) << command;
    }
}

TEST(CommandLine, WhatIsWrongWithAFileIsSaidInWholeSentences) {
    const TestFolder folder("sentences");
    std::ofstream(folder.path / "rand.bin", std::ios::binary)
        << std::string("\x7f\x00\xff\x01", 4) << std::string(99, '\x93');
    const auto error_of = [&](const char* arguments) { return run_program(arguments, folder.path).error; };
    EXPECT_THAT(error_of("replay flick --headless --scene rand.bin"),
                HasSubstr("rand.bin: neither text nor a mesh; a scene is one of `glovebox scenes`"));
    std::ofstream(folder.path / "box.glb", std::ios::binary) << std::string("glTF\x02\0\0\0\x20\0\0\0", 12);
    EXPECT_THAT(error_of("replay flick --headless --scene box.glb"),
                AllOf(HasSubstr("box.glb: "), Not(HasSubstr("a recording"))));
    EXPECT_THAT(error_of("replay flick --headless --profile rand.bin"), HasSubstr("nor a CyberGlove calibration ("));
    ASSERT_EQ(run_program("convert flick log.glove", folder.path).exit_code, 0);
    std::filesystem::resize_file(folder.path / "log.glove", 200'000);
    EXPECT_THAT(error_of("info log.glove"), HasSubstr("malformed): `glovebox recover` saves what can still be read"));
    ASSERT_EQ(run_program("convert flick all.csv", folder.path).exit_code, 0);
    std::istringstream all(text_of_file(folder.path / "all.csv"));
    std::ofstream one(folder.path / "one.csv");
    std::string line;
    for (int i = 0; i < 2 && std::getline(all, line); ++i) one << line << '\n';  // the header and one sample
    one.close();
    EXPECT_THAT(run_program("info one.csv", folder.path).out, HasSubstr("\n  one pose\n"));
}

TEST(CommandLine, ABenchWithoutSectionsSaysSo) {
    const TestFolder folder("sections");
    const ProgramResult hand = run_program("bench hand --list", folder.path);
    EXPECT_EQ(hand.exit_code, 0);
    EXPECT_EQ(hand.out, "hand has no sections: it is run as a whole\n");
    EXPECT_THAT(run_program("bench fitters --list", folder.path).out, Not(HasSubstr("traversal")));
}

TEST(CommandLine, ScreenshotsNeedNoDisplay) {
    const TestFolder folder("screenshot");
    const ProgramResult result = run_program("replay flick --headless --screenshot s.png", folder.path);
    ASSERT_EQ(result.exit_code, 0) << result.error;
    const std::string png = text_of_file(folder.path / "s.png");
    ASSERT_GT(png.size(), 20000U);
    EXPECT_EQ(png.substr(1, 3), "PNG");
    EXPECT_EQ(static_cast<unsigned char>(png[18]) * 256 + static_cast<unsigned char>(png[19]), 1280);

    // The picture is of the requested time: 3.1 s at 90 Hz.
    const ProgramResult later = run_program("replay flick --headless --at 3.1 --screenshot l.png", folder.path);
    ASSERT_EQ(later.exit_code, 0) << later.error;
    EXPECT_NE(later.out.find("picture of frame 27"), std::string::npos) << later.out;
    EXPECT_NE(text_of_file(folder.path / "l.png"), png);
    EXPECT_EQ(run_program("replay flick --headless --at -1 --screenshot l.png", folder.path).exit_code, 2);
}

// Every real recording that the first importers read, with a suitable scene.
class RealRecording : public ::testing::TestWithParam<const char*> {};

TEST_P(RealRecording, ReplaysAndPassesTheCheck) {
    const char* data = std::getenv("GLOVEBOX_REAL_DATA");
    if (data == nullptr) GTEST_SKIP() << "GLOVEBOX_REAL_DATA is not set: real recordings are not part of the project";
    const TestFolder folder("real_" +
                            std::string(::testing::UnitTest::GetInstance()->current_test_info()->name()).substr(25));
    const std::string arguments = std::string("replay '") + data + "/logs/" + GetParam();
    const ProgramResult result = run_program(arguments + " --headless --check --report r.json", folder.path);
    ASSERT_EQ(result.exit_code, 0) << result.error;
    const auto report = nlohmann::json::parse(text_of_file(folder.path / "r.json"));
    EXPECT_GT(report["counts"]["true"].get<int>(), 0) << "a replay that touches nothing checks nothing";
}

INSTANTIATE_TEST_SUITE_P(Formats, RealRecording,
                         ::testing::Values("openxr26_monado_fingers_train2.csv' --scene held-ball",
                                           "bvh_fingers_szyuan_motion.bvh' --scene held-ball",
                                           "manipnet_cup1_rightHand.bvh' --scene '" GLOVEBOX_SOURCE
                                           "/scenes/files/manipnet_cup.toml'",
                                           "hololens2_duke_203503978.csv'"));

TEST(RealRecordings, OfEveryFormatReplayAndPassTheCheck) {
    const char* data = std::getenv("GLOVEBOX_REAL_DATA");
    if (data == nullptr) GTEST_SKIP() << "GLOVEBOX_REAL_DATA is not set: real recordings are not part of the project";
    const TestFolder folder("real_every");
    int files = 0;
    std::int64_t touches = 0;
    for (const auto& entry : std::filesystem::directory_iterator(std::filesystem::path(data) / "logs")) {
        const std::string name = entry.path().filename().string();
        if (name == "manipnet_cup1_object.bvh" || entry.path().extension() == ".cal") continue;
        if (recordings::refusal_of(name) != nullptr) continue;
        SCOPED_TRACE(name);
        const ProgramResult result = run_program(
            "replay '" + entry.path().string() + "' --scene held-ball --headless --check --frames 40 --report r.json",
            folder.path);
        ASSERT_EQ(result.exit_code, 0) << result.error;
        ++files;
        touches += nlohmann::json::parse(text_of_file(folder.path / "r.json"))["counts"]["true"].get<std::int64_t>();
    }
    EXPECT_GE(files, 23);
    EXPECT_GT(touches, 100) << "replays that touch nothing check nothing";
}

}  // namespace
}  // namespace glovebox::vr
