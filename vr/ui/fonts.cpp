#include "vr/ui/fonts.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <optional>
#include <stdexcept>
#include <vector>

#include "vr/platform/mapped_file.h"
#include "vr/platform/system_font.h"
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

struct Decoded {
    char32_t character;
    std::size_t bytes;
};
// Returns the first character of a UTF-8 text that is not empty. A byte that belongs to no character is U+FFFD.
Decoded first_of(std::string_view text) {
    constexpr Decoded kInvalid{U'\uFFFD', 1};
    const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
    if (byte(0) < 0x80U) return {byte(0), 1};
    const std::size_t length = byte(0) >= 0xF0U ? 4 : byte(0) >= 0xE0U ? 3 : byte(0) >= 0xC2U ? 2 : 0;
    if (length == 0 || text.size() < length) return kInvalid;
    char32_t character = byte(0) & (0x7FU >> length);
    for (std::size_t i = 1; i < length; ++i) {
        if ((byte(i) & 0xC0U) != 0x80U) return kInvalid;
        character = character << 6U | (byte(i) & 0x3FU);
    }
    return {character, length};
}

bool has_glyph(const ImFont& font, char32_t character) {
    return character <= IM_UNICODE_CODEPOINT_MAX &&
           font.FindGlyphNoFallback(static_cast<ImWchar>(character)) != nullptr;
}

/// A font file in memory, for all sizes.
struct MergedFont {
    MappedFile file;
    int index = 0;
};

ImFont* add_merged(ImFontAtlas& atlas, const MergedFont& font, ImFontConfig config, const ImWchar* ranges) {
    const auto bytes = font.file.bytes();
    config.FontNo = font.index;
    config.FontDataOwnedByAtlas = false;
    // The atlas only reads, but its interface takes a pointer to data that may change.
    return atlas.AddFontFromMemoryTTF(const_cast<std::byte*>(bytes.data()), static_cast<int>(bytes.size()),
                                      config.SizePixels, &config, ranges);
}

// Returns the characters that none of these fonts has. Rasterises only these, in an atlas of its own.
std::vector<char32_t> lacking(const char* own_file, const std::vector<MergedFont>& merged,
                              const ImVector<ImWchar>& ranges, const Characters& characters) {
    ImFontAtlas probe;
    ImFontConfig config;
    config.SizePixels = 8.0F;
    ImFont* font = own_file == nullptr ? probe.AddFontDefault(&config)
                                       : probe.AddFontFromFileTTF(own_file, config.SizePixels, &config, ranges.Data);
    config.MergeMode = true;
    for (const MergedFont& other : merged) add_merged(probe, other, config, ranges.Data);
    probe.Build();
    std::vector<char32_t> missing;
    for (const char32_t character : characters)
        if (!has_glyph(*font, character)) missing.push_back(character);
    return missing;
}

// Returns fonts of the system with the characters that the panel's font lacks: one for each script, at most four.
std::vector<MergedFont> fonts_for(const char* own_file, const ImVector<ImWchar>& ranges, const Characters& characters) {
    std::vector<MergedFont> merged;
    std::vector<char32_t> missing = lacking(own_file, merged, ranges, characters);
    for (int i = 0; i < 4 && !missing.empty(); ++i) {
        const std::optional<FontFile> found = system_font_with(missing);
        if (!found) break;
        try {
            merged.push_back({MappedFile(found->path), found->index});
        } catch (const std::runtime_error&) {
            break;  // removed since fontconfig read it
        }
        std::vector<char32_t> left = lacking(own_file, merged, ranges, characters);
        if (left.size() == missing.size()) {
            merged.pop_back();  // the best font that the system has, but it has none of these
            break;
        }
        missing = std::move(left);
    }
    return merged;
}

}  // namespace

void add_characters(std::string_view text, Characters& characters) {
    while (!text.empty()) {
        const auto [character, bytes] = first_of(text);
        bool known = character == U'\uFFFD';
        for (const ImWchar* range = kGlyphs; *range != 0; range += 2)
            known = known || (character >= range[0] && character <= range[1]);
        if (!known && character >= 0x80U) characters.insert(character);
        text.remove_prefix(bytes);
    }
}

Fonts load_fonts(float scale, const Characters& characters) {
    ImFontAtlas& atlas = *ImGui::GetIO().Fonts;
    atlas.Clear();
    const FontFamily* family = installed_font_family();
    ImVector<ImWchar> ranges;  // read when the atlas is built
    ImFontGlyphRangesBuilder builder;
    builder.AddRanges(kGlyphs);
    for (const char32_t character : characters)
        if (character <= IM_UNICODE_CODEPOINT_MAX) builder.AddChar(static_cast<ImWchar>(character));
    builder.BuildRanges(&ranges);
    std::vector<MergedFont> merged;
    if (!characters.empty())
        merged = fonts_for(family == nullptr ? nullptr : family->file(FontWeight::regular), ranges, characters);
    const auto add = [&](FontWeight weight, float size) {
        ImFontConfig config;
        config.OversampleH = 2;
        config.SizePixels = std::round(size * scale);
        ImFont* font = family == nullptr
                           ? atlas.AddFontDefault(&config)
                           : atlas.AddFontFromFileTTF(family->file(weight), config.SizePixels, &config, ranges.Data);
        config.MergeMode = true;
        if (weight != FontWeight::display)  // used for figures only
            for (const MergedFont& other : merged) add_merged(atlas, other, config, ranges.Data);
        return font;
    };
    const Fonts fonts = {add(FontWeight::regular, 15.0F), add(FontWeight::semibold, 15.0F),
                         add(FontWeight::regular, 13.0F), add(FontWeight::medium, 13.0F),
                         add(FontWeight::display, 26.0F)};
    atlas.Build();
    atlas.ClearInputData();  // points to `merged` and `ranges`
    for (ImFont* font : atlas.Fonts) make_digits_tabular(*font);
    return fonts;
}

std::string drawable(const ImFont& font, std::string_view text, UndrawnNumbers& numbers) {
    std::string out;
    while (!text.empty()) {
        std::size_t drawn = 0, undrawn = 0;
        while (drawn < text.size()) {
            const auto [character, bytes] = first_of(text.substr(drawn));
            if (character >= 0x80U && !has_glyph(font, character)) break;
            drawn += bytes;
        }
        out += text.substr(0, drawn);
        text.remove_prefix(drawn);
        while (undrawn < text.size()) {
            const auto [character, bytes] = first_of(text.substr(undrawn));
            if (character < 0x80U || has_glyph(font, character)) break;
            undrawn += bytes;
        }
        if (undrawn == 0) continue;
        const auto known = numbers.try_emplace(std::string(text.substr(0, undrawn)), numbers.size() + 1).first;
        out += "#" + std::to_string(known->second);
        text.remove_prefix(undrawn);
    }
    return out;
}

std::string drawn_text(const ImFont& font, std::string_view text) {
    auto* numbers = static_cast<UndrawnNumbers*>(ImGui::GetIO().UserData);
    return numbers == nullptr ? std::string(text) : drawable(font, text, *numbers);
}

}  // namespace glovebox::vr
