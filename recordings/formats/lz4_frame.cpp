#include "recordings/formats/lz4_frame.h"

#include "recordings/formats/byte_reader.h"

namespace glovebox::recordings {
namespace {

// Reads the rest of a length whose first 4 bits are all ones: bytes are added until one is not 255.
std::size_t lz4_length(std::size_t nibble, ByteReader& from) {
    if (nibble < 15) return nibble;
    std::size_t length = nibble;
    for (;;) {
        const std::uint64_t more = from.integer(1);
        length += more;
        if (more != 255) return length;
    }
}

// Appends the content of a block; matches may refer to earlier blocks. Returns false if it is damaged.
bool append_block(std::string_view block, std::size_t most, std::string& plain) {
    constexpr std::size_t kMinMatch = 4;
    ByteReader from(block);
    while (from.left() > 0) {
        const std::uint64_t token = from.integer(1);
        const std::string_view literals = from.view(lz4_length(token >> 4, from));
        if (!from.ok() || literals.size() > most - plain.size()) return false;
        plain += literals;
        if (from.left() == 0) return true;  // the last sequence has no match
        const std::size_t back = from.integer(2);
        const std::size_t length = kMinMatch + lz4_length(token & 15, from);
        if (!from.ok() || back == 0 || back > plain.size() || length > most - plain.size()) return false;
        const std::size_t start = plain.size() - back;
        for (std::size_t i = 0; i < length; ++i) plain += plain[start + i];  // the ranges may overlap
    }
    return true;
}

// Appends the content of a frame. Returns false if it is damaged.
bool append_frame(ByteReader& from, std::size_t most, std::string& plain) {
    constexpr std::uint64_t kBlockSums = 0x10, kContentSize = 0x08, kContentSum = 0x04, kDictionary = 0x01;
    constexpr std::uint64_t kStored = 0x80000000;
    const std::uint64_t flags = from.integer(1);
    if (flags >> 6 != 1 || (flags & kDictionary) != 0) return false;
    from.skip((flags & kContentSize) != 0 ? 10 : 2);  // block size, content size, checksum
    for (;;) {
        const std::uint64_t size = from.integer(4);
        if (!from.ok()) return false;
        if (size == 0) break;
        const std::string_view block = from.view(size & ~kStored);
        if ((flags & kBlockSums) != 0) from.skip(4);
        if (!from.ok()) return false;
        if ((size & kStored) == 0) {
            if (!append_block(block, most, plain)) return false;
        } else {
            if (block.size() > most - plain.size()) return false;
            plain += block;
        }
    }
    if ((flags & kContentSum) != 0) from.skip(4);
    return from.ok();
}

}  // namespace

std::optional<std::string> unpack_lz4(std::string_view packed, std::size_t plain_bytes) {
    constexpr std::uint64_t kFrame = 0x184D2204, kFirstSkipped = 0x184D2A50, kLastSkipped = 0x184D2A5F;
    std::string plain;
    ByteReader from(packed);
    while (from.left() > 0) {
        const std::uint64_t magic = from.integer(4);
        if (magic >= kFirstSkipped && magic <= kLastSkipped)
            from.skip(from.integer(4));
        else if (magic != kFrame || !append_frame(from, plain_bytes, plain))
            return std::nullopt;
    }
    if (!from.ok() || plain.size() != plain_bytes) return std::nullopt;
    return plain;
}

}  // namespace glovebox::recordings
