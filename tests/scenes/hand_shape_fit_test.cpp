#include "scenes/hand_shape_fit.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "tracking/forward_kinematics.h"

namespace glovebox::scenes {
namespace {

using collision::RoundCone;
using tracking::HandFrame;
using tracking::Side;

HandFrame flat_hand(Side side, const Eigen::Isometry3f& wrist = Eigen::Isometry3f::Identity()) {
    return tracking::pose_from_angles(tracking::default_profile(), {}, wrist, side);
}

// A point of the surface: somewhere round a ball that rolls along the axis, pushed out until it is on the hull of all.
Eigen::Vector3f on_surface(const RoundCone& cone, std::mt19937& random) {
    std::normal_distribution<float> normal;
    std::uniform_real_distribution<float> share(0.0F, 1.0F);
    const Eigen::Vector3f axis = cone.b_m - cone.a_m;
    const float sine = (cone.radius_a_m - cone.radius_b_m) / axis.norm();
    Eigen::Vector3f aside = Eigen::Vector3f(normal(random), normal(random), normal(random)).cross(axis).normalized();
    const float t = share(random);
    const Eigen::Vector3f outward = std::sqrt(1.0F - sine * sine) * aside + sine * axis.normalized();
    return cone.a_m + t * axis + ((1.0F - t) * cone.radius_a_m + t * cone.radius_b_m) * outward;
}

// Against the least distance to ten thousand balls along the axis.
TEST(HandShapeFit, DistanceToAConeIsThatToItsBalls) {
    std::mt19937 random(7);
    std::uniform_real_distribution<float> place(-0.05F, 0.05F), radius(0.002F, 0.02F);
    int side = 0, swallowed = 0;
    for (int i = 0; i < 400; ++i) {
        const RoundCone cone = {{place(random), place(random), place(random)},
                                {place(random), place(random), place(random)},
                                radius(random),
                                i % 10 == 0 ? 0.2F : radius(random)};
        const Eigen::Vector3f point(2.0F * place(random), 2.0F * place(random), 2.0F * place(random));
        double least = 1.0;
        constexpr int kBalls = 10000;
        int nearest = 0;
        for (int k = 0; k <= kBalls; ++k) {
            const float t = static_cast<float>(k) / kBalls;
            const double distance = double{((1.0F - t) * cone.a_m + t * cone.b_m - point).norm()} -
                                    double{(1.0F - t) * cone.radius_a_m + t * cone.radius_b_m};
            if (distance < least) nearest = k;
            least = std::min(least, distance);
        }
        side += nearest > 0 && nearest < kBalls ? 1 : 0;
        swallowed += cone.radius_b_m > 0.1F ? 1 : 0;
        EXPECT_NEAR(signed_distance(cone, point), least, 2e-6) << i;
    }
    EXPECT_GT(side, 100);
    EXPECT_GT(swallowed, 20);
}

TEST(HandShapeFit, TheUsualShapeIsThatOfPoseHand) {
    for (const Side side : tracking::kSides) {
        const HandFrame hand = flat_hand(side);
        const HandShape shape = usual_shape(hand);
        collision::BodyPose pose;
        pose_hand(hand, pose);
        for (int bone = 0; bone < kHandBoneCount; ++bone) {
            const RoundCone usual = std::get<RoundCone>(pose.shapes[static_cast<std::size_t>(bone)]),
                            again = cone_of(shape, hand, bone);
            EXPECT_LT((usual.a_m - again.a_m).norm() + (usual.b_m - again.b_m).norm(), 1e-6F) << bone;
            EXPECT_EQ(usual.radius_a_m, again.radius_a_m);
            EXPECT_EQ(usual.radius_b_m, again.radius_b_m);
        }
    }
}

// Skins of known cones, which lie beside the joints as flesh does: the fit finds the cones' surfaces again.
TEST(HandShapeFit, FitFindsTheConesThatASkinWasMadeOf) {
    std::mt19937 random(11);
    std::uniform_real_distribution<float> aside(-0.003F, 0.003F);
    for (const Side side : tracking::kSides) {
        const HandFrame rest = flat_hand(side);
        HandShape made = usual_shape(rest);
        for (BoneShape& bone : made) {
            bone.from_offset_m = {aside(random), aside(random), aside(random)};
            bone.to_offset_m = {aside(random), aside(random), aside(random)};
            bone.from_radius_m *= 1.2F;
            bone.to_radius_m *= 0.9F;
        }
        std::vector<SkinPoint> skin;
        for (int bone = 1; bone < kHandBoneCount; ++bone)
            for (int i = 0; i < 60 && !is_of_palm(bone); ++i)
                skin.push_back({on_surface(cone_of(made, rest, bone), random), bone});
        const HandShape found = fit_hand_shape(rest, skin), before = usual_shape(rest);
        double worst = 0.0, worst_before = 0.0;
        for (const SkinPoint& point : skin) {
            worst = std::max(worst, std::abs(signed_distance(cone_of(found, rest, point.bone), point.position_m)));
            worst_before =
                std::max(worst_before, std::abs(signed_distance(cone_of(before, rest, point.bone), point.position_m)));
        }
        EXPECT_LT(worst, 0.0004);
        EXPECT_GT(worst_before, 0.003) << "or there was nothing to find";
        EXPECT_EQ(found[4].from_radius_m, before[4].from_radius_m) << "a bone without skin stays on its joints";
    }
}

// Five cones side by side: the palm's points carry no word of which is whose.
TEST(HandShapeFit, FitSharesThePalmsSkinAmongItsCones) {
    std::mt19937 random(12);
    const HandFrame rest = flat_hand(Side::right);
    HandShape made = usual_shape(rest);
    for (const int bone : {4, 8, 12, 16}) {
        made[static_cast<std::size_t>(bone)].from_radius_m = 0.015F;
        made[static_cast<std::size_t>(bone)].to_radius_m = 0.012F;
        made[static_cast<std::size_t>(bone)].from_offset_m = {0.0F, -0.004F, 0.0F};
    }
    std::vector<SkinPoint> skin;
    const std::array<int, 4> bones = {4, 8, 12, 16};
    for (const int bone : bones)
        for (int i = 0; i < 300; ++i) {
            const Eigen::Vector3f point = on_surface(cone_of(made, rest, bone), random);
            bool hidden = false;  // skin is the outside of all cones together
            for (const int other : bones) hidden = hidden || signed_distance(cone_of(made, rest, other), point) < -1e-4;
            if (!hidden) skin.push_back({point, 0});
        }
    ASSERT_GT(skin.size(), 200U);
    const auto median_apart = [&](const HandShape& shape) {
        std::vector<double> apart;
        for (const SkinPoint& point : skin) {
            double least = 1.0;
            for (const int bone : {0, 4, 8, 12, 16})
                least = std::min(least, signed_distance(cone_of(shape, rest, bone), point.position_m));
            apart.push_back(std::abs(least));
        }
        std::ranges::nth_element(apart, apart.begin() + static_cast<std::ptrdiff_t>(apart.size() / 2));
        return apart[apart.size() / 2];
    };
    EXPECT_LT(median_apart(fit_hand_shape(rest, skin)), 0.0005);
    EXPECT_GT(median_apart(usual_shape(rest)), 0.002);
}

TEST(HandShapeFit, MovesWithTheHand) {
    HandShape shape = usual_shape(flat_hand(Side::left));
    for (BoneShape& bone : shape) bone.to_offset_m = {0.001F, -0.002F, 0.003F};
    Eigen::Isometry3f moved = Eigen::Isometry3f::Identity();
    moved.translation() = Eigen::Vector3f(0.3F, -0.2F, 1.0F);
    moved.linear() = Eigen::AngleAxisf(1.1F, Eigen::Vector3f(1.0F, 2.0F, 3.0F).normalized()).toRotationMatrix();
    for (int bone = 0; bone < kHandBoneCount; ++bone) {
        const RoundCone here = cone_of(shape, flat_hand(Side::left), bone),
                        there = cone_of(shape, flat_hand(Side::left, moved), bone);
        EXPECT_LT((moved * here.a_m - there.a_m).norm(), 1e-5F);
        EXPECT_LT((moved * here.b_m - there.b_m).norm(), 1e-5F);
    }
}

// From a start that is 2 mm off, over a flat and a bent hand, the refined cones have the skin's points on their
// surface.
TEST(HandShapeFit, RefiningFindsTheConesOfSeveralPoses) {
    std::mt19937 random(3);
    std::uniform_real_distribution<float> aside(-0.002F, 0.002F);
    tracking::HandAngles bent = tracking::resting_angles();
    for (tracking::FingerAngles& finger : bent.fingers) finger.pip_flex += 0.5F;
    std::vector<PosedSkin> poses(2);
    poses[0].hand = flat_hand(Side::right);
    poses[1].hand =
        tracking::pose_from_angles(tracking::default_profile(), bent, Eigen::Isometry3f::Identity(), Side::right);
    const HandShape made = usual_shape(poses[0].hand);
    const auto distance_m = [&](const HandShape& shape, const HandFrame& hand, int bone, const Eigen::Vector3f& point) {
        double least = 1.0;
        for (int cone = 0; cone < kHandBoneCount; ++cone)
            if (covers_skin_of(bone, cone)) least = std::min(least, signed_distance(cone_of(shape, hand, cone), point));
        return least;
    };
    std::vector<int> bones;
    for (int bone = 0; bone < kHandBoneCount; ++bone)
        for (int i = 0; i < 40; ++i) {
            const int region = is_of_palm(bone) ? 0 : bone;
            std::vector<Eigen::Vector3f> points;
            for (const PosedSkin& pose : poses) points.push_back(on_surface(cone_of(made, pose.hand, bone), random));
            bool outside = true;
            for (std::size_t p = 0; p < poses.size(); ++p)
                outside = outside && distance_m(made, poses[p].hand, region, points[p]) > -1e-5;
            if (!outside) continue;  // inside a neighbour
            bones.push_back(region);
            for (std::size_t p = 0; p < poses.size(); ++p) poses[p].points_m.push_back(points[p]);
        }
    EXPECT_GT(bones.size(), 300U);
    HandShape start = made;
    for (BoneShape& bone : start) {
        for (Eigen::Vector3f* offset : {&bone.from_offset_m, &bone.to_offset_m})
            *offset += Eigen::Vector3f(aside(random), aside(random), aside(random));
        bone.from_radius_m += aside(random);
    }
    const auto worst_m = [&](const HandShape& shape) {
        double worst = 0.0;
        for (const PosedSkin& pose : poses)
            for (std::size_t i = 0; i < bones.size(); ++i)
                worst = std::max(worst, std::abs(distance_m(shape, pose.hand, bones[i], pose.points_m[i])));
        return worst;
    };
    EXPECT_GT(worst_m(start), 0.0015);
    EXPECT_LT(worst_m(refine_hand_shape(start, bones, poses)), 0.0004);
    EXPECT_EQ(worst_m(refine_hand_shape(start, bones, {})), worst_m(start)) << "no poses, no change";
}

}  // namespace
}  // namespace glovebox::scenes
