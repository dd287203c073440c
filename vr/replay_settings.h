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
    std::string axes = "auto";  ///< of tracking::find_axes(); auto: as the scene says, else as the format does
    std::string rate;           ///< "recorded", "max" or a number; empty: recorded in a window, max headless
    int frames = 0;             ///< 0: all
    bool headless = false, loop = false, check = false;
    std::filesystem::path report, contacts, trace, screenshot;
    std::string size = "1280x720";  ///< of the window or the screenshot
    std::vector<std::string> fail_if;
    std::string haptics;                ///< row of output_table(); empty: no force rendering
    std::filesystem::path haptics_log;  ///< for outputs that write a file
};

}  // namespace glovebox::vr
