// Hands in HDF5 files, as EgoDex, LeRobot's older data sets and own scripts with h5py write them.
#pragma once

#include "recordings/assembly.h"

namespace glovebox::recordings {

/// Returns true if a file that begins with `head` has this format.
bool is_hdf5(std::string_view head, std::uintmax_t file_size);
/// Reads the whole file into `out`. Throws ImportError with file, place and reason.
void read_hdf5(Input& in, const ImportOptions& options, Assembly& out);

}  // namespace glovebox::recordings
