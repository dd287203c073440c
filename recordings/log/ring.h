// A queue from one thread to another that neither waits nor allocates: full means no.
#pragma once

#include <atomic>
#include <cstddef>
#include <vector>

namespace glovebox::recordings {

/// One thread pushes, one other pops. Capacity is a power of two.
template <class T>
class Ring {
  public:
    explicit Ring(std::size_t capacity) : slots_(capacity) {}

    /// False if there is no room; the value is then dropped. Costs one copy.
    bool push(const T& value) noexcept {
        const std::size_t head = head_.load(std::memory_order_relaxed);
        if (head - tail_.load(std::memory_order_acquire) == slots_.size()) return false;
        slots_[head & (slots_.size() - 1)] = value;
        head_.store(head + 1, std::memory_order_release);
        return true;
    }
    /// The oldest value, or null. It stays valid until pop().
    const T* front() const noexcept {
        const std::size_t tail = tail_.load(std::memory_order_relaxed);
        if (tail == head_.load(std::memory_order_acquire)) return nullptr;
        return &slots_[tail & (slots_.size() - 1)];
    }
    /// From either end; at most one value off.
    bool half_full() const noexcept {
        return 2 * (head_.load(std::memory_order_relaxed) - tail_.load(std::memory_order_relaxed)) >= slots_.size();
    }
    void pop() noexcept { tail_.store(tail_.load(std::memory_order_relaxed) + 1, std::memory_order_release); }

  private:
    std::vector<T> slots_;
    // Apart, so that the two threads do not fight over one cache line.
    alignas(64) std::atomic<std::size_t> head_{0};
    alignas(64) std::atomic<std::size_t> tail_{0};
};

}  // namespace glovebox::recordings
