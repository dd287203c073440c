// Reads the messages of an MCAP file. Source: MCAP Format Specification (mcap.dev). The summary at the file's end is
// not used, so a file that was not closed is read as well.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "recordings/input.h"

namespace glovebox::recordings {

struct McapChannel {
    std::string topic, encoding, schema;
};

/// Calls `take` for each message in the file's order. `data` is valid during the call. Returns false if the file is
/// truncated; the messages before that were taken. Throws ImportError if it is damaged.
bool read_mcap_messages(
    const Input& in, std::string_view bytes,
    const std::function<void(const McapChannel& channel, std::int64_t log_time_ns, std::string_view data)>& take);

}  // namespace glovebox::recordings
