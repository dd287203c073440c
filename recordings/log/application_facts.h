// Computes facts and findings of OpenXR application logs and compares them, for `info`, `doctor`, `diff` and the report
// of a run.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "recordings/diff.h"
#include "recordings/log/application_log.h"

namespace glovebox::recordings {

/// Percentiles in milliseconds; all 0 without data.
struct Percentiles {
    double p50 = 0.0, p90 = 0.0, p99 = 0.0, max = 0.0;
    bool has_data() const { return max > 0.0; }
};
struct FrameFacts {
    std::int64_t count = 0;
    std::int64_t missed = 0;    ///< display times that the application skipped
    std::int64_t too_long = 0;  ///< frames whose work took longer than the display's period
    Percentiles work_ms;        ///< time from the return of xrWaitFrame to the call of xrEndFrame
    Percentiles interval_ms;    ///< time from one display time to the next
};
FrameFacts facts_of(const std::vector<AppFrame>& frames);

/// Comparison of the pose hashes of two runs, for frames with the same display time.
struct PoseComparison {
    std::int64_t frames_same = 0, frames_different = 0;
    std::int64_t frames_elsewhere = 0;  ///< frames whose display time the recording lacks; not compared
    std::optional<double> first_different_s;
};
PoseComparison compare_poses(const ApplicationLog& recorded, const ApplicationLog& now);

struct HapticCounts {
    std::int64_t vibrations = 0, stops = 0, forces = 0;
};
HapticCounts counts_of(const std::vector<HapticRecord>& haptics);

/// Comparison of the haptic commands of two runs. A command of one run matches the next unmatched command of the other
/// that has the same hand, kind and strength (to 0.001) and a time within kMaxHapticShift_ns.
inline constexpr std::int64_t kMaxHapticShift_ns = 50'000'000;
struct HapticComparison {
    std::int64_t same = 0;
    std::int64_t missing = 0;  ///< commands of the recording without a match
    std::int64_t extra = 0;    ///< commands of the other run without a match
    double largest_shift_ms = 0.0;
};
HapticComparison compare_haptics(const std::vector<HapticRecord>& recorded, const std::vector<HapticRecord>& now);

/// Returns one line per fact, each indented by two spaces. Empty for a log without an application.
std::string info_text(const ApplicationLog& log);
/// Returns one line per finding, in the form of info_text().
std::string findings_text(const ApplicationLog& log);

/// Returns the first difference of two application logs as a sentence: poses, action states, interaction profiles,
/// velocities of hands or haptic commands. Nothing if they are the same. Frame times differ from run to run and are not
/// compared. Velocities are compared only if the tolerances are 0.
std::optional<std::string> first_difference(const ApplicationLog& a, const ApplicationLog& b,
                                            const DiffSettings& settings = {});

}  // namespace glovebox::recordings
