// Memory for trees that are read here and there: on large pages, where the system has them.
//
// A frame after a pause finds the processor's address tables empty: each page of 4 KiB that it reads is then looked up
// in memory, in a virtual machine by way of two tables of four levels each. A large page is one such look-up for 2 MiB.
#pragma once

#include <cstddef>
#include <cstring>
#include <memory>
#include <span>
#include <type_traits>
#include <utility>

namespace glovebox::collision {

constexpr std::size_t kLargePage = std::size_t{2} << 20;

/// What is taken for so many bytes. A last large page that they do not fill is taken whole where that adds no more than
/// a sixth; else the rest lies on ordinary pages. Throws std::bad_alloc where no address could reach so far.
std::size_t large_bytes(std::size_t bytes);

/// large_bytes(bytes) bytes, freed with the last owner. From one large page on they begin at one and the system is
/// asked for large pages, which it may refuse: nobody but time tells. Throws std::bad_alloc.
std::shared_ptr<std::byte> large_memory(std::size_t bytes);

/// Two arrays side by side that never change: what is read first, and what it leads to. Copies share them.
template <class First, class Second>
class LargeArrays {
    static_assert(std::is_trivially_copyable_v<First> && std::is_trivially_copyable_v<Second>);
    static constexpr std::size_t kAlign = 64;  // each array begins with a cache line
    static_assert(alignof(First) <= kAlign && alignof(Second) <= kAlign);

  public:
    LargeArrays() = default;
    LargeArrays(std::span<const First> first, std::span<const Second> second) {
        const std::size_t before_second = (first.size_bytes() + kAlign - 1) / kAlign * kAlign;
        const std::size_t bytes = before_second + second.size_bytes();
        if (bytes == 0) return;
        const std::shared_ptr<std::byte> memory = large_memory(bytes);
        first_ = copied(first, memory.get());
        second_ = copied(second, memory.get() + before_second);
        memory_ = memory;
        memory_bytes_ = large_bytes(bytes);
    }
    LargeArrays(const LargeArrays&) = default;
    LargeArrays& operator=(const LargeArrays&) = default;
    LargeArrays(LargeArrays&& other) noexcept { *this = std::move(other); }
    LargeArrays& operator=(LargeArrays&& other) noexcept {  // leaves nothing behind that points to what is gone
        memory_ = std::exchange(other.memory_, nullptr);
        memory_bytes_ = std::exchange(other.memory_bytes_, 0);
        first_ = std::exchange(other.first_, {});
        second_ = std::exchange(other.second_, {});
        return *this;
    }

    std::span<const First> first() const { return first_; }
    std::span<const Second> second() const { return second_; }
    std::size_t memory_bytes() const { return memory_bytes_; }  ///< what is taken, large pages whole

  private:
    template <class Value>
    static std::span<const Value> copied(std::span<const Value> values, std::byte* to) {
        if (!values.empty()) std::memcpy(to, values.data(), values.size_bytes());
        return {reinterpret_cast<const Value*>(to), values.size()};
    }

    std::shared_ptr<const std::byte> memory_;
    std::size_t memory_bytes_ = 0;
    std::span<const First> first_;
    std::span<const Second> second_;
};

}  // namespace glovebox::collision
