// Each kind of event against the frames where it must begin and end, for hands whose distance is known in closed form.
#include "scenes/events.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <random>

#include "tests/scenes/claw.h"

namespace glovebox::scenes {
namespace {

using Eigen::Vector3f;

constexpr int kIndexTip = 7;

// A wall whose face is x = 0.1; the index finger's tip moves towards it along x.
Session at_a_wall(double rate_hz = 90.0) {
    Scene scene;
    scene.objects = {box_object({0.05F, 0.2F, 0.2F}, {0.15F, 0.5F, 0.0F})};
    return Session(scene, rate_hz);
}

Claw index_at_distance(float distance_m) {
    Claw claw;
    claw.middle_m.x() = 0.1F - distance_m - kTipRadius_m - claw.half_gap_m;
    return claw;
}

TEST(Events, HoverAndTouchBeginAndEndAtTheFramesOfTheirThresholds) {
    Session session = at_a_wall();
    // From 30 mm to -5 mm by 1 mm a frame, and out again.
    for (int i = 0; i <= 35; ++i) session.step(index_at_distance(0.0300001F - 0.001F * static_cast<float>(i)).frame());
    for (int i = 1; i <= 40; ++i) session.step(index_at_distance(-0.0049999F + 0.001F * static_cast<float>(i)).frame());

    const auto expect_at = [&](EventKind kind, int frame) {
        const auto found = session.of(kind, kIndexTip);
        ASSERT_EQ(found.size(), 1U) << name_of(kind);
        EXPECT_EQ(found[0].frame, frame) << name_of(kind);
        EXPECT_EQ(found[0].event.object, 0);
        EXPECT_EQ(found[0].event.finger, 1);
        EXPECT_FALSE(found[0].event.lost);
    };
    expect_at(EventKind::hover_begin, 16);  // at or below 15 mm: 14.0001
    expect_at(EventKind::touch_begin, 31);  // at or below 0: -0.9999
    expect_at(EventKind::touch_end, 43);    // above 3 mm: 3.0001
    expect_at(EventKind::hover_end, 60);    // above 20 mm: 20.0001
    const Event touch = session.of(EventKind::touch_begin, kIndexTip)[0].event;
    EXPECT_NEAR(touch.normal.x(), 1.0F, 1e-3F);
    EXPECT_NEAR(touch.point_m.x(), 0.1F, 1e-4F);
    EXPECT_NEAR(touch.relative_velocity_m_s.x(), 0.09F, 0.002F);
    EXPECT_EQ(session.of(EventKind::touch_end, kIndexTip)[0].event.duration_ns,
              session.of(EventKind::touch_end, kIndexTip)[0].event.time_ns - touch.time_ns);
}

TEST(Events, NoiseAtAThresholdIsOneTouchAndTheRestIsCounted) {
    Session session = at_a_wall();
    session.step(index_at_distance(0.01F).frame());
    for (int i = 0; i < 200; ++i) session.step(index_at_distance(i % 2 == 0 ? -0.0005F : 0.002F).frame());
    EXPECT_EQ(session.of(EventKind::touch_begin, kIndexTip).size(), 1U);
    EXPECT_EQ(session.of(EventKind::touch_end, kIndexTip).size(), 0U);
    EXPECT_EQ(session.world.suppressed_events, 4U * 198U) << "four fingertips, 99 times clear and back";
    // A touch shorter than the dwell is extended to it: 20 ms at 90 Hz is two frames.
    session.step(index_at_distance(0.03F).frame());
    Session brief = at_a_wall();
    for (int i = 0; i < 3; ++i) brief.step(index_at_distance(0.01F).frame());
    brief.step(index_at_distance(-0.001F).frame());
    for (int i = 0; i < 5; ++i) brief.step(index_at_distance(0.01F).frame());
    ASSERT_EQ(brief.of(EventKind::touch_end, kIndexTip).size(), 1U);
    EXPECT_EQ(brief.of(EventKind::touch_end, kIndexTip)[0].frame - brief.of(EventKind::touch_begin, kIndexTip)[0].frame,
              2);
    EXPECT_EQ(brief.world.suppressed_events, 0U) << "its begin and its end are reported";
}

TEST(Events, PokeNeedsSpeedAndTheNormalsDirection) {
    const auto poke_frames = [](const Vector3f& velocity_m_s) {
        Session session = at_a_wall();
        const float dt_s = 1.0F / 90.0F;
        const float start_m = 0.0202F;
        for (int i = 0; i < 300; ++i) {
            const float t = dt_s * static_cast<float>(i);
            Claw claw = index_at_distance(start_m - velocity_m_s.x() * t);
            claw.middle_m.y() += velocity_m_s.y() * t;
            if (claw.middle_m.x() > index_at_distance(-0.006F).middle_m.x()) break;
            session.step(claw.frame());
        }
        const auto pokes = session.of(EventKind::poke_begin, kIndexTip);
        return pokes.empty() ? -1 : pokes[0].frame;
    };
    // 0.2 m/s is 2.222 mm a frame, so 20.2 mm have been covered by frame 10 (9.09).
    EXPECT_EQ(poke_frames({0.20F, 0.0F, 0.0F}), 10);
    EXPECT_EQ(poke_frames({0.20F, 0.1F, 0.0F}), 10);
    EXPECT_EQ(poke_frames({0.20F, 0.4F, 0.0F}), -1);  // a stroke
    EXPECT_EQ(poke_frames({0.01F, 0.0F, 0.0F}), -1);  // resting a finger on the wall
}

TEST(Events, PokeEndsWhenTheTouchDoes) {
    Session session = at_a_wall();
    // From 20.1 mm to -1.9 mm by 2 mm a frame, and out again.
    for (int i = 0; i < 12; ++i) session.step(index_at_distance(0.0201F - 0.002F * static_cast<float>(i)).frame());
    for (int i = 0; i < 12; ++i) session.step(index_at_distance(-0.0019F + 0.002F * static_cast<float>(i)).frame());
    ASSERT_EQ(session.of(EventKind::poke_begin, kIndexTip).size(), 1U);
    ASSERT_EQ(session.of(EventKind::poke_end, kIndexTip).size(), 1U);
    EXPECT_EQ(session.of(EventKind::poke_begin, kIndexTip)[0].frame, 11);    // at or below 0: -1.9 mm
    EXPECT_EQ(session.of(EventKind::poke_end, kIndexTip)[0].frame, 12 + 3);  // above 3 mm: 4.1 mm
    EXPECT_EQ(session.of(EventKind::touch_end, kIndexTip)[0].frame, 12 + 3);
}

// The finger is clear of the plate in every frame: in front of it in one, behind it in the next.
TEST(Events, APlateBetweenTwoFramesIsPokedAllTheSame) {
    for (const float speed_m_s : {2.0F, 5.0F}) {
        Scene scene;
        scene.objects = {box_object({0.001F, 0.2F, 0.2F}, {0.1F, 0.5F, 0.0F})};
        Session session(scene, 90.0);
        const float step_m = speed_m_s / 90.0F;
        const float first_m = 0.1F - 0.05F - 1.5F * step_m - 0.5F * kTipRadius_m;
        int crossing = -1;
        for (int i = 0; i < 5; ++i) {
            Claw claw;
            claw.middle_m.x() = first_m + step_m * static_cast<float>(i);
            if (crossing < 0 && claw.middle_m.x() + claw.half_gap_m > 0.1F) crossing = i;
            session.step(claw.frame());
        }
        const auto pokes = session.of(EventKind::poke_begin, kIndexTip);
        ASSERT_EQ(pokes.size(), 1U) << speed_m_s;
        EXPECT_LE(std::abs(pokes[0].frame - crossing), 1);
        EXPECT_NEAR(pokes[0].event.normal.x(), 1.0F, 1e-3F);
        EXPECT_NEAR(pokes[0].event.relative_velocity_m_s.x(), speed_m_s, 0.05F * speed_m_s);
        EXPECT_GT(session.world.method->name.size(), 0U);
    }
}

TEST(Events, PinchBeginsAndEndsAtItsFrames) {
    Scene scene;
    scene.objects = {box_object({0.1F, 0.1F, 0.1F}, {5.0F, 5.0F, 5.0F})};
    Session session(scene);
    // Distance between skins: 2 half gaps - 2 radii. It closes from 20 mm to -1 mm by 1 mm a frame, then opens.
    const auto gap = [](float apart_m) {
        Claw claw;
        claw.half_gap_m = kTipRadius_m + 0.5F * apart_m;
        return claw.frame();
    };
    for (int i = 0; i <= 21; ++i) session.step(gap(0.0200001F - 0.001F * static_cast<float>(i)));
    for (int i = 1; i <= 30; ++i) session.step(gap(-0.0009999F + 0.001F * static_cast<float>(i)));
    const auto begins = session.of(EventKind::pinch_begin), ends = session.of(EventKind::pinch_end);
    ASSERT_EQ(begins.size(), 1U);
    ASSERT_EQ(ends.size(), 1U);
    EXPECT_EQ(begins[0].frame, 18);  // at or below 3 mm: 2.0001
    EXPECT_EQ(ends[0].frame, 34);    // above 12 mm: 12.0001
    EXPECT_EQ(begins[0].event.finger, 1);
    EXPECT_EQ(begins[0].event.object, -1);
}

TEST(Events, AHandThatComesBackInsideSaysNothingUntilItHasBeenClear) {
    Session session = at_a_wall();
    for (int i = 0; i < 5; ++i) session.step(index_at_distance(0.01F).frame());
    for (int i = 0; i < 40; ++i) session.step(nullptr);
    for (int i = 0; i < 20; ++i) session.step(index_at_distance(-0.004F).frame());
    EXPECT_EQ(session.of(EventKind::touch_begin, kIndexTip).size(), 0U);
    session.step(index_at_distance(0.01F).frame());
    EXPECT_EQ(session.world.suppressed_events, 4U * 2U) << "of each fingertip, the begin and the end of that touch";
    session.step(index_at_distance(-0.001F).frame());
    EXPECT_EQ(session.of(EventKind::touch_begin, kIndexTip).size(), 1U);
}

TEST(Events, ATouchThatIsLostEndsAtOnceAndSaysSo) {
    Session session = at_a_wall();
    session.step(index_at_distance(0.01F).frame());
    for (int i = 0; i < 5; ++i) session.step(index_at_distance(-0.001F).frame());
    session.step(nullptr);
    const auto ends = session.of(EventKind::touch_end, kIndexTip);
    ASSERT_EQ(ends.size(), 1U);
    EXPECT_TRUE(ends[0].event.lost);
    EXPECT_EQ(ends[0].frame, 6);
}

// A box of 60 mm to be held between thumb and index finger.
TEST(Events, GrabComesFromOpposingContactsAndEndsWhenTheyOpen) {
    Session session = with_a_box_to_hold();
    for (int i = 0; i < 10; ++i) session.step(around_box(-0.010F + 0.0011F * static_cast<float>(i)).frame());
    for (int i = 0; i < 30; ++i) session.step(around_box(0.001F).frame());
    const auto begins = session.of(EventKind::grab_begin);
    ASSERT_EQ(begins.size(), 1U);
    EXPECT_EQ(begins[0].frame, 10 + 4);  // opposing since frame 10, plus 40 ms: 3.6 frames
    EXPECT_EQ(begins[0].event.object, 0);
    for (int i = 0; i < 30; ++i) session.step(around_box(-0.010F).frame());
    const auto ends = session.of(EventKind::grab_end);
    ASSERT_EQ(ends.size(), 1U);
    EXPECT_EQ(ends[0].frame, 40 + 6);  // open since frame 40, plus 60 ms: 5.4 frames
    EXPECT_FALSE(ends[0].event.lost);
}

// A state has one event in every frame between its begin and its end, and in no other.
void expect_stays(const Session& session, EventKind begin, EventKind stay, EventKind end, int bone) {
    const auto begins = session.of(begin, bone), ends = session.of(end, bone);
    ASSERT_EQ(begins.size(), 1U) << name_of(begin);
    ASSERT_EQ(ends.size(), 1U) << name_of(end);
    int frame = begins[0].frame;
    for (const Session::Seen& seen : session.stays) {
        if (seen.event.kind != stay || (bone >= 0 && seen.event.bone != bone)) continue;
        EXPECT_EQ(seen.frame, ++frame) << name_of(stay);
        EXPECT_EQ(seen.event.duration_ns, seen.event.time_ns - begins[0].event.time_ns) << name_of(stay);
        EXPECT_EQ(seen.event.object, begins[0].event.object);
    }
    EXPECT_EQ(frame + 1, ends[0].frame) << name_of(stay);
    EXPECT_GT(frame, begins[0].frame + 2) << name_of(stay);
}

TEST(Events, EveryKindOfStateIsToldOfInEachFrameBetweenItsBeginAndItsEnd) {
    // The index finger goes 5 mm into a wall at 0.2 m/s, rests there and comes out again; thumb and finger close and
    // open in the air; then they hold a box.
    Session wall = at_a_wall();
    const auto at_wall = [&](float distance_m) { wall.step(index_at_distance(distance_m).frame()); };
    for (int i = 0; i < 15; ++i) at_wall(0.0251F - 0.002F * static_cast<float>(i));
    for (int i = 0; i < 5; ++i) at_wall(-0.003F);
    for (int i = 0; i < 15; ++i) at_wall(-0.003F + 0.002F * static_cast<float>(i));
    expect_stays(wall, EventKind::hover_begin, EventKind::hover_stay, EventKind::hover_end, kIndexTip);
    expect_stays(wall, EventKind::touch_begin, EventKind::touch_stay, EventKind::touch_end, kIndexTip);
    expect_stays(wall, EventKind::poke_begin, EventKind::poke_stay, EventKind::poke_end, kIndexTip);

    Session air = at_a_wall();
    for (int i = 0; i < 40; ++i) {
        Claw claw;
        claw.middle_m.x() = -0.3F;
        claw.half_gap_m = kTipRadius_m + 0.0005F * static_cast<float>(std::abs(i - 20));
        air.step(claw.frame());
    }
    expect_stays(air, EventKind::pinch_begin, EventKind::pinch_stay, EventKind::pinch_end, kIndexTip);

    Session held = with_a_box_to_hold();
    for (int i = 0; i < 10; ++i) held.step(around_box(-0.010F + 0.0011F * static_cast<float>(i)).frame());
    for (int i = 0; i < 20; ++i) held.step(around_box(0.001F).frame());
    for (int i = 0; i < 20; ++i) held.step(around_box(-0.010F).frame());
    expect_stays(held, EventKind::grab_begin, EventKind::grab_stay, EventKind::grab_end, -1);
}

TEST(Events, ASlipperyBoxOrOneFingerIsNotGrabbed) {
    Session slippery = with_a_box_to_hold(0.05F);
    for (int i = 0; i < 10; ++i) slippery.step(around_box(-0.010F).frame());
    for (int i = 0; i < 30; ++i) {
        Claw claw = around_box(0.001F);
        tracking::HandFrame hand = claw.frame();
        hand[tracking::Joint::index_tip].position_m.y() += 0.02F;  // the line between contacts leaves the cones
        hand[tracking::Joint::index_distal].position_m.y() += 0.02F;
        slippery.step(hand);
    }
    EXPECT_EQ(slippery.of(EventKind::grab_begin).size(), 0U);

    Session one = with_a_box_to_hold();
    for (int i = 0; i < 40; ++i) {
        tracking::HandFrame hand = around_box(i < 10 ? -0.010F : 0.001F).frame();
        for (const auto joint :
             {tracking::Joint::thumb_tip, tracking::Joint::thumb_distal, tracking::Joint::thumb_proximal})
            hand[joint].position_m.x() -= 0.05F;
        one.step(hand);
    }
    EXPECT_EQ(one.of(EventKind::grab_begin).size(), 0U);
}

TEST(Events, AHeldBoxStaysHeldThroughTwoHundredMillisecondsOfLostTracking) {
    Session session = with_a_box_to_hold();
    for (int i = 0; i < 10; ++i) session.step(around_box(-0.010F).frame());
    for (int i = 0; i < 20; ++i) session.step(around_box(0.001F).frame());
    for (int i = 0; i <= 60; ++i) session.step(around_box(0.001F, 0.0025F * static_cast<float>(i)).frame());
    ASSERT_EQ(session.of(EventKind::grab_begin).size(), 1U);
    EXPECT_NEAR(session.place().y(), 0.53F + 0.15F, 0.006F);  // it moved with the hand
    const float height_m = session.place().y();
    for (int i = 0; i < 18; ++i) session.step(nullptr);
    EXPECT_NEAR(session.place().y(), height_m, 0.003F);
    EXPECT_EQ(session.of(EventKind::grab_end).size(), 0U);
    for (int i = 0; i < 20; ++i) session.step(around_box(0.001F, 0.15F).frame());
    EXPECT_EQ(session.of(EventKind::grab_end).size(), 0U);
    EXPECT_NEAR(session.place().y(), 0.53F + 0.15F, 0.006F);

    // After the grace period it falls.
    const int last_seen = session.frame;
    for (int i = 0; i < 60; ++i) session.step(nullptr);
    const auto ends = session.of(EventKind::grab_end);
    ASSERT_EQ(ends.size(), 1U);
    EXPECT_EQ(ends[0].frame, last_seen + 1 + 23);  // lost one frame later, plus 250 ms: 22.5 frames
    EXPECT_TRUE(ends[0].event.lost);
    EXPECT_NEAR(session.place().y(), 0.53F, 0.004F);
}

// Tracking may find a hand away from where it was lost, or jump: the held object must be there too, without flying.
TEST(Events, AHeldBoxIsWhereTheHandIsFoundAgain) {
    for (const float away_m : {0.03F, 0.3F, 1.0F})
        for (const int lost_frames : {0, 18}) {
            Session session = with_a_box_to_hold();
            for (int i = 0; i < 30; ++i) session.step(around_box(i < 10 ? -0.010F : 0.001F).frame());
            ASSERT_EQ(session.of(EventKind::grab_begin).size(), 1U);
            const Vector3f there_m = session.place() + Vector3f(away_m, away_m, 0.0F);
            for (int i = 0; i < lost_frames; ++i) session.step(nullptr);
            const std::size_t begun = session.of(EventKind::touch_begin).size();
            float fastest_m_s = 0.0F;
            for (int i = 0; i < 30; ++i) {
                Claw claw = around_box(0.001F, away_m);
                claw.middle_m.x() += away_m;
                tracking::HandFrame hand = claw.frame();
                hand.discontinuous = i == 0;
                session.step(hand);
                fastest_m_s = std::max(fastest_m_s, session.velocity().norm());
            }
            EXPECT_LT(fastest_m_s, 0.1F) << away_m << " m, " << lost_frames;
            EXPECT_LT((session.place() - there_m).norm(), 0.002F);
            EXPECT_EQ(session.of(EventKind::grab_end).size(), 0U);
            EXPECT_EQ(session.of(EventKind::touch_begin).size(), begun);
        }
}

TEST(Events, AHeldBoxIsNotTakenIntoATable) {
    for (const float into_m : {0.03F, 0.06F, 0.1F}) {
        Session session = with_a_box_to_hold();
        for (int i = 0; i < 30; ++i) session.step(around_box(i < 10 ? -0.010F : 0.001F).frame());
        float fastest_m_s = 0.0F;
        for (int i = 0; i < 60; ++i) {
            tracking::HandFrame hand = around_box(0.001F, -into_m).frame();
            hand.discontinuous = i == 0;
            session.step(hand);
            fastest_m_s = std::max(fastest_m_s, session.velocity().norm());
        }
        EXPECT_LT(fastest_m_s, 0.7F) << into_m;  // the remaining overlap pushes the box out at 0.5 m/s
        EXPECT_NEAR(session.place().y(), 0.53F, 0.01F) << into_m;
    }
}

// Also between two palms: if only one of them is found elsewhere, the box is released.
TEST(Events, ABoxBetweenTwoHandsDoesNotFlyAfterOneOfThem) {
    Scene scene;
    scene.objects = {box_object({0.1F, 0.05F, 0.05F}, {0.0F, 0.55F, 0.0F}, Motion::dynamic),
                     box_object({2.0F, 0.05F, 2.0F}, {0.0F, 0.45F, 0.0F})};
    scene.objects[0].material.friction_static = 0.8F;
    scene.objects[1].name = "table";
    World world(scene);
    const auto hands_at = [](int frame, float gap_m, float right_away_m) {
        tracking::HandPair hands;
        hands.time_ns = frame * std::int64_t{11'111'111};
        for (const tracking::Side side : {tracking::Side::left, tracking::Side::right}) {
            Claw claw;
            const float sign = side == tracking::Side::right ? 1.0F : -1.0F;
            claw.half_gap_m = 0.02F;
            claw.middle_m = {sign * (0.1F + kTipRadius_m + claw.half_gap_m + gap_m), 0.55F, 0.0F};
            if (side == tracking::Side::right) claw.middle_m.x() += right_away_m;
            hands[side] = claw.frame();
            hands[side].side = side;
        }
        return hands;
    };
    float fastest_m_s = 0.0F;
    int begins = 0, ends = 0;
    for (int i = 0; i < 100; ++i) {
        tracking::HandPair hands =
            hands_at(i, std::max(-0.001F, 0.0095F - 0.001F * static_cast<float>(i)), i < 40 ? 0.0F : 0.5F);
        hands[tracking::Side::right].discontinuous = i == 40;
        for (const Event& event : step(scene, world, hands, i == 0 ? 0.0 : 1.0 / 90.0).events) {
            begins += event.kind == EventKind::grab_begin ? 1 : 0;
            ends += event.kind == EventKind::grab_end ? 1 : 0;
        }
        if (i == 39) {
            EXPECT_EQ(begins, 2);
        }
        if (i < 40) continue;
        const Vector3f velocity_m_s = world.dynamics->velocity_at(0, world.world_from_object[0].translation());
        fastest_m_s = std::max(fastest_m_s, std::hypot(velocity_m_s.x(), velocity_m_s.z()));
    }
    EXPECT_EQ(ends, 2);
    EXPECT_LT(fastest_m_s, 0.7F);  // a finger left inside the box pushes it out at 0.5 m/s
}

void lose_index(tracking::HandFrame& hand) {
    for (int joint = 6; joint < 11; ++joint) hand.joints[static_cast<std::size_t>(joint)].flags = 0;
}

TEST(Events, AFingerThatIsNotSeenHasNotLetGo) {
    Session session = with_a_box_to_hold();
    for (int i = 0; i < 30; ++i) session.step(around_box(i < 10 ? -0.010F : 0.001F).frame());
    ASSERT_EQ(session.of(EventKind::grab_begin).size(), 1U);
    tracking::HandFrame without_index = around_box(0.001F).frame();
    lose_index(without_index);
    for (int i = 0; i < 18; ++i) session.step(without_index);
    EXPECT_EQ(session.of(EventKind::grab_end).size(), 0U);
    ASSERT_EQ(session.of(EventKind::touch_end, kIndexTip).size(), 1U);
    EXPECT_TRUE(session.of(EventKind::touch_end, kIndexTip)[0].event.lost);
    const std::uint64_t before = session.world.suppressed_events;
    session.step(around_box(0.001F).frame());
    EXPECT_EQ(session.world.suppressed_events, before + 2) << "the grab's end and begin";
    for (int i = 0; i < 9; ++i) session.step(around_box(0.001F).frame());
    EXPECT_EQ(session.of(EventKind::grab_end).size(), 0U);
    const int last_seen = session.frame;
    for (int i = 0; i < 40; ++i) session.step(without_index);
    ASSERT_EQ(session.of(EventKind::grab_end).size(), 1U);
    EXPECT_EQ(session.of(EventKind::grab_end)[0].frame, last_seen + 1 + 23);  // 250 ms: 22.5 frames
    EXPECT_TRUE(session.of(EventKind::grab_end)[0].event.lost);
}

TEST(Events, AFingerThatComesBackInsideSaysNothingUntilItHasBeenClear) {
    Session session = at_a_wall();
    for (int i = 0; i < 5; ++i) session.step(index_at_distance(0.01F).frame());
    for (int i = 0; i < 5; ++i) {
        tracking::HandFrame hand = index_at_distance(0.01F).frame();
        lose_index(hand);
        session.step(hand);
    }
    for (int i = 0; i < 20; ++i) session.step(index_at_distance(-0.004F).frame());
    EXPECT_EQ(session.of(EventKind::touch_begin, kIndexTip).size(), 0U);
    session.step(index_at_distance(0.01F).frame());
    session.step(index_at_distance(-0.001F).frame());
    EXPECT_EQ(session.of(EventKind::touch_begin, kIndexTip).size(), 1U);
}

// Half a millimetre of tracker noise on each joint in each frame: fingers that rest on a box still grab it.
TEST(Events, AGripIsFoundInNoise) {
    std::mt19937 random(7);
    std::normal_distribution<float> noise_m(0.0F, 0.0005F);
    int held = 0;
    for (int run = 0; run < 40; ++run) {
        Session session = with_a_box_to_hold();
        for (int i = 0; i < 60; ++i) {
            tracking::HandFrame hand = around_box(std::min(0.0F, -0.010F + 0.001F * static_cast<float>(i))).frame();
            for (tracking::JointPose& joint : hand.joints)
                for (int axis = 0; axis < 3; ++axis) joint.position_m[axis] += noise_m(random);
            session.step(hand);
        }
        held += session.world.holds[hold_index(session.world, tracking::Side::right, 0)].holding ? 1 : 0;
    }
    EXPECT_GE(held, 38);
}

TEST(Events, WhatIsBridgedIsToldOfInEachFrame) {
    Session session = with_a_box_to_hold();
    for (int i = 0; i < 30; ++i) session.step(around_box(i < 10 ? -0.010F : 0.001F).frame());
    const auto stays_at = [&](int frame) {
        std::vector<std::pair<EventKind, std::int32_t>> found;
        for (const Session::Seen& seen : session.stays)
            if (seen.frame == frame && seen.event.object == 0) found.emplace_back(seen.event.kind, seen.event.bone);
        std::sort(found.begin(), found.end());
        return found;
    };
    const auto held = stays_at(session.frame);
    EXPECT_GE(held.size(), 5U);  // hover and touch of two bones, grab
    std::uint64_t inside = 0;    // hovers and touches within their enter distance
    for (const PairState& pair : session.world.pairs)
        inside += static_cast<std::uint64_t>(pair.touch_inside + pair.hover_inside);
    EXPECT_GE(inside, 2U);
    for (int i = 0; i < 10; ++i) {
        session.step(nullptr);
        EXPECT_EQ(stays_at(session.frame), held) << i;
    }
    EXPECT_TRUE(session.stays.back().event.lost);
    const std::uint64_t before = session.world.suppressed_events;
    session.step(around_box(0.001F).frame());
    EXPECT_EQ(session.world.suppressed_events, before + 2 * inside) << "each of them would have ended and begun";
}

}  // namespace
}  // namespace glovebox::scenes
