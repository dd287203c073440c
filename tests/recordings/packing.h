// Compresses bytes as gzip, xz and zstd do, for tests of reading compressed files.
#pragma once

#include <lzma.h>
#include <zlib.h>
#include <zstd.h>

#include <string>
#include <string_view>

namespace glovebox::recordings {

inline std::string gzip(std::string_view plain) {
    z_stream stream{};
    deflateInit2(&stream, 6, Z_DEFLATED, 16 + MAX_WBITS, 8, Z_DEFAULT_STRATEGY);
    std::string packed(deflateBound(&stream, plain.size()) + 64, '\0');
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(plain.data()));
    stream.avail_in = static_cast<uInt>(plain.size());
    stream.next_out = reinterpret_cast<Bytef*>(packed.data());
    stream.avail_out = static_cast<uInt>(packed.size());
    deflate(&stream, Z_FINISH);
    packed.resize(stream.total_out);
    deflateEnd(&stream);
    return packed;
}

inline std::string xz(std::string_view plain) {
    std::string packed(lzma_stream_buffer_bound(plain.size()), '\0');
    std::size_t size = 0;
    lzma_easy_buffer_encode(1, LZMA_CHECK_CRC64, nullptr, reinterpret_cast<const std::uint8_t*>(plain.data()),
                            plain.size(), reinterpret_cast<std::uint8_t*>(packed.data()), &size, packed.size());
    packed.resize(size);
    return packed;
}

inline std::string zstd(std::string_view plain) {
    std::string packed(ZSTD_compressBound(plain.size()), '\0');
    packed.resize(ZSTD_compress(packed.data(), packed.size(), plain.data(), plain.size(), 1));
    return packed;
}

}  // namespace glovebox::recordings
