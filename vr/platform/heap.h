// What the process holds of the heap, for benches that ask whether memory grows.
#pragma once

#include <cstdint>

namespace glovebox::vr {

/// Bytes that are allocated now, by all threads; what was freed does not count, though the process may keep it. 0 where
/// the C library does not say. Walks the heap's lists: some microseconds.
std::int64_t heap_bytes();

}  // namespace glovebox::vr
