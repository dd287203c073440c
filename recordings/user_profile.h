// Reads and writes user profiles as JSON files.
//
//   {"glovebox_profile": 1, "name": "anna", "hands": {"right": {
//      "radius_m": [26 numbers], "length_to_parent_m": [26 numbers], "origin": "fitted from 929 frames",
//      "bones": [20 times 8 numbers: offsets of both ends from their joints, two radii (tracking/hand_shape.h)],
//      "sensors": [{"gain_rad": 0.02, "bias_rad": -1.1}, ...],
//      "tracker_from_wrist": {"position_m": [x, y, z], "quaternion_xyzw": [x, y, z, w], "lag_s": 0.02}}}}
//
// Joints are in the order of hand_frame.h. Each member of a hand may be left out.
#pragma once

#include <filesystem>

#include "recordings/load.h"
#include "tracking/user_profile.h"

namespace glovebox::recordings {

/// Reads a profile, or the calibration file of a glove (two-point or gain and offset). A calibration file is used for
/// both hands. Throws ImportError if the file cannot be read.
tracking::UserProfile load_user_profile(const std::filesystem::path& path);

/// Writes a profile atomically. Throws ExportError if the file cannot be written.
void save_user_profile(const tracking::UserProfile& user, const std::filesystem::path& path);

/// Replaces the recording's profile of each hand of which the user's bones are known.
void use_bones(const tracking::UserProfile& user, Recording& recording);

}  // namespace glovebox::recordings
