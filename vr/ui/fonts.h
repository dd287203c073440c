// Loads the panel's fonts at the window's scale, with digits of equal width.
#pragma once

#include <imgui.h>

#include <map>
#include <set>
#include <string>
#include <string_view>

namespace glovebox::vr {

/// The panel's fonts. Their sizes in logical pixels are: body 15, heading 15, note 13, figure 13, big 26.
struct Fonts {
    ImFont *body = nullptr, *heading = nullptr, *note = nullptr, *figure = nullptr, *big = nullptr;
};

/// Characters beyond those that are always loaded, Latin-1 and some punctuation.
using Characters = std::set<char32_t>;
/// Adds such characters of a UTF-8 text to the set.
void add_characters(std::string_view text, Characters& characters);

/// Fills the current ImGui context's atlas, at sizes of round(size x scale), with the first installed of Inter, Roboto
/// and DejaVu Sans, or else with ImGui's own font. Every digit gets the advance of the widest one, because Inter's
/// digits are proportional and ImGui does not support OpenType features. Characters that the font lacks are taken from
/// fonts of the system.
Fonts load_fonts(float scale, const Characters& characters = {});

/// Numbers for what no font can draw, in the order in which it was first shown.
using UndrawnNumbers = std::map<std::string, std::size_t, std::less<>>;
/// Returns the text with each run of characters that the font cannot draw replaced by "#" and its number: two names
/// remain two, and a name is the same everywhere.
std::string drawable(const ImFont& font, std::string_view text, UndrawnNumbers& numbers);

/// Returns drawable() with the numbers to which UserData of the current ImGui context's io points.
std::string drawn_text(const ImFont& font, std::string_view text);

}  // namespace glovebox::vr
