// Stores the pose of the scene between sessions, in $XDG_CONFIG_HOME/glovebox/headset.json (~/.config if that is not
// set):
//
//   {"glovebox_headset": 1, "scene": {"space": "stage", "position_m": [x, y, z], "quaternion_xyzw": [x, y, z, w]}}
//
// The space "stage" is the room, if the runtime has that space. The origin of "local" is the head's position when the
// session began.
#pragma once

#include <filesystem>
#include <optional>

#include "vr/openxr/headset.h"

namespace glovebox::vr {

/// Returns the path of that file; empty if there is no home folder.
std::filesystem::path headset_settings_file();

/// Reads the stored place; returns an empty optional if there is none. If the file cannot be read, prints a message to
/// stderr and does not change the file.
std::optional<openxr::SeatPlace> remembered_place(const std::filesystem::path& file);

/// Writes the place. Prints errors to stderr, because they should not end a session.
void remember_place(const openxr::SeatPlace& place, const std::filesystem::path& file);

/// Parses a text such as "0.1,-0.4,-0.5" or "0.1,-0.4,-0.5,30". The first three numbers are metres to the right of,
/// above and behind the head; the fourth is a turn to the left in degrees. Throws std::invalid_argument.
openxr::SeatPlace parse_place(const std::string& text);

}  // namespace glovebox::vr
