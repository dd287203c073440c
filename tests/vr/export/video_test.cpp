// `glovebox video`: reproducible pictures, at the recording's own time, and cameras between keyframes.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <stb/stb_image.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <span>

#include "recordings/load.h"
#include "tests/vr/run_program.h"
#include "vr/export/camera_path.h"
#include "vr/platform/tool.h"
#include "vr/ui/start_pictures.h"

namespace glovebox::vr {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

bool draws(const std::filesystem::path& folder) {
    return run_program("replay flick -q --headless --frames 3 --screenshot probe.png", folder).exit_code == 0;
}

std::size_t pictures_in(const std::filesystem::path& folder) {
    return static_cast<std::size_t>(std::distance(std::filesystem::directory_iterator(folder), {}));
}

// Decodes RGB pixels; empty if the file cannot be read.
std::vector<unsigned char> pixels_of(std::span<const unsigned char> file, int& width, int& height) {
    int channels = 0;
    unsigned char* rgb =
        stbi_load_from_memory(file.data(), static_cast<int>(file.size()), &width, &height, &channels, 3);
    if (rgb == nullptr) return {};
    std::vector<unsigned char> pixels(rgb, rgb + std::ptrdiff_t{3} * width * height);
    stbi_image_free(rgb);
    return pixels;
}

TEST(Video, PicturesAreTheSameEveryTimeAndFollowTheRecordingsTime) {
    const TestFolder folder("video_pictures");
    if (!draws(folder.path)) GTEST_SKIP() << "no OpenGL 3.3 here: no pictures";
    for (const char* name : {"a", "b"}) {
        const ProgramResult made =
            run_program(std::string("video flick --size 320x240 --from 3.4 --to 3.6 --fps 10 -o ") + name, folder.path);
        ASSERT_EQ(made.exit_code, 0) << made.error;
    }
    ASSERT_EQ(pictures_in(folder.path / "a"), 3U) << "3.4, 3.5 and 3.6 s";
    std::vector<std::string> bytes;
    for (int i = 1; i <= 3; ++i) {
        const std::string name = "00000" + std::to_string(i) + ".png";
        bytes.push_back(text_of_file(folder.path / "a" / name));
        EXPECT_THAT(bytes.back(), StartsWith("\x89PNG"));
        EXPECT_EQ(bytes.back(), text_of_file(folder.path / "b" / name)) << name;
    }
    EXPECT_NE(bytes[0], bytes[1]) << "the hand moves";
    EXPECT_EQ(run_program("video flick -o a", folder.path).exit_code, 1) << "a folder with files in it is kept";
}

TEST(Video, ACropIsThatPartOfTheWholePicture) {
    const TestFolder folder("video_crop");
    if (!draws(folder.path)) GTEST_SKIP() << "no OpenGL 3.3 here: no pictures";
    const std::string clip = "video grasp --size 320x240 --from 3.9 --to 3.9 --no-captions ";
    ASSERT_EQ(run_program(clip + "-o whole", folder.path).exit_code, 0);
    ASSERT_EQ(run_program(clip + "--crop 128x96+100+60 -o part", folder.path).exit_code, 0);
    const auto read = [&](const char* name, int& width, int& height) {
        const std::string png = text_of_file(folder.path / name / "000001.png");
        return pixels_of({reinterpret_cast<const unsigned char*>(png.data()), png.size()}, width, height);
    };
    int width = 0, height = 0;
    const auto whole = read("whole", width, height);
    ASSERT_EQ(width, 320);
    const auto part = read("part", width, height);
    ASSERT_EQ(width, 128);
    ASSERT_EQ(height, 96);
    std::set<int> values;
    for (int y = 0; y < 96; ++y)
        for (int i = 0; i < 3 * 128; ++i) {
            const auto at = static_cast<std::size_t>(3 * 128 * y + i);
            ASSERT_EQ(part[at], whole[static_cast<std::size_t>(3 * (320 * (y + 60) + 100) + i)]) << i / 3 << ", " << y;
            values.insert(part[at]);
        }
    EXPECT_GT(values.size(), 50U) << "there is something in it";
    // The captions are in the part that is kept.
    const std::string words = "video grasp --size 640x480 --from 3.9 --to 3.9 --crop 320x240+160+100 ";
    ASSERT_EQ(run_program(words + "-o said", folder.path).exit_code, 0);
    ASSERT_EQ(run_program(words + "--no-captions -o silent", folder.path).exit_code, 0);
    EXPECT_NE(text_of_file(folder.path / "said" / "000001.png"), text_of_file(folder.path / "silent" / "000001.png"));
    for (const char* crop : {"128x96", "128x96+200+0", "127x96+0+0", "128x96+0+0x"})
        EXPECT_EQ(run_program(clip + "-o none --crop " + crop, folder.path).exit_code, 2) << crop;
}

TEST(Video, IsEncodedByFfmpegWhereItIsInstalled) {
    const TestFolder folder("video_files");
    if (!draws(folder.path)) GTEST_SKIP() << "no OpenGL 3.3 here: no pictures";
    const std::string clip = "video grasp --size 160x120 --from 3.3 --to 3.5 --fps 10 ";
    if (!has_tool("ffmpeg")) {
        const ProgramResult made = run_program(clip + "-o a.mp4", folder.path);
        EXPECT_EQ(made.exit_code, 0);
        EXPECT_THAT(made.out, HasSubstr("ffmpeg -framerate 10 -i"));
        EXPECT_EQ(pictures_in(folder.path / "a.mp4.frames"), 3U);
        GTEST_SKIP() << "ffmpeg is not installed: pictures in its place";
    }
    for (const auto& [name, head] :
         {std::pair("a.mp4", "ftyp"), std::pair("a.gif", "GIF89a"), std::pair("a.webm", "webm")}) {
        const ProgramResult made = run_program(clip + "-o " + name, folder.path);
        ASSERT_EQ(made.exit_code, 0) << made.error;
        EXPECT_THAT(text_of_file(folder.path / name).substr(0, 64), HasSubstr(head)) << name;
        const std::string first = text_of_file(folder.path / name);
        EXPECT_EQ(run_program(clip + "-o " + name, folder.path).exit_code, 1) << "what is there is kept";
        EXPECT_EQ(text_of_file(folder.path / name), first);
        EXPECT_EQ(run_program(clip + "--force -o " + name, folder.path).exit_code, 0);
    }
    // Without ffmpeg the pictures are written, and the command is printed.
    std::filesystem::create_directories(folder.path / "bin");
    const std::string bare = "replay flick -q --headless --frames 3";
    EXPECT_EQ(run_program(bare, folder.path).exit_code, 0);
}

TEST(StartPage, HasAPictureOfEachRecordingAsTheProgramDrawsIt) {
    ASSERT_EQ(kStartPictures.size(), recordings::sample_table().size());
    std::vector<unsigned char> lift;
    for (const recordings::SampleRow& row : recordings::sample_table()) {
        const auto found = std::ranges::find(kStartPictures, row.name, &StartPicture::recording);
        ASSERT_NE(found, kStartPictures.end()) << row.name;
        int width = 0, height = 0;
        const std::vector<unsigned char> pixels = pixels_of(found->jpeg, width, height);
        EXPECT_EQ(width, 256) << row.name;
        EXPECT_EQ(height, 144) << row.name;
        if (row.name == "lift") lift = pixels;
    }
    const TestFolder folder("start_page");
    if (!draws(folder.path)) GTEST_SKIP() << "no OpenGL 3.3 here: the picture is not drawn again";
    // Same options as in docs/pictures/draw.sh. Another time, or another look of the hand, would differ by far more.
    const auto difference = [&](const std::string& at_s) {
        const ProgramResult made =
            run_program("video lift --from " + at_s + " --to " + at_s +
                            " --camera follow --size 256x144 --no-captions -o at" + at_s.substr(0, 1),
                        folder.path);
        EXPECT_EQ(made.exit_code, 0) << made.error;
        const std::string png = text_of_file(folder.path / ("at" + at_s.substr(0, 1)) / "000001.png");
        int width = 0, height = 0;
        const auto now = pixels_of({reinterpret_cast<const unsigned char*>(png.data()), png.size()}, width, height);
        EXPECT_EQ(now.size(), lift.size());
        double sum = 0.0;
        for (std::size_t i = 0; i < std::min(now.size(), lift.size()); ++i) sum += std::abs(int{now[i]} - int{lift[i]});
        return sum / static_cast<double>(lift.size());
    };
    const double same = difference("3.9"), other = difference("2.4");
    EXPECT_LT(same, 3.0) << "docs/pictures/draw.sh draws it again";
    EXPECT_GT(other, 2.0 * same);
}

TEST(Video, OptionsThatMakeNoSenseAreRefused) {
    const TestFolder folder("video_options");
    for (const char* arguments : {"video flick", "video flick -o a.avi", "video flick -o a.mp4 --size 321x240",
                                  "video flick -o a.mp4 --rate max", "video flick -o a.mp4 --panel --size 320x240",
                                  "video flick -o a.mp4 --from 99", "video flick -o a.mp4 --from 3.6 --to 3.4"})
        EXPECT_EQ(run_program(arguments, folder.path).exit_code, 2) << arguments;
    std::ofstream(folder.path / "path.json") << "{\"keyframes\": [{\"time_s\": \"soon\"}]}";
    EXPECT_THAT(run_program("video flick -o /dev/null", folder.path).error, HasSubstr("/dev/null: is no folder"));
    const ProgramResult bad = run_program("video flick -o a.mp4 --camera path.json", folder.path);
    EXPECT_EQ(bad.exit_code, 1);
    EXPECT_THAT(bad.error, HasSubstr("time_s of keyframe 1 is no number"));
}

TEST(CameraPath, GoesThroughItsKeysAndTurnsTheShorterWay) {
    CameraKey a, b;
    a.time_s = 1.0;
    a.camera.yaw_rad = 3.0F;
    a.camera.distance_m = 1.0F;
    b.time_s = 3.0;
    b.camera.yaw_rad = -3.0F;
    b.camera.distance_m = 2.0F;
    b.camera.target_m = {1.0F, 0.0F, 0.0F};
    const std::vector<CameraKey> keys = {a, b};
    EXPECT_EQ(camera_at(keys, 0.0).distance_m, 1.0F);
    EXPECT_EQ(camera_at(keys, 9.0).distance_m, 2.0F);
    EXPECT_NEAR(camera_at(keys, 2.0).distance_m, 1.5F, 1e-5F);
    EXPECT_NEAR(camera_at(keys, 2.0).target_m.x(), 0.5F + 0.5F * a.camera.target_m.x(), 1e-5F);
    EXPECT_NEAR(std::abs(std::remainder(camera_at(keys, 2.0).yaw_rad, 6.2831853F)), 3.1415926F, 1e-3F)
        << "over half a turn from 3 to -3 goes through pi, not through 0";
    const TestFolder folder("camera_path");
    std::ofstream(folder.path / "p.json") << camera_path_text(keys);
    const std::vector<CameraKey> read = read_camera_path(folder.path / "p.json");
    ASSERT_EQ(read.size(), 2U);
    EXPECT_EQ(read[1].camera.yaw_rad, -3.0F);
    EXPECT_EQ(read[1].camera.target_m, b.camera.target_m);
}

}  // namespace
}  // namespace glovebox::vr
