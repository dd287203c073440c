#include "scenes/proxy_hand.h"

#include <algorithm>

#include "collision/query/rotation_between.h"

namespace glovebox::scenes {
namespace {

using Eigen::Vector3f;
using tracking::HandFrame;
using tracking::kJointCount;

constexpr float kNear_m = 0.03F;  // half-spaces further away than this cannot be reached within a frame
constexpr int kGathers = 3;       // half-spaces are tangent planes, so they are recomputed for round objects
constexpr int kIterations = 30;
constexpr float kPalmYield = 0.3F;  // weight of the palm against a finger joint: it yields, but fingers bend first
constexpr float kApart_m = 0.0005F;
constexpr float kLetGo_m = 0.1F;  // a hand's breadth

using Joints = std::array<Vector3f, kJointCount>;

// Wrist, palm, metacarpals and knuckles are one rigid piece.
constexpr bool in_palm(int joint) {
    if (joint < 2) return true;
    if (joint < 6) return joint == 2;
    return (joint - 6) % 5 < 2;
}

// The two joints of a bone. The palm translates with its first joint.
struct Ends {
    int from, to;
};
constexpr Ends ends_of(int bone) {
    if (bone == 0) return {0, 0};
    if (bone < 4) return {bone + 1, bone + 2};
    const int first = 6 + 5 * (bone / 4 - 1) + bone % 4;
    return {first, first + 1};
}

// normal . (share_from x_from + share_to x_to) <= limit
struct HalfSpaceOfBone {
    Ends ends;
    float share_to;
    Vector3f normal;
    float limit_m;
};

void move(Joints& joints, int joint, const Vector3f& by_m) {
    if (!in_palm(joint)) {
        joints[static_cast<std::size_t>(joint)] += by_m;
        return;
    }
    for (int i = 0; i < kJointCount; ++i)
        if (in_palm(i)) joints[static_cast<std::size_t>(i)] += by_m;
}

float yield_of(int joint) {
    return in_palm(joint) ? kPalmYield : 1.0F;
}

void keep_out(Joints& joints, const HalfSpaceOfBone& space) {
    const auto [from, to] = space.ends;
    const float share_from = 1.0F - space.share_to;
    const Vector3f at_m =
        share_from * joints[static_cast<std::size_t>(from)] + space.share_to * joints[static_cast<std::size_t>(to)];
    const float inside_m = space.normal.dot(at_m) - space.limit_m;
    if (inside_m <= 0.0F) return;
    if (from == to || (in_palm(from) && in_palm(to))) return move(joints, from, -inside_m * space.normal);
    const float a = share_from * yield_of(from), b = space.share_to * yield_of(to);
    const Vector3f step_m = -inside_m / (share_from * a + space.share_to * b) * space.normal;
    move(joints, from, a * step_m);
    move(joints, to, b * step_m);
}

void keep_length(Joints& joints, int from, int to, float length_m) {
    const Vector3f along = joints[static_cast<std::size_t>(to)] - joints[static_cast<std::size_t>(from)];
    const float now_m = along.norm();
    if (now_m < 1e-6F) return;
    const float a = yield_of(from), b = yield_of(to);
    const Vector3f step_m = (now_m - length_m) / (now_m * (a + b)) * along;
    move(joints, from, a * step_m);
    move(joints, to, -b * step_m);
}

HalfSpaceOfBone half_space(const HandFrame& frame, const Ends& ends, const collision::Contact& contact) {
    HalfSpaceOfBone space{ends, 0.0F, contact.normal, 0.0F};
    const Vector3f &from_m = frame.joints[static_cast<std::size_t>(ends.from)].position_m,
                   &to_m = frame.joints[static_cast<std::size_t>(ends.to)].position_m;
    const Vector3f along = to_m - from_m;
    if (along.squaredNorm() > 1e-10F)
        space.share_to = std::clamp((contact.on_body_m - from_m).dot(along) / along.squaredNorm(), 0.0F, 1.0F);
    space.limit_m = contact.normal.dot((1.0F - space.share_to) * from_m + space.share_to * to_m) + contact.distance_m;
    return space;
}

// Returns the half-spaces of the objects near the hand in `frame`.
std::vector<HalfSpaceOfBone> gather(const World& world, std::size_t side, const HandFrame& frame) {
    std::vector<HalfSpaceOfBone> spaces;
    collision::BodyPose pose;
    pose_hand(frame, pose, world.hand_shapes[side]);
    collision::CollideCounts not_counted;
    for (int bone = 0; bone < kHandBoneCount; ++bone) {
        const auto i = static_cast<std::size_t>(bone);
        if (pose.bone_present[i] == 0) continue;
        collision::Obb reach = pose.leaf_boxes[i];
        reach.half_m.array() += kNear_m;
        const Ends ends = ends_of(bone);
        for (const collision::Collider& collider : world.colliders) {
            if (!collision::overlap(reach, collider.box)) continue;
            const auto keep_off = [&](const collision::Shape& part) {
                collision::Contact contact;
                if (collision::closest(part, collider.shape, kNear_m, contact, not_counted))
                    spaces.push_back(half_space(frame, ends, contact));
            };
            keep_off(pose.shapes[i]);
            // A bone along a face has one nearest point, which may be at either end. So the outer end gets a half-space
            // of its own, or it would swing in about the other. The inner end is the outer end of the previous bone.
            if (in_palm(ends.to)) continue;
            const auto& cone = std::get<collision::RoundCone>(pose.shapes[i]);
            keep_off(collision::RoundCone{cone.b_m, cone.b_m, cone.radius_b_m, cone.radius_b_m});
        }
    }
    return spaces;
}

Joints solved(const HandFrame& tracked, std::span<const HalfSpaceOfBone> spaces) {
    Joints joints;
    for (std::size_t i = 0; i < joints.size(); ++i) joints[i] = tracked.joints[i].position_m;
    const Joints wished = joints;
    for (int iteration = 0; iteration < kIterations; ++iteration) {
        for (int joint = 2; joint < kJointCount; ++joint) {
            const int parent = static_cast<int>(tracking::parent_of(static_cast<tracking::Joint>(joint)));
            if (in_palm(joint)) continue;
            keep_length(joints, parent, joint,
                        (wished[static_cast<std::size_t>(joint)] - wished[static_cast<std::size_t>(parent)]).norm());
        }
        for (const HalfSpaceOfBone& space : spaces) keep_out(joints, space);
    }
    return joints;
}

// Writes the solved positions, and turns each joint by the turn of its bone.
void put(const HandFrame& tracked, const Joints& joints, HandFrame& out) {
    out = tracked;
    for (int i = 0; i < kJointCount; ++i)
        out.joints[static_cast<std::size_t>(i)].position_m = joints[static_cast<std::size_t>(i)];
    for (int joint = 2; joint < kJointCount; ++joint) {
        const int parent = static_cast<int>(tracking::parent_of(static_cast<tracking::Joint>(joint)));
        if (in_palm(parent) && in_palm(joint)) continue;
        const auto from = static_cast<std::size_t>(parent), to = static_cast<std::size_t>(joint);
        const Eigen::Quaternionf turn = collision::rotation_between(
            tracked.joints[to].position_m - tracked.joints[from].position_m, joints[to] - joints[from]);
        out.joints[from].orientation = (turn * tracked.joints[from].orientation).normalized();
        const bool tip = joint == 5 || (joint > 6 && (joint - 6) % 5 == 4);
        if (tip) out.joints[to].orientation = (turn * tracked.joints[to].orientation).normalized();
    }
}

float furthest_m(const HandFrame& a, const HandFrame& b) {
    float furthest_m = 0.0F;
    for (std::size_t i = 0; i < kJointCount; ++i)
        furthest_m = std::max(furthest_m, (a.joints[i].position_m - b.joints[i].position_m).norm());
    return furthest_m;
}

bool touches(const HandState& hand) {
    return std::any_of(hand.contacts.begin(), hand.contacts.end(),
                       [](const collision::Contact& contact) { return contact.distance_m <= 0.0F; });
}

}  // namespace

void follow(const World& world, const tracking::HandPair& tracked, ProxyHands& proxies) {
    proxies.hands.time_ns = tracked.time_ns;
    for (std::size_t side = 0; side < 2; ++side) {
        const HandFrame& goal = tracked.hands[side];
        HandFrame& proxy = proxies.hands.hands[side];
        // A hand that has come out on the other side would otherwise be held back forever.
        const bool tunnelled = proxies.apart[side] && furthest_m(proxy, goal) > kLetGo_m && !touches(world.hands[side]);
        const bool follows = proxies.follows[side] && goal.active && !goal.discontinuous && !tunnelled;
        proxies.apart[side] = false;
        proxies.follows[side] = goal.active;
        if (!follows) proxy = goal;
        if (!goal.active) continue;
        for (int round = 0; round < kGathers; ++round) {
            const std::vector<HalfSpaceOfBone> spaces = gather(world, side, proxy);
            put(goal, solved(goal, spaces), proxy);
            if (spaces.empty()) break;
        }
        proxies.apart[side] = furthest_m(proxy, goal) > kApart_m;
    }
}

}  // namespace glovebox::scenes
