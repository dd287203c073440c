// A triple buffer: passes the newest value from one thread to another without locks or waiting.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <memory>

namespace glovebox::vr {

/// For one writer thread and one reader thread. The writer fills back() in place and publishes it. front() returns the
/// newest published value, which may be the same as in the last call. Values must not own memory that grows.
template <class T>
class TripleBuffer {
  public:
    /// Returns the slot for the writer to fill. It holds an older value.
    T& back() { return (*slots_)[back_]; }

    void publish() {
        const std::uint8_t old = middle_.exchange(static_cast<std::uint8_t>(back_ | kFresh), std::memory_order_acq_rel);
        back_ = old & kIndex;
    }

    /// Returns the newest published value, for the reader.
    const T& front() {
        if ((middle_.load(std::memory_order_relaxed) & kFresh) != 0) {
            const std::uint8_t old = middle_.exchange(front_, std::memory_order_acq_rel);
            front_ = old & kIndex;
        }
        return (*slots_)[front_];
    }

  private:
    static constexpr std::uint8_t kIndex = 3, kFresh = 4;
    std::unique_ptr<std::array<T, 3>> slots_ = std::make_unique<std::array<T, 3>>();
    std::uint8_t back_ = 0;  // writer's
    alignas(64) std::atomic<std::uint8_t> middle_{1};
    alignas(64) std::uint8_t front_ = 2;  // reader's
};

}  // namespace glovebox::vr
