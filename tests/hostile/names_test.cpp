// Names that are commands, escape sequences, markup or formulas, through every output that contains names.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <fstream>
#include <string>
#include <vector>

#include "tests/vr/run_program.h"
#include "tracking/quoted.h"
#include "vr/bench/plot.h"
#include "vr/export/figure.h"

namespace glovebox::vr {
namespace {

namespace fs = std::filesystem;
using tracking::shell_word;

// Valid file names. Each that is a command would create a file PWNED where the program runs.
const std::vector<std::string> kNames = {"`touch PWNED`",
                                         "a'; touch PWNED; '",
                                         "a\"\n!touch PWNED\n\"",
                                         "a\" . system(\"touch PWNED\") . \"",
                                         "a'\n!touch PWNED\n'",
                                         "$(touch PWNED)",
                                         "\x1b]0;owned\x07\x1b[31m\x1b[2J",
                                         "\xC2\x9B"
                                         "31mred\xE2\x80\xAE",
                                         "=cmd|' C'!A0",
                                         "@SUM(1)",
                                         "<script>alert(1)<&",
                                         "\xff\xfe{}^_%s%n"};

bool is_harmless(const std::string& text) {
    std::string without_tabs = text;  // gnuplot indents with them
    std::erase(without_tabs, '\t');
    return tracking::printable_lines(without_tabs) == without_tabs;
}

// Expects no text cell that a spreadsheet would evaluate, and no line or cell too many.
void expect_text_cells(const fs::path& csv) {
    const std::string text = text_of_file(csv);
    ASSERT_FALSE(text.empty()) << csv;
    EXPECT_TRUE(is_harmless(text)) << csv;
    bool at_start = true, quoted = false;
    std::string cell;
    for (const char c : text + "\n") {
        if (c == '"') quoted = !quoted;
        if (quoted || (c != ',' && c != '\n')) {
            if (c != '"' || !at_start) cell += c;
            at_start = false;
            continue;
        }
        if (!cell.empty() && std::string_view("=+-@").find(cell[0]) != std::string_view::npos) {
            std::size_t end = 0;
            EXPECT_NO_THROW(std::stod(cell, &end)) << csv << ": " << cell;
        }
        cell.clear();
        at_start = true;
    }
    EXPECT_FALSE(quoted) << csv;
}

void expect_plain_svg(const fs::path& svg) {
    const std::string text = text_of_file(svg);
    EXPECT_THAT(text, testing::HasSubstr("</svg>")) << svg;
    EXPECT_TRUE(is_harmless(text)) << svg;
    EXPECT_THAT(text, testing::Not(testing::HasSubstr("<script"))) << svg;
    EXPECT_THAT(text, testing::Not(testing::HasSubstr("<&"))) << svg;
}

void expect_nothing_run(const fs::path& folder, const std::string& name) {
    for (const auto& entry : fs::recursive_directory_iterator(folder))
        EXPECT_NE(entry.path().filename(), "PWNED") << tracking::printable(name);
}

// gnuplot runs in the test's current folder.
struct InFolder {
    explicit InFolder(const fs::path& folder) { fs::current_path(folder); }
    ~InFolder() { fs::current_path(before); }
    const fs::path before = fs::current_path();
};

TEST(HostileNames, InPlotsOfGnuplotAreTitles) {
    if (std::system("command -v gnuplot >/dev/null 2>&1") != 0) GTEST_SKIP() << "gnuplot is not installed";
    const TestFolder folder("hostile_plots");
    const InFolder inside(folder.path);
    for (const std::string& name : kNames) {
        const fs::path into = folder.path / name;
        fs::create_directories(into);
        for (const auto style : {Plot::Style::lines, Plot::Style::labels, Plot::Style::rows}) {
            Plot plot = style == Plot::Style::rows ? rows_of("plot", name, name, {name, "other"})
                                                   : plot_of("plot", name, name, name);
            plot.style = style;
            add_point(plot, name, 0.0, 0.0);
            add_point(plot, name, 1.0, 1.0);
            EXPECT_THAT(draw(plot, into), testing::HasSubstr("drawn")) << tracking::printable(name);
            expect_plain_svg(into / "plot.svg");
            expect_text_cells(into / "plot.csv");
            // The name is shown as far as it is printable.
            EXPECT_TRUE(name != "@SUM(1)" || text_of_file(into / "plot.svg").find(name) != std::string::npos);
        }
        expect_nothing_run(folder.path, name);
    }
}

TEST(HostileNames, InDrawingsAreText) {
    const TestFolder folder("hostile_drawings");
    for (const std::string& name : kNames) {
        const Plot bars = bars_of("bars", name, name, {name, "other"}, {{name, {1.0, 2.0}}, {"b", {1.0, 2.0}}});
        EXPECT_THAT(draw(bars, folder.path), testing::HasSubstr("drawn")) << tracking::printable(name);
        expect_plain_svg(folder.path / "bars.svg");
        expect_text_cells(folder.path / "bars.csv");
    }
}

TEST(HostileNames, OfMeshesAndFoldersRunNothingInABench) {
    const TestFolder folder("hostile_bench");
    for (const std::string& name : kNames) {
        const fs::path beside = folder.path / "meshes" / name, into = folder.path / name;
        fs::create_directories(beside);
        std::ofstream(beside / (name + ".obj"))
            << "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 1 4 3\n";
        const std::string mesh = shell_word((beside / (name + ".obj")).string()), figures = shell_word(into.string());
        for (const char* section : {"fitness", "threads"}) {
            const ProgramResult result =
                run_program("bench fitters " + mesh + " --only " + section + " --figures " + figures, folder.path);
            EXPECT_EQ(result.exit_code, 0) << result.error;
            EXPECT_TRUE(is_harmless(result.out + result.error)) << tracking::printable(name);
        }
        expect_nothing_run(folder.path, name);
        for (const auto& entry : fs::directory_iterator(into)) {
            if (entry.path().extension() == ".svg") expect_plain_svg(entry.path());
            if (entry.path().extension() == ".csv") expect_text_cells(entry.path());
        }
    }
}

TEST(HostileNames, OfRecordingsAndScenesAreShownHarmlessly) {
    const TestFolder folder("hostile_recordings");
    ASSERT_EQ(run_program("convert flick plain.csv", folder.path).exit_code, 0);
    for (const std::string& name : kNames) {
        const std::string recording = "R" + name + ".csv", mesh = "M" + name + ".obj";
        fs::copy_file(folder.path / "plain.csv", folder.path / recording, fs::copy_options::overwrite_existing);
        std::ofstream(folder.path / mesh) << "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 1 4 3\n";
        const std::string log = shell_word(recording);
        const std::array commands = {
            "info " + log,
            "doctor " + log,
            "convert " + log + " out.bvh",
            "diff " + log + " plain.csv",
            "replay " + log +
                " --headless --frames 20 --contacts contacts.csv --deadlines ledger.svg --haptics null "
                "--scene " +
                shell_word(mesh),
            "replay " + shell_word("N" + name) + " --headless",
            "info " + shell_word(mesh),
            "replay plain.csv --headless --scene " + log};
        for (const std::string& command : commands) {
            const ProgramResult result = run_program(command, folder.path);
            EXPECT_TRUE(is_harmless(result.out + result.error)) << command << '\n'
                                                                << tracking::printable(result.out + result.error);
        }
        expect_text_cells(folder.path / "contacts.csv");
        expect_plain_svg(folder.path / "ledger.svg");
        expect_nothing_run(folder.path, name);
    }
}

// Names of objects from untrusted scenes, and contents of TOML files that errors quote.
TEST(HostileNames, InScenesAreTextInEveryTable) {
    const TestFolder folder("hostile_objects");
    for (const std::string name :
         {"=cmd|' C'!A0", "-2+3", "<script>", "a, \\\"b\\\"", "\\u009b31m\\u202e", "`touch PWNED`"}) {
        std::ofstream(folder.path / "scene.toml")
            << "name = \"" << name << "\"\n[[object]]\nname = \"" << name << "\"\nshape = \"ball\"\nradius_m = 0.05\n"
            << "position_m = [0.0, 0.06, 0.0]\n";
        const ProgramResult result = run_program(
            "replay flick --headless --scene scene.toml --contacts contacts.csv --report r.json", folder.path);
        EXPECT_EQ(result.exit_code, 0) << result.error;
        EXPECT_TRUE(is_harmless(result.out + result.error)) << tracking::printable(result.out);
        expect_text_cells(folder.path / "contacts.csv");
        EXPECT_GT(fs::file_size(folder.path / "contacts.csv"), 500U);
        const ProgramResult label = run_program("label flick --scene scene.toml -o labels.csv", folder.path);
        EXPECT_EQ(label.exit_code, 0) << label.error;
        expect_text_cells(folder.path / "labels.csv");
        fs::remove(folder.path / "labels.csv");
        fs::remove_all(folder.path / "labels.csv.parts");
        expect_nothing_run(folder.path, name);
    }
    for (const std::string text : {"\"\\u001b[31m\" = 1\n", "[[object]]\nname = \"a\\u001b[31m\"\n",
                                   "[[object]]\nname = \"a\"\nshape = \"\\u001b[31m\"\n",
                                   "[[object]]\nname = \"a\"\nshape = \"mesh\"\nfile = \"\\u001b[31m\\nb\"\n"}) {
        std::ofstream(folder.path / "scene.toml") << text;
        const ProgramResult result = run_program("replay flick --headless --scene scene.toml", folder.path);
        EXPECT_EQ(result.exit_code, 1) << text;
        EXPECT_TRUE(is_harmless(result.error)) << text;
        EXPECT_EQ(std::count(result.error.begin(), result.error.end(), '\n'), 1) << result.error;
    }
}

}  // namespace
}  // namespace glovebox::vr
