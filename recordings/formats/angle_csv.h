// Tables with the angles of a hand's joints by their anatomical names, as gloves measure them; see angle_csv.cpp.
#pragma once

#include <string>
#include <vector>

#include "recordings/assembly.h"

namespace glovebox::recordings {

/// Returns true if columns of these names have the flexion of the first two joints of all four fingers.
bool has_finger_angles(const std::vector<std::string>& names);
/// Reads the rows after the line of these names. Throws ImportError with file, place and reason.
void read_finger_angles(Input& in, const std::vector<std::string>& names, const ImportOptions& options, Assembly& out);

}  // namespace glovebox::recordings
