#include "vr/haptics/triple_buffer.h"

#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <cstdint>
#include <thread>

namespace glovebox::vr {
namespace {

TEST(TripleBuffer, TheReaderSeesTheNewestAndKeepsIt) {
    TripleBuffer<int> buffer;
    buffer.back() = 1;
    buffer.publish();
    buffer.back() = 2;
    buffer.publish();
    EXPECT_EQ(buffer.front(), 2);
    EXPECT_EQ(buffer.front(), 2);
    buffer.back() = 3;
    EXPECT_EQ(buffer.front(), 2);
    buffer.publish();
    EXPECT_EQ(buffer.front(), 3);
}

// Also run under the thread sanitizer.
TEST(TripleBuffer, NoValueIsEverTornOrOlderThanTheOneBefore) {
    struct Block {
        std::array<std::uint64_t, 64> words{};
    };
    TripleBuffer<Block> buffer;
    std::atomic<bool> done = false;
    std::thread writer([&buffer, &done] {
        for (std::uint64_t i = 1; !done; ++i) {
            buffer.back().words.fill(i);
            buffer.publish();
        }
    });
    std::uint64_t before = 0, seen = 0;
    while (seen < 2000) {
        const Block& block = buffer.front();
        const std::uint64_t first = block.words.front();
        for (const std::uint64_t word : block.words) EXPECT_EQ(word, first);
        EXPECT_GE(first, before);
        seen += first != before ? 1 : 0;
        before = first;
    }
    done = true;
    writer.join();
}

}  // namespace
}  // namespace glovebox::vr
