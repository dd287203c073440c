// Compresses series of integers to short text for an HTML page, by differences, Rice codes and base64.
//
// A small difference between neighbours takes a few bits. The page contains the decoder (page/digest.js). The codes are
// those of [Rice79], with one parameter for each block of 64 numbers.
#pragma once

#include <cstdint>
#include <span>
#include <string>

namespace glovebox::vr {

/// Compresses a series without loss. A tracked joint in tenths of a millimetre takes about 5 bits per number.
std::string packed(std::span<const std::int32_t> series);

std::string base64(std::span<const std::uint8_t> bytes);

}  // namespace glovebox::vr
