// Where the scene stands, kept from session to session in $XDG_CONFIG_HOME/glovebox/headset.json (~/.config without
// it):
//
//   {"glovebox_headset": 1, "scene": {"space": "stage", "position_m": [x, y, z], "quaternion_xyzw": [x, y, z, w]}}
//
// "stage": in the room, where the runtime knows the room; "local": from where the head was when the session began.
#pragma once

#include <filesystem>
#include <optional>

#include "vr/openxr/headset.h"

namespace glovebox::vr {

/// Empty without a home.
std::filesystem::path headset_settings_file();

/// The remembered place; empty where there is none. A file that cannot be read is said on stderr and left alone.
std::optional<openxr::SeatPlace> remembered_place(const std::filesystem::path& file);

/// Says on stderr what went wrong: a session does not end for it.
void remember_place(const openxr::SeatPlace& place, const std::filesystem::path& file);

/// "0.1,-0.4,-0.5" or "0.1,-0.4,-0.5,30": right, up and back of the head in metres, and degrees to the left. Throws
/// std::invalid_argument.
openxr::SeatPlace parse_place(const std::string& text);

}  // namespace glovebox::vr
