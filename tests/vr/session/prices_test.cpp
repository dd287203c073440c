#include "vr/session/prices.h"

#include <gtest/gtest.h>

#include "collision/body/refit.h"
#include "vr/platform/platform.h"

namespace glovebox::vr {
namespace {

// Each reading is 100 ns after the previous one, so every stage of the run takes 100 ns.
std::int64_t even_clock() {
    static std::int64_t now_ns = 0;
    return now_ns += 100;
}

TEST(Prices, AreTheTimeOfAStageOverItsCount) {
    const collision::RefitMethod* cab = collision::find_refit_method("cab");
    const Prices prices = measure_prices(*cab, even_clock);
    EXPECT_EQ(prices.method, cab);
    EXPECT_NEAR(prices.box_refitted.ns, 100.0 / 19.0, 1e-9) << "a hand of 20 bones has 19 boxes above them";
    EXPECT_NEAR(prices.box_refitted.low_ns, prices.box_refitted.high_ns, 1e-9) << "each frame refits all of them";
    // A frame tests between one and some dozens of boxes, so one test costs between a few ns and the stage's 100 ns.
    for (const Price* price : {&prices.object_box_test, &prices.exact_test}) {
        EXPECT_GT(price->ns, 1.0);
        EXPECT_LE(price->high_ns, 100.0);
        EXPECT_LT(price->low_ns, price->high_ns);
    }
    EXPECT_GT(prices.tree_box_test.high_ns, 0.0);
    EXPECT_LT(prices.tree_box_test.ns, prices.object_box_test.ns) << "eight at once are more for the same time";
}

TEST(Prices, OfWhatAMethodDoesNotDoAreZero) {
    const Prices prices = measure_prices(*collision::find_refit_method("brute"), even_clock);
    EXPECT_EQ(prices.box_refitted.ns, 0.0);
    EXPECT_EQ(prices.object_box_test.ns, 0.0);
    EXPECT_EQ(prices.tree_box_test.ns, 0.0);
    EXPECT_GT(prices.exact_test.ns, 0.0);
}

TEST(Prices, MeasureEveryMethodInMoments) {
    for (const collision::RefitMethod& method : collision::refit_methods()) {
        const Prices prices = measure_prices(method, now_ns);
        EXPECT_GT(prices.exact_test.ns, 0.0) << method.name;
        for (const Price* price :
             {&prices.box_refitted, &prices.object_box_test, &prices.tree_box_test, &prices.exact_test})
            EXPECT_LE(price->low_ns, price->high_ns) << method.name;
    }
}

TEST(Prices, TimesCountsMakeASum) {
    Prices prices;
    prices.box_refitted = {10.0, 8.0, 12.0};
    prices.object_box_test = {20.0, 20.0, 30.0};
    prices.tree_box_test = {5.0, 4.0, 6.0};
    prices.exact_test = {100.0, 50.0, 200.0};
    collision::CollideCounts counts;
    counts.n_u = 19;
    counts.n_v_object = 2;
    counts.n_v_tree = 100;
    counts.n_v = 102;
    counts.n_p = 7;
    const PricedFrame sum = priced(counts, prices);
    EXPECT_NEAR(sum.refit_us, 0.19, 1e-12);
    EXPECT_NEAR(sum.sum_us(), 0.19 + 0.04 + 0.5 + 0.7, 1e-12);
    EXPECT_NEAR(sum.low_us, 0.152 + 0.04 + 0.4 + 0.35, 1e-12);
    EXPECT_NEAR(sum.high_us, 0.228 + 0.06 + 0.6 + 1.4, 1e-12);
}

}  // namespace
}  // namespace glovebox::vr
