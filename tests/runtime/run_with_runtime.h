// Runs a program against the test runtime, in its own process, with a script: what the tests of OpenXR code are made
// of.
#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <string>
#include <vector>

namespace glovebox::tests {

struct Ran {
    int exit_code = -1;  ///< -1: killed, see `signal`
    int signal = 0;
    bool timed_out = false;
    std::string out;                             ///< standard output
    std::string err;                             ///< standard error
    std::string log;                             ///< the runtime's
    std::filesystem::path folder;                ///< its own; scripts' relative files are in it
    std::vector<std::string> validation_errors;  ///< of the core validation layer

    int count(const std::string& in_log) const;  ///< lines of the log that hold the text
};

struct RunOptions {
    std::string script;
    bool validation = true;          ///< under the core validation layer
    bool no_runtime = false;         ///< as on a machine that has none
    double timeout_s = 60.0;         ///< then the program is killed
    double kill_after_s = 0.0;       ///< > 0: SIGKILL then; the test is about that
    double interrupt_after_s = 0.0;  ///< > 0: `interrupt_with` then
    int interrupt_with = 2;          ///< SIGINT
    std::map<std::string, std::string> environment;
    /// Called every 5 ms with the run's folder while the program runs, until it returns true.
    std::function<bool(const std::filesystem::path&)> meanwhile;
};

/// An environment variable HAND_RUNTIME_SET_NAME of the caller sets NAME for every program that is run, with
/// "{folder}" replaced; layers are put before those that are there. So a whole suite runs under an API layer.
/// `arguments[0]` is the program. "{folder}" in arguments and script is replaced by the run's own folder.
Ran run_with_runtime(std::vector<std::string> arguments, const RunOptions& options);

/// An X server for tests with OpenGL, started on first use and ended with the process; empty when there is none to be
/// had (then such tests are skipped).
const std::string& x_display();

}  // namespace glovebox::tests
