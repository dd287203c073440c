// Writes files of every format from a known hand, so that the readers' results can be compared with it.
#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "recordings/load.h"
#include "tracking/forward_kinematics.h"

namespace glovebox::recordings {

/// A temporary file, removed by the destructor.
class TemporaryFile {
  public:
    explicit TemporaryFile(std::string_view content, std::string_view name = "file") {
        const auto* test = testing::UnitTest::GetInstance()->current_test_info();
        path_ = std::filesystem::temp_directory_path() /
                ("glovebox_" + std::string(test->name()) + "_" + std::to_string(counter()++) + "_" + std::string(name));
        std::ofstream(path_, std::ios::binary) << content;
    }
    ~TemporaryFile() { std::filesystem::remove(path_); }
    TemporaryFile(const TemporaryFile&) = delete;
    TemporaryFile& operator=(const TemporaryFile&) = delete;
    const std::filesystem::path& path() const { return path_; }

  private:
    static int& counter() {
        static int value = 0;
        return value;
    }
    std::filesystem::path path_;
};

/// Returns the content of a file.
inline std::string bytes_of(const std::filesystem::path& path) {
    std::ifstream in(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
}

/// Returns the message with which load() refuses a file of this content, or "no error".
inline std::string refusal(std::string_view content, std::string_view name = "file") {
    const TemporaryFile file(content, name);
    try {
        load(file.path());
    } catch (const ImportError& error) {
        return error.what();
    }
    return "no error";
}

/// Returns the bundled recording of this name; empty if there is none.
inline Recording bundled(std::string_view name) {
    for (const SampleRow& row : sample_table())
        if (row.name == name) return row.make();
    return {};
}

/// Returns the hand that all files hold in frame `i`: wrist at the origin, fingers closing.
inline tracking::HandFrame closing_hand(int i, tracking::Side side) {
    tracking::HandAngles angles = tracking::resting_angles();
    for (tracking::FingerAngles& finger : angles.fingers) finger.pip_flex += 0.01F * static_cast<float>(i);
    return tracking::pose_from_angles(tracking::default_profile(), angles, Eigen::Isometry3f::Identity(), side);
}

/// Returns the same hand where a hand of this side is before a person: 15 cm beside the origin.
inline tracking::HandFrame hand_apart(int i, tracking::Side side) {
    tracking::HandFrame hand = closing_hand(i, side);
    for (tracking::JointPose& joint : hand.joints)
        joint.position_m.x() += side == tracking::Side::left ? -0.15F : 0.15F;
    return hand;
}

inline std::string openxr_csv(int frames, tracking::Side side) {
    std::string text = "#timestamp [ns]";
    for (int i = 0; i < tracking::kJointCount; ++i)
        text += ",p_RS_R_x [m], p_RS_R_y [m], p_RS_R_z [m], q_RS_w [], q_RS_x [], q_RS_y [], q_RS_z []";
    text += "\n";
    for (int i = 0; i < frames; ++i) {
        text += std::to_string(5'000'000'000 + 20'000'000LL * i);
        for (const tracking::JointPose& joint : closing_hand(i, side).joints) {
            const auto& p = joint.position_m;
            const auto& q = joint.orientation;
            for (const float v : {p.x(), p.y(), p.z(), q.w(), q.x(), q.y(), q.z()})
                text.append(",").append(std::to_string(v));
        }
        text += "\n";
    }
    return text;
}

inline std::string hololens_csv(int frames) {
    constexpr std::array kNames = {"Palm",
                                   "Wrist",
                                   "ThumbMetacarpalJoint",
                                   "ThumbProximalJoint",
                                   "ThumbDistalJoint",
                                   "ThumbTip",
                                   "IndexMetacarpal",
                                   "IndexKnuckle",
                                   "IndexMiddleJoint",
                                   "IndexDistalJoint",
                                   "IndexTip",
                                   "MiddleMetacarpal",
                                   "MiddleKnuckle",
                                   "MiddleMiddleJoint",
                                   "MiddleDistalJoint",
                                   "MiddleTip",
                                   "RingMetacarpal",
                                   "RingKnuckle",
                                   "RingMiddleJoint",
                                   "RingDistalJoint",
                                   "RingTip",
                                   "PinkyMetacarpal",
                                   "PinkyKnuckle",
                                   "PinkyMiddleJoint",
                                   "PinkyDistalJoint",
                                   "PinkyTip"};
    std::string text = "Label,Time,Counter";
    for (const char* suffix : {"", ".1"})
        for (const char* name : kNames) text.append(",").append(name).append(suffix);
    text += "\n";
    for (int i = 0; i < frames; ++i) {
        text +=
            ",2024-02-19 20:35:0" + std::to_string(i / 10) + "." + std::to_string(i % 10) + "00," + std::to_string(i);
        const tracking::HandFrame hand = closing_hand(i, tracking::Side::right);
        for (const tracking::JointPose& joint : hand.joints) {
            const auto& p = joint.position_m;
            text += ",(" + std::to_string(p.x()) + "/ " + std::to_string(p.y()) + "/ " + std::to_string(-p.z()) + ")";
        }
        for (int joint = 0; joint < tracking::kJointCount; ++joint) text += ",0";
        text += "\n";
    }
    return text;
}

/// A BVH file of one right hand; `scheme` selects the joint names: "suit", "suit-inhand", "cmu", "engine", "daz" ... or
/// "hand-only". `order` is the channels' order ("YXZ" etc.), `unit_m` the file's unit in metres. All rest frames equal
/// the wrist's; all flexion is about x and grows by 0.01 rad in each of the `frames` frames.
struct BvhRecipe {
    std::string scheme = "suit";
    std::string order = "YXZ";
    float unit_m = 0.01F;
    bool tips = true;
    int frames = 12;
};
/// Returns the hand in frame `i` of that file, computed independently of the reader.
inline tracking::HandFrame bvh_hand(const BvhRecipe& recipe, int i) {
    tracking::HandFrame rest = tracking::pose_from_angles(tracking::default_profile(), {},
                                                          Eigen::Isometry3f::Identity(), tracking::Side::right);
    tracking::HandFrame hand = rest;
    hand[tracking::Joint::palm] = {};
    const bool has_metacarpals = recipe.scheme == "suit-inhand";
    const Eigen::AngleAxisf flexion(-(0.3F + 0.01F * static_cast<float>(i)), Eigen::Vector3f::UnitX());
    for (int base : {2, 6, 11, 16, 21}) {
        const int first = base == 2 ? 2 : base + 1, tip = base == 2 ? 5 : base + 4;
        Eigen::Quaternionf turn = Eigen::Quaternionf::Identity();
        if (base != 2 && !has_metacarpals) hand.joints[static_cast<std::size_t>(base)] = {};
        for (int j = first; j < tip; ++j) {
            const auto a = static_cast<std::size_t>(j);
            turn = turn * flexion;
            hand.joints[a + 1].position_m =
                hand.joints[a].position_m + turn * (rest.joints[a + 1].position_m - rest.joints[a].position_m);
        }
    }
    return hand;
}
std::string bvh(const BvhRecipe& recipe);

}  // namespace glovebox::recordings
