// Hands in HDF5 files, as EgoDex, LeRobot's older data sets and own scripts with h5py write them.
#pragma once

#include "recordings/assembly.h"

namespace glovebox::recordings {

bool is_hdf5(std::string_view head, std::uintmax_t file_size);
void read_hdf5(Input& in, const ImportOptions& options, Assembly& out);

}  // namespace glovebox::recordings
