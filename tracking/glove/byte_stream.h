// Bytes to and from a device: a serial port, a pseudo-terminal, a named pipe, a TCP connection or a plain file.
#pragma once

#include <array>
#include <filesystem>
#include <functional>
#include <stdexcept>
#include <string>
#include <string_view>

namespace glovebox::tracking {

/// A device cannot be opened or is gone. One line.
struct DeviceError : std::runtime_error {
    using std::runtime_error::runtime_error;
};

/// The descriptor of a device to be told things only: a serial port (which gets `baud`), a pseudo-terminal, a named
/// pipe that somebody reads, a file. Does not block, and neither do writes. The caller closes it. Throws DeviceError.
int open_for_writing(const std::filesystem::path& device, int baud = 115200);

/// Asked many times a second while nobody is at the other side. False ends the wait, with a DeviceError.
using KeepWaiting = std::function<bool()>;

class ByteStream {
  public:
    /// A serial port gets `baud`; "tcp:HOST:PORT" (or "tcp:PORT", on this machine) is a connection; a named pipe is
    /// answered through PATH.back if that is there; anything else is opened as it is. Throws DeviceError.
    static ByteStream open(const std::filesystem::path& device, int baud = 115200);
    /// A new pseudo-terminal; `name()` is what the other side opens.
    static ByteStream make_pty();
    /// Two named pipes, as a pipe goes one way: PATH is written to, PATH.back is read from. Pipes that are there are
    /// used, others made, and removed at the end; throws DeviceError where something else is there. Waits for a reader.
    static ByteStream make_pipe(const std::filesystem::path& path, const KeepWaiting& keep_waiting);
    /// Waits for one connection to 127.0.0.1 at `port`. Throws DeviceError.
    static ByteStream listen(int port, const KeepWaiting& keep_waiting);

    ByteStream(ByteStream&& other) noexcept;
    ByteStream& operator=(ByteStream&&) = delete;
    ~ByteStream();

    /// What has arrived, at most as long as the buffer, waiting at most `timeout_ms`. Empty: nothing came. After the
    /// other side has gone, at_end() is true.
    std::string_view read(char* buffer, std::size_t size, int timeout_ms);
    bool at_end() const { return at_end_; }
    /// All of it, or what the other side takes before it has no room for `patience_ms`: false then.
    bool write(std::string_view bytes, int patience_ms = 100);
    const std::string& name() const { return name_; }

  private:
    ByteStream(int fd, std::string name) : fd_(fd), name_(std::move(name)) {}
    static ByteStream connect(const std::string& host_and_port);
    int fd_ = -1;
    int back_fd_ = -1;         // of a pair of pipes: the one for the other direction
    bool reads_back_ = false;  // we are the side that writes PATH and reads PATH.back
    int keep_open_fd_ = -1;    // a pty's other side, so that it outlives its readers
    bool at_end_ = false;
    std::array<std::filesystem::path, 2> remove_;
    std::string name_;
};

}  // namespace glovebox::tracking
