#include "vr/platform/platform.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sched.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdint>
#include <fstream>
#include <mutex>
#include <sstream>
#include <string>
#include <thread>

#include "tests/vr/run_program.h"
#include "tracking/glove/byte_stream.h"
#include "vr/platform/priority_mutex.h"

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

// What the kernel says about a thread of this process.
struct KernelThread {
    char state = '?';  // S: it sleeps, as in a lock
    int priority = 0;  // below 0 for real-time threads, and for those that inherit it
};
KernelThread kernel_thread(long id) {
    std::ifstream in("/proc/self/task/" + std::to_string(id) + "/stat");
    std::string line;
    std::getline(in, line);
    std::istringstream fields(line.substr(std::min(line.size(), line.rfind(')') + 1)));
    KernelThread thread;
    fields >> thread.state;
    for (int field = 4; field <= 18; ++field) fields >> thread.priority;
    return thread;
}

TEST(PriorityMutex, ItsHolderHasThePriorityOfTheThreadThatWaits) {
    PriorityMutex mutex;
    std::atomic<bool> release = false, real_time = false;
    std::atomic<long> holder_id = 0, waiter_id = 0;
    std::thread holder([&] {
        // In one process with others, a test may have made this thread's parent real-time.
        const sched_param normal{};
        sched_setscheduler(0, SCHED_OTHER, &normal);
        const std::lock_guard lock(mutex);
        holder_id = syscall(SYS_gettid);
        while (!release) sleep_until_ns(now_ns() + 1'000'000);
    });
    while (holder_id == 0) sleep_until_ns(now_ns() + 1'000'000);
    const int before = kernel_thread(holder_id).priority;
    EXPECT_FALSE(mutex.try_lock());
    std::thread waits([&] {
        real_time = wake_before_others();
        waiter_id = syscall(SYS_gettid);
        const std::lock_guard lock(mutex);
    });
    // From here on it sleeps nowhere but in the lock. A limit of time would make the test depend on the machine's load.
    while (waiter_id == 0 || kernel_thread(waiter_id).state != 'S') sleep_until_ns(now_ns() + 1'000'000);
    const int after = kernel_thread(holder_id).priority;
    release = true;
    waits.join();
    holder.join();
    EXPECT_GE(before, 0);
    if (!real_time) GTEST_SKIP() << "this user may not use real-time priorities (ulimit -r)";
    EXPECT_LT(after, 0);
    EXPECT_TRUE(mutex.try_lock());
    mutex.unlock();
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
