// The report of `glovebox layer run`: what the application did with its frames, what it asked to be felt, and how that
// compares with the recording that was replayed.
#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "recordings/log/application_log.h"

namespace glovebox::vr::layer {

struct RunFacts {
    std::vector<std::string> application;  ///< with its arguments
    int exit_code = 0;
    std::optional<recordings::ApplicationLog> log;       ///< of the run; nothing: the layer recorded nothing
    std::string replay;                                  ///< as it was asked for; empty: none
    std::optional<recordings::ApplicationLog> recorded;  ///< of the replay, where it is an application's
};

/// {application, frames, haptics, and of a replay: replay, poses}. What is not known is not there.
nlohmann::ordered_json report_of(const RunFacts& run);

/// The same in a few lines.
std::string text_of_run(const RunFacts& run);

}  // namespace glovebox::vr::layer
