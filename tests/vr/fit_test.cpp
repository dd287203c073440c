// `glovebox fit` as a user runs it: what it writes, and what it says to files that are no meshes.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <cstring>
#include <nlohmann/json.hpp>

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
    EXPECT_EQ(run_program("fit corner.obj -o tree --fitter none", folder.path).exit_code, 2);
}

TEST(BenchCommand, RunsOneSectionAloneAndNamesThemAll) {
    const TestFolder folder("bench_sections");
    EXPECT_THAT(run_program("bench fitters --list", folder.path).out, testing::HasSubstr("deformation"));
    const ProgramResult result = run_program("bench fitters --only files --quick --report report.json", folder.path);
    ASSERT_EQ(result.exit_code, 0) << result.error;
    const auto report = nlohmann::json::parse(text_of_file(folder.path / "report.json"));
    for (const auto& row : report["rows"]) EXPECT_TRUE(row.contains("tree file"));
    EXPECT_EQ(report["rows"].size(), 6U);
    const ProgramResult wrong = run_program("bench fitters --only nothing", folder.path);
    EXPECT_EQ(wrong.exit_code, 2);
    EXPECT_THAT(wrong.error, testing::HasSubstr("layouts"));
    EXPECT_EQ(run_program("bench replay --only files", folder.path).exit_code, 2);
}

}  // namespace
}  // namespace glovebox::vr
