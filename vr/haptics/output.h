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

#include "vr/haptics/command.h"

namespace glovebox::vr {

class HapticOutput {
  public:
    virtual ~HapticOutput() = default;
    virtual void send(const HapticCommand& command) = 0;
    virtual void service() {}
};

struct OutputOptions {
    std::filesystem::path file;  ///< of outputs that write one
};

struct OutputRow {
    std::string_view name, summary;
    DeviceLimits limits;
    /// Throws std::runtime_error when the device is not there.
    std::unique_ptr<HapticOutput> (*open)(const OutputOptions& options);
};

std::span<const OutputRow> output_table();
const OutputRow* find_output(std::string_view name);  ///< nullptr if there is no such row

std::unique_ptr<HapticOutput> open_null_output(const OutputOptions& options);
std::unique_ptr<HapticOutput> open_log_output(const OutputOptions& options);

}  // namespace glovebox::vr
