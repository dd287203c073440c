#include <winsock2.h>
// <winsock2.h> goes before these two.
#include <windows.h>
#include <ws2tcpip.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <system_error>

#include "tracking/glove/byte_stream.h"

namespace glovebox::tracking {
namespace {

constexpr int kPollEvery_ms = 20;  // interval of polling for a peer and of calling KeepWaiting

[[noreturn]] void fail(const std::string& what, unsigned long error, const std::string& advice = {}) {
    if (error == ERROR_ACCESS_DENIED || error == ERROR_SHARING_VIOLATION)
        throw DeviceError(what + ": another program has this glove; end that program first");
    throw DeviceError(what + ": " + std::system_category().message(static_cast<int>(error)) +
                      (advice.empty() ? "" : "; " + advice));
}
[[noreturn]] void fail_socket(const std::string& what, const std::string& advice = {}) {
    fail(what, static_cast<unsigned long>(WSAGetLastError()), advice);
}
[[noreturn]] void refuse(const std::string& what) {
    throw DeviceError(what + ": is no device on Windows; a device is a serial port (COM3), a file or tcp:HOST:PORT");
}

// Windows handles and sockets have only 32 significant bits, so an int can hold them.
HANDLE handle_of(int fd) {
    return reinterpret_cast<HANDLE>(static_cast<std::intptr_t>(fd));
}
int fd_of(HANDLE handle) {
    return static_cast<int>(reinterpret_cast<std::intptr_t>(handle));
}
SOCKET socket_of(int fd) {
    return static_cast<SOCKET>(static_cast<unsigned>(fd));
}

void expect_network() {
    static const int error = [] {
        WSADATA ignored;
        return WSAStartup(MAKEWORD(2, 2), &ignored);
    }();
    if (error != 0) fail("tcp", static_cast<unsigned long>(error));
}

bool is_socket(int fd) {
    int type = 0, size = sizeof type;
    return getsockopt(socket_of(fd), SOL_SOCKET, SO_TYPE, reinterpret_cast<char*>(&type), &size) == 0;
}

void close_fd(int fd) {
    if (fd < 0) return;
    if (is_socket(fd))
        closesocket(socket_of(fd));
    else
        CloseHandle(handle_of(fd));
}

// Waits until the socket can be read from or, with `to_write`, written to.
bool is_ready(int fd, bool to_write, int timeout_ms) {
    fd_set set;
    FD_ZERO(&set);
    FD_SET(socket_of(fd), &set);
    timeval patience{timeout_ms / 1000, timeout_ms % 1000 * 1000};
    return select(0, to_write ? nullptr : &set, to_write ? &set : nullptr, nullptr, &patience) > 0;
}

// Configures a socket. Short lines are sent at once; calls do not block.
void set_up_connection(SOCKET socket) {
    const BOOL yes = TRUE;
    setsockopt(socket, IPPROTO_TCP, TCP_NODELAY, reinterpret_cast<const char*>(&yes), sizeof yes);
    u_long does_not_block = 1;
    ioctlsocket(socket, static_cast<long>(FIONBIO), &does_not_block);
}

bool is_serial_port(const std::string& name) {
    return name.starts_with("COM") || name.starts_with("\\\\.\\COM");
}

// Opens a port, which excludes other programs, in raw mode: 8 bits, no parity, one stop bit, no flow control.
int open_serial_port(const std::string& name, int baud) {
    const std::string full = name.starts_with("\\") ? name : "\\\\.\\" + name;  // COM10 and above need this prefix
    const HANDLE port = CreateFileA(full.c_str(), GENERIC_READ | GENERIC_WRITE, 0, nullptr, OPEN_EXISTING, 0, nullptr);
    if (port == INVALID_HANDLE_VALUE) fail(name, GetLastError());
    DCB settings{};
    settings.DCBlength = sizeof settings;
    GetCommState(port, &settings);
    settings = {};
    settings.DCBlength = sizeof settings;
    settings.BaudRate = static_cast<DWORD>(baud);
    settings.fBinary = TRUE;
    settings.ByteSize = 8;
    settings.Parity = NOPARITY;
    settings.StopBits = ONESTOPBIT;
    settings.fDtrControl = DTR_CONTROL_ENABLE;
    settings.fRtsControl = RTS_CONTROL_ENABLE;
    if (!SetCommState(port, &settings)) {
        const DWORD error = GetLastError();
        CloseHandle(port);
        fail(name, error, "is " + std::to_string(baud) + " baud right?");
    }
    return fd_of(port);
}

// Sets a port's timeouts. A read returns the bytes that have arrived, or waits up to `read_ms` for the first.
void set_patience(HANDLE port, int read_ms, int write_ms) {
    COMMTIMEOUTS patience{MAXDWORD, MAXDWORD, static_cast<DWORD>(std::max(1, read_ms)), 0,
                          static_cast<DWORD>(std::max(1, write_ms))};
    SetCommTimeouts(port, &patience);
}

}  // namespace

int open_for_writing(const std::filesystem::path& device, int baud) {
    if (!is_serial_port(device.string())) refuse(device.string());
    return open_serial_port(device.string(), baud);
}

ByteStream::~ByteStream() {
    close_fd(fd_);
}

ByteStream ByteStream::connect(const std::string& host_and_port) {
    const auto [host, port] = address_of(host_and_port);
    expect_network();
    addrinfo hints{};
    hints.ai_family = AF_UNSPEC;
    hints.ai_socktype = SOCK_STREAM;
    addrinfo* found = nullptr;
    if (getaddrinfo(host.c_str(), port.c_str(), &hints, &found) != 0)
        fail_socket("tcp:" + host_and_port, "is the name of the host right?");
    const std::unique_ptr<addrinfo, void (*)(addrinfo*)> addresses(found, [](addrinfo* list) { freeaddrinfo(list); });
    for (const addrinfo* each = found; each != nullptr; each = each->ai_next) {
        const SOCKET made = socket(each->ai_family, each->ai_socktype, each->ai_protocol);
        if (made == INVALID_SOCKET) continue;
        if (::connect(made, each->ai_addr, static_cast<int>(each->ai_addrlen)) == 0) {
            set_up_connection(made);
            return {static_cast<int>(made), "tcp:" + host_and_port};
        }
        const int error = WSAGetLastError();
        closesocket(made);
        WSASetLastError(error);
    }
    fail_socket("tcp:" + host_and_port, "start the glove's side first: it has to listen there");
}

ByteStream ByteStream::open(const std::filesystem::path& device, int baud) {
    const std::string name = device.string();
    if (name.starts_with("tcp:")) return connect(name.substr(4));
    if (is_serial_port(name)) return {open_serial_port(name, baud), name};
    std::error_code ignored;
    if (!std::filesystem::is_regular_file(device, ignored)) refuse(name);
    const HANDLE file =
        CreateFileW(device.c_str(), GENERIC_READ, FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE, nullptr,
                    OPEN_EXISTING, 0, nullptr);
    if (file == INVALID_HANDLE_VALUE) fail(name, GetLastError());
    ByteStream stream(fd_of(file), name);
    stream.is_regular_file_ = true;
    return stream;
}

ByteStream ByteStream::make_pty() {
    refuse("pseudo-terminal");
}

ByteStream ByteStream::make_pipe(const std::filesystem::path& path, const KeepWaiting&) {
    refuse(path.string());
}

int ByteStream::writing_fd() const {
    return -1;
}

bool ByteStream::other_side_open() const {
    return !at_end_;
}

std::string_view ByteStream::read(char* buffer, std::size_t size, int timeout_ms) {
    if (!is_regular_file_ && is_socket(fd_)) {
        if (!is_ready(fd_, false, timeout_ms)) return {};
        const int count = recv(socket_of(fd_), buffer, static_cast<int>(size), 0);
        if (count > 0) return {buffer, static_cast<std::size_t>(count)};
        if (count == 0 || WSAGetLastError() != WSAEWOULDBLOCK) at_end_ = true;
        return {};
    }
    if (!is_regular_file_) set_patience(handle_of(fd_), timeout_ms, 0);
    DWORD count = 0;
    if (!ReadFile(handle_of(fd_), buffer, static_cast<DWORD>(size), &count, nullptr)) at_end_ = true;
    if (count == 0 && is_regular_file_) at_end_ = true;
    return {buffer, count};
}

bool ByteStream::write(std::string_view bytes, int patience_ms) {
    if (at_end_ || is_regular_file_) return false;
    const bool to_socket = is_socket(fd_);
    while (!bytes.empty()) {
        DWORD count = 0;
        if (to_socket) {
            if (!is_ready(fd_, true, patience_ms)) return false;
            const int sent = send(socket_of(fd_), bytes.data(), static_cast<int>(bytes.size()), 0);
            if (sent < 0) at_end_ = WSAGetLastError() != WSAEWOULDBLOCK;
            count = static_cast<DWORD>(std::max(0, sent));
        } else {
            set_patience(handle_of(fd_), 1, patience_ms);
            if (!WriteFile(handle_of(fd_), bytes.data(), static_cast<DWORD>(bytes.size()), &count, nullptr))
                at_end_ = true;
        }
        if (count == 0) return false;
        bytes.remove_prefix(count);
    }
    return true;
}

Listener::Listener(int port) : name_("127.0.0.1:" + std::to_string(port)) {
    expect_network();
    const SOCKET made = socket(AF_INET, SOCK_STREAM, 0);
    const BOOL yes = TRUE;
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    address.sin_port = htons(static_cast<u_short>(port));
    if (made != INVALID_SOCKET &&
        setsockopt(made, SOL_SOCKET, SO_EXCLUSIVEADDRUSE, reinterpret_cast<const char*>(&yes), sizeof yes) == 0 &&
        bind(made, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0) {
        fd_ = static_cast<int>(made);
        return;
    }
    const int error = WSAGetLastError();
    if (made != INVALID_SOCKET) closesocket(made);
    fail(name_, static_cast<unsigned long>(error), "another program listens there");
}

Listener::~Listener() {
    close_fd(fd_);
}

// Windows cannot stop listening: a client that connects during a connection waits in a queue of one, and is next.
ByteStream Listener::accept(const KeepWaiting& keep_waiting) {
    if (::listen(socket_of(fd_), 1) != 0) fail_socket(name_, "another program listens there");
    while (!is_ready(fd_, false, kPollEvery_ms))
        if (!keep_waiting()) throw DeviceError(name_ + ": stopped while no one connected");
    const SOCKET made = ::accept(socket_of(fd_), nullptr, nullptr);
    if (made == INVALID_SOCKET) fail_socket(name_);
    set_up_connection(made);
    return {static_cast<int>(made), name_};
}

}  // namespace glovebox::tracking
