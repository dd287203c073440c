#include <algorithm>
#include <cmath>
#include <limits>
#include <random>

#include "tests/runtime/functions.h"

namespace glovebox::tests::runtime {
namespace {

HandSample wanted_at(std::size_t side, XrTime time) {
    Runtime& r = runtime();
    const HandNow& hand = r.hands[side];
    if (hand.fault == HandFault::frozen) time = std::min(time, hand.fault_since);
    HandSample sampled = sample(r.script.hands[side], side == 1, seconds_since_start(time));
    for (JointSample& joint : sampled)
        joint.stage_from_joint.position = joint.stage_from_joint.position + hand.offset_m;
    return sampled;
}

// Adds noise that depends only on the requested time: two requests for the same time give the same answer.
void add_noise(HandSample& hand, float sigma_m, std::size_t side, XrTime time) {
    std::minstd_rand random(static_cast<unsigned>(time / 1000 * 2) + static_cast<unsigned>(side));
    std::normal_distribution<float> normal(0.0F, sigma_m);
    for (JointSample& joint : hand) {
        XrVector3f& p = joint.stage_from_joint.position;
        p = p + XrVector3f{normal(random), normal(random), normal(random)};
    }
}

// Alters the joints as a broken tracker would that still reports them as valid.
void break_hand(HandFault fault, XrHandJointLocationsEXT& out) {
    const float nan = std::numeric_limits<float>::quiet_NaN();
    for (std::uint32_t j = 0; j < out.jointCount; ++j) {
        XrPosef& pose = out.jointLocations[j].pose;
        if (fault == HandFault::not_finite || fault == HandFault::not_finite_ahead)
            pose = {{nan, nan, nan, nan}, {nan, nan, nan}};
        if (fault == HandFault::no_radii) out.jointLocations[j].radius = 0;
        if (fault == HandFault::not_valid) out.jointLocations[j] = {0, {{nan, nan, nan, nan}, {nan, nan, nan}}, nan};
        if (fault == HandFault::zeros) pose = {{0, 0, 0, 0}, {0, 0, 0}};
        if (fault == HandFault::not_unit)
            pose.orientation = {3 * pose.orientation.x, 3 * pose.orientation.y, 3 * pose.orientation.z,
                                3 * pose.orientation.w};
    }
}

}  // namespace

bool hand_at(std::size_t side, XrTime time, HandSample& out) {
    if (runtime().script.hands[side].empty()) return false;
    out = wanted_at(side, time);
    return true;
}

XrResult create_hand_tracker(XrSession handle, const XrHandTrackerCreateInfoEXT* info, XrHandTrackerEXT* out) {
    Session* session = nullptr;
    if (const XrResult result = look_up(handle, session); result < 0) return result;
    GLOVEBOX_REQUIRE_TYPE(info, XR_TYPE_HAND_TRACKER_CREATE_INFO_EXT);
    if (!runtime().script.hand_tracking) return XR_ERROR_FEATURE_UNSUPPORTED;
    if (info->hand != XR_HAND_LEFT_EXT && info->hand != XR_HAND_RIGHT_EXT)
        return refuse(XR_ERROR_VALIDATION_FAILURE, "which hand?");
    if (info->handJointSet != XR_HAND_JOINT_SET_DEFAULT_EXT) return refuse(XR_ERROR_VALIDATION_FAILURE, "joint set");
    HandTracker& tracker = runtime().make<HandTracker>(session->handle);
    tracker.side = info->hand == XR_HAND_LEFT_EXT ? 0 : 1;
    *out = handle_of<XrHandTrackerEXT>(tracker);
    return XR_SUCCESS;
}

XrResult destroy_hand_tracker(XrHandTrackerEXT handle) {
    if (runtime().find<HandTracker>(number_of(handle)) == nullptr)
        return refuse(XR_ERROR_HANDLE_INVALID, "no such hand tracker");
    runtime().destroy(number_of(handle));
    return XR_SUCCESS;
}

XrResult locate_hand_joints(XrHandTrackerEXT handle, const XrHandJointsLocateInfoEXT* info,
                            XrHandJointLocationsEXT* out) {
    Runtime& r = runtime();
    HandTracker* tracker = nullptr;
    Space* base = nullptr;
    if (const XrResult result = look_up(handle, tracker); result < 0) return result;
    GLOVEBOX_REQUIRE_TYPE(info, XR_TYPE_HAND_JOINTS_LOCATE_INFO_EXT);
    GLOVEBOX_REQUIRE_TYPE(out, XR_TYPE_HAND_JOINT_LOCATIONS_EXT);
    if (const XrResult result = look_up(info->baseSpace, base); result < 0) return result;
    if (info->time <= 0) return refuse(XR_ERROR_TIME_INVALID, "xrLocateHandJointsEXT's time");
    if (out->jointCount != XR_HAND_JOINT_COUNT_EXT || out->jointLocations == nullptr)
        return refuse(XR_ERROR_VALIDATION_FAILURE, "26 joints are asked for");
    auto* velocities = in_chain<XrHandJointVelocitiesEXT>(out->next, XR_TYPE_HAND_JOINT_VELOCITIES_EXT);
    if (velocities != nullptr && (velocities->jointCount != out->jointCount || velocities->jointVelocities == nullptr))
        return refuse(XR_ERROR_VALIDATION_FAILURE, "26 velocities are asked for");

    const HandNow& now_hand = r.hands[tracker->side];
    const bool there = !r.script.hands[tracker->side].empty() && now_hand.fault != HandFault::dropped &&
                       now_hand.fault != HandFault::untracked;
    out->isActive = there;
    if (!there) {
        for (std::uint32_t j = 0; j < out->jointCount; ++j) out->jointLocations[j].locationFlags = 0;
        for (std::uint32_t j = 0; velocities != nullptr && j < out->jointCount; ++j)
            velocities->jointVelocities[j].velocityFlags = 0;
        return XR_SUCCESS;
    }
    XrSpaceLocationFlags flags = 0;
    const XrPosef base_from_stage = inverse(stage_from_space(*base, info->time, flags));
    const XrTime time = r.script.honour_time ? info->time : r.sampled_at;
    HandSample hand = wanted_at(tracker->side, time);
    constexpr XrTime kStep = 5'000'000;
    const HandSample before = wanted_at(tracker->side, time - kStep);
    const bool frozen = now_hand.fault == HandFault::frozen;
    if (r.script.noise_m > 0.0F && !frozen) add_noise(hand, r.script.noise_m, tracker->side, time);
    for (std::uint32_t j = 0; j < out->jointCount; ++j) {
        const XrPosef pose = base_from_stage * hand[j].stage_from_joint;
        out->jointLocations[j] = {kAllFlags, pose, hand[j].radius_m};
        if (velocities == nullptr) continue;
        XrHandJointVelocityEXT& velocity = velocities->jointVelocities[j];
        velocity = {};
        if (!r.script.velocities || frozen) continue;
        velocity.velocityFlags = XR_SPACE_VELOCITY_LINEAR_VALID_BIT;
        velocity.linearVelocity = rotate(base_from_stage.orientation,
                                         (1e9F / static_cast<float>(kStep)) *
                                             (hand[j].stage_from_joint.position - before[j].stage_from_joint.position));
    }
    if (now_hand.fault != HandFault::not_finite_ahead || info->time > now()) break_hand(now_hand.fault, *out);
    return XR_SUCCESS;
}

namespace {

// A hand as a set of prisms, one from each joint to its parent, each bound to the joint where it starts. It is plain,
// but has all parts of a hand mesh.
struct PrismHand {
    HandSample rest;
    std::vector<XrVector3f> positions, normals;
    std::vector<XrVector2f> uvs;
    std::vector<XrVector4sFB> joints;
    std::vector<XrVector4f> weights;
    std::vector<std::int16_t> indices;
};
constexpr int kSides = 8;

std::uint32_t parent_of(std::uint32_t joint) {
    const bool first = joint <= XR_HAND_JOINT_WRIST_EXT || joint == XR_HAND_JOINT_THUMB_METACARPAL_EXT ||
                       (joint >= 6 && (joint - 6) % 5 == 0);
    return first ? std::uint32_t{XR_HAND_JOINT_WRIST_EXT} : joint - 1;
}

void add_prism(PrismHand& hand, std::uint32_t joint) {
    const std::uint32_t parent = parent_of(joint);
    const XrVector3f from = hand.rest[parent].stage_from_joint.position,
                     to = hand.rest[joint].stage_from_joint.position;
    const XrVector3f d = to - from;
    const float length = std::sqrt(d.x * d.x + d.y * d.y + d.z * d.z);
    if (length < 1e-4F) return;
    const XrVector3f along = (1.0F / length) * d;
    const XrVector3f side = std::abs(along.y) < 0.9F ? XrVector3f{0, 1, 0} : XrVector3f{1, 0, 0};
    XrVector3f u = cross(along, side);
    u = (1.0F / std::sqrt(u.x * u.x + u.y * u.y + u.z * u.z)) * u;
    const XrVector3f v = cross(along, u);
    const auto first = static_cast<std::int16_t>(hand.positions.size());
    for (int end = 0; end < 2; ++end)
        for (int i = 0; i < kSides; ++i) {
            const float angle = 6.2831853F * static_cast<float>(i) / kSides;
            const XrVector3f out = std::cos(angle) * u + std::sin(angle) * v;
            const float radius_m = 0.9F * hand.rest[end == 0 ? parent : joint].radius_m;
            hand.positions.push_back((end == 0 ? from : to) + std::min(radius_m, 0.012F) * out);
            hand.normals.push_back(out);
            hand.uvs.push_back({static_cast<float>(i) / kSides, static_cast<float>(end)});
            hand.joints.push_back({static_cast<std::int16_t>(parent), 0, 0, 0});
            hand.weights.push_back({1, 0, 0, 0});
        }
    for (int i = 0; i < kSides; ++i) {
        const auto a = static_cast<std::int16_t>(first + i), b = static_cast<std::int16_t>(first + (i + 1) % kSides);
        const auto c = static_cast<std::int16_t>(a + kSides), e = static_cast<std::int16_t>(b + kSides);
        hand.indices.insert(hand.indices.end(), {a, b, e, a, e, c});
    }
}

PrismHand prism_hand(bool right) {
    HandMotion still;
    HandKey key;
    key.stage_from_wrist = kIdentityPose;
    still.keys.push_back(key);
    PrismHand hand;
    hand.rest = sample(still, right, 0.0);
    for (std::uint32_t joint = XR_HAND_JOINT_THUMB_METACARPAL_EXT; joint < XR_HAND_JOINT_COUNT_EXT; ++joint)
        add_prism(hand, joint);
    return hand;
}

}  // namespace

XrResult get_hand_mesh(XrHandTrackerEXT handle, XrHandTrackingMeshFB* out) {
    HandTracker* tracker = nullptr;
    if (const XrResult result = look_up(handle, tracker); result < 0) return result;
    GLOVEBOX_REQUIRE_TYPE(out, XR_TYPE_HAND_TRACKING_MESH_FB);
    const PrismHand hand = prism_hand(tracker->side == 1);
    out->jointCountOutput = XR_HAND_JOINT_COUNT_EXT;
    out->vertexCountOutput = static_cast<std::uint32_t>(hand.positions.size());
    out->indexCountOutput = static_cast<std::uint32_t>(hand.indices.size());
    if (out->jointCapacityInput == 0 && out->vertexCapacityInput == 0 && out->indexCapacityInput == 0)
        return XR_SUCCESS;
    if (out->jointCapacityInput < out->jointCountOutput || out->vertexCapacityInput < out->vertexCountOutput ||
        out->indexCapacityInput < out->indexCountOutput)
        return XR_ERROR_SIZE_INSUFFICIENT;
    if (out->jointBindPoses == nullptr || out->jointRadii == nullptr || out->jointParents == nullptr ||
        out->vertexPositions == nullptr || out->vertexNormals == nullptr || out->vertexUVs == nullptr ||
        out->vertexBlendIndices == nullptr || out->vertexBlendWeights == nullptr || out->indices == nullptr)
        return refuse(XR_ERROR_VALIDATION_FAILURE, "a hand mesh needs all of its arrays");
    for (std::uint32_t j = 0; j < XR_HAND_JOINT_COUNT_EXT; ++j) {
        out->jointBindPoses[j] = hand.rest[j].stage_from_joint;
        out->jointRadii[j] = hand.rest[j].radius_m;
        out->jointParents[j] = static_cast<XrHandJointEXT>(parent_of(j));
    }
    std::copy(hand.positions.begin(), hand.positions.end(), out->vertexPositions);
    std::copy(hand.normals.begin(), hand.normals.end(), out->vertexNormals);
    std::copy(hand.uvs.begin(), hand.uvs.end(), out->vertexUVs);
    std::copy(hand.joints.begin(), hand.joints.end(), out->vertexBlendIndices);
    std::copy(hand.weights.begin(), hand.weights.end(), out->vertexBlendWeights);
    std::copy(hand.indices.begin(), hand.indices.end(), out->indices);
    return XR_SUCCESS;
}

XrResult apply_force_feedback_curl(XrHandTrackerEXT handle, const XrForceFeedbackCurlApplyLocationsMNDX* info) {
    Runtime& r = runtime();
    HandTracker* tracker = nullptr;
    if (const XrResult result = look_up(handle, tracker); result < 0) return result;
    GLOVEBOX_REQUIRE_TYPE(info, XR_TYPE_FORCE_FEEDBACK_CURL_APPLY_LOCATIONS_MNDX);
    if (!r.script.force_feedback) return XR_ERROR_FEATURE_UNSUPPORTED;
    if (info->locationCount == 0 || info->locations == nullptr)
        return refuse(XR_ERROR_VALIDATION_FAILURE, "curl without locations");
    for (std::uint32_t i = 0; i < info->locationCount; ++i) {
        const auto& location = info->locations[i];
        if (location.location < 0 || location.location > 4 || !(location.value >= 0.0F && location.value <= 1.0F))
            return refuse(XR_ERROR_VALIDATION_FAILURE, "a curl is 0 to 1 for one of five fingers");
        tracker->curl[static_cast<std::size_t>(location.location)] = location.value;
    }
    ++r.haptic_calls;
    const auto& c = tracker->curl;
    r.write_log("haptic curl %s %.3f %.3f %.3f %.3f %.3f", tracker->side == 0 ? "left" : "right", c[0], c[1], c[2],
                c[3], c[4]);
    return XR_SUCCESS;
}

}  // namespace glovebox::tests::runtime
