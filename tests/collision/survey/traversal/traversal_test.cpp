#include "collision/survey/traversal/traversal.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "collision/survey/traversal/deforming.h"
#include "collision/survey/traversal/front.h"
#include "collision/survey/traversal/volume_table.h"
#include "collision/survey/tree/sample_meshes.h"
#include "collision/survey/volumes/boxes.h"
#include "collision/survey/volumes/sphere.h"

namespace glovebox::collision {
namespace {

constexpr Order kOrders[] = {Order::depth_first, Order::breadth_first, Order::best_first};
constexpr Descent kDescents[] = {Descent::by_area, Descent::by_depth, Descent::alternate};

struct Expected {
    std::vector<TriangleHit> hits;
    double distance_m = 1e9;
};

/// Tests every triangle against every other.
Expected brute_force(const Mesh& a, const Mesh& b, const Eigen::Isometry3f& a_from_b) {
    Expected expected;
    for (std::int32_t j = 0; j < static_cast<std::int32_t>(b.triangles.size()); ++j) {
        const Triangle of_b = transformed(a_from_b.cast<double>(), triangle_of(b, j));
        for (std::int32_t i = 0; i < static_cast<std::int32_t>(a.triangles.size()); ++i) {
            const Triangle of_a = triangle_of(a, i);
            if (triangles_touch(of_a, of_b)) expected.hits.push_back({i, j});
            expected.distance_m = std::min(expected.distance_m, distance_m(of_a, of_b));
        }
    }
    std::sort(expected.hits.begin(), expected.hits.end());
    return expected;
}

std::vector<TriangleHit> sorted(std::vector<TriangleHit> hits) {
    std::sort(hits.begin(), hits.end());
    return hits;
}

class EveryKind : public testing::TestWithParam<VolumeRow> {};

TEST_P(EveryKind, AnswersAllQuestionsAsBruteForceInAllOrders) {
    const VolumeRow& row = GetParam();
    std::mt19937 random(31);
    int touching = 0, apart = 0;
    for (const HierarchySettings settings : {HierarchySettings{Construction::top_down, Bounding::wrapped, 2},
                                             HierarchySettings{Construction::bottom_up, Bounding::layered, 1}}) {
        const Mesh torus = wavy_torus(14, 8), other = slivers(60, 5, 0.2F);
        const AnyHierarchy a = row.build(torus, settings), b = row.build(other, settings);
        for (int round = 0; round < 6; ++round) {
            const Eigen::Isometry3f pose = random_pose(random, round < 3 ? 1.3F : 3.2F);
            const Expected expected = brute_force(torus, other, pose);
            (expected.hits.empty() ? apart : touching) += 1;
            const auto exact = static_cast<float>(expected.distance_m);
            TraversalMemory memory;
            for (const Order order : kOrders)
                for (const Descent descent : kDescents) {
                    const Answer all = row.traverse(
                        a, b, pose, {.question = Question::all_pairs, .order = order, .descent = descent}, memory);
                    ASSERT_EQ(sorted(memory.hits), expected.hits);
                    ASSERT_EQ(all.found, !expected.hits.empty());
                    ASSERT_TRUE(all.complete);

                    const Answer first = row.traverse(
                        a, b, pose, {.question = Question::first_hit, .order = order, .descent = descent}, memory);
                    ASSERT_EQ(first.found, !expected.hits.empty());
                    if (first.found) {
                        ASSERT_TRUE(std::binary_search(expected.hits.begin(), expected.hits.end(), first.pair));
                    }
                    ASSERT_LE(first.n_v, all.n_v);

                    const Answer nearest = row.traverse(
                        a, b, pose, {.question = Question::distance, .order = order, .descent = descent}, memory);
                    ASSERT_TRUE(nearest.found);
                    ASSERT_NEAR(nearest.distance_m, exact, 2e-6F);
                    ASSERT_EQ(nearest.proven_m, nearest.distance_m);

                    for (const float share : {0.9F, 1.1F}) {
                        const Query bounded = {.question = Question::distance,
                                               .order = order,
                                               .descent = descent,
                                               .bound_m = share * exact};
                        const Answer within = row.traverse(a, b, pose, bounded, memory);
                        ASSERT_EQ(within.found, exact <= share * exact);
                        if (exact > 0.0F) {
                            ASSERT_LE(within.n_v, nearest.n_v);
                        }
                        const Query tolerance = {.question = Question::tolerance,
                                                 .order = order,
                                                 .descent = descent,
                                                 .bound_m = share * exact};
                        const Answer closer = row.traverse(a, b, pose, tolerance, memory);
                        ASSERT_EQ(closer.found, exact <= share * exact);
                        if (closer.found) {
                            ASSERT_LE(closer.distance_m, share * exact);
                        } else {
                            ASSERT_EQ(closer.proven_m, share * exact);
                        }
                    }
                }
        }
    }
    EXPECT_GT(touching, 2);
    EXPECT_GT(apart, 2);
}

TEST_P(EveryKind, FindsAndProvesNothingWhereThePoseIsNoPose) {
    const VolumeRow& row = GetParam();
    const AnyHierarchy a = row.build(wavy_torus(14, 8), {}), b = row.build(wavy_torus(14, 8), {});
    for (const float wrong : {std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::infinity()})
        for (const Question question :
             {Question::first_hit, Question::all_pairs, Question::distance, Question::tolerance})
            for (const Order order : kOrders)
                for (const bool turned : {false, true}) {
                    Eigen::Isometry3f pose = Eigen::Isometry3f::Identity();
                    (turned ? pose.matrix()(1, 2) : pose.matrix()(0, 3)) = wrong;
                    TraversalMemory memory;
                    const Answer answer = row.traverse(a, b, pose, {.question = question, .order = order}, memory);
                    EXPECT_FALSE(answer.found);
                    EXPECT_TRUE(memory.hits.empty());
                    EXPECT_EQ(answer.proven_m, 0.0F);
                    EXPECT_EQ(answer.n_v + answer.n_p, 0);
                }
}

INSTANTIATE_TEST_SUITE_P(Rows, EveryKind, testing::ValuesIn(volume_rows().begin(), volume_rows().end()),
                         [](const auto& param_info) {
                             std::string name(param_info.param.name);
                             std::replace(name.begin(), name.end(), '-', '_');
                             return name;
                         });

TEST(VolumeTable, TestsAgainWhatTheTraversalTested) {
    for (const VolumeRow& row : volume_rows()) {
        const AnyHierarchy a = row.build(wavy_torus(14, 8), {}), b = row.build(wavy_torus(14, 8), {});
        std::mt19937 random(3);
        const Eigen::Isometry3f pose = random_pose(random, 1.2F);
        TraversalMemory memory;
        const Answer answer = row.traverse(a, b, pose, {.question = Question::all_pairs}, memory);
        const auto pairs = row.tested_pairs(a, b, pose);
        EXPECT_EQ(static_cast<std::int64_t>(pairs.size()), answer.n_v) << row.name;
        const std::int64_t overlapping = row.test_again(a, b, pose, pairs);
        EXPECT_GT(overlapping, 0) << row.name;
        EXPECT_LT(overlapping, answer.n_v) << row.name;
        EXPECT_EQ(row.test_triangles_again(a, b, pose, pairs), static_cast<std::int64_t>(memory.hits.size()));
        EXPECT_GT(memory.hits.size(), 0U) << row.name;
    }
}

/// A clock that advances by one at each reading.
double ticks(void* context) {
    double& now = *static_cast<double*>(context);
    return now += 1.0;
}

TEST(TimeCriticalTraversal, SaysHowFarItGotAndBoundsTheDistanceFromBothSides) {
    const auto a = Hierarchy<AabbVolume>::build(wavy_torus(40, 20)), b = a;
    std::mt19937 random(12);
    const Eigen::Isometry3f pose = random_pose(random, 3.3F);
    TraversalMemory memory;
    for (const Order order : kOrders) {
        const Answer full = traverse(a, b, pose, {.question = Question::distance, .order = order}, memory);
        double last_share = 0.0;
        int interrupted = 0;
        for (const double budget : {1.0, 3.0, 10.0, 30.0, 100.0, 1e9}) {
            double now = 0.0;
            Query query = {.question = Question::distance, .order = order};
            query.deadline = {ticks, &now, budget};
            const Answer answer = traverse(a, b, pose, query, memory);
            // The proven and the found distance bracket the true one, however early the search stopped.
            EXPECT_LE(answer.proven_m, full.distance_m + 1e-6F);
            EXPECT_GE(answer.distance_m, full.distance_m - 1e-6F);
            EXPECT_GE(double{answer.share_done}, last_share);
            EXPECT_EQ(answer.complete, answer.share_done == 1.0F);
            if (!answer.complete) {
                ++interrupted;
                EXPECT_GT(answer.pairs_left, 0);
            }
            last_share = double{answer.share_done};
        }
        EXPECT_GT(interrupted, 1);
        EXPECT_EQ(last_share, 1.0);
    }
}

TEST(TimeCriticalTraversal, WithNoTimeFindsNothingAndSaysSo) {
    const auto tree = Hierarchy<SphereVolume>::build(wavy_torus(10, 6));
    double now = 5.0;
    TraversalMemory memory;
    Query query = {.question = Question::first_hit};
    query.deadline = {ticks, &now, 0.0};
    const Answer answer = traverse(tree, tree, Eigen::Isometry3f::Identity(), query, memory);
    EXPECT_FALSE(answer.complete);
    EXPECT_FALSE(answer.found);
    EXPECT_EQ(answer.share_done, 0.0F);
    EXPECT_EQ(answer.pairs_left, 1);
}

TEST(Orders, BestFirstVisitsFewestVolumesForADistance) {
    const auto a = Hierarchy<ObbVolume>::build(wavy_torus(40, 20)), b = a;
    std::mt19937 random(13);
    std::map<Order, std::int64_t> visits;
    for (int round = 0; round < 10; ++round) {
        const Eigen::Isometry3f pose = random_pose(random, 3.3F);
        TraversalMemory memory;
        for (const Order order : kOrders)
            visits[order] += traverse(a, b, pose, {.question = Question::distance, .order = order}, memory).n_v;
    }
    EXPECT_LE(visits[Order::best_first], visits[Order::depth_first]);
    EXPECT_LT(visits[Order::best_first], visits[Order::breadth_first]);
}

TEST(Front, TracksTheSamePairsAndTestsFewerVolumesWhenMotionIsSmall) {
    const auto a = Hierarchy<ObbVolume>::build(wavy_torus(40, 20)), b = a;
    Front<ObbVolume> front(a, b);
    TraversalMemory memory;
    std::vector<TriangleHit> hits;
    std::int64_t from_front = 0, from_root = 0, most = 0;
    std::size_t found = 0;
    // Into contact, through, out again and away: the front must descend and climb.
    for (int frame = 0; frame < 1000; ++frame) {
        const float t = 0.004F * static_cast<float>(frame);
        Eigen::Isometry3f pose = Eigen::Isometry3f::Identity();
        pose.linear() =
            Eigen::AngleAxisf(0.5F + 0.2F * t, Eigen::Vector3f(1, 0.3F, 0.2F).normalized()).toRotationMatrix();
        pose.translation() = Eigen::Vector3f(3.6F * std::cos(1.57F * t), 0.2F, 0.3F);
        const Answer tracked = front.track(pose, hits);
        const Answer fresh = traverse(a, b, pose, {.question = Question::all_pairs}, memory);
        ASSERT_EQ(sorted(hits), sorted(memory.hits)) << "frame " << frame;
        // Oriented boxes do not nest: a pair may overlap below one that does not, and the front still contains it.
        ASSERT_GE(tracked.n_p, fresh.n_p);
        ASSERT_LE(tracked.n_p, fresh.n_p + fresh.n_p / 4 + 8);
        from_front += tracked.n_v;
        from_root += fresh.n_v;
        most = std::max(most, front.size());
        found += hits.size();
    }
    EXPECT_GT(found, 1000U);
    EXPECT_LT(static_cast<double>(from_front), 0.75 * static_cast<double>(from_root));
    // When the objects are far apart, the front must have climbed back to a few pairs.
    Eigen::Isometry3f away = Eigen::Isometry3f::Identity();
    away.translation().x() = 50.0F;
    for (int frame = 0; frame < 400; ++frame) front.track(away, hits);
    EXPECT_GT(most, 500);
    EXPECT_EQ(front.size(), 1);
}

TEST(Front, StaysWhereItIsWhileThePoseIsNoPose) {
    const auto a = Hierarchy<ObbVolume>::build(wavy_torus(14, 8)), b = a;
    Front<ObbVolume> front(a, b);
    std::vector<TriangleHit> hits, again;
    Eigen::Isometry3f pose = Eigen::Isometry3f::Identity();
    pose.translation().x() = 0.1F;
    front.track(pose, hits);
    const std::int64_t size = front.size();
    Eigen::Isometry3f lost = pose;
    lost.translation().x() = std::numeric_limits<float>::quiet_NaN();
    const Answer answer = front.track(lost, again);
    EXPECT_FALSE(answer.found);
    EXPECT_TRUE(again.empty());
    EXPECT_EQ(answer.n_v + answer.n_p, 0);
    EXPECT_EQ(front.size(), size);
    front.track(pose, again);
    EXPECT_EQ(sorted(again), sorted(hits));
    EXPECT_GT(hits.size(), 0U);
}

std::vector<Eigen::Vector3f> rippled(const Mesh& mesh, float amplitude_m, float phase) {
    std::vector<Eigen::Vector3f> vertices = mesh.vertices_m;
    for (auto& vertex : vertices)
        vertex.y() += amplitude_m * std::sin(9.0F * vertex.x() + phase) * std::cos(7.0F * vertex.z());
    return vertices;
}

TEST(OnDemandTree, OnDemandFindsTheSamePairsAsAFullUpdate) {
    const Mesh lower = sheet(24, 0.0F), upper = sheet(24, 0.05F);
    OnDemandTree full_a(lower), full_b(upper), lazy_a(lower), lazy_b(upper);
    TraversalMemory full, lazy;
    std::size_t found = 0;
    for (int frame = 0; frame < 20; ++frame) {
        const float phase = 0.3F * static_cast<float>(frame);
        const auto of_a = rippled(lower, 0.04F, phase), of_b = rippled(upper, 0.03F, -phase);
        full_a.move(of_a, Update::full), full_b.move(of_b, Update::full);
        lazy_a.move(of_a, Update::on_demand), lazy_b.move(of_b, Update::on_demand);
        all_pairs(full_a, full_b, full);
        all_pairs(lazy_a, lazy_b, lazy);
        ASSERT_EQ(sorted(lazy.hits), sorted(full.hits));
        Mesh moved_a = lower, moved_b = upper;
        moved_a.vertices_m = of_a;
        moved_b.vertices_m = of_b;
        if (frame % 5 == 0) {
            ASSERT_EQ(sorted(full.hits), brute_force(moved_a, moved_b, Eigen::Isometry3f::Identity()).hits);
        }
        found += full.hits.size();
    }
    EXPECT_GT(found, 100U);
}

TEST(OnDemandTree, AnswersBeforeItHasMoved) {
    OnDemandTree a(wavy_torus(12, 7)), b(wavy_torus(12, 7));
    TraversalMemory memory;
    all_pairs(a, b, memory);
    EXPECT_EQ(sorted(memory.hits), brute_force(a.mesh(), b.mesh(), Eigen::Isometry3f::Identity()).hits);
}

TEST(OnDemandTree, RefusesTheVerticesOfAnotherMesh) {
    const Mesh mesh = wavy_torus(12, 7);
    OnDemandTree tree(mesh);
    for (const std::size_t count : {mesh.vertices_m.size() - 1, mesh.vertices_m.size() + 1}) {
        const std::vector<Eigen::Vector3f> vertices_m(count, Eigen::Vector3f::Zero());
        EXPECT_THROW(tree.move(vertices_m, Update::full), std::invalid_argument);
        EXPECT_EQ(tree.mesh().vertices_m, mesh.vertices_m) << "nothing has moved";
    }
}

TEST(OnDemandTree, OnDemandSparesWorkApartAndNoneInCloseProximity) {
    const auto triangles_read = [](float gap_m, Update update) {
        const Mesh lower = sheet(48, 0.0F), upper = sheet(48, gap_m);
        OnDemandTree a(lower), b(upper);
        TraversalMemory memory;
        a.move(rippled(lower, 0.03F, 0.0F), update);
        b.move(rippled(upper, 0.03F, 0.0F), update);
        all_pairs(a, b, memory);
        return a.triangles_read() + b.triangles_read() + a.boxes_fitted() + b.boxes_fitted();
    };
    EXPECT_LT(triangles_read(0.5F, Update::on_demand), triangles_read(0.5F, Update::full));
    // The claim of [Schmidl04, sec. 2]: if all boxes overlap, updating deeper levels on demand offers no advantage.
    EXPECT_GT(triangles_read(0.001F, Update::on_demand), triangles_read(0.001F, Update::full));
}

}  // namespace
}  // namespace glovebox::collision
