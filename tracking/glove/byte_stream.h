// Bytes to and from a device: a serial port, a pseudo-terminal, a named pipe, a TCP connection or a plain file. On
// Windows there are serial ports (COM3), files and connections; pseudo-terminals and pipes throw DeviceError.
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
/// pipe that someone reads, a file. Does not block, and neither do writes. The caller closes it. Throws DeviceError,
/// also where another program has the port (see ByteStream::open).
int open_for_writing(const std::filesystem::path& device, int baud = 115200);

/// Asked many times a second while no one is at the other side. False ends the wait, with a DeviceError.
using KeepWaiting = std::function<bool()>;

class ByteStream {
  public:
    /// A serial port gets `baud`; "tcp:HOST:PORT" (or "tcp:PORT", on this machine) is a connection; a named pipe is
    /// answered through PATH.back if that is there; anything else is opened as it is. Throws DeviceError.
    /// A port or pipe belongs to one program at a time: it is locked for as long as any copy of its descriptor is
    /// open, and whoever comes second is refused after 0.3 s.
    static ByteStream open(const std::filesystem::path& device, int baud = 115200);
    /// A new pseudo-terminal; `name()` is what the other side opens. Readers may come and go; while there is none,
    /// nothing is written and nothing ends.
    static ByteStream make_pty();
    /// Two named pipes, as a pipe goes one way: PATH is written to, PATH.back is read from. Pipes that are there are
    /// used, others made, and removed at the end; throws DeviceError where something else is there. Waits for a reader.
    static ByteStream make_pipe(const std::filesystem::path& path, const KeepWaiting& keep_waiting);
    /// The first client of a Listener.
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
    /// For whoever writes in place of write(), another process for example: never blocks, is open as long as this
    /// stream. -1 where nothing can be said: a regular file, a pipe without PATH.back.
    int writing_fd() const;
    /// A pseudo-terminal of make_pty(): has anybody opened it? Anything else: has it not ended?
    bool other_side_open() const;
    bool is_regular_file() const { return is_regular_file_; }
    const std::string& name() const { return name_; }

  private:
    friend class Listener;
    ByteStream(int fd, std::string name) : fd_(fd), name_(std::move(name)) {}
    struct Address {
        std::string host, port;
    };
    static Address address_of(const std::string& host_and_port);  // throws DeviceError
    static ByteStream connect(const std::string& host_and_port);
    int fd_ = -1;
    int back_fd_ = -1;         // of a pair of pipes: the one for the other direction
    bool reads_back_ = false;  // we are the side that writes PATH and reads PATH.back
    bool is_pty_ = false;      // made by make_pty()
    bool is_regular_file_ = false;
    bool at_end_ = false;
    std::array<std::filesystem::path, 2> remove_;
    std::string name_;
};

/// Takes connections to 127.0.0.1 at one port, one after the other.
class Listener {
  public:
    /// Throws DeviceError.
    explicit Listener(int port);
    ~Listener();
    Listener(const Listener&) = delete;
    Listener& operator=(const Listener&) = delete;

    /// Waits for the next client. Between two calls, while one client is served, others are refused. Throws
    /// DeviceError.
    ByteStream accept(const KeepWaiting& keep_waiting);

  private:
    std::string name_;
    int fd_ = -1;
};

}  // namespace glovebox::tracking
