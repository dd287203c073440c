// Watches what a program asks of the allocator, C's and C++'s, and how often it locks a mutex of the C library, which
// all others are made of. For a program's one source file: it replaces the functions. Not there under a sanitizer,
// which brings its own allocator (then GLOVEBOX_OTHER_ALLOCATOR is defined).
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
/// Counts only what this program's own code asks for, and passes over a runtime, a loader or a driver in the process.
/// Whose call it is says the nearest caller outside the C and C++ libraries.
inline std::atomic<bool> only_own = false;
inline std::atomic<std::uint64_t> asked = 0, locked = 0;

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
    // The nearest frames are this function and the hook.
    for (int i = 2; i < count; ++i) {
        if (dladdr(frames[static_cast<std::size_t>(i)], &caller) == 0 || caller.dli_fname == nullptr) break;
        const std::string_view name = caller.dli_fname;
        if (name.find("/libstdc++.") != name.npos || name.find("/libc.") != name.npos) continue;
        own = caller.dli_fbase == self.dli_fbase;
        break;
    }
    inside = false;
    return own;
}

[[gnu::always_inline]] inline void count_call(std::atomic<std::uint64_t>& counter) {
    if (watching.load(std::memory_order_relaxed) && is_own_call()) ++counter;
}

/// How often `work` asked for memory.
std::uint64_t asked_during(auto&& work) {
    asked = 0;
    watching = true;
    work();
    watching = false;
    return asked;
}

}  // namespace glovebox::tests

// glibc's own allocator under its second name; operator new ends here, too.
extern "C" {
void* __libc_malloc(std::size_t size);
void* __libc_calloc(std::size_t count, std::size_t size);
void* __libc_realloc(void* old, std::size_t size);
void* __libc_memalign(std::size_t alignment, std::size_t size);

void* malloc(std::size_t size) {
    glovebox::tests::count_call(glovebox::tests::asked);
    return __libc_malloc(size);
}
void* calloc(std::size_t count, std::size_t size) {
    glovebox::tests::count_call(glovebox::tests::asked);
    return __libc_calloc(count, size);
}
void* realloc(void* old, std::size_t size) {
    glovebox::tests::count_call(glovebox::tests::asked);
    return __libc_realloc(old, size);
}
void* memalign(std::size_t alignment, std::size_t size) {
    glovebox::tests::count_call(glovebox::tests::asked);
    return __libc_memalign(alignment, size);
}
void* aligned_alloc(std::size_t alignment, std::size_t size) {
    glovebox::tests::count_call(glovebox::tests::asked);
    return __libc_memalign(alignment, size);
}

int pthread_mutex_lock(pthread_mutex_t* mutex) {
    static const auto next = reinterpret_cast<int (*)(pthread_mutex_t*)>(dlsym(RTLD_NEXT, "pthread_mutex_lock"));
    glovebox::tests::count_call(glovebox::tests::locked);
    return next(mutex);
}
}
#endif
