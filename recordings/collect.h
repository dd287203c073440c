// Collects values read from a file in a list whose memory is limited to a multiple of the file's size.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "recordings/input.h"
#include "recordings/load.h"

namespace glovebox::recordings {

/// Appends an item. The list may take half of the memory that ImportOptions::memory_factor allows, because two copies
/// of it exist while it grows. Throws ImportError if it would take more.
template <class Item>
void collect(const Item& item, const Input& in, const ImportOptions& options, std::vector<Item>& items) {
    if (items.size() == items.capacity()) {
        const auto file_bytes = static_cast<double>(std::max(in.size(), in.bytes_read()));
        const double max_bytes = 0.5 * (options.memory_factor * file_bytes + static_cast<double>(kMemoryFloor));
        const auto most = static_cast<std::size_t>(std::min(max_bytes / sizeof(Item), 1e15));
        if (items.size() >= most)
            in.fail("the file's " + std::to_string(items.size()) + " samples so far take more than " +
                    std::to_string(static_cast<int>(options.memory_factor)) +
                    " times its size in memory; if it is sound, raise that with --memory-factor");
        items.reserve(std::min(most, std::max<std::size_t>(2 * items.size(), 256)));
    }
    items.push_back(item);
}

}  // namespace glovebox::recordings
