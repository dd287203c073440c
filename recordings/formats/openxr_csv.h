// Reads the CSV files of Monado's recorder. They have either finger joints relative to the wrist, or the poses of wrist
// and elbow.
#pragma once

#include "recordings/format.h"
#include "recordings/track.h"

namespace glovebox::recordings {

/// Returns true if a file that begins with `head` has this format.
bool is_openxr_csv(std::string_view head, std::uintmax_t file_size);
/// Reads the whole file into `out`. Throws ImportError with file, place and reason.
void read_openxr_csv(Input& in, const ImportOptions& options, Assembly& out);
/// Reads the motion of the wrist. Throws ImportError if the file has none.
StampedTrack read_openxr_csv_track(Input& in);

}  // namespace glovebox::recordings
