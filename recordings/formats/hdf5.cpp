#include "recordings/formats/hdf5.h"

#include "recordings/formats/hdf5_file.h"

namespace glovebox::recordings {
namespace {

constexpr std::size_t kMaxHdf5Bytes = std::size_t{1} << 30;
constexpr std::string_view kHdf5Magic("\x89HDF\r\n\x1A\n", 8);

}  // namespace

// The signature follows a user block of 0, 512, 1024, ... bytes; MATLAB writes one of 512.
bool is_hdf5(std::string_view head, std::uintmax_t) {
    for (std::size_t at = 0; at < head.size(); at = at == 0 ? 512 : 2 * at)
        if (head.substr(at).starts_with(kHdf5Magic)) return true;
    return false;
}

void read_hdf5(Input& in, const ImportOptions& options, Assembly& out) {
    const std::string bytes = in.read_all(kMaxHdf5Bytes);
    const Hdf5Arrays found = read_hdf5_arrays(in, bytes, is_hand_array);
    if (found.arrays.empty())
        in.fail(
            "no array of this HDF5 file is of hands; frames x 21, 25 or 26 x 3 are known, and arrays of one joint "
            "each by the joints' names (transforms/leftIndexFingerTip)");
    read_hand_arrays(in, found.arrays, options, {}, out);
}

}  // namespace glovebox::recordings
