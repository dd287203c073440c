#include "vr/ui/fonts.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>

namespace glovebox::vr {
namespace {

enum class Weight : std::uint8_t { regular, medium, semibold, display };
constexpr std::size_t kWeightCount = 4;

// Paths of the fonts in common distributions; the first family with all its files is used.
struct Family {
    std::array<const char*, kWeightCount> files;
};
constexpr std::array<Family, 3> kFamilies = {{
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

// Latin with µ, ×, ·; en dash, bullet, ellipsis, minus.
constexpr ImWchar kGlyphs[] = {0x20, 0xFF, 0x2013, 0x2013, 0x2022, 0x2022, 0x2026, 0x2026, 0x2212, 0x2212, 0};

const Family* installed_family() {
    const auto exists = [](const char* file) { return std::filesystem::exists(file); };
    const auto found = std::ranges::find_if(
        kFamilies, [&](const Family& family) { return std::ranges::all_of(family.files, exists); });
    return found == kFamilies.end() ? nullptr : &*found;
}

void make_digits_tabular(ImFont& font) {
    float widest = 0.0F;
    for (const ImFontGlyph& glyph : font.Glyphs)
        if (glyph.Codepoint >= '0' && glyph.Codepoint <= '9') widest = std::max(widest, glyph.AdvanceX);
    for (ImFontGlyph& glyph : font.Glyphs) {
        if (glyph.Codepoint < '0' || glyph.Codepoint > '9') continue;
        const float shift = 0.5F * (widest - glyph.AdvanceX);
        glyph.X0 += shift;
        glyph.X1 += shift;
        glyph.AdvanceX = widest;
        font.IndexAdvanceX[static_cast<int>(glyph.Codepoint)] = widest;
    }
}

}  // namespace

Fonts load_fonts(float scale) {
    ImFontAtlas& atlas = *ImGui::GetIO().Fonts;
    atlas.Clear();
    const Family* family = installed_family();
    const auto add = [&](Weight weight, float size) {
        ImFontConfig config;
        config.OversampleH = 2;
        config.SizePixels = std::round(size * scale);
        if (family == nullptr) return atlas.AddFontDefault(&config);
        return atlas.AddFontFromFileTTF(family->files[static_cast<std::size_t>(weight)], config.SizePixels, &config,
                                        kGlyphs);
    };
    const Fonts fonts = {add(Weight::regular, 15.0F), add(Weight::semibold, 15.0F), add(Weight::regular, 13.0F),
                         add(Weight::medium, 13.0F), add(Weight::display, 26.0F)};
    atlas.Build();
    for (ImFont* font : atlas.Fonts) make_digits_tabular(*font);
    return fonts;
}

}  // namespace glovebox::vr
