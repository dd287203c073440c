#include "recordings/log/schema.h"

#include <bit>
#include <charconv>
#include <cstring>

namespace glovebox::recordings {

static_assert(std::endian::native == std::endian::little, "logs are little-endian; swap bytes here for other machines");

std::string text_of(const tracking::HandShape& shape) {
    std::string text;
    for (const tracking::BoneShape& bone : shape)
        for (const float number : tracking::numbers_of(bone)) {
            std::array<char, 32> digits;
            const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), number).ptr;
            text.append(text.empty() ? "" : " ").append(digits.data(), end);
        }
    return text;
}

std::optional<tracking::HandShape> shape_of_text(std::string_view text) {
    tracking::HandShape shape;
    const char *at = text.data(), *const end = at + text.size();
    for (std::size_t i = 0; i < shape.size(); ++i) {
        tracking::BoneNumbers numbers;
        for (std::size_t k = 0; k < numbers.size(); ++k) {
            if (i + k > 0 && (at == end || *at++ != ' ')) return std::nullopt;
            const auto read = std::from_chars(at, end, numbers[k]);
            if (read.ec != std::errc()) return std::nullopt;
            at = read.ptr;
        }
        const auto bone = tracking::bone_of_numbers(numbers);
        if (!bone) return std::nullopt;
        shape[i] = *bone;
    }
    if (at != end) return std::nullopt;
    return shape;
}

void pack_joints(const tracking::HandFrame& hand, JointBlob& blob) {
    unsigned char* at = blob.data();
    for (const tracking::JointPose& joint : hand.joints) {
        std::array<float, 8> values{};
        std::memcpy(values.data(), joint.position_m.data(), 3 * sizeof(float));
        std::memcpy(values.data() + 3, joint.orientation.coeffs().data(), 4 * sizeof(float));
        values[7] = joint.radius_m;
        std::memcpy(at, values.data(), sizeof values);
        at += sizeof values;
    }
    for (const tracking::JointPose& joint : hand.joints) *at++ = joint.flags;
}

std::uint32_t crc32(std::span<const unsigned char> bytes) {
    static const auto table = [] {
        std::array<std::uint32_t, 256> result{};
        for (std::uint32_t i = 0; i < result.size(); ++i) {
            std::uint32_t value = i;
            for (int bit = 0; bit < 8; ++bit) value = value >> 1 ^ ((value & 1) != 0 ? 0xEDB88320U : 0U);
            result[i] = value;
        }
        return result;
    }();
    std::uint32_t crc = 0xFFFFFFFFU;
    for (const unsigned char byte : bytes) crc = crc >> 8 ^ table[(crc ^ byte) & 0xFF];
    return ~crc;
}

bool unpack_joints(std::span<const unsigned char> blob, tracking::HandFrame& hand) {
    if (blob.size() != kJointBytes) return false;
    const unsigned char* flags = blob.data() + tracking::kJointCount * 8 * sizeof(float);
    for (std::size_t i = 0; i < tracking::kJointCount; ++i) {
        std::array<float, 8> values{};
        std::memcpy(values.data(), blob.data() + i * sizeof values, sizeof values);
        tracking::JointPose& joint = hand.joints[i];
        std::memcpy(joint.position_m.data(), values.data(), 3 * sizeof(float));
        std::memcpy(joint.orientation.coeffs().data(), values.data() + 3, 4 * sizeof(float));
        joint.radius_m = values[7];
        joint.flags = flags[i];
        if (flags[i] > tracking::joint_flags::kAll) return false;
    }
    return true;
}

}  // namespace glovebox::recordings
