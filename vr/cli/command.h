// Subcommands of `glovebox`: rows of one table, one file each.
#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <span>
#include <stdexcept>
#include <string_view>

#include "vr/session/exit_codes.h"

namespace glovebox::vr {

/// What was asked for makes no sense, which shows only when its parts are seen together: ends in one line on stderr and
/// kExitUsage.
struct UsageError : std::runtime_error {
    using std::runtime_error::runtime_error;
};

struct Command {
    std::string_view name, summary;
    /// Declares the options on `app` and returns what to run once they are parsed. The result is the exit code;
    /// std::exception ends in one line on stderr and kExitCouldNotRun.
    std::function<int()> (*declare)(CLI::App& app);
};

std::span<const Command> commands();

/// For CLI::Option::check: empty, or why it is no fault of recordings/inject.h, no rate of a replay's clock.
std::string check_fault(const std::string& spec);
std::string check_rate(const std::string& rate);

std::function<int()> declare_replay(CLI::App& app);
std::function<int()> declare_touches(CLI::App& app);
std::function<int()> declare_video(CLI::App& app);
std::function<int()> declare_digest(CLI::App& app);
std::function<int()> declare_scene(CLI::App& app);
std::function<int()> declare_compare(CLI::App& app);
std::function<int()> declare_vr(CLI::App& app);
std::function<int()> declare_info(CLI::App& app);
std::function<int()> declare_doctor(CLI::App& app);
std::function<int()> declare_convert(CLI::App& app);
std::function<int()> declare_recover(CLI::App& app);
std::function<int()> declare_emulate(CLI::App& app);
std::function<int()> declare_live(CLI::App& app);
std::function<int()> declare_calibrate(CLI::App& app);
std::function<int()> declare_diff(CLI::App& app);
std::function<int()> declare_fit(CLI::App& app);
std::function<int()> declare_label(CLI::App& app);
std::function<int()> declare_bench(CLI::App& app);
std::function<int()> declare_clips(CLI::App& app);
std::function<int()> declare_lab(CLI::App& app);
std::function<int()> declare_layer(CLI::App& app);
std::function<int()> declare_completion(CLI::App& app);
std::function<int()> declare_man(CLI::App& app);
std::function<int()> declare_scenes(CLI::App& app);
std::function<int()> declare_methods(CLI::App& app);
std::function<int()> declare_formats(CLI::App& app);
std::function<int()> declare_sources(CLI::App& app);
std::function<int()> declare_outputs(CLI::App& app);

}  // namespace glovebox::vr
