// LZString: the text compression of LeapJS recordings (LZ78 over UTF-16 units, packed six bits a base64 letter).
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace glovebox::recordings {

/// Undoes LZString.compressToBase64. The result is UTF-8. Nothing if the text is damaged or the result would be longer
/// than `most_bytes`. Time and memory are linear in the result.
std::optional<std::string> decompress_lz_base64(std::string_view text, std::size_t most_bytes);

}  // namespace glovebox::recordings
