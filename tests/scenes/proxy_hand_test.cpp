#include "scenes/proxy_hand.h"

#include <gtest/gtest.h>

#include "tests/scenes/claw.h"

namespace glovebox::scenes {
namespace {

using Eigen::Vector3f;
using tracking::Side;

// Returns the least signed distance between any bone of a hand and any object.
float least_distance_m(const World& world, const tracking::HandFrame& hand) {
    collision::BodyPose pose;
    pose_hand(hand, pose);
    float min_m = 1.0F;
    collision::CollideCounts counts;
    for (const collision::Shape& bone : pose.shapes)
        for (const collision::Collider& collider : world.colliders) {
            collision::Contact contact;
            if (collision::closest(bone, collider.shape, 1.0F, contact, counts))
                min_m = std::min(min_m, contact.distance_m);
        }
    return min_m;
}

struct Followed {
    explicit Followed(Scene scene) : session(std::move(scene)) {}
    void step(const tracking::HandFrame& hand) {
        session.step(hand);
        tracking::HandPair tracked;
        tracked[Side::right] = hand;
        follow(session.world, tracked, proxies);
    }
    const tracking::HandFrame& proxy() const { return proxies.hands[Side::right]; }
    bool apart() const { return proxies.apart[static_cast<std::size_t>(Side::right)]; }
    Session session;
    ProxyHands proxies;
};

Scene with(const SceneObject& object) {
    Scene scene;
    scene.objects = {object};
    return scene;
}

TEST(ProxyHand, IsTheTrackedHandWhereNothingIsInTheWay) {
    Followed hand(with(box_object({0.1F, 0.1F, 0.1F}, {2.0F, 0.0F, 0.0F})));
    const tracking::HandFrame tracked = Claw{}.frame();
    hand.step(tracked);
    EXPECT_FALSE(hand.apart());
    for (std::size_t i = 0; i < tracking::kJointCount; ++i) {
        EXPECT_LT((hand.proxy().joints[i].position_m - tracked.joints[i].position_m).norm(), 1e-6F);
        EXPECT_LT(hand.proxy().joints[i].orientation.angularDistance(tracked.joints[i].orientation), 1e-3F);
    }
}

TEST(ProxyHand, StaysOutOfAWallAndKeepsItsBonesLengths) {
    // A wall whose face is x = 0.1; the index finger's tip goes 25 mm into it.
    Followed hand(with(box_object({0.05F, 0.2F, 0.2F}, {0.15F, 0.5F, 0.0F})));
    int apart = 0, inside = 0;
    for (int i = 0; i <= 50; ++i) {
        Claw claw;
        claw.middle_m.x() = 0.1F - claw.half_gap_m - kTipRadius_m - 0.025F + 0.001F * static_cast<float>(i);
        const tracking::HandFrame tracked = claw.frame();
        hand.step(tracked);
        apart += hand.apart() ? 1 : 0;
        inside += least_distance_m(hand.session.world, tracked) < 0.0F ? 1 : 0;
        EXPECT_GT(least_distance_m(hand.session.world, hand.proxy()), -0.0002F) << i;
        for (const auto joint : {tracking::Joint::index_intermediate, tracking::Joint::index_distal,
                                 tracking::Joint::index_tip, tracking::Joint::thumb_tip}) {
            const auto parent = tracking::parent_of(joint);
            const float before_m = (tracked[joint].position_m - tracked[parent].position_m).norm();
            const float after_m = (hand.proxy()[joint].position_m - hand.proxy()[parent].position_m).norm();
            EXPECT_NEAR(after_m, before_m, 0.06F * before_m + 0.0005F) << i << ' ' << static_cast<int>(joint);
        }
    }
    EXPECT_EQ(apart, inside);
    EXPECT_GE(inside, 25);  // frames with the fingertip in it
    EXPECT_NEAR(hand.proxy()[tracking::Joint::index_tip].position_m.x(), 0.1F - kTipRadius_m, 0.0003F);
}

TEST(ProxyHand, DoesNotFollowThroughAThinPlate) {
    Followed hand(with(box_object({0.001F, 0.2F, 0.2F}, {0.1F, 0.5F, 0.0F})));
    for (int i = 0; i <= 60; ++i) {
        Claw claw;
        claw.middle_m.x() = 0.1F - claw.half_gap_m - kTipRadius_m - 0.02F + 0.001F * static_cast<float>(i);
        hand.step(claw.frame());
        EXPECT_LT(hand.proxy()[tracking::Joint::index_tip].position_m.x(), 0.1F - kTipRadius_m) << i;
    }
    // Back on its own side, the proxy equals the tracked hand again.
    Claw clear;
    clear.middle_m.x() = 0.0F;
    for (int i = 0; i < 3; ++i) hand.step(clear.frame());
    EXPECT_FALSE(hand.apart());
}

TEST(ProxyHand, IsFoundAgainBeyondAPlateThatTheHandHasLeftBehind) {
    Followed hand(with(box_object({0.001F, 0.2F, 0.2F}, {0.1F, 0.5F, 0.0F})));
    int apart = 0;
    for (int i = 0; i <= 80; ++i) {
        Claw claw;
        claw.middle_m.x() = 0.005F * static_cast<float>(i);
        hand.step(claw.frame());
        apart += hand.apart() ? 1 : 0;
    }
    EXPECT_GT(apart, 15);
    EXPECT_FALSE(hand.apart());
    EXPECT_GT(hand.proxy()[tracking::Joint::wrist].position_m.x(), 0.2F);
}

TEST(ProxyHand, ARoundThingIsNotEnteredEither) {
    SceneObject ball = ball_object(0.05F, {0.0F, 0.5F, -0.04F});
    ball.motion = Motion::fixed;
    Followed hand(with(ball));
    for (int i = 0; i <= 40; ++i) {
        Claw claw;
        claw.half_gap_m = 0.07F - 0.001F * static_cast<float>(i);  // both tips close on it, 8 mm deep at the end
        hand.step(claw.frame());
        EXPECT_GT(least_distance_m(hand.session.world, hand.proxy()), -0.001F) << i;
    }
    EXPECT_TRUE(hand.apart());
}

TEST(ProxyHand, ALostHandHasNone) {
    Followed hand(with(box_object({0.05F, 0.2F, 0.2F}, {0.15F, 0.5F, 0.0F})));
    hand.step(Claw{}.frame());
    tracking::HandPair no_hands;
    follow(hand.session.world, no_hands, hand.proxies);
    EXPECT_FALSE(hand.proxy().active);
    EXPECT_FALSE(hand.apart());
}

}  // namespace
}  // namespace glovebox::scenes
