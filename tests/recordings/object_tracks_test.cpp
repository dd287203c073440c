// The motion of several objects in one file, in HOT3D's format.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iomanip>
#include <random>
#include <sstream>

#include "recordings/formats/hot3d_objects.h"
#include "tests/recordings/files.h"

namespace glovebox::recordings {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;

constexpr int kFrames = 20;

// The cup is present from the start and rotates about y; the lid appears in the third frame and slides along x.
Eigen::Isometry3f cup_at(int i) {
    return Eigen::Translation3f(0.1F, 0.2F, 0.3F) *
           Eigen::AngleAxisf(0.1F * static_cast<float>(i), Eigen::Vector3f::UnitY());
}
Eigen::Isometry3f lid_at(int i) {
    return Eigen::Isometry3f(Eigen::Translation3f(0.01F * static_cast<float>(i), -1.0F, 2.0F));
}

std::string table_of_objects() {
    std::ostringstream text;
    text << std::setprecision(9)
         << "object_uid,timestamp[ns],t_wo_x[m],t_wo_y[m],t_wo_z[m],q_wo_w,q_wo_x,q_wo_y,q_wo_z\n";
    const auto row = [&text](const char* name, int i, const Eigen::Isometry3f& pose) {
        const Eigen::Quaternionf q(pose.linear());
        const Eigen::Vector3f t = pose.translation();
        text << name << "," << 5'000'000'000LL + 33'000'000LL * i << "," << t.x() << "," << t.y() << "," << t.z() << ","
             << q.w() << "," << q.x() << "," << q.y() << "," << q.z() << "\n";
    };
    for (int i = 0; i < kFrames; ++i) {
        row("cup", i, cup_at(i));
        if (i >= 2) row("lid", i, lid_at(i));
    }
    return text.str();
}

std::string track_error(std::string_view content, const std::string& object) {
    const TemporaryFile file(content, "objects.csv");
    try {
        load_track(file.path().string() + object);
    } catch (const ImportError& error) {
        return error.what();
    }
    return "no error";
}

TEST(ObjectTracks, EachObjectMovesAsItsRowsSay) {
    const TemporaryFile file(table_of_objects(), "objects.csv");
    EXPECT_THAT(objects_of_tracks(file.path()), ElementsAre("cup", "lid"));
    const StampedTrack cup = load_stamped_track(file.path().string() + "#cup", {});
    ASSERT_EQ(cup.track.time_ns.size(), static_cast<std::size_t>(kFrames));
    EXPECT_EQ(cup.first_ns, 5'000'000'000LL);
    EXPECT_EQ(cup.track.name, "cup");
    for (int i = 0; i < kFrames; ++i) EXPECT_TRUE(cup.track.at(33'000'000LL * i).isApprox(cup_at(i), 1e-5F)) << i;
    const tracking::RigidTrack lid = load_track(file.path().string() + "#lid");
    EXPECT_EQ(lid.time_ns.front(), 0) << "times count from the first of the file";
    EXPECT_TRUE(lid.at(0).isApprox(lid_at(2), 1e-5F)) << "it waits where it is seen first";
    for (int i = 2; i < kFrames; ++i) EXPECT_TRUE(lid.at(33'000'000LL * i).isApprox(lid_at(i), 1e-5F)) << i;
    ImportOptions centimetres;
    centimetres.unit_m = 0.01F;
    EXPECT_NEAR(load_track(file.path().string() + "#lid", centimetres).at(0).translation().y(), -0.01F, 1e-6F);
}

TEST(ObjectTracks, SayWhatTheyLack) {
    const std::string table = table_of_objects();
    EXPECT_THAT(track_error(table, ""), AllOf(HasSubstr("FILE#cup"), HasSubstr("lid")));
    EXPECT_THAT(track_error(table, "#spoon"), AllOf(HasSubstr("no object spoon"), HasSubstr("cup,lid")));
    const std::string header = table.substr(0, table.find('\n') + 1);
    EXPECT_THAT(track_error(header, "#cup"), HasSubstr("before its first row"));
    EXPECT_THAT(track_error(header + "cup,1,0,0,0,1,0,0\n", "#cup"), HasSubstr("8 of 9"));
    EXPECT_THAT(track_error(header + "cup,1,0,0,0,2,0,0,0\n", "#cup"), HasSubstr("no pose"));
    EXPECT_THAT(track_error(header + "cup,1,nan,0,0,1,0,0,0\n", "#cup"), HasSubstr("no pose"));
    EXPECT_THAT(track_error(header + "cup,2,0,0,0,1,0,0,0\ncup,1,0,0,0,1,0,0,0\n", "#cup"),
                HasSubstr("time goes back"));
    EXPECT_EQ(track_error(header + "cup,2,0,0,0,1,0,0,0\n", ""), "no error") << "an only object needs no name";
    const TemporaryFile bvh("HIERARCHY\nROOT thing\n{\n", "thing.bvh");
    try {
        load_track(bvh.path().string() + "#thing");
        ADD_FAILURE() << "a name in a file of one thing";
    } catch (const ImportError& error) {
        EXPECT_THAT(error.what(), HasSubstr("leave out #thing"));
    }
}

// Any file yields a track of finite poses in order of time, or a one-line error.
TEST(ObjectTracks, MutatedFilesAreReadOrRefused) {
    const std::string whole = table_of_objects();
    std::mt19937 random(30);
    int read = 0, refused = 0;
    for (int i = 0; i < 500; ++i) {
        std::string text = whole;
        const auto at = [&] { return std::uniform_int_distribution<std::size_t>(0, text.size() - 1)(random); };
        switch (i % 4) {
            case 0:
                text.resize(at());
                break;
            case 1:
                text[at()] = static_cast<char>(random() & 0xFFU);
                break;
            case 2:
                text.erase(at(), 1 + at() / 20);
                break;
            default:
                text.insert(at(), text.substr(at(), 40));
                break;
        }
        if (text.empty()) text = "x";
        const TemporaryFile file(text, "objects.csv");
        try {
            objects_of_tracks(file.path());
            const tracking::RigidTrack track = load_track(file.path().string() + "#cup");
            ASSERT_EQ(track.time_ns.size(), track.world_from_object.size());
            for (std::size_t k = 0; k < track.time_ns.size(); ++k) {
                ASSERT_TRUE(track.world_from_object[k].matrix().allFinite());
                ASSERT_TRUE(k == 0 || track.time_ns[k] > track.time_ns[k - 1]);
            }
            ++read;
        } catch (const ImportError& error) {
            EXPECT_EQ(std::string(error.what()).find('\n'), std::string::npos) << error.what();
            ++refused;
        }
    }
    EXPECT_GT(read, 20);
    EXPECT_GT(refused, 100);
}

TEST(ObjectTracks, AFileWithAMarkInItsNameIsThatFile) {
    const TemporaryFile file(table_of_objects(), "take#cup");
    EXPECT_THAT(objects_of_tracks(file.path()), ElementsAre("cup", "lid"));
    EXPECT_EQ(load_track(file.path().string() + "#lid").name, "lid");
}

// Both samples have six objects, as long as the hands' recordings, and the mouse lies still on a table of their world.
TEST(ObjectTracks, OfHot3d) {
    const char* data = std::getenv("GLOVEBOX_REAL_DATA");
    if (data == nullptr) GTEST_SKIP() << "GLOVEBOX_REAL_DATA is not set: real recordings are not in the project";
    for (const char* take : {"hot3d", "hot3d/quest3"}) {
        const std::filesystem::path path = std::filesystem::path(data) / take / "dynamic_objects.csv";
        if (!std::filesystem::exists(path)) GTEST_SKIP() << "no HOT3D here";
        const std::vector<std::string> objects = objects_of_tracks(path);
        ASSERT_EQ(objects.size(), 6U);
        for (const std::string& object : objects) {
            const StampedTrack stamped = load_stamped_track(path.string() + "#" + object, {});
            EXPECT_GE(stamped.track.time_ns.size(), 15U);
            EXPECT_GT(stamped.first_ns, 1'000'000'000LL);
            EXPECT_LT(stamped.track.at(0).translation().norm(), 3.0F);
        }
    }
}

}  // namespace
}  // namespace glovebox::recordings
