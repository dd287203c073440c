#include "collision/mesh/large_pages.h"

#include <limits>
#include <new>

#if defined(__linux__)
#include <sys/mman.h>
#endif

namespace glovebox::collision {
namespace {

constexpr std::size_t kMostWasted = 6;  // one part of so many

void ask_for_large_pages([[maybe_unused]] void* at, [[maybe_unused]] std::size_t bytes) {
#if defined(MADV_HUGEPAGE)
    // Before they are written: pages are given when they are. A refusal changes nothing but the time of a frame.
    static_cast<void>(::madvise(at, bytes, MADV_HUGEPAGE));
#endif
}

}  // namespace

std::size_t large_bytes(std::size_t bytes) {
    if (bytes > std::numeric_limits<std::size_t>::max() / 2) throw std::bad_alloc();
    const std::size_t whole = (bytes + kLargePage - 1) / kLargePage * kLargePage;
    return whole - bytes <= bytes / kMostWasted ? whole : bytes;
}

std::shared_ptr<std::byte> large_memory(std::size_t bytes) {
    const std::size_t taken = large_bytes(bytes);
    const std::align_val_t align{taken >= kLargePage ? kLargePage : std::size_t{64}};
    auto* const at = static_cast<std::byte*>(::operator new(taken, align));
    if (taken >= kLargePage) ask_for_large_pages(at, taken);
    return {at, [align](std::byte* from) { ::operator delete(from, align); }};
}

}  // namespace glovebox::collision
