#include "vr/ui/fonts.h"

#include <algorithm>
#include <cmath>

#include "vr/render/font_files.h"

namespace glovebox::vr {
namespace {

// Latin with µ, ×, ·; en dash, bullet, ellipsis, minus.
constexpr ImWchar kGlyphs[] = {0x20, 0xFF, 0x2013, 0x2013, 0x2022, 0x2022, 0x2026, 0x2026, 0x2212, 0x2212, 0};

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
    const FontFamily* family = installed_font_family();
    const auto add = [&](FontWeight weight, float size) {
        ImFontConfig config;
        config.OversampleH = 2;
        config.SizePixels = std::round(size * scale);
        if (family == nullptr) return atlas.AddFontDefault(&config);
        return atlas.AddFontFromFileTTF(family->file(weight), config.SizePixels, &config, kGlyphs);
    };
    const Fonts fonts = {add(FontWeight::regular, 15.0F), add(FontWeight::semibold, 15.0F),
                         add(FontWeight::regular, 13.0F), add(FontWeight::medium, 13.0F),
                         add(FontWeight::display, 26.0F)};
    atlas.Build();
    for (ImFont* font : atlas.Fonts) make_digits_tabular(*font);
    return fonts;
}

}  // namespace glovebox::vr
