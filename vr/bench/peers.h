// Runs the programs that compare the speed of this project with that of other libraries. The application itself does
// not link those libraries.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "vr/bench/bench.h"

namespace glovebox::vr {

/// Output of such a program.
struct PeerAnswer {
    std::vector<nlohmann::ordered_json> rows;
    bool agreed = true;  ///< true if all results agree that must
};

/// Runs `program` from the folder of the application and reads the rows that it prints as JSON. Appends its remarks to
/// `notes`. If the program is not built, appends how to build it.
PeerAnswer run_peer_program(std::string_view program, const std::string& arguments, std::vector<std::string>& notes);

}  // namespace glovebox::vr
