// A 64-bit hash of a state, to check that two replays are identical.
//
// It is not cryptographic. It depends on every bit of the input and on the order of the values, except that negative
// and positive zero give the same hash.
#pragma once

#include <Eigen/Core>
#include <bit>
#include <concepts>
#include <cstdint>
#include <type_traits>

namespace glovebox::scenes {

class StateHash {
  public:
    template <class T>
    requires std::integral<T> || std::is_enum_v<T>
    void add(T value) { mix(static_cast<std::uint64_t>(value)); }
    void add(float value) { mix(std::bit_cast<std::uint32_t>(value == 0.0F ? 0.0F : value)); }
    template <class Derived>
    void add(const Eigen::DenseBase<Derived>& values) {
        for (Eigen::Index i = 0; i < values.size(); ++i)
            add(values.derived().coeff(i % values.rows(), i / values.rows()));
    }

    std::uint64_t value() const { return state_ ^ (state_ >> 32); }

  private:
    // The multiplier is the golden ratio's 64 bits, odd; the rotation carries high bits back down.
    void mix(std::uint64_t word) { state_ = std::rotl((state_ ^ word) * 0x9E3779B97F4A7C15ULL, 29); }

    std::uint64_t state_ = 0x243F6A8885A308D3ULL;
};

}  // namespace glovebox::scenes
