#include "recordings/formats/fbx_file.h"

#include <zlib.h>

#include <algorithm>
#include <string>

#include "recordings/formats/byte_reader.h"
#include "recordings/load.h"

namespace glovebox::recordings {
namespace {

constexpr std::size_t kHeader = 27, kVersionAt = 23;
constexpr std::uint64_t kMinVersion = 7000, kMaxVersion = 7999, kWideVersion = 7500;

std::size_t size_of_number(char type) {
    switch (type) {
        case 'C':
        case 'b':
            return 1;
        case 'Y':
            return 2;
        case 'I':
        case 'F':
        case 'i':
        case 'f':
            return 4;
        case 'D':
        case 'L':
        case 'd':
        case 'l':
            return 8;
        default:
            return 0;
    }
}

void read_scalar(ByteReader& from, FbxValue& value) {
    const auto integer = [&value](auto number) {
        value.integer = static_cast<std::int64_t>(number);
        value.number = static_cast<double>(number);
    };
    const auto real = [&value](double number) {
        value.number = number;
        value.integer = number > -9e15 && number < 9e15 ? static_cast<std::int64_t>(number) : 0;
    };
    switch (value.type) {
        case 'C':
            return integer(from.number<std::int8_t>());
        case 'Y':
            return integer(from.number<std::int16_t>());
        case 'I':
            return integer(from.number<std::int32_t>());
        case 'L':
            return integer(from.number<std::int64_t>());
        case 'F':
            return real(static_cast<double>(from.number<float>()));
        default:
            return real(from.number<double>());
    }
}

}  // namespace

FbxFile::FbxFile(const Input& in, std::string_view bytes) : in_(in), bytes_(bytes) {
    ByteReader from(bytes, kVersionAt);
    const std::uint64_t version = from.integer(4);
    if (!from.ok()) fail("is cut off");
    if (version < kMinVersion || version > kMaxVersion)
        fail("is of version " + std::to_string(version / 1000) + "." + std::to_string(version / 100 % 10) +
             "; 7.0 to 7.9 are read: save it again as FBX 2011 or later");
    is_wide_ = version >= kWideVersion;
    content_ = bytes.substr(kHeader);
}

void FbxFile::fail(const std::string& what) const {
    in_.fail("the FBX file " + what +
             ". If no program writes it otherwise, save the motion as BVH (Blender: Export, Motion Capture)");
}

std::vector<FbxRecord> FbxFile::records_in(std::string_view content) const {
    const std::size_t word = is_wide_ ? 8 : 4;
    std::vector<FbxRecord> records;
    ByteReader from(content);
    while (from.left() > 0) {
        const auto start = static_cast<std::size_t>(content.data() - bytes_.data());
        const std::uint64_t end = from.integer(word);
        FbxRecord record;
        record.property_count = from.integer(word);
        const std::uint64_t property_bytes = from.integer(word);
        record.name = from.view(from.integer(1));
        if (from.ok() && end == 0) break;  // the end of the list
        record.properties = from.view(property_bytes);
        if (!from.ok() || end < start + from.at() || end > start + content.size())
            fail("is cut off or damaged at byte " + std::to_string(start + from.at()));
        record.content = from.view(end - start - from.at());
        records.push_back(record);
    }
    return records;
}

std::vector<FbxValue> FbxFile::values(const FbxRecord& record, std::size_t limit) const {
    std::vector<FbxValue> values;
    ByteReader from(record.properties);
    for (std::size_t i = 0; i < std::min(limit, record.property_count); ++i) {
        FbxValue value;
        value.type = static_cast<char>(from.integer(1));
        if (value.type == 'S' || value.type == 'R') {
            value.text = from.view(from.integer(4));
        } else if (const std::size_t size = size_of_number(value.type); value.type >= 'a' && size > 0) {
            value.count = from.integer(4);
            value.is_deflated = from.integer(4) == 1;
            const std::size_t packed = from.integer(4);
            value.text = from.view(value.is_deflated ? packed : value.count * size);
        } else if (size > 0) {
            read_scalar(from, value);
        } else {
            fail("is damaged in the properties of a record");
        }
        if (!from.ok()) fail("is damaged in the properties of a record");
        values.push_back(value);
    }
    return values;
}

template <class Number>
std::vector<Number> FbxFile::array(const FbxRecord& record, char type) {
    const std::vector<FbxValue> first = values(record, 1);
    if (first.empty() || first[0].type != type) fail("is damaged in an animation curve");
    const FbxValue& packed = first[0];
    const std::size_t bytes = packed.count * sizeof(Number);
    // Deflate packs up to 1,032 bytes in one. The curves of a sound file are not that much larger than the file.
    constexpr std::size_t kMaxRatio = 16;
    unpacked_ += bytes;
    if (unpacked_ > kMaxRatio * bytes_.size() + kMemoryFloor / 8) fail("has animation curves too large for its size");
    std::vector<Number> numbers(packed.count);
    if (!packed.is_deflated) {
        if (bytes > 0) std::memcpy(numbers.data(), packed.text.data(), bytes);
        return numbers;
    }
    uLongf size = static_cast<uLongf>(bytes);
    const int code =
        uncompress(reinterpret_cast<Bytef*>(numbers.data()), &size, reinterpret_cast<const Bytef*>(packed.text.data()),
                   static_cast<uLong>(packed.text.size()));
    if (bytes > 0 && (code != Z_OK || size != bytes)) fail("is damaged in an animation curve");
    return numbers;
}

template std::vector<std::int64_t> FbxFile::array(const FbxRecord&, char);
template std::vector<float> FbxFile::array(const FbxRecord&, char);
template std::vector<std::int32_t> FbxFile::array(const FbxRecord&, char);

}  // namespace glovebox::recordings
