#include "vr/ui/poke.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <limits>
#include <random>
#include <vector>

namespace glovebox::vr {
namespace {

using Eigen::Vector2f;
using Eigen::Vector3f;

constexpr float kRadius_m = 0.008F;

// Two rows of three, 2 mm between them, and the panel that they lie on as the last.
std::vector<PokeButton> panel() {
    std::vector<PokeButton> buttons;
    for (const float y : {0.012F, -0.012F})
        for (const float x : {-0.056F, 0.0F, 0.056F}) buttons.push_back({{x, y}, {0.027F, 0.011F}});
    buttons.push_back({{0.0F, 0.0F}, {0.086F, 0.160F}});
    return buttons;
}

PokeTip tip(float x, float y, float gap_m) {
    return {{x, y, gap_m + kRadius_m}, kRadius_m};
}

struct Finger {
    std::vector<PokeButton> buttons = panel();
    PokeState state;
    std::vector<int> presses;

    void at(float x, float y, float gap_m) {
        if (const auto press = update_poke(state, buttons, tip(x, y, gap_m))) presses.push_back(press->button);
    }
    // In steps of at most a millimetre.
    void slowly_to(float x, float y, float gap_m) {
        const PokeTip from = *state.last;
        const PokeTip to = tip(x, y, gap_m);
        const int steps = static_cast<int>(std::ceil((to.at_m - from.at_m).norm() / 0.001F));
        for (int i = 1; i <= steps; ++i) {
            const Vector3f at_m = from.at_m + static_cast<float>(i) / static_cast<float>(steps) * (to.at_m - from.at_m);
            at(at_m.x(), at_m.y(), at_m.z() - kRadius_m);
        }
    }
};

TEST(Poke, PressesOnceFromTheFrontAndIsLetGoInFront) {
    Finger finger;
    finger.at(0.0F, 0.012F, 0.08F);
    EXPECT_EQ(finger.state.hovered, -1);
    finger.slowly_to(0.0F, 0.012F, 0.03F);
    EXPECT_EQ(finger.state.hovered, 1) << "highlighted before it is pressed";
    finger.slowly_to(0.0F, 0.012F, 0.001F);
    EXPECT_TRUE(finger.presses.empty());
    finger.slowly_to(0.0F, 0.012F, -0.004F);
    EXPECT_EQ(finger.presses, std::vector<int>{1});
    EXPECT_EQ(finger.state.pressed, 1);
    // Trembles about the surface, but is never as far off as it takes.
    for (int i = 0; i < 20; ++i) finger.slowly_to(0.0F, 0.012F, i % 2 == 0 ? 0.006F : -0.006F);
    EXPECT_EQ(finger.presses.size(), 1U);
    EXPECT_EQ(finger.state.pressed, 1);
    finger.slowly_to(0.0F, 0.012F, 0.008F);
    EXPECT_EQ(finger.state.pressed, -1);
    finger.slowly_to(0.0F, 0.012F, -0.002F);
    EXPECT_EQ(finger.presses, (std::vector<int>{1, 1}));
}

TEST(Poke, AFastFingerIsMetBetweenTwoSamples) {
    Finger finger;
    finger.at(-0.056F, -0.012F, 0.10F);
    finger.at(-0.056F, -0.012F, -0.20F);
    EXPECT_EQ(finger.presses, std::vector<int>{3});
    finger.at(-0.056F, -0.012F, 0.10F);
    EXPECT_EQ(finger.presses.size(), 1U) << "on its way back";
    EXPECT_EQ(finger.state.pressed, -1);
    // Aslant: where it meets the plane is what counts, not where it was or will be.
    const PokeTip from = tip(0.03F, 0.012F, 0.09F), to = tip(-0.03F, 0.012F, -0.09F);
    finger.at(from.at_m.x(), from.at_m.y(), from.gap_m());
    const auto press = update_poke(finger.state, finger.buttons, to);
    ASSERT_TRUE(press);
    EXPECT_EQ(press->button, 1);
    EXPECT_NEAR(press->at_m.x(), 0.0F, 1e-5F);
    EXPECT_NEAR(press->at_m.y(), 0.012F, 1e-5F);
}

TEST(Poke, FromBehindAndFromTheSideNothingIsPressed) {
    Finger behind;
    behind.at(0.0F, 0.012F, -0.10F);
    behind.slowly_to(0.0F, 0.012F, 0.003F);
    behind.slowly_to(0.0F, 0.012F, -0.003F);
    EXPECT_TRUE(behind.presses.empty()) << "it was not as far in front as it takes";
    behind.slowly_to(0.0F, 0.012F, -0.10F);
    behind.at(0.0F, 0.012F, 0.10F);
    EXPECT_TRUE(behind.presses.empty());

    Finger sliding;
    sliding.at(0.20F, 0.012F, -0.005F);
    sliding.slowly_to(-0.20F, 0.012F, -0.005F);
    EXPECT_TRUE(sliding.presses.empty()) << "behind the surface";
    sliding.slowly_to(-0.20F, 0.012F, 0.004F);
    sliding.slowly_to(0.056F, 0.012F, 0.004F);
    sliding.slowly_to(0.056F, 0.012F, -0.004F);
    EXPECT_TRUE(sliding.presses.empty()) << "just over the surface";

    // Over one button it was far enough off, but it goes down over the next.
    Finger next;
    next.at(0.0F, 0.012F, 0.02F);
    next.slowly_to(0.0F, 0.012F, 0.005F);
    next.slowly_to(0.056F, 0.012F, 0.005F);
    next.slowly_to(0.056F, 0.012F, -0.005F);
    EXPECT_TRUE(next.presses.empty());
}

TEST(Poke, APressedButtonIsLetGoBesideItAndWithTheHand) {
    Finger finger;
    finger.at(0.0F, 0.012F, 0.02F);
    finger.slowly_to(0.0F, 0.012F, -0.004F);
    EXPECT_EQ(finger.state.pressed, 1);
    finger.slowly_to(0.030F, 0.012F, -0.004F);
    EXPECT_EQ(finger.state.pressed, 1) << "3 mm beside it";
    finger.slowly_to(0.034F, 0.012F, -0.004F);
    EXPECT_EQ(finger.state.pressed, -1);

    finger.at(0.0F, 0.012F, 0.02F);
    finger.slowly_to(0.0F, 0.012F, -0.004F);
    EXPECT_EQ(finger.state.pressed, 1);
    EXPECT_FALSE(update_poke(finger.state, finger.buttons, {}));
    EXPECT_EQ(finger.state.pressed, -1);
    EXPECT_EQ(finger.state.hovered, -1);
    // Found again behind the surface, with no way that led there.
    const std::size_t before = finger.presses.size();
    finger.at(0.0F, 0.012F, -0.004F);
    EXPECT_EQ(finger.presses.size(), before);
    const float nan = std::numeric_limits<float>::quiet_NaN();
    finger.at(nan, 0.012F, 0.02F);
    finger.at(0.0F, 0.012F, -0.02F);
    EXPECT_EQ(finger.presses.size(), before);
    finger.at(0.0F, 0.012F, 0.02F);
    finger.at(0.0F, 0.012F, -0.02F);
    EXPECT_EQ(finger.presses.size(), before + 1) << "what was no number is forgotten";
}

TEST(Poke, RestingExactlyOnThePlanePresses) {
    Finger finger;
    finger.buttons = {{{0.0F, 0.0F}, {0.02F, 0.02F}}};
    for (const float z : {0.5F, 0.25F, 0.0F}) update_poke(finger.state, finger.buttons, PokeTip{{0, 0, z}, 0.0F});
    EXPECT_EQ(finger.state.pressed, -1) << "just there";
    EXPECT_TRUE(update_poke(finger.state, finger.buttons, PokeTip{{0, 0, 0.0F}, 0.0F}));
}

// The same rules, sample for sample along the way, with no thought of where anything is crossed.
struct Oracle {
    static constexpr int kSamples = 20'000;
    int armed = -1, pressed = -1;
    bool in_front = false;
    std::vector<int> presses;

    void sample(const std::vector<PokeButton>& buttons, const Vector3f& at_m) {
        int over = -1;
        for (int i = static_cast<int>(buttons.size()) - 1; i >= 0; --i) {
            const PokeButton& b = buttons[static_cast<std::size_t>(i)];
            if (std::abs(at_m.x() - b.center_m.x()) <= b.half_m.x() &&
                std::abs(at_m.y() - b.center_m.y()) <= b.half_m.y())
                over = i;
        }
        const float gap_m = at_m.z() - kRadius_m;
        if (over != armed) armed = -1;
        if (gap_m >= kPokeOff_m) armed = over;
        if (pressed >= 0) {
            const PokeButton& b = buttons[static_cast<std::size_t>(pressed)];
            const float beside_m = std::max(std::abs(at_m.x() - b.center_m.x()) - b.half_m.x(),
                                            std::abs(at_m.y() - b.center_m.y()) - b.half_m.y());
            if (gap_m >= kPokeOff_m || beside_m > 0.005F) pressed = -1;
        }
        if (in_front && gap_m <= 0.0F && armed >= 0) {
            pressed = armed;
            armed = -1;
            presses.push_back(pressed);
        }
        in_front = gap_m > 0.0F;
    }
};

TEST(Poke, OfRandomWaysIsWhatDenseSamplesOfThemSay) {
    std::mt19937 random(28);
    std::uniform_real_distribution<float> across(-0.11F, 0.11F), along(-0.05F, 0.05F), deep(-0.04F, 0.05F);
    const std::vector<PokeButton> buttons = panel();
    int pressed = 0, way_through = 0, large = 0;
    for (int run = 0; run < 150; ++run) {
        PokeState state;
        Oracle oracle;
        Vector3f from_m = {across(random), along(random), deep(random) + kRadius_m};
        update_poke(state, buttons, PokeTip{from_m, kRadius_m});
        oracle.in_front = from_m.z() > kRadius_m;
        oracle.sample(buttons, from_m);
        for (int frame = 0; frame < 12; ++frame) {
            // Some fast, some slow.
            const float share = run % 3 == 0 ? 1.0F : run % 3 == 1 ? 0.3F : 0.05F;
            const Vector3f goal_m = {across(random), along(random), deep(random) + kRadius_m};
            const Vector3f to_m = from_m + share * (goal_m - from_m);
            const std::size_t before = oracle.presses.size();
            for (int i = 1; i <= Oracle::kSamples; ++i)
                oracle.sample(buttons, from_m + static_cast<float>(i) / Oracle::kSamples * (to_m - from_m));
            const auto press = update_poke(state, buttons, PokeTip{to_m, kRadius_m});
            ASSERT_LE(oracle.presses.size(), before + 1) << "a straight way goes through the plane once";
            ASSERT_EQ(press.has_value(), oracle.presses.size() > before) << "run " << run << ", frame " << frame;
            if (press) {
                EXPECT_EQ(press->button, oracle.presses.back());
                ++pressed;
                large += press->button < 6 ? 1 : 0;
            }
            way_through += from_m.z() > kRadius_m && to_m.z() <= kRadius_m ? 1 : 0;
            EXPECT_EQ(state.pressed, oracle.pressed) << "run " << run << ", frame " << frame;
            EXPECT_EQ(state.armed, oracle.armed) << "run " << run << ", frame " << frame;
            from_m = to_m;
        }
    }
    EXPECT_GT(pressed, 60);
    EXPECT_GT(large, 20);
    EXPECT_GT(way_through, pressed + 60) << "as many that press nothing";
}

}  // namespace
}  // namespace glovebox::vr
