// Reads the CSV files of Monado's recorder. They have either finger joints relative to the wrist, or the poses of wrist
// and elbow.
#pragma once

#include "recordings/format.h"
#include "recordings/track.h"

namespace glovebox::recordings {

bool is_openxr_csv(std::string_view head, std::uintmax_t file_size);
void read_openxr_csv(Input& in, const ImportOptions& options, Assembly& out);
StampedTrack read_openxr_csv_track(Input& in);

}  // namespace glovebox::recordings
