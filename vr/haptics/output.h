// Interface and table of haptic outputs (devices). To add a device, add one file and one entry.
//
// send() runs on the force loop's thread and must not block, lock or allocate. service() runs on the frame loop's
// thread every frame, and may block, lock or allocate.
#pragma once

#include <atomic>
#include <filesystem>
#include <limits>
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

/// A haptic device, or a filter in front of one.
class HapticOutput {
  public:
    virtual ~HapticOutput() = default;
    virtual void send(const HapticCommand& command) = 0;
    virtual void service() {}
    /// Called on every tick in the force loop's thread, even if there is nothing to send. This lets an output
    /// distinguish an idle loop from one that hangs.
    virtual void beat(std::int64_t /*now_ns*/) {}
    /// Returns whether this hand may get forces; called in the force loop before every tick. It returns false if the
    /// device is disconnected or has released the hand by itself. The governor then stops, and later forces begin from
    /// zero.
    virtual bool ready(tracking::Side /*side*/) { return true; }
    /// Replaces OutputOptions::connection, which has been lost, by `connection`. Called in the frame loop.
    virtual void reconnect(int /*connection*/) {}
    /// Completes the output's files. Called once in the frame loop's thread, after the last command. Returns false if
    /// the files are incomplete; the reason has then been printed.
    virtual bool finish() { return true; }
};

/// Latencies of commands that a headset's runtime has accepted.
struct CommandTimes {
    DurationHistogram from_sample;  ///< sample -> first command based on it
    DurationHistogram from_tick;    ///< tick -> command accepted, for each command
};

/// The time of the session's first sample on the force loop's clock. Commands before it have no time in the session.
struct SampleClock {
    static constexpr std::int64_t kNotBegun = std::numeric_limits<std::int64_t>::max();
    std::atomic<std::int64_t> start_ns = kNotBegun;
};

/// Options for opening an output. Each output uses only the options that concern it.
struct OutputOptions {
    std::filesystem::path file = {};        ///< for outputs that write a file
    const SampleClock* clock = nullptr;     ///< for outputs that write times; null: those of the force loop
    openxr::Headset* headset = nullptr;     ///< for outputs that go through a headset
    CommandTimes* command_times = nullptr;  ///< receives the times of commands sent through a headset
    std::filesystem::path port = {};        ///< for outputs on a serial port, pseudo-terminal or pipe
    int baud = 115200;                      ///< baud rate of `port`
    int connection = -1;                    ///< open descriptor to use instead of `port`: ByteStream::writing_fd()
    tracking::Side side = tracking::Side::right;  ///< side of the device at `port`
};

/// An entry of the table of outputs.
struct OutputRow {
    std::string_view name, summary;
    DeviceLimits limits;
    /// Opens the output. Throws std::runtime_error if the device is not there.
    std::unique_ptr<HapticOutput> (*open)(const OutputOptions& options);
};

std::span<const OutputRow> output_table();
const OutputRow* find_output(std::string_view name);  ///< nullptr if no output has that name

std::unique_ptr<HapticOutput> open_null_output(const OutputOptions& options);
std::unique_ptr<HapticOutput> open_log_output(const OutputOptions& options);
std::unique_ptr<HapticOutput> open_controller_output(const OutputOptions& options);
std::unique_ptr<HapticOutput> open_force_feedback_output(const OutputOptions& options);
std::unique_ptr<HapticOutput> open_opengloves_output(const OutputOptions& options);

/// Several outputs combined in one. Each gets every command, and the limits are the strictest of all outputs.
struct OutputSet {
    std::string name;  ///< "controller, force-feedback"; the set's OutputRow::name refers to it
    DeviceLimits limits;
    std::unique_ptr<HapticOutput> output;
};
/// Opens the outputs. Throws std::runtime_error if a name is unknown or a device is not there.
OutputSet open_outputs(std::span<const std::string> names, const OutputOptions& options);

}  // namespace glovebox::vr
