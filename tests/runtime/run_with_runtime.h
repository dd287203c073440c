// Runs a program with a script against the test runtime, in a process of its own: the basis of all tests of OpenXR
// code.
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
    std::string log;                             ///< the runtime's log
    std::filesystem::path folder;                ///< the run's own; relative paths in scripts start here
    std::vector<std::string> validation_errors;  ///< from the core validation layer

    int count(const std::string& in_log) const;  ///< Counts the lines of the log that contain the text
};

struct RunOptions {
    std::string script;
    bool validation = true;          ///< under the core validation layer
    bool no_runtime = false;         ///< as on a machine without a runtime
    double timeout_s = 60.0;         ///< after this the program is killed
    double kill_after_s = 0.0;       ///< > 0: SIGKILL after this time, for tests of it
    double interrupt_after_s = 0.0;  ///< > 0: sends `interrupt_with` after this time
    int interrupt_with = 2;          ///< SIGINT
    std::map<std::string, std::string> environment;
    /// Called every 5 ms with the run's folder while the program runs, until it returns true.
    std::function<bool(const std::filesystem::path&)> meanwhile;
};

/// Runs program `arguments[0]`. "{folder}" in arguments, script and variables is replaced by the run's own folder.
/// HAND_RUNTIME_SET_NAME in the caller's environment sets NAME for every program; layers go before those set already.
/// This way a whole suite can run under an API layer.
Ran run_with_runtime(std::vector<std::string> arguments, const RunOptions& options);

/// Returns the display of an X server for tests with OpenGL, started on first use and ended with the process. Empty if
/// none can be started (such tests are then skipped).
const std::string& x_display();

}  // namespace glovebox::tests
