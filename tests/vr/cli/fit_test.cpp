// `glovebox fit` as a user runs it: its outputs, and its errors for files that are not meshes.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <future>
#include <nlohmann/json.hpp>
#include <numbers>
#include <sstream>
#include <vector>

#include "tests/vr/run_program.h"

namespace glovebox::vr {
namespace {

std::string bytes_of(std::uint32_t value) {
    std::string bytes(4, '\0');
    std::memcpy(bytes.data(), &value, 4);
    return bytes;
}

constexpr const char* kTetrahedron = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 1 4 3\n";

std::string binary_stl(std::uint32_t promised, std::size_t there) {
    return std::string(80, ' ') + bytes_of(promised) + std::string(50 * there, '\1');
}

const std::string kPlyHeader =
    "format binary_little_endian 1.0\nelement vertex %\nproperty float x\nproperty float y\nproperty float z\n"
    "element face 1\nproperty list uchar int vertex_indices\nend_header\n";

std::string ply(const std::string& vertices, const std::string& rest) {
    std::string text = "ply\n" + kPlyHeader;
    text.replace(text.find('%'), 1, vertices);
    return text + rest;
}

TEST(FitCommand, RefusesFilesCutShortOrLyingAboutTheirCounts) {
    const TestFolder folder("fit_bad");
    struct Case {
        const char* name;
        std::string bytes;
    };
    const std::string triangle = std::string(36, '\0') + "\3" + bytes_of(0) + bytes_of(1) + bytes_of(2);
    const std::array cases = {
        Case{"empty.obj", ""},
        Case{"empty.stl", ""},
        Case{"empty.ply", ""},
        Case{"empty.glb", ""},
        Case{"no-faces.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\n"},
        Case{"index-beyond.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 9\n"},
        Case{"index-huge.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 99999999999\n"},
        Case{"not-a-number.obj", "v 0 0 0\nv nan 0 0\nv 0 1 0\nf 1 2 3\n"},
        Case{"too-large.obj", "v 0 0 0\nv 1e39 0 0\nv 0 1 0\nf 1 2 3\n"},
        Case{"promises-two-thousand-million.stl", binary_stl(0x7fffffffU, 1)},
        Case{"promises-all.stl", binary_stl(0xffffffffU, 1)},
        Case{"cut-in-a-triangle.stl", binary_stl(4, 3).substr(0, 84 + 120)},
        Case{"promises-two.stl", binary_stl(2, 1)},
        Case{"header-only.stl", std::string(80, ' ')},
        Case{"cut-header.ply", "ply\nformat ascii 1.0\nelement vertex 3\nproperty float x\n"},
        Case{"promises-much.ply", ply("900000000", triangle)},
        Case{"promises-below-zero.ply", ply("-3", triangle)},
        Case{"cut-in-vertices.ply", ply("3", std::string(20, '\0'))},
        Case{"cut-in-a-face.ply", ply("3", triangle.substr(0, 41))},
        Case{"face-beyond.ply", ply("3", std::string(36, '\0') + "\3" + bytes_of(0) + bytes_of(1) + bytes_of(77))},
        Case{"cut.glb", std::string("glTF\2\0\0\0", 8)},
        Case{"lying.glb", "glTF" + bytes_of(2) + bytes_of(0xffffff00U) + bytes_of(0xfffffff0U) + "JSON{}"},
        Case{"cut.gltf", "{\"asset\":{\"version\":\"2.0\"},\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSI"},
        Case{"junk.obj", std::string("\0\1\2\377\376junk\0\0", 12)},
    };
    for (const Case& each : cases) {
        std::ofstream(folder.path / each.name, std::ios::binary) << each.bytes;
        const ProgramResult result = run_program("fit " + std::string(each.name) + " -o tree", folder.path);
        EXPECT_EQ(result.exit_code, 1) << each.name << ": " << result.out;
        EXPECT_THAT(result.error, testing::HasSubstr(each.name));
        EXPECT_EQ(std::count(result.error.begin(), result.error.end(), '\n'), 1) << result.error;
        EXPECT_FALSE(std::filesystem::exists(folder.path / "tree")) << each.name;
    }
}

TEST(FitCommand, StoresTheSameTreeForEveryNumberOfThreadsAndReportsItsMeasures) {
    const TestFolder folder("fit_good");
    std::ofstream(folder.path / "corner.obj") << kTetrahedron;
    for (const char* threads : {"1", "2"}) {
        const ProgramResult result =
            run_program("fit corner.obj -o tree" + std::string(threads) +
                            " --leaf 1 --fitter genetic --seed 7 --report report.json --threads " + threads,
                        folder.path);
        ASSERT_EQ(result.exit_code, 0) << result.error;
    }
    EXPECT_EQ(text_of_file(folder.path / "tree1"), text_of_file(folder.path / "tree2"));
    const auto report = nlohmann::json::parse(text_of_file(folder.path / "report.json"));
    EXPECT_EQ(report["triangles"], 4);
    EXPECT_EQ(report["leaves"], 4);
    EXPECT_EQ(report["nodes"], 7);
    EXPECT_EQ(run_program("fit corner.obj -o no/such/folder/tree", folder.path).exit_code, 1);
    for (const char* wrong : {"--fitter none", "--splitter none", "--leaf 0", "--seed -3", "--threads -1", "--unit nan",
                              "--unit -1", "--unit 0", "--unit inf", "--unit auto", "--unit 1cm"})
        EXPECT_EQ(run_program("fit corner.obj -o tree " + std::string(wrong), folder.path).exit_code, 2) << wrong;
    EXPECT_FALSE(std::filesystem::exists(folder.path / "tree"));
}

// Makes a closed torus with a wave around it: many triangles, and no two boxes alike.
std::string wavy_torus_obj(int around, int across) {
    std::ostringstream text;
    const auto turn = [](int i, int n) { return 2.0 * std::numbers::pi * i / n; };
    for (int i = 0; i < around; ++i)
        for (int j = 0; j < across; ++j) {
            const double a = turn(i, around), b = turn(j, across), r = 0.3 * (1.0 + 0.3 * std::sin(7.0 * a));
            text << "v " << (1.0 + r * std::cos(b)) * std::cos(a) << ' ' << r * std::sin(b) << ' '
                 << (1.0 + r * std::cos(b)) * std::sin(a) << '\n';
        }
    const auto number = [&](int i, int j) { return i % around * across + j % across + 1; };
    for (int i = 0; i < around; ++i)
        for (int j = 0; j < across; ++j)
            text << "f " << number(i, j) << ' ' << number(i + 1, j) << ' ' << number(i, j + 1) << "\nf "
                 << number(i + 1, j) << ' ' << number(i + 1, j + 1) << ' ' << number(i, j + 1) << '\n';
    return text.str();
}

TEST(FitCommand, EveryFitterWithEverySplitterStoresATreeThatNoThreadChanges) {
    const TestFolder folder("fit_rows");
    std::ofstream(folder.path / "torus.obj") << wavy_torus_obj(8, 5);
    std::istringstream list(run_program("fit --list", folder.path).out);
    std::vector<std::string> fitters, splitters;
    std::vector<std::string>* rows = nullptr;
    for (std::string line; std::getline(list, line);) {
        std::string name;
        std::istringstream(line) >> name;
        if (line == "fitters") rows = &fitters;
        if (line == "splitters") rows = &splitters;
        if (line.starts_with("  ")) rows->push_back(name);
    }
    ASSERT_EQ(fitters.size(), 11U);
    ASSERT_EQ(splitters.size(), 3U);
    for (const std::string& fitter : fitters)
        for (const std::string& splitter : splitters) {
            const std::string rest = " --leaf 8 --report report.json --fitter " + fitter + " --splitter " + splitter;
            for (const char* threads : {"1", "2"}) {
                const ProgramResult result = run_program(
                    "fit torus.obj -o tree" + std::string(threads) + " --threads " + threads + rest, folder.path);
                ASSERT_EQ(result.exit_code, 0) << rest << result.error;
            }
            EXPECT_EQ(text_of_file(folder.path / "tree1"), text_of_file(folder.path / "tree2")) << rest;
            const auto report = nlohmann::json::parse(text_of_file(folder.path / "report.json"));
            EXPECT_EQ(report["fitter"], fitter);
            EXPECT_EQ(report["splitter"], splitter);
            EXPECT_LE(report["triangles_per_leaf"].get<double>(), 8.0) << rest;
            EXPECT_GE(report["leaves"].get<int>(), 80 / 8) << rest;
        }
}

// Returns the program's output if its streams are a terminal, which `script` creates.
std::string on_a_terminal(const std::string& arguments, const std::filesystem::path& folder) {
    const std::string command = "cd '" + folder.string() + "' && script -qec '" GLOVEBOX_PROGRAM " " + arguments +
                                "' typescript </dev/null >/dev/null 2>&1";
    EXPECT_EQ(std::system(command.c_str()), 0) << arguments;
    return text_of_file(folder / "typescript");
}

TEST(FitCommand, AndBenchesShowTheirProgressOnATerminalOnly) {
    if (std::system("command -v script >/dev/null 2>&1") != 0) GTEST_SKIP() << "no `script` here to make a terminal";
    const TestFolder folder("fit_progress");
    std::ofstream(folder.path / "torus.obj") << wavy_torus_obj(40, 20);
    const std::string fit = "fit torus.obj -o tree --fitter hull-descent", bench = "bench fitters --only files --quick";
    EXPECT_THAT(on_a_terminal(fit, folder.path), testing::HasSubstr("building 100 %"));
    EXPECT_THAT(on_a_terminal(bench, folder.path), testing::HasSubstr("files: a tree stored"));
    EXPECT_EQ(run_program(fit, folder.path).error, "");
    EXPECT_EQ(run_program(bench, folder.path).error, "");
}

TEST(TreeCacheOfScenes, TwoProgramsFillAnEmptyOneAtOnceAndADamagedFileIsBuiltAgain) {
    const TestFolder folder("scene_cache");
    std::ofstream(folder.path / "torus.obj") << wavy_torus_obj(60, 30);
    std::ofstream(folder.path / "torus.toml") << "name = \"torus\"\nsummary = \"a ring round the hand\"\n[[object]]\n"
                                                 "name = \"ring\"\nshape = \"mesh\"\nfile = \"torus.obj\"\n"
                                                 "unit_m = 0.1\nposition_m = [0.0, 0.05, 0.0]\n";
    const std::filesystem::path cache = folder.path / "cache";
    ::setenv("XDG_CACHE_HOME", cache.c_str(), 1);  // inherited by the programs; each test is a process of its own
    const std::string arguments = "replay flick --scene '" + (folder.path / "torus.toml").string() +
                                  "' --headless --rate max --frames 200 --report report.json";
    const auto replay = [&](const char* name) {
        const std::filesystem::path own = folder.path / name;
        std::filesystem::create_directories(own);
        const ProgramResult result = run_program(arguments, own);
        EXPECT_EQ(result.exit_code, 0) << result.error;
        return nlohmann::json::parse(text_of_file(own / "report.json"));
    };
    auto other = std::async(std::launch::async, [&] { return replay("second"); });
    const auto first = replay("first"), second = other.get();
    EXPECT_GT(first["counts"]["true"].get<int>(), 0);
    EXPECT_EQ(first["state_hash"], second["state_hash"]);

    std::vector<std::filesystem::path> kept;
    for (const auto& entry : std::filesystem::directory_iterator(cache / "glovebox" / "trees"))
        kept.push_back(entry.path());
    ASSERT_EQ(kept.size(), 1U) << "one tree, and nothing half-written";
    const std::string whole = text_of_file(kept[0]);
    std::string damaged = whole;
    damaged[damaged.size() / 2] = static_cast<char>(damaged[damaged.size() / 2] ^ 4);
    for (const std::string& bytes : {damaged, whole.substr(0, whole.size() / 2), std::string("not a tree")}) {
        std::ofstream(kept[0], std::ios::binary) << bytes;
        EXPECT_EQ(replay("third")["state_hash"], first["state_hash"]);
        EXPECT_EQ(text_of_file(kept[0]), whole) << "the tree is kept again, as it was";
    }
}

TEST(BenchCommand, TellsHowToBuildTheBenchesWhereTheyAreMissing) {
    const TestFolder folder("bench_alone");
    std::filesystem::copy_file(GLOVEBOX_PROGRAM, folder.path / "glovebox");
    const ProgramResult alone = run_program("", folder.path, "sh -c './glovebox bench replay --quick' ");
    EXPECT_EQ(alone.exit_code, 1);
    EXPECT_THAT(alone.error, testing::HasSubstr("glovebox-bench, which is not beside this program; `./run.sh bench`"));
    EXPECT_EQ(run_program("", folder.path, "sh -c './glovebox bench nothing' ").exit_code, 2);
}

TEST(BenchCommand, RunsOneSectionAloneAndNamesThemAll) {
    const TestFolder folder("bench_sections");
    EXPECT_THAT(run_program("bench fitters --list", folder.path).out, testing::HasSubstr("deformation"));
    const ProgramResult result = run_program("bench fitters --only files --quick --report report.json", folder.path);
    ASSERT_EQ(result.exit_code, 0) << result.error;
    const auto report = nlohmann::json::parse(text_of_file(folder.path / "report.json"));
    for (const auto& row : report["rows"]) EXPECT_TRUE(row.contains("tree file"));
    EXPECT_EQ(report["rows"].size(), 11U);
    const ProgramResult wrong = run_program("bench fitters --only nothing", folder.path);
    EXPECT_EQ(wrong.exit_code, 2);
    EXPECT_THAT(wrong.error, testing::HasSubstr("deformation"));
    EXPECT_EQ(run_program("bench replay --only files", folder.path).exit_code, 2);
}

TEST(BenchCommand, EverySectionOfFittersTakesTheMeshThatIsNamed) {
    const TestFolder folder("bench_mesh");
    std::ofstream(folder.path / "ring.obj") << wavy_torus_obj(12, 8);
    for (const auto& [section, column] : {std::pair{"tables", "model"},
                                          {"fitness", "fitness of the root"},
                                          {"threads", "genetic build"},
                                          {"deformation", "bent"}}) {
        const ProgramResult result =
            run_program(std::string("bench fitters ring.obj --quick --report r.json --only ") + section, folder.path);
        ASSERT_EQ(result.exit_code, 0) << result.error;
        const auto rows = nlohmann::json::parse(text_of_file(folder.path / "r.json"))["rows"];
        const auto is_of_ring = [column = column](const nlohmann::json& row) {
            return row.value(column, "") == "ring";
        };
        EXPECT_TRUE(std::ranges::any_of(rows, is_of_ring)) << section << ": " << rows;
    }
    const ProgramResult result =
        run_program("bench fitters ring.obj --quick --report r.json --only files", folder.path);
    ASSERT_EQ(result.exit_code, 0) << result.error;
    EXPECT_EQ(nlohmann::json::parse(text_of_file(folder.path / "r.json"))["rows"][0]["triangles"], 192);
}

TEST(BenchCommand, PrintsThePublishedTablesBesideOurs) {
    const TestFolder folder("bench_published");
    ASSERT_EQ(run_program("bench fitters --quick --only tables --report r.json", folder.path).exit_code, 0);
    const auto report = nlohmann::json::parse(text_of_file(folder.path / "r.json"));
    int tables = 0;
    for (const auto& row : report["rows"]) {
        if (!row.contains("published table")) continue;
        ++tables;
        EXPECT_EQ(row["model"], "icosahedron");
        EXPECT_NEAR(row["published_ratio"].get<double>(), tables == 1 ? 0.581234 / 0.420012357 : 0.196426 / 3.204,
                    1e-12);
        EXPECT_NEAR(row["ratio"].get<double>(), row["covariance"].get<double>() / row["genetic"].get<double>(), 1e-9);
    }
    EXPECT_EQ(tables, 2);
    EXPECT_EQ(report["claims"].size(), 10U) << "seven, of which three with and without border triangles in both halves";
}

TEST(BenchCommand, DrawsFiguresWhoseNumbersHaveOneFieldAColumn) {
    const TestFolder folder("bench_csv");
    ASSERT_EQ(run_program("bench obbtree --quick --only race --figures figures", folder.path).exit_code, 0);
    std::istringstream csv(text_of_file(folder.path / "figures" / "obbtree-race.csv"));
    int lines = 0;
    for (std::string line; std::getline(csv, line); ++lines) {
        const std::size_t name_ends = line.starts_with('"') ? line.rfind('"') : 0;  // a name may contain commas
        EXPECT_EQ(std::ranges::count(line.substr(name_ends), ','), 1) << line;
    }
    EXPECT_EQ(lines, 8);
}

}  // namespace
}  // namespace glovebox::vr
