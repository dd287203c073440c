#include "vr/platform/tool.h"

#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <stdexcept>

extern char** environ;

namespace glovebox::vr {
namespace {

std::string text_of(std::FILE* file) {
    std::string text;
    std::array<char, 1 << 16> block{};
    std::rewind(file);
    for (std::size_t got = 0; (got = std::fread(block.data(), 1, block.size(), file)) > 0;)
        text.append(block.data(), got);
    return text;
}

// Returns the last line that is not empty.
std::string last_line(std::string text) {
    while (!text.empty() && (text.back() == '\n' || text.back() == '\r')) text.pop_back();
    const auto at = text.find_last_of("\n\r");
    return at == std::string::npos ? text : text.substr(at + 1);
}

std::string find_tool(const std::string& name) {
    const char* path = std::getenv("PATH");
    std::string folders = path != nullptr ? path : "/usr/bin:/bin";
    for (std::size_t from = 0; from <= folders.size();) {
        const std::size_t to = std::min(folders.find(':', from), folders.size());
        const std::string file = folders.substr(from, to - from) + "/" + name;
        if (to > from && access(file.c_str(), X_OK) == 0 && std::filesystem::is_regular_file(file)) return file;
        from = to + 1;
    }
    return {};
}

}  // namespace

bool has_tool(const std::string& name) {
    return !find_tool(name).empty();
}

Tool::Tool(const std::string& name, const std::vector<std::string>& arguments, const std::string& missing)
    : name_(name) {
    const std::string file = find_tool(name);
    if (file.empty()) throw std::runtime_error(missing);
    std::array<int, 2> ends{};
    if (pipe2(ends.data(), O_CLOEXEC) != 0) throw std::runtime_error(name + ": " + std::strerror(errno));
    to_ = ends[1];
    out_ = std::tmpfile();
    error_ = std::tmpfile();
    if (out_ == nullptr || error_ == nullptr) {
        close(ends[0]);
        throw std::runtime_error(name + ": no temporary file: " + std::strerror(errno));
    }
    std::vector<char*> words;
    std::string first = name;
    words.push_back(first.data());
    std::vector<std::string> copies = arguments;
    for (std::string& argument : copies) words.push_back(argument.data());
    words.push_back(nullptr);
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, ends[0], 0);
    posix_spawn_file_actions_adddup2(&actions, fileno(out_), 1);
    posix_spawn_file_actions_adddup2(&actions, fileno(error_), 2);
    const int code = posix_spawn(&process_, file.c_str(), &actions, nullptr, words.data(), environ);
    posix_spawn_file_actions_destroy(&actions);
    close(ends[0]);
    if (code != 0) {
        process_ = -1;
        throw std::runtime_error(name + ": " + std::strerror(code));
    }
}

Tool::~Tool() {
    if (to_ >= 0) close(to_);
    if (process_ > 0) {
        kill(process_, SIGTERM);
        waitpid(process_, nullptr, 0);
    }
    if (out_ != nullptr) std::fclose(out_);
    if (error_ != nullptr) std::fclose(error_);
}

void Tool::fail() {
    throw std::runtime_error(name_ + " failed: " + last_line(text_of(error_)));
}

void Tool::write(std::string_view bytes) {
    // A program that has ended must not end ours (SIGPIPE).
    struct sigaction ignore {
    }, before{};
    ignore.sa_handler = SIG_IGN;
    sigaction(SIGPIPE, &ignore, &before);
    while (!bytes.empty()) {
        const ssize_t written = ::write(to_, bytes.data(), bytes.size());
        if (written < 0 && errno == EINTR) continue;
        if (written <= 0) break;
        bytes.remove_prefix(static_cast<std::size_t>(written));
    }
    sigaction(SIGPIPE, &before, nullptr);
    if (!bytes.empty()) fail();
}

std::string Tool::finish() {
    close(to_);
    to_ = -1;
    int status = 0;
    while (waitpid(process_, &status, 0) < 0 && errno == EINTR) {
    }
    process_ = -1;
    if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) fail();
    return text_of(out_);
}

std::string output_of(const std::string& name, const std::vector<std::string>& arguments, std::string_view input,
                      const std::string& missing) {
    Tool tool(name, arguments, missing);
    tool.write(input);
    return tool.finish();
}

namespace {

std::vector<char*> words_of(const std::vector<std::string>& program_and_arguments) {
    std::vector<char*> words;
    for (const std::string& each : program_and_arguments) words.push_back(const_cast<char*>(each.c_str()));
    words.push_back(nullptr);
    return words;
}

// Blocks signals for sigwaitinfo() while another program runs.
class HeldSignals {
  public:
    HeldSignals() {
        sigemptyset(&held_);
        for (const int each : {SIGCHLD, SIGTERM, SIGHUP, SIGINT, SIGQUIT}) sigaddset(&held_, each);
        sigprocmask(SIG_BLOCK, &held_, &before_);
    }
    ~HeldSignals() { sigprocmask(SIG_SETMASK, &before_, nullptr); }
    HeldSignals(const HeldSignals&) = delete;
    HeldSignals& operator=(const HeldSignals&) = delete;

    const sigset_t& before() const { return before_; }
    int next() const { return sigwaitinfo(&held_, nullptr); }
    /// Discards pending signals: a signal that the terminal sent to both programs must not end this one afterwards.
    void drop_rest() const {
        const timespec now{};
        while (sigtimedwait(&held_, nullptr, &now) > 0) {
        }
    }

  private:
    sigset_t held_{}, before_{};
};

}  // namespace

int run_and_wait(const std::vector<std::string>& program_and_arguments) {
    const HeldSignals held;
    posix_spawnattr_t attributes;
    posix_spawnattr_init(&attributes);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK);
    posix_spawnattr_setsigmask(&attributes, &held.before());
    pid_t program = -1;
    const int code = posix_spawnp(&program, program_and_arguments.front().c_str(), nullptr, &attributes,
                                  words_of(program_and_arguments).data(), environ);
    posix_spawnattr_destroy(&attributes);
    if (code != 0) throw std::runtime_error(program_and_arguments.front() + ": cannot be run: " + std::strerror(code));
    int status = 0;
    while (waitpid(program, &status, WNOHANG) == 0)
        if (const int signal = held.next(); signal == SIGTERM || signal == SIGHUP) kill(program, signal);
    held.drop_rest();
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

void become(const std::vector<std::string>& program_and_arguments) {
    std::vector<char*> arguments = words_of(program_and_arguments);
    execvp(arguments[0], arguments.data());
    throw std::runtime_error(program_and_arguments.front() + ": cannot be run: " + std::strerror(errno));
}

}  // namespace glovebox::vr
