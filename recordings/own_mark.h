// Marks in files by which they are known again as ours, so that the next run may replace them (recordings/output.h).
#pragma once

#include <string>

namespace glovebox::recordings {

/// The PNG with a text chunk after its header.
std::string marked_png(std::string png);
/// The PDF with its comment of four high bytes replaced; no offset in the file moves.
std::string marked_pdf(std::string pdf);

}  // namespace glovebox::recordings
