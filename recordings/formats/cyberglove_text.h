// CyberGlove joint angles as text (GraspDB14): 18, 22 or 23 angles per row, converted to hands with a hand profile.
#pragma once

#include <vector>

#include "recordings/format.h"
#include "tracking/glove/calibration.h"

namespace glovebox::recordings {

/// Returns true if a file that begins with `head` has this format.
bool is_cyberglove_text(std::string_view head, std::uintmax_t file_size);
/// Reads the whole file into `out`. Throws ImportError with file, place and reason.
void read_cyberglove_text(Input& in, const ImportOptions& options, Assembly& out);

/// Returns the sensor values for making a calibration: not reordered, not converted and not calibrated. Throws
/// ImportError if the file cannot be read.
std::vector<tracking::SensorSample> read_cyberglove_sensors(Input& in);

}  // namespace glovebox::recordings
