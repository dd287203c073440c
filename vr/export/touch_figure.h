// Touches as lanes on paper: a lane for each hand, part and object that meet, bars where they touch.
#pragma once

#include <filesystem>
#include <span>
#include <string>

#include "vr/session/touch_list.h"

namespace glovebox::vr {

/// For CLI::Option::check: empty, or why a figure cannot have this name (.svg, .png and .pdf can be drawn).
std::string check_figure_path(const std::string& path);

/// Draws one block for each recording. Every lane is named in words and the colours differ in lightness, so nothing is
/// lost in grey or to colour-blind eyes. PNG and PDF are made by rsvg-convert. Throws recordings::ExportError, also
/// where that is not installed.
void draw_touches(std::span<const TouchList> lists, const std::filesystem::path& path);

}  // namespace glovebox::vr
