#include "vr/clips/take_index.h"

#include <gtest/gtest.h>

#include <array>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <fstream>

#include "scenes/hand_shape_fit.h"
#include "scenes/scene_hash.h"
#include "tests/vr/run_program.h"
#include "tracking/hand_geometry.h"
#include "vr/clips/take_search.h"
#include "vr/session/open_recording.h"

namespace glovebox::vr {
namespace {

namespace fs = std::filesystem;
using tracking::Side;

// The text of a bundled recording is not needed, only a file.
struct Folder : TestFolder {
    Folder() : TestFolder("take_index") {}
    fs::path file(const std::string& name, const std::string& text) const {
        std::ofstream(path / name, std::ios::binary) << text;
        return path / name;
    }
};

recordings::Recording bundled(const std::string& name) {
    return find_bundled(name)->make();
}

TEST(TakeIndex, FindsWhatAReplayOfEveryFrameFinds) {
    std::size_t found_in_all = 0;
    for (const recordings::SampleRow& row : recordings::sample_table()) {
        const recordings::Recording recording = row.make();
        const TakeIndex index = TakeIndex::build(recording);
        for (const char* name : {"table-and-ball", "held-ball"})
            for (const scenes::Placement placement :
                 {scenes::Placement::recorded, scenes::Placement::fingertips, scenes::Placement::wrist}) {
                scenes::Scene scene = scenes::load_scene(name);
                scene.placement = placement;
                for (const float within_m : {0.0F, 0.005F, 0.05F}) {
                    NearQuestion question{.scene = &scene, .objects = {}, .within_m = within_m};
                    for (int i = 0; i < static_cast<int>(scene.objects.size()); ++i) question.objects.push_back(i);
                    collision::clips::TouchCounts counts;
                    const auto found = find_meetings(index, question, counts);
                    EXPECT_EQ(found, replay_meetings(recording, question)) << row.name << " in " << name;
                    found_in_all += found.size();
                }
            }
    }
    EXPECT_GT(found_in_all, 50U);
}

// The bones 3 mm below the joints and a quarter thicker, so that they touch earlier.
recordings::Recording with_fitted_bones(recordings::Recording recording) {
    for (const Side side : tracking::kSides) {
        const auto has_all = [side](const tracking::HandPair& pair) {
            return pair[side].active && tracking::valid_positions(pair[side]).all();
        };
        const auto first = std::ranges::find_if(recording.samples, has_all);
        if (first == recording.samples.end()) continue;
        tracking::HandFrame hand = (*first)[side];
        tracking::fill_radii(recording.profiles[side], hand);
        tracking::HandShape& shape = recording.profiles[side].shape.emplace(scenes::usual_shape(hand));
        for (tracking::BoneShape& bone : shape) {
            bone.from_offset_m.y() -= 0.003F;
            bone.to_offset_m.y() -= 0.003F;
            bone.from_radius_m *= 1.25F;
        }
    }
    return recording;
}

TEST(TakeIndex, FindsTheTouchesOfFittedBones) {
    const Folder folder;
    for (const char* name : {"flick", "grasp"}) {
        const recordings::Recording usual = bundled(name), fitted = with_fitted_bones(usual);
        ASSERT_TRUE(fitted.profiles[Side::left].shape || fitted.profiles[Side::right].shape);
        const fs::path path = folder.file(std::string(name) + ".touch", "");
        TakeIndex::build(fitted).save(path);
        const TakeIndex index = TakeIndex::open_file(path);
        for (const scenes::Placement placement :
             {scenes::Placement::recorded, scenes::Placement::fingertips, scenes::Placement::wrist}) {
            scenes::Scene scene = scenes::load_scene("held-ball");
            scene.placement = placement;
            NearQuestion question{.scene = &scene, .objects = {}, .within_m = 0.02F};
            for (int i = 0; i < static_cast<int>(scene.objects.size()); ++i) question.objects.push_back(i);
            collision::clips::TouchCounts counts;
            const auto found = find_meetings(index, question, counts);
            EXPECT_EQ(found, replay_meetings(fitted, question)) << name;
            EXPECT_FALSE(found.empty()) << name;
            EXPECT_NE(found, find_meetings(TakeIndex::build(usual), question, counts)) << name;
        }
    }
}

TEST(TakeIndex, FollowsAnObjectThatMovesAsItWasRecorded) {
    const recordings::Recording recording = bundled("flick");
    const TakeIndex index = TakeIndex::build(recording);
    scenes::Scene scene = scenes::load_scene("table-and-ball");
    const int ball = find_object(scene, "ball");
    scenes::SceneObject& object = scene.objects[static_cast<std::size_t>(ball)];
    object.motion = scenes::Motion::recorded;
    object.track_path = "ball.csv";
    EXPECT_THROW(find_object(scene, "ball"), std::runtime_error) << "its motion is not there";
    tracking::RigidTrack track;
    const std::int64_t last_ns = recording.samples.back().time_ns;
    for (int k = 0; k <= 40; ++k) {
        Eigen::Isometry3f pose = object.world_from_object;
        const float t = 0.3F * static_cast<float>(k);
        pose.translation() +=
            Eigen::Vector3f(0.06F * std::sin(t), 0.02F + 0.02F * std::cos(1.7F * t), 0.05F * std::cos(t));
        track.time_ns.push_back(last_ns / 40 * k);
        track.world_from_object.push_back(pose);
    }
    object.track = track;
    ASSERT_EQ(find_object(scene, "ball"), ball);
    std::size_t found_in_all = 0;
    for (const float within_m : {0.0F, 0.01F, 0.05F}) {
        const NearQuestion question{.scene = &scene, .objects = {ball}, .within_m = within_m};
        collision::clips::TouchCounts counts;
        const auto found = find_meetings(index, question, counts);
        EXPECT_EQ(found, replay_meetings(recording, question)) << within_m;
        found_in_all += found.size();
    }
    EXPECT_GT(found_in_all, 5U);
}

// A session's log stores where its hands were, in its own scene or in any. The scene alone would place them elsewhere.
TEST(TakeIndex, PutsTheHandsOfASessionsLogWhereItSaysThatTheyStood) {
    const Folder folder;
    recordings::Recording recording = bundled("grasp");
    recording.in_scene = false;
    const scenes::Scene scene = scenes::load_scene("table-and-ball");  // the comparison assumes that this ball is fixed
    const NearQuestion question{.scene = &scene, .objects = {find_object(scene, "ball")}, .within_m = 0.03F};
    collision::clips::TouchCounts counts;
    const auto elsewhere = find_meetings(TakeIndex::build(recording), question, counts);
    std::array<char, 17> hash{};
    std::snprintf(hash.data(), hash.size(), "%016llx", static_cast<unsigned long long>(scenes::hash_of(scene)));
    recording.meta = {{"placement.wrist", "right"}, {"placement.note", "moved"}};
    for (const char* kind : {"moved", "wrist"})
        for (const char* for_scene : {"yes", "no"}) {
            recording.meta["placement.kind"] = kind;
            recording.meta["placement.for_scene"] = for_scene;
            recording.meta["scene_hash"] = for_scene == std::string("yes") ? hash.data() : "of another one";
            recording.meta["placement.scene_from_recording"] = "1 0 0 -0.04 0 1 0 -0.16 0 0 1 -0.15";
            recording.meta["placement.scene_from_wrist"] = "1 0 0 0.02 0 1 0 0.09 0 0 1 0.11";
            const fs::path path = folder.file("take.touch", "");
            TakeIndex::build(recording).save(path);
            const auto found = find_meetings(TakeIndex::open_file(path), question, counts);
            EXPECT_GT(found.size(), 5U) << kind;
            EXPECT_NE(found, elsewhere) << kind;
            EXPECT_EQ(found, replay_meetings(recording, question)) << kind << " for scene " << for_scene;
        }
}

TEST(TakeIndex, ARecordingThatCannotBeIndexedIsNamed) {
    recordings::Recording recording = bundled("flick");
    recording.path = "take.csv";
    for (tracking::HandPair& sample : recording.samples)
        for (tracking::JointPose& joint : sample[Side::right].joints) joint.radius_m = 0.0F;
    recording.profiles[static_cast<std::size_t>(Side::right)].radius_m.fill(-0.01F);
    try {
        TakeIndex::build(recording);
        FAIL();
    } catch (const std::runtime_error& e) {
        EXPECT_TRUE(std::string(e.what()).starts_with("take.csv: ")) << e.what();
    }
}

TEST(TakeIndex, SurvivesTheFile) {
    const Folder folder;
    const recordings::Recording recording = bundled("flick");
    const TakeIndex built = TakeIndex::build(recording);
    const fs::path path = folder.file("take.touch", "");
    built.save(path);
    EXPECT_FALSE(fs::exists(path.string() + ".part"));
    const TakeIndex opened = TakeIndex::open_file(path);
    ASSERT_EQ(opened.frame_count(), static_cast<int>(recording.samples.size()));
    EXPECT_EQ(opened.size_bytes(), built.size_bytes());
    const scenes::Scene scene = scenes::load_scene("table-and-ball");
    const NearQuestion question{.scene = &scene, .objects = {find_object(scene, "ball")}, .within_m = 0.01F};
    collision::clips::TouchCounts counts;
    const auto found = find_meetings(opened, question, counts);
    EXPECT_FALSE(found.empty());
    EXPECT_EQ(found, find_meetings(built, question, counts));
}

TEST(TakeIndex, EveryDamagedByteIsNoticed) {
    const Folder folder;
    const fs::path path = folder.file("take.touch", "");
    TakeIndex::build(with_fitted_bones(bundled("flick"))).save(path);
    const std::string good = text_of_file(path);
    const auto check_all = [&](const std::string& text) {
        folder.file("take.touch", text);
        const TakeIndex index = TakeIndex::open_file(path);
        tracking::HandPair hands;
        for (int frame = 0; frame < index.frame_count(); ++frame) index.frame(frame, hands);
        const auto hand = index.hand_in({}, tracking::Side::right);
        for (std::size_t node = 0; node < hand->tree.nodes.size(); ++node)
            hand->tree.cones_of(static_cast<std::int32_t>(node));
    };
    check_all(good);
    int noticed = 0, padding = 0;
    for (std::size_t at = 0; at < good.size(); at += 1 + good.size() / 300) {
        std::string bad = good;
        bad[at] = static_cast<char>(bad[at] ^ 0x40);
        try {
            check_all(bad);
            ++padding;  // in the padding between two sections
        } catch (const IndexError&) {
            ++noticed;
        }
    }
    EXPECT_GT(noticed, 250);
    EXPECT_LT(padding, 10);
    for (const std::size_t size : {std::size_t{0}, std::size_t{10}, good.size() / 2, good.size() - 100})
        EXPECT_THROW(check_all(good.substr(0, size)), IndexError) << size;
}

TEST(TakeIndex, AnIndexOfSomethingElseIsRefused) {
    const Folder folder;
    const fs::path log = folder.file("take.csv", "what the log says is not read here");
    EXPECT_THROW(TakeIndex::open(log), IndexError) << "no index yet";
    const recordings::Recording recording = bundled("flick");
    TakeIndex::build(recording, log).save(index_path(log));
    EXPECT_NO_THROW(TakeIndex::open(log));

    fs::last_write_time(log, fs::last_write_time(log) + std::chrono::seconds(5));
    EXPECT_NO_THROW(TakeIndex::open(log)) << "the contents are the same";

    recordings::ImportOptions centimetres;
    centimetres.unit_m = 0.01F;
    EXPECT_THROW(TakeIndex::open(log, centimetres), IndexError);

    folder.file("take.csv", "what the log says is not read there");
    fs::last_write_time(log, fs::last_write_time(log) + std::chrono::seconds(9));
    EXPECT_THROW(TakeIndex::open(log), IndexError) << "same length, other contents";
    folder.file("take.csv", "longer than before, whatever it says, and so of another size");
    EXPECT_THROW(TakeIndex::open(log), IndexError);
}

TEST(TakeIndex, TwoHandsMeetWhereAReplayHasThem) {
    // The left hand is the right one's mirror image, so that the two clap.
    recordings::Recording recording = bundled("grasp");
    const Side there = recording.has(Side::right) ? Side::right : Side::left;
    const Side other = there == Side::right ? Side::left : Side::right;
    recording.profiles[static_cast<std::size_t>(other)] = recording.profiles[static_cast<std::size_t>(there)];
    for (std::size_t k = 0; k < recording.samples.size(); ++k) {
        tracking::HandPair& pair = recording.samples[k];
        pair[other] = pair[there];
        pair[other].side = other;
        const float apart_m = 0.10F + 0.12F * std::sin(0.05F * static_cast<float>(k));
        for (tracking::JointPose& joint : pair[other].joints) joint.position_m.x() += apart_m;
    }
    const TakeIndex index = TakeIndex::build(recording);
    collision::clips::TouchCounts counts;
    for (const float within_m : {0.0F, 0.01F}) {
        const auto found = find_hand_meetings(index, within_m, ~std::uint64_t{0}, counts);
        EXPECT_GT(found.size(), 20U);
        EXPECT_EQ(found, replay_hand_meetings(recording, within_m, ~std::uint64_t{0}));
    }
    const auto tips = find_hand_meetings(index, 0.01F, bones_named("index tip"), counts);
    for (const Meeting& meeting : tips) EXPECT_EQ(meeting.bone, meeting.other);
}

TEST(TakeIndex, NamesThatDoNotExistAreAnsweredWithThoseThatDo) {
    const scenes::Scene scene = scenes::load_scene("table-and-ball");
    try {
        find_object(scene, "bal");
        FAIL();
    } catch (const std::runtime_error& e) {
        EXPECT_NE(std::string(e.what()).find("ball"), std::string::npos);
    }
    EXPECT_THROW(bones_named("toe"), std::runtime_error);
    EXPECT_EQ(bones_named("thumb"), 0b1110U);
    EXPECT_EQ(bones_named("index tip"), std::uint64_t{1} << 7);
    EXPECT_EQ(bones_named("index intermediate"), std::uint64_t{1} << 6);
    EXPECT_EQ(bones_named("index middle"), bones_named("index intermediate")) << "the name of earlier builds";
}

}  // namespace
}  // namespace glovebox::vr
