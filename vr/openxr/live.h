// `glovebox vr`: the loop from the headset to what is touched, felt and seen.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace glovebox::vr {

struct LiveSettings {
    std::string scene;  ///< built-in name or file; empty: the first
    std::string method = "cab";
    bool headless = false;          ///< no pictures: hands and haptics only, beside another application
    int frames = 0;                 ///< 0: until closed
    double rate_hz = 0.0;           ///< headless, where the runtime does not pace: 0: the display's, or 90
    double wait_s = 30.0;           ///< for a headset at the start; then it is an error
    std::string size = "1280x720";  ///< of the mirror window
    std::filesystem::path report;
    std::filesystem::path record;                  ///< .glove log; empty: not recorded
    std::vector<std::filesystem::path> hand_mesh;  ///< rigged hand in place of our own; empty: ours
    std::vector<std::string> haptics = {"controller", "force-feedback"};  ///< rows of output_table()
    std::filesystem::path haptics_log, haptics_port;
    int haptics_baud = 115200;
    std::string haptics_hand = "right";  ///< whose glove is at haptics_port
    std::vector<std::string> fail_if;
};

/// Runs until --frames, the window is closed, the headset's menu closes it, or Ctrl-C. Returns the exit code.
/// Throws std::runtime_error when there is no OpenXR runtime, or no headset for `wait_s`.
int run_live(const LiveSettings& settings);

}  // namespace glovebox::vr
