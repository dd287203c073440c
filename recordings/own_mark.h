// Adds marks that identify files as written by Glovebox, so that the next run may replace them (recordings/output.h).
#pragma once

#include <string>

namespace glovebox::recordings {

/// Returns the PNG with a text chunk after its header.
std::string marked_png(std::string png);
/// Returns the PDF with its comment of four high bytes replaced; no offset in the file changes.
std::string marked_pdf(std::string pdf);

}  // namespace glovebox::recordings
