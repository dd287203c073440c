#include "scenes/force/passivity.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "scenes/force/pad.h"
#include "tests/scenes/force/pieces.h"

namespace glovebox::scenes {
namespace {

using Eigen::Vector3d;

constexpr double kTick_s = 1e-3;

// A device of mass m and damping b thrown at a wall, integrated finely between the ticks of the force loop.
struct Cycle {
    double energy_in_j = 0.0;   // kinetic, before the first touch
    double energy_out_j = 0.0;  // kinetic, after it has left again, or whenever time is over
    double port_j = 0.0;        // by independent integration of F v
    double friction_j = 0.0;    // taken by the device while the force acts
    double deepest_m = 0.0;
};

struct Wall {
    double stiffness = 600.0, device_b = 0.3, mass_kg = 0.05, speed_m_s = 0.3;
    bool observe = false;
};

Cycle throw_at(const Wall& wall, PadLoop& loop) {
    PadSurfaces surfaces;
    surfaces.valid = true;
    surfaces.radius_m = 0.008F;
    for (const SurfacePiece& piece : sheet(0.05F, 1)) {
        Material material;
        material.stiffness_n_per_m = static_cast<float>(wall.stiffness);
        material.damping_n_s_per_m = 0.0F;
        material.impact_n_s_per_m = 0.0F;
        surfaces.materials[static_cast<std::size_t>(surfaces.count)] = material;
        surfaces.pieces[static_cast<std::size_t>(surfaces.count++)] = piece;
    }
    ForceSettings settings;
    settings.device_damping_n_s_per_m = wall.device_b;
    settings.limit_stiffness = false;  // lets any stiffness through: these tests ask what then happens
    settings.most_force_n = 1e6;
    settings.observe_passivity = wall.observe;

    Cycle cycle;
    double y = 0.0085, v = -wall.speed_m_s;
    bool touched = false;
    for (int tick = 0; tick < 4000; ++tick) {
        const PadForce force = render(loop, surfaces, {0.0, y, 0.0}, 0.0, 1.0, kTick_s, settings);
        const double f = force.force_n.y();
        if (f != 0.0 && !touched) {
            touched = true;
            cycle.energy_in_j = 0.5 * wall.mass_kg * v * v;
        }
        constexpr int kFine = 200;
        for (int i = 0; i < kFine; ++i) {
            const double h = kTick_s / kFine;
            const double v_mid = v + 0.5 * h * (f - wall.device_b * v) / wall.mass_kg;
            v += h * (f - wall.device_b * v_mid) / wall.mass_kg;
            y += h * v_mid;
            cycle.port_j += f * v_mid * h;
            if (f != 0.0) cycle.friction_j += wall.device_b * v_mid * v_mid * h;
        }
        cycle.deepest_m = std::max(cycle.deepest_m, 0.008 - y);
        if (touched && y > 0.0085) break;
    }
    cycle.energy_out_j = 0.5 * wall.mass_kg * v * v;
    return cycle;
}

TEST(Passivity, AWallSofterThanTheDeviceCanDampGivesNothingBack) {
    for (const double speed_m_s : {0.02, 0.1, 0.3, 1.0})
        for (const double b : {0.1, 0.3, 0.6}) {
            Wall wall;
            wall.device_b = b;
            wall.stiffness = 0.9 * passive_stiffness_n_per_m(b, 0.0, kTick_s);
            wall.speed_m_s = speed_m_s;
            PadLoop loop;
            const Cycle cycle = throw_at(wall, loop);
            ASSERT_GT(cycle.energy_in_j, 0.0);
            ASSERT_GT(cycle.deepest_m, 1e-5);
            EXPECT_LE(cycle.energy_out_j - cycle.energy_in_j, 1e-6) << "b " << b << ", " << speed_m_s << " m/s";
        }
}

// The negative control: without the rule and without the observer a sampled wall throws back harder than it was hit.
TEST(Passivity, AWallStifferThanThatGivesEnergyAndTheObserverStopsIt) {
    for (const double stiffness : {2000.0, 5000.0})
        for (const double b : {0.0, 0.05}) {
            Wall wall;
            wall.device_b = b;
            wall.stiffness = stiffness;
            PadLoop bare, watched;
            const Cycle without = throw_at(wall, bare);
            EXPECT_GT(without.energy_out_j - without.energy_in_j, 1e-5);
            wall.observe = true;
            const Cycle with = throw_at(wall, watched);
            EXPECT_GT(watched.observer.refused_n_s, 0.0);
            EXPECT_LE(with.energy_out_j - with.energy_in_j, 1e-6) << "K " << stiffness << ", b " << b;
            if (b == 0.0) {
                EXPECT_LE(with.port_j, 1e-6);
            }
        }
}

TEST(Passivity, TheObserversAccountEqualsTheIntegralOfForceTimesVelocity) {
    Wall wall;
    wall.observe = true;
    PadLoop loop;
    const Cycle cycle = throw_at(wall, loop);
    const double account_j = loop.observer.total_j + loop.observer.given_j;
    EXPECT_NEAR(account_j, cycle.port_j - cycle.friction_j, 0.01 * cycle.energy_in_j);
    EXPECT_LT(account_j, 0.0);
}

TEST(Passivity, StiffnessLeavesRoomForTheCouplingsOwnDamping) {
    EXPECT_DOUBLE_EQ(passive_stiffness_n_per_m(0.5, 0.0, 1e-3), 1000.0);
    EXPECT_DOUBLE_EQ(passive_stiffness_n_per_m(0.5, 0.2, 1e-3), 600.0);
    EXPECT_DOUBLE_EQ(passive_stiffness_n_per_m(0.1, 0.2, 1e-3), 0.0);
}

}  // namespace
}  // namespace glovebox::scenes
