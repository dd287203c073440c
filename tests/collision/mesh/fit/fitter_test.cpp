#include "collision/survey/fit/fitters.h"

#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <cmath>

#include "collision/box/box_fit.h"
#include "collision/survey/fit/random.h"
#include "collision/survey/fit/smallest_box.h"
#include "collision/survey/tree/sample_meshes.h"

namespace glovebox::collision {
namespace {

struct Node {
    std::vector<Eigen::Vector3f> points_m;
    std::vector<std::array<std::int32_t, 3>> triangles;
    PointSet points;

    explicit Node(const Mesh& mesh) : points_m(mesh.vertices_m) {
        for (const auto& t : mesh.triangles)
            triangles.push_back(
                {static_cast<std::int32_t>(t[0]), static_cast<std::int32_t>(t[1]), static_cast<std::int32_t>(t[2])});
        points.assign(points_m);
    }
    FittedBox fit(const Fitter& fitter, std::uint64_t seed = 1) const {
        return fitter.fit({points, points_m, triangles, seed});
    }
    FittedBox fit(std::string_view name) const { return fit(*find_fitter(name)); }
};

Mesh turned(Mesh mesh, const Eigen::Quaternionf& turn) {
    for (auto& vertex : mesh.vertices_m) vertex = turn * vertex;
    return mesh;
}

// Returns the angle between the closest axes of two frames, ignoring sign and order of columns.
float angle_between(const Eigen::Matrix3f& a, const Eigen::Matrix3f& b) {
    const Eigen::Matrix3f dots = (a.transpose() * b).cwiseAbs();
    float worst = 0.0F;
    for (int i = 0; i < 3; ++i) worst = std::max(worst, std::acos(std::min(1.0F, dots.row(i).maxCoeff())));
    return worst;
}

const Eigen::Quaternionf kTurn = Eigen::Quaternionf(0.8F, 0.3F, -0.4F, 0.2F).normalized();

TEST(Fitters, EveryRowEnclosesEveryPointOfEveryShape) {
    Random random(1);
    std::vector<Mesh> shapes = {box_mesh({0.1F, 0.2F, 0.3F}),
                                icosahedron(),
                                soup(40, 0.3, 2),
                                soup(1, 0.3, 3),
                                soup(2, 0.3, 4),
                                sphere(6, 9, 0.5)};
    shapes.push_back({{{0, 0, 0}, {0, 0, 0}, {0, 0, 0}}, {{0, 1, 2}}});                        // a point
    shapes.push_back({{{0, 0, 0}, {1, 1, 1}, {2, 2, 2}, {5, 5, 5}}, {{0, 1, 2}, {1, 2, 3}}});  // a line
    shapes.push_back({{{0, 0, 1}, {1, 0, 1}, {1, 2, 1}, {0, 2, 1}}, {{0, 1, 2}, {0, 2, 3}}});  // a plane rectangle
    for (const Fitter& fitter : fitters())
        for (std::size_t shape = 0; shape < shapes.size(); ++shape) {
            const Node node(turned(shapes[shape], kTurn));
            const FittedBox fitted = node.fit(fitter);
            ASSERT_TRUE(fitted.box.half_m.allFinite()) << fitter.name << " on shape " << shape;
            ASSERT_LT(
                (fitted.box.axes.transpose() * fitted.box.axes - Eigen::Matrix3f::Identity()).cwiseAbs().maxCoeff(),
                2e-6F)
                << fitter.name << " on shape " << shape;
            ASSERT_GT(fitted.box.axes.determinant(), 0.0F) << fitter.name << " on shape " << shape;
            for (const auto& point : node.points_m) {
                const Eigen::Vector3d along = fitted.box.axes.cast<double>().transpose() *
                                              (point.cast<double>() - fitted.box.center_m.cast<double>());
                for (int k = 0; k < 3; ++k)
                    ASSERT_LE(std::abs(along[k]), double{fitted.box.half_m[k]}) << fitter.name << " on shape " << shape;
            }
        }
}

// Needles hardly thicker than a line, in a plane or not, down to sizes near the float's resolution.
TEST(Fitters, EveryRowEnclosesNeedlesAndSpecks) {
    Random random(17);
    int boxes = 0;
    for (int round = 0; round < 400; ++round) {
        const double size_m = round % 4 == 3 ? std::pow(10.0, random.between(-44.0, 18.0)) : 1.0;
        const double thin = std::pow(10.0, random.between(-5.0, 0.0)), flat = round % 2 == 0 ? 0.0 : 0.5;
        const auto corner = [&] {
            return Eigen::Vector3d(random.between(-1, 1), thin * random.between(-1, 1),
                                   flat * thin * random.between(-1, 1));
        };
        Mesh mesh;
        for (std::uint32_t t = 0; t < 1 + static_cast<std::uint32_t>(round) % 5; ++t) {
            for (int k = 0; k < 3; ++k)
                mesh.vertices_m.push_back((size_m * (kTurn.cast<double>() * corner())).cast<float>());
            mesh.triangles.push_back({3 * t, 3 * t + 1, 3 * t + 2});
        }
        const Node node(mesh);
        for (const Fitter& fitter : fitters()) {
            if (fitter.name.starts_with("genetic") && round % 20 != 3) continue;
            ++boxes;
            const Obb box = node.fit(fitter).box;
            const Eigen::Matrix3d axes = box.axes.cast<double>();
            ASSERT_LT((axes.transpose() * axes - Eigen::Matrix3d::Identity()).cwiseAbs().maxCoeff(), 5e-7)
                << fitter.name << ", round " << round;
            for (const auto& point : node.points_m) {
                const Eigen::Vector3d along = axes.transpose() * (point.cast<double>() - box.center_m.cast<double>());
                ASSERT_TRUE((along.cwiseAbs().array() <= box.half_m.cast<double>().array()).all())
                    << fitter.name << ", round " << round;
            }
        }
    }
    EXPECT_GT(boxes, 3000);
}

TEST(Fitters, NamesAreUniqueAndFound) {
    for (const Fitter& fitter : fitters()) EXPECT_EQ(find_fitter(fitter.name), &fitter);
    EXPECT_EQ(find_fitter("descent"), &fitters().front());
    EXPECT_EQ(find_fitter("none such"), nullptr);
}

TEST(Fitters, CovarianceReturnsTheAxesOfABox) {
    const Node node(turned(box_mesh({0.5F, 1.0F, 1.5F}), kTurn));
    for (const std::string_view name : {"vertex-covariance", "triangle-covariance", "hull-covariance", "hull-descent"})
        EXPECT_LT(angle_between(node.fit(name).box.axes, kTurn.toRotationMatrix()), 1e-3F) << name;
}

// Makes a box with one face divided into 2 * 50 * 50 triangles.
Mesh box_with_dense_face() {
    Mesh mesh = box_mesh({0.5F, 1.0F, 1.5F});
    mesh.triangles.erase(mesh.triangles.begin(), mesh.triangles.begin() + 2);  // the face z = -1.5
    const auto first = static_cast<std::uint32_t>(mesh.vertices_m.size());
    constexpr std::uint32_t kCells = 50;
    // Vertices are denser towards one corner, so that their mean is off centre.
    const auto crowded = [](std::uint32_t i) { return std::pow(static_cast<float>(i) / kCells, 3.0F); };
    for (std::uint32_t i = 0; i <= kCells; ++i)
        for (std::uint32_t j = 0; j <= kCells; ++j)
            mesh.vertices_m.push_back({-0.5F + crowded(i), -1.0F + 2.0F * crowded(j), -1.5F});
    const auto at = [&](std::uint32_t i, std::uint32_t j) { return first + i * (kCells + 1) + j; };
    for (std::uint32_t i = 0; i < kCells; ++i)
        for (std::uint32_t j = 0; j < kCells; ++j) {
            mesh.triangles.push_back({at(i, j), at(i, j + 1), at(i + 1, j)});
            mesh.triangles.push_back({at(i + 1, j), at(i, j + 1), at(i + 1, j + 1)});
        }
    return mesh;
}

TEST(Fitters, DensePatchesTurnTheVertexFrameOnly) {
    const Node dense(box_with_dense_face());
    EXPECT_LT(angle_between(dense.fit("hull-covariance").box.axes, Eigen::Matrix3f::Identity()), 1e-3F);
    EXPECT_LT(angle_between(dense.fit("triangle-covariance").box.axes, Eigen::Matrix3f::Identity()), 1e-3F);
    EXPECT_GT(angle_between(dense.fit("vertex-covariance").box.axes, Eigen::Matrix3f::Identity()), 0.01F);
}

TEST(Fitters, InteriorTrianglesDoNotTurnTheHullFrame) {
    Mesh mesh = box_mesh({0.5F, 1.0F, 1.5F});
    Random random(5);
    for (int t = 0; t < 300; ++t) {  // random triangles inside, around a slanted plane
        const auto first = static_cast<std::uint32_t>(mesh.vertices_m.size());
        for (int corner = 0; corner < 3; ++corner) {
            const double u = random.between(-0.45, 0.45);
            mesh.vertices_m.push_back(Eigen::Vector3d(u, 2.0 * u, random.between(-0.1, 0.1)).cast<float>());
        }
        mesh.triangles.push_back({first, first + 1, first + 2});
    }
    const Node node(mesh);
    EXPECT_LT(angle_between(node.fit("hull-covariance").box.axes, Eigen::Matrix3f::Identity()), 1e-3F);
    EXPECT_GT(angle_between(node.fit("vertex-covariance").box.axes, Eigen::Matrix3f::Identity()), 0.05F);
    EXPECT_GT(angle_between(node.fit("triangle-covariance").box.axes, Eigen::Matrix3f::Identity()), 0.05F);
}

TEST(SurfaceCovariance, DoesNotChangeWhenTrianglesAreSubdivided) {
    const Node coarse(turned(box_mesh({0.5F, 1.0F, 1.5F}), kTurn));
    std::vector<Eigen::Vector3f> points;
    std::vector<std::array<std::int32_t, 3>> triangles;
    // Vertices on a grid of 1/64 and their midpoints are exact in float, so the surface is bit-identical.
    Mesh mesh = box_mesh({0.5F, 1.0F, 1.5F});
    const auto covariance_of = [](const Mesh& m) {
        std::vector<std::array<std::int32_t, 3>> t;
        for (const auto& x : m.triangles)
            t.push_back(
                {static_cast<std::int32_t>(x[0]), static_cast<std::int32_t>(x[1]), static_cast<std::int32_t>(x[2])});
        return surface_covariance(m.vertices_m, t);
    };
    const SurfaceCovariance before = covariance_of(mesh);
    Mesh fine;
    for (const auto& t : mesh.triangles) {
        const Eigen::Vector3f a = mesh.vertices_m[t[0]], b = mesh.vertices_m[t[1]], c = mesh.vertices_m[t[2]];
        const Eigen::Vector3f ab = 0.5F * (a + b), bc = 0.5F * (b + c), ca = 0.5F * (c + a);
        for (const auto& part : {std::array{a, ab, ca}, {ab, b, bc}, {ca, bc, c}, {ab, bc, ca}}) {
            const auto first = static_cast<std::uint32_t>(fine.vertices_m.size());
            fine.vertices_m.insert(fine.vertices_m.end(), part.begin(), part.end());
            fine.triangles.push_back({first, first + 1, first + 2});
        }
    }
    const SurfaceCovariance after = covariance_of(fine);
    EXPECT_NEAR(before.area_m2, after.area_m2, 1e-10);
    EXPECT_LT((before.covariance - after.covariance).cwiseAbs().maxCoeff(), 1e-10);
    EXPECT_NEAR(before.area_m2, 22.0, 1e-10);

    // It equals the covariance of points scattered uniformly over the surface.
    Random random(6);
    Eigen::Vector3d mean = Eigen::Vector3d::Zero();
    Eigen::Matrix3d square = Eigen::Matrix3d::Zero();
    constexpr int kSamples = 200000;
    std::vector<double> cumulative;
    double sum = 0.0;
    for (const auto& t : mesh.triangles)
        cumulative.push_back(sum += 0.5 * double{(mesh.vertices_m[t[1]] - mesh.vertices_m[t[0]])
                                                     .cross(mesh.vertices_m[t[2]] - mesh.vertices_m[t[0]])
                                                     .norm()});
    for (int i = 0; i < kSamples; ++i) {
        const auto at = std::upper_bound(cumulative.begin(), cumulative.end() - 1, sum * random.unit());
        const auto& t = mesh.triangles[static_cast<std::size_t>(at - cumulative.begin())];
        double u = random.unit(), v = random.unit();
        if (u + v > 1.0) {
            u = 1.0 - u;
            v = 1.0 - v;
        }
        const Eigen::Vector3d a = mesh.vertices_m[t[0]].cast<double>(), b = mesh.vertices_m[t[1]].cast<double>(),
                              c = mesh.vertices_m[t[2]].cast<double>();
        const Eigen::Vector3d p = a + u * (b - a) + v * (c - a);
        mean += p;
        square += p * p.transpose();
    }
    mean /= kSamples;
    const Eigen::Matrix3d sampled = square / kSamples - mean * mean.transpose();
    // Three standard errors of a second moment whose largest term is (1.5)^2.
    const double three_sigma = 3.0 * 1.5 * 1.5 / std::sqrt(double{kSamples});
    EXPECT_LT((before.covariance - sampled).cwiseAbs().maxCoeff(), three_sigma);
}

TEST(Fitters, OneTriangleGetsTwiceItsAreaAndNoThickness) {
    Random random(7);
    for (int round = 0; round < 100; ++round) {
        const Mesh mesh = soup(1, 0.5, 100 + static_cast<std::uint64_t>(round));
        const Node node(mesh);
        const auto& p = mesh.vertices_m;
        const double area_m2 = 0.5 * double{(p[1] - p[0]).cross(p[2] - p[0]).norm()};
        const Obb box = node.fit("descent").box;
        EXPECT_NEAR(double{box.area_m2()}, 4.0 * area_m2, 1e-3 * area_m2);  // both sides of the rectangle
        EXPECT_LT(box.half_m.minCoeff(), 1e-5F);
    }
}

// No frame has less area than the best of a dense search, and no volume is below the exhaustive minimum.
TEST(BoxOfTriangle, HoldsNeedlesAndSpecksAtAnyDistanceFromTheOrigin) {
    Random random(12);
    for (const double offset_m : {0.0, 1.0, 1000.0})
        for (const double size_m : {1e-4, 1.0, 1000.0})
            for (const double thin : {1.0, 1e-3, 1e-6, 1e-8, 0.0})
                for (int round = 0; round < 50; ++round) {
                    const auto random_point = [&] {
                        return Eigen::Vector3d(random.between(-1, 1), random.between(-1, 1), random.between(-1, 1));
                    };
                    const Eigen::Vector3d from = offset_m * random_point(), edge = size_m * random_point();
                    const std::array<Eigen::Vector3f, 3> corners = {
                        from.cast<float>(), (from + edge).cast<float>(),
                        (from + random.unit() * edge + thin * size_m * random_point()).cast<float>()};
                    const Obb box = box_of_triangle(corners[0], corners[1], corners[2]);
                    ASSERT_LT((box.axes.transpose() * box.axes - Eigen::Matrix3f::Identity()).cwiseAbs().maxCoeff(),
                              2e-6F);
                    ASSERT_GT(box.axes.determinant(), 0.0F);
                    // At most twice the triangle's area, apart from the padding.
                    const double area_m2 =
                        0.5 *
                        (corners[1] - corners[0]).cast<double>().cross((corners[2] - corners[0]).cast<double>()).norm();
                    const double pad_m = double{rounding_pad_m(box)}, across_m = double{box.half_m.sum()};
                    ASSERT_LE(4.0 * double{box.half_m[0]} * double{box.half_m[1]},
                              2.0 * area_m2 * (1.0 + 1e-5) + 16.0 * pad_m * across_m);
                    for (const auto& corner : corners) {
                        const Eigen::Vector3d along =
                            box.axes.cast<double>().transpose() * (corner.cast<double>() - box.center_m.cast<double>());
                        for (int k = 0; k < 3; ++k)
                            ASSERT_LE(std::abs(along[k]), double{box.half_m[k]})
                                << offset_m << ' ' << size_m << ' ' << thin;
                    }
                }
}

TEST(Fitters, NoRowBeatsTheSmallestBoxAndTheTightRowsComeClose) {
    Random random(8);
    double descent = 0.0, hull_descent = 0.0, covariance = 0.0, genetic = 0.0;
    constexpr int kRounds = 12;
    for (int round = 0; round < kRounds; ++round) {
        const Node node(soup(3, 0.4, 200 + static_cast<std::uint64_t>(round)));
        const double min_m3 = double{smallest_box(node.points_m).volume_m3()};
        for (const Fitter& fitter : fitters())
            ASSERT_GE(double{node.fit(fitter).box.volume_m3()}, 0.999 * min_m3) << fitter.name << ", round " << round;
        descent += double{node.fit("descent").box.volume_m3()} / min_m3 / kRounds;
        hull_descent += double{node.fit("hull-descent").box.volume_m3()} / min_m3 / kRounds;
        covariance += double{node.fit("hull-covariance").box.volume_m3()} / min_m3 / kRounds;
        genetic += double{node.fit("genetic").box.volume_m3()} / min_m3 / kRounds;
    }
    EXPECT_LT(descent, 1.25);
    EXPECT_LT(hull_descent, 1.25);
    EXPECT_LT(genetic, 1.1);
    EXPECT_GT(covariance, descent);
}

TEST(SmallestBox, FindsBoxesAndTheKnownBoxOfATetrahedron) {
    const Node box(turned(box_mesh({0.5F, 1.0F, 1.5F}), kTurn));
    EXPECT_NEAR(double{smallest_box(box.points_m).volume_m3()}, 6.0, 1e-3);
    // The vertices of a regular tetrahedron of edge 1 are alternate corners of a cube of side 1/sqrt(2).
    const std::vector<Eigen::Vector3f> tetrahedron = {
        kTurn * Eigen::Vector3f(0, 0, 0), kTurn * Eigen::Vector3f(1, 1, 0), kTurn * Eigen::Vector3f(1, 0, 1),
        kTurn * Eigen::Vector3f(0, 1, 1)};
    EXPECT_NEAR(double{smallest_box(tetrahedron).volume_m3()}, 1.0, 1e-3);
}

TEST(SmallestBox, IsNotBeatenByADenseSearch) {
    Random random(9);
    for (int round = 0; round < 5; ++round) {
        const Node node(soup(3, 0.4, 300 + static_cast<std::uint64_t>(round)));
        const float min_m3 = smallest_box(node.points_m).volume_m3();
        for (int i = 0; i < 200000; ++i) {
            Eigen::Quaternionf q(
                Eigen::Vector4f::NullaryExpr([&] { return static_cast<float>(random.between(-1, 1)); }));
            ASSERT_GE(ranges_along(node.points, q.normalized().toRotationMatrix()).volume_m3(), 0.9999F * min_m3);
        }
    }
}

}  // namespace
}  // namespace glovebox::collision
