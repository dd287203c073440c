// Counts a program's calls of the C and C++ allocators, and how often it locks a mutex of the C library (C++ mutexes
// use those). Include it in one source file of a program only: it replaces the functions. Not available under a
// sanitizer, which brings its own allocator (GLOVEBOX_OTHER_ALLOCATOR is then defined).
#pragma once

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define GLOVEBOX_OTHER_ALLOCATOR 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define GLOVEBOX_OTHER_ALLOCATOR 1
#endif
#endif

#ifndef GLOVEBOX_OTHER_ALLOCATOR
#include <dlfcn.h>
#include <execinfo.h>
#include <pthread.h>

#include <array>
#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <string_view>

namespace glovebox::tests {

inline std::atomic<bool> watching = false;
/// Counts only calls made by this program's own code, not those of a runtime, loader or driver in the same process.
/// The caller is the nearest stack frame outside the C and C++ libraries.
inline std::atomic<bool> only_own = false;
inline std::atomic<std::uint64_t> allocations = 0, locked = 0;

[[gnu::noinline]] inline bool is_own_call() {
    if (!only_own.load(std::memory_order_relaxed)) return true;
    thread_local bool inside = false;
    if (inside) return false;
    inside = true;
    bool own = false;
    Dl_info self{}, caller{};
    dladdr(reinterpret_cast<void*>(&is_own_call), &self);
    std::array<void*, 16> frames{};
    const int count = backtrace(frames.data(), static_cast<int>(frames.size()));
    // The first two frames are this function and the hook.
    for (int i = 2; i < count; ++i) {
        if (dladdr(frames[static_cast<std::size_t>(i)], &caller) == 0 || caller.dli_fname == nullptr) break;
        const std::string_view name = caller.dli_fname;
        if (name.find("/libstdc++.") != name.npos || name.find("/libc.") != name.npos) continue;
        // libstdc++ uses the program's copies of its templates where there are any, on behalf of whoever called it.
        const std::string_view function = caller.dli_sname != nullptr ? caller.dli_sname : "";
        if (function.starts_with("_ZNSt") || function.starts_with("_ZNKSt")) continue;
        own = caller.dli_fbase == self.dli_fbase;
        break;
    }
    inside = false;
    return own;
}

[[gnu::always_inline]] inline void count_call(std::atomic<std::uint64_t>& counter) {
    if (watching.load(std::memory_order_relaxed) && is_own_call()) ++counter;
}

/// Returns how often `work` allocates memory.
std::uint64_t allocations_during(auto&& work) {
    allocations = 0;
    watching = true;
    work();
    watching = false;
    return allocations;
}

}  // namespace glovebox::tests

// glibc's own allocator under its internal names; operator new calls malloc, so it is counted too.
extern "C" {
void* __libc_malloc(std::size_t size);
void* __libc_calloc(std::size_t count, std::size_t size);
void* __libc_realloc(void* old, std::size_t size);
void* __libc_memalign(std::size_t alignment, std::size_t size);

void* malloc(std::size_t size) {
    glovebox::tests::count_call(glovebox::tests::allocations);
    return __libc_malloc(size);
}
void* calloc(std::size_t count, std::size_t size) {
    glovebox::tests::count_call(glovebox::tests::allocations);
    return __libc_calloc(count, size);
}
void* realloc(void* old, std::size_t size) {
    glovebox::tests::count_call(glovebox::tests::allocations);
    return __libc_realloc(old, size);
}
void* memalign(std::size_t alignment, std::size_t size) {
    glovebox::tests::count_call(glovebox::tests::allocations);
    return __libc_memalign(alignment, size);
}
void* aligned_alloc(std::size_t alignment, std::size_t size) {
    glovebox::tests::count_call(glovebox::tests::allocations);
    return __libc_memalign(alignment, size);
}

int pthread_mutex_lock(pthread_mutex_t* mutex) {
    static const auto next = reinterpret_cast<int (*)(pthread_mutex_t*)>(dlsym(RTLD_NEXT, "pthread_mutex_lock"));
    glovebox::tests::count_call(glovebox::tests::locked);
    return next(mutex);
}
}
#endif
