// Programs that time us beside other libraries: started from beside the application, which never links the peers.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "vr/bench/bench.h"

namespace glovebox::vr {

struct PeerAnswer {
    std::vector<nlohmann::ordered_json> rows;
    bool agreed = true;  ///< no peer's answer differed where it may not
};

/// Runs `program` (from the folder of the application) and reads the rows that it prints as JSON. Appends to `notes`
/// what it has to say, or why there is nothing: not built, and how to build it.
PeerAnswer run_peer_program(std::string_view program, const std::string& arguments, std::vector<std::string>& notes);

}  // namespace glovebox::vr
