#include "scenes/force/surface.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>

#include "tests/scenes/force/pieces.h"

namespace glovebox::scenes {
namespace {

using Eigen::Vector3d;
using Eigen::Vector3f;

// Samples many points of the solid: the distance is never below the true one, and above it by at most the grid's error.
double sampled(const collision::RoundCone& cone, const Vector3d& point) {
    double least = std::numeric_limits<double>::infinity();
    for (int i = 0; i <= 20000; ++i) {
        const double s = i / 20000.0;
        const Vector3d on_axis = (1.0 - s) * cone.a_m.cast<double>() + s * cone.b_m.cast<double>();
        const double radius =
            (1.0 - s) * static_cast<double>(cone.radius_a_m) + s * static_cast<double>(cone.radius_b_m);
        least = std::min(least, (point - on_axis).norm() - radius);
    }
    return least;
}

TEST(Surface, RoundConeDistanceEqualsSampling) {
    std::mt19937 random(11);
    std::uniform_real_distribution<float> place(-0.1F, 0.1F), radius(0.001F, 0.05F);
    int swallowed = 0;
    for (int round = 0; round < 300; ++round) {
        collision::RoundCone cone{Vector3f(place(random), place(random), place(random)),
                                  Vector3f(place(random), place(random), place(random)), radius(random),
                                  radius(random)};
        if (round % 10 == 0) cone.b_m = cone.a_m;
        if (std::abs(cone.radius_a_m - cone.radius_b_m) > (cone.a_m - cone.b_m).norm()) ++swallowed;
        SurfacePiece piece;
        piece.shape = cone;
        const Vector3d point = Vector3f(place(random), place(random), place(random)).cast<double>();
        const NearPoint found = nearest(piece, point);
        const double expected = round % 10 == 0 ? (point - cone.a_m.cast<double>()).norm() -
                                                      static_cast<double>(std::max(cone.radius_a_m, cone.radius_b_m))
                                                : sampled(cone, point);
        if (round % 10 == 0 && cone.radius_b_m > cone.radius_a_m)
            continue;  // ends that coincide: the first radius counts
        EXPECT_NEAR(found.distance_m, expected, 2e-6) << "round " << round;
        EXPECT_NEAR(found.normal.norm(), 1.0, 1e-12);
        EXPECT_LT((found.on_m + found.distance_m * found.normal - point).norm(), 1e-9);
    }
    EXPECT_GT(swallowed, 5);
}

TEST(Surface, EveryDistanceGrowsAlongItsNormalByTheWayGone) {
    std::mt19937 random(12);
    std::uniform_real_distribution<float> place(-0.1F, 0.1F);
    const auto vector = [&] { return Vector3f(place(random), place(random), place(random)); };
    int inside = 0;
    for (int round = 0; round < 3000; ++round) {
        SurfacePiece piece;
        if (round % 3 == 0) {
            piece = triangle(vector(), vector(), vector());
        } else if (round % 3 == 1) {
            piece.shape = collision::RoundCone{vector(), vector(), 0.02F, 0.01F};
        } else {
            collision::RoundedBox box;
            box.core.center_m = vector();
            box.core.axes = Eigen::Quaternionf::UnitRandom().toRotationMatrix();
            box.core.half_m = Vector3f(0.05F, 0.03F, 0.08F);
            box.radius_m = 0.005F;
            piece.shape = box;
        }
        const Vector3d point = vector().cast<double>();
        const NearPoint here = nearest(piece, point);
        inside += here.distance_m < 0.0 ? 1 : 0;
        constexpr double kStep = 1e-7;
        const NearPoint there = nearest(piece, point + kStep * here.normal);
        EXPECT_NEAR(there.distance_m - here.distance_m, kStep, 1e-3 * kStep + 1e-12) << "round " << round;
    }
    EXPECT_GT(inside, 100);
}

TEST(Surface, PiecesMoveWithTheirObject) {
    SurfacePiece piece = triangle({0, 0, 0}, {1, 0, 0}, {0, 0, 1});
    piece.velocity_m_s = {0.0F, 2.0F, 0.0F};
    EXPECT_NEAR(nearest(moved(piece, 0.010), Vector3d(0.2, 0.05, 0.2)).distance_m, 0.03, 1e-7);
}

}  // namespace
}  // namespace glovebox::scenes
