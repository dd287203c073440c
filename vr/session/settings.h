// Options of a session in their final types, parsed once by the command line (vr/cli/options.h).
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

/// Size of a window or a screenshot.
struct PictureSize {
    int width_px = 1280, height_px = 720;
};

/// Options that all sources share.
struct SessionSettings {
    std::string scene;  ///< built-in name or file; empty: the recording's own, or the first
    const collision::RefitMethod* method = &collision::refit_methods().front();
    bool headless = false;
    bool check = false;         ///< runs every method on every frame and compares them
    bool hand_touches = false;  ///< reports touches between fingers and between hands
    bool force = false;         ///< outputs may replace files that this program did not write
    bool verbose = false;       ///< prints every stage and the paper's counts, too
    bool quiet = false;         ///< prints only errors and warnings
    bool json = false;          ///< prints the report in place of the table
    bool race = false;          ///< measures the other methods, outside of the frames' time
    std::int64_t frames = 0;    ///< maximum number; 0: no maximum
    double seconds = 0.0;       ///< maximum duration; 0: no maximum
    std::filesystem::path report, contacts, trace, record, screenshot;
    std::filesystem::path deadlines;               ///< figure of the force loop's ledger
    std::optional<PictureSize> size;               ///< size of the window or the screenshot; empty: 1280x720
    std::vector<std::filesystem::path> hand_mesh;  ///< rigged hands to draw: none, one for both sides, or one each
    std::vector<std::string> haptics;              ///< entries of output_table(); empty: no force rendering
    std::filesystem::path haptics_log;             ///< for outputs that write a file
    std::filesystem::path haptics_port;            ///< serial port of the glove that the output `opengloves` drives
    int haptics_baud = 115200;
    tracking::Side haptics_side = tracking::Side::right;  ///< side of the glove at haptics_port
    std::vector<std::string> fail_if;
    std::vector<recordings::Fault> faults;
    std::optional<tracking::FilterSettings> filter;  ///< empty: the settings in the recording's log, else off
    tracking::PredictionSettings prediction;         ///< prediction of the hands that are drawn
    double stop_within_s = 0.0;                      ///< FaultLimits::stop_within_s; 0: its default
};

/// Options of a session that replays a recording.
struct RecordingSettings {
    std::string recording;              ///< file, or the name of a bundled sample; empty: the first sample
    std::string other_hand;             ///< file of the other hand, if it is separate; empty: none
    std::filesystem::path other_wrist;  ///< file with its wrist poses; empty: `wrist` is for both hands
    /// Added to the other file's times; empty: computed from both files' clocks.
    std::optional<double> offset_s;
    std::optional<tracking::Side> only;    ///< the only hand to use; empty: both
    std::optional<float> unit_m;           ///< length unit in metres; empty: guessed
    std::optional<tracking::Axes> axes;    ///< empty: the scene's axes; if it has none, the format's
    std::filesystem::path wrist, profile;  ///< files with wrist poses and with the user's profile; empty: none
    /// Empty: recorded rate with a window, as fast as possible if headless.
    std::optional<recordings::ReplayRate> rate;
    bool loop = false;
    double screenshot_at_s = -1.0;  ///< negative: at SessionTotals::clearest_frame
};

}  // namespace glovebox::vr
