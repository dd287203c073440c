// Scene files that exhaust the stack, never end, or refer to files elsewhere.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <string>

#include "scenes/scene_file.h"
#include "tests/hostile/meshes.h"
#include "tests/vr/run_program.h"

namespace glovebox::hostile {
namespace {

using testing::HasSubstr;

std::string refusal_of_scene(const std::filesystem::path& path) {
    try {
        scenes::read_scene_file(path);
    } catch (const std::runtime_error& error) {
        return error.what();
    }
    return {};
}

std::string repeated(const std::string& text, int times) {
    std::string all;
    for (int i = 0; i < times; ++i) all += text;
    return all;
}

TEST(HostileScenes, WithKeysOfVeryManyPartsAreRefused) {
    const vr::TestFolder folder("scene_keys");
    const auto refused = [&](const std::string& text) {
        return refusal_of_scene(written(folder.path / "s.toml", text));
    };
    const std::string long_key = "a" + repeated(".a", 40000), quoted_key = "\"a\"" + repeated(" . 'a'", 40000);
    for (const std::string& text : {long_key + " = 1\n", "[" + long_key + "]\n", "[[" + long_key + "]]\n",
                                    quoted_key + " = 1\n", "x = {" + long_key + " = 1}\n"})
        EXPECT_THAT(refused("name = 'x'\n" + text), HasSubstr("s.toml:2: the line has more than 1000 points"));
    EXPECT_THAT(refused("x = " + std::string(100000, '[')), HasSubstr("s.toml:1: "));
    EXPECT_THAT(refused("x = " + repeated("{a=", 100000)), HasSubstr("s.toml:1: "));
    // The deepest nesting allowed, of all kinds at once.
    const std::string part = "a" + repeated(".a", 990);
    EXPECT_NE(refused("[" + part + "]\n" + part + " = 1\n"), "");
    EXPECT_NE(refused("[[" + part + "]]\n[[" + part + ".b]]\n" + part + " = [" + repeated("{a=", 100) + "1" +
                      repeated("}", 100) + "]\n"),
              "");
}

TEST(HostileScenes, OfVeryManyObjectsAreRefused) {
    const vr::TestFolder folder("scene_objects");
    std::string text;
    for (int i = 0; i < 200000; ++i) text += "[[object]]\nname='o" + std::to_string(i) + "'\n";
    EXPECT_THAT(refusal_of_scene(written(folder.path / "s.toml", text)), HasSubstr("at most 4096 objects"));
    text.clear();
    for (int i = 0; i < 4096; ++i) text += "[[object]]\nname='o" + std::to_string(i) + "'\n";
    EXPECT_EQ(refusal_of_scene(written(folder.path / "s.toml", text)), "");
    EXPECT_THAT(refusal_of_scene(written(folder.path / "s.toml", repeated("# nothing but a comment\n", 800000))),
                HasSubstr("at most 16 MB"));
}

TEST(HostilePipes, AsMeshOrTrackOfASceneAreRefusedAtOnce) {
    const vr::TestFolder folder("scene_pipes");
    ASSERT_EQ(::mkfifo((folder.path / "pipe").c_str(), 0600), 0);
    EXPECT_THAT(
        refusal_of_scene(written(folder.path / "mesh.toml", "[[object]]\nname = 'a'\nshape = 'mesh'\nfile = 'pipe'\n")),
        HasSubstr("mesh.toml:4: "));
    EXPECT_THAT(refusal_of_scene(written(folder.path / "track.toml",
                                         "[[object]]\nname = 'a'\nmotion = 'recorded'\ntrack = 'pipe'\n")),
                HasSubstr("track.toml:4: "));
    EXPECT_THAT(refusal_of_scene(written(folder.path / "zero.toml",
                                         "[[object]]\nname = 'a'\nmotion = 'recorded'\ntrack = '/dev/zero'\n")),
                HasSubstr("not a regular file"));
}

// Names on the command line of files that came with others. Waiting for a pipe would end the test by its
// timeout, with exit code 124.
TEST(HostilePipes, InPlaceOfEveryOtherInputAreRefusedAtOnce) {
    const vr::TestFolder folder("pipes");
    ASSERT_EQ(vr::run_program("convert flick take.csv --as openxr-csv --hand right", folder.path).exit_code, 0);
    ASSERT_EQ(::mkfifo((folder.path / "pipe").c_str(), 0600), 0);
    ASSERT_EQ(::mkfifo((folder.path / "take.csv.touch").c_str(), 0600), 0);
    for (const char* command :
         {"replay flick --headless --scene pipe", "replay flick --headless --hand-mesh pipe",
          "replay take.csv --headless --profile pipe", "replay take.csv --headless --wrist pipe", "fit pipe -o tree",
          "replay flick --headless --hand-mesh /dev/zero", "replay take.csv --headless --profile /dev/zero"}) {
        const vr::ProgramResult ran = vr::run_program(command, folder.path, "timeout 20 ");
        EXPECT_EQ(ran.exit_code, 1) << command;
        EXPECT_THAT(ran.error, testing::ContainsRegex("pipe|/dev/zero")) << command;
        EXPECT_EQ(std::count(ran.error.begin(), ran.error.end(), '\n'), 1) << ran.error;
    }
    // An index is computed again, but the pipe at its path stays.
    const vr::ProgramResult found = vr::run_program("clips find take.csv --near ball", folder.path, "timeout 20 ");
    EXPECT_EQ(found.exit_code, 0) << found.error;
    EXPECT_TRUE(std::filesystem::is_fifo(folder.path / "take.csv.touch"));
}

}  // namespace
}  // namespace glovebox::hostile
