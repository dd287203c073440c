// What one box refitted, one box test and one exact test cost: prices for the formula n_u c_u + n_v c_v + n_p c_p.
//
// They come from a run of their own, a made hand that closes in on a made ball, a box and a mesh. They know nothing of
// the recording at hand, so the formula's sum can be held against what its frames took.
#pragma once

#include "collision/query/collide.h"
#include "vr/session/method_race.h"

namespace glovebox::vr {

/// Of one unit of work: time over count of all its frames, and the 10th and 90th percentile of single frames.
struct Price {
    double ns = 0.0, low_ns = 0.0, high_ns = 0.0;
};

struct Prices {
    const collision::RefitMethod* method = nullptr;  ///< null: not measured
    Price box_refitted;                              ///< c_u
    Price object_box_test, tree_box_test;            ///< c_v, of an object's outer box and of a box of a mesh's tree
    Price exact_test;                                ///< c_p, with the boxes that an exact test is pruned by
};

/// Measures the prices of a method. Takes about ten milliseconds; for between frames, never in one.
Prices measure_prices(const collision::RefitMethod& method, Clock clock);

/// The formula: counts times prices, from the low prices and from the high ones as well.
struct PricedFrame {
    double refit_us = 0.0, object_tests_us = 0.0, tree_tests_us = 0.0, exact_us = 0.0;
    double low_us = 0.0, high_us = 0.0;

    double sum_us() const { return refit_us + object_tests_us + tree_tests_us + exact_us; }
};
PricedFrame priced(const collision::CollideCounts& counts, const Prices& prices);

}  // namespace glovebox::vr
