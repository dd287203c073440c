// Common parts of byte_stream_posix.cpp and byte_stream_windows.cpp, of which CMake compiles one.
#include "tracking/glove/byte_stream.h"

#include <charconv>
#include <utility>

namespace glovebox::tracking {

ByteStream::ByteStream(ByteStream&& other) noexcept
    : fd_(std::exchange(other.fd_, -1)),
      back_fd_(std::exchange(other.back_fd_, -1)),
      reads_back_(other.reads_back_),
      is_pty_(other.is_pty_),
      is_regular_file_(other.is_regular_file_),
      at_end_(other.at_end_),
      remove_(std::exchange(other.remove_, {})),
      name_(std::move(other.name_)) {}

ByteStream::Address ByteStream::address_of(const std::string& host_and_port) {
    const std::size_t colon = host_and_port.rfind(':');
    const std::string host = colon == std::string::npos ? "127.0.0.1" : host_and_port.substr(0, colon);
    const std::string port = colon == std::string::npos ? host_and_port : host_and_port.substr(colon + 1);
    int number = 0;
    const auto [end, wrong] = std::from_chars(port.data(), port.data() + port.size(), number);
    if (wrong != std::errc() || end != port.data() + port.size() || number < 1 || number > 65535)
        throw DeviceError("tcp:" + host_and_port + ": '" + port +
                          "' is no port; tcp:HOST:PORT is expected, with a port from 1 to 65535");
    return {host, port};
}

ByteStream ByteStream::listen(int port, const KeepWaiting& keep_waiting) {
    return Listener(port).accept(keep_waiting);
}

}  // namespace glovebox::tracking
