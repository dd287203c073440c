#include "vr/openxr/scene_placer.h"

#include <gtest/gtest.h>

#include <fstream>
#include <limits>

#include "tests/test_folder.h"
#include "vr/openxr/scene_place.h"
#include "vr/openxr/seat.h"
#include "vr/platform/temporary_folder.h"

namespace glovebox::vr {
namespace {

using Eigen::Vector3f;
using tracking::Joint;
using tracking::Side;

constexpr std::int64_t kFrame_ns = 11'111'111;

// Thumb and index finger, `gap_m` between their surfaces, about a point.
void pinch(tracking::HandFrame& hand, const Vector3f& at_m, float gap_m) {
    hand.active = true;
    for (tracking::JointPose& joint : hand.joints) joint.flags = tracking::joint_flags::kPositionValid;
    hand[Joint::thumb_tip].radius_m = 0.009F;
    hand[Joint::index_tip].radius_m = 0.008F;
    hand[Joint::thumb_tip].position_m = at_m - 0.5F * (gap_m + 0.017F) * Vector3f::UnitX();
    hand[Joint::index_tip].position_m = at_m + 0.5F * (gap_m + 0.017F) * Vector3f::UnitX();
}

Eigen::Isometry3f head(float yaw_rad, float pitch_rad) {
    return Eigen::Translation3f(0.0F, 0.1F, 0.2F) * Eigen::AngleAxisf(yaw_rad, Vector3f::UnitY()) *
           Eigen::AngleAxisf(pitch_rad, Vector3f::UnitX());
}

const Eigen::Isometry3f kBefore{Eigen::Translation3f(0.5F, 0.6F, 0.7F)};

struct Placing {
    ScenePlacer placer;
    tracking::HandPair hands;
    Eigen::Isometry3f seat_from_head = head(0.0F, -0.6F);
    std::int64_t now_ns = 5'000'000'000;

    Placing() { placer.begin(kBefore); }
    bool frame() { return placer.update(hands, seat_from_head, now_ns += kFrame_ns); }
    // True if it is placed within so many frames.
    bool frames(int count) {
        for (int i = 0; i < count; ++i)
            if (frame()) return true;
        return false;
    }
};

TEST(ScenePlacer, PutsTheOriginAtAPinchThatLastsAndTurnsItAsTheHeadLooks) {
    for (const float yaw_rad : {0.0F, 0.5F, -2.4F}) {
        Placing placing;
        placing.seat_from_head = head(yaw_rad, -0.7F);
        pinch(placing.hands[Side::right], {0.1F, -0.3F, -0.4F}, 0.04F);
        EXPECT_FALSE(placing.frames(60)) << "an open hand";
        pinch(placing.hands[Side::right], {0.12F, -0.31F, -0.42F}, 0.0F);
        EXPECT_FALSE(placing.frames(13)) << "shorter than 0.15 s";
        EXPECT_TRUE(placing.frames(3));
        const Eigen::Isometry3f& place = placing.placer.seat_from_scene();
        EXPECT_LT((place.translation() - Vector3f(0.12F, -0.31F, -0.42F)).norm(), 1e-5F);
        const Eigen::Matrix3f turned = Eigen::AngleAxisf(yaw_rad, Vector3f::UnitY()).toRotationMatrix();
        EXPECT_LT((place.linear() - turned).norm(), 1e-4F) << "upright, whatever the head's pitch";
    }
}

TEST(ScenePlacer, FollowsTheRightHandElseTheLeftElseStays) {
    Placing placing;
    EXPECT_FALSE(placing.frame());
    EXPECT_TRUE(placing.placer.seat_from_scene().isApprox(kBefore)) << "no hand";
    pinch(placing.hands[Side::left], {-0.2F, 0.0F, -0.3F}, 0.05F);
    EXPECT_FALSE(placing.frame());
    EXPECT_LT((placing.placer.seat_from_scene().translation() - Vector3f(-0.2F, 0.0F, -0.3F)).norm(), 1e-5F);
    pinch(placing.hands[Side::right], {0.3F, 0.0F, -0.3F}, 0.05F);
    EXPECT_FALSE(placing.frame());
    EXPECT_LT((placing.placer.seat_from_scene().translation() - Vector3f(0.3F, 0.0F, -0.3F)).norm(), 1e-5F);
    // But it is placed where a hand pinches.
    pinch(placing.hands[Side::left], {-0.2F, 0.0F, -0.3F}, 0.0F);
    EXPECT_TRUE(placing.frames(20));
    EXPECT_LT((placing.placer.seat_from_scene().translation() - Vector3f(-0.2F, 0.0F, -0.3F)).norm(), 1e-5F);
}

TEST(ScenePlacer, AHandThatWasNotOpenBeforeDoesNotPlace) {
    Placing placing;
    pinch(placing.hands[Side::right], {0.0F, 0.0F, -0.3F}, 0.0F);
    EXPECT_FALSE(placing.frames(200)) << "as it was when the button was pressed";
    pinch(placing.hands[Side::right], {0.0F, 0.0F, -0.3F}, 0.03F);
    EXPECT_FALSE(placing.frame());
    pinch(placing.hands[Side::right], {0.0F, 0.0F, -0.3F}, 0.0F);
    EXPECT_TRUE(placing.frames(20));
}

TEST(ScenePlacer, AHandThatIsLostOrNotFiniteDoesNotPlace) {
    Placing placing;
    pinch(placing.hands[Side::right], {0.0F, 0.0F, -0.3F}, 0.03F);
    EXPECT_FALSE(placing.frame());
    for (int i = 0; i < 20; ++i) {
        pinch(placing.hands[Side::right], {0.0F, 0.0F, -0.3F}, 0.0F);
        EXPECT_FALSE(placing.frames(10));
        if (i % 2 == 0)
            placing.hands[Side::right].active = false;
        else
            placing.hands[Side::right][Joint::index_tip].position_m.x() = std::numeric_limits<float>::quiet_NaN();
        EXPECT_FALSE(placing.frame());
    }
    EXPECT_TRUE(placing.placer.seat_from_scene().matrix().allFinite());
    placing.placer.end();
    pinch(placing.hands[Side::right], {0.0F, 0.0F, -0.3F}, 0.0F);
    EXPECT_FALSE(placing.frames(50)) << "it has been left";
}

Eigen::Isometry3f scene_of(const openxr::SeatPlace& place) {
    return place.space_from_seat * Eigen::Translation3f(openxr::kSceneInSeat_m);
}

TEST(ScenePlace, IsParsedAsMetresAndDegrees) {
    const openxr::SeatPlace usual = parse_place("0,-0.4,-0.42");
    EXPECT_TRUE(usual.space_from_seat.isApprox(Eigen::Isometry3f::Identity(), 1e-6F)) << "at arm's length";
    EXPECT_FALSE(usual.in_stage);
    const Eigen::Isometry3f scene = scene_of(parse_place("0.1,-0.2,-0.5,90"));
    EXPECT_LT((scene.translation() - Vector3f(0.1F, -0.2F, -0.5F)).norm(), 1e-6F);
    EXPECT_LT((scene.linear() * -Vector3f::UnitZ() - -Vector3f::UnitX()).norm(), 1e-5F) << "to the left";
    for (const char* broken : {"", "1", "1,2", "1,2,x", "1,2,3,4,5", "nan,0,0", "1e9,0,0", "1,2,3m", "1,2,1e99"})
        EXPECT_ANY_THROW(parse_place(broken)) << broken;
}

TEST(ScenePlace, IsRememberedAsItWas) {
    const TemporaryFolder folder;
    const auto file = folder.path / "new" / "headset.json";
    EXPECT_FALSE(remembered_place(file));
    for (const bool in_stage : {false, true}) {
        openxr::SeatPlace place = parse_place("0.1,-0.2,-0.5,33");
        place.in_stage = in_stage;
        remember_place(place, file);
        const auto again = remembered_place(file);
        ASSERT_TRUE(again);
        EXPECT_EQ(again->in_stage, in_stage);
        EXPECT_TRUE(again->space_from_seat.isApprox(place.space_from_seat, 1e-5F));
    }
}

TEST(ScenePlace, AFileThatIsNoneIsSaidAndNotUsed) {
    const TemporaryFolder folder;
    const auto file = folder.path / "headset.json";
    for (const char* text : {"", "{", "[]", R"({"scene": 3})",
                             R"({"scene": {"space": "moon", "position_m": [0,0,0], "quaternion_xyzw": [0,0,0,1]}})",
                             R"({"scene": {"space": "local", "position_m": [0,0,1e9], "quaternion_xyzw": [0,0,0,1]}})",
                             R"({"scene": {"space": "local", "position_m": [0,0,0], "quaternion_xyzw": [0,0,0,0]}})",
                             R"({"scene": {"space": "local", "position_m": [0,0], "quaternion_xyzw": [0,0,0,1]}})"}) {
        std::ofstream(file) << text;
        testing::internal::CaptureStderr();
        EXPECT_FALSE(remembered_place(file)) << text;
        const std::string said = testing::internal::GetCapturedStderr();
        EXPECT_NE(said.find("headset.json is not used"), std::string::npos) << text;
        EXPECT_EQ(tests::text_of_file(file), text) << "and left alone";
    }
}

}  // namespace
}  // namespace glovebox::vr
