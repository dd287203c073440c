// Measures the heap use of the process, for benchmarks that check whether memory grows.
#pragma once

#include <cstdint>

namespace glovebox::vr {

/// Returns the number of bytes that all threads have allocated now, without freed memory that the process still holds.
/// Returns 0 if the C library does not report it; only glibc 2.33 or later does. Takes a few microseconds, because it
/// walks the lists of the heap.
std::int64_t heap_bytes();

}  // namespace glovebox::vr
