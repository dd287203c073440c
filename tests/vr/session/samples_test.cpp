// The bundled recordings in their scenes: which events occur, and when. They are scripts with noise of a fixed seed,
// and replays are reproducible, so frames are exact.
#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "recordings/load.h"
#include "vr/platform/platform.h"
#include "vr/session/open_session.h"

namespace glovebox::vr {
namespace {

using Eigen::Vector3f;
using scenes::EventKind;

struct Played {
    std::unique_ptr<Session> replay;
    std::vector<std::vector<Eigen::Isometry3f>> places;  ///< per frame

    const scenes::Scene& scene() const { return replay->scene; }
    int object(std::string_view name) const {
        for (std::size_t i = 0; i < scene().objects.size(); ++i)
            if (scene().objects[i].name == name) return static_cast<int>(i);
        return -1;
    }
    std::vector<LoggedEvent> of(EventKind kind, int object = -2) const {
        std::vector<LoggedEvent> found;
        for (const LoggedEvent& logged : replay->totals.events)
            if (logged.event.kind == kind && (object == -2 || logged.event.object == object)) found.push_back(logged);
        return found;
    }
    const Eigen::Isometry3f& place(int object, std::size_t frame) const {
        return places[frame][static_cast<std::size_t>(object)];
    }
    float highest_m(int object) const {
        float most = -1.0F;
        for (std::size_t frame = 0; frame < places.size(); ++frame)
            most = std::max(most, place(object, frame).translation().y());
        return most;
    }
};

Played play(const std::string& name, bool haptics = false) {
    SessionSettings settings;
    settings.headless = true;
    if (haptics) settings.haptics = {"null"};
    RecordingSettings from;
    from.recording = name;
    Played played;
    played.replay = open_recording_session(from, settings, now_ns);
    while (played.replay->next()) played.places.push_back(played.replay->pipeline.world.world_from_object);
    return played;
}

TEST(Samples, EveryOneIsLabelledSyntheticAndBringsItsScene) {
    std::set<std::string_view> used;
    for (const recordings::SampleRow& row : recordings::sample_table()) {
        const recordings::Recording recording = row.make();
        ASSERT_FALSE(recording.notes.empty()) << row.name;
        EXPECT_EQ(recording.notes[0].rfind("Synthetic", 0), 0U) << row.name;
        EXPECT_EQ(recording.path, row.name);
        EXPECT_TRUE(recording.in_scene) << row.name;
        EXPECT_LT(recording.duration_s(), 20.0) << row.name;
        for (const tracking::HandPair& sample : recording.samples)
            for (const tracking::HandFrame& hand : sample.hands)
                if (hand.active) {
                    EXPECT_EQ(hand.source, tracking::Source::synthetic) << row.name;
                }
        EXPECT_EQ(scenes::load_scene(std::string(row.scene)).name, row.scene);
        used.insert(row.scene);
    }
    for (const char* scene : {"keyboard", "cup-to-grasp", "peg-in-hole", "valve", "room-scan", "texture-board",
                              "two-hands", "table-and-ball", "out-of-reach"})
        EXPECT_EQ(used.count(scene), 1U) << scene << " has no recording";
}

TEST(Samples, TypePokesEightKeysInOrderAndEachGoesDownAndUp) {
    const Played played = play("type");
    constexpr std::array kKeys = {"key 2.3", "key 2.6", "key 3.5", "key 1.8",
                                  "key 3.8", "key 4.4", "key 2.1", "key 1.5"};
    const auto pokes = played.of(EventKind::poke_begin);
    ASSERT_EQ(pokes.size(), kKeys.size());
    for (std::size_t i = 0; i < kKeys.size(); ++i) {
        const int key = played.object(kKeys[i]);
        EXPECT_EQ(pokes[i].event.object, key) << kKeys[i];
        EXPECT_EQ(pokes[i].event.finger, 1);
        const auto ends = played.of(EventKind::poke_end, key);
        ASSERT_EQ(ends.size(), 1U);
        EXPECT_GT(ends[0].frame, pokes[i].frame);
        const float top_m = played.scene().objects[static_cast<std::size_t>(key)].world_from_object.translation().y();
        float lowest_m = top_m;
        for (std::size_t f = static_cast<std::size_t>(pokes[i].frame); f < static_cast<std::size_t>(ends[0].frame); ++f)
            lowest_m = std::min(lowest_m, played.place(key, f).translation().y());
        EXPECT_NEAR(lowest_m, top_m - 0.0035F, 0.0003F) << kKeys[i];
        EXPECT_NEAR(played.place(key, played.places.size() - 1).translation().y(), top_m, 0.0001F) << kKeys[i];
    }
}

TEST(Samples, LiftGrabsTheCupOnceAndSetsItDown) {
    const Played played = play("lift");
    const int cup = played.object("cup");
    const auto begins = played.of(EventKind::grab_begin, cup), ends = played.of(EventKind::grab_end, cup);
    ASSERT_EQ(begins.size(), 1U);
    ASSERT_EQ(ends.size(), 1U);
    EXPECT_GT(played.highest_m(cup), 0.12F);
    // Raised only while it is held, and upright on the table at the end.
    for (std::size_t f = 0; f < static_cast<std::size_t>(begins[0].frame); ++f)
        EXPECT_LT(played.place(cup, f).translation().y(), 0.01F);
    const Eigen::Isometry3f& last = played.places.back()[static_cast<std::size_t>(cup)];
    EXPECT_LT(last.translation().y(), 0.01F);
    EXPECT_GT(last.linear()(1, 1), 0.98F);
}

TEST(Samples, InsertTakesThePegAndPutsItIntoItsHole) {
    const Played played = play("insert");
    const int peg = played.object("peg");
    const auto begins = played.of(EventKind::grab_begin), ends = played.of(EventKind::grab_end);
    ASSERT_EQ(begins.size(), 1U);
    ASSERT_EQ(ends.size(), 1U);
    EXPECT_EQ(begins[0].event.object, peg);
    EXPECT_EQ(ends[0].event.object, peg);
    EXPECT_EQ(begins[0].frame, 285);
    EXPECT_EQ(ends[0].frame, 733);
    EXPECT_FALSE(ends[0].event.lost);

    // It is on the table until it is grasped, passes over the walls of 30 mm, and is released in the hole.
    for (std::size_t f = 0; f < static_cast<std::size_t>(begins[0].frame); ++f) {
        EXPECT_NEAR(played.place(peg, f).translation().y(), 0.064F, 0.002F) << f;
        EXPECT_NEAR(played.place(peg, f).translation().x(), 0.16F, 0.010F) << f;
    }
    EXPECT_GT(played.highest_m(peg), 0.064F + 0.030F);
    EXPECT_NEAR(played.place(peg, static_cast<std::size_t>(ends[0].frame)).translation().y(), 0.063F, 0.006F);
    const Eigen::Isometry3f& last = played.place(peg, played.places.size() - 1);
    EXPECT_LT(std::hypot(last.translation().x(), last.translation().z()), 0.0045F);
    EXPECT_NEAR(last.translation().y(), 0.063F, 0.0015F);
    EXPECT_GT(last.linear()(1, 1), 0.99F);
}

TEST(Samples, TurnTurnsTheWheelAndBack) {
    const Played played = play("turn");
    const int wheel = played.object("wheel");
    const auto begins = played.of(EventKind::grab_begin, wheel), ends = played.of(EventKind::grab_end, wheel);
    ASSERT_EQ(begins.size(), 2U);
    ASSERT_EQ(ends.size(), 2U);
    const auto turned_deg = [&](std::size_t frame) {
        const Eigen::Matrix3f r = played.place(wheel, frame).linear();
        return 57.29578F * std::atan2(r(0, 2), r(0, 0));
    };
    EXPECT_NEAR(turned_deg(static_cast<std::size_t>(ends[0].frame)), 60.0F, 8.0F);
    EXPECT_NEAR(turned_deg(played.places.size() - 1), 0.0F, 15.0F);
    for (std::size_t f = 0; f < played.places.size(); ++f)
        EXPECT_LT((played.place(wheel, f).translation() - Vector3f(0.0F, 0.12F, 0.0F)).norm(), 1e-4F) << f;
}

TEST(Samples, ExploreTouchesTheDeskTheBookAndTheMug) {
    const Played played = play("explore");
    bool desk = false, book = false, mug = false;
    for (const LoggedEvent& touch : played.of(EventKind::touch_begin)) {
        const Vector3f& at_m = touch.event.point_m;
        desk = desk || std::abs(at_m.y()) < 0.003F;
        book = book || std::abs(at_m.y() - 0.030F) < 0.003F;
        mug = mug || (at_m.y() > 0.05F && std::abs(std::hypot(at_m.x() + 0.22F, at_m.z() + 0.06F) - 0.042F) < 0.008F);
    }
    EXPECT_TRUE(desk);
    EXPECT_TRUE(book);
    EXPECT_TRUE(mug);
}

TEST(Samples, StrokeFeelsFourTexturesInOrder) {
    const Played played = play("stroke", true);
    std::vector<int> touched;
    for (const LoggedEvent& touch : played.of(EventKind::touch_begin))
        if (touch.event.finger == 1 && touch.event.bone == 7) touched.push_back(touch.event.object);
    // Slowly in one direction, then faster back.
    std::vector<int> plates;
    for (const char* name : {"ice", "paper", "cord", "grating", "grating", "cord", "paper", "ice"})
        plates.push_back(played.object(name));
    EXPECT_EQ(touched, plates);
}

TEST(Samples, CarryLiftsTheCrateBetweenTwoPalms) {
    const Played played = play("carry");
    const int crate = played.object("crate");
    EXPECT_GT(played.highest_m(crate), 0.061F + 0.08F);
    const Eigen::Isometry3f& last = played.places.back()[static_cast<std::size_t>(crate)];
    EXPECT_NEAR(last.translation().y(), 0.061F, 0.006F);
    EXPECT_GT(last.linear()(1, 1), 0.99F);
    for (const LoggedEvent& touch : played.of(EventKind::touch_begin, crate))
        EXPECT_EQ(touch.event.normal.x() < 0.0F, touch.event.side == tracking::Side::right) << touch.frame;
}

TEST(Samples, FetchBringsTheBallToThePinchAndTheCupUprightToThePalm) {
    const Played played = play("fetch");
    const int ball = played.object("ball"), cup = played.object("cup");
    for (const int object : {ball, cup}) {
        const auto begins = played.of(EventKind::grab_begin, object), ends = played.of(EventKind::grab_end, object);
        ASSERT_EQ(begins.size(), 1U) << object;
        ASSERT_EQ(ends.size(), 1U) << object;
        const auto held = static_cast<std::size_t>(ends[0].frame) - 5;
        EXPECT_LT(played.place(object, static_cast<std::size_t>(begins[0].frame)).translation().z(), -0.6F);
        EXPECT_GT(played.place(object, held).translation().z(), -0.15F) << "within the hand's reach";
        EXPECT_GT(played.place(object, held).linear()(1, 1), object == cup ? 0.97F : -1.0F);
    }
    EXPECT_TRUE(played.of(EventKind::grab_begin, played.object("block")).empty());
    const Eigen::Isometry3f& last = played.place(cup, played.places.size() - 1);
    EXPECT_NEAR(last.translation().y(), 0.001F, 0.012F) << "on the table, where it still rolls on its rim";
    EXPECT_GT(last.translation().z(), -0.2F);
}

}  // namespace
}  // namespace glovebox::vr
