// PerSide: one value for each hand, indexed by Side.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace glovebox::tracking {

enum class Side : std::uint8_t { left, right };
inline constexpr std::array kSides = {Side::left, Side::right};

/// An array of two, left before right, that a Side indexes. It inherits begin(), end(), fill(), == and numeric indices
/// from std::array.
template <class T>
struct PerSide : std::array<T, 2> {
    using std::array<T, 2>::operator[];
    constexpr T& operator[](Side side) { return (*this)[static_cast<std::size_t>(side)]; }
    constexpr const T& operator[](Side side) const { return (*this)[static_cast<std::size_t>(side)]; }
};

}  // namespace glovebox::tracking
