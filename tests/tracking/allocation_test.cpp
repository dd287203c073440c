#include <gtest/gtest.h>

#include "tests/count_allocations.h"
#include "tracking/filter.h"
#include "tracking/forward_kinematics.h"
#include "tracking/prediction.h"

namespace glovebox::tracking {
namespace {

TEST(Allocation, FilterAndPredictionNeverAllocate) {
    HandFrame frame = pose_from_angles(default_profile(), resting_angles(), Eigen::Isometry3f::Identity(), Side::left);
    HandFilter filter;
    filter.settings.on = true;
    HandMotion motion;
    float sum = 0.0F;
    const std::int64_t before = allocations;
    for (int i = 0; i < 1000; ++i) {
        frame.times.common_ns = 11'000'000LL * i;
        frame.active = i % 50 != 0;
        frame[Joint::wrist].position_m.x() = 0.001F * static_cast<float>(i);
        HandFrame out;
        filter.pass(frame, out);
        motion.take(out);
        sum += predict(motion, 0.02)[Joint::wrist].position_m.x();
    }
    EXPECT_EQ(allocations - before, 0);
    EXPECT_GT(sum, 1.0F);
    EXPECT_GT(allocations, 0) << "the counter counts";
}

}  // namespace
}  // namespace glovebox::tracking
