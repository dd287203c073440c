// Draws touches as a figure: a lane for each pair of hand part and object that touch, with bars for the touches.
#pragma once

#include <filesystem>
#include <span>
#include <string>

#include "vr/session/touch_list.h"

namespace glovebox::vr {

/// Returns why a figure cannot have this name (.svg, .png and .pdf are supported), or empty. For CLI::Option::check.
std::string check_figure_path(const std::string& path);

/// Draws one block for each recording. Every lane has a text label and the colours differ in lightness, so the figure
/// is readable in grey and for colour-blind readers. PNG and PDF need rsvg-convert. Throws recordings::ExportError,
/// also if that is not installed.
void draw_touches(std::span<const TouchList> lists, const std::filesystem::path& path);

}  // namespace glovebox::vr
