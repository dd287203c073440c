// A glove as a source, over a real pseudo-terminal, with the test's own clock.
#include "tracking/glove/glove_source.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "tests/test_folder.h"

namespace glovebox::tracking {
namespace {

constexpr std::int64_t kMs = 1'000'000;

std::string packet(int curl) {
    return "A" + std::to_string(curl) + "B" + std::to_string(curl) + "C" + std::to_string(curl) + "D" +
           std::to_string(curl) + "E" + std::to_string(curl) + "\n";
}

struct GloveAtPty {
    ByteStream glove = ByteStream::make_pty();
    std::optional<GloveSource> source;
    std::int64_t now_ns = 1'000'000'000'000;
    SourceFrame frame;

    GloveSettings settings() const {
        GloveSettings settings;
        settings.device = glove.name();
        return settings;
    }
    void attach() { attach(settings()); }
    void attach(const GloveSettings& with) {
        source.emplace(with);
        source->open();
    }
    void send(const std::string& text) { ASSERT_TRUE(glove.write(text)); }
    /// Counts the frames after this time has passed; bytes already sent have had time to arrive.
    int frames_after_ms(int ms) {
        usleep(20'000);
        now_ns += ms * kMs;
        int count = 0;
        while (source->next(now_ns, frame)) ++count;
        return count;
    }
    std::uint64_t counter(std::string_view name) const {
        for (const SourceCounter& each : source->status().counters)
            if (each.name == name) return each.count;
        ADD_FAILURE() << "no counter " << name;
        return 0;
    }
    bool has_hand() const { return frame.raw[Side::right].active; }
};

TEST(GloveSource, EveryPacketIsASample) {
    GloveAtPty at;
    at.attach();
    EXPECT_EQ(at.frames_after_ms(10), 0);
    EXPECT_EQ(at.source->status().state, SourceState::waiting);
    at.send(packet(0) + packet(2000) + packet(4000));
    EXPECT_EQ(at.frames_after_ms(10), 3);
    EXPECT_TRUE(at.has_hand());
    EXPECT_EQ(at.frame.number, 2);
    EXPECT_EQ(at.frame.raw[Side::right].source, Source::glove);
    EXPECT_EQ(at.source->status().state, SourceState::live);
    EXPECT_EQ(at.source->sensors().size(), 25U);
    at.send(packet(4000));
    EXPECT_EQ(at.frames_after_ms(11), 1);
    EXPECT_NEAR(at.frame.dt_s, 0.011, 1e-9);
    EXPECT_EQ(at.frame.raw.time_ns, 11 * kMs) << "the session's time starts with the first packet";
}

TEST(GloveSource, SkipsWhatHadPiledUpToTheNewestPacket) {
    GloveAtPty at;
    std::string old;
    for (int i = 0; i < 100; ++i) old += packet(4095 - 40 * i);
    const int before_us = open(at.glove.name().c_str(), O_RDWR | O_NOCTTY);  // a reader that never reads
    at.send(old);
    usleep(20'000);
    at.attach();
    close(before_us);
    EXPECT_EQ(at.frames_after_ms(1), 1);
    EXPECT_EQ(at.counter("skipped_backlog"), 99U);
    EXPECT_EQ(at.counter("packets"), 1U);
    const float curl = angles_of_hand(at.frame.raw[Side::right]).fingers[0].mcp_flex;
    EXPECT_NEAR(curl, 1.5708F * (4095 - 40 * 99) / 4095.0F, 0.02F) << "the newest, not the oldest";
}

TEST(GloveSource, AFloodIsThinnedAndCounted) {
    GloveAtPty at;
    at.attach();
    at.send(packet(100));
    int given = at.frames_after_ms(1);
    std::string burst;
    for (int i = 0; i < 100; ++i) burst += packet(40 * i);
    for (int i = 0; i < 15; ++i) {  // within one millisecond of the session's time
        at.send(burst);
        usleep(5'000);
        while (at.source->next(at.now_ns, at.frame)) ++given;
    }
    EXPECT_EQ(given, 1000) << "a buffer full of packets at once";
    EXPECT_EQ(at.counter("skipped_flood"), 501U);
    at.send(burst + burst);
    EXPECT_EQ(at.frames_after_ms(25), 100) << "4,000 a second";
    EXPECT_EQ(at.counter("skipped_flood"), 601U);
    EXPECT_EQ(at.source->status().state, SourceState::live);
}

TEST(GloveSource, ASilentGloveLosesItsHandAndComesBack) {
    GloveAtPty at;
    at.attach();
    at.send(packet(100));
    EXPECT_EQ(at.frames_after_ms(1), 1);
    EXPECT_EQ(at.frames_after_ms(50), 0) << "a late packet is no silence";
    int lost = 0;
    for (int i = 0; i < 10; ++i) {
        lost += at.frames_after_ms(25);
        EXPECT_TRUE(lost == 0 || !at.has_hand()) << "lost, never a hand of zeros";
    }
    EXPECT_GE(lost, 5) << "time goes on without a hand";
    EXPECT_EQ(at.source->status().state, SourceState::silent);
    EXPECT_EQ(at.counter("silences"), 1U);
    at.send(packet(200));
    EXPECT_EQ(at.frames_after_ms(5), 1);
    EXPECT_TRUE(at.has_hand());
    EXPECT_EQ(at.source->status().state, SourceState::live);
    std::vector<std::string> notices;
    for (const SourceNotice& notice : at.source->take_notices()) notices.push_back(notice.what);
    EXPECT_EQ(notices, (std::vector<std::string>{"silent", "live"}));
    EXPECT_TRUE(at.source->take_notices().empty());
}

TEST(GloveSource, ASilentWristTrackerLosesTheHand) {
    GloveAtPty at;
    ByteStream tracker = ByteStream::make_pty();
    GloveSettings settings = at.settings();
    settings.wrist = tracker.name();
    at.attach(settings);
    const auto has_hand_after_ms = [&](int ms) {
        at.send(packet(100));
        EXPECT_EQ(at.frames_after_ms(ms), 1);
        return at.has_hand();
    };
    EXPECT_FALSE(has_hand_after_ms(10)) << "no pose yet: not at the origin";
    ASSERT_TRUE(tracker.write("0,0.5,1.25,-0.25,1,0,0,0\n"));
    EXPECT_TRUE(has_hand_after_ms(10));
    EXPECT_TRUE(at.frame.raw[Side::right][Joint::wrist].position_m.isApprox(Eigen::Vector3f(0.5F, 1.25F, -0.25F)));
    EXPECT_TRUE(has_hand_after_ms(50));
    EXPECT_FALSE(has_hand_after_ms(60));
    ASSERT_TRUE(tracker.write("0,0.5,1.25,-0.25,1,0,0,0\n"));
    EXPECT_TRUE(has_hand_after_ms(10));
}

TEST(GloveSource, GarbageAndHalfPacketsAreCountedAndNothingElse) {
    GloveAtPty at;
    at.attach();
    at.send(packet(1000) + "\x01\xff no packet\n" + "A10B");
    EXPECT_EQ(at.frames_after_ms(5), 1);
    at.send("20C30D40E50\n" + std::string(600, 'x') + "\n" + packet(1000));
    EXPECT_EQ(at.frames_after_ms(5), 2) << "the two halves are one packet";
    EXPECT_EQ(at.counter("unreadable"), 2U) << "a line that is no packet, and one too long";
    EXPECT_EQ(at.counter("packets"), 3U);
}

TEST(GloveSource, UnpluggedItIsLookedForAndFoundAgain) {
    const tests::TestFolder folder("port");
    const std::filesystem::path link = folder.path / "port";
    GloveAtPty at;
    std::filesystem::create_symlink(at.glove.name(), link);
    GloveSettings settings = at.settings();
    settings.device = link.string();
    at.attach(settings);
    at.send(packet(100));
    EXPECT_EQ(at.frames_after_ms(1), 1);

    std::filesystem::remove(link);
    { const ByteStream unplugged = std::move(at.glove); }
    EXPECT_EQ(at.frames_after_ms(5), 0);
    EXPECT_EQ(at.source->status().state, SourceState::gone);
    EXPECT_GE(at.frames_after_ms(600), 1);
    EXPECT_FALSE(at.has_hand());
    EXPECT_EQ(at.counter("unplugged"), 1U);

    ByteStream again = ByteStream::make_pty();
    std::filesystem::create_symlink(again.name(), link);
    at.frames_after_ms(600);
    ASSERT_TRUE(again.write(packet(300)));
    EXPECT_GE(at.frames_after_ms(5), 1);
    EXPECT_TRUE(at.has_hand());
    EXPECT_EQ(at.source->status().state, SourceState::live);

    std::filesystem::remove(link);
    { const ByteStream unplugged = std::move(again); }
    at.frames_after_ms(5);
    at.frames_after_ms(5'600);
    EXPECT_TRUE(at.source->ended()) << "after five seconds no one waits any more";
}

TEST(GloveSource, APortThatEndsAtOnceIsToldOnceAndGivenUp) {
    GloveSettings settings;
    settings.device = "/dev/null";
    GloveSource source(settings);
    source.open();
    SourceFrame frame;
    for (std::int64_t ms = 0; ms < 8'000; ms += 10) EXPECT_FALSE(source.next(1'000'000'000 + ms * kMs, frame));
    EXPECT_TRUE(source.ended());
    EXPECT_EQ(source.status().counters[4].name, "unplugged");
    EXPECT_EQ(source.status().counters[4].count, 1U);
    EXPECT_EQ(source.take_notices().size(), 2U) << "unplugged, ended";
}

TEST(GloveSource, ATrackerThatLiesIsCountedAndNotBelieved) {
    const tests::TestFolder folder("tracker");
    std::ofstream(folder.path / "tracker")
        << "0,0.1,0.2,0.3,1,0,0,0\n1,nan,0,0,1,0,0,0\n2,0,0,0,0,0,0,0\nlies\n3,9,9,9,2,0,0,0\n";
    GloveAtPty at;
    GloveSettings settings = at.settings();
    settings.wrist = folder.path / "tracker";
    at.attach(settings);
    at.send(packet(100));
    EXPECT_EQ(at.frames_after_ms(1), 1);
    EXPECT_EQ(at.counter("tracker_poses"), 1U);
    EXPECT_EQ(at.counter("tracker_unreadable"), 4U);
    EXPECT_TRUE(at.frame.raw[Side::right][Joint::wrist].position_m.isApprox(Eigen::Vector3f(0.1F, 0.2F, 0.3F)));
}

TEST(GloveSource, TheWristStandsWhereItWasPutAndGoesWhereItIsMoved) {
    GloveAtPty at;
    GloveSettings settings = at.settings();
    settings.world_from_wrist = Eigen::Translation3f(0.0F, 0.5F, 0.0F);
    at.attach(settings);
    at.source->move_wrist({0.01F, 0.0F, -0.02F}, 0.5F);
    at.send(packet(100));
    ASSERT_EQ(at.frames_after_ms(1), 1);
    const JointPose& wrist = at.frame.raw[Side::right][Joint::wrist];
    EXPECT_TRUE(wrist.position_m.isApprox(Eigen::Vector3f(0.01F, 0.5F, -0.02F)));
    EXPECT_NEAR(wrist.orientation.angularDistance(Eigen::Quaternionf::Identity()), 0.5F, 1e-4F);
}

TEST(GloveSource, APausedGloveGivesNothingAndFallsBehindInNothing) {
    GloveAtPty at;
    at.attach();
    at.source->set_paused(true);
    at.send(packet(100) + packet(200));
    EXPECT_EQ(at.frames_after_ms(5), 0);
    at.source->set_paused(false);
    at.send(packet(300));
    EXPECT_EQ(at.frames_after_ms(5), 1) << "what came meanwhile is dropped";
}

TEST(GloveProtocols, AreATableOfDecodersThatReadWhatTheyName) {
    ASSERT_FALSE(glove_protocols().empty());
    for (const GloveProtocol& protocol : glove_protocols()) {
        EXPECT_EQ(find_glove_protocol(protocol.name), &protocol);
        EXPECT_EQ(protocol.make(4095.0F)->sensors().size(), protocol.sensor_count);
    }
    EXPECT_EQ(find_glove_protocol("none such"), nullptr);
    GloveSettings settings;
    settings.protocol = "none such";
    EXPECT_THROW(GloveSource{settings}, DeviceError);
}

}  // namespace
}  // namespace glovebox::tracking
