// Draws touches as a figure, with a lane for each hand part and object that touch, and a bar for each touch.
#pragma once

#include <filesystem>
#include <span>
#include <string>

#include "vr/session/touch_list.h"

namespace glovebox::vr {

/// Returns an error message if a figure cannot have this name (.svg, .png and .pdf are supported), otherwise an empty
/// string. For CLI::Option::check.
std::string check_figure_path(const std::string& path);

/// Draws one block for each recording. Every lane has a text label and the colours differ in lightness, so the figure
/// is readable in grey and for colour-blind readers. PNG and PDF need rsvg-convert. Throws recordings::ExportError if
/// rsvg-convert is not installed or the file cannot be written.
void draw_touches(std::span<const TouchList> lists, const std::filesystem::path& path);

}  // namespace glovebox::vr
