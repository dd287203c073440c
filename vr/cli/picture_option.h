// Where a picture goes and how large it is, told in the same words to every command.
#pragma once

#include <optional>
#include <string>

#include "vr/session/settings.h"

namespace glovebox::vr {

/// "3840x2160"; empty for what is no such size, outside 640x480 to 7680x4320, or higher than wide.
std::optional<PictureSize> picture_size(const std::string& text);

/// For CLI::Option::check: empty, or what is wrong.
std::string check_picture_size(const std::string& text);
std::string check_picture_path(const std::string& path);  ///< pictures are PNG: a name must not say otherwise

}  // namespace glovebox::vr
