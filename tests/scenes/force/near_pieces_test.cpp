#include "scenes/force/near_pieces.h"

#include <gtest/gtest.h>

#include <random>
#include <vector>

namespace glovebox::scenes {
namespace {

using Eigen::Vector3d;
using Eigen::Vector3f;

// Makes triangles of all shapes, a ball and a box, within 4 cm.
std::vector<SurfacePiece> some_pieces(std::mt19937& random) {
    std::uniform_real_distribution<float> at(-0.04F, 0.04F), size(-0.01F, 0.01F);
    const auto vector = [&](auto& of) { return Vector3f(of(random), of(random), of(random)); };
    std::vector<SurfacePiece> pieces;
    for (int i = 0; i + 2 < kMaxPieces; ++i) {
        const Vector3f a = vector(at);
        pieces.push_back({FlatTriangle{{a, a + vector(size), a + vector(size)}}, Vector3f::Zero(), i % 3});
    }
    const Vector3f ball_m = vector(at);
    pieces.push_back({collision::RoundCone{ball_m, ball_m, 0.005F, 0.005F}, Vector3f::Zero(), 3});
    pieces.push_back(
        {collision::RoundedBox{{vector(at), Eigen::Matrix3f::Identity(), Vector3f::Constant(0.004F)}, 0.001F},
         Vector3f::Zero(), 4});
    return pieces;
}

TEST(NearPieces, AreExactWithinReachAndNeverFartherThanTheyAre) {
    std::mt19937 random(411);
    std::uniform_real_distribution<double> step(-0.002, 0.002), reach(0.0, 0.02);
    int within = 0, beyond = 0;
    for (int round = 0; round < 20; ++round) {
        const std::vector<SurfacePiece> pieces = some_pieces(random);
        Vector3d center_m = Vector3d::Zero();
        NearPieces near;
        near.begin(pieces, center_m);
        ASSERT_EQ(near.count(), kMaxPieces);
        for (int tick = 0; tick < 200; ++tick) {
            center_m += Vector3d(step(random), step(random), step(random));
            const double reach_m = reach(random);
            near.update(center_m, reach_m);
            double min_m = 1e9;
            for (int i = 0; i < near.count(); ++i) {
                const NearPoint exact = nearest(pieces[static_cast<std::size_t>(i)], center_m);
                min_m = std::min(min_m, near[i].distance_m);
                EXPECT_LE(near.at_least_m(i, center_m), exact.distance_m);
                EXPECT_LE(near[i].distance_m, exact.distance_m);
                if (exact.distance_m <= reach_m) {
                    ++within;
                    EXPECT_EQ(near[i].distance_m, exact.distance_m);
                    EXPECT_EQ(near[i].on_m, exact.on_m);
                    EXPECT_EQ(near[i].normal, exact.normal);
                } else {
                    ++beyond;
                    EXPECT_GT(near[i].distance_m, reach_m);
                }
            }
            EXPECT_EQ(near.min_m(), min_m);
        }
    }
    EXPECT_GT(within, 2000);
    EXPECT_GT(beyond, 50000);
}

TEST(NearPieces, TellWhatAPointLiesOnAndWhatAWayCrosses) {
    std::mt19937 random(412);
    std::uniform_real_distribution<double> share(0.05, 0.45);
    int crossed = 0;
    for (int round = 0; round < 50; ++round) {
        const std::vector<SurfacePiece> pieces = some_pieces(random);
        NearPieces near;
        near.begin(pieces, Vector3d::Zero());
        for (int i = 0; i + 2 < kMaxPieces; ++i) {
            const auto& [a, b, c] = near.triangle(i);
            const Vector3d on_m = a + share(random) * (b - a) + share(random) * (c - a);
            const Vector3d normal = (b - a).cross(c - a).normalized();
            EXPECT_TRUE(near.is_on(i, on_m));
            EXPECT_FALSE(near.is_on(i, on_m + 1e-5 * normal));
            EXPECT_TRUE(near.crosses(on_m + 1e-4 * normal, on_m - 1e-4 * normal));
            crossed += near.crosses(on_m + 1e-6 * normal, on_m + 2e-6 * normal) ? 1 : 0;
        }
        EXPECT_FALSE(near.is_on(kMaxPieces - 2, Vector3d::Zero()));
    }
    EXPECT_LT(crossed, 15);  // other pieces that happen to be there
}

}  // namespace
}  // namespace glovebox::scenes
