// A ring buffer: a lock-free queue from one thread to another. It does not allocate, and rejects values when it is
// full.
#pragma once

#include <atomic>
#include <cstddef>
#include <vector>

namespace glovebox::recordings {

/// Single-producer, single-consumer queue. `capacity` must be a power of two.
template <class T>
class Ring {
  public:
    explicit Ring(std::size_t capacity) : slots_(capacity) {}

    /// Adds a value with one copy. Returns false and drops the value if there is no room.
    bool push(const T& value) noexcept {
        const std::size_t head = head_.load(std::memory_order_relaxed);
        if (head - tail_.load(std::memory_order_acquire) == slots_.size()) return false;
        slots_[head & (slots_.size() - 1)] = value;
        head_.store(head + 1, std::memory_order_release);
        return true;
    }
    /// Returns the oldest value, or null if the ring is empty. The pointer is valid until pop().
    const T* front() const noexcept {
        const std::size_t tail = tail_.load(std::memory_order_relaxed);
        if (tail == head_.load(std::memory_order_acquire)) return nullptr;
        return &slots_[tail & (slots_.size() - 1)];
    }
    /// Returns true if at least half the slots are in use. Both threads may call it; the count of used slots may be off
    /// by one.
    bool half_full() const noexcept {
        return 2 * (head_.load(std::memory_order_relaxed) - tail_.load(std::memory_order_relaxed)) >= slots_.size();
    }
    void pop() noexcept { tail_.store(tail_.load(std::memory_order_relaxed) + 1, std::memory_order_release); }

  private:
    std::vector<T> slots_;
    // On separate cache lines, to avoid false sharing between the two threads.
    alignas(64) std::atomic<std::size_t> head_{0};
    alignas(64) std::atomic<std::size_t> tail_{0};
};

}  // namespace glovebox::recordings
