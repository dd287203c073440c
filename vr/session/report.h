// The report of a run: one JSON object for programs, a table for people, and conditions on it for CI.
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

/// {cpu, os, compiler, build, cores, memory_mb}
nlohmann::ordered_json machine_json();

/// {count, mean, p50, p90, p99, p999, max}, microseconds.
nlohmann::ordered_json histogram_json(const DurationHistogram& histogram);

/// Adds everything of a run but where its hands came from.
void add_run(const Session& session, nlohmann::ordered_json& report);

/// The object of the contract (docs/reference/report.md).
nlohmann::ordered_json report_json(const Session& session);

/// The same for a terminal: who touched what, then what it cost in plain words. `verbose`: every stage, and the counts
/// in the paper's terms, besides.
std::string report_text(const nlohmann::ordered_json& report, bool verbose);

/// The force loop's ledger of a session as a figure (haptics/ledger_figure.h).
void draw_ledger(const Session& session, const std::filesystem::path& path);

/// Writes `text` to a file that appears whole or not at all. Throws recordings::ExportError.
void write_whole(const std::filesystem::path& path, const std::string& text);
void write_json(const std::filesystem::path& path, const nlohmann::ordered_json& json);

/// JSON has to be UTF-8 and names of files need not be: what is none is replaced. Negative `indent`: one line.
std::string text_of(const nlohmann::ordered_json& json, int indent = -1);

/// An output that fails is told at once and given up; the others come out all the same.
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

/// For CLI::Option::check: empty, or why `expression` is no condition such as "total.p99_us>2000" or "counts.true<1".
std::string check_condition(const std::string& expression);

/// Is it true of the report? Throws std::invalid_argument when it cannot be read or names no number of the report.
bool holds(const std::string& expression, const nlohmann::ordered_json& report);

struct FailIfOutcome {
    bool any_holds = false, any_unknown = false;
};
/// Looks at all of them and says on stderr which hold, and which name nothing in the report.
FailIfOutcome look_at(std::span<const std::string> expressions, const nlohmann::ordered_json& report);

}  // namespace glovebox::vr
