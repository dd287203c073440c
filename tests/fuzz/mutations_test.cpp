// The fuzzers' short run for every compiler: each entry gets its seeds and a few hundred damaged copies of them.
//
// libFuzzer searches for new paths and finds more (fuzz_target.cpp, run_fuzzers.sh); this test keeps its findings.
#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "recordings/format.h"
#include "tests/fuzz/entries.h"

namespace glovebox::fuzz {
namespace {

class Mutator {
  public:
    explicit Mutator(unsigned seed) : random_(seed) {}

    std::string mutate(std::string text, const std::string& other) {
        for (int i = 0, edits = 1 + below(4); i < edits; ++i) edit(text, other);
        return text;
    }

  private:
    int below(std::size_t limit) { return static_cast<int>(random_() % std::max<std::size_t>(limit, 1)); }
    std::size_t place(const std::string& text) { return random_() % (text.size() + 1); }

    void edit(std::string& text, const std::string& other) {
        constexpr std::array<std::string_view, 12> kWords = {"nan",
                                                             "-inf",
                                                             "1e39",
                                                             "-0",
                                                             "99999999999999999999",
                                                             "{",
                                                             "}",
                                                             "\n",
                                                             ",",
                                                             std::string_view("\0\0", 2),
                                                             "\xFF\xFF\xFF\x7F",
                                                             "-1"};
        const std::size_t at = place(text), length = static_cast<std::size_t>(below(64));
        switch (below(7)) {
            case 0:
                if (at < text.size()) text[at] = static_cast<char>(random_());
                break;
            case 1:
                if (at < text.size()) text[at] = static_cast<char>(text[at] ^ (1 << below(8)));
                break;
            case 2:
                text.erase(at, length);
                break;
            case 3:
                text.insert(at, kWords[static_cast<std::size_t>(below(kWords.size()))]);
                break;
            case 4:
                text.insert(at, text.substr(place(text), length));
                break;
            case 5:
                text.resize(at);
                break;
            default:
                text.insert(at, other.substr(place(other), length));
                break;
        }
    }

    std::mt19937 random_;
};

Bytes bytes_of(const std::string& text) {
    return {reinterpret_cast<const std::uint8_t*>(text.data()), text.size()};
}

class Mutations : public testing::TestWithParam<Entry> {};

TEST_P(Mutations, OfGoodInputsBreakNoPromise) {
    const Entry& entry = GetParam();
    std::vector<std::string> seeds;
    for (Seed& seed : seed_corpus())
        if (seed.entry == entry.name) seeds.push_back(std::move(seed.content));
    ASSERT_FALSE(seeds.empty());
    for (const std::string& seed : seeds) entry.feed(entry.name, bytes_of(seed));
    // Recovery searches every page of a log, which is slow; logs themselves are damaged in the entry "glove".
    const int rounds = entry.name == "recovery" || entry.name == "beside" ? 40 : 500;
    Mutator mutator(17);
    for (int i = 0; i < rounds; ++i) {
        const auto n = static_cast<std::size_t>(i);
        entry.feed(entry.name, bytes_of(mutator.mutate(seeds[n % seeds.size()], seeds[(n / 3) % seeds.size()])));
    }
}

TEST(FuzzEntries, AreThoseThatAreBuiltAndLeaveNoReaderOut) {
    std::string names;
    for (const Entry& entry : entries()) names.append(names.empty() ? "" : " ").append(entry.name);
    EXPECT_EQ(names, GLOVEBOX_FUZZ_ENTRIES);
    for (const recordings::Format& row : recordings::format_table()) EXPECT_EQ(find_entry(row.name).name, row.name);
}

// The hashes may be correct in a forged file. Here the kinds and hands of the two placements in the header, which every
// search reads, are out of range.
TEST(TouchIndex, PlacementsThatThereAreNotAreRefused) {
    for (const Seed& seed : seed_corpus()) {
        if (seed.entry != "touch") continue;
        for (const std::size_t at : {64U, 68U, 132U, 136U}) {
            std::string bad = seed.content;
            ASSERT_LE(bad[at], 2);
            bad[at] = 100;
            find_entry("touch").feed("touch", bytes_of(bad));
        }
    }
}

std::string test_name(const testing::TestParamInfo<Entry>& info) {
    std::string name(info.param.name);
    std::replace(name.begin(), name.end(), '-', '_');
    return name;
}

INSTANTIATE_TEST_SUITE_P(Every, Mutations, testing::ValuesIn(entries().begin(), entries().end()), test_name);

}  // namespace
}  // namespace glovebox::fuzz
