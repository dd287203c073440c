// The colours of states, for both the scene and the panel, in sRGB.
//
// Users with red-green colour blindness can distinguish them, too: in a deuteranopia simulation, `kTouching` turns
// ochre and `kFalsePositive` stays blue. Line widths differ as well. Orange is reserved for timing faults, which have
// their own shape.
#pragma once

#include <Eigen/Core>
#include <cstdint>

namespace glovebox::vr::palette {

/// 0xRRGGBB.
constexpr std::uint32_t kTouching = 0xD55E00, kFalsePositive = 0x0072B2, kIdle = 0x8C96A1, kTrouble = 0xE69F00,
                        kArrow = 0xC24E00, kTable = 0xEEECE7, kClay = 0xDFC8B9, kGlove = 0xCCD0D5, kText = 0x1F2933,
                        kSecondary = 0x52606D, kTertiary = 0x66727F, kCard = 0xFCFCFD, kField = 0xEEF1F4,
                        kLine = 0xDDE2E7, kAccent = 0x0072B2, kBudget = 0x8A5200, kGood = 0x00624A,
                        kGoodField = 0xE3F2EC, kBadField = 0xFBEBDD, kHistogram = 0x7FA8C4, kTotal = 0x33414F,
                        kRefit = 0x56B4E9, kOutline = 0x33414F, kCollider = 0x9FB3C8;

inline Eigen::Vector3f rgb(std::uint32_t hex) {
    return Eigen::Vector3f(static_cast<float>(hex >> 16 & 0xFFU), static_cast<float>(hex >> 8 & 0xFFU),
                           static_cast<float>(hex & 0xFFU)) /
           255.0F;
}

}  // namespace glovebox::vr::palette
