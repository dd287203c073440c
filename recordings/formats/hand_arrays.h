// Hands in arrays of numbers, whose names and shapes define their meaning: NumPy, HDF5, C3D.
//
// The dimensions of an array are frames, hands (of size 2), points and numbers of a point, in any order. 21 points are
// MediaPipe's landmarks; others are the lists of joint_lists.h. 7 or 4 x 4 numbers instead of 3 are poses, whose
// positions are used. The numbers of a hand or two may be one dimension: 63, 126, 75. Two hands may also be two arrays,
// whose names contain the sides. Arrays of one joint each have the joint in their names (leftIndexFingerTip). Times are
// in an array called timestamps, time or t; without one, there are 30 frames per second.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "recordings/assembly.h"

namespace glovebox::recordings {

/// An array of numbers in row-major order and little-endian. `bytes` refers to memory of the caller.
struct Array {
    char kind = 'f';  ///< f, i, u or b; S: text and other types, which are not used
    std::size_t item_bytes = 4;
    std::vector<std::size_t> shape;
    std::string_view bytes;

    std::size_t count() const { return bytes.size() / item_bytes; }
    double at(std::size_t i) const;
    std::int64_t integer(std::size_t i) const;
};

/// Arrays by name, which may be a path with '/' (HDF5).
using Arrays = std::map<std::string, Array>;

/// Returns true for shapes and names of arrays that read_hand_arrays() can use: hands, single joints or times.
bool is_hand_array(std::string_view name, char kind, const std::vector<std::size_t>& shape);

/// Returns true if joints determine a hand: 10 at least, among them the wrist and the knuckles of index and middle
/// finger.
bool is_whole_hand(const tracking::JointSet& joints);

/// Returns true if arrays of one joint each form a hand; see is_whole_hand().
bool has_tracked_hand(const Arrays& arrays);

/// Notes that one of two hands has fewer frames than the other.
void note_shorter(std::size_t frames_a, std::size_t frames_b, Assembly& out);

/// Facts that the file contains besides its arrays.
struct ArrayFacts {
    std::optional<double> frame_ns;      ///< time of a frame, if there is no array of times
    std::optional<double> time_unit_ns;  ///< unit of the array of times; nothing: guessed from the steps
    std::optional<float> unit_m;         ///< length of the file's unit; nothing: guessed
    std::optional<float> usual_unit_m;   ///< SourceTraits::usual_unit_m
    bool axes_known = false;             ///< SourceTraits::axes_known
    std::vector<std::int64_t> rows;      ///< the row of each frame, in a table; empty in other files
};

/// Reads the hands in the arrays. Throws ImportError if there are none.
void read_hand_arrays(const Input& in, const Arrays& arrays, const ImportOptions& options, const ArrayFacts& facts,
                      Assembly& out);

}  // namespace glovebox::recordings
