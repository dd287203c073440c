// The system's fonts, for names in scripts that the panel's own font lacks.
#pragma once

#include <filesystem>
#include <optional>
#include <span>

namespace glovebox::vr {

/// A font in a file. Collections (TTC) have several.
struct FontFile {
    std::filesystem::path path;
    int index = 0;
};

/// Returns the scalable sans-serif font (TrueType or CFF outlines) with the most of these characters. On Linux, asks
/// fontconfig, which takes some milliseconds. Returns nothing on other systems, or if fontconfig is not installed.
std::optional<FontFile> system_font_with(std::span<const char32_t> characters);

}  // namespace glovebox::vr
