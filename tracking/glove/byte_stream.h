// Opens, reads and writes byte streams: serial ports, pseudo-terminals, named pipes, TCP connections and plain files.
// On Windows, only serial ports (COM3), files and TCP connections work; pseudo-terminals and pipes throw DeviceError.
#pragma once

#include <array>
#include <filesystem>
#include <functional>
#include <stdexcept>
#include <string>
#include <string_view>

namespace glovebox::tracking {

/// Thrown if a device cannot be opened or was disconnected. The message is one line.
struct DeviceError : std::runtime_error {
    using std::runtime_error::runtime_error;
};

/// Opens a device for writing only and returns its file descriptor, which the caller closes. The device is a serial
/// port (set to `baud`), a pseudo-terminal, a named pipe with a reader, or a file. Neither this call nor writes block.
/// Throws DeviceError if the device cannot be opened or another program has locked it (see ByteStream::open).
int open_for_writing(const std::filesystem::path& device, int baud = 115200);

/// Called many times a second while no peer is connected. If it returns false, the wait ends with a DeviceError.
using KeepWaiting = std::function<bool()>;

class ByteStream {
  public:
    /// Opens a device. A serial port is set to `baud`. "tcp:HOST:PORT" (or "tcp:PORT" on this machine) is a connection.
    /// Replies to a named pipe PATH go to PATH.back if it exists. Anything else is opened as a file. A port or pipe
    /// belongs to one program at a time. It stays locked while any copy of its descriptor is open. A second program
    /// that opens it fails after 0.3 s. Throws DeviceError if the device cannot be opened or is locked.
    static ByteStream open(const std::filesystem::path& device, int baud = 115200);
    /// Creates a pseudo-terminal, which the peer opens under the path `name()`. Peers may open and close it repeatedly.
    /// While no peer has it open, write() returns false and the stream stays open.
    static ByteStream make_pty();
    /// Opens two named pipes: PATH for writing, PATH.back for reading. Uses pipes that exist, creates those that are
    /// missing, and removes the created ones in the destructor. Waits until another program opens PATH for reading.
    /// Throws DeviceError if either path exists and is not a pipe.
    static ByteStream make_pipe(const std::filesystem::path& path, const KeepWaiting& keep_waiting);
    /// Opens a Listener at this port and returns the connection of its first client.
    static ByteStream listen(int port, const KeepWaiting& keep_waiting);

    ByteStream(ByteStream&& other) noexcept;
    ByteStream& operator=(ByteStream&&) = delete;
    ~ByteStream();

    /// Reads the bytes that have arrived, at most `size`, into `buffer`. If there are none, waits for them for at most
    /// `timeout_ms`. Returns a view of `buffer`, empty if no bytes came. After the peer has disconnected, at_end() is
    /// true.
    std::string_view read(char* buffer, std::size_t size, int timeout_ms);
    bool at_end() const { return at_end_; }
    /// Writes all bytes. Returns false if the peer is gone or accepts nothing for `patience_ms`; some bytes may then
    /// have been written.
    bool write(std::string_view bytes, int patience_ms = 100);
    /// Returns a non-blocking descriptor for writing without write(), for example from another process. It is valid for
    /// the lifetime of this stream. Returns -1 if the device cannot be written to, such as a regular file or a pipe
    /// without PATH.back.
    int writing_fd() const;
    /// For a pseudo-terminal from make_pty(), returns true while the peer has it open. For other devices, returns true
    /// until at_end() does.
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
    int back_fd_ = -1;         // PATH.back of a pair of pipes
    bool reads_back_ = false;  // true: this side writes PATH and reads PATH.back
    bool is_pty_ = false;      // made by make_pty()
    bool is_regular_file_ = false;
    bool at_end_ = false;
    std::array<std::filesystem::path, 2> remove_;
    std::string name_;
};

/// Accepts TCP connections to one port of 127.0.0.1, one connection at a time.
class Listener {
  public:
    /// Binds the port. Throws DeviceError.
    explicit Listener(int port);
    ~Listener();
    Listener(const Listener&) = delete;
    Listener& operator=(const Listener&) = delete;

    /// Waits for the next client and returns its connection. Between calls, other clients are refused; on Windows, one
    /// of them waits and is next. Throws DeviceError.
    ByteStream accept(const KeepWaiting& keep_waiting);

  private:
    std::string name_;
    int fd_ = -1;
};

}  // namespace glovebox::tracking
