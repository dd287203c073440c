// Series of whole numbers as short text for a page: differences, Rice codes, base64.
//
// What changes little from one number to the next takes a few bits. The page has the decoder (page/digest.js).
// Method: [Rice79], a parameter for each block of 64.
#pragma once

#include <cstdint>
#include <span>
#include <string>

namespace glovebox::vr {

/// Any series, exactly. About 5 bits a number for a tracked joint in tenths of a millimetre.
std::string packed(std::span<const std::int32_t> series);

std::string base64(std::span<const std::uint8_t> bytes);

}  // namespace glovebox::vr
