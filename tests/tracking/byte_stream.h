// Opening and reading byte streams, for tests.
#pragma once

#include <array>
#include <string>

#include "tracking/glove/byte_stream.h"

namespace glovebox::tracking {

/// Returns the message with which a device is refused; empty if it opens.
inline std::string error_of(const std::string& device) {
    try {
        ByteStream::open(device);
    } catch (const DeviceError& error) {
        return error.what();
    }
    return {};
}

/// Returns what arrives within the time, at most 256 bytes.
inline std::string read_some(ByteStream& stream, int timeout_ms = 2000) {
    std::array<char, 256> buffer{};
    return std::string(stream.read(buffer.data(), buffer.size(), timeout_ms));
}

}  // namespace glovebox::tracking
