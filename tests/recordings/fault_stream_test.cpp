#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>

#include "recordings/inject.h"
#include "recordings/load.h"
#include "tests/count_allocations.h"

namespace glovebox::recordings {
namespace {

using tracking::HandPair;
using tracking::Side;

std::vector<Fault> faults_of(std::initializer_list<const char*> specs) {
    std::vector<Fault> faults;
    for (const char* spec : specs) faults.push_back(parse_fault(spec));
    return faults;
}

Recording flick() {
    return sample_table().front().make();
}

// Compares bits, because positions may be NaN, which equals nothing.
bool same_bits(const HandPair& a, const HandPair& b) {
    for (const Side side : tracking::kSides) {
        if (a[side].active != b[side].active || a[side].side != b[side].side) return false;
        for (std::size_t i = 0; i < tracking::kJointCount; ++i) {
            const tracking::JointPose &p = a[side].joints[i], &q = b[side].joints[i];
            if (std::memcmp(p.position_m.data(), q.position_m.data(), 3 * sizeof(float)) != 0 ||
                std::memcmp(p.orientation.coeffs().data(), q.orientation.coeffs().data(), 4 * sizeof(float)) != 0 ||
                p.flags != q.flags || p.radius_m != q.radius_m)
                return false;
        }
    }
    return true;
}

// A live source's clock began long ago and its end is unknown; the faults must be the same as in a recording.
TEST(FaultStream, OnALiveClockGivesWhatInjectGivesForEveryKind) {
    constexpr std::int64_t kBoot_ns = 86'400'000'000'123;
    int changed = 0;
    for (const FaultRow& row : fault_table()) {
        const char* value = row.kind == FaultKind::rate      ? "=40"
                            : row.kind == FaultKind::latency ? "=45ms"
                            : row.value.empty()              ? ""
                                                             : "=0.3";
        const Fault fault = parse_fault(std::string(row.name) + value + "@1.5s+1s");
        const Recording good = flick();
        Recording injected = good;
        const std::vector<FaultSpell> spells = inject({&fault, 1}, injected);
        FaultStream stream({&fault, 1});
        std::size_t next = 0;
        for (HandPair sample : good.samples) {
            const HandPair before = sample;
            sample.time_ns += kBoot_ns;
            const bool kept = stream.pass(sample);
            EXPECT_EQ(stream.spells()[0].is_active, before.time_ns >= 1'500'000'000 && before.time_ns < 2'500'000'000)
                << row.name << " " << before.time_ns;
            if (!kept || !same_bits(sample, before)) ++changed;
            if (!kept) continue;
            ASSERT_LT(next, injected.samples.size()) << row.name;
            ASSERT_TRUE(same_bits(sample, injected.samples[next])) << row.name << " " << next;
            EXPECT_EQ(sample.time_ns, injected.samples[next++].time_ns + kBoot_ns);
        }
        EXPECT_EQ(next, injected.samples.size()) << row.name;
        EXPECT_EQ(stream.spells()[0].samples, spells[0].samples);
    }
    EXPECT_GT(changed, 500) << "faults were put in at all";
}

TEST(FaultStream, ShortFaultsOfALiveSourceNeedTheirStart) {
    for (const FaultRow& row : fault_table()) {
        const bool lasting = row.kind == FaultKind::rate || row.kind == FaultKind::latency ||
                             row.kind == FaultKind::jitter || row.kind == FaultKind::scale;
        const Fault fault = parse_fault(std::string(row.name) + (row.value.empty() ? "" : "=2"));
        if (lasting) {
            EXPECT_EQ(FaultStream({&fault, 1}).spells()[0].from_s, 0.0) << row.name;
            continue;
        }
        try {
            FaultStream({&fault, 1});
            ADD_FAILURE() << row.name;
        } catch (const std::runtime_error& error) {
            EXPECT_THAT(error.what(),
                        testing::HasSubstr("say when the fault begins, such as " + std::string(row.name)));
            EXPECT_THAT(error.what(), testing::HasSubstr("@5s"));
        }
        EXPECT_EQ(FaultStream({&fault, 1}, 8.0).spells()[0].from_s, 4.0) << row.name;
    }
}

TEST(FaultStream, TellsWhichOfManyFaultsAreAtWork) {
    FaultStream stream(faults_of({"drop=1s@1s", "nan@1.5s+1s", "rate=50"}));
    const auto is_active = [&](std::int64_t time_ms) {
        HandPair sample;
        sample.time_ns = 1'000'000 * time_ms;
        stream.pass(sample);
        std::string text;
        for (const FaultSpell& spell : stream.spells()) text += spell.is_active ? '1' : '0';
        return text;
    };
    EXPECT_EQ(is_active(0), "001");
    EXPECT_EQ(is_active(1000), "101");
    EXPECT_EQ(is_active(1600), "111") << "of a dropped sample too";
    EXPECT_EQ(is_active(2000), "011") << "a spell ends before the sample at its end";
    EXPECT_EQ(is_active(2500), "001");
}

TEST(FaultStream, AllocatesNothingOnceWarm) {
    FaultStream stream(faults_of({"drop=100ms@4s", "nan@1s", "zero-pose@1s", "freeze@2s", "jump=0.1m@1s", "rate=90",
                                  "latency=200ms", "jitter=2mm", "scale=1.1", "swap-hands@3s"}));
    const Recording good = flick();
    HandPair sample = good.samples[0];
    std::int64_t warm = 0;
    int kept = 0;
    for (int i = 0; i < 6000; ++i) {
        sample = good.samples[static_cast<std::size_t>(i) % good.samples.size()];
        sample.time_ns = 1'000'000LL * i;
        if (i == 500) warm = allocations;
        kept += stream.pass(sample) ? 1 : 0;
    }
    EXPECT_EQ(allocations, warm);
    EXPECT_GT(warm, 0);
    EXPECT_GT(kept, 400);
}

}  // namespace
}  // namespace glovebox::recordings
