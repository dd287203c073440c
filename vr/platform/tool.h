// Starts other programs without a shell. They are fed through pipes, replace this program, or run while this one waits.
#pragma once

#include <cstdio>
#include <string>
#include <string_view>
#include <vector>

namespace glovebox::vr {

/// Returns whether there is a program of this name in $PATH.
bool has_tool(const std::string& name);

/// A running program that reads the bytes passed to write(). Its error output is kept for error messages.
class Tool {
  public:
    /// Starts the program. Throws std::runtime_error with the message `missing` if it is not installed.
    Tool(const std::string& name, const std::vector<std::string>& arguments, const std::string& missing);
    ~Tool();  ///< ends the program if finish() was not called
    Tool(const Tool&) = delete;
    Tool& operator=(const Tool&) = delete;

    /// Writes to the program's input. If the program has stopped reading, throws std::runtime_error with its last error
    /// output.
    void write(std::string_view bytes);
    /// Closes the program's input, waits for its end and returns its standard output. Throws std::runtime_error if the
    /// program failed.
    std::string finish();

  private:
    [[noreturn]] void fail();
    std::string name_;
    int to_ = -1, process_ = -1;
    std::FILE *out_ = nullptr, *error_ = nullptr;  // unnamed files, which unlike pipes cannot fill up
};

/// Runs a program on `input` and returns its standard output. Throws what the functions of Tool throw.
std::string output_of(const std::string& name, const std::vector<std::string>& arguments, std::string_view input,
                      const std::string& missing);

/// Replaces this process by another program from $PATH, with the same terminal, environment and signals. Throws
/// std::runtime_error if it cannot be started.
[[noreturn]] void become(const std::vector<std::string>& program_and_arguments);

/// Runs another program from $PATH and waits for its end. Returns its exit code, or 128 plus the number of the signal
/// that ended it. SIGTERM and SIGHUP are forwarded to the other program. A signal that a terminal sends to both
/// programs ends only the other one.
int run_and_wait(const std::vector<std::string>& program_and_arguments);

}  // namespace glovebox::vr
