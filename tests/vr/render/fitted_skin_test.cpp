// A user whose bones are fitted to their skin sees the bones that touch: the drawn skin lies on the cones of
// pose_hand().
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <span>

#include "scenes/hand_shape_fit.h"
#include "tracking/forward_kinematics.h"
#include "vr/render/hand_skin.h"
#include "vr/session/wearer_skin.h"

namespace glovebox::vr {
namespace {

using tracking::HandFrame;
using tracking::Joint;
using tracking::Side;

HandSkin skin_of(const tracking::HandProfile& profile, Side side) {
    HandSkin skin = build_skin(rest_skeleton(profile, side), {.cell_m = 0.003F, .threads = 2});
    return side == Side::left ? mirrored(skin) : skin;
}

tracking::HandProfile without_shape(tracking::HandProfile profile) {
    profile.shape.reset();
    return profile;
}

/// Distances of the drawn skin from the surfaces of the cones, over all poses.
struct Apart {
    double palm_p50_mm, palm_p95_mm, fingers_p50_mm, fingers_p95_mm;
};

double percentile(std::vector<double>& values, double share) {
    if (values.empty()) return HUGE_VAL;
    std::ranges::sort(values);
    return values[static_cast<std::size_t>(share * static_cast<double>(values.size() - 1))];
}

/// Measures each vertex against the nearest surface of a cone that may bound it: of its own finger or the palm. The
/// forearm has no cone. The palm includes the thumb's base.
Apart apart(const HandSkin& skin, const tracking::HandShape& shape, std::span<const HandFrame> frames) {
    std::vector<double> palm_mm, fingers_mm;
    for (const HandFrame& frame : frames) {
        const SkinPose pose = skin_pose(tracked_frames(frame, skin.rest), skin.rest);
        for (const SkinVertex& vertex : skin.vertices) {
            if (vertex.position_m.z() > -0.02F) continue;
            const Eigen::Vector3f point_m = bent(pose, vertex.position_m, vertex.weights, vertex.bones);
            const int own = scenes::is_of_palm(vertex.bones[0]) ? 0 : vertex.bones[0];
            double nearest_m = 1.0;
            for (int bone = 0; bone < scenes::kHandBoneCount; ++bone)
                if (scenes::covers_skin_of(own, bone))
                    nearest_m = std::min(
                        nearest_m, std::abs(scenes::signed_distance(scenes::cone_of(shape, frame, bone), point_m)));
            (own < 2 ? palm_mm : fingers_mm).push_back(1e3 * nearest_m);
        }
    }
    return {percentile(palm_mm, 0.5), percentile(palm_mm, 0.95), percentile(fingers_mm, 0.5),
            percentile(fingers_mm, 0.95)};
}

/// Bones that are fitted to no person: lower than the joints, to one side (so that a mirrored hand is not the same) and
/// thicker.
tracking::HandProfile fitted_profile(Side side) {
    tracking::HandProfile profile = tracking::default_profile();
    HandFrame hand = tracking::pose_from_angles(profile, {}, Eigen::Isometry3f::Identity(), side);
    tracking::fill_radii(profile, hand);
    tracking::HandShape& shape = profile.shape.emplace(scenes::usual_shape(hand));
    for (tracking::BoneShape& bone : shape)
        for (Eigen::Vector3f* offset_m : {&bone.from_offset_m, &bone.to_offset_m})
            *offset_m += Eigen::Vector3f(side == Side::left ? -0.0025F : 0.0025F, -0.0025F, 0.0F);
    for (const std::size_t bone : {2U, 5U, 9U, 13U, 17U}) {
        shape[bone].from_radius_m *= 1.25F;
        shape[bone].to_radius_m *= 1.15F;
    }
    return profile;
}

std::vector<HandFrame> some_poses(const tracking::HandProfile& profile, Side side) {
    Eigen::Isometry3f wrist = Eigen::Isometry3f::Identity();
    wrist.linear() = Eigen::AngleAxisf(0.9F, Eigen::Vector3f(1.0F, -2.0F, 0.5F).normalized()).toRotationMatrix();
    wrist.translation() = Eigen::Vector3f(0.2F, 1.1F, -0.3F);
    std::vector<HandFrame> poses;
    for (const float curl : {0.0F, 0.25F, 0.5F, 0.75F}) {
        tracking::HandAngles angles;
        angles.thumb.cmc_abduction = 0.4F;
        angles.thumb.mcp_flex = 0.5F * curl;
        angles.thumb.ip_flex = curl;
        for (tracking::FingerAngles& finger : angles.fingers) {
            finger.mcp_flex = curl * tracking::kClosedFinger_rad[0];
            finger.pip_flex = curl * tracking::kClosedFinger_rad[1];
            finger.dip_flex = curl * tracking::kClosedFinger_rad[2];
        }
        poses.push_back(tracking::pose_from_angles(profile, angles, wrist, side));
    }
    return poses;
}

// Measured with fitted bones: 0.38, 2.1, 1.3 and 3.8 mm; with the usual skin: 1.7, 3.9, 2.0 and 6.4 mm. The rest is in
// the webs and at the base of the thumb, where flesh blends.
constexpr double kMaxFingersP50_mm = 0.6, kMaxFingersP95_mm = 2.5, kMaxPalmP50_mm = 1.5, kMaxPalmP95_mm = 4.5;

void expect_near(const Apart& found, const std::string& which) {
    EXPECT_LT(found.fingers_p50_mm, kMaxFingersP50_mm) << which;
    EXPECT_LT(found.fingers_p95_mm, kMaxFingersP95_mm) << which;
    EXPECT_LT(found.palm_p50_mm, kMaxPalmP50_mm) << which;
    EXPECT_LT(found.palm_p95_mm, kMaxPalmP95_mm) << which;
}

TEST(FittedSkin, LiesOnTheConesThatCollide) {
    for (const Side side : tracking::kSides) {
        const tracking::HandProfile profile = fitted_profile(side);
        const std::vector<HandFrame> poses = some_poses(profile, side);
        expect_near(apart(skin_of(profile, side), *profile.shape, poses), std::string(name_of(side)));
        // Without the shape, the skin is somewhere else, or nothing is measured here.
        const Apart usual = apart(skin_of(without_shape(profile), side), *profile.shape, poses);
        EXPECT_GT(usual.fingers_p50_mm, kMaxFingersP50_mm);
        EXPECT_GT(usual.fingers_p95_mm, kMaxFingersP95_mm);
        EXPECT_GT(usual.palm_p50_mm, kMaxPalmP50_mm);
        EXPECT_GT(usual.palm_p95_mm, kMaxPalmP95_mm);
    }
}

// The wearers of HOT3D's two recordings, at rest and in four poses.
TEST(FittedSkin, LiesOnTheBonesOfRealWearers) {
    const char* folder = std::getenv("GLOVEBOX_REAL_DATA");
    const std::filesystem::path data = folder == nullptr ? "" : folder;
    if (!std::filesystem::exists(data / "hot3d")) GTEST_SKIP() << "no HOT3D in GLOVEBOX_REAL_DATA";
    for (const char* name : {"hot3d/umetrack_hand_user_profile.json", "hot3d/quest3/umetrack_hand_user_profile.json"})
        for (const WearerSkin& wearer : read_wearer_skin(data / name)) {
            const Side side = wearer.rest.hand.side;
            tracking::HandPair one;
            one[side] = wearer.rest.hand;
            tracking::HandProfile profile = tracking::fit_profile({&one, 1}, side);
            profile.shape = fit_to_skin(wearer);
            std::vector<HandFrame> poses = {wearer.rest.hand};
            for (const scenes::PosedSkin& pose : wearer.bent) poses.push_back(pose.hand);
            const Apart fitted = apart(skin_of(profile, side), *profile.shape, poses),
                        usual = apart(skin_of(without_shape(profile), side), *profile.shape, poses);
            expect_near(fitted, name);
            EXPECT_LT(fitted.fingers_p95_mm, 0.7 * usual.fingers_p95_mm) << name;
            EXPECT_LT(fitted.palm_p95_mm, 0.7 * usual.palm_p95_mm) << name;
        }
}

// A profile may say anything within the limits of bone_of_numbers(). The skin stays closed and of a hand's size.
TEST(FittedSkin, IsClosedWhateverTheShape) {
    tracking::HandShape nothing, far;
    far.fill({{0.2F, -0.2F, 0.2F}, {-0.2F, 0.2F, -0.2F}, 0.2F, 0.2F});
    tracking::HandShape spheres = *fitted_profile(Side::right).shape;
    for (tracking::BoneShape& bone : spheres) bone.from_radius_m = 0.0F, bone.to_radius_m = 0.04F;
    for (const tracking::HandShape& shape : {nothing, far, spheres, *fitted_profile(Side::right).shape}) {
        tracking::HandProfile profile = tracking::default_profile();
        profile.shape = shape;
        const HandSkin skin = skin_of(profile, Side::right);
        std::map<std::pair<std::uint32_t, std::uint32_t>, int> balance;
        for (const auto& t : skin.triangles)
            for (std::size_t i = 0; i < 3; ++i) {
                ++balance[{t[i], t[(i + 1) % 3]}];
                --balance[{t[(i + 1) % 3], t[i]}];
            }
        ASSERT_GT(balance.size(), 5000U);
        for (const auto& [edge, count] : balance) ASSERT_EQ(count, 0) << edge.first << " to " << edge.second;
        for (const SkinVertex& vertex : skin.vertices) {
            ASSERT_LT(vertex.position_m.norm(), 0.4F);
            ASSERT_TRUE(vertex.normal.allFinite());
        }
    }
}

// The cache's file name depends on the shape, and without a shape it is what it was before there were any.
TEST(FittedSkin, HasACacheFileOfItsOwn) {
    const auto folder = std::filesystem::path(testing::TempDir()) / "glovebox-fitted-skin-cache";
    std::filesystem::remove_all(folder);
    const auto files_after = [&](const tracking::HandProfile& profile) {
        cached_skin(rest_skeleton(profile, Side::right), {.cell_m = 0.006F}, folder);
        return std::distance(std::filesystem::directory_iterator(folder), {});
    };
    tracking::HandProfile profile = fitted_profile(Side::right);
    EXPECT_EQ(files_after(without_shape(profile)), 1);
    EXPECT_EQ(files_after(profile), 2);
    EXPECT_EQ(files_after(profile), 2);
    for (std::size_t number = 0; number < 8; ++number) {
        tracking::BoneNumbers numbers = tracking::numbers_of((*profile.shape)[19]);
        numbers[number] += 0.001F;
        (*profile.shape)[19] = *tracking::bone_of_numbers(numbers);
        EXPECT_EQ(files_after(profile), 3 + static_cast<std::ptrdiff_t>(number)) << number;
    }
    // A left hand is a right one mirrored.
    tracking::HandProfile left = profile;
    left.shape = tracking::mirrored(*profile.shape);
    const HandSkeleton mirror = rest_skeleton(left, Side::left);
    EXPECT_EQ(mirror.shape, rest_skeleton(profile, Side::right).shape);
    EXPECT_EQ(files_after(without_shape(profile)), 10) << "the first one again";
    std::filesystem::remove_all(folder);
}

}  // namespace
}  // namespace glovebox::vr
