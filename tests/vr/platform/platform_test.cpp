#include "vr/platform/platform.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <array>
#include <cstdint>
#include <string>

#include "tests/vr/run_program.h"
#include "tracking/glove/byte_stream.h"

namespace glovebox::vr {
namespace {

// Returns the latency that all requests on this machine allow; -1: unknown. Opening the file adds no limit itself.
std::int32_t most_latency_us() {
    const int file = open("/dev/cpu_dma_latency", O_RDWR | O_CLOEXEC);
    std::int32_t max_us = -1;
    if (file < 0 || read(file, &max_us, sizeof max_us) != sizeof max_us) max_us = -1;
    if (file >= 0) close(file);
    return max_us;
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

// A program that was started without standard descriptors sends nothing to a glove at a port, least of all its
// messages.
TEST(StandardDescriptors, ThatAreClosedAreNeverAPort) {
    for (const char* closed : {">&-", "2>&-", "<&-", ">&- 2>&- <&-"}) {
        tracking::ByteStream glove = tracking::ByteStream::make_pty();
        const std::string command =
            GLOVEBOX_PROGRAM " live " + glove.name() + " --seconds 0.3 </dev/null >/dev/null 2>/dev/null " + closed;
        const int status = std::system(command.c_str());
        EXPECT_EQ(WEXITSTATUS(status), 1) << "no packet came: " << command;
        std::array<char, 512> buffer{};
        EXPECT_EQ(glove.read(buffer.data(), buffer.size(), 50), "") << closed;
    }
}

TEST(StandardDescriptors, LeaveAnOpenOneAlone) {
    const TestFolder folder("standard_descriptors");
    const auto list = folder.path / "list.txt";
    ASSERT_EQ(std::system((GLOVEBOX_PROGRAM " methods <&- >'" + list.string() + "'").c_str()), 0);
    EXPECT_NE(text_of_file(list).find("cab"), std::string::npos);
}

}  // namespace
}  // namespace glovebox::vr
