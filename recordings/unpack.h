// Decompresses .gz, .xz and .zst files as streams. The compression is recognised by the content.
#pragma once

#include <functional>
#include <span>
#include <string_view>

namespace glovebox::recordings {

/// Result of one call of Unpack: call again with more data or room; the end was reached; the data are damaged.
enum class Unpacked { more, whole, damaged };

/// Decompresses as much of `packed` as fits into `plain`, and advances both views past the bytes that were read and
/// written. Returns `whole` at the end of the compressed data; no further data may follow it.
using Unpack = std::function<Unpacked(std::string_view& packed, std::span<char>& plain)>;

/// A kind of compression.
struct Packing {
    std::string_view name, magic;  ///< `magic`: the bytes with which such files begin
    Unpack (*begin)();             ///< returns a decompressor for one file
};

/// Returns the compression of a file that begins with `head`, or null if the file is not compressed.
const Packing* packing_of(std::string_view head);

}  // namespace glovebox::recordings
