// Reads hands from the JSON files of many programs. They are recognised by the names and numbers of their joints; see
// hand_json.cpp.
#pragma once

#include "recordings/formats/found_hands.h"

namespace glovebox::recordings {

/// Returns true if a file that begins with `head` has this format.
bool is_hand_json(std::string_view head, std::uintmax_t file_size);
/// Reads the whole file into `out`. Throws ImportError with file, place and reason.
void read_hand_json(Input& in, const ImportOptions& options, Assembly& out);

/// Returns the hands in a JSON text that is one frame. Throws ImportError if it is not JSON.
FoundFrame frame_of_json(const Input& in, std::string_view text);

}  // namespace glovebox::recordings
