#include "vr/layer/run_report.h"

#include "recordings/log/application_facts.h"
#include "recordings/parse.h"
#include "tracking/formatted.h"
#include "tracking/quoted.h"
#include "vr/export/application_json.h"

namespace glovebox::vr::layer {
namespace {

using nlohmann::ordered_json;
using recordings::counted;
using tracking::formatted;

std::string number(double value) {
    return formatted("%.1f", value);
}

}  // namespace

ordered_json report_of(const RunFacts& run) {
    ordered_json report;
    report["application"] = {{"arguments", run.application}, {"exit_code", run.exit_code}};
    if (!run.log) return report;
    report["application"]["name"] = run.log->name;
    report["frames"] = frames_json(recordings::facts_of(run.log->frames));
    const recordings::HapticCounts counts = recordings::counts_of(run.log->haptics);
    report["haptics"] = {{"vibrations", counts.vibrations}, {"stops", counts.stops}, {"forces", counts.forces}};
    if (!run.replay.empty()) report["replay"] = run.replay;
    if (!run.recorded) return report;
    const recordings::HapticComparison same = recordings::compare_haptics(run.recorded->haptics, run.log->haptics);
    report["haptics"].update({{"recorded", run.recorded->haptics.size()},
                              {"same", same.same},
                              {"missing", same.missing},
                              {"extra", same.extra},
                              {"largest_shift_ms", same.largest_shift_ms}});
    const recordings::PoseComparison poses = recordings::compare_poses(*run.recorded, *run.log);
    report["poses"] = {{"frames_same", poses.frames_same},
                       {"frames_different", poses.frames_different},
                       {"frames_at_other_times", poses.frames_elsewhere}};
    return report;
}

std::string text_of_run(const RunFacts& run) {
    std::string text = run.application.front() + ": exit code " + std::to_string(run.exit_code) + "\n";
    if (!run.log) return text + "  the layer recorded nothing: the application located no hand or pose\n";
    text += recordings::info_text(*run.log);
    if (!run.recorded) return tracking::printable_lines(text);
    const recordings::HapticComparison haptics = recordings::compare_haptics(run.recorded->haptics, run.log->haptics);
    if (!run.recorded->haptics.empty()) {
        text += "  of " + counted(run.recorded->haptics.size(), "recorded request") + " to be felt " +
                std::to_string(haptics.same) + " came again";
        if (haptics.same > 0) text += ", at most " + number(haptics.largest_shift_ms) + " ms apart";
        text += "; " + std::to_string(haptics.missing) + " did not\n";
    }
    if (haptics.extra > 0) text += "  new: " + counted(haptics.extra, "request") + " to be felt\n";
    const recordings::PoseComparison poses = recordings::compare_poses(*run.recorded, *run.log);
    if (!run.log->frames.empty()) {
        text += "  poses: the same in " + counted(poses.frames_same, "frame") + ", different in " +
                std::to_string(poses.frames_different);
        if (poses.first_different_s) text += " (first at " + number(*poses.first_different_s) + " s)";
        if (poses.frames_elsewhere > 0)
            text += "; " + counted(poses.frames_elsewhere, "frame") + " at times that the recording has not";
        text += "\n";
    }
    return tracking::printable_lines(text);
}

}  // namespace glovebox::vr::layer
