#include "recordings/unpack.h"

#include <lzma.h>
#include <zlib.h>
#include <zstd.h>

#include <algorithm>
#include <array>
#include <limits>
#include <memory>

namespace glovebox::recordings {
namespace {

// Memory limit of an XZ stream; `xz -9` needs 65 MB.
constexpr std::uint64_t kMaxXzMemory = std::uint64_t{128} << 20;

unsigned clipped(std::size_t count) {
    return static_cast<unsigned>(std::min<std::size_t>(count, std::numeric_limits<unsigned>::max() / 2));
}

Unpack begin_gzip() {
    const std::shared_ptr<z_stream> stream(new z_stream{}, [](z_stream* s) {
        inflateEnd(s);
        delete s;
    });
    constexpr int kGzipOfAnyWindow = 16 + MAX_WBITS;
    if (inflateInit2(stream.get(), kGzipOfAnyWindow) != Z_OK) return {};
    return [stream](std::string_view& packed, std::span<char>& plain) {
        stream->next_in = reinterpret_cast<Bytef*>(const_cast<char*>(packed.data()));
        stream->next_out = reinterpret_cast<Bytef*>(plain.data());
        const unsigned in = stream->avail_in = clipped(packed.size());
        const unsigned out = stream->avail_out = clipped(plain.size());
        const int code = inflate(stream.get(), Z_NO_FLUSH);
        packed.remove_prefix(in - stream->avail_in);
        plain = plain.subspan(out - stream->avail_out);
        if (code == Z_STREAM_END) {
            inflateReset(stream.get());  // a gzip file may have several members
            return Unpacked::whole;
        }
        return code == Z_OK || code == Z_BUF_ERROR ? Unpacked::more : Unpacked::damaged;
    };
}

Unpack begin_xz() {
    const std::shared_ptr<lzma_stream> stream(new lzma_stream(LZMA_STREAM_INIT), [](lzma_stream* s) {
        lzma_end(s);
        delete s;
    });
    if (lzma_stream_decoder(stream.get(), kMaxXzMemory, LZMA_CONCATENATED) != LZMA_OK) return {};
    return [stream](std::string_view& packed, std::span<char>& plain) {
        stream->next_in = reinterpret_cast<const std::uint8_t*>(packed.data());
        stream->next_out = reinterpret_cast<std::uint8_t*>(plain.data());
        stream->avail_in = packed.size();
        stream->avail_out = plain.size();
        const lzma_ret code = lzma_code(stream.get(), packed.empty() ? LZMA_FINISH : LZMA_RUN);
        packed.remove_prefix(packed.size() - stream->avail_in);
        plain = plain.subspan(plain.size() - stream->avail_out);
        if (code == LZMA_STREAM_END) return Unpacked::whole;
        return code == LZMA_OK || code == LZMA_BUF_ERROR ? Unpacked::more : Unpacked::damaged;
    };
}

Unpack begin_zstd() {
    const std::shared_ptr<ZSTD_DStream> stream(ZSTD_createDStream(), ZSTD_freeDStream);
    if (!stream) return {};
    return [stream](std::string_view& packed, std::span<char>& plain) {
        ZSTD_inBuffer in{packed.data(), packed.size(), 0};
        ZSTD_outBuffer out{plain.data(), plain.size(), 0};
        const std::size_t code = ZSTD_decompressStream(stream.get(), &out, &in);
        packed.remove_prefix(in.pos);
        plain = plain.subspan(out.pos);
        if (ZSTD_isError(code) != 0) return Unpacked::damaged;
        return code == 0 ? Unpacked::whole : Unpacked::more;
    };
}

constexpr std::array kPackings = {
    Packing{"gzip", "\x1F\x8B", begin_gzip},
    Packing{"xz",
            std::string_view("\xFD"
                             "7zXZ\0",
                             6),
            begin_xz},
    Packing{"zstd", "\x28\xB5\x2F\xFD", begin_zstd},
};

}  // namespace

const Packing* packing_of(std::string_view head) {
    for (const Packing& packing : kPackings)
        if (head.starts_with(packing.magic)) return &packing;
    return nullptr;
}

}  // namespace glovebox::recordings
