// The frame and haptic paths ask for no memory and take no lock once they are warm. The allocator itself is watched,
// C's and C++'s, and so are the mutexes of the C library, which all others are made of.
#include <dlfcn.h>
#include <gtest/gtest.h>
#include <pthread.h>

#include <array>
#include <atomic>
#include <cstdlib>
#include <mutex>

#include "recordings/load.h"
#include "tracking/glove/byte_stream.h"
#include "vr/bench/soak_scene.h"
#include "vr/haptics/session.h"
#include "vr/platform/platform.h"
#include "vr/session/session.h"

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define GLOVEBOX_OTHER_ALLOCATOR 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define GLOVEBOX_OTHER_ALLOCATOR 1
#endif
#endif

namespace {

std::atomic<bool> watching = false;
std::atomic<std::uint64_t> asked = 0, locked = 0;

}  // namespace

#ifndef GLOVEBOX_OTHER_ALLOCATOR
// glibc's own allocator under its second name; operator new ends here, too.
extern "C" {
void* __libc_malloc(std::size_t size);
void* __libc_calloc(std::size_t count, std::size_t size);
void* __libc_realloc(void* old, std::size_t size);
void* __libc_memalign(std::size_t alignment, std::size_t size);

void* malloc(std::size_t size) {
    if (watching.load(std::memory_order_relaxed)) ++asked;
    return __libc_malloc(size);
}
void* calloc(std::size_t count, std::size_t size) {
    if (watching.load(std::memory_order_relaxed)) ++asked;
    return __libc_calloc(count, size);
}
void* realloc(void* old, std::size_t size) {
    if (watching.load(std::memory_order_relaxed)) ++asked;
    return __libc_realloc(old, size);
}
void* memalign(std::size_t alignment, std::size_t size) {
    if (watching.load(std::memory_order_relaxed)) ++asked;
    return __libc_memalign(alignment, size);
}
void* aligned_alloc(std::size_t alignment, std::size_t size) {
    if (watching.load(std::memory_order_relaxed)) ++asked;
    return __libc_memalign(alignment, size);
}

int pthread_mutex_lock(pthread_mutex_t* mutex) {
    static const auto next = reinterpret_cast<int (*)(pthread_mutex_t*)>(dlsym(RTLD_NEXT, "pthread_mutex_lock"));
    if (watching.load(std::memory_order_relaxed)) ++locked;
    return next(mutex);
}
}
#endif

namespace glovebox::vr {
namespace {

#ifdef GLOVEBOX_OTHER_ALLOCATOR
TEST(Allocation, IsWatched) {
    GTEST_SKIP() << "a sanitizer brings its own allocator";
}
#else
std::uint64_t asked_during(auto&& work) {
    asked = 0;
    watching = true;
    work();
    watching = false;
    return asked;
}

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
    EXPECT_GE(asked_during([] { kept = std::malloc(10); }), 1U);
    std::free(kept);
    EXPECT_GE(asked_during([] { kept = new std::array<char, 100>; }), 1U);
    delete static_cast<std::array<char, 100>*>(kept);
}

// Passes over the flick: four warm up (Bullet's pools grow with the worst set of contacts so far), the fifth is
// watched. Bookkeeping of the replay (its history of events) is not part of the frame path and is not run here.
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
            sample.time_ns += number * length_ns;
            touching += pipeline.frame(sample, 1.0 / 90.0).counts.touching > 0 ? 1 : 0;
            haptics.frame(scene, pipeline.world, pipeline.hands, pipeline.stamps, 1.0 / 90.0);
            pipeline.close_frame();
        }
    };
    for (int number = 0; number < 4; ++number) pass(number);
    locked = 0;
    const std::uint64_t allocations = asked_during([&] { pass(4); });
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

// The force loop beside a glove's keeper: a level that is asked for, with the keeper's answers, on a pseudo-terminal.
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
    EXPECT_EQ(asked_during([&] {
                  hold(0.0F, 10);
                  hold(0.6F, 40);
              }),
              0U);
    EXPECT_EQ(locked, 0U);
    EXPECT_GT(heard, 60U) << "the glove was told";
    haptics.stop();
}

// Two hands, 60,000 triangles, twenty loose objects, every kind of fault, the force loop on its own thread: the soak,
// as fast as it goes. What the pools of Bullet need grows with the worst heap of objects so far, so that it is warm
// after a while and not at once.
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
    EXPECT_EQ(asked_during([&] { run(kWarm, kWarm + kWatched); }), 0U);
    EXPECT_EQ(locked, 0U);
    EXPECT_GT(touching, kWatched / 2);
    haptics.stop();
    EXPECT_EQ(haptics.ledger().not_finite, 0U);
    for (const Eigen::Isometry3f& pose : pipeline.world.world_from_object) EXPECT_TRUE(pose.matrix().allFinite());
}
#endif

}  // namespace
}  // namespace glovebox::vr
