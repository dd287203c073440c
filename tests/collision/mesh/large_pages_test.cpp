#include "collision/mesh/large_pages.h"

#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <limits>
#include <numeric>
#include <sstream>
#include <vector>

#include "collision/mesh/mesh_tree.h"
#include "collision/survey/tree/sample_meshes.h"

namespace glovebox::collision {
namespace {

struct alignas(64) Line {
    std::array<std::int32_t, 16> number;
};

std::vector<Line> lines(std::size_t count) {
    std::vector<Line> result(count);
    for (std::size_t i = 0; i < count; ++i) result[i].number.fill(static_cast<std::int32_t>(i));
    return result;
}
std::vector<std::int32_t> numbers(std::size_t count) {
    std::vector<std::int32_t> result(count);
    std::iota(result.begin(), result.end(), 7);
    return result;
}
std::uintptr_t address_of(const void* at) {
    return reinterpret_cast<std::uintptr_t>(at);
}

TEST(LargePages, ALastPageIsTakenWholeWhereThatAddsNoMoreThanASixth) {
    EXPECT_EQ(large_bytes(0), 0U);
    EXPECT_EQ(large_bytes(1), 1U);
    EXPECT_EQ(large_bytes(kLargePage), kLargePage);
    EXPECT_EQ(large_bytes(kLargePage - 1), kLargePage);
    EXPECT_EQ(large_bytes(kLargePage + 1), kLargePage + 1);
    EXPECT_EQ(large_bytes(kLargePage * 3 / 4), kLargePage * 3 / 4);
    for (std::size_t bytes = 1; bytes < 40 * kLargePage; bytes += 99'991) {
        const std::size_t taken = large_bytes(bytes), whole = (bytes + kLargePage - 1) / kLargePage * kLargePage;
        EXPECT_EQ(taken, whole <= bytes + bytes / 6 ? whole : bytes);
    }
}

TEST(LargePages, BeginAtALargePageFromOneOnAndAtACacheLineElse) {
    for (const std::size_t bytes : {std::size_t{0}, std::size_t{1}, std::size_t{1000}, kLargePage / 2, kLargePage,
                                    kLargePage + 1, 2 * kLargePage - 100, 5 * kLargePage / 2}) {
        const std::shared_ptr<std::byte> memory = large_memory(bytes);
        EXPECT_EQ(address_of(memory.get()) % (large_bytes(bytes) >= kLargePage ? kLargePage : 64), 0U);
        if (const std::size_t taken = large_bytes(bytes); taken > 0)
            memory.get()[0] = memory.get()[taken - 1] = std::byte{1};  // ours to the end
    }
}

TEST(LargePages, MoreThanThereIsThrows) {
    constexpr std::size_t kMost = std::numeric_limits<std::size_t>::max();
    EXPECT_THROW(large_bytes(kMost), std::bad_alloc);
    EXPECT_THROW(large_memory(kMost - 100), std::bad_alloc);  // rounded up it would be none at all
}

TEST(LargePages, ArraysAreWhatTheyWereMadeOf) {
    for (const std::size_t count : {0U, 1U, 3U, 1000U, 60'000U}) {
        const auto first = lines(count);
        const auto second = numbers(3 * count + (count > 1 ? 1 : 0));
        const LargeArrays<Line, std::int32_t> arrays(first, second);
        ASSERT_EQ(arrays.first().size(), first.size());
        ASSERT_EQ(arrays.second().size(), second.size());
        for (std::size_t i = 0; i < count; ++i) ASSERT_EQ(arrays.first()[i].number, first[i].number);
        EXPECT_TRUE(std::equal(second.begin(), second.end(), arrays.second().begin()));
        EXPECT_EQ(address_of(arrays.first().data()) % alignof(Line), 0U);
        EXPECT_EQ(address_of(arrays.second().data()) % 64, 0U);
        EXPECT_GE(arrays.memory_bytes(), first.size() * sizeof(Line) + second.size() * sizeof(std::int32_t));
        EXPECT_EQ(arrays.memory_bytes(), large_bytes(arrays.memory_bytes()));
    }
}

TEST(LargePages, TheSecondArrayBeginsWithALineOfItsOwn) {
    const LargeArrays<std::int32_t, std::int32_t> arrays(numbers(5), numbers(2));
    EXPECT_EQ(address_of(arrays.second().data()) - address_of(arrays.first().data()), 64U);
    const LargeArrays<std::int32_t, std::int32_t> alone({}, numbers(2));
    EXPECT_TRUE(alone.first().empty());
    EXPECT_EQ(alone.second()[1], 8);
}

TEST(LargePages, CopiesShareTheArraysAndOutliveWhatTheyWereCopiedFrom) {
    LargeArrays<Line, std::int32_t> copy;
    {
        const LargeArrays<Line, std::int32_t> arrays(lines(40'000), numbers(10));
        copy = arrays;
        EXPECT_EQ(copy.first().data(), arrays.first().data());
    }
    EXPECT_EQ(copy.first()[39'999].number[15], 39'999);
    EXPECT_EQ(copy.second()[9], 16);
    const LargeArrays<Line, std::int32_t> moved = std::move(copy);
    EXPECT_EQ(moved.second()[9], 16);
    EXPECT_TRUE(copy.first().empty());  // NOLINT(bugprone-use-after-move): says what is left
    EXPECT_EQ(copy.memory_bytes(), 0U);
}

#if defined(__linux__)
// The flags of the mapping that an address lies in, as the kernel tells them.
std::string flags_at(std::uintptr_t address) {
    std::ifstream maps("/proc/self/smaps");
    bool here = false;
    for (std::string line; std::getline(maps, line);) {
        std::uintptr_t low = 0, high = 0;
        char dash = 0;
        std::istringstream words(line);
        if (words >> std::hex >> low >> dash >> high && dash == '-')
            here = low <= address && address < high;
        else if (here && line.starts_with("VmFlags:"))
            return line + " ";
    }
    return "";
}

TEST(LargePages, TheSystemIsAskedForThem) {
    if (!std::filesystem::exists("/sys/kernel/mm/transparent_hugepage/enabled"))
        GTEST_SKIP() << "this kernel has no transparent large pages";
    const std::shared_ptr<std::byte> memory = large_memory(2 * kLargePage);
    const std::string flags = flags_at(address_of(memory.get()));
    if (flags.empty()) GTEST_SKIP() << "this kernel does not tell a mapping's flags";
    EXPECT_NE(flags.find(" hg "), std::string::npos) << flags;
}
#endif

TEST(LargePages, TreesLieInThem) {
    const auto tree = MeshTree::build(torus(300, 100));  // 60,000 triangles
    const NearTree& near = tree->near_tree();
    const std::size_t bytes = near.nodes().size_bytes() + near.blocks().size_bytes();
    ASSERT_GT(bytes, kLargePage);
    EXPECT_EQ(address_of(near.nodes().data()) % kLargePage, 0U);
    EXPECT_EQ(address_of(near.blocks().data()), address_of(near.nodes().data()) + near.nodes().size_bytes());
    EXPECT_EQ(near.memory_bytes(), large_bytes(bytes));
}

}  // namespace
}  // namespace glovebox::collision
