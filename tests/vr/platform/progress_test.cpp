#include "vr/platform/progress.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <unistd.h>

#include <array>
#include <stdexcept>
#include <thread>
#include <vector>

namespace glovebox::vr {
namespace {

// Returns what `work` writes to stderr, which is a terminal or a pipe (at most what a pipe holds).
template <class Work>
std::string sent_to_stderr(bool terminal, Work&& work) {
    std::array<int, 2> ends{};
    if (terminal) {
        ends[0] = ::posix_openpt(O_RDWR | O_NOCTTY);
        EXPECT_EQ(::grantpt(ends[0]), 0);
        EXPECT_EQ(::unlockpt(ends[0]), 0);
        ends[1] = ::open(::ptsname(ends[0]), O_RDWR | O_NOCTTY);
    } else {
        EXPECT_EQ(::pipe(ends.data()), 0);
    }
    const int before = ::dup(STDERR_FILENO);
    ::dup2(ends[1], STDERR_FILENO);
    work();
    ::dup2(before, STDERR_FILENO);
    std::string text;
    std::array<char, 4096> part{};
    // A terminal passes its input on with a short delay.
    for (pollfd ready{ends[0], POLLIN, 0}; ::poll(&ready, 1, 200) > 0;)
        text.append(part.data(), static_cast<std::size_t>(::read(ends[0], part.data(), part.size())));
    for (const int end : {ends[0], ends[1], before}) ::close(end);
    return text;
}

TEST(Progress, SaysHowFarAndOfHowMany) {
    EXPECT_EQ(progress_text("frame", 12, 400), "frame 12 of 400");
    EXPECT_EQ(progress_text("frame", 12, 0), "frame 12");
    EXPECT_EQ(progress_text("recording", 3, 7, "a.glove"), "recording 3 of 7  a.glove");
}

TEST(Progress, IsALineOfItsOwnThatIsErasedAtItsEnd) {
    const auto work = [] {
        Progress progress("frame", 1000);
        for (int i = 1; i <= 1000; ++i) progress.at(i);
        progress.show(std::string(300, 'x'));
    };
    const std::string text = sent_to_stderr(true, work);
    EXPECT_THAT(text, testing::HasSubstr("\r\033[Kframe 1000 of 1000"));
    EXPECT_THAT(text, testing::EndsWith("\r\033[K"));
    EXPECT_THAT(text, testing::Not(testing::HasSubstr("\n")));
    EXPECT_THAT(text, testing::Not(testing::HasSubstr(std::string(80, 'x')))) << "a line that wraps is not erased";
    EXPECT_LT(text.size(), 1000U) << "not one a frame";
    EXPECT_EQ(sent_to_stderr(false, work), "");
}

TEST(Progress, IsErasedWhenAnExceptionLeavesItAndNotWrittenWhereNothingWasTold) {
    const std::string text = sent_to_stderr(true, [] {
        try {
            Progress progress;
            progress.show("working");
            throw std::runtime_error("stop");
        } catch (const std::runtime_error&) {
        }
    });
    EXPECT_EQ(text, "\r\033[Kworking\r\033[K");
    EXPECT_EQ(sent_to_stderr(true, [] { const Progress progress("frame", 3); }), "");
}

TEST(Progress, TakesManyThreads) {
    const std::string text = sent_to_stderr(true, [] {
        Progress progress("recording", 40);
        std::vector<std::jthread> threads;
        for (int t = 0; t < 4; ++t)
            threads.emplace_back([&progress, t] {
                for (int i = 0; i < 10; ++i) progress.at(10 * t + i + 1, "name");
            });
        threads.clear();
    });
    EXPECT_THAT(text, testing::HasSubstr("recording 40 of 40  name"));
}

}  // namespace
}  // namespace glovebox::vr
