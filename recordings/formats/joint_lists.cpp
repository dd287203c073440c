#include "recordings/formats/joint_lists.h"

#include <algorithm>
#include <array>
#include <utility>

namespace glovebox::recordings {
namespace {

constexpr std::size_t kMaxPoints = JointList::kMaxPoints;

// Returns the joints from `first` on, then points that are no joints of ours.
constexpr std::array<std::int8_t, kMaxPoints> joints_from(int first) {
    std::array<std::int8_t, kMaxPoints> joints{};
    for (std::size_t i = 0; i < kMaxPoints; ++i) {
        const int joint = first + static_cast<int>(i);
        joints[i] = static_cast<std::int8_t>(joint < 26 ? joint : -1);
    }
    return joints;
}

// SteamVR begins with a root in place of the palm, and ends with five auxiliary bones.
constexpr std::array<std::int8_t, kMaxPoints> steamvr_joints() {
    std::array<std::int8_t, kMaxPoints> joints = joints_from(0);
    joints[0] = -1;
    return joints;
}

// Oculus has a stub of the forearm and the trapezium behind the wrist, a metacarpal of thumb and little finger only,
// and the tips last.
constexpr std::array<JointList, 5> kJointLists = {{
    {24, "Oculus", {1, -1, -1, 2, 3, 4, 7, 8, 9, 12, 13, 14, 17, 18, 19, 21, 22, 23, 24, 5, 10, 15, 20, 25}},
    {25, "OpenXR without the palm", joints_from(1)},
    {26, "OpenXR", joints_from(0)},
    {27, "ARKit", joints_from(1)},
    {31, "SteamVR", steamvr_joints()},
}};

// Points and numbers of a point. 24 x 3 are left out: so many numbers are the pose of a body (SMPL).
constexpr std::array<std::pair<std::size_t, std::size_t>, 12> kRows = {
    {{21, 3}, {21, 4}, {21, 7}, {25, 3}, {26, 3}, {25, 7}, {26, 7}, {25, 16}, {26, 16}, {31, 3}, {31, 7}, {31, 8}}};

}  // namespace

const JointList* joint_list_of(std::size_t points) {
    const auto found =
        std::find_if(kJointLists.begin(), kJointLists.end(), [&](const auto& list) { return list.points == points; });
    return found == kJointLists.end() ? nullptr : &*found;
}

std::optional<RowOfNumbers> row_of_numbers(std::size_t count) {
    for (const std::size_t hands : {1U, 2U})
        for (const auto& [points, numbers] : kRows)
            if (hands * points * numbers == count) return RowOfNumbers{hands, points, numbers};
    return std::nullopt;
}

}  // namespace glovebox::recordings
