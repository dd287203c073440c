#include "scenes/force/pad.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>

#include "tests/scenes/force/pieces.h"

namespace glovebox::scenes {
namespace {

using Eigen::Vector3d;

constexpr double kTick_s = 1e-3;
constexpr float kRadius_m = 0.008F;

PadSurfaces near_sheet(int n, const Material& material = {}) {
    PadSurfaces surfaces;
    surfaces.valid = true;
    surfaces.radius_m = kRadius_m;
    for (const SurfacePiece& piece : sheet(0.03F, n)) {
        surfaces.pieces[static_cast<std::size_t>(surfaces.count)] = piece;
        surfaces.materials[static_cast<std::size_t>(surfaces.count++)] = material;
    }
    return surfaces;
}

PadForce tick(PadLoop& loop, const PadSurfaces& surfaces, const Vector3d& at) {
    return render(loop, surfaces, at, 0.0, 1.0, kTick_s, {});
}

TEST(Pad, OneInTheAirFeelsNothing) {
    const PadSurfaces surfaces = near_sheet(1);
    PadLoop loop;
    for (int i = 0; i < 50; ++i) {
        const PadForce force = tick(loop, surfaces, {0.0, 0.02, 0.001 * i});
        EXPECT_TRUE(force.armed);
        EXPECT_EQ(force.force_n.norm(), 0.0);
        EXPECT_EQ(force.vibration_n, 0.0);
    }
}

TEST(Pad, ForceRisesFromNothingAndWithDepth) {
    const PadSurfaces surfaces = near_sheet(1);
    PadLoop loop;
    double before_n = 0.0;
    for (int i = 0; i < 300; ++i) {
        const double y = 0.010 - 2e-5 * i;
        const PadForce force = tick(loop, surfaces, {0.0, y, 0.0});
        EXPECT_LT(force.force_n.norm() - before_n, 0.03);  // K v T = 0.008 N a tick, and damping fading in
        EXPECT_GE(force.force_n.y(), 0.0);
        before_n = force.force_n.norm();
    }
    EXPECT_NEAR(before_n, 400.0 * 0.00398, 0.05);
}

TEST(Pad, ForceIsContinuousAcrossAnInnerEdge) {
    Material smooth;
    smooth.friction_static = smooth.friction_dynamic = 0.0F;
    const PadSurfaces surfaces = near_sheet(2, smooth);
    PadLoop loop;
    for (int i = 0; i < 100; ++i) tick(loop, surfaces, {-0.02, 0.010 - 5e-5 * i, 0.003});
    Vector3d before_n = tick(loop, surfaces, {-0.02, 0.005, 0.003}).force_n;
    for (int i = 0; i < 100; ++i) before_n = tick(loop, surfaces, {-0.02, 0.005, 0.003}).force_n;
    double most = 0.0;
    for (int i = 1; i <= 400; ++i) {
        const Vector3d force_n = tick(loop, surfaces, {-0.02 + 1e-4 * i, 0.005, 0.003}).force_n;
        most = std::max(most, (force_n - before_n).norm() / before_n.norm());
        before_n = force_n;
    }
    EXPECT_LT(most, 0.01);
}

TEST(Pad, ForceDoesNotDependOnTessellation) {
    const PadSurfaces coarse = near_sheet(1), fine = near_sheet(4);
    PadLoop on_coarse, on_fine;
    int touching = 0;
    for (int i = 0; i < 3000; ++i) {
        const double t = 1e-3 * i;
        const Vector3d at(0.015 * std::sin(2.1 * t), 0.006 - 0.005 * std::sin(5.0 * t), 0.015 * std::cos(3.3 * t));
        const PadForce a = tick(on_coarse, coarse, at), b = tick(on_fine, fine, at);
        touching += a.touching ? 1 : 0;
        EXPECT_LE((a.force_n - b.force_n).norm(), 0.02 * a.force_n.norm() + 1e-3) << "tick " << i;
    }
    EXPECT_GT(touching, 1000);
}

// Pieces and pad paths that make the pad slide, stick, fall over edges and into notches.
TEST(Pad, WhatIsKeptOfPiecesThatStayChangesNothing) {
    std::mt19937 random(57);
    std::uniform_real_distribution<float> bump(-0.004F, 0.004F);
    int touching = 0, sticking = 0, sliding = 0;
    for (int round = 0; round < 30; ++round) {
        PadSurfaces surfaces = near_sheet(4);
        for (int i = 0; i < surfaces.count; ++i) {
            auto* triangle = std::get_if<FlatTriangle>(&surfaces.pieces[static_cast<std::size_t>(i)].shape);
            ASSERT_NE(triangle, nullptr);
            for (Eigen::Vector3f& corner_m : triangle->corners_m) corner_m.y() += bump(random);
        }
        PadLoop again, keeping;
        for (int i = 0; i < 600; ++i) {
            const double t = 1e-3 * i + round;
            const Vector3d at(0.012 * std::sin(7.1 * t), 0.007 - 0.02 * std::sin(5.0 * t), 0.012 * std::cos(9.3 * t));
            const bool fresh = i % 11 == 0;
            const PadTouch a = follow(again, surfaces, at, 0.0, kTick_s),
                           b = follow(keeping, surfaces, at, 0.0, kTick_s, fresh);
            EXPECT_EQ(a.touching, b.touching);
            EXPECT_EQ(a.proxy_m, b.proxy_m) << "tick " << i;
            EXPECT_EQ(a.normal, b.normal);
            touching += a.touching ? 1 : 0;
            sticking += a.sticking ? 1 : 0;
            sliding += a.touching && !a.sticking ? 1 : 0;
        }
    }
    EXPECT_GT(touching, 3000);
    EXPECT_GT(sticking, 500);
    EXPECT_GT(sliding, 500);
}

TEST(Pad, TextureIsAFunctionOfTheWayTravelledAndNotOfTime) {
    Material rough;
    rough.texture_n = 0.5F;
    rough.texture_period_m = 0.003F;
    rough.friction_static = rough.friction_dynamic = 0.0F;
    rough.impact_n_s_per_m = 0.0F;
    const PadSurfaces surfaces = near_sheet(1, rough);
    const auto ridges = [&](double speed_m_s) {
        PadLoop loop;
        tick(loop, surfaces, {-0.02, 0.010, 0.0});
        for (int i = 0; i < 100; ++i) tick(loop, surfaces, {-0.02, 0.010 - 6e-5 * i, 0.0});
        int crossings = 0;
        double before_n = 0.0;
        for (double x = -0.02; x < 0.02; x += speed_m_s * kTick_s) {
            const double now_n = tick(loop, surfaces, {x, 0.004, 0.0}).vibration_n;
            crossings += before_n <= 0.0 && now_n > 0.0 ? 1 : 0;
            before_n = now_n;
        }
        return crossings;
    };
    EXPECT_NEAR(ridges(0.05), 0.040 / 0.003, 1.0);
    EXPECT_NEAR(ridges(0.20), 0.040 / 0.003, 1.0);

    PadLoop resting;
    for (int i = 0; i < 100; ++i) tick(resting, surfaces, {0.0, 0.010 - 6e-5 * i, 0.0});
    const double once_n = tick(resting, surfaces, {0.0, 0.004, 0.0}).vibration_n;
    for (int i = 0; i < 100; ++i) EXPECT_NEAR(tick(resting, surfaces, {0.0, 0.004, 0.0}).vibration_n, once_n, 1e-9);
}

TEST(Pad, AFasterHitKnocksHarderAndDiesAway) {
    const PadSurfaces surfaces = near_sheet(1);
    const auto knock = [&](double speed_m_s, double& late_n) {
        PadLoop loop;
        double y = 0.03, max_n = 0.0;
        late_n = 0.0;
        int since = 0;
        for (int i = 0; i < 2000; ++i) {
            if (y > 0.006) y -= speed_m_s * kTick_s;
            const PadForce force = tick(loop, surfaces, {0.0, y, 0.0});
            if (force.touching) ++since;
            max_n = std::max(max_n, std::abs(force.vibration_n));
            if (since > 150) late_n = std::max(late_n, std::abs(force.vibration_n));
        }
        return max_n;
    };
    double late_n = 0.0;
    const double slow_n = knock(0.1, late_n), fast_n = knock(0.5, late_n);
    EXPECT_NEAR(fast_n / slow_n, 5.0, 0.5);
    EXPECT_LT(late_n, 1e-3 * fast_n);
}

TEST(Pad, StaleSurfacesAndLostBonesAreZeroForce) {
    PadSurfaces surfaces = near_sheet(1);
    PadLoop loop;
    for (int i = 0; i < 60; ++i) tick(loop, surfaces, {0.0, 0.010 - 1e-4 * i, 0.0});
    const PadForce full = tick(loop, surfaces, {0.0, 0.004, 0.0});
    ASSERT_GT(full.force_n.norm(), 1.0);
    const PadForce half = render(loop, surfaces, {0.0, 0.004, 0.0}, 0.0, 0.5, kTick_s, {});
    EXPECT_NEAR(half.force_n.norm(), 0.5 * full.force_n.norm(), 0.05);
    EXPECT_EQ(render(loop, surfaces, {0.0, 0.004, 0.0}, 0.0, 0.0, kTick_s, {}).force_n.norm(), 0.0);
    // The force does not return while the finger is still inside.
    EXPECT_EQ(tick(loop, surfaces, {0.0, 0.004, 0.0}).force_n.norm(), 0.0);
    tick(loop, surfaces, {0.0, 0.010, 0.0});
    EXPECT_GT(tick(loop, surfaces, {0.0, 0.006, 0.0}).force_n.norm(), 0.0);

    surfaces.valid = false;
    EXPECT_EQ(tick(loop, surfaces, {0.0, 0.004, 0.0}).force_n.norm(), 0.0);
    surfaces.valid = true;
    const double nan = std::numeric_limits<double>::quiet_NaN();
    EXPECT_TRUE(tick(loop, surfaces, {nan, nan, nan}).force_n.allFinite());
}

TEST(Pad, ForceIsSaturated) {
    Material hard;
    hard.stiffness_n_per_m = 1e5F;
    const PadSurfaces surfaces = near_sheet(1, hard);
    PadLoop loop;
    tick(loop, surfaces, {0.0, 0.02, 0.0});
    for (int i = 0; i < 60; ++i)
        EXPECT_LE(tick(loop, surfaces, {0.0, 0.02 - 1e-3 * i, 0.0}).force_n.norm(), 8.0 + 1e-9);
}

}  // namespace
}  // namespace glovebox::scenes
