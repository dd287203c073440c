// Parses and checks the path and size of a picture, the same in every command.
#pragma once

#include <optional>
#include <string>

#include "vr/session/settings.h"

namespace glovebox::vr {

/// Parses "3840x2160". Empty if the text is not a size, outside 640x480 to 7680x4320, or higher than wide.
std::optional<PictureSize> picture_size(const std::string& text);

/// Return an error message, or empty. For CLI::Option::check.
std::string check_picture_size(const std::string& text);
std::string check_picture_path(const std::string& path);  ///< pictures are PNG; other file extensions are errors

}  // namespace glovebox::vr
