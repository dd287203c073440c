// Lists of a hand's points without names: their number says what they are.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace glovebox::recordings {

/// A list of joints, in the order of a program.
struct JointList {
    static constexpr std::size_t kMaxPoints = 31;
    std::size_t points;
    std::string_view name;
    std::array<std::int8_t, kMaxPoints> joints;  ///< tracking::Joint of each point, or -1
};
/// Returns the list with this many points: 24 (Oculus), 25 and 26 (OpenXR without and with the palm), 27 (ARKit) or 31
/// (SteamVR). Returns null for others, also for 21, which are landmarks.
const JointList* joint_list_of(std::size_t points);

/// Hands as numbers in a row.
struct RowOfNumbers {
    std::size_t hands, points;
    std::size_t numbers;  ///< of a point: 3; 4 with a confidence; 7 or 8 with a quaternion; 16, a matrix
};
/// Returns the hands that this many numbers are, such as 63 and 126 (one and two hands of 21 points), 75 or 217.
std::optional<RowOfNumbers> row_of_numbers(std::size_t count);

}  // namespace glovebox::recordings
