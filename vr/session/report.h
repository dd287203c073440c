// The report of a run: a JSON object for programs, a table for people, and conditions on the report for CI.
#pragma once

#include <cstdio>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <span>
#include <stdexcept>
#include <string>

#include "tracking/quoted.h"
#include "vr/session/session.h"

namespace glovebox::vr {

/// Returns {cpu, os, compiler, build, cores, memory_mb}.
nlohmann::ordered_json machine_json();

/// Returns {count, mean, p50, p90, p99, p999, max}, in microseconds.
nlohmann::ordered_json histogram_json(const DurationHistogram& histogram);

/// Adds everything about a run to `report`, except where its hands came from.
void add_run(const Session& session, nlohmann::ordered_json& report);

/// Returns the report's JSON object (docs/reference/report.md).
nlohmann::ordered_json report_json(const Session& session);

/// Formats the report for a terminal: touches first, then times. `verbose` adds every stage, and the counts under
/// the names of [Schmidl04].
std::string report_text(const nlohmann::ordered_json& report, bool verbose);

/// Draws the force loop's deadline ledger as a figure (haptics/ledger_figure.h).
void draw_ledger(const Session& session, const std::filesystem::path& path);

/// Writes a file atomically: it appears complete or not at all. Throws recordings::ExportError.
void write_whole(const std::filesystem::path& path, const std::string& text);
void write_json(const std::filesystem::path& path, const nlohmann::ordered_json& json);

/// Serializes JSON. Bytes that are not valid UTF-8, as in some file names, are replaced. If `indent` is negative, the
/// text is one line.
std::string text_of(const nlohmann::ordered_json& json, int indent = -1);

/// Runs the functions that write several output files. If one fails, its error is printed to stderr at once, and the
/// other files are still written.
struct Outputs {
    bool failed = false;

    template <class Work>
    bool attempt(const Work& work) {
        try {
            work();
            return true;
        } catch (const std::runtime_error& error) {
            std::fprintf(stderr, "glovebox: %s\n", tracking::printable(error.what()).c_str());
            failed = true;
            return false;
        }
    }
};

/// Returns an error message if `expression` is not a condition such as "total.p99_us>2000" or "counts.true<1",
/// otherwise an empty string. For CLI::Option::check.
std::string check_condition(const std::string& expression);

/// Returns whether a condition holds for the report. Throws std::invalid_argument if the condition cannot be parsed or
/// names no number in the report.
bool holds(const std::string& expression, const nlohmann::ordered_json& report);

/// Result of the `--fail-if` conditions. A condition is unknown if it cannot be parsed or names no number in the
/// report.
struct FailIfOutcome {
    bool any_holds = false, any_unknown = false;
};
/// Evaluates all conditions and prints to stderr which hold and which are unknown.
FailIfOutcome evaluate(std::span<const std::string> expressions, const nlohmann::ordered_json& report);

}  // namespace glovebox::vr
