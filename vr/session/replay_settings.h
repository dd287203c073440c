// What `glovebox replay` was asked to do.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace glovebox::vr {

struct ReplaySettings {
    std::string recording;  ///< file, or the name of a bundled sample; empty: the first sample
    std::string scene;      ///< built-in name or file; empty: the first
    std::string hand = "both";
    std::string method = "cab";
    std::string unit = "auto";
    std::string axes = "auto";   ///< of tracking::find_axes(); auto: as the scene says, else as the format does
    std::string wrist, profile;  ///< files: where the wrist was, and who was recorded; empty: none
    std::string rate;            ///< "recorded", "max" or a number; empty: recorded in a window, max headless
    int frames = 0;              ///< 0: all
    bool headless = false, loop = false, check = false;
    std::filesystem::path report, contacts, trace, screenshot, record;
    std::string size;                              ///< of the window or the screenshot; empty: 1280x720
    double screenshot_at_s = -1.0;                 ///< negative: at the frame that shows touching best
    std::vector<std::filesystem::path> hand_mesh;  ///< rigged hands to draw: none, one for both sides, or one each
    std::vector<std::string> fail_if;
    std::vector<std::string> inject;    ///< faults, see recordings/inject.h
    double stop_within_ms = 0.0;        ///< 0: as FaultLimits has it
    std::string haptics;                ///< row of output_table(); empty: no force rendering
    std::filesystem::path haptics_log;  ///< for outputs that write a file
    std::filesystem::path deadlines;    ///< figure of the force loop's ledger
};

}  // namespace glovebox::vr
