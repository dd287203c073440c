#include "collision/survey/clips/clip_method.h"

#include <gtest/gtest.h>

#include <cmath>
#include <stdexcept>

#include "collision/survey/clips/walks.h"
#include "tests/collision/golden_cases.h"

namespace glovebox::collision::clips {
namespace {

// The literal definition: all pairs of samples, times compared in seconds, both discs transformed to the world.
// Returns the largest overlap r_a + r_b - distance of any pair that shares an instant; -inf if none does.
double deepest_overlap_m(const Clip& a, const ClipPlacement& pa, const Clip& b, const ClipPlacement& pb) {
    double deepest = -std::numeric_limits<double>::infinity();
    const double tiny_s = 1e-9 * a.dt_s;
    for (std::size_t i = 0; i < a.samples.size(); ++i)
        for (std::size_t j = 0; j < b.samples.size(); ++j) {
            const double a_s = pa.start_s + static_cast<double>(i) * a.dt_s;
            const double b_s = pb.start_s + static_cast<double>(j) * b.dt_s;
            if (a_s + a.dt_s <= b_s + tiny_s || b_s + b.dt_s <= a_s + tiny_s) continue;
            const double distance = (pa * a.samples[i].center_m - pb * b.samples[j].center_m).norm();
            deepest = std::max(deepest, a.samples[i].radius_m + b.samples[j].radius_m - distance);
        }
    return deepest;
}

bool query(const ClipMethod& method, const Clip& a, const ClipPlacement& pa, const Clip& b, const ClipPlacement& pb,
           const ClipFit& fit = {}) {
    ClipCounts counts;
    return method.collide(method.build(a, fit), pa, method.build(b, fit), pb, counts);
}

using GoldenClips = GoldenTest;
INSTANTIATE_TEST_SUITE_P(Answers, GoldenClips, ::testing::Values(GoldenSource::made, GoldenSource::given), golden_name);

TEST_P(GoldenClips, EveryRowGivesTheGoldenAnswers) {
    const auto read = [](const nlohmann::json& j, double dt_s) {
        Clip clip{{}, dt_s};
        for (std::size_t i = 0; i < j["pos"].size(); ++i)
            clip.samples.push_back(
                {{j["pos"][i][0].get<double>(), j["pos"][i][1].get<double>()}, j["r"][i].get<double>()});
        return clip;
    };
    const auto place = [](const nlohmann::json& j) {
        return placed(j["angle"].get<double>(), {j["offset"][0].get<double>(), j["offset"][1].get<double>()},
                      j["t"].get<double>());
    };
    YesAndNo hits;
    for (const nlohmann::json& j : cases("mobb.jsonl")) {
        const double dt_s = j["dt"].get<double>();
        const Clip a = read(j["a"], dt_s), b = read(j["b"], dt_s);
        std::vector<bool> right = {j["collide"].get<bool>()};
        if (j["time_ambiguous"].get<bool>()) right.push_back(j["collide_rounded_time"].get<bool>());
        for (const ClipMethod& method : clip_methods())
            for (const int leaf : {1, 3, 10, 50})
                for (const AxisRule rule : {AxisRule::chord, AxisRule::statistics}) {
                    const bool hit = query(method, a, place(j["a"]), b, place(j["b"]), {leaf, rule, 1.0});
                    EXPECT_TRUE(std::ranges::find(right, hit) != right.end())
                        << method.name << " leaf " << leaf << ": case " << j["id"] << " " << j["class"] << " margin "
                        << j["margin"];
                }
        hits.count(right[0]);
    }
    hits.expect_both(0.25);
}

// Every variant against the definition: real-valued offsets, all leaf sizes of the paper's sweep, several time scales.
TEST(ClipMethods, EveryRowEqualsEveryPairOfSamples) {
    Dice dice(34);
    int hits = 0, close = 0;
    constexpr int kQueries = 1500;
    for (int k = 0; k < kQueries; ++k) {
        const auto draw = [&dice]() -> Clip {
            const int n = 1 + static_cast<int>(dice.below(dice.below(8) == 0 ? 1500 : 90));
            const double radius_m = dice.uniform(0.0, 1.5);
            if (dice.below(10) == 0) return standing(n, radius_m);
            Clip clip = dice.below(2) == 0 ? wandering(dice, n, radius_m) : circling(dice, 3 * n, radius_m);
            for (ClipSample& s : clip.samples) s.radius_m *= dice.uniform(0.5, 1.0);
            return clip;
        };
        const Clip a = draw(), b = draw();
        const double whole =
            dice.below(3) == 0 ? a.dt_s * std::round(dice.uniform(-40.0, 40.0)) : dice.uniform(-1.2, 1.2);
        const ClipPlacement pa =
            placed(dice.uniform(0.0, 7.0), {dice.normal(), dice.normal()}, dice.uniform(-9.0, 9.0));
        const ClipPlacement pb =
            placed(dice.uniform(0.0, 7.0), {2 * dice.normal(), 2 * dice.normal()}, pa.start_s + whole);
        const double deepest_m = deepest_overlap_m(a, pa, b, pb);
        if (std::abs(deepest_m) < 1e-9) {
            ++close;
            continue;
        }
        hits += deepest_m > 0.0 ? 1 : 0;
        const ClipFit fit{1 + static_cast<int>(dice.below(50)),
                          dice.below(2) == 0 ? AxisRule::chord : AxisRule::statistics,
                          std::exp(dice.uniform(-2.5, 2.5))};
        for (const ClipMethod& method : clip_methods())
            ASSERT_EQ(query(method, a, pa, b, pb, fit), deepest_m > 0.0)
                << method.name << " query " << k << " overlap " << deepest_m << " leaf " << fit.max_leaf_samples;
    }
    EXPECT_LT(close, 5);
    EXPECT_GT(hits, kQueries / 10);
    EXPECT_LT(hits, kQueries * 8 / 10);
}

TEST(ClipMethods, CollisionsWithTheLaterOfTwoSamplesOnlyAreFound) {
    // b is far away except for one sample, which covers only the second half of a's.
    Clip a{{{{0, 0}, 0.5}}, 0.1};
    Clip b{{{{9, 0}, 0.5}, {{0, 0}, 0.5}, {{9, 0}, 0.5}}, 0.1};
    for (const ClipMethod& method : clip_methods()) {
        EXPECT_TRUE(query(method, a, placed(0, {0, 0}, 0.05), b, {})) << method.name;
        EXPECT_FALSE(query(method, a, {}, b, {})) << method.name;
        EXPECT_FALSE(query(method, a, placed(0, {0, 0}, 0.2), b, {})) << method.name;
        EXPECT_TRUE(query(method, a, placed(0, {0, 0}, 0.199), b, {})) << method.name;
    }
}

TEST(ClipMethods, TouchingIsNoCollision) {
    const Clip disc{{{{0, 0}, 0.5}}, 0.125};
    for (const ClipMethod& method : clip_methods()) {
        EXPECT_FALSE(query(method, disc, {}, disc, placed(0, {1, 0}, 0))) << method.name;
        EXPECT_TRUE(query(method, disc, {}, disc, placed(0, {1 - 1e-12, 0}, 0))) << method.name;
        EXPECT_FALSE(query(method, disc, {}, disc, placed(0, {0, 0}, 0.125))) << method.name << ": end meets beginning";
    }
}

struct Drawn {
    Clip a, b;
    ClipPlacement pa, pb;
};

// Random queries whose answer does not depend on rounding.
std::vector<Drawn> clear_queries(std::uint64_t seed, int count) {
    Dice dice(seed);
    std::vector<Drawn> drawn;
    while (static_cast<int>(drawn.size()) < count) {
        Drawn d{wandering(dice, 40, 0.9), circling(dice, 80, 0.6),
                placed(dice.uniform(0, 7), {dice.normal(), dice.normal()}, dice.uniform(-1, 1)),
                placed(dice.uniform(0, 7), {2 * dice.normal(), 2 * dice.normal()}, dice.uniform(-1, 1))};
        if (std::abs(deepest_overlap_m(d.a, d.pa, d.b, d.pb)) > 1e-6) drawn.push_back(std::move(d));
    }
    return drawn;
}

TEST(ClipMethods, AnswersDoNotDependOnOrderNorOnACommonMotionOrTimeShift) {
    int hits = 0;
    const std::vector<Drawn> queries = clear_queries(35, 300);
    for (const Drawn& q : queries)
        for (const ClipMethod& method : clip_methods()) {
            const bool hit = query(method, q.a, q.pa, q.b, q.pb);
            hits += hit ? 1 : 0;
            EXPECT_EQ(query(method, q.b, q.pb, q.a, q.pa), hit) << method.name;
            const Eigen::Matrix2d turn = Eigen::Rotation2Dd(1.234).toRotationMatrix();
            const auto moved = [&turn](const ClipPlacement& p) {
                return ClipPlacement{turn * p.world_from_clip, turn * p.offset_m + Eigen::Vector2d(11, -7),
                                     p.start_s + 0.375};
            };
            EXPECT_EQ(query(method, q.a, moved(q.pa), q.b, moved(q.pb)), hit) << method.name;
        }
    const int queried = static_cast<int>(queries.size() * clip_methods().size());
    EXPECT_GT(hits, queried / 8);
    EXPECT_LT(hits, queried * 4 / 5);
}

TEST(ClipMethods, LargerDiscsNeverStopACollision) {
    for (Drawn& q : clear_queries(36, 200))
        for (const ClipMethod& method : clip_methods()) {
            bool before = false;
            for (const double scale : {0.25, 0.5, 1.0, 2.0, 4.0}) {
                Clip a = q.a;
                for (ClipSample& s : a.samples) s.radius_m *= scale;
                const bool hit = query(method, a, q.pa, q.b, q.pb);
                EXPECT_TRUE(hit || !before) << method.name << " scale " << scale;
                before = hit;
            }
        }
}

TEST(ClipMethods, IdenticalClipsCollideAndClipsApartInTimeNever) {
    for (const Drawn& q : clear_queries(37, 50))
        for (const ClipMethod& method : clip_methods()) {
            EXPECT_TRUE(query(method, q.a, q.pa, q.a, q.pa)) << method.name;
            ClipPlacement after = q.pa;
            after.start_s += q.a.duration_s();
            EXPECT_FALSE(query(method, q.a, q.pa, q.a, after)) << method.name;
            after.start_s -= 0.5 * q.a.dt_s;
            after.offset_m += q.pa.world_from_clip * (q.a.samples.back().center_m - q.a.samples.front().center_m);
            EXPECT_TRUE(query(method, q.a, q.pa, q.a, after)) << method.name << ": half a sample is enough";
        }
}

TEST(ClipMethods, CountersSayWhatWasTested) {
    Dice dice(9);
    const Clip a = circling(dice, 1260, 0.3), b = circling(dice, 1260, 0.3);
    const auto counted = [&](std::string_view name, const ClipPlacement& pb) {
        const ClipMethod& method = *find_clip_method(name);
        ClipCounts counts;
        method.collide(method.build(a, {}), {}, method.build(b, {}), pb, counts);
        return counts;
    };
    const ClipPlacement far = placed(0, {40, 0}, 0.0), later = placed(0, {0, 0}, 100.0);
    for (const ClipMethod& method : clip_methods()) {
        if (method.name == "brute") continue;
        EXPECT_EQ(counted(method.name, far).decided_at_root, 1) << method.name;
        EXPECT_EQ(counted(method.name, far).tests_2d + counted(method.name, far).tests_3d, 1) << method.name;
        EXPECT_EQ(counted(method.name, later).apart_in_time, 1) << method.name;
        EXPECT_EQ(counted(method.name, later).tests_2d + counted(method.name, later).tests_3d, 0) << method.name;
    }
    EXPECT_EQ(counted("brute", far).sample_tests, 1260);
    EXPECT_EQ(counted("brute", placed(0, {40, 0}, a.dt_s / 2)).sample_tests, 2 * 1260 - 1);
    EXPECT_EQ(counted("umobb", far).tests_3d, 1);
    EXPECT_EQ(counted("hybrid1", far).tests_2d, 1);
    EXPECT_EQ(counted("hybrid2", far).tests_3d, 1);
    EXPECT_GT(counted("mobb", placed(0.3, {2, 1}, 0.0)).tests_2d, 4);
    EXPECT_EQ(counted("mobb", placed(0.3, {2, 1}, 0.0)).tests_3d, 0);
}

TEST(ClipMethods, StandingClipsCountAsFlatInTiltedTrees) {
    const ClipMethod& umobb = *find_clip_method("umobb");
    const ClipTree still = umobb.build(standing(40, 0.5), {});
    ClipCounts counts;
    EXPECT_FALSE(umobb.collide(still, {}, still, placed(0, {2, 0}, 0), counts));
    EXPECT_EQ(counts.tests_2d, 1);
    EXPECT_EQ(counts.tests_3d, 0);
}

TEST(ClipMethods, ClipsThatCannotBeComparedAreRefused) {
    const ClipMethod& mobb = *find_clip_method("mobb");
    Clip other = standing(5, 1.0);
    other.dt_s = 0.01;
    ClipCounts counts;
    EXPECT_THROW(mobb.collide(mobb.build(standing(5, 1.0), {}), {}, mobb.build(other, {}), {}, counts),
                 std::invalid_argument);
    EXPECT_THROW(mobb.collide(mobb.build(standing(5, 1.0), {}), {},
                              mobb.build(standing(5, 1.0), {10, AxisRule::chord, 2.0}), {}, counts),
                 std::invalid_argument);
    EXPECT_EQ(find_clip_method("mob"), nullptr);
}

}  // namespace
}  // namespace glovebox::collision::clips
