// .npy is "\x93NUMPY", a version, the length of a header, a header as a Python literal, and numbers; .npz is a ZIP of
// such files, stored or deflated. Arrays of numbers are read, never of objects, which would be pickled.
// hand_arrays.h defines the meaning of arrays.
//
// Our own: `joints` frames x 2 hands x 26 x 8 (position m, quaternion x y z w, radius m), `flags` frames x 2 x 26,
// `active`, `source`, `device_ns` frames x 2 and `time_ns` frames, and names of hands and joints.
#include "recordings/formats/npy.h"

#include <zlib.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <map>

#include "recordings/formats/byte_reader.h"
#include "recordings/formats/hand_arrays.h"
#include "recordings/log/schema.h"
#include "recordings/parse.h"
#include "recordings/writer.h"

namespace glovebox::recordings {
namespace {

using tracking::HandFrame;
using tracking::HandPair;
using tracking::Joint;
using tracking::kJointCount;
using tracking::Side;

constexpr std::size_t kMaxNpyBytes = std::size_t{1} << 30;
constexpr std::string_view kMagic("\x93NUMPY", 6);

// Returns the value after 'name': in the header's Python literal.
std::string_view entry(std::string_view header, std::string_view name) {
    const std::size_t at = header.find("'" + std::string(name) + "':");
    return at == std::string_view::npos ? std::string_view() : trimmed(header.substr(at + name.size() + 3));
}

// Sets `cut` if the array has fewer frames than it says.
Array parse_array(const Input& in, std::string_view bytes, const std::string& name, bool& cut) {
    const auto fail = [&](const std::string& what) { in.fail("the array " + name + " " + what); };
    if (bytes.size() < 12 || !bytes.starts_with(kMagic)) fail("is no array of NumPy");
    const bool first_version = bytes[6] == 1;
    std::size_t length = 0;
    for (std::size_t i = 0; i < (first_version ? 2U : 4U); ++i)
        length |= std::size_t{static_cast<unsigned char>(bytes[8 + i])} << (8 * i);
    const std::size_t start = first_version ? 10 : 12;
    if (length > 65536 || bytes.size() < start + length) fail("has a damaged header");
    const std::string_view header = bytes.substr(start, length);
    Array array;
    const std::string_view type = entry(header, "descr").substr(0, 8);
    if (type.starts_with("'|O") || type.starts_with("'O"))
        fail("holds Python objects, which are pickled and never opened; save plain arrays of numbers");
    if (type.size() < 5 || type[0] != '\'' || (type[1] != '<' && type[1] != '|')) fail("is of a type that is not read");
    array.kind = type[2];
    array.item_bytes = static_cast<std::size_t>(type[3] - '0');
    const bool number =
        (array.kind == 'f' && (array.item_bytes == 2 || array.item_bytes == 4 || array.item_bytes == 8)) ||
        ((array.kind == 'i' || array.kind == 'u') &&
         (array.item_bytes == 1 || array.item_bytes == 2 || array.item_bytes == 4 || array.item_bytes == 8)) ||
        (array.kind == 'b' && array.item_bytes == 1);
    if (!number || type[4] != '\'') return {'S', 1, {}, {}};  // text and other types are not used
    if (entry(header, "fortran_order").starts_with("True"))
        fail("is in Fortran's order; save numpy.ascontiguousarray()");
    std::string_view shape = entry(header, "shape");
    if (!shape.starts_with('(')) fail("has a damaged header");
    shape = shape.substr(1, shape.find(')') - 1);
    std::size_t items = 1;
    std::string_view cell;
    for (Fields fields(shape); fields.next(cell);) {
        std::size_t size = 0;
        if (trimmed(cell).empty()) continue;
        if (!parse_number(cell, size) || size > kMaxNpyBytes || array.shape.size() == 8) fail("has a damaged header");
        array.shape.push_back(size);
        if (size > 0 && items > kMaxNpyBytes / size) fail("is larger than its file");
        items *= size;
    }
    const std::string_view data = bytes.substr(start + length);
    if (items * array.item_bytes > data.size()) {
        // Keep the complete frames. The first dimension is their number.
        cut = true;
        const std::size_t frames = array.shape.empty() ? 0 : array.shape[0];
        const std::size_t frame_bytes = frames > 0 ? items / frames * array.item_bytes : 0;
        if (frame_bytes == 0 || data.size() < frame_bytes) in.fail_cut("the array " + name + " is cut off");
        array.shape[0] = data.size() / frame_bytes;
        items = array.shape[0] * (frame_bytes / array.item_bytes);
    }
    array.bytes = data.substr(0, items * array.item_bytes);
    return array;
}

std::uint32_t word(std::string_view bytes, std::size_t at, std::size_t count) {
    std::uint32_t value = 0;
    for (std::size_t i = 0; i < count; ++i)
        value |= std::uint32_t{static_cast<unsigned char>(bytes[at + i])} << (8 * i);
    return value;
}

// Returns the members of a ZIP. Sizes come from the central directory, because a member may be written before its size
// is known.
std::map<std::string, std::string> members_of_zip(const Input& in, std::string_view zip) {
    constexpr std::string_view kEnd("PK\x05\x06", 4), kEntry("PK\x01\x02", 4), kMember("PK\x03\x04", 4);
    const std::size_t end = zip.rfind(kEnd);
    if (end == std::string_view::npos || zip.size() < end + 22)
        in.fail("the archive has no list of its members: it is cut off or damaged");
    std::size_t at = word(zip, end + 16, 4);
    std::map<std::string, std::string> members;
    std::size_t total = 0;
    for (std::uint32_t i = 0, count = word(zip, end + 10, 2); i < count; ++i) {
        const auto damaged = [&] { in.fail("member " + std::to_string(i + 1) + " of the archive is damaged"); };
        if (zip.size() < 46 || at > zip.size() - 46 || zip.substr(at, 4) != kEntry) damaged();
        const std::uint32_t method = word(zip, at + 10, 2), packed = word(zip, at + 20, 4),
                            plain = word(zip, at + 24, 4);
        const std::size_t name_size = word(zip, at + 28, 2);
        const std::size_t local = word(zip, at + 42, 4);
        std::string name(zip.substr(std::min(at + 46, zip.size()), name_size));
        at += 46 + name_size + word(zip, at + 30, 2) + word(zip, at + 32, 2);
        if (packed == 0xFFFFFFFF || plain == 0xFFFFFFFF || local == 0xFFFFFFFF)
            in.fail("the archive is larger than 4 GB, which is not read");
        if (zip.size() < 30 || local > zip.size() - 30 || zip.substr(local, 4) != kMember) damaged();
        const std::size_t data_at = local + 30 + word(zip, local + 26, 2) + word(zip, local + 28, 2);
        if (data_at > zip.size() || packed > zip.size() - data_at) damaged();
        total += plain;
        if (total > std::min(kMaxNpyBytes, 100 * zip.size() + (std::size_t{16} << 20)))
            in.fail("the archive is more than 100 times as long when it is unpacked, or says so");
        const std::string_view data = zip.substr(data_at, packed);
        std::string content;
        if (method == 0) {
            content = data;
        } else if (method == 8) {
            content.resize(plain);
            z_stream stream{};
            if (inflateInit2(&stream, -MAX_WBITS) != Z_OK) damaged();
            stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(data.data()));
            stream.avail_in = packed;
            stream.next_out = reinterpret_cast<Bytef*>(content.data());
            stream.avail_out = plain;
            const int code = inflate(&stream, Z_FINISH);
            inflateEnd(&stream);
            if (code != Z_STREAM_END || stream.avail_out != 0) damaged();
        } else {
            in.fail("member " + excerpt(name) + " is packed in a way that is not read");
        }
        if (name.ends_with(".npy")) name.resize(name.size() - 4);
        members.emplace(std::move(name), std::move(content));
    }
    return members;
}

// Reads a recording in our own layout; returns false if it is not one.
bool read_own(const Input& in, const Arrays& arrays, Assembly& out) {
    const auto find = [&arrays](const char* name) {
        const auto found = arrays.find(name);
        return found == arrays.end() ? nullptr : &found->second;
    };
    const Array *joints = find("joints"), *flags = find("flags"), *active = find("active"), *source = find("source"),
                *device = find("device_ns"), *time = find("time_ns");
    for (const Array* array : {joints, flags, active, source, device, time})
        if (array == nullptr) return false;
    const std::size_t frames = time->count();
    const bool whole = joints->kind == 'f' && joints->item_bytes == 4 &&
                       joints->count() == frames * 2 * kJointCount * 8 && flags->count() == frames * 2 * kJointCount &&
                       active->count() == 2 * frames && source->count() == 2 * frames && device->count() == 2 * frames;
    if (!whole) in.fail("the arrays of the recording differ in their number of frames");
    SourceTraits traits;
    traits.complete = true;
    out.describe(traits);
    for (std::size_t f = 0; f < frames; ++f) {
        HandPair sample;
        sample.time_ns = time->integer(f);
        for (std::size_t side = 0; side < 2; ++side) {
            HandFrame& hand = sample.hands[side];
            const std::size_t at = 2 * f + side;
            hand.times.device_ns = device->integer(at);
            hand.times.arrival_ns = sample.time_ns;
            hand.active = active->integer(at) != 0;
            if (source->integer(at) < 0 || source->integer(at) > 5) in.fail("a source is none that is known");
            hand.source = static_cast<tracking::Source>(source->integer(at));
            for (std::size_t j = 0; j < kJointCount && hand.active; ++j) {
                std::array<float, 8> v{};
                std::memcpy(v.data(), joints->bytes.data() + (at * kJointCount + j) * sizeof v, sizeof v);
                const std::int64_t bits = flags->integer(at * kJointCount + j);
                if (bits < 0 || bits > tracking::joint_flags::kAll) in.fail("validity bits are 0 to 15");
                tracking::JointPose& joint = hand.joints[j];
                joint.position_m = {v[0], v[1], v[2]};
                joint.orientation.coeffs() = Eigen::Vector4f(v[3], v[4], v[5], v[6]);
                joint.radius_m = v[7];
                joint.flags = static_cast<std::uint8_t>(bits);
            }
        }
        out.push(sample);
    }
    return true;
}

constexpr std::string_view kZip("PK\x03\x04", 4);

}  // namespace

bool is_npy(std::string_view head, std::uintmax_t) {
    if (head.starts_with(kMagic)) return true;
    if (!head.starts_with(kZip) || head.size() < 30) return false;
    return head.substr(30, std::min<std::size_t>(word(head, 26, 2), 256)).ends_with(".npy");
}

void read_npy(Input& in, const ImportOptions& options, Assembly& out) {
    const std::string bytes = in.read_all(kMaxNpyBytes);
    std::map<std::string, std::string> members;
    Arrays arrays;
    bool cut = false;
    if (std::string_view(bytes).starts_with(kZip)) {
        members = members_of_zip(in, bytes);
        for (const auto& [name, content] : members)
            if (std::string_view(content).starts_with(kMagic))
                arrays.emplace(name, parse_array(in, content, excerpt(name), cut));
    } else {
        arrays.emplace(in.path().stem().string(), parse_array(in, bytes, "in it", cut));
    }
    if (!read_own(in, arrays, out)) read_hand_arrays(in, arrays, options, {}, out);
    if (cut) in.fail_cut("an array is cut off");
}

namespace {

void append_word(std::string& bytes, std::uint64_t value, int count) {
    for (int i = 0; i < count; ++i) bytes += static_cast<char>(value >> (8 * i));
}

// Returns a header whose size is a multiple of 64 bytes, as NumPy requires.
std::string npy_header(std::string_view type, const std::string& shape) {
    std::string header = "{'descr': '" + std::string(type) + "', 'fortran_order': False, 'shape': (" + shape + "), }";
    header.resize((10 + header.size() + 1 + 63) / 64 * 64 - 10 - 1, ' ');
    header += '\n';
    std::string bytes(kMagic);
    bytes += std::string("\1\0", 2);
    append_word(bytes, header.size(), 2);
    return bytes + header;
}

class ZipWriter {
  public:
    explicit ZipWriter(Output& out) : out_(out) {}
    void add(std::string name, const std::string& header, std::string_view data) {
        name += ".npy";
        const std::size_t size = header.size() + data.size();
        if (out_.size() + size > 0xFFFF0000ULL) throw ExportError(name + ": a .npz of more than 4 GB is not written");
        uLong crc = ::crc32(0, reinterpret_cast<const Bytef*>(header.data()), static_cast<uInt>(header.size()));
        crc = crc32_z(crc, reinterpret_cast<const Bytef*>(data.data()), data.size());
        std::string common;
        append_word(common, 20, 2);          // version needed to extract
        append_word(common, 0, 4);           // no flags; stored
        append_word(common, 0x00210000, 4);  // 1 January 1980: the same recording gives the same bytes
        append_word(common, crc, 4);
        append_word(common, size, 4);
        append_word(common, size, 4);
        append_word(common, name.size(), 2);
        append_word(common, 0, 2);
        const std::uint64_t at = out_.size();
        out_.write(std::string(kZip) + common + name);
        out_.write(header);
        out_.write(data);
        list_ += std::string("PK\x01\x02", 4);
        append_word(list_, 20, 2);
        list_ += common;
        list_.append(10, '\0');  // no comment, first disk, no attributes
        append_word(list_, at, 4);
        list_ += name;
        ++count_;
    }
    void finish() {
        const std::uint64_t at = out_.size();
        out_.write(list_);
        std::string end("PK\x05\x06\0\0\0\0", 8);
        append_word(end, count_, 2);
        append_word(end, count_, 2);
        append_word(end, list_.size(), 4);
        append_word(end, at, 4);
        append_word(end, 0, 2);
        out_.write(end);
    }

  private:
    Output& out_;
    std::string list_;
    std::uint64_t count_ = 0;
};

struct Columns {
    std::string time, device, active, source, joints, flags;
    std::size_t frames = 0;
};

template <class Value>
void append_value(std::string& bytes, Value value) {
    bytes.append(reinterpret_cast<const char*>(&value), sizeof value);
}

// Adds a list of names as fixed-width text.
void add_names(ZipWriter& zip, const char* name, const std::vector<std::string_view>& names) {
    constexpr std::size_t kWidth = 24;
    std::string data;
    for (const std::string_view each : names) {
        data += each;
        data.append(kWidth - each.size(), '\0');
    }
    zip.add(name, npy_header("|S24", std::to_string(names.size()) + ","), data);
}

}  // namespace

SampleWriter npz_writer(Output& out) {
    const auto columns = std::make_shared<Columns>();
    const auto write = [columns](const HandPair& sample) {
        ++columns->frames;
        append_value(columns->time, sample.time_ns);
        for (const HandFrame& hand : sample.hands) {
            append_value(columns->device, hand.times.device_ns);
            append_value(columns->active, static_cast<std::uint8_t>(hand.active ? 1 : 0));
            append_value(columns->source, static_cast<std::uint8_t>(hand.source));
            for (const tracking::JointPose& joint : hand.joints) {
                for (const float v : joint.position_m) append_value(columns->joints, v);
                for (const float v : joint.orientation.coeffs()) append_value(columns->joints, v);
                append_value(columns->joints, joint.radius_m);
                append_value(columns->flags, joint.flags);
            }
        }
    };
    const auto finish = [&out, columns] {
        const std::string n = std::to_string(columns->frames);
        ZipWriter zip(out);
        zip.add("time_ns", npy_header("<i8", n + ","), columns->time);
        zip.add("device_ns", npy_header("<i8", n + ", 2"), columns->device);
        zip.add("active", npy_header("|u1", n + ", 2"), columns->active);
        zip.add("source", npy_header("|u1", n + ", 2"), columns->source);
        zip.add("joints", npy_header("<f4", n + ", 2, 26, 8"), columns->joints);
        zip.add("flags", npy_header("|u1", n + ", 2, 26"), columns->flags);
        add_names(zip, "hand_names", {"left", "right"});
        std::vector<std::string_view> names;
        for (int j = 0; j < kJointCount; ++j) names.push_back(name_of(static_cast<Joint>(j)));
        add_names(zip, "joint_names", names);
        zip.finish();
        return std::string();
    };
    return {write, finish};
}

}  // namespace glovebox::recordings
