// The frame and haptic paths allocate no memory and take no lock once they are warm. The C and C++ allocators are
// watched, and so are the mutexes of the C library, on which all others are built.
#include <gtest/gtest.h>

#include <array>
#include <cstdlib>
#include <mutex>

#include "recordings/file_source.h"
#include "recordings/load.h"
#include "tests/watch_memory.h"
#include "tracking/glove/byte_stream.h"
#include "tracking/glove/glove_source.h"
#include "tracking/glove/opengloves.h"
#include "vr/bench/soak_scene.h"
#include "vr/haptics/session.h"
#include "vr/platform/platform.h"
#include "vr/session/session.h"

namespace glovebox::vr {
namespace {

#ifdef GLOVEBOX_OTHER_ALLOCATOR
TEST(Allocation, IsWatched) {
    GTEST_SKIP() << "a sanitizer brings its own allocator";
}
#else
using tests::allocations_during;
using tests::locked;
using tests::watching;

TEST(Locks, TheHookSeesAMutex) {
    static std::mutex mutex;
    locked = 0;
    watching = true;
    mutex.lock();
    watching = false;
    mutex.unlock();
    EXPECT_EQ(locked, 1U);
}

TEST(Allocation, TheHookSeesBothLanguages) {
    static void* volatile kept;
    EXPECT_GE(allocations_during([] { kept = std::malloc(10); }), 1U);
    std::free(kept);
    EXPECT_GE(allocations_during([] { kept = new std::array<char, 100>; }), 1U);
    delete static_cast<std::array<char, 100>*>(kept);
}

// Moves a sample to a later time, because a guard refuses time that goes backwards.
void delay(tracking::HandPair& sample, std::int64_t by_ns) {
    sample.time_ns += by_ns;
    for (tracking::HandFrame& hand : sample.hands)
        for (std::int64_t* time_ns : {&hand.times.device_ns, &hand.times.arrival_ns, &hand.times.common_ns})
            *time_ns += by_ns;
}

// Passes over the flick: four warm up (Bullet's pools grow with the worst set of contacts so far), the fifth is
// watched. The replay's history of events is not part of the frame path and is not run here.
void run_watched(const char* scene_name, HapticMode mode) {
    const scenes::Scene scene = scenes::load_scene(scene_name);
    const recordings::Recording recording = recordings::sample_table().front().make();
    PipelineSettings settings;
    settings.profiles = recording.profiles;
    Pipeline pipeline(scene, settings, now_ns);
    HapticSession haptics(*find_output("null"), OutputOptions{}, mode);
    const std::int64_t length_ns = recording.samples.back().time_ns + 11'000'000;
    int touching = 0;
    const auto pass = [&](int number) {
        for (std::size_t i = 0; i < recording.samples.size(); ++i) {
            tracking::HandPair sample = recording.samples[i];
            delay(sample, number * length_ns);
            touching += pipeline.frame(sample, 1.0 / 90.0).counts.touching > 0 ? 1 : 0;
            haptics.frame(scene, pipeline.world, pipeline.hands, pipeline.stamps, 1.0 / 90.0);
            pipeline.close_frame();
        }
    };
    for (int number = 0; number < 4; ++number) pass(number);
    touching = 0;
    locked = 0;
    const std::uint64_t allocations = allocations_during([&] { pass(4); });
    EXPECT_EQ(allocations, 0U) << scene_name;
    EXPECT_EQ(locked, 0U) << scene_name;
    EXPECT_GT(touching, 5) << scene_name;
    haptics.stop();
    EXPECT_GT(haptics.ledger().tick.count(), 5U);
}

TEST(Allocation, NoneOnTheFrameAndHapticPathsOnceWarm) {
    run_watched("table-and-ball", HapticMode::simulated);
    run_watched("held-ball", HapticMode::simulated);
}

TEST(Allocation, NoneOnTheHapticThreadOnceWarm) {
    run_watched("table-and-ball", HapticMode::threaded);
}

// The force loop with a glove's keeper on a pseudo-terminal: a requested level, and the keeper's answers.
TEST(Allocation, NoneBesideAKeeperOnceWarm) {
    tracking::ByteStream glove = tracking::ByteStream::make_pty();
    OutputOptions options;
    options.port = glove.name();
    HapticSession haptics(*find_output("opengloves"), options, HapticMode::threaded);
    std::array<char, 4096> buffer{};
    std::size_t heard = 0;
    const auto hold = [&](float level, int frames) {
        for (int i = 0; i < frames; ++i) {
            haptics.request(level);
            haptics.service();
            heard += glove.read(buffer.data(), buffer.size(), 0).size();
            sleep_until_ns(now_ns() + 5'000'000);
        }
    };
    hold(0.5F, 40);
    heard = 0;
    locked = 0;
    EXPECT_EQ(allocations_during([&] {
                  hold(0.0F, 10);
                  hold(0.6F, 40);
              }),
              0U);
    EXPECT_EQ(locked, 0U);
    EXPECT_GT(heard, 60U) << "the glove was told";
    haptics.stop();
}

// Does a session's work on each sample, from the source to the frame. Returns how often a bone touched.
int take_frames(tracking::HandSource& source, Pipeline& pipeline) {
    int touching = 0;
    tracking::SourceFrame frame;
    source.wait(now_ns() + 20'000'000);
    while (source.next(now_ns(), frame)) {
        touching += pipeline.frame(frame.raw, frame.dt_s).counts.touching > 0 ? 1 : 0;
        pipeline.close_frame();
    }
    return touching;
}

TEST(Allocation, NoneFromARecordingToItsFrameOnceWarm) {
    recordings::FileSource source(recordings::sample_table()[1].make(), {0.0, 0.0, true, true});
    const scenes::Scene scene = scenes::load_scene("held-ball");
    PipelineSettings settings;
    settings.profiles = source.facts().profiles;
    Pipeline pipeline(scene, settings, now_ns);
    const auto length_ns = static_cast<std::int64_t>(1e9 * source.recording.duration_s()) + 11'000'000;
    int touching = 0;
    std::int64_t begin_ns = 0;  // the world is not reset, so its time must increase
    tracking::SourceFrame frame;
    const auto pass = [&] {
        for (int i = 0; i < source.frame_count(); ++i) {
            source.wait(now_ns() + 1'000'000);
            ASSERT_TRUE(source.next(now_ns(), frame));
            if (frame.starts_over) begin_ns += length_ns;
            delay(frame.raw, begin_ns);
            touching += pipeline.frame(frame.raw, frame.dt_s).counts.touching > 0 ? 1 : 0;
            pipeline.close_frame();
        }
    };
    for (int number = 0; number < 4; ++number) pass();
    touching = 0;
    locked = 0;
    EXPECT_EQ(allocations_during(pass), 0U);
    EXPECT_EQ(locked, 0U);
    EXPECT_GT(touching, 5);
}

TEST(Allocation, NoneFromAGloveToItsFrameOnceWarm) {
    tracking::ByteStream firmware = tracking::ByteStream::make_pty();
    const scenes::Scene scene = scenes::load_scene("held-ball");
    tracking::GloveSettings with;
    with.device = firmware.name();
    with.world_from_wrist = Eigen::Translation3f(scene.anchor_m) * Eigen::Isometry3f::Identity();
    tracking::GloveSource source(with);
    source.open();
    PipelineSettings settings;
    settings.profiles = source.facts().profiles;
    Pipeline pipeline(scene, settings, now_ns);
    std::array<std::string, 20> packets;  // a fist that closes and opens
    for (std::size_t i = 0; i < packets.size(); ++i) {
        tracking::OpenGlovesInput input;
        for (auto& finger : input.flexion) finger.fill(0.05F * static_cast<float>(i < 10 ? i : 20 - i));
        packets[i] = tracking::encode_opengloves(input, {});
    }
    int touching = 0;
    const auto pass = [&] {
        for (const std::string& packet : packets) {
            ASSERT_TRUE(firmware.write(packet));
            touching += take_frames(source, pipeline);
        }
    };
    for (int number = 0; number < 4; ++number) pass();
    const std::uint64_t before = source.packets();
    touching = 0;
    locked = 0;
    EXPECT_EQ(allocations_during(pass), 0U);
    EXPECT_EQ(locked, 0U);
    EXPECT_EQ(source.packets(), before + packets.size());
    EXPECT_GT(touching, 5);
}

// Two hands, 60,000 triangles, twenty loose objects, every kind of fault, the force loop on its own thread: the soak
// test, as fast as possible. Bullet's pools grow with the worst heap of objects so far, so warming up takes a
// while.
TEST(Allocation, NoneInTheSoakOnceWarm) {
    constexpr int kWarm = 1800, kWatched = 600;
    const scenes::Scene scene = soak_scene();
    PipelineSettings settings;
    settings.profiles.fill(tracking::default_profile());
    Pipeline pipeline(scene, settings, now_ns);
    const SoakHands hands;
    HapticSession haptics(*find_output("null"), OutputOptions{}, HapticMode::threaded);
    int touching = 0;
    const auto run = [&](int from, int to) {
        for (int frame = from; frame < to; ++frame) {
            touching += pipeline.frame(hands.at(frame), frame == 0 ? 0.0 : kSoakFrame_s).counts.touching > 0 ? 1 : 0;
            haptics.frame(scene, pipeline.world, pipeline.hands, pipeline.stamps, kSoakFrame_s);
            pipeline.close_frame();
        }
    };
    run(0, kWarm);
    touching = 0;
    locked = 0;
    EXPECT_EQ(allocations_during([&] { run(kWarm, kWarm + kWatched); }), 0U);
    EXPECT_EQ(locked, 0U);
    EXPECT_GT(touching, kWatched / 2);
    haptics.stop();
    EXPECT_EQ(haptics.ledger().not_finite, 0U);
    for (const Eigen::Isometry3f& pose : pipeline.world.world_from_object) EXPECT_TRUE(pose.matrix().allFinite());
}
#endif

}  // namespace
}  // namespace glovebox::vr
