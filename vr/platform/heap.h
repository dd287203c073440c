// Heap use of the process, for benchmarks that check whether memory grows.
#pragma once

#include <cstdint>

namespace glovebox::vr {

/// Returns the bytes now allocated by all threads, without freed memory that the process still holds. Returns 0 if the
/// C library does not report it (only glibc 2.33 or later does). Takes some microseconds: it walks the heap's lists.
std::int64_t heap_bytes();

}  // namespace glovebox::vr
