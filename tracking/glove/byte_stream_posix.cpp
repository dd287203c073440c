#include <arpa/inet.h>
#include <fcntl.h>
#include <libserialport.h>
#include <netdb.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <termios.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <memory>

#include "tracking/glove/byte_stream.h"

namespace glovebox::tracking {
namespace {

constexpr int kPollEvery_ms = 20;  // interval of polling for a peer and of calling KeepWaiting
constexpr int kLockTries = 15;     // 0.3 s: a program that is ending has released its glove by then

[[noreturn]] void fail_in_use(const std::string& device) {
    throw DeviceError(device + ": another program has this glove; end that program first");
}

[[noreturn]] void fail(const std::string& what, const std::string& advice = {}) {
    if (errno == EBUSY) fail_in_use(what);
    throw DeviceError(what + ": " + std::strerror(errno) + (advice.empty() ? "" : "; " + advice));
}

constexpr const char* kDevices = "a device is a serial port (such as /dev/ttyUSB0), a pipe, a file or tcp:HOST:PORT";

// Sets a terminal to raw mode: no echo, no line editing, no translation of line ends.
void make_raw(int fd) {
    termios settings{};
    if (tcgetattr(fd, &settings) != 0) return;
    cfmakeraw(&settings);
    tcsetattr(fd, TCSANOW, &settings);
}

// Configures a port with libserialport, which knows the speeds and quirks of real ports. The descriptor is ours.
void set_up_serial_port(const std::string& name, int baud) {
    sp_port* found = nullptr;
    if (sp_get_port_by_name(name.c_str(), &found) != SP_OK) return;
    const std::unique_ptr<sp_port, void (*)(sp_port*)> port(found, sp_free_port);
    if (sp_open(port.get(), SP_MODE_READ_WRITE) != SP_OK) fail(name);
    sp_set_baudrate(port.get(), baud);
    sp_set_bits(port.get(), 8);
    sp_set_parity(port.get(), SP_PARITY_NONE);
    sp_set_stopbits(port.get(), 1);
    sp_set_flowcontrol(port.get(), SP_FLOWCONTROL_NONE);
    sp_close(port.get());
}

// Locks a device. If two programs read one port, each gets a part of every packet. Programs that use flock() see the
// lock (ours and most serial programs), whichever user runs them. TIOCEXCL excludes the others from serial ports,
// except root's. It is not set on a pseudo-terminal, where it would outlive this process, because the creator has it
// open.
void take_alone(int fd, const std::string& device) {
    const bool terminal = isatty(fd) != 0;
    struct stat info {};
    if (!terminal && (fstat(fd, &info) != 0 || !S_ISFIFO(info.st_mode))) return;
    for (int looks = 0; flock(fd, LOCK_EX | LOCK_NB) != 0; ++looks) {
        if (errno != EWOULDBLOCK) return;  // a file system without locks
        if (looks == kLockTries) fail_in_use(device);
        poll(nullptr, 0, kPollEvery_ms);
    }
    if (terminal && device.starts_with("/dev/tty")) ioctl(fd, TIOCEXCL);
}

// Configures a socket. Short lines are sent at once. If the peer disconnects, write() fails; there is no signal.
void set_up_connection(int fd) {
    const int yes = 1;
    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
    fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) | O_NONBLOCK);
    signal(SIGPIPE, SIG_IGN);
}

std::filesystem::path back_of(std::filesystem::path pipe) {
    return pipe += ".back";
}

}  // namespace

int open_for_writing(const std::filesystem::path& device, int baud) {
    struct stat info {};
    if (stat(device.c_str(), &info) != 0) fail(device.string());
    const bool terminal = S_ISCHR(info.st_mode);
    if (terminal && device.string().starts_with("/dev/tty")) set_up_serial_port(device.string(), baud);
    const int fd = ::open(device.c_str(), O_WRONLY | O_NOCTTY | O_CLOEXEC | O_NONBLOCK);
    if (fd < 0) fail(device.string());
    try {
        take_alone(fd, device.string());
    } catch (const DeviceError&) {
        ::close(fd);
        throw;
    }
    if (terminal) make_raw(fd);
    if (S_ISFIFO(info.st_mode)) signal(SIGPIPE, SIG_IGN);
    return fd;
}

ByteStream::~ByteStream() {
    for (const int fd : {fd_, back_fd_})
        if (fd >= 0) ::close(fd);
    std::error_code ignored;
    for (const std::filesystem::path& path : remove_)
        if (!path.empty()) std::filesystem::remove(path, ignored);
}

ByteStream ByteStream::connect(const std::string& host_and_port) {
    const auto [host, port] = address_of(host_and_port);
    addrinfo hints{};
    hints.ai_family = AF_UNSPEC;
    hints.ai_socktype = SOCK_STREAM;
    addrinfo* found = nullptr;
    if (const int error = getaddrinfo(host.c_str(), port.c_str(), &hints, &found); error != 0)
        throw DeviceError("tcp:" + host_and_port + ": " + gai_strerror(error) + "; is the name of the host right?");
    const std::unique_ptr<addrinfo, void (*)(addrinfo*)> addresses(found, freeaddrinfo);
    for (const addrinfo* each = found; each != nullptr; each = each->ai_next) {
        const int fd = socket(each->ai_family, each->ai_socktype | SOCK_CLOEXEC, each->ai_protocol);
        if (fd < 0) continue;
        if (::connect(fd, each->ai_addr, each->ai_addrlen) == 0) {
            set_up_connection(fd);
            return {fd, "tcp:" + host_and_port};
        }
        const int error = errno;
        ::close(fd);
        errno = error;
    }
    fail("tcp:" + host_and_port, "start the glove's side first: it has to listen there");
}

ByteStream ByteStream::open(const std::filesystem::path& device, int baud) {
    if (device.string().starts_with("tcp:")) return connect(device.string().substr(4));
    struct stat info {};
    if (stat(device.c_str(), &info) != 0) fail(device.string(), kDevices);
    if (S_ISDIR(info.st_mode)) throw DeviceError(device.string() + ": is a folder; " + kDevices);
    const bool terminal = S_ISCHR(info.st_mode);
    if (terminal && device.string().starts_with("/dev/tty")) set_up_serial_port(device.string(), baud);
    const int flags = S_ISREG(info.st_mode) || S_ISFIFO(info.st_mode) ? O_RDONLY : O_RDWR;
    const int fd = ::open(device.c_str(), flags | O_NOCTTY | O_CLOEXEC | (S_ISREG(info.st_mode) ? 0 : O_NONBLOCK));
    if (fd < 0) fail(device.string(), "may you read it, and does no other program have it?");
    ByteStream stream(fd, device.string());
    stream.is_regular_file_ = S_ISREG(info.st_mode);
    take_alone(fd, device.string());
    if (terminal) make_raw(fd);
    if (S_ISFIFO(info.st_mode)) {
        stream.back_fd_ = ::open(back_of(device).c_str(), O_RDWR | O_NONBLOCK | O_CLOEXEC);  // -1: no one listens
        signal(SIGPIPE, SIG_IGN);
    }
    return stream;
}

ByteStream ByteStream::make_pty() {
    const int fd = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC | O_NONBLOCK);
    std::array<char, 128> name{};
    if (fd < 0 || grantpt(fd) != 0 || unlockpt(fd) != 0 || ptsname_r(fd, name.data(), name.size()) != 0)
        fail("pseudo-terminal");
    ByteStream stream(fd, name.data());
    // Open and close the peer's side once: the terminal stays raw, and a hang-up then means that no peer has it open.
    const ByteStream other_side(::open(name.data(), O_RDWR | O_NOCTTY | O_CLOEXEC), name.data());
    if (other_side.fd_ < 0) fail(name.data());
    make_raw(other_side.fd_);
    stream.is_pty_ = true;
    return stream;
}

ByteStream ByteStream::make_pipe(const std::filesystem::path& path, const KeepWaiting& keep_waiting) {
    ByteStream stream(-1, path.string());
    const std::array pipes = {path, back_of(path)};
    for (std::size_t i = 0; i < pipes.size(); ++i) {
        if (mkfifo(pipes[i].c_str(), 0600) == 0) {
            stream.remove_[i] = pipes[i];
            continue;
        }
        if (errno != EEXIST) fail(pipes[i].string());
        struct stat info {};
        if (stat(pipes[i].c_str(), &info) != 0 || !S_ISFIFO(info.st_mode))
            throw DeviceError(pipes[i].string() + ": is there and is no pipe; name another place");
    }
    // Open for reading and writing, so that it neither waits for the peer nor ends with it.
    stream.back_fd_ = ::open(pipes[1].c_str(), O_RDWR | O_NONBLOCK | O_CLOEXEC);
    if (stream.back_fd_ < 0) fail(pipes[1].string());
    stream.reads_back_ = true;
    // A pipe without a reader cannot be opened for writing.
    while ((stream.fd_ = ::open(path.c_str(), O_WRONLY | O_CLOEXEC | O_NONBLOCK)) < 0) {
        if (errno != ENXIO && errno != EINTR) fail(path.string());
        if (!keep_waiting()) throw DeviceError(path.string() + ": stopped while no one read it");
        poll(nullptr, 0, kPollEvery_ms);
    }
    signal(SIGPIPE, SIG_IGN);
    return stream;
}

int ByteStream::writing_fd() const {
    if (is_regular_file_) return -1;
    if (reads_back_) return fd_;
    struct stat info {};
    if (back_fd_ < 0 && fstat(fd_, &info) == 0 && S_ISFIFO(info.st_mode)) return -1;
    return back_fd_ >= 0 ? back_fd_ : fd_;
}

bool ByteStream::other_side_open() const {
    pollfd look = {fd_, 0, 0};
    return is_pty_ ? poll(&look, 1, 0) == 0 : !at_end_;
}

std::string_view ByteStream::read(char* buffer, std::size_t size, int timeout_ms) {
    const int fd = reads_back_ ? back_fd_ : fd_;
    pollfd waiting = {fd, POLLIN, 0};
    if (poll(&waiting, 1, timeout_ms) <= 0) return {};
    const ssize_t count = ::read(fd, buffer, size);
    if (count > 0) return {buffer, static_cast<std::size_t>(count)};
    if (is_pty_) {
        poll(nullptr, 0, std::min(timeout_ms, kPollEvery_ms));  // after a hang-up, poll() returns at once
        return {};
    }
    if (count == 0 || (errno != EAGAIN && errno != EINTR)) at_end_ = true;
    return {};
}

bool ByteStream::write(std::string_view bytes, int patience_ms) {
    if (!other_side_open()) return false;
    const int fd = back_fd_ >= 0 && !reads_back_ ? back_fd_ : fd_;
    while (!bytes.empty()) {
        pollfd waiting = {fd, POLLOUT, 0};
        if (poll(&waiting, 1, patience_ms) <= 0) return false;
        const ssize_t count = ::write(fd, bytes.data(), bytes.size());
        if (count < 0 && errno != EAGAIN && errno != EINTR) at_end_ = true;
        if (count <= 0 && errno != EINTR) return false;
        if (count > 0) bytes.remove_prefix(static_cast<std::size_t>(count));
    }
    return true;
}

Listener::Listener(int port)
    : name_("127.0.0.1:" + std::to_string(port)), fd_(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    const int yes = 1;
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    address.sin_port = htons(static_cast<std::uint16_t>(port));
    if (fd_ >= 0 && setsockopt(fd_, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes) == 0 &&
        bind(fd_, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0)
        return;
    const int error = errno;
    if (fd_ >= 0) ::close(fd_);
    errno = error;
    fail(name_);
}

Listener::~Listener() {
    ::close(fd_);
}

ByteStream Listener::accept(const KeepWaiting& keep_waiting) {
    if (::listen(fd_, 1) != 0) fail(name_, "another program listens there");
    pollfd waiting = {fd_, POLLIN, 0};
    while (poll(&waiting, 1, kPollEvery_ms) <= 0)
        if (!keep_waiting()) throw DeviceError(name_ + ": stopped while no one connected");
    const int fd = accept4(fd_, nullptr, nullptr, SOCK_CLOEXEC);
    if (fd < 0) fail(name_);
    shutdown(fd_, SHUT_RD);  // Linux: stops listening and keeps the port, so that others are refused until next time
    set_up_connection(fd);
    return {fd, name_};
}

}  // namespace glovebox::tracking
