#include "vr/cli/picture_option.h"

#include <cctype>
#include <cstdio>
#include <filesystem>

namespace glovebox::vr {

std::optional<PictureSize> picture_size(const std::string& text) {
    PictureSize size;
    int read = 0;
    if (std::sscanf(text.c_str(), "%dx%d%n", &size.width_px, &size.height_px, &read) != 2) return {};
    if (static_cast<std::size_t>(read) != text.size()) return {};
    // In smaller or upright pictures, panel and bar would leave no room for the hand.
    if (size.width_px < 640 || size.height_px < 480 || size.width_px > 7680 || size.height_px > 4320) return {};
    if (size.width_px < size.height_px) return {};
    return size;
}

std::string check_picture_size(const std::string& text) {
    if (picture_size(text)) return {};
    return text + " is no size: WIDTHxHEIGHT, from 640x480 to 7680x4320 and not higher than wide";
}

std::string check_picture_path(const std::string& path) {
    std::string ending = std::filesystem::path(path).extension().string();
    for (char& letter : ending) letter = static_cast<char>(std::tolower(static_cast<unsigned char>(letter)));
    if (ending == ".png") return {};
    return path + ": pictures are written as .png";
}

}  // namespace glovebox::vr
