// Samples between frames: in slow frames only, never beside a frame's own work, and not of hands that only a step or
// another device can move. Waits are bounded, and no test passes because of a time that a busy machine may miss.
#include "vr/session/hands_between_frames.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <functional>

#include "recordings/load.h"
#include "vr/platform/platform.h"

namespace glovebox::vr {
namespace {

constexpr std::int64_t kMs = 1'000'000;

bool wait_for(const std::function<bool()>& condition) {
    const std::int64_t end_ns = now_ns() + 20'000 * kMs;
    while (!condition() && now_ns() < end_ns) sleep_until_ns(now_ns() + kMs);
    return condition();
}

class SlowFrames : public testing::Test {
  protected:
    SlowFrames() {
        for (tracking::HandFrame& hand : sample_.hands) hand.source = tracking::Source::live;
    }

    // As the session does it: no sample during the frame, then samples until the next one.
    void frame() {
        between_.pause();
        located_ = 0;
        sample_.time_ns += 11 * kMs;
        for (tracking::HandFrame& hand : sample_.hands)
            for (std::int64_t* time_ns : {&hand.times.device_ns, &hand.times.arrival_ns, &hand.times.common_ns})
                *time_ns = sample_.time_ns;
        pipeline_.frame(sample_, 0.011);
        haptics_.frame(scene_, pipeline_.world, pipeline_.hands, pipeline_.stamps, 0.011);
        located_hands_ = sample_;
    }

    bool locate(tracking::HandPair& out) {
        inside_ = true;
        // What a frame writes meanwhile would be a race.
        out = located_hands_;
        out.time_ns = now_ns();
        sleep_until_ns(now_ns() + locate_takes_ns_);
        if (located_++ == 0) first_ns_ = now_ns() - locate_takes_ns_;
        inside_ = false;
        return is_located_;
    }

    std::uint64_t samples_of(std::int64_t duration_ns) {
        const std::uint64_t before = haptics_.refreshed();
        sleep_until_ns(now_ns() + duration_ns);
        return haptics_.refreshed() - before;
    }

    scenes::Scene scene_ = scenes::load_scene("table-and-ball");
    tracking::HandPair sample_ = recordings::sample_table().front().make().samples.front();
    tracking::HandPair located_hands_;
    Pipeline pipeline_{scene_, {}, now_ns};
    HapticSession haptics_{*find_output("null"), OutputOptions{}, HapticMode::threaded};
    std::atomic<std::int64_t> locate_takes_ns_ = 0, first_ns_ = 0;
    std::atomic<int> located_ = 0;
    std::atomic<bool> inside_ = false, is_located_ = true;
    HandsBetweenFrames between_{pipeline_, haptics_, [this](tracking::HandPair& out) { return locate(out); }, now_ns};
};

TEST_F(SlowFrames, HandsAreLocatedOnceAFrameIsSlowAndUntilTheNext) {
    frame();
    EXPECT_EQ(haptics_.refreshed(), 0U);
    between_.resume();
    ASSERT_TRUE(wait_for([&] { return haptics_.refreshed() >= 5; }));
    EXPECT_GE(first_ns_ - pipeline_.stamps.sample_ns, 20 * kMs) << "not in a frame that may still be quick";
    EXPECT_TRUE(between_.pause());
    EXPECT_FALSE(between_.pause()) << "it is paused already";
    EXPECT_EQ(samples_of(60 * kMs), 0U);
    between_.resume(false);
    EXPECT_TRUE(wait_for([&] { return located_ >= 8; })) << "after no frame it goes on";
}

TEST_F(SlowFrames, AFrameWaitsForTheSampleInProgress) {
    int waited = 0;
    for (int i = 0; i < 20; ++i) {
        locate_takes_ns_ = 0;
        frame();
        locate_takes_ns_ = 5 * kMs;
        between_.resume();
        ASSERT_TRUE(wait_for([&] { return inside_.load(); }));
        between_.pause();
        EXPECT_FALSE(inside_);
        waited += located_ > 0 ? 1 : 0;
    }
    EXPECT_EQ(waited, 20);
}

TEST_F(SlowFrames, HandsThatCannotBeLocatedAreTriedAgain) {
    frame();
    is_located_ = false;
    between_.resume();
    ASSERT_TRUE(wait_for([&] { return located_ >= 4; }));
    EXPECT_EQ(haptics_.refreshed(), 0U);
    is_located_ = true;
    EXPECT_TRUE(wait_for([&] { return haptics_.refreshed() >= 2; }));
}

TEST_F(SlowFrames, FingersOfAGloveAreNotLocated) {
    for (tracking::HandFrame& hand : sample_.hands) hand.source = tracking::Source::glove;
    frame();
    ASSERT_TRUE(std::any_of(pipeline_.hands.hands.begin(), pipeline_.hands.hands.end(),
                            [](const tracking::HandFrame& hand) { return hand.active; }));
    between_.resume();
    EXPECT_EQ(samples_of(100 * kMs), 0U);
    between_.pause();
    EXPECT_EQ(located_, 0);
}

TEST_F(SlowFrames, NoSampleWhileAHandHoldsAnObjectThatCanMove) {
    const auto is_dynamic = [](const scenes::SceneObject& object) { return object.motion == scenes::Motion::dynamic; };
    const auto ball = std::find_if(scene_.objects.begin(), scene_.objects.end(), is_dynamic);
    ASSERT_NE(ball, scene_.objects.end());
    const std::size_t hold =
        scenes::hold_index(pipeline_.world, tracking::Side::right, static_cast<int>(ball - scene_.objects.begin()));
    frame();
    pipeline_.world.holds[hold].holding = true;
    between_.resume();
    EXPECT_EQ(samples_of(100 * kMs), 0U);
    between_.pause();
    pipeline_.world.holds[hold].holding = false;
    between_.resume();
    EXPECT_TRUE(wait_for([&] { return haptics_.refreshed() >= 2; }));
}

}  // namespace
}  // namespace glovebox::vr
