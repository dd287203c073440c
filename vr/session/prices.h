// Unit costs of a refitted box, a box test and an exact test, for the cost formula n_u c_u + n_v c_v + n_p c_p.
//
// The unit costs are measured on synthetic input: a hand that approaches a sphere, a box and a mesh. They do not depend
// on the current recording, so the formula's result can be compared with the measured times of the recording's frames.
#pragma once

#include "collision/query/collide.h"
#include "vr/session/method_race.h"

namespace glovebox::vr {

/// Cost of one unit of work. `ns` is the total time divided by the total count, without the slowest 5 % of frames.
/// `low_ns` and `high_ns` are the 10th and 90th percentiles of single frames.
struct Price {
    double ns = 0.0, low_ns = 0.0, high_ns = 0.0;
};

/// The unit costs of one method.
struct Prices {
    const collision::RefitMethod* method = nullptr;  ///< null: not measured
    Price box_refitted;                              ///< c_u
    /// c_v of a test against an object's own box, and against a box of a mesh's tree.
    Price object_box_test, tree_box_test;
    Price exact_test;  ///< c_p, including the box tests that prune an exact test
};

/// Measures the unit costs of a method. Takes about ten milliseconds, so call it between frames, not during a frame.
Prices measure_prices(const collision::RefitMethod& method, Clock clock);

/// Result of the cost formula, by kind of work. `low_us` and `high_us` are the formula's sums with the 10th and 90th
/// percentiles of the unit costs.
struct PricedFrame {
    double refit_us = 0.0, object_tests_us = 0.0, tree_tests_us = 0.0, exact_us = 0.0;
    double low_us = 0.0, high_us = 0.0;

    double sum_us() const { return refit_us + object_tests_us + tree_tests_us + exact_us; }
};
/// Multiplies the counts of a frame by the unit costs.
PricedFrame priced(const collision::CollideCounts& counts, const Prices& prices);

}  // namespace glovebox::vr
