// Other programs: those that make files for us, where they are installed, started without a shell and fed through
// pipes; and one that takes our place.
#pragma once

#include <cstdio>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace glovebox::vr {

/// Is there a program of this name in $PATH?
bool has_tool(const std::string& name);

/// A program that reads what it is given, and nothing else of ours. What it says on standard error is kept.
class Tool {
  public:
    /// Throws std::runtime_error with `missing` where there is no such program.
    Tool(const std::string& name, const std::vector<std::string>& arguments, const std::string& missing);
    ~Tool();  ///< ends a program that finish() was not called for
    Tool(const Tool&) = delete;
    Tool& operator=(const Tool&) = delete;

    /// Throws std::runtime_error with the program's last words where it has stopped reading.
    void write(std::string_view bytes);
    /// Closes its input and waits. Returns what it wrote to standard output. Throws where it failed.
    std::string finish();

  private:
    [[noreturn]] void fail();
    std::string name_;
    int to_ = -1, process_ = -1;
    std::FILE *out_ = nullptr, *error_ = nullptr;  // unnamed files: no pipe of them can fill up
};

/// What the program makes of `input`. Throws as above.
std::string output_of(const std::string& name, const std::vector<std::string>& arguments, std::string_view input,
                      const std::string& missing);

/// Ends this program and begins another one in its place, found in $PATH, with the same terminal, environment and
/// signals: its exit code is the caller's. Throws std::runtime_error where it cannot be begun.
[[noreturn]] void become(const std::vector<std::string>& program_and_arguments);

/// Runs another program, likewise, and waits for its end. Returns its exit code, or 128 and the number of the signal
/// that ended it. SIGTERM and SIGHUP go on to it; what a terminal sends to both ends the program alone.
int run_and_wait(const std::vector<std::string>& program_and_arguments);

}  // namespace glovebox::vr
