#include "recordings/formats/mcap_file.h"

#include <zlib.h>
#include <zstd.h>

#include <map>
#include <optional>

#include "recordings/formats/byte_reader.h"
#include "recordings/formats/lz4_frame.h"
#include "recordings/parse.h"

namespace glovebox::recordings {
namespace {

constexpr std::size_t kMcapMagicBytes = 8;
constexpr std::size_t kMaxChunk = std::size_t{256} << 20;

struct Mcap {
    const Input& in;
    const std::function<void(const McapChannel&, std::int64_t, std::string_view)>& take;
    std::map<std::uint64_t, std::string> schemas;  // names by id
    std::map<std::uint64_t, McapChannel> channels;
    std::size_t budget;  // bytes that chunks may still unpack to
};

std::string_view text_at(ByteReader& from) {
    return from.view(from.integer(4));
}

void need_sound(const Mcap& file, bool sound, const char* what) {
    if (!sound) file.in.fail(std::string("the MCAP file is damaged in ") + what);
}

void take_schema(Mcap& file, std::string_view record) {
    ByteReader from(record);
    const std::uint64_t id = from.integer(2);
    const std::string_view name = text_at(from);
    need_sound(file, from.ok(), "a schema");
    file.schemas[id] = name;
}

void take_channel(Mcap& file, std::string_view record) {
    ByteReader from(record);
    const std::uint64_t id = from.integer(2), schema = from.integer(2);
    McapChannel channel;
    channel.topic = text_at(from);
    channel.encoding = text_at(from);
    need_sound(file, from.ok(), "a channel");
    channel.schema = file.schemas[schema];
    file.channels[id] = std::move(channel);
}

void take_message(Mcap& file, std::string_view record) {
    ByteReader from(record);
    const std::uint64_t id = from.integer(2);
    from.skip(4);  // sequence
    const std::uint64_t log_time_ns = from.integer(8);
    from.skip(8);  // publish time
    const std::string_view data = from.view(from.left());
    const auto channel = file.channels.find(id);
    need_sound(file, from.ok() && channel != file.channels.end() && log_time_ns >> 63 == 0, "a message");
    file.take(channel->second, static_cast<std::int64_t>(log_time_ns), data);
}

std::optional<std::string> unpack_chunk(std::string_view packing, std::string_view packed, std::size_t bytes) {
    if (packing == "lz4") return unpack_lz4(packed, bytes);
    if (packing != "zstd") return std::nullopt;
    std::string plain(bytes, '\0');
    const std::size_t size = ZSTD_decompress(plain.data(), plain.size(), packed.data(), packed.size());
    if (ZSTD_isError(size) != 0 || size != bytes) return std::nullopt;
    return plain;
}

bool take_records(Mcap& file, std::string_view records, bool in_chunk);

void take_chunk(Mcap& file, std::string_view record) {
    ByteReader from(record);
    from.skip(16);  // times
    const std::uint64_t bytes = from.integer(8), sum = from.integer(4);
    const std::string_view packing = text_at(from);
    const std::string_view packed = from.view(from.integer(8));
    need_sound(file, from.ok(), "a chunk");
    if (!packing.empty() && packing != "lz4" && packing != "zstd")
        file.in.fail("a chunk of the MCAP file is packed with " + excerpt(packing) +
                     ", which is not read; lz4, zstd and none are");
    if (bytes > kMaxChunk || bytes > file.budget) file.in.fail("a chunk of the MCAP file is too large for its file");
    file.budget -= bytes;
    std::string plain;
    std::string_view content = packed;
    if (!packing.empty()) {
        auto unpacked = unpack_chunk(packing, packed, bytes);
        need_sound(file, unpacked.has_value(), "a chunk");
        plain = std::move(*unpacked);
        content = plain;
    }
    need_sound(file, content.size() == bytes, "a chunk");
    const uLong read = crc32_z(0, reinterpret_cast<const Bytef*>(content.data()), content.size());
    need_sound(file, sum == 0 || sum == read, "a chunk (its checksum differs)");
    need_sound(file, take_records(file, content, true), "a chunk");
}

// Returns false if the last record is not whole.
bool take_records(Mcap& file, std::string_view records, bool in_chunk) {
    enum : std::uint64_t {
        footer = 0x02,
        schema = 0x03,
        channel = 0x04,
        message = 0x05,
        chunk = 0x06,
        data_end = 0x0F
    };
    ByteReader from(records);
    while (from.left() > 0) {
        const std::uint64_t kind = from.integer(1), size = from.integer(8);
        const std::string_view record = from.view(size);
        if (!from.ok()) return false;
        if (kind == footer || kind == data_end) return true;
        if (kind == schema) take_schema(file, record);
        if (kind == channel) take_channel(file, record);
        if (kind == message) take_message(file, record);
        if (kind == chunk && !in_chunk) take_chunk(file, record);
    }
    return in_chunk;
}

}  // namespace

bool read_mcap_messages(
    const Input& in, std::string_view bytes,
    const std::function<void(const McapChannel& channel, std::int64_t log_time_ns, std::string_view data)>& take) {
    Mcap file{in, take, {}, {}, 100 * bytes.size() + (std::size_t{16} << 20)};
    return take_records(file, bytes.substr(std::min(kMcapMagicBytes, bytes.size())), false);
}

}  // namespace glovebox::recordings
