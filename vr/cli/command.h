// The table of `glovebox`'s subcommands. Each subcommand is declared in a file of its own.
#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <span>
#include <stdexcept>
#include <string_view>

#include "vr/session/exit_codes.h"

namespace glovebox::vr {

/// Thrown if options contradict each other. The program then prints one line on stderr and exits with kExitUsage.
struct UsageError : std::runtime_error {
    using std::runtime_error::runtime_error;
};

/// A subcommand.
struct Command {
    std::string_view name, summary;
    /// Declares the options on `app` and returns the function to run after parsing. That function returns the exit
    /// code. If it throws a std::exception, the program prints one line on stderr and exits with kExitCouldNotRun.
    std::function<int()> (*declare)(CLI::App& app);
    std::string_view program = {};  ///< if not empty, the program beside this one that runs it
};

std::span<const Command> commands();

/// Return an error message if the text is not a fault (recordings/inject.h) or not a replay rate; otherwise an empty
/// text. For CLI::Option::check.
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
