#include "vr/session/wearer_skin.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "recordings/parse.h"
#include "tracking/hand_geometry.h"
#include "tracking/hand_profile.h"
#include "vr/render/hand_mesh.h"

namespace glovebox::vr {
namespace {

namespace fs = std::filesystem;
using recordings::UmeTrackModel;
using scenes::kHandBoneCount;
using tracking::HandFrame;
using tracking::Joint;
using tracking::Side;

constexpr int kAnyPalm = 0, kNoBone = -1;
constexpr std::size_t kMaxPoints = 4000;

bool is_tip(Joint joint) {
    const int number = static_cast<int>(joint);
    return number >= static_cast<int>(Joint::thumb_tip) && number % 5 == 0;
}

float length_of(const HandFrame& hand) {
    float length_m = 0.0F;
    for (Joint joint = Joint::middle_tip; joint != Joint::wrist; joint = tracking::parent_of(joint))
        length_m += (hand[joint].position_m - hand[tracking::parent_of(joint)].position_m).norm();
    return length_m;
}

// Gives a hand of positions its orientations, and radii of the default hand's proportions.
void complete(HandFrame& hand) {
    tracking::orient_from_positions(hand);
    tracking::HandPair one;
    one[hand.side] = hand;
    tracking::fill_radii(tracking::fit_profile({&one, 1}, hand.side), hand);
}

// ---- HOT3D

// Returns the bone with the largest weight. Frames 0 and 1 of the skin follow the wrist: 0 is the forearm's stump,
// which no bone of ours covers; 1 is the palm.
int bone_of_weights(const std::array<float, UmeTrackModel::kBones>& weights) {
    const auto most = std::ranges::max_element(weights) - weights.begin();
    if (most == 0) return kNoBone;
    if (most == 1) return kAnyPalm;
    const auto finger = static_cast<int>(most - 2) / 3, k = static_cast<int>(most - 2) % 3;
    return 4 * finger + 1 + k;
}

std::vector<WearerSkin> read_umetrack(const fs::path& path) {
    constexpr std::size_t kBentPoses = 4;
    const UmeTrackModel model = recordings::read_umetrack_model(path);
    const recordings::UmeTrackSkin mesh = recordings::read_umetrack_skin(path);
    tracking::PerSide<std::vector<recordings::UmeTrackPose>> poses;
    const fs::path take = path.parent_path() / "umetrack_hand_pose_trajectory.jsonl";
    if (fs::is_regular_file(take)) {
        recordings::Input in(take);
        recordings::read_umetrack_poses(in, [&](std::int64_t, const recordings::UmeTrackHands& hands) {
            for (const Side side : tracking::kSides)
                if (hands[side]) poses[side].push_back(*hands[side]);
        });
    }
    std::vector<WearerSkin> skins;
    for (const Side side : tracking::kSides) {
        WearerSkin skin;
        for (const auto& weights : mesh.weights) skin.bone_of_point.push_back(bone_of_weights(weights));
        skin.rest = pose_wearer(model, mesh, {}, side);
        const std::size_t count = poses[side].size();
        for (std::size_t k = 0; k < kBentPoses && count > kBentPoses; ++k)
            skin.bent.push_back(pose_wearer(model, mesh, poses[side][(2 * k + 1) * count / (2 * kBentPoses)], side));
        skins.push_back(std::move(skin));
    }
    return skins;
}

// ---- rigged meshes

// Returns the bone of a joint's weights: that which begins at the joint. A tip belongs to the bone before it.
int bone_of_joint(Joint joint) {
    if (joint == Joint::palm || joint == Joint::wrist) return kAnyPalm;
    for (int bone = 1; bone < kHandBoneCount; ++bone) {
        if (scenes::is_of_palm(bone)) continue;
        const scenes::BoneEnds ends = scenes::ends_of_bone(bone);
        if (joint == ends.from) return bone;
        if (joint == ends.to && is_tip(joint)) return bone;
    }
    return kAnyPalm;  // a metacarpal of a finger
}

// Returns the bone of a vertex, or none for the forearm, which lies behind the wrist.
int bone_of_vertex(const RiggedHand::Vertex& vertex, const Eigen::Vector3f& behind) {
    std::size_t most = 0;
    for (std::size_t i = 1; i < vertex.weights.size(); ++i)
        if (vertex.weights[i] > vertex.weights[most]) most = i;
    const int bone = bone_of_joint(static_cast<Joint>(std::min<int>(vertex.joints[most], tracking::kJointCount - 1)));
    return bone == kAnyPalm && behind.z() > 0.0F ? kNoBone : bone;
}

// Bends the hand at the fingers' knuckles and joints, each about its own axis, and moves the skin along by its weights.
scenes::PosedSkin bent(const RiggedHand& rig, const HandFrame& rest, float angle_rad) {
    std::array<Eigen::Isometry3f, tracking::kJointCount> turn;  // by joint: from rest to bent
    turn.fill(Eigen::Isometry3f::Identity());
    for (int i = 2; i < tracking::kJointCount; ++i) {
        const auto joint = static_cast<Joint>(i), parent = tracking::parent_of(joint);
        const auto at = static_cast<std::size_t>(i);
        turn[at] = turn[static_cast<std::size_t>(parent)];
        const bool is_thumbs_base = joint == Joint::thumb_metacarpal || joint == Joint::thumb_proximal;
        if (parent == Joint::wrist || is_tip(joint) || is_thumbs_base) continue;
        const tracking::JointPose& pose = rest[joint];
        turn[at] = turn[at] * Eigen::Translation3f(pose.position_m) *
                   Eigen::AngleAxisf(-angle_rad, pose.orientation * Eigen::Vector3f::UnitX()) *
                   Eigen::Translation3f(-pose.position_m);
    }
    scenes::PosedSkin posed;
    posed.hand = rest;
    for (std::size_t j = 0; j < tracking::kJointCount; ++j) {
        posed.hand.joints[j].position_m = turn[j] * rest.joints[j].position_m;
        posed.hand.joints[j].orientation = Eigen::Quaternionf(turn[j].linear()) * rest.joints[j].orientation;
    }
    for (const RiggedHand::Vertex& vertex : rig.vertices) {
        Eigen::Vector3f sum = Eigen::Vector3f::Zero();
        float weight = 0.0F;
        for (std::size_t k = 0; k < vertex.weights.size(); ++k) {
            const float w = vertex.weights[k];
            if (!(w > 0.0F)) continue;
            sum += w * (turn[std::min<std::size_t>(vertex.joints[k], tracking::kJointCount - 1)] * vertex.position_m);
            weight += w;
        }
        posed.points_m.emplace_back(weight > 0.0F ? Eigen::Vector3f(sum / weight) : vertex.position_m);
    }
    return posed;
}

std::vector<WearerSkin> read_rig(const fs::path& path) {
    RiggedHand rig = read_rigged_hand_apart(path);
    WearerSkin skin;
    HandFrame& rest = skin.rest.hand;
    rest = rest_frame(rig);  // throws if there are no vertices
    complete(rest);
    // A scan has many more points than a fit needs; its time is linear in them.
    const std::size_t stride = (rig.vertices.size() + kMaxPoints - 1) / kMaxPoints;
    for (std::size_t i = 0; i * stride < rig.vertices.size(); ++i) rig.vertices[i] = rig.vertices[i * stride];
    rig.vertices.resize((rig.vertices.size() + stride - 1) / stride);
    const Eigen::Isometry3f wrist_from_mesh =
        (Eigen::Translation3f(rest[Joint::wrist].position_m) * rest[Joint::wrist].orientation).inverse();
    for (const RiggedHand::Vertex& vertex : rig.vertices) {
        skin.bone_of_point.push_back(bone_of_vertex(vertex, wrist_from_mesh * vertex.position_m));
        skin.rest.points_m.push_back(vertex.position_m);
    }
    for (const float angle_rad : {0.3F, 0.6F, 0.9F}) skin.bent.push_back(bent(rig, rest, angle_rad));
    return {skin};
}

// Returns true for a JSON file that is not a glTF in text.
bool is_umetrack(const fs::path& path) {
    const recordings::Input in(path);
    const std::string_view head = recordings::trimmed(in.head());
    return head.starts_with('{') && head.find("\"asset\"") == std::string_view::npos;
}

}  // namespace

scenes::PosedSkin pose_wearer(const UmeTrackModel& model, const recordings::UmeTrackSkin& skin,
                              const recordings::UmeTrackPose& pose, Side side) {
    static const tracking::JointSet lacking = tracking::joint_set(
        {Joint::index_metacarpal, Joint::middle_metacarpal, Joint::ring_metacarpal, Joint::little_metacarpal});
    scenes::PosedSkin posed;
    posed.hand.side = side;
    recordings::pose_umetrack(model, pose, side, posed.hand);
    tracking::place_missing_joints(lacking, posed.hand);
    complete(posed.hand);
    recordings::skin_umetrack(model, skin, pose, side, posed.points_m);
    return posed;
}

std::vector<WearerSkin> read_wearer_skin(const fs::path& path) {
    std::vector<WearerSkin> skins = is_umetrack(path) ? read_umetrack(path) : read_rig(path);
    for (const WearerSkin& skin : skins) {
        const float length_m = length_of(skin.rest.hand);
        if (!(length_m > 0.10F && length_m < 0.30F))
            throw std::runtime_error(path.string() + ": a hand of " +
                                     std::to_string(static_cast<int>(std::lround(100.0F * length_m))) +
                                     " cm; scale the mesh so that it is as large as the wearer's hand in metres");
    }
    return skins;
}

scenes::HandShape fit_to_skin(const WearerSkin& skin) {
    std::vector<scenes::SkinPoint> points;
    for (std::size_t i = 0; i < skin.bone_of_point.size(); ++i)
        if (skin.bone_of_point[i] != kNoBone) points.push_back({skin.rest.points_m[i], skin.bone_of_point[i]});
    std::vector<scenes::PosedSkin> poses = {skin.rest};
    poses.insert(poses.end(), skin.bent.begin(), skin.bent.end());
    return scenes::refine_hand_shape(scenes::fit_hand_shape(skin.rest.hand, points), skin.bone_of_point, poses);
}

std::vector<double> skin_distances_m(const WearerSkin& skin, const scenes::HandShape& shape, int bone) {
    std::vector<double> distances_m;
    const auto add = [&](const scenes::PosedSkin& pose) {
        for (std::size_t i = 0; i < skin.bone_of_point.size(); ++i)
            if (skin.bone_of_point[i] == bone)
                distances_m.push_back(scenes::distance_to_cover(shape, pose.hand, bone, pose.points_m[i]));
    };
    add(skin.rest);
    for (const scenes::PosedSkin& pose : skin.bent) add(pose);
    return distances_m;
}

}  // namespace glovebox::vr
