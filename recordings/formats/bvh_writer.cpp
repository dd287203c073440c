// BVH for other programs, in centimetres: the hands under one root, with the joint names of hand suits. Each joint has
// six channels, so that bones whose length changes between frames are exact. The root's name tells our reader that
// joint rotations are OpenXR's, so orientations are restored too.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <memory>
#include <numbers>

#include "recordings/formats/bvh.h"
#include "recordings/parse.h"
#include "recordings/writer.h"
#include "tracking/formatted.h"
#include "tracking/forward_kinematics.h"

namespace glovebox::recordings {
namespace {

using Eigen::Isometry3d;
using tracking::HandFrame;
using tracking::HandPair;
using tracking::Joint;
using tracking::Side;

constexpr double kCentimetres = 100.0;

std::string joint_name(Side side, Joint joint) {
    constexpr std::array kFingers = {"Thumb", "Index", "Middle", "Ring", "Pinky"};
    const std::string hand = side == Side::left ? "Left" : "Right";
    const int i = static_cast<int>(joint);
    if (joint == Joint::palm) return hand + "HandPalm";
    if (joint == Joint::wrist) return hand + "Hand";
    if (i <= 5) return hand + "HandThumb" + std::to_string(i - 1);
    const std::string finger = kFingers[static_cast<std::size_t>((i - 1) / 5)];
    const int bone = (i - 1) % 5;
    return bone == 0 ? hand + "InHand" + finger : hand + "Hand" + finger + std::to_string(bone);
}

// Returns the parent in the BVH: the wrist for the palm, otherwise parent_of().
Joint bvh_parent(Joint joint) {
    return joint == Joint::palm ? Joint::wrist : tracking::parent_of(joint);
}

// Joints in the order in which the skeleton names them: wrist, palm, then finger by finger.
constexpr std::array<int, tracking::kJointCount> kOrder = {1,  0,  2,  3,  4,  5,  6,  7,  8,  9,  10, 11, 12,
                                                           13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25};

bool is_last_of_chain(int joint) {
    return joint == 0 || (joint >= 5 && joint % 5 == 0);
}

Isometry3d pose_of(const tracking::JointPose& joint) {
    Isometry3d pose = Isometry3d::Identity();
    pose.linear() = joint.orientation.cast<double>().normalized().toRotationMatrix();
    pose.translation() = kCentimetres * joint.position_m.cast<double>();
    return pose;
}

// Intrinsic Z, X, Y: R = Rz Rx Ry, so R(2,1) = sin x.
std::array<double, 3> zxy_degrees(const Eigen::Matrix3d& r) {
    constexpr double kDegrees = 180.0 / std::numbers::pi;
    const double x = std::asin(std::clamp(r(2, 1), -1.0, 1.0));
    if (std::abs(r(2, 1)) > 1.0 - 1e-12)  // gimbal lock: y and z turn about the same axis; use z
        return {kDegrees * std::atan2(r(1, 0), r(0, 0)), kDegrees * x, 0.0};
    return {kDegrees * std::atan2(-r(0, 1), r(1, 1)), kDegrees * x, kDegrees * std::atan2(-r(2, 0), r(2, 2))};
}

constexpr std::string_view kChannels = "CHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation\n";

std::string skeleton(const HandsPresent& present) {
    std::string text = "HIERARCHY\nROOT ";
    text.append(kOwnBvhRoot).append("\n{\nOFFSET 0 0 0\n").append(kChannels);
    for (const Side side : {Side::left, Side::right}) {
        if (!present[side]) continue;
        const HandFrame rest =
            tracking::pose_from_angles(tracking::default_profile(), {}, Eigen::Isometry3f::Identity(), side);
        for (const int j : kOrder) {
            const Joint joint = static_cast<Joint>(j);
            const Joint parent = bvh_parent(joint);
            const Isometry3d local = pose_of(rest[parent]).inverse() * pose_of(rest[joint]);
            const Eigen::Vector3d& t = local.translation();
            std::array<char, 96> offset{};
            std::snprintf(offset.data(), offset.size(), "OFFSET %.4f %.4f %.4f\n", t.x(), t.y(), t.z());
            text.append("JOINT ")
                .append(joint_name(side, joint))
                .append("\n{\n")
                .append(offset.data())
                .append(kChannels);
            if (!is_last_of_chain(j)) continue;
            text += "End Site\n{\nOFFSET 0 0 0\n}\n}\n";
            const int braces = j == 0 ? 0 : j == 5 ? 3 : 4;  // back to the wrist
            for (int i = 0; i < braces; ++i) text += "}\n";
        }
        text += "}\n";
    }
    return text + "}\nMOTION\n";
}

void append_pose(const Isometry3d& local, std::string& row) {
    const Eigen::Vector3d& t = local.translation();
    const auto angles = zxy_degrees(local.linear());
    std::array<char, 192> text{};
    std::snprintf(text.data(), text.size(), "%.7f %.7f %.7f %.6f %.6f %.6f ", t.x(), t.y(), t.z(), angles[0], angles[1],
                  angles[2]);
    row += text.data();
}

// Updates the valid values of `held`; the others keep their previous values, because BVH cannot mark missing data.
void copy_valid(const HandFrame& hand, HandFrame& held) {
    if (!hand.active) return;
    for (std::size_t j = 0; j < tracking::kJointCount; ++j) {
        const tracking::JointPose& joint = hand.joints[j];
        if (joint.position_valid() && joint.position_m.allFinite()) held.joints[j].position_m = joint.position_m;
        const bool turned =
            joint.orientation_valid() && joint.orientation.coeffs().allFinite() && joint.orientation.norm() > 0.5F;
        if (turned) held.joints[j].orientation = joint.orientation;
    }
}

struct State {
    tracking::PerSide<HandFrame> held;
    std::uint64_t count_at = 0, time_at = 0;
    std::int64_t count = 0, first_ns = 0, last_ns = 0, shortest_ns = 0, longest_ns = 0;
    tracking::PerSide<std::int64_t> lost{};
    std::string row;
};

// Returns what the format cannot hold, a line each.
std::string left_out(const State& state, double mean_s) {
    std::string lines;
    // Less is the jitter of a clock, which the mean step evens out.
    constexpr double kJitter = 0.5;
    if (1e-9 * static_cast<double>(state.longest_ns - state.shortest_ns) > kJitter * mean_s)
        lines += tracking::formatted(
            "the format has one step for all frames, so times change: steps of %.1f to %.1f ms "
            "become %.1f ms",
            1e-6 * static_cast<double>(state.shortest_ns), 1e-6 * static_cast<double>(state.longest_ns), 1e3 * mean_s);
    for (const Side side : {Side::left, Side::right}) {
        if (state.lost[side] == 0) continue;
        lines += (lines.empty() ? "the " : "\nthe ") + std::string(name_of(side)) + " hand is lost in " +
                 counted(state.lost[side], "sample") + ", and the format cannot say so: its last pose is repeated";
    }
    return lines;
}

}  // namespace

SampleWriter bvh_writer(Output& out, const HandsPresent& present) {
    const auto state = std::make_shared<State>();
    for (const Side side : {Side::left, Side::right}) {
        Eigen::Isometry3f apart = Eigen::Isometry3f::Identity();
        apart.translation().x() = side == Side::left ? -0.15F : 0.15F;
        state->held[side] = tracking::pose_from_angles(tracking::default_profile(), {}, apart, side);
    }
    out.write(skeleton(present));
    // Both numbers are known only at the end, so reserve space for them.
    out.write("Frames: ");
    state->count_at = out.size();
    out.write(std::string(20, ' ') + "\nFrame Time: ");
    state->time_at = out.size();
    out.write(std::string(20, ' ') + "\n");

    const auto write = [&out, state, present](const HandPair& sample) {
        const std::int64_t step_ns = sample.time_ns - state->last_ns;
        if (state->count == 0) state->first_ns = sample.time_ns;
        if (state->count == 1) state->shortest_ns = state->longest_ns = step_ns;
        if (state->count > 1) state->shortest_ns = std::min(state->shortest_ns, step_ns);
        if (state->count > 1) state->longest_ns = std::max(state->longest_ns, step_ns);
        state->last_ns = sample.time_ns;
        ++state->count;
        state->row = "0 0 0 0 0 0 ";
        for (std::size_t side = 0; side < 2; ++side) {
            if (!present[side]) continue;
            HandFrame& hand = state->held[side];
            if (!sample.hands[side].active) ++state->lost[static_cast<Side>(side)];
            copy_valid(sample.hands[side], hand);
            for (const int j : kOrder) {
                const Joint joint = static_cast<Joint>(j);
                const Isometry3d pose = pose_of(hand[joint]);
                append_pose(
                    joint == Joint::wrist ? pose : Isometry3d(pose_of(hand[bvh_parent(joint)]).inverse() * pose),
                    state->row);
            }
        }
        state->row.back() = '\n';
        out.write(state->row);
    };
    const auto finish = [&out, state] {
        std::array<char, 32> text{};
        std::snprintf(text.data(), text.size(), "%lld", static_cast<long long>(state->count));
        out.patch(state->count_at, text.data());
        const double mean_s = state->count > 1 ? 1e-9 * static_cast<double>(state->last_ns - state->first_ns) /
                                                     static_cast<double>(state->count - 1)
                                               : 1.0 / 60.0;
        std::snprintf(text.data(), text.size(), "%.9f", std::max(mean_s, 1e-9));
        out.patch(state->time_at, text.data());
        return left_out(*state, mean_s);
    };
    return {write, finish};
}

}  // namespace glovebox::recordings
