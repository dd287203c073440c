#include "vr/platform/platform.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdint>

namespace glovebox::vr {
namespace {

// What all requests of this machine come to now; -1: not told. The look is a request too, but one for any latency.
std::int32_t most_latency_us() {
    const int file = open("/dev/cpu_dma_latency", O_RDWR | O_CLOEXEC);
    std::int32_t most_us = -1;
    if (file < 0 || read(file, &most_us, sizeof most_us) != sizeof most_us) most_us = -1;
    if (file >= 0) close(file);
    return most_us;
}

TEST(KeepAwake, HoldsWhileOneLives) {
    const std::int32_t before_us = most_latency_us();
    if (before_us < 0) {
        EXPECT_FALSE(KeepAwake().in_force());
        GTEST_SKIP() << "this user may not ask for it (/dev/cpu_dma_latency)";
    }
    {
        const KeepAwake one;
        ASSERT_TRUE(one.in_force());
        EXPECT_EQ(most_latency_us(), 0);
        {
            const KeepAwake another;
            EXPECT_TRUE(another.in_force());
        }
        EXPECT_EQ(most_latency_us(), 0);
    }
    EXPECT_EQ(most_latency_us(), before_us);
}

}  // namespace
}  // namespace glovebox::vr
