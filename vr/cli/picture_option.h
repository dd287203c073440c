// Parses and checks the path and the size of a picture, in the same way for every command.
#pragma once

#include <optional>
#include <string>

#include "vr/session/settings.h"

namespace glovebox::vr {

/// Parses a size such as "3840x2160". Returns nullopt if the text is not a size, or the size is outside 640x480 to
/// 7680x4320 or higher than wide.
std::optional<PictureSize> picture_size(const std::string& text);

/// Return an error message, or an empty text if there is no error. For CLI::Option::check.
std::string check_picture_size(const std::string& text);
std::string check_picture_path(const std::string& path);  ///< pictures are PNG; other file extensions are errors

}  // namespace glovebox::vr
