// Formats the deadline ledger and the governors' log for the report and for a terminal.
#pragma once

#include <nlohmann/json.hpp>

#include "vr/haptics/session.h"

namespace glovebox::vr {

/// Returns the ticks' times and the number of skipped ticks.
nlohmann::ordered_json ticks_json(const DeadlineLedger& ledger);

/// Returns {output, mode, scheduling, ticks, skipped_ticks, own_misses, commands, stops, not_finite, tick_us, work_us,
/// lateness_us, chain_us, response_us, age_us, late_ticks, late_responses, interventions, log}. The session must have
/// been stopped.
nlohmann::ordered_json haptics_json(const HapticSession& session);

/// Formats three lines, or none if there were no ticks.
std::string haptics_text(const nlohmann::ordered_json& haptics);

}  // namespace glovebox::vr
