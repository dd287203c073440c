// Packed files (.gz, .xz, .zst) as the bytes that are in them, told by content and unpacked as they are read.
#pragma once

#include <functional>
#include <span>
#include <string_view>

namespace glovebox::recordings {

enum class Unpacked { more, whole, damaged };

/// Unpacks as much as there is room for: both are moved on past what was taken and written. `whole` at the end of the
/// packed data, when nothing may follow.
using Unpack = std::function<Unpacked(std::string_view& packed, std::span<char>& plain)>;

struct Packing {
    std::string_view name, magic;
    Unpack (*begin)();
};

/// The packing of a file that begins so; null if it is not packed.
const Packing* packing_of(std::string_view head);

}  // namespace glovebox::recordings
