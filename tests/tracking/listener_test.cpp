// Bytes over real connections of this machine.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <chrono>
#include <optional>
#include <thread>

#include "tests/tracking/byte_stream.h"

namespace glovebox::tracking {
namespace {

using testing::AnyOf;
using testing::HasSubstr;

const auto kForOneSecond = [] { return [looks = 0]() mutable { return ++looks < 50; }; };

// A port of 127.0.0.1 that no one else of these tests uses.
int some_port(int number) {
    return 20000 + (getpid() * 7 + number) % 20000;
}

TEST(Listener, ServesOneClientAfterTheOtherAndNoTwoAtOnce) {
    const int port = some_port(1);
    const std::string address = "tcp:127.0.0.1:" + std::to_string(port);
    Listener listener(port);
    for (int round = 0; round < 3; ++round) {
        std::optional<ByteStream> host;
        std::thread client([&] {
            for (int tries = 0; tries < 100 && !host; ++tries) try {
                    host.emplace(ByteStream::open(address));
                } catch (const DeviceError&) {
                    std::this_thread::sleep_for(std::chrono::milliseconds(10));
                }
        });
        ByteStream glove = listener.accept(kForOneSecond());
        client.join();
        ASSERT_TRUE(host) << round;
#ifndef _WIN32  // whoever comes second waits there
        EXPECT_THAT(error_of(address), HasSubstr("refused")) << "one at a time";
#endif
        EXPECT_TRUE(glove.write("A1\n"));
        EXPECT_EQ(read_some(*host), "A1\n");
        EXPECT_TRUE(host->write("A0\n"));
        EXPECT_EQ(read_some(glove), "A0\n");
        EXPECT_TRUE(glove.other_side_open());
        host.reset();
        EXPECT_EQ(read_some(glove), "");
        EXPECT_TRUE(glove.at_end()) << "this client has gone";
        EXPECT_FALSE(glove.other_side_open());
    }
    EXPECT_THROW(listener.accept([] { return false; }), DeviceError);
}

TEST(Listener, SaysWhereAnotherProgramListens) {
    const int port = some_port(2);
    Listener first(port);
    std::thread waiting([&first] { EXPECT_THROW(first.accept(kForOneSecond()), DeviceError); });
    std::this_thread::sleep_for(std::chrono::milliseconds(200));
    try {
        Listener(port).accept([] { return false; });
        ADD_FAILURE() << "two programs listen at one port";
    } catch (const DeviceError& error) {
        EXPECT_THAT(error.what(), AnyOf(HasSubstr("in use"), HasSubstr("listens there"))) << error.what();
    }
    waiting.join();
}

}  // namespace
}  // namespace glovebox::tracking
