// What a session was asked to do, in the types that are used: parsed once, by the command line (vr/cli/options.h).
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "collision/body/refit.h"
#include "recordings/file_source.h"
#include "recordings/inject.h"
#include "tracking/axes.h"
#include "tracking/filter.h"
#include "tracking/hand_frame.h"
#include "tracking/prediction.h"

namespace glovebox::vr {

struct PictureSize {
    int width_px = 1280, height_px = 720;
};

/// The same for every source.
struct SessionSettings {
    std::string scene;  ///< built-in name or file; empty: the recording's own, or the first
    const collision::RefitMethod* method = &collision::refit_methods().front();
    bool headless = false;
    bool check = false;         ///< every method on every frame
    bool hand_touches = false;  ///< fingers that touch each other and the other hand
    bool force = false;         ///< outputs may replace files that are not ours
    bool verbose = false;       ///< prints every stage and the paper's counts, too
    bool quiet = false;         ///< prints nothing but trouble
    bool json = false;          ///< prints the report in place of the table
    bool race = false;          ///< measures the other methods, outside of the frames' time
    std::int64_t frames = 0;    ///< 0: until the source ends or the person does
    double seconds = 0.0;       ///< likewise
    std::filesystem::path report, contacts, trace, record, screenshot;
    std::filesystem::path deadlines;               ///< figure of the force loop's ledger
    std::optional<PictureSize> size;               ///< of the window or the screenshot; empty: 1280x720
    std::vector<std::filesystem::path> hand_mesh;  ///< rigged hands to draw: none, one for both sides, or one each
    std::vector<std::string> haptics;              ///< entries of output_table(); empty: no force rendering
    std::filesystem::path haptics_log;             ///< for outputs that write a file
    std::filesystem::path haptics_port;            ///< of the glove that the output `opengloves` drives
    int haptics_baud = 115200;
    tracking::Side haptics_side = tracking::Side::right;  ///< whose glove is at haptics_port
    std::vector<std::string> fail_if;
    std::vector<recordings::Fault> faults;
    std::optional<tracking::FilterSettings> filter;  ///< empty: as the recording's log was made with, else off
    tracking::PredictionSettings prediction;         ///< of the hands that are drawn
    double stop_within_s = 0.0;                      ///< after a fault; 0: as FaultLimits has it
};

/// Where a recording's hands come from.
struct RecordingSettings {
    std::string recording;                       ///< file, or the name of a bundled sample; empty: the first sample
    std::string other_hand;                      ///< file of the other hand, where each has its own; empty: none
    std::optional<double> offset_s;              ///< how much later it is; empty: by the clocks of both
    std::optional<tracking::Side> only;          ///< the one hand that is wanted
    std::optional<float> unit_m;                 ///< empty: guessed
    std::optional<tracking::Axes> axes;          ///< empty: as the scene says, else as the format does
    std::filesystem::path wrist, profile;        ///< where the wrist was, and who was recorded; empty: none
    std::optional<recordings::ReplayRate> rate;  ///< empty: as recorded in a window, as fast as it goes headless
    bool loop = false;
    double screenshot_at_s = -1.0;  ///< negative: at the frame that shows touching best
};

}  // namespace glovebox::vr
