// A program with subcommands: parses the command line, runs a subcommand, turns errors into one line and an exit code.
#pragma once

#include <span>

namespace glovebox::vr {

struct Command;

/// Runs the subcommand that the arguments name; the first one of the table if they begin with an option or a file.
/// Returns the exit code.
int run_program(int argc, char** argv, std::span<const Command> commands);

/// Runs glovebox, with its own table of commands.
int run_glovebox(int argc, char** argv);

}  // namespace glovebox::vr
