#include "collision/survey/volumes/sphere_polygon.h"

#include <gtest/gtest.h>

#include <random>
#include <vector>

namespace glovebox::collision {
namespace {

using Eigen::Vector3d;

class SpherePolygon : public testing::Test {
  protected:
    double unit() { return std::uniform_real_distribution<double>(-1.0, 1.0)(random_); }
    Vector3d anywhere() { return {unit(), unit(), unit()}; }

    /// Makes a convex polygon of 3 to 7 corners on an ellipse in a random plane; sometimes a segment or a point.
    std::vector<Vector3d> polygon() {
        const int corners = std::uniform_int_distribution<int>(1, 7)(random_);
        const Vector3d normal = anywhere().normalized(), u = normal.unitOrthogonal(), v = normal.cross(u),
                       middle = 0.3 * anywhere();
        std::vector<Vector3d> out;
        for (int i = 0; i < corners; ++i) {
            const double angle = 6.283185307179586 * (i + 0.4 * unit()) / corners;
            out.push_back(middle + 0.6 * std::cos(angle) * u + 0.4 * std::sin(angle) * v);
        }
        return out;
    }
    std::mt19937 random_{17};
};

TEST_F(SpherePolygon, ClosestPointIsNoFurtherThanAnySample) {
    for (int round = 0; round < 300; ++round) {
        const auto corners = polygon();
        const Vector3d point = 1.5 * anywhere(), nearest = closest_on_polygon(point, corners);
        for (int sample = 0; sample < 300; ++sample) {
            Vector3d inside = Vector3d::Zero();
            double sum = 0.0;
            for (const auto& corner : corners) {
                const double weight = std::pow(0.5 + 0.5 * unit(), 4.0);
                inside += weight * corner;
                sum += weight;
            }
            if (sum > 0.0) {
                ASSERT_LE((nearest - point).norm(), (inside / sum - point).norm() + 1e-12);
            }
        }
    }
}

TEST_F(SpherePolygon, SweptSphereTouchesWhereConservativeAdvancementStops) {
    int hits = 0, misses = 0;
    for (int round = 0; round < 4000; ++round) {
        const auto corners = polygon();
        const Vector3d center = 1.5 * anywhere();
        // Half of the motions are aimed at a corner, so that enough of them hit.
        const Vector3d motion =
            round % 2 == 0 ? Vector3d(3.0 * anywhere()) : Vector3d(1.3 * (corners[0] - center) + 0.4 * anywhere());
        const double radius = 0.02 + 0.2 * (1.0 + unit());
        // The oracle: advance by the remaining distance; the gap shrinks no faster than the sphere moves.
        double time = 0.0, gap = 0.0;
        for (int step = 0; step < 20000; ++step) {
            const Vector3d at = center + time * motion;
            gap = (closest_on_polygon(at, corners) - at).norm() - radius;
            if (gap <= 1e-9 || time > 1.0) break;
            time += gap / motion.norm();
        }
        const auto impact = sweep_sphere(center, radius, motion, corners);
        if (gap <= 1e-9 && time <= 1.0) {
            ASSERT_TRUE(impact) << "round " << round;
            // A grazing sphere converges slowly: then times differ by the square root of the gap.
            ASSERT_NEAR(impact->time, std::min(time, 1.0), 1e-4) << "round " << round;
            ASSERT_GE(impact->time, time - 1e-7);
            ++hits;
        } else if (gap > 1e-6) {
            ASSERT_FALSE(impact) << "round " << round << " gap " << gap << " time " << time << " impact "
                                 << impact->time;
            ++misses;
        }
        if (!impact) continue;
        const Vector3d at = center + impact->time * motion;
        ASSERT_NEAR(impact->normal.norm(), 1.0, 1e-12);
        if (impact->time > 0.0) {
            // The normal leads from the sphere's centre to the polygon, and the motion is not away from it.
            ASSERT_LT((at + radius * impact->normal - impact->point).norm(), 1e-6);
            ASSERT_GE(impact->normal.dot(motion), -1e-6);
        }
    }
    EXPECT_GT(hits, 1000);
    EXPECT_GT(misses, 1000);
}

TEST_F(SpherePolygon, TouchingIsOverlap) {
    const std::vector<Vector3d> square = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}};
    EXPECT_TRUE(sphere_overlaps({0.5, 0.5, 1.0}, 1.0, square));
    EXPECT_FALSE(sphere_overlaps({0.5, 0.5, 1.0 + 1e-12}, 1.0, square));
    EXPECT_TRUE(sphere_overlaps({2.0, 0.5, 0.0}, 1.0, square));
    EXPECT_EQ(sweep_sphere({0.5, 0.5, 2.0}, 1.0, {0, 0, -1}, square)->time, 1.0);
    EXPECT_FALSE(sweep_sphere({0.5, 0.5, 2.0}, 1.0, {0, 0, 1}, square));
}

TEST_F(SpherePolygon, ReversedCornersAreTheSamePolygon) {
    for (int round = 0; round < 500; ++round) {
        const auto corners = polygon();
        const std::vector<Vector3d> reversed(corners.rbegin(), corners.rend());
        const Vector3d center = 1.5 * anywhere(), motion = 3.0 * anywhere();
        const auto one = sweep_sphere(center, 0.1, motion, corners),
                   other = sweep_sphere(center, 0.1, motion, reversed);
        ASSERT_EQ(one.has_value(), other.has_value());
        if (one) {
            ASSERT_NEAR(one->time, other->time, 1e-9);
        }
    }
}

TEST_F(SpherePolygon, NormalOfASphereThatStartsOnThePolygonIsThePlanes) {
    const std::vector<Vector3d> square = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}};
    const auto down = sweep_sphere({0.5, 0.5, 0.0}, 0.1, {0, 0, -1}, square),
               up = sweep_sphere({0.5, 0.5, 0.0}, 0.1, {0, 0, 1}, square);
    EXPECT_EQ(down->time, 0.0);
    EXPECT_EQ(down->normal, Vector3d(0, 0, -1));
    EXPECT_EQ(up->normal, Vector3d(0, 0, 1));
}

}  // namespace
}  // namespace glovebox::collision
