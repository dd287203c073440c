// The report of `glovebox layer run`: the application's frames and haptic commands, compared with those in the replayed
// recording.
#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "recordings/log/application_log.h"

namespace glovebox::vr::layer {

/// Input of the report.
struct RunFacts {
    std::vector<std::string> application;  ///< command with its arguments
    int exit_code = 0;
    std::optional<recordings::ApplicationLog> log;       ///< log of this run; empty: the layer recorded nothing
    std::string replay;                                  ///< name of the replayed recording; empty: none
    std::optional<recordings::ApplicationLog> recorded;  ///< log of the replayed application; empty: none
};

/// Returns a JSON object with the keys application, frames and haptics, and for a replay also replay and poses. Unknown
/// values are left out.
nlohmann::ordered_json report_of(const RunFacts& run);

/// Formats the report in a few lines.
std::string text_of_run(const RunFacts& run);

}  // namespace glovebox::vr::layer
