// Decompresses LZString, which LeapJS recordings use. It is LZ78 over UTF-16 units, packed as six bits per base64
// character.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace glovebox::recordings {

/// Decompresses the result of LZString.compressToBase64 to UTF-8. Returns nullopt if the text is damaged or the result
/// would be longer than `max_bytes`. Time and memory are linear in the size of the result.
std::optional<std::string> decompress_lz_base64(std::string_view text, std::size_t max_bytes);

}  // namespace glovebox::recordings
