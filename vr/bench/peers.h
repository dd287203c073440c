// Runs the programs that time our code against other libraries; the application itself does not link those.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "vr/bench/bench.h"

namespace glovebox::vr {

/// Output of such a program.
struct PeerAnswer {
    std::vector<nlohmann::ordered_json> rows;
    bool agreed = true;  ///< all results that must agree do
};

/// Runs `program` (from the folder of the application) and reads the rows that it prints as JSON. Appends its remarks
/// to `notes`, or, if it is not built, how to build it.
PeerAnswer run_peer_program(std::string_view program, const std::string& arguments, std::vector<std::string>& notes);

}  // namespace glovebox::vr
