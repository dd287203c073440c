// Publishes the newest value of one thread to any number of reading threads, without locks, allocation or waiting.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <cstring>
#include <type_traits>

namespace glovebox::vr::layer {

/// For one writer thread and any number of reader threads. Values are copied bytewise.
template <class T>
class Newest {
    static_assert(std::is_trivially_copyable_v<T>);

  public:
    void publish(const T& value) noexcept {
        const std::uint64_t number = count_.load(std::memory_order_relaxed) + 1;
        std::array<std::uint64_t, kWords> words{};
        std::memcpy(words.data(), &value, sizeof value);
        Slot& slot = slots_[number % kSlots];
        // A reader that sees a word of this value sees the number before it, and knows that its slot is written again.
        std::atomic_thread_fence(std::memory_order_release);
        for (std::size_t i = 0; i < kWords; ++i) slot[i].store(words[i], std::memory_order_relaxed);
        count_.store(number, std::memory_order_release);
    }
    /// Reads the newest value. Returns false if nothing was published yet, or if new values were published during every
    /// attempt to read.
    bool read(T& out) const noexcept {
        constexpr int kTries = 100;
        for (int attempt = 0; attempt < kTries; ++attempt) {
            const std::uint64_t number = count_.load(std::memory_order_acquire);
            if (number == 0) return false;
            std::array<std::uint64_t, kWords> words{};
            const Slot& slot = slots_[number % kSlots];
            for (std::size_t i = 0; i < kWords; ++i) words[i] = slot[i].load(std::memory_order_relaxed);
            std::atomic_thread_fence(std::memory_order_acquire);
            // The slot is written again with the value whose number is kSlots more; that begins one number earlier.
            if (count_.load(std::memory_order_relaxed) - number >= kSlots - 1) continue;
            std::memcpy(static_cast<void*>(&out), words.data(), sizeof out);
            return true;
        }
        return false;
    }

  private:
    static constexpr std::size_t kWords = (sizeof(T) + 7) / 8, kSlots = 4;
    using Slot = std::array<std::atomic<std::uint64_t>, kWords>;

    std::array<Slot, kSlots> slots_{};
    std::atomic<std::uint64_t> count_{0};
};

}  // namespace glovebox::vr::layer
