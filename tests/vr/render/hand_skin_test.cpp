#include "vr/render/hand_skin.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <set>

#include "tests/vr/render/skin_matrices.h"
#include "tests/vr/session/scripted_view.h"
#include "vr/render/hand_field.h"

namespace glovebox::vr {
namespace {

using Eigen::Vector3f;

const HandSkin& coarse_skin() {
    static const HandSkin skin = build_skin(rest_skeleton({}, tracking::Side::right), {.cell_m = 0.004F, .threads = 2});
    return skin;
}

TEST(HandSkin, IsClosed) {
    // Every directed edge must be matched by its reverse, equally often.
    std::map<std::pair<std::uint32_t, std::uint32_t>, int> balance;
    for (const auto& t : coarse_skin().triangles)
        for (std::size_t i = 0; i < 3; ++i) {
            ++balance[{t[i], t[(i + 1) % 3]}];
            --balance[{t[(i + 1) % 3], t[i]}];
        }
    ASSERT_GT(balance.size(), 10000U);
    for (const auto& [edge, count] : balance) ASSERT_EQ(count, 0) << edge.first << " to " << edge.second;
}

TEST(HandSkin, EnclosesAHandsVolumeAndFacesOutwards) {
    // Divergence theorem: positive if triangles face outwards. A hand with 10 cm of forearm is 0.3 to 0.9 litres.
    double volume_m3 = 0.0;
    const HandSkin& skin = coarse_skin();
    for (const auto& t : skin.triangles)
        volume_m3 +=
            skin.vertices[t[0]].position_m.dot(skin.vertices[t[1]].position_m.cross(skin.vertices[t[2]].position_m)) /
            6.0F;
    EXPECT_GT(volume_m3, 0.30e-3);
    EXPECT_LT(volume_m3, 0.90e-3);
}

TEST(HandSkin, LiesOnTheFieldsZeroSet) {
    const HandField field(rest_skeleton({}, tracking::Side::right));
    float worst_m = 0.0F;
    for (const SkinVertex& vertex : coarse_skin().vertices)
        worst_m = std::max(worst_m, std::abs(field.distance_m(vertex.position_m)));
    EXPECT_LT(worst_m, 0.6e-3F);
}

TEST(HandSkin, ReachesEveryFingertipAndNoFurther) {
    const HandSkeleton skeleton = rest_skeleton({}, tracking::Side::right);
    for (const tracking::Joint tip :
         {tracking::Joint::thumb_tip, tracking::Joint::index_tip, tracking::Joint::middle_tip,
          tracking::Joint::ring_tip, tracking::Joint::little_tip}) {
        const auto j = static_cast<std::size_t>(tip);
        float nearest_m = 1.0F;
        for (const SkinVertex& vertex : coarse_skin().vertices)
            nearest_m = std::min(nearest_m, (vertex.position_m - skeleton.joint_m[j]).norm());
        EXPECT_NEAR(nearest_m, 0.93F * skeleton.radius_m[j], 1.5e-3F) << tracking::name_of(tip);
    }
}

TEST(HandSkin, FingersAreApartAtRest) {
    // Halfway between the ends of neighbouring proximal phalanges there must be a gap, or skinning would tear a web.
    const HandField field(rest_skeleton({}, tracking::Side::right));
    const HandSkeleton skeleton = rest_skeleton({}, tracking::Side::right);
    for (std::size_t f = 0; f < 3; ++f) {
        const std::size_t joint = 8 + 5 * f;
        const Vector3f between = 0.5F * (skeleton.joint_m[joint] + skeleton.joint_m[joint + 5]);
        EXPECT_GT(field.distance_m(between), 1e-3F) << f;
    }
}

TEST(HandSkin, WeightsSumToOneAndNameBones) {
    for (const SkinVertex& vertex : coarse_skin().vertices) {
        float sum = 0.0F;
        for (std::size_t i = 0; i < 4; ++i) {
            ASSERT_GE(vertex.weights[i], 0.0F);
            ASSERT_LT(vertex.bones[i], kSkinBoneCount);
            sum += vertex.weights[i];
        }
        ASSERT_NEAR(sum, 1.0F, 1e-5F);
        ASSERT_NEAR(vertex.normal.norm(), 1.0F, 1e-4F);
        ASSERT_GE(vertex.open, 0.0F);
        ASSERT_LE(vertex.open, 1.0F);
    }
}

TEST(HandSkin, MirroredKeepsFacingOutwards) {
    const HandSkin left = mirrored(coarse_skin());
    EXPECT_EQ(left.side, tracking::Side::left);
    int agree = 0;
    for (const auto& t : left.triangles) {
        const Vector3f a = left.vertices[t[0]].position_m;
        const Vector3f face = (left.vertices[t[1]].position_m - a).cross(left.vertices[t[2]].position_m - a);
        agree += face.dot(left.vertices[t[0]].normal) > 0.0F;
    }
    EXPECT_GT(agree, static_cast<int>(0.99 * static_cast<double>(left.triangles.size())));
}

TEST(HandSkin, MirroredRestFramesAreTheLeftHands) {
    const HandSkin left = mirrored(coarse_skin());
    const BoneFrames expected = rest_frames(rest_skeleton({}, tracking::Side::right), tracking::Side::left);
    for (std::size_t b = 0; b < kSkinBoneCount; ++b)
        EXPECT_TRUE(left.rest[b].world_from_bone.matrix().isApprox(expected[b].world_from_bone.matrix(), 1e-4F)) << b;
}

TEST(HandSkin, ComesBackFromItsCacheAsItWas) {
    const auto folder = std::filesystem::path(testing::TempDir()) / "glovebox-skin-cache";
    std::filesystem::remove_all(folder);
    const SkinSettings settings = {.cell_m = 0.006F};
    const HandSkin made = cached_skin(rest_skeleton({}, tracking::Side::right), settings, folder);
    const HandSkin read = cached_skin(rest_skeleton({}, tracking::Side::right), settings, folder);
    ASSERT_EQ(made.vertices.size(), read.vertices.size());
    EXPECT_EQ(made.triangles, read.triangles);
    EXPECT_EQ(made.vertices.back().position_m, read.vertices.back().position_m);
    EXPECT_EQ(made.vertices.back().weights, read.vertices.back().weights);

    // A damaged file is detected and computed again.
    for (const auto& file : std::filesystem::directory_iterator(folder)) {
        std::fstream damage(file.path(), std::ios::in | std::ios::out | std::ios::binary);
        damage.seekp(2000);
        damage.put('x');
        damage.put('y');
    }
    const HandSkin again = cached_skin(rest_skeleton({}, tracking::Side::right), settings, folder);
    EXPECT_EQ(made.triangles, again.triangles);
    EXPECT_EQ(made.vertices[20].position_m, again.vertices[20].position_m);
}

TEST(HandSkeleton, RestPoseGivesIdentityMatrices) {
    for (const tracking::Side side : {tracking::Side::left, tracking::Side::right}) {
        const BoneFrames rest = rest_frames(rest_skeleton({}, tracking::Side::right), side);
        tracking::HandFrame frame = rest_hand(side, Vector3f::Zero());
        for (std::size_t b = 1; b < kSkinBoneCount; ++b)
            frame[skin_bone_joint(static_cast<int>(b))].orientation =
                Eigen::Quaternionf(rest[b].world_from_bone.linear());
        for (const Eigen::Matrix4f& matrix : matrices_of(skin_pose(tracked_frames(frame, rest), rest)))
            EXPECT_TRUE(matrix.isApprox(Eigen::Matrix4f::Identity(), 1e-3F)) << matrix;
    }
}

TEST(HandSkeleton, MovedHandMovesEveryBoneAlike) {
    const BoneFrames rest = rest_frames(rest_skeleton({}, tracking::Side::right), tracking::Side::right);
    tracking::HandFrame frame = rest_hand(tracking::Side::right, Vector3f::Zero());
    Eigen::Isometry3f motion = Eigen::Isometry3f::Identity();
    motion.linear() = Eigen::AngleAxisf(1.1F, Vector3f(1, 2, 3).normalized()).toRotationMatrix();
    motion.translation() = Vector3f(0.3F, -0.2F, 0.5F);
    for (std::size_t b = 1; b < kSkinBoneCount; ++b)
        frame[skin_bone_joint(static_cast<int>(b))].orientation =
            Eigen::Quaternionf(motion.linear() * rest[b].world_from_bone.linear());
    for (tracking::JointPose& joint : frame.joints) joint.position_m = motion * joint.position_m;
    for (const Eigen::Matrix4f& matrix : matrices_of(skin_pose(tracked_frames(frame, rest), rest)))
        EXPECT_TRUE(matrix.isApprox(motion.matrix(), 2e-3F)) << matrix;
}

TEST(HandSkeleton, LostJointsKeepTheirPlaceInTheHand) {
    const BoneFrames rest = rest_frames(rest_skeleton({}, tracking::Side::right), tracking::Side::right);
    tracking::HandFrame frame = rest_hand(tracking::Side::right, Vector3f(0.1F, 0.2F, 0.3F));
    for (const tracking::Joint lost : {tracking::Joint::index_distal, tracking::Joint::index_tip}) {
        frame[lost].flags = 0;
        frame[lost].position_m.setConstant(std::numeric_limits<float>::quiet_NaN());
    }
    for (const Eigen::Matrix4f& matrix : matrices_of(skin_pose(tracked_frames(frame, rest), rest)))
        EXPECT_TRUE(matrix.allFinite());
}

TEST(HandSkeleton, DrawnFingertipIsTheTrackedOneAlsoWhenABoneIsLonger) {
    const BoneFrames rest = rest_frames(rest_skeleton({}, tracking::Side::right), tracking::Side::right);
    tracking::HandFrame frame = rest_hand(tracking::Side::right, Vector3f::Zero());
    const Vector3f tip_at_rest = frame[tracking::Joint::index_tip].position_m;
    const Vector3f along = (tip_at_rest - frame[tracking::Joint::index_distal].position_m).normalized();
    frame[tracking::Joint::index_tip].position_m += 0.006F * along;
    const auto matrices = matrices_of(skin_pose(tracked_frames(frame, rest), rest));
    constexpr int kIndexDistal = 7;
    const Vector3f drawn = (matrices[kIndexDistal] * tip_at_rest.homogeneous()).head<3>();
    EXPECT_LT((drawn - frame[tracking::Joint::index_tip].position_m).norm(), 1e-4F);
}

// Blended matrices would flatten the inside of a knuckle: at 110 degrees to less than a third of its thickness.
TEST(HandSkeleton, AFingerBentByMoreThanARightAngleKeepsItsThickness) {
    const HandSkin skin = build_skin(rest_skeleton({}, tracking::Side::right), {.cell_m = 0.003F});
    constexpr int kProximal = 5, kMiddle = 6;  // phalanges of the index finger
    BoneFrames tracked = skin.rest;
    const Eigen::Isometry3f hinge = skin.rest[kMiddle].world_from_bone;
    const Eigen::Isometry3f turn = hinge * Eigen::AngleAxisf(-110.0F / 57.29578F, Vector3f::UnitX()) * hinge.inverse();
    for (const int bone : {kMiddle, kMiddle + 1}) {
        BoneFrame& frame = tracked[static_cast<std::size_t>(bone)];
        frame.world_from_bone = turn * frame.world_from_bone;
    }
    const SkinPose pose = skin_pose(tracked, skin.rest);
    const Vector3f joint_m = hinge.translation(), across = hinge.linear().col(0);
    // The distance of the skin at the knuckle from the hinge's axis, at rest and bent.
    int at_the_knuckle = 0;
    for (const SkinVertex& vertex : skin.vertices) {
        const bool shared = std::set<int>{vertex.bones[0], vertex.bones[1]} == std::set<int>{kProximal, kMiddle};
        if (!shared || vertex.weights[1] < 0.35F) continue;
        const auto from_line = [&](const Vector3f& point_m) { return (point_m - joint_m).cross(across).norm(); };
        const float rest_m = from_line(vertex.position_m);
        if (rest_m < 0.004F) continue;
        EXPECT_GT(from_line(bent(pose, vertex.position_m, vertex.weights, vertex.bones)), 0.8F * rest_m);
        ++at_the_knuckle;
    }
    EXPECT_GT(at_the_knuckle, 20);
}

}  // namespace
}  // namespace glovebox::vr
