#include "scenes/force/least_constraint.h"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <limits>
#include <random>
#include <vector>

namespace glovebox::scenes {
namespace {

using Eigen::Vector3d;

bool allowed(const Vector3d& d, const std::vector<HalfSpace>& spaces, double tolerance) {
    for (const HalfSpace& space : spaces)
        if (space.normal.dot(d) < -space.slack_m - tolerance) return false;
    return true;
}

// The oracle: the optimum is on none, one, two or three of the planes, so try all subsets.
Vector3d by_enumeration(const Vector3d& wish, const std::vector<HalfSpace>& spaces) {
    Vector3d best = Vector3d::Zero();
    double least = std::numeric_limits<double>::infinity();
    const auto take = [&](const Vector3d& candidate) {
        if (!candidate.allFinite() || !allowed(candidate, spaces, 1e-9) || (candidate - wish).norm() >= least) return;
        least = (candidate - wish).norm();
        best = candidate;
    };
    take(wish);
    const auto solve = [&](const std::vector<const HalfSpace*>& planes) {
        Eigen::MatrixXd normals(planes.size(), 3);
        Eigen::VectorXd right(planes.size());
        for (std::size_t i = 0; i < planes.size(); ++i) {
            normals.row(static_cast<Eigen::Index>(i)) = planes[i]->normal.transpose();
            right[static_cast<Eigen::Index>(i)] = -planes[i]->slack_m - planes[i]->normal.dot(wish);
        }
        take(wish + Vector3d(normals.completeOrthogonalDecomposition().solve(right)));
    };
    for (const HalfSpace& a : spaces) {
        solve({&a});
        for (const HalfSpace& b : spaces) {
            if (&b <= &a) continue;
            solve({&a, &b});
            for (const HalfSpace& c : spaces)
                if (&c > &b) solve({&a, &b, &c});
        }
    }
    return best;
}

TEST(LeastConstraint, EqualsEnumerationOfAllActiveSets) {
    std::mt19937 random(7);
    std::normal_distribution<double> normal(0.0, 1.0);
    std::uniform_real_distribution<double> slack(0.0, 0.5);
    std::uniform_int_distribution<int> count(0, 9);
    int constrained = 0;
    for (int round = 0; round < 3000; ++round) {
        std::vector<HalfSpace> spaces(static_cast<std::size_t>(count(random)));
        for (HalfSpace& space : spaces) {
            space.normal = Vector3d(normal(random), normal(random), normal(random)).normalized();
            space.slack_m = round % 3 == 0 ? 0.0 : slack(random);
        }
        const Vector3d wish(normal(random), normal(random), normal(random));
        const Vector3d found = constrain(wish, spaces);
        const Vector3d expected = by_enumeration(wish, spaces);
        ASSERT_TRUE(allowed(found, spaces, 1e-8)) << "round " << round;
        ASSERT_LT((found - expected).norm(), 1e-6) << "round " << round << ", " << spaces.size() << " planes";
        constrained += (found - wish).norm() > 1e-9 ? 1 : 0;
    }
    EXPECT_GT(constrained, 1500);
}

TEST(LeastConstraint, RepeatedAndNearlyParallelPlanesAreLegal) {
    const Vector3d up = Vector3d::UnitY(), nearly = Vector3d(1e-7, 1.0, 0.0).normalized();
    const std::vector<HalfSpace> spaces = {{up, 0.0}, {up, 0.0}, {nearly, 0.0}, {up, 0.001}};
    const Vector3d found = constrain({0.3, -1.0, 0.2}, spaces);
    EXPECT_NEAR(found.x(), 0.3, 1e-6);
    EXPECT_NEAR(found.y(), 0.0, 1e-6);
    EXPECT_NEAR(found.z(), 0.2, 1e-6);
}

}  // namespace
}  // namespace glovebox::scenes
