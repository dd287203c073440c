#include "tests/runtime/run_with_runtime.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <string_view>
#include <thread>

namespace glovebox::tests {
namespace {

std::string read_all(const std::filesystem::path& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

// The runs' folders, removed when the test program ends unless HAND_RUNTIME_KEEP is set in the environment.
struct Folders {
    std::vector<std::filesystem::path> made;

    Folders() = default;
    Folders(const Folders&) = delete;
    Folders& operator=(const Folders&) = delete;
    ~Folders() {
        std::error_code ignored;
        if (std::getenv("HAND_RUNTIME_KEEP") == nullptr)
            for (const std::filesystem::path& each : made) std::filesystem::remove_all(each, ignored);
    }
};

std::filesystem::path fresh_folder() {
    static Folders folders;
    std::string name = (std::filesystem::temp_directory_path() / "hand_runtime_XXXXXX").string();
    if (mkdtemp(name.data()) == nullptr) throw std::runtime_error("no folder for the run: " + name);
    return folders.made.emplace_back(name);
}

std::string replaced(std::string text, const std::string& folder) {
    const std::string mark = "{folder}";
    for (std::size_t at = 0; (at = text.find(mark, at)) != std::string::npos; at += folder.size())
        text.replace(at, mark.size(), folder);
    return text;
}

std::vector<std::string> lines_with(const std::string& text, const std::string& what) {
    std::vector<std::string> lines;
    std::istringstream stream(text);
    for (std::string line; std::getline(stream, line);)
        if (line.find(what) != std::string::npos) lines.push_back(line);
    return lines;
}

// Variables set for every run of a suite: HAND_RUNTIME_SET_NAME=value.
std::map<std::string, std::string> variables_of_the_suite() {
    constexpr std::string_view kMark = "HAND_RUNTIME_SET_";
    std::map<std::string, std::string> variables;
    for (char** each = environ; *each != nullptr; ++each) {
        const std::string_view text = *each;
        const std::size_t equals = text.find('=');
        if (text.starts_with(kMark) && equals != text.npos)
            variables[std::string(text.substr(kMark.size(), equals - kMark.size()))] = text.substr(equals + 1);
    }
    return variables;
}

[[noreturn]] void become(const std::vector<std::string>& arguments, const std::map<std::string, std::string>& variables,
                         const std::filesystem::path& folder) {
    const int out = open((folder / "out.txt").c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
    const int err = open((folder / "err.txt").c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
    dup2(out, 1);
    dup2(err, 2);
    for (const auto& [name, value] : variables) setenv(name.c_str(), value.c_str(), 1);
    std::vector<char*> argv;
    for (const std::string& argument : arguments) argv.push_back(const_cast<char*>(argument.c_str()));
    argv.push_back(nullptr);
    execv(argv[0], argv.data());
    _exit(127);
}

}  // namespace

int Ran::count(const std::string& in_log) const {
    return static_cast<int>(lines_with(log, in_log).size());
}

Ran run_with_runtime(std::vector<std::string> arguments, const RunOptions& options) {
    Ran ran;
    ran.folder = fresh_folder();
    for (std::string& argument : arguments) argument = replaced(argument, ran.folder.string());
    std::ofstream(ran.folder / "script.txt") << replaced(options.script, ran.folder.string());
    std::map<std::string, std::string> variables{
        {"XR_RUNTIME_JSON", options.no_runtime ? (ran.folder / "none.json").string() : HAND_RUNTIME_JSON},
        {"HAND_RUNTIME_SCRIPT", (ran.folder / "script.txt").string()},
        {"HAND_RUNTIME_LOG", (ran.folder / "log.txt").string()},
        {"XDG_RUNTIME_DIR", ran.folder.string()},
        {"XDG_CONFIG_HOME", ran.folder.string()}};
    if (options.validation) {
        variables["XR_ENABLE_API_LAYERS"] = "XR_APILAYER_LUNARG_core_validation";
        variables["XR_CORE_VALIDATION_EXPORT_TYPE"] = "text";
        variables["XR_CORE_VALIDATION_FILE_NAME"] = (ran.folder / "validation.txt").string();
    }
    for (const auto& [name, value] : options.environment) variables[name] = replaced(value, ran.folder.string());

    for (const auto& [name, value] : variables_of_the_suite()) {
        const bool is_list = name == "XR_ENABLE_API_LAYERS" && !variables[name].empty();
        variables[name] = replaced(value, ran.folder.string()) + (is_list ? ":" + variables[name] : "");
    }

    const pid_t child = fork();
    if (child == 0) become(arguments, variables, ran.folder);
    const auto start = std::chrono::steady_clock::now();
    bool signalled = false, meant = false;
    int status = 0;
    while (waitpid(child, &status, WNOHANG) == 0) {
        const double elapsed_s = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
        if (!signalled && options.kill_after_s > 0.0 && elapsed_s > options.kill_after_s)
            signalled = kill(child, SIGKILL) == 0;
        if (!signalled && options.interrupt_after_s > 0.0 && elapsed_s > options.interrupt_after_s)
            signalled = kill(child, options.interrupt_with) == 0;
        if (options.meanwhile && !meant && elapsed_s > 0.5) meant = options.meanwhile(ran.folder);
        if (elapsed_s > options.timeout_s) {
            ran.timed_out = true;
            kill(child, SIGKILL);
        }
        std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
    ran.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    ran.signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
    ran.out = read_all(ran.folder / "out.txt");
    ran.err = read_all(ran.folder / "err.txt");
    ran.log = read_all(ran.folder / "log.txt");
    const std::string validation = read_all(ran.folder / "validation.txt") + ran.out + ran.err;
    ran.validation_errors = lines_with(validation, "VALID_ERROR");
    return ran;
}

namespace {

pid_t x_server = 0;

bool accepts_clients(const std::string& display_number) {
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    std::snprintf(address.sun_path, sizeof address.sun_path, "/tmp/.X11-unix/X%s", display_number.c_str());
    const int client = socket(AF_UNIX, SOCK_STREAM, 0);
    const bool accepted = connect(client, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0;
    close(client);
    return accepted;
}

void stop_x_server() {
    if (x_server <= 0) return;
    // Waits, because a server that is still shutting down would remove the next one's socket.
    kill(x_server, SIGTERM);
    waitpid(x_server, nullptr, 0);
    x_server = 0;
}

// Starts Xvfb and returns its display number; empty if there is no Xvfb or it did not start.
std::string start_x_server() {
    int ends[2];
    if (pipe(ends) != 0) return {};
    x_server = fork();
    if (x_server == 0) {
        const int null = open("/dev/null", O_WRONLY);
        dup2(null, 2);
        close(ends[0]);
        const std::string fd = std::to_string(ends[1]);
        execlp("Xvfb", "Xvfb", "-displayfd", fd.c_str(), "-screen", "0", "1280x720x24", "-nolisten", "tcp", "-noreset",
               static_cast<char*>(nullptr));
        _exit(127);
    }
    close(ends[1]);
    // Xvfb writes the number and the line end separately; closing the pipe between them kills the server (SIGPIPE).
    std::string number;
    for (char next = 0; read(ends[0], &next, 1) == 1 && next != '\n';) number += next;
    close(ends[0]);
    for (int wait = 0; wait < 100 && !number.empty(); ++wait) {
        if (accepts_clients(number)) return number;
        std::this_thread::sleep_for(std::chrono::milliseconds(20));
    }
    stop_x_server();
    return {};
}

}  // namespace

const std::string& x_display() {
    static const std::string display = [] {
        if (const char* given = std::getenv("DISPLAY"); given != nullptr && *given != '\0') return std::string(given);
        std::atexit(stop_x_server);
        // Servers that start and end at the same moment can take each other's number, so try again.
        for (int attempt = 0; attempt < 3; ++attempt)
            if (std::string number = start_x_server(); !number.empty()) return number.insert(0, 1, ':');
        return std::string();
    }();
    return display;
}

}  // namespace glovebox::tests
