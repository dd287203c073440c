// Reads little-endian numbers from the bytes of an untrusted file.
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>
#include <string_view>
#include <type_traits>

namespace glovebox::recordings {

static_assert(std::endian::native == std::endian::little, "the readers copy numbers as they are in the file");

/// A position in bytes. Reading past the end returns zeros and empty views, and ok() is false from then on.
class ByteReader {
  public:
    explicit ByteReader(std::string_view bytes, std::size_t at = 0) : bytes_(bytes), at_(at), ok_(at <= bytes.size()) {}

    /// Returns the next number.
    template <class Number>
    Number number() {
        static_assert(std::is_arithmetic_v<Number>);
        Number value{};
        if (const std::string_view from = view(sizeof value); ok_) std::memcpy(&value, from.data(), sizeof value);
        return value;
    }
    /// Returns an unsigned number of 1 to 8 bytes.
    std::uint64_t integer(std::size_t bytes) {
        std::uint64_t value = 0;
        if (bytes > sizeof value) ok_ = false;
        if (const std::string_view from = view(bytes); ok_) std::memcpy(&value, from.data(), bytes);
        return value;
    }
    /// Returns the next bytes, as a view of the file.
    std::string_view view(std::size_t count) {
        if (!ok_ || count > bytes_.size() - at_) {
            ok_ = false;
            return {};
        }
        at_ += count;
        return bytes_.substr(at_ - count, count);
    }
    void skip(std::size_t count) { view(count); }
    bool ok() const { return ok_; }
    std::size_t at() const { return at_; }
    std::size_t left() const { return ok_ ? bytes_.size() - at_ : 0; }

  private:
    std::string_view bytes_;
    std::size_t at_;
    bool ok_;
};

}  // namespace glovebox::recordings
