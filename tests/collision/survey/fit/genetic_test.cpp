#include "collision/survey/fit/genetic.h"

#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <cmath>

#include "collision/survey/fit/fitters.h"
#include "collision/survey/fit/random.h"
#include "collision/survey/tree/sample_meshes.h"

namespace glovebox::collision {
namespace {

Chromosome chromosome(std::uint64_t x, std::uint64_t y, std::uint64_t z, std::uint64_t w) {
    return {x << 48 | y << 32 | z << 16 | w, 3};
}

TEST(GeneticFit, DecodesThePublishedExampleAndNotItsMisprint) {
    const DecodedChromosome decoded = decode(chromosome(44154, 48625, 47698, 22935));
    EXPECT_NEAR(decoded.axis.x(), 0.347473, 1e-6);
    EXPECT_NEAR(decoded.axis.y(), 0.483917, 1e-6);
    EXPECT_NEAR(decoded.axis.z(), 0.455627, 1e-6);
    EXPECT_NEAR(decoded.angle_deg, 125.9857, 1e-4);
    // The paper prints w' = 262.0129, which is the angle that the z allele would give.
    EXPECT_NEAR(decode(chromosome(0, 0, 0, 47698)).angle_deg, 262.0129, 1e-4);
}

TEST(GeneticFit, AllelesCoverTheirRangesAndAZeroAxisIsNoTurn) {
    EXPECT_EQ(decode(chromosome(0, 0, 0, 0)).axis, Eigen::Vector3d(-1, -1, -1));
    EXPECT_LT(decode(chromosome(65535, 0, 0, 65535)).axis.x(), 1.0);
    EXPECT_LT(decode(chromosome(0, 0, 0, 65535)).angle_deg, 360.0);
    EXPECT_EQ(rotation_of(chromosome(32768, 32768, 32768, 12345)), Eigen::Matrix3f::Identity());
}

TEST(GeneticFit, EncodingAFrameAndDecodingItAgainKeepsItToATenThousandth) {
    Random random(1);
    for (int round = 0; round < 1000; ++round) {
        Eigen::Quaterniond q(random.between(-1, 1), random.between(-1, 1), random.between(-1, 1),
                             random.between(-1, 1));
        const Eigen::Matrix3f axes = q.normalized().toRotationMatrix().cast<float>();
        ASSERT_LT((rotation_of(encode(axes)) - axes).cwiseAbs().maxCoeff(), 2e-4F);
    }
    EXPECT_LT((rotation_of(encode(Eigen::Matrix3f::Identity())) - Eigen::Matrix3f::Identity()).norm(), 2e-4F);
}

PointSet points_of(const Mesh& mesh) {
    PointSet points;
    points.assign(mesh.vertices_m);
    return points;
}

TEST(GeneticFit, RunsAsPublished) {
    const PointSet points = points_of(soup(20, 0.3, 2));
    const GeneticRun run = evolve(points, {}, {}, 1);
    EXPECT_EQ(run.evaluations, 100 + 150 * 20);
    ASSERT_EQ(run.best_fitness.size(), 151U);
    // Only the worst individuals are replaced, so the best fitness never decreases; here it increases.
    for (std::size_t g = 1; g < run.best_fitness.size(); ++g)
        EXPECT_GE(run.best_fitness[g], run.best_fitness[g - 1]) << "generation " << g;
    EXPECT_GT(run.best_fitness.back(), 1.02 * run.best_fitness.front());
    EXPECT_NEAR(run.best_fitness.back() * run.volume_m3, 1.0, 1e-3);
}

TEST(GeneticFit, TheSameSeedGivesTheSameRunAndAnotherSeedAnother) {
    const PointSet points = points_of(soup(20, 0.3, 3));
    EXPECT_EQ(evolve(points, {}, {}, 5).best.bits, evolve(points, {}, {}, 5).best.bits);
    EXPECT_NE(evolve(points, {}, {}, 5).best.bits, evolve(points, {}, {}, 6).best.bits);
}

TEST(GeneticFit, WithoutGenerationsTheBestOfTheFirstPopulationIsReturned) {
    const PointSet points = points_of(soup(20, 0.3, 4));
    GeneticSettings none;
    none.generations = 0;
    const GeneticRun start = evolve(points, {}, none, 7), run = evolve(points, {}, {}, 7);
    EXPECT_EQ(start.evaluations, 100);
    EXPECT_LE(run.volume_m3, start.volume_m3);
}

TEST(GeneticFit, SeededVolumeIsNeverAboveCovariance) {
    for (std::uint64_t seed = 10; seed < 16; ++seed) {
        const Mesh mesh = soup(6, 0.4, seed);
        std::vector<std::array<std::int32_t, 3>> triangles;
        for (const auto& t : mesh.triangles)
            triangles.push_back(
                {static_cast<std::int32_t>(t[0]), static_cast<std::int32_t>(t[1]), static_cast<std::int32_t>(t[2])});
        const PointSet points = points_of(mesh);
        const FitInput input{points, mesh.vertices_m, triangles, seed};
        const float seeded = fit_genetic_seeded(input).box.volume_m3();
        EXPECT_LE(seeded, 1.00001F * fit_hull_surface(input).box.volume_m3());
        EXPECT_LE(seeded, 1.00001F * fit_triangle_covariance(input).box.volume_m3());
    }
}

TEST(GeneticFit, AFlatNodeHasFiniteFitness) {
    const Mesh plate{{{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}}, {{0, 1, 2}, {0, 2, 3}}};
    const GeneticRun run = evolve(points_of(plate), {}, {}, 1);
    for (const double fitness : run.best_fitness) EXPECT_TRUE(std::isfinite(fitness));
}

TEST(GeneticFit, TheSplitAxisEvolvesToTheOneThatHelps) {
    // Two cubes side by side in y, with a gap larger than their size: only a split along y removes the gap.
    Mesh mesh = box_mesh({0.4F, 0.1F, 0.4F});
    Mesh other = mesh;
    for (auto& v : mesh.vertices_m) v.y() -= 0.35F;
    for (auto& v : other.vertices_m) v.y() += 0.35F;
    for (auto t : other.triangles) mesh.triangles.push_back({t[0] + 8, t[1] + 8, t[2] + 8});
    mesh.vertices_m.insert(mesh.vertices_m.end(), other.vertices_m.begin(), other.vertices_m.end());
    std::vector<std::array<std::int32_t, 3>> triangles;
    for (const auto& t : mesh.triangles)
        triangles.push_back(
            {static_cast<std::int32_t>(t[0]), static_cast<std::int32_t>(t[1]), static_cast<std::int32_t>(t[2])});
    const PointSet points = points_of(mesh);
    const FittedBox fitted = fit_genetic_split({points, mesh.vertices_m, triangles, 3});
    ASSERT_NE(fitted.split_axis, -1) << "the longest axis would halve the cubes instead";
    EXPECT_GT(std::abs(fitted.box.axes.col(fitted.split_axis).y()), 0.95F);
}

}  // namespace
}  // namespace glovebox::collision
