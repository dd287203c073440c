#include "vr/export/packed.h"

#include <algorithm>
#include <vector>

namespace glovebox::vr {
namespace {

constexpr std::size_t kBlock = 64;
constexpr std::uint32_t kLongest = 24;  // after this many ones, the number follows uncoded

class Bits {
  public:
    void add(std::uint32_t value, int count) {
        for (int bit = count - 1; bit >= 0; --bit) {
            byte_ = static_cast<std::uint8_t>(unsigned{byte_} << 1U | (value >> bit & 1U));
            if (++filled_ < 8) continue;
            bytes.push_back(byte_);
            byte_ = 0;
            filled_ = 0;
        }
    }
    void finish() {
        while (filled_ != 0) add(0, 1);
    }
    std::vector<std::uint8_t> bytes;

  private:
    std::uint8_t byte_ = 0;
    int filled_ = 0;
};

std::uint64_t cost_of(std::span<const std::uint32_t> block, int k) {
    std::uint64_t bits = 5;
    for (const std::uint32_t value : block) {
        const std::uint32_t ones = value >> k;
        bits += ones >= kLongest ? kLongest + 32 : ones + 1 + static_cast<std::uint32_t>(k);
    }
    return bits;
}

}  // namespace

std::string packed(std::span<const std::int32_t> series) {
    std::vector<std::uint32_t> values;
    values.reserve(series.size());
    std::uint32_t before = 0;
    for (const std::int32_t each : series) {
        // Differences wrap, as the decoder's sums do; small differences of either sign map to small numbers.
        const auto now = static_cast<std::uint32_t>(each);
        const auto step = static_cast<std::int32_t>(now - before);
        values.push_back(static_cast<std::uint32_t>(step) << 1 ^ static_cast<std::uint32_t>(step >> 31));
        before = now;
    }
    Bits bits;
    for (std::size_t from = 0; from < values.size(); from += kBlock) {
        const auto block = std::span(values).subspan(from, std::min(kBlock, values.size() - from));
        int best = 0;
        for (int k = 1; k < 30; ++k)
            if (cost_of(block, k) < cost_of(block, best)) best = k;
        bits.add(static_cast<std::uint32_t>(best), 5);
        for (const std::uint32_t value : block) {
            const std::uint32_t ones = value >> best;
            if (ones >= kLongest) {
                bits.add((1U << kLongest) - 1, kLongest);
                bits.add(value, 32);
                continue;
            }
            bits.add((1U << (ones + 1)) - 2, static_cast<int>(ones) + 1);
            bits.add(value & ((1U << best) - 1), best);
        }
    }
    bits.finish();
    return base64(bits.bytes);
}

std::string base64(std::span<const std::uint8_t> bytes) {
    constexpr std::string_view kLetters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    std::string text;
    text.reserve((bytes.size() + 2) / 3 * 4);
    for (std::size_t i = 0; i < bytes.size(); i += 3) {
        std::uint32_t three = 0;
        for (std::size_t k = 0; k < 3; ++k) three = three << 8 | (i + k < bytes.size() ? bytes[i + k] : 0U);
        for (std::size_t k = 0; k < 4; ++k) text += i + k <= bytes.size() ? kLetters[three >> (18 - 6 * k) & 63U] : '=';
    }
    return text;
}

}  // namespace glovebox::vr
