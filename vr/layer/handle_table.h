// A hash table from OpenXR handles to the layer's objects. Any thread can look up without locks or allocation.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>

namespace glovebox::vr::layer {

/// Returns a handle as a 64-bit number; the platform's handles may be pointers or numbers.
template <class Handle>
std::uint64_t number_of(Handle handle) {
    if constexpr (sizeof(Handle) == sizeof(std::uint64_t))
        return reinterpret_cast<std::uint64_t>(handle);
    else
        return static_cast<std::uint64_t>(handle);
}

/// Owns its values. find() may run at the same time as add() and remove() of other handles. OpenXR requires that the
/// application does not use a handle while destroying it.
template <class T, std::size_t kCapacity = 1024>
class HandleTable {
  public:
    HandleTable() = default;
    ~HandleTable() {
        for (Slot& slot : slots_) delete slot.value.load(std::memory_order_relaxed);
    }
    HandleTable(const HandleTable&) = delete;
    HandleTable& operator=(const HandleTable&) = delete;

    /// Returns the value of a handle, or null.
    T* find(std::uint64_t key) const noexcept {
        if (key == kNever || key == kRemoved) return nullptr;
        for (std::size_t i = 0; i < kCapacity; ++i) {
            const Slot& slot = slots_[(start(key) + i) % kCapacity];
            const std::uint64_t at = slot.key.load(std::memory_order_acquire);
            if (at == key) return slot.value.load(std::memory_order_relaxed);
            if (at == kNever) return nullptr;
        }
        return nullptr;
    }
    /// Adds a value and returns it, or returns null if the table is full. An existing value of the handle is replaced,
    /// because runtimes reuse handles.
    T* add(std::uint64_t key, std::unique_ptr<T> value) {
        remove(key);
        const std::lock_guard lock(mutex_);
        for (std::size_t i = 0; i < kCapacity; ++i) {
            Slot& slot = slots_[(start(key) + i) % kCapacity];
            const std::uint64_t at = slot.key.load(std::memory_order_relaxed);
            if (at != kNever && at != kRemoved) continue;
            T* const kept = value.release();
            slot.value.store(kept, std::memory_order_relaxed);
            slot.key.store(key, std::memory_order_release);
            return kept;
        }
        return nullptr;
    }
    std::unique_ptr<T> remove(std::uint64_t key) {
        const std::lock_guard lock(mutex_);
        if (key == kNever || key == kRemoved) return nullptr;
        for (Slot& slot : slots_)
            if (slot.key.load(std::memory_order_relaxed) == key) return empty(slot);
        return nullptr;
    }
    template <class Visit>
    void for_each(Visit visit) {
        const std::lock_guard lock(mutex_);
        for (Slot& slot : slots_)
            if (T* value = slot.value.load(std::memory_order_relaxed); value != nullptr) visit(*value);
    }
    template <class Predicate>
    void remove_if(Predicate predicate) {
        const std::lock_guard lock(mutex_);
        for (Slot& slot : slots_) {
            const T* value = slot.value.load(std::memory_order_relaxed);
            if (value != nullptr && predicate(*value)) empty(slot);
        }
    }

  private:
    static constexpr std::uint64_t kNever = 0, kRemoved = ~std::uint64_t{0};
    struct Slot {
        std::atomic<std::uint64_t> key{kNever};
        std::atomic<T*> value{nullptr};
    };
    static std::size_t start(std::uint64_t key) { return static_cast<std::size_t>(key * 0x9E3779B97F4A7C15U >> 40); }
    static std::unique_ptr<T> empty(Slot& slot) {
        // Not kNever: entries that were added after it must still be found.
        slot.key.store(kRemoved, std::memory_order_release);
        return std::unique_ptr<T>(slot.value.exchange(nullptr, std::memory_order_relaxed));
    }

    std::array<Slot, kCapacity> slots_;
    std::mutex mutex_;  // held by all except find()
};

}  // namespace glovebox::vr::layer
