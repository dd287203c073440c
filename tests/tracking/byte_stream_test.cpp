// Byte streams over this machine's real pseudo-terminals and pipes.
#include "tracking/glove/byte_stream.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <fstream>
#include <optional>
#include <thread>

#include "tests/test_folder.h"
#include "tests/tracking/byte_stream.h"

namespace glovebox::tracking {
namespace {

using testing::HasSubstr;

TEST(ByteStream, APortIsReadByOneProgramAtATime) {
    const ByteStream glove = ByteStream::make_pty();
    std::optional<ByteStream> first(ByteStream::open(glove.name()));
    const std::string refused = error_of(glove.name());
    EXPECT_THAT(refused, HasSubstr(glove.name() + ": another program"));
    EXPECT_EQ(refused.find('\n'), std::string::npos);
    EXPECT_THROW(open_for_writing(glove.name()), DeviceError) << "nor told anything by a second one";

    // A copy of the descriptor, as in a forked process, keeps the device locked.
    const int copy = dup(first->writing_fd());
    ASSERT_GE(copy, 0);
    first.reset();
    EXPECT_THAT(error_of(glove.name()), HasSubstr("another program"));
    ::close(copy);
    EXPECT_EQ(error_of(glove.name()), "");
}

TEST(ByteStream, WaitsALittleForAProgramThatIsEnding) {
    const ByteStream glove = ByteStream::make_pty();
    std::optional<ByteStream> first(ByteStream::open(glove.name()));
    std::thread ending([&first] {
        std::this_thread::sleep_for(std::chrono::milliseconds(60));
        first.reset();
    });
    EXPECT_EQ(error_of(glove.name()), "");
    ending.join();
}

TEST(ByteStream, APtyKnowsWhetherItIsOpenAtTheOtherSide) {
    ByteStream glove = ByteStream::make_pty();
    for (int round = 0; round < 2; ++round) {
        EXPECT_FALSE(glove.other_side_open());
        EXPECT_FALSE(glove.write("for no one\n")) << "it would be old news to the next reader";
        EXPECT_EQ(read_some(glove, 10), "");
        EXPECT_FALSE(glove.at_end()) << "the next reader may come";
        {
            ByteStream host = ByteStream::open(glove.name());
            EXPECT_TRUE(glove.other_side_open());
            EXPECT_TRUE(glove.write("\x01raw\r\n"));
            EXPECT_EQ(read_some(host), "\x01raw\r\n");
            EXPECT_TRUE(host.write("last words\n"));
        }
        EXPECT_EQ(read_some(glove), "last words\n");
    }
}

TEST(ByteStream, SaysWhatCanBeWrittenTo) {
    const tests::TestFolder folder("byte_stream");
    const auto one_way = folder.path / "one_way", both_ways = folder.path / "both_ways",
               file = folder.path / "packets.txt";
    ASSERT_EQ(mkfifo(one_way.c_str(), 0600), 0);
    ASSERT_EQ(mkfifo(both_ways.c_str(), 0600), 0);
    ASSERT_EQ(mkfifo((both_ways.string() + ".back").c_str(), 0600), 0);
    std::ofstream(file) << "A1B2C3D4E5\n";

    const ByteStream silent = ByteStream::open(one_way);
    EXPECT_EQ(silent.writing_fd(), -1);
    EXPECT_FALSE(silent.is_regular_file());
    const ByteStream packets = ByteStream::open(file);
    EXPECT_EQ(packets.writing_fd(), -1);
    EXPECT_TRUE(packets.is_regular_file());

    const ByteStream pipes = ByteStream::open(both_ways);
    const int back = ::open((both_ways.string() + ".back").c_str(), O_RDONLY | O_NONBLOCK);
    ASSERT_EQ(::write(pipes.writing_fd(), "A0\n", 3), 3);
    std::array<char, 8> buffer{};
    EXPECT_EQ(::read(back, buffer.data(), buffer.size()), 3);
    ::close(back);

    ByteStream glove = ByteStream::make_pty();
    const ByteStream host = ByteStream::open(glove.name());
    ASSERT_EQ(::write(host.writing_fd(), "A1\n", 3), 3);
    EXPECT_EQ(read_some(glove), "A1\n");
}

}  // namespace
}  // namespace glovebox::tracking
