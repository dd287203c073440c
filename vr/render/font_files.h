// Paths of the font files for panels and pictures, as Linux distributions install them.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <filesystem>

namespace glovebox::vr {

enum class FontWeight : std::uint8_t { regular, medium, semibold, display };
inline constexpr std::size_t kFontWeightCount = 4;

/// Paths of one font family's files, by weight.
struct FontFamily {
    std::array<const char*, kFontWeightCount> files;
    const char* file(FontWeight weight) const { return files[static_cast<std::size_t>(weight)]; }
};

/// The font families in order of preference: Inter, Roboto, DejaVu Sans.
inline constexpr std::array<FontFamily, 3> kFontFamilies = {{
    {{"/usr/share/fonts/opentype/inter/Inter-Regular.otf", "/usr/share/fonts/opentype/inter/Inter-Medium.otf",
      "/usr/share/fonts/opentype/inter/Inter-SemiBold.otf",
      "/usr/share/fonts/opentype/inter/InterDisplay-SemiBold.otf"}},
    {{"/usr/share/fonts/truetype/roboto/unhinted/RobotoTTF/Roboto-Regular.ttf",
      "/usr/share/fonts/truetype/roboto/unhinted/RobotoTTF/Roboto-Medium.ttf",
      "/usr/share/fonts/truetype/roboto/unhinted/RobotoTTF/Roboto-Bold.ttf",
      "/usr/share/fonts/truetype/roboto/unhinted/RobotoTTF/Roboto-Bold.ttf"}},
    {{"/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf", "/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf",
      "/usr/share/fonts/truetype/dejavu/DejaVuSans-Bold.ttf", "/usr/share/fonts/truetype/dejavu/DejaVuSans-Bold.ttf"}},
}};

/// Returns the first family all of whose files exist; null if there is none.
inline const FontFamily* installed_font_family() {
    const auto exists = [](const char* file) { return std::filesystem::exists(file); };
    const auto* found = std::ranges::find_if(
        kFontFamilies, [&](const FontFamily& family) { return std::ranges::all_of(family.files, exists); });
    return found == kFontFamilies.end() ? nullptr : found;
}

}  // namespace glovebox::vr
