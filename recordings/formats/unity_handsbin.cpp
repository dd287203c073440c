// .handsbin version 1 (XR Hands 1.7), little-endian: int version; string name (length in 7-bit groups); float seconds;
// int frames; and per frame: float seconds, four bytes (left tracked, right tracked, all left valid, all right valid)
// and for each tracked hand 26 poses of position 3 and quaternion x y z w. Joints begin with wrist and palm, unlike
// OpenXR's. Unity's axes are left-handed with Z forward, so Z is negated.
#include "recordings/formats/unity_handsbin.h"

#include <bit>
#include <cmath>

#include "recordings/parse.h"

namespace glovebox::recordings {
namespace {

constexpr std::size_t kMaxHandsbinBytes = std::size_t{1} << 30;
constexpr std::size_t kPoseBytes = 28;

std::uint32_t word_at(std::string_view bytes) {
    std::uint32_t word = 0;
    for (int i = 3; i >= 0; --i) word = word << 8 | static_cast<unsigned char>(bytes[static_cast<std::size_t>(i)]);
    return word;
}

// Reads the length of a .NET string: seven bits per byte, lowest first, up to a byte without its top bit.
bool take_length(std::string_view& bytes, std::size_t& length) {
    length = 0;
    for (int shift = 0; shift < 35 && !bytes.empty(); shift += 7) {
        const auto byte = static_cast<unsigned char>(bytes.front());
        bytes.remove_prefix(1);
        length |= static_cast<std::size_t>(byte & 0x7F) << shift;
        if (byte < 0x80) return true;
    }
    return false;
}

class Bytes {
  public:
    Bytes(const Input& in, std::string_view all) : in_(in), all_size_(all.size()), rest_(all) {}
    std::string_view take(std::size_t count) {
        if (rest_.size() < count)
            in_.fail_cut("the file ends at byte " + std::to_string(all_size_) + " inside frame " +
                         std::to_string(frame) + ": it is cut off or damaged");
        const std::string_view taken = rest_.substr(0, count);
        rest_.remove_prefix(count);
        return taken;
    }
    std::uint32_t word() { return word_at(take(4)); }
    float number() { return std::bit_cast<float>(word()); }
    bool boolean() {
        const char value = take(1)[0];
        if (value != 0 && value != 1) in_.fail("frame " + std::to_string(frame) + " is damaged");
        return value == 1;
    }
    std::string_view& rest() { return rest_; }
    std::int64_t frame = 0;

  private:
    const Input& in_;
    std::size_t all_size_;
    std::string_view rest_;
};

void read_hand(Bytes& bytes, bool valid, tracking::HandFrame& hand) {
    hand.active = true;
    for (std::size_t i = 0; i < tracking::kJointCount; ++i) {
        const std::size_t joint = i == 0 ? 1 : i == 1 ? 0 : i;
        std::string_view pose = bytes.take(kPoseBytes);
        std::array<float, 7> v{};
        for (float& value : v) {
            value = std::bit_cast<float>(word_at(pose));
            pose.remove_prefix(4);
        }
        tracking::JointPose& out = hand.joints[joint];
        out.position_m = {v[0], v[1], -v[2]};
        out.orientation = Eigen::Quaternionf(v[6], -v[3], -v[4], v[5]);
        // If not all joints are valid, the file does not contain which; a joint without a rotation is invalid.
        const bool has_pose = valid || out.orientation.norm() > 0.5F;
        out.flags = has_pose ? tracking::joint_flags::kAll : std::uint8_t{0};
    }
}

}  // namespace

bool is_unity_handsbin(std::string_view head, std::uintmax_t file_size) {
    // A small version number, then a name in text, then a plausible duration and number of frames.
    if (head.size() < 13 || word_at(head) == 0 || word_at(head) > 16) return false;
    std::string_view rest = head.substr(4);
    std::size_t length = 0;
    if (word_at(head) != 1) return false;
    if (!take_length(rest, length) || length > 1024 || rest.size() < length + 8) return false;
    for (const char c : rest.substr(0, length))
        if (static_cast<unsigned char>(c) < ' ') return false;
    const auto seconds = std::bit_cast<float>(word_at(rest.substr(length)));
    const std::uint32_t frames = word_at(rest.substr(length + 4));
    return std::isfinite(seconds) && seconds >= 0.0F && seconds < 1e6F && (file_size == 0 || frames < (1U << 31));
}

void read_unity_handsbin(Input& in, const ImportOptions&, Assembly& out) {
    const std::string all = in.read_all(kMaxHandsbinBytes);
    Bytes bytes(in, all);
    bytes.word();  // version, checked by is_unity_handsbin
    std::size_t length = 0;
    if (!take_length(bytes.rest(), length)) in.fail("the name of the recording is damaged");
    bytes.take(length);
    bytes.number();  // duration
    const std::uint32_t frames = bytes.word();
    out.describe({});
    for (bytes.frame = 0; bytes.frame < frames; ++bytes.frame) {
        tracking::HandPair sample;
        const double seconds = static_cast<double>(bytes.number());
        if (!(seconds >= 0.0 && seconds < 1e9)) in.fail("frame " + std::to_string(bytes.frame) + " has no time stamp");
        sample.time_ns = std::llround(1e9 * seconds);
        const bool tracked[2] = {bytes.boolean(), bytes.boolean()};
        const bool valid[2] = {bytes.boolean(), bytes.boolean()};
        for (std::size_t side = 0; side < 2; ++side)
            if (tracked[side]) read_hand(bytes, valid[side], sample.hands[side]);
        out.push(sample);
    }
    if (!bytes.rest().empty())
        in.fail(std::to_string(bytes.rest().size()) + " bytes follow the last frame: the file is damaged");
}

}  // namespace glovebox::recordings
