// Decompresses LZ4 frames, as chunks of MCAP files contain them. Source: LZ4 Frame Format Description 1.6 and LZ4 Block
// Format Description (Yann Collet). Checksums are not verified; MCAP has its own.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace glovebox::recordings {

/// Returns the content of the frames in `packed`, which must be `plain_bytes` long; nothing if they are damaged, of
/// another length or need a dictionary.
std::optional<std::string> unpack_lz4(std::string_view packed, std::size_t plain_bytes);

}  // namespace glovebox::recordings
