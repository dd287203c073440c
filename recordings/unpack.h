// Streaming decompression of .gz, .xz and .zst files, recognised by their content.
#pragma once

#include <functional>
#include <span>
#include <string_view>

namespace glovebox::recordings {

enum class Unpacked { more, whole, damaged };

/// Decompresses as much as fits into `plain`, and advances both views past the bytes that were read and written.
/// Returns `whole` at the end of the compressed data, after which nothing may follow.
using Unpack = std::function<Unpacked(std::string_view& packed, std::span<char>& plain)>;

struct Packing {
    std::string_view name, magic;
    Unpack (*begin)();
};

/// Returns the compression of a file that begins with `head`; null if it is not compressed.
const Packing* packing_of(std::string_view head);

}  // namespace glovebox::recordings
