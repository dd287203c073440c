// The report of a run: one JSON object for programs, a table for people, and conditions on it for CI.
#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <span>
#include <string>

#include "vr/replay.h"

namespace glovebox::vr {

struct WindowTimings;

/// {cpu, os, compiler, build, cores, memory_mb}
nlohmann::ordered_json machine_json();

/// {count, mean, p50, p90, p99, p999, max}, microseconds.
nlohmann::ordered_json histogram_json(const DurationHistogram& histogram);

/// Adds everything of a run but where its hands came from.
void add_run(const scenes::Scene& scene, const Pipeline& pipeline, const ReplayTotals& totals,
             nlohmann::ordered_json& report);

/// The object of the contract (docs/replay.md).
nlohmann::ordered_json report_json(const Replay& replay);

/// How the window kept up: first_frame_ms since the process began, scenes_per_second, {scene, panel, input}_ms.
nlohmann::ordered_json window_json(const WindowTimings& timings);

/// The same for a terminal.
std::string report_text(const nlohmann::ordered_json& report);

/// Writes `text` to a file that appears whole or not at all. Throws std::runtime_error.
void write_whole(const std::filesystem::path& path, const std::string& text);

/// Is `expression`, for example "total.p99_us>2000" or "counts.true<1", true of the report?
/// Throws std::invalid_argument when it cannot be read or names nothing in the report.
bool holds(const std::string& expression, const nlohmann::ordered_json& report);

/// Says on stderr which of them hold. Throws as holds().
bool any_holds(std::span<const std::string> expressions, const nlohmann::ordered_json& report);

}  // namespace glovebox::vr
