// HOT3D (umetrack_hand_pose_trajectory.jsonl): a line a time, {"timestamp_ns", "hand_poses": {"0" (left) | "1" (right):
// {"wrist_xform": {"t_xyz", "q_wxyz"}, "joint_angles": [22], "hand_confidence"}}}, metres and radians. The bones are
// the wearer's own, in umetrack_hand_user_profile.json beside it, in millimetres: joints with axes and positions in the
// rest frame of the wrist, four a finger, and 21 landmarks that hang on the bones with weights.
//
// A joint turns about its axis through its position, one after the other along a finger; bone 2 + 3 f + k follows joint
// 4 f + 1 + k, bones 0 and 1 the wrist. The model is a left hand: a right one is mirrored in x before the wrist's
// transform. Angles are taken as they are; the data go beyond the model's limits.
#include "recordings/formats/umetrack_json.h"

#include <cmath>

#include "recordings/json.h"

namespace glovebox::recordings {
namespace {

using Eigen::Isometry3f;
using Eigen::Vector3f;
using tracking::Joint;
using tracking::Side;

constexpr std::size_t kAngles = 20, kModelJoints = 22, kLandmarks = 21, kBones = 17;
constexpr std::size_t kMaxProfileBytes = std::size_t{16} << 20;

// Of the landmarks, thumb to little finger first: as Aria has them.
constexpr std::array<Joint, kLandmarks> kJoints = {Joint::thumb_tip,
                                                   Joint::index_tip,
                                                   Joint::middle_tip,
                                                   Joint::ring_tip,
                                                   Joint::little_tip,
                                                   Joint::wrist,
                                                   Joint::thumb_proximal,
                                                   Joint::thumb_distal,
                                                   Joint::index_proximal,
                                                   Joint::index_intermediate,
                                                   Joint::index_distal,
                                                   Joint::middle_proximal,
                                                   Joint::middle_intermediate,
                                                   Joint::middle_distal,
                                                   Joint::ring_proximal,
                                                   Joint::ring_intermediate,
                                                   Joint::ring_distal,
                                                   Joint::little_proximal,
                                                   Joint::little_intermediate,
                                                   Joint::little_distal,
                                                   Joint::palm};

struct Landmark {
    Vector3f rest_mm;
    std::array<std::size_t, 3> bones{};
    std::array<float, 3> weights{};
};

struct Model {
    std::array<Vector3f, kModelJoints> rest_mm, axes;
    std::array<Landmark, kLandmarks> landmarks;
};

Model read_model(const std::filesystem::path& path) {
    Input in(path);
    const Json document = parse_json(in, in.read_all(kMaxProfileBytes));
    const Json* json = json_member(document, "hand_model");
    const auto list = [&](const char* name, std::size_t count) -> const Json& {
        const Json* member = json != nullptr ? json_member(*json, name) : nullptr;
        if (member == nullptr || !member->is_array() || member->size() != count)
            in.fail(std::string("the hand model lacks ") + std::to_string(count) + " " + name);
        return *member;
    };
    const auto three = [&](const Json& item, float* values) {
        if (!json_numbers(item, 3, values)) in.fail("the hand model has something other than three numbers in a list");
    };
    Model model;
    const Json& rest = list("joint_rest_positions", kModelJoints);
    const Json& axes = list("joint_rotation_axes", kModelJoints);
    for (std::size_t i = 0; i < kModelJoints; ++i) {
        three(rest[i], model.rest_mm[i].data());
        three(axes[i], model.axes[i].data());
        if (i < kAngles && !(std::abs(model.axes[i].norm() - 1.0F) < 0.01F))
            in.fail("joint " + std::to_string(i) + " of the hand model has no axis");
    }
    const Json& positions = list("landmark_rest_positions", kLandmarks);
    const Json& bones = list("landmark_rest_bone_indices", kLandmarks);
    const Json& weights = list("landmark_rest_bone_weights", kLandmarks);
    for (std::size_t i = 0; i < kLandmarks; ++i) {
        Landmark& landmark = model.landmarks[i];
        Vector3f indices;
        three(positions[i], landmark.rest_mm.data());
        three(bones[i], indices.data());
        three(weights[i], landmark.weights.data());
        for (int k = 0; k < 3; ++k) {
            if (!(indices[k] >= 0.0F && indices[k] < static_cast<float>(kBones)))
                in.fail("a landmark of the hand model hangs on a bone that there is not");
            landmark.bones[static_cast<std::size_t>(k)] = static_cast<std::size_t>(indices[k]);
        }
    }
    return model;
}

void set_joint(const Vector3f& position_m, tracking::JointPose& joint) {
    joint.position_m = position_m;
    joint.flags = tracking::joint_flags::kPositionValid | tracking::joint_flags::kPositionTracked;
}

void pose_hand(const Model& model, const std::array<float, kAngles>& angles, const Isometry3f& world_from_wrist,
               Side side, tracking::HandFrame& hand) {
    std::array<Isometry3f, kBones> wrist_from_bone;
    wrist_from_bone.fill(Isometry3f::Identity());
    for (std::size_t finger = 0; finger < 5; ++finger) {
        Isometry3f chain = Isometry3f::Identity();
        for (std::size_t k = 0; k < 4; ++k) {
            const std::size_t j = 4 * finger + k;
            chain = chain * Eigen::Translation3f(model.rest_mm[j]) * Eigen::AngleAxisf(angles[j], model.axes[j]) *
                    Eigen::Translation3f(-model.rest_mm[j]);
            if (k > 0) wrist_from_bone[1 + 3 * finger + k] = chain;
        }
    }
    const auto in_world = [&](Vector3f in_wrist_mm) -> Vector3f {
        if (side == Side::right) in_wrist_mm.x() = -in_wrist_mm.x();
        return world_from_wrist * Vector3f(0.001F * in_wrist_mm);
    };
    hand.active = true;
    for (std::size_t i = 0; i < kLandmarks; ++i) {
        const Landmark& landmark = model.landmarks[i];
        Vector3f at_mm = Vector3f::Zero();
        for (std::size_t k = 0; k < 3; ++k)
            at_mm += landmark.weights[k] * (wrist_from_bone[landmark.bones[k]] * landmark.rest_mm);
        set_joint(in_world(at_mm), hand[kJoints[i]]);
    }
    set_joint(in_world(model.rest_mm[0]), hand[Joint::thumb_metacarpal]);
}

}  // namespace

bool is_umetrack_json(std::string_view head, std::uintmax_t) {
    const std::string_view line = head.substr(0, head.find('\n'));
    return line.starts_with('{') && line.find("\"hand_poses\"") != std::string_view::npos &&
           line.find("\"betas\"") == std::string_view::npos &&
           (line.find("\"joint_angles\"") != std::string_view::npos ||
            line.find("\"hand_poses\": {}") != std::string_view::npos);
}

void read_umetrack_json(Input& in, const ImportOptions&, Assembly& out) {
    const std::filesystem::path profile = in.path().parent_path() / "umetrack_hand_user_profile.json";
    if (!std::filesystem::is_regular_file(profile))
        in.fail(
            "these are angles of HOT3D's UmeTrack hand; its bones are in umetrack_hand_user_profile.json of the same "
            "take, which has to stand beside it");
    const Model model = read_model(profile);
    SourceTraits traits;
    traits.lacking = tracking::joint_set(
        {Joint::index_metacarpal, Joint::middle_metacarpal, Joint::ring_metacarpal, Joint::little_metacarpal});
    out.describe(traits);
    out.note(
        "Joints follow from the wearer's own bones, in umetrack_hand_user_profile.json; fingertips lie on the skin.");
    for (std::string_view line; in.next_full_line(line);) {
        const Json json = parse_json(in, line);
        const Json* time = json_member(json, "timestamp_ns");
        const Json* poses = json_member(json, "hand_poses");
        if (time == nullptr || !time->is_number_integer() || poses == nullptr || !poses->is_object())
            in.fail("the line lacks timestamp_ns or hand_poses");
        tracking::HandPair sample;
        sample.time_ns = time->get<std::int64_t>();
        for (const Side side : {Side::left, Side::right}) {
            const Json* pose = json_member(*poses, side == Side::left ? "0" : "1");
            if (pose == nullptr || pose->is_null()) continue;
            const Json* wrist = json_member(*pose, "wrist_xform");
            const Json* joint_angles = json_member(*pose, "joint_angles");
            const Json* turn = wrist != nullptr ? json_member(*wrist, "q_wxyz") : nullptr;
            Vector3f at_m;
            std::array<float, 4> q{};
            std::array<float, kAngles> angles{};
            bool whole = turn != nullptr && json_numbers(*turn, 4, q.data()) && json_vector(*wrist, "t_xyz", at_m) &&
                         joint_angles != nullptr && joint_angles->is_array() && joint_angles->size() >= kAngles;
            for (std::size_t i = 0; whole && i < kAngles; ++i) {
                whole = (*joint_angles)[i].is_number();
                if (whole) angles[i] = (*joint_angles)[i].get<float>();
            }
            const Eigen::Quaternionf orientation(q[0], q[1], q[2], q[3]);
            if (!whole || !(std::abs(orientation.norm() - 1.0F) < 0.05F))
                in.fail("a hand lacks its wrist_xform or its joint_angles");
            const Isometry3f world_from_wrist = Eigen::Translation3f(at_m) * orientation.normalized();
            pose_hand(model, angles, world_from_wrist, side, sample[side]);
        }
        out.push(sample);
    }
}

}  // namespace glovebox::recordings
