#include "scenes/force/proxy.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>
#include <vector>

#include "tests/scenes/force/pieces.h"

namespace glovebox::scenes {
namespace {

using Eigen::Vector3d;
using Eigen::Vector3f;

constexpr double kProxyRadius_m = 0.008;

struct Finger {
    std::vector<SurfacePiece> pieces;
    Friction friction{0.0, 0.0};
    Proxy proxy = {};

    ProxyMove to(const Vector3d& target_m) {
        const std::vector<Friction> ratios(pieces.size(), friction);
        return move_proxy(proxy, pieces, ratios, target_m, kProxyRadius_m);
    }
    double least_gap() const {
        double least = std::numeric_limits<double>::infinity();
        for (const SurfacePiece& piece : pieces)
            least = std::min(least, nearest(piece, proxy.center_m).distance_m - kProxyRadius_m);
        return least;
    }
};

TEST(Proxy, FollowsTheFingerExactlyInFreeSpace) {
    Finger finger{sheet(0.1F, 1)};
    for (int i = 0; i < 100; ++i) {
        const Vector3d at(0.001 * i, 0.02 + 0.0002 * i, 0.0);
        finger.to(at);
        EXPECT_EQ(finger.proxy.center_m, at);
        EXPECT_FALSE(finger.proxy.touching);
    }
}

// A single sheet of triangles has no inside by which to tell the side.
TEST(Proxy, NoSpeedTakesItThroughAThinWall) {
    std::mt19937 random(3);
    std::uniform_real_distribution<double> across(-0.02, 0.02);
    for (const int n : {1, 2, 4})
        for (const double side : {-1.0, 1.0})
            for (const double speed_m_s : {0.1, 0.5, 1.0, 2.0, 5.0, 20.0}) {
                for (int round = 0; round < 5; ++round) {
                    Finger finger{sheet(0.06F, n)};
                    const Vector3d way =
                        (Vector3d(across(random), 0.0, across(random)) * 10.0 + Vector3d(0, -side, 0)).normalized();
                    Vector3d at(across(random), side * 0.02, across(random));
                    finger.to(at);
                    ASSERT_TRUE(finger.proxy.armed);
                    for (int tick = 0; at.y() * side > -0.04 && tick < 5000; ++tick) {
                        at += 1e-3 * speed_m_s * way;
                        finger.to(at);
                        ASSERT_TRUE(finger.proxy.armed);
                        ASSERT_GT(finger.proxy.center_m.y() * side, kProxyRadius_m - 1e-6)
                            << speed_m_s << " m/s, " << n;
                    }
                    EXPECT_TRUE(finger.proxy.touching);
                }
            }
}

// Random triangles: the proxy's ball never cuts one, and never changes sides by jumping.
TEST(Proxy, StaysClearOfRandomTriangles) {
    std::mt19937 random(5);
    std::uniform_real_distribution<float> place(-0.05F, 0.05F);
    int ticks_touching = 0, slips = 0;
    for (int round = 0; round < 60; ++round) {
        Finger finger;
        for (int i = 0; i < 12; ++i) {
            const Vector3f a(place(random), place(random), place(random));
            finger.pieces.push_back(triangle(a, a + 0.8F * Vector3f(place(random), place(random), place(random)),
                                             a + 0.8F * Vector3f(place(random), place(random), place(random))));
        }
        Vector3d at(0.0, 0.15, 0.0), way(0, -1, 0);
        finger.to(at);
        for (int tick = 0; tick < 400; ++tick) {
            way = (way + 0.3 * Vector3d::Random() - 2.0 * (at - finger.proxy.center_m) - 0.5 * at).normalized();
            at += 1.5e-3 * way;
            const Vector3d before_m = finger.proxy.center_m;
            if ((at - before_m).norm() > 0.09) break;  // a jump, which is not a motion
            finger.to(at);
            if (!finger.proxy.armed) break;
            ticks_touching += finger.proxy.touching ? 1 : 0;
            EXPECT_GT(finger.least_gap(), -0.3 * kProxyRadius_m);
            // The ball's centre has crossed no triangle. If the finger is far away, the ball may slip around an edge
            // in a tick; the straight line between its two positions then proves nothing.
            if ((finger.proxy.center_m - before_m).norm() > kProxyRadius_m) {
                ++slips;
                continue;
            }
            for (const SurfacePiece& piece : finger.pieces) {
                const auto& corners = std::get<FlatTriangle>(piece.shape).corners_m;
                const Vector3d a = corners[0].cast<double>(), b = corners[1].cast<double>(),
                               c = corners[2].cast<double>();
                const Vector3d face = (b - a).cross(c - a), step_m = finger.proxy.center_m - before_m;
                const double h0 = face.dot(before_m - a), h1 = face.dot(finger.proxy.center_m - a);
                if (h0 * h1 >= 0.0) continue;
                const Vector3d hit = before_m + step_m * (h0 / (h0 - h1));
                const bool in = face.dot((b - a).cross(hit - a)) > 0 && face.dot((c - b).cross(hit - b)) > 0 &&
                                face.dot((a - c).cross(hit - c)) > 0;
                EXPECT_FALSE(in) << "round " << round << ", tick " << tick;
            }
        }
    }
    EXPECT_GT(ticks_touching, 2000);
    EXPECT_LT(slips, ticks_touching / 25);
}

TEST(Proxy, RestsInTheCornerOfThreeWalls) {
    Finger finger;
    for (const auto& [u, v] :
         {std::pair{Vector3f::UnitX(), Vector3f::UnitZ()}, std::pair{Vector3f::UnitX(), Vector3f::UnitY()},
          std::pair{Vector3f::UnitY(), Vector3f::UnitZ()}})
        finger.pieces.push_back(triangle(Vector3f::Zero(), 0.2F * Vector3f(u), 0.2F * Vector3f(v)));
    Vector3d at(0.03, 0.03, 0.03);
    finger.to(at);
    for (int i = 0; i < 60; ++i) finger.to(at -= Vector3d::Constant(0.001));
    EXPECT_LT((finger.proxy.center_m - Vector3d::Constant(kProxyRadius_m)).norm(), 1e-6);
    EXPECT_TRUE(finger.proxy.touching);
}

TEST(Proxy, SlidesOverAnInnerEdgeAsIfItWereNotThere) {
    for (const double depth_m : {0.0005, 0.003, 0.01}) {
        Finger finger{sheet(0.04F, 2)};
        finger.to({-0.03, 0.03, 0.004});
        double max_m = 0.0;
        for (int i = 0; i <= 600; ++i) {
            const Vector3d at(-0.03 + 0.0001 * i, kProxyRadius_m - depth_m, 0.004 + 0.00003 * i);
            const ProxyMove move = finger.to(at);
            if (i < 20) continue;
            max_m = std::max(max_m, (finger.proxy.center_m - Vector3d(at.x(), kProxyRadius_m, at.z())).norm());
            EXPECT_NEAR(move.stretch_m, depth_m, 0.01 * depth_m);
        }
        EXPECT_LT(max_m, 0.01 * depth_m);
    }
}

TEST(Proxy, SamePlaceHoweverFinelyASurfaceIsCut) {
    Finger coarse{sheet(0.03F, 1)}, fine{sheet(0.03F, 4)};
    coarse.friction = fine.friction = {0.5, 0.4};
    coarse.to({0.0, 0.03, 0.0});
    fine.to({0.0, 0.03, 0.0});
    for (int i = 0; i < 2000; ++i) {
        const double t = 1e-3 * i;
        const Vector3d at(0.015 * std::sin(3.1 * t), 0.006 - 0.004 * std::sin(7.0 * t), 0.015 * std::sin(4.3 * t));
        const double a = coarse.to(at).stretch_m, b = fine.to(at).stretch_m;
        EXPECT_NEAR(a, b, 0.02 * a + 1e-6) << "tick " << i;
        EXPECT_LT((coarse.proxy.center_m - fine.proxy.center_m).norm(), 0.02 * a + 1e-6) << "tick " << i;
    }
}

TEST(Proxy, ForceStaysInTheFrictionCone) {
    Finger finger{sheet(0.1F, 1)};
    finger.friction = {0.6, 0.4};
    finger.to({0.0, 0.03, 0.0});
    constexpr double kDepth_m = 0.004;
    finger.to({0.0, kProxyRadius_m - kDepth_m, 0.0});
    bool slid = false;
    double most = 0.0;
    for (int i = 0; i < 100; ++i) {
        finger.to({0.0001 * i, kProxyRadius_m - kDepth_m, 0.0});
        const Vector3d stretch_m = finger.proxy.center_m - Vector3d(0.0001 * i, kProxyRadius_m - kDepth_m, 0.0);
        const double ratio = std::hypot(stretch_m.x(), stretch_m.z()) / stretch_m.y();
        most = std::max(most, ratio);
        if (!finger.proxy.sticking) slid = true;
        EXPECT_LE(ratio, finger.friction.static_ratio + 1e-6);
        if (!finger.proxy.sticking) {
            EXPECT_NEAR(ratio, finger.friction.dynamic_ratio, 0.01);
        }
    }
    EXPECT_TRUE(slid);
    EXPECT_GT(most, 0.55);  // held up to nearly the static ratio, then slides at the dynamic one
}

TEST(Proxy, BeginsOnlyWhereTheFingerIsClear) {
    Finger finger{sheet(0.1F, 1)};
    EXPECT_EQ(finger.to({0.0, 0.004, 0.0}).piece, -1);  // cuts the sheet: no force, despite the overlap
    EXPECT_FALSE(finger.proxy.armed);
    finger.to({0.0, 0.0081, 0.0});
    EXPECT_TRUE(finger.proxy.armed);
    EXPECT_GE(finger.to({0.0, 0.004, 0.0}).piece, 0);
}

TEST(Proxy, AJumpOrANonsenseTargetDisarms) {
    Finger finger{sheet(0.3F, 1)};
    finger.to({0.0, 0.02, 0.0});
    finger.to({0.0, -0.2, 0.0});
    EXPECT_FALSE(finger.proxy.touching);
    EXPECT_LT(finger.proxy.center_m.y(), 0.0);  // a jump does not cross a wall: it starts again on the other side
    finger.to({std::numeric_limits<double>::quiet_NaN(), 0.0, 0.0});
    EXPECT_FALSE(finger.proxy.armed);
}

TEST(Proxy, AMovingWallCarriesItAlong) {
    Finger finger{sheet(0.1F, 1)};
    finger.to({0.0, 0.02, 0.0});
    for (int i = 0; i < 50; ++i) {
        for (SurfacePiece& piece : finger.pieces)
            for (Vector3f& corner : std::get<FlatTriangle>(piece.shape).corners_m) corner.y() += 0.001F;
        finger.to({0.0, 0.02, 0.0});
        EXPECT_GT(finger.least_gap(), -1e-6);
    }
    EXPECT_NEAR(finger.proxy.center_m.y(), 0.05 + kProxyRadius_m, 1e-5);
}

}  // namespace
}  // namespace glovebox::scenes
