// Hands in arrays of numbers, whose names and shapes define their meaning: NumPy, HDF5, C3D.
//
// Frames are the first dimension, or there is none. 21 x 3 are MediaPipe's landmarks, 25 x 3 and 26 x 3 OpenXR's joints
// without and with the palm. 7 or 4 x 4 instead of 3 are poses, whose positions are used. 63 and 126 are the landmarks
// of one or two hands in a row. A dimension of 2 after the frames is left and right; otherwise the array's name may
// contain the side. Arrays of one joint each have the joint in their names (leftIndexFingerTip). Times are in an array
// called timestamps, time or t; without one, there are 30 frames per second.
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

/// Facts that the file contains besides its arrays.
struct ArrayFacts {
    std::optional<double> frame_ns;      ///< time of a frame, if there is no array of times
    std::optional<double> time_unit_ns;  ///< unit of the array of times; nothing: guessed from the steps
    std::optional<float> unit_m;         ///< length of the file's unit; nothing: guessed
    std::optional<float> usual_unit_m;   ///< SourceTraits::usual_unit_m
    bool axes_known = false;             ///< SourceTraits::axes_known
};

/// Reads the hands in the arrays. Throws ImportError if there are none.
void read_hand_arrays(const Input& in, const Arrays& arrays, const ImportOptions& options, const ArrayFacts& facts,
                      Assembly& out);

}  // namespace glovebox::recordings
