#include "recordings/formats/umetrack_model.h"

#include <cmath>

#include "recordings/formats/meta_landmarks.h"
#include "recordings/json.h"

namespace glovebox::recordings {
namespace {

using Eigen::Isometry3f;
using Eigen::Vector3f;
using tracking::Joint;
using tracking::Side;

constexpr std::size_t kMaxProfileBytes = std::size_t{16} << 20;

void set_joint(const Vector3f& position_m, tracking::JointPose& joint) {
    joint.position_m = position_m;
    joint.flags = tracking::joint_flags::kPositionValid | tracking::joint_flags::kPositionTracked;
}

const Json& list_of(const Input& in, const Json& document, const char* name) {
    const Json* model = json_member(document, "hand_model");
    const Json* member = model != nullptr ? json_member(*model, name) : nullptr;
    if (member == nullptr || !member->is_array()) in.fail(std::string("the hand model lacks ") + name);
    return *member;
}

using BonePoses = std::array<Isometry3f, UmeTrackModel::kBones>;  // wrist from wrist at rest, millimetres
BonePoses bone_poses(const UmeTrackModel& model, const UmeTrackPose& pose) {
    BonePoses wrist_from_bone;
    wrist_from_bone.fill(Isometry3f::Identity());
    for (std::size_t finger = 0; finger < 5; ++finger) {
        Isometry3f chain = Isometry3f::Identity();
        for (std::size_t k = 0; k < 4; ++k) {
            const std::size_t j = 4 * finger + k;
            chain = chain * Eigen::Translation3f(model.rest_mm[j]) *
                    Eigen::AngleAxisf(pose.angles_rad[j], model.axes[j]) * Eigen::Translation3f(-model.rest_mm[j]);
            if (k > 0) wrist_from_bone[1 + 3 * finger + k] = chain;
        }
    }
    return wrist_from_bone;
}

Vector3f in_world(const UmeTrackPose& pose, Side side, Vector3f in_wrist_mm) {
    if (side == Side::right) in_wrist_mm.x() = -in_wrist_mm.x();
    return pose.world_from_wrist * Vector3f(0.001F * in_wrist_mm);
}

}  // namespace

UmeTrackModel read_umetrack_model(const std::filesystem::path& path) {
    Input in(path);
    const Json document = parse_json(in, in.read_all(kMaxProfileBytes));
    const auto list = [&](const char* name, std::size_t count) -> const Json& {
        const Json& member = list_of(in, document, name);
        if (member.size() != count) in.fail(std::string("the hand model lacks ") + std::to_string(count) + " " + name);
        return member;
    };
    const auto three = [&](const Json& item, float* values) {
        if (!json_numbers(item, 3, values)) in.fail("the hand model has something other than three numbers in a list");
    };
    UmeTrackModel model;
    const Json& rest = list("joint_rest_positions", UmeTrackModel::kJoints);
    const Json& axes = list("joint_rotation_axes", UmeTrackModel::kJoints);
    for (std::size_t i = 0; i < UmeTrackModel::kJoints; ++i) {
        three(rest[i], model.rest_mm[i].data());
        three(axes[i], model.axes[i].data());
        if (i < UmeTrackModel::kAngles && !(std::abs(model.axes[i].norm() - 1.0F) < 0.01F))
            in.fail("joint " + std::to_string(i) + " of the hand model has no axis");
    }
    const Json& positions = list("landmark_rest_positions", UmeTrackModel::kLandmarks);
    const Json& bones = list("landmark_rest_bone_indices", UmeTrackModel::kLandmarks);
    const Json& weights = list("landmark_rest_bone_weights", UmeTrackModel::kLandmarks);
    for (std::size_t i = 0; i < UmeTrackModel::kLandmarks; ++i) {
        UmeTrackModel::Landmark& landmark = model.landmarks[i];
        Vector3f indices;
        three(positions[i], landmark.rest_mm.data());
        three(bones[i], indices.data());
        three(weights[i], landmark.weights.data());
        for (int k = 0; k < 3; ++k) {
            if (!(indices[k] >= 0.0F && indices[k] < static_cast<float>(UmeTrackModel::kBones)))
                in.fail("a landmark of the hand model hangs on a bone that there is not");
            landmark.bones[static_cast<std::size_t>(k)] = static_cast<std::size_t>(indices[k]);
        }
    }
    return model;
}

UmeTrackSkin read_umetrack_skin(const std::filesystem::path& path) {
    Input in(path);
    const Json document = parse_json(in, in.read_all(kMaxProfileBytes));
    const Json& vertices = list_of(in, document, "mesh_vertices");
    const Json& weights = list_of(in, document, "dense_bone_weights");
    const Json& triangles = list_of(in, document, "mesh_triangles");
    if (weights.size() != vertices.size()) in.fail("the hand model has not one list of weights for each vertex");
    UmeTrackSkin skin;
    for (std::size_t i = 0; i < vertices.size(); ++i) {
        if (!json_numbers(vertices[i], 3, skin.rest_mm.emplace_back().data()) ||
            !json_numbers(weights[i], UmeTrackModel::kBones, skin.weights.emplace_back().data()))
            in.fail("a vertex of the hand model is not three numbers, or its weights are not seventeen");
    }
    for (const Json& item : triangles) {
        Vector3f corners;
        if (!json_numbers(item, 3, corners.data()) || !(corners.minCoeff() >= 0.0F) ||
            !(corners.maxCoeff() < static_cast<float>(skin.rest_mm.size())))
            in.fail("a triangle of the hand model has a corner that there is not");
        skin.triangles.push_back({static_cast<std::uint32_t>(corners.x()), static_cast<std::uint32_t>(corners.y()),
                                  static_cast<std::uint32_t>(corners.z())});
    }
    return skin;
}

void read_umetrack_poses(Input& in, const std::function<void(std::int64_t, const UmeTrackHands&)>& take) {
    for (std::string_view line; in.next_full_line(line);) {
        const Json json = parse_json(in, line);
        const Json* time = json_member(json, "timestamp_ns");
        const Json* poses = json_member(json, "hand_poses");
        if (time == nullptr || !time->is_number_integer() || poses == nullptr || !poses->is_object())
            in.fail("the line lacks timestamp_ns or hand_poses");
        UmeTrackHands hands;
        for (const Side side : {Side::left, Side::right}) {
            const Json* hand = json_member(*poses, side == Side::left ? "0" : "1");
            if (hand == nullptr || hand->is_null()) continue;
            const Json* wrist = json_member(*hand, "wrist_xform");
            const Json* joint_angles = json_member(*hand, "joint_angles");
            const Json* turn = wrist != nullptr ? json_member(*wrist, "q_wxyz") : nullptr;
            Vector3f at_m;
            std::array<float, 4> q{};
            UmeTrackPose pose;
            bool whole = turn != nullptr && json_numbers(*turn, 4, q.data()) && json_vector(*wrist, "t_xyz", at_m) &&
                         joint_angles != nullptr && joint_angles->is_array() &&
                         joint_angles->size() >= UmeTrackModel::kAngles;
            for (std::size_t i = 0; whole && i < UmeTrackModel::kAngles; ++i) {
                whole = (*joint_angles)[i].is_number();
                if (whole) pose.angles_rad[i] = (*joint_angles)[i].get<float>();
            }
            const Eigen::Quaternionf orientation(q[0], q[1], q[2], q[3]);
            if (!whole || !(std::abs(orientation.norm() - 1.0F) < 0.05F))
                in.fail("a hand lacks its wrist_xform or its joint_angles");
            pose.world_from_wrist = Eigen::Translation3f(at_m) * orientation.normalized();
            hands[side] = pose;
        }
        take(time->get<std::int64_t>(), hands);
    }
}

void pose_umetrack(const UmeTrackModel& model, const UmeTrackPose& pose, Side side, tracking::HandFrame& hand) {
    const BonePoses wrist_from_bone = bone_poses(model, pose);
    hand.active = true;
    for (std::size_t i = 0; i < UmeTrackModel::kLandmarks; ++i) {
        const UmeTrackModel::Landmark& landmark = model.landmarks[i];
        Vector3f at_mm = Vector3f::Zero();
        for (std::size_t k = 0; k < 3; ++k)
            at_mm += landmark.weights[k] * (wrist_from_bone[landmark.bones[k]] * landmark.rest_mm);
        set_joint(in_world(pose, side, at_mm), hand[kMetaLandmarks[i]]);
    }
    set_joint(in_world(pose, side, model.rest_mm[0]), hand[Joint::thumb_metacarpal]);
}

void skin_umetrack(const UmeTrackModel& model, const UmeTrackSkin& skin, const UmeTrackPose& pose, Side side,
                   std::vector<Vector3f>& vertices_m) {
    const BonePoses wrist_from_bone = bone_poses(model, pose);
    vertices_m.resize(skin.rest_mm.size());
    for (std::size_t i = 0; i < skin.rest_mm.size(); ++i) {
        Vector3f at_mm = Vector3f::Zero();
        for (std::size_t bone = 0; bone < UmeTrackModel::kBones; ++bone)
            at_mm += skin.weights[i][bone] * (wrist_from_bone[bone] * skin.rest_mm[i]);
        vertices_m[i] = in_world(pose, side, at_mm);
    }
}

}  // namespace glovebox::recordings
