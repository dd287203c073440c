// Haptic devices: rows of a table. A new device is one file and one row.
//
// send() runs on the force loop's thread: it must not block, lock or ask for memory. service() runs on the frame loop's
// thread every frame, for whatever may.
#pragma once

#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "vr/haptics/command.h"
#include "vr/session/stage_stats.h"

namespace glovebox::vr::openxr {
class Headset;
}

namespace glovebox::vr {

class HapticOutput {
  public:
    virtual ~HapticOutput() = default;
    virtual void send(const HapticCommand& command) = 0;
    virtual void service() {}
    /// Every tick of the force loop, on its thread, whether or not there was anything to send: so that an output can
    /// tell a loop that has nothing new to say from one that has died.
    virtual void beat(std::int64_t /*now_ns*/) {}
    /// Force loop, before every tick: may this hand get forces? False makes the governor stop, and forces begin from
    /// zero afterwards: the device has let go by itself, or is not there.
    virtual bool ready(tracking::Side /*side*/) { return true; }
    /// Frame loop: what OutputOptions::connection was is gone, this one takes its place.
    virtual void reconnect(int /*connection*/) {}
    /// Once, after the last command, on the frame loop's thread: completes what the output writes. False: that is not
    /// whole, and why has been said.
    virtual bool finish() { return true; }
};

/// Of commands that a headset's runtime has taken.
struct CommandTimes {
    DurationHistogram from_sample;  ///< of the first that knew of a sample
    DurationHistogram from_tick;    ///< of each
};

struct OutputOptions {
    std::filesystem::path file = {};              ///< of outputs that write one
    openxr::Headset* headset = nullptr;           ///< of outputs that go through a headset
    CommandTimes* command_times = nullptr;        ///< of each command sent that way
    std::filesystem::path port = {};              ///< of outputs on a serial port, pseudo-terminal or pipe
    int baud = 115200;                            ///< of that port
    int connection = -1;                          ///< in place of `port`, one that is open: ByteStream::writing_fd()
    tracking::Side side = tracking::Side::right;  ///< the hand at the end of that port
};

struct OutputRow {
    std::string_view name, summary;
    DeviceLimits limits;
    /// Throws std::runtime_error when the device is not there.
    std::unique_ptr<HapticOutput> (*open)(const OutputOptions& options);
};

std::span<const OutputRow> output_table();
const OutputRow* find_output(std::string_view name);  ///< nullptr if there is none of that name
std::vector<std::string> output_list();
std::string output_names();  ///< "null, log, ..."

std::unique_ptr<HapticOutput> open_null_output(const OutputOptions& options);
std::unique_ptr<HapticOutput> open_log_output(const OutputOptions& options);
std::unique_ptr<HapticOutput> open_controller_output(const OutputOptions& options);
std::unique_ptr<HapticOutput> open_force_feedback_output(const OutputOptions& options);
std::unique_ptr<HapticOutput> open_opengloves_output(const OutputOptions& options);

/// Several outputs as one: each gets every command, all within the strictest of their limits.
struct OutputSet {
    std::string name;  ///< "controller, force-feedback"; OutputRow::name of the set points to it
    DeviceLimits limits;
    std::unique_ptr<HapticOutput> output;
};
/// Throws std::runtime_error when a name is unknown or a device is not there.
OutputSet open_outputs(std::span<const std::string> names, const OutputOptions& options);

}  // namespace glovebox::vr
