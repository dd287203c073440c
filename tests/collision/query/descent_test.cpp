// The simultaneous traversal of two hierarchies against brute force: pairs found, none missed, tests counted.
#include "collision/query/descent.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <map>
#include <set>
#include <thread>
#include <tuple>

#include "collision/mesh/mesh_tree.h"
#include "collision/query/bone.h"
#include "collision/query/collide.h"
#include "tests/collision/made_meshes.h"
#include "tests/collision/random_shapes.h"

namespace glovebox::collision {
namespace {

using Eigen::Vector3f;

// Makes ground and furniture as in a scan: an open, rough sheet of triangles of a few centimetres, with slivers.
Mesh rough_ground(int side) {
    Mesh mesh;
    RandomShapes random(91);
    const auto at = [&](int i, int j) { return static_cast<std::uint32_t>(i * (side + 1) + j); };
    for (int i = 0; i <= side; ++i)
        for (int j = 0; j <= side; ++j) {
            const float x = static_cast<float>(i) / static_cast<float>(side) - 0.5F;
            const float z = static_cast<float>(j) / static_cast<float>(side) - 0.5F;
            const float step = i % 7 == 3 ? 0.04F : 0.0F;  // walls that are nearly upright
            mesh.vertices_m.emplace_back(x + random.between(-0.004F, 0.004F), step + random.between(-0.01F, 0.01F),
                                         z + random.between(-0.004F, 0.004F));
        }
    for (int i = 0; i < side; ++i)
        for (int j = 0; j < side; ++j) {
            mesh.triangles.push_back({at(i, j), at(i, j + 1), at(i + 1, j)});
            mesh.triangles.push_back({at(i, j + 1), at(i + 1, j + 1), at(i + 1, j)});
        }
    return mesh;
}

std::vector<std::shared_ptr<const MeshTree>> all_kinds() {
    return {MeshTree::build(rough_ground(60)), MeshTree::build(scaled(bumpy_torus(24, 12), 0.4F)),
            MeshTree::build(icosphere(1, 0.3F)), MeshTree::build(scaled(bumpy_torus(160, 80), 0.4F))};
}

// A chain that moves on, turns, and sometimes rests or jumps.
class Wanderer {
  public:
    explicit Wanderer(unsigned seed) : random_(seed) {}

    BodyPose next(int i, int bones) {
        if (i % 50 == 0) {
            at_ = random_.pose(0.35F);
            at_.translation().y() *= 0.2F;
            way_ = 0.004F * random_.direction();
        }
        if (i % 50 < 40) {
            at_.translation() += (i % 3 == 0 ? 3.0F : 1.0F) * way_;
            at_.linear() = (Eigen::AngleAxisf(0.04F, random_.direction()) * at_.linear()).eval();
        }
        BodyPose pose;
        for (int k = 0; k < bones; ++k) {
            const float x = 0.02F * static_cast<float>(k),
                        bend = 0.01F * std::sin(0.05F * static_cast<float>(i + 9 * k));
            pose.shapes.push_back(
                k == 3 ? transformed(
                             at_, Shape(RoundedBox{
                                      {{x, bend, 0.0F}, Eigen::Matrix3f::Identity(), {0.01F, 0.004F, 0.02F}}, 0.004F}))
                       : transformed(at_, Shape(RoundCone{{x, bend, 0.0F}, {x + 0.02F, bend, 0.0F}, 0.009F, 0.008F})));
            pose.leaf_boxes.push_back(bounding_box(pose.shapes.back()));
            pose.bone_present.push_back(i % 20 < 3 && k == 4 ? 0 : 1);
            if (k > 0) pose.joints_m.push_back(at_ * Vector3f(x, bend, 0.0F));
        }
        return pose;
    }

  private:
    RandomShapes random_;
    Eigen::Isometry3f at_ = Eigen::Isometry3f::Identity();
    Vector3f way_ = Vector3f::Zero();
};

double gap(const Shape& bone, const Triangle& triangle) {
    if (const auto* cone = std::get_if<RoundCone>(&bone)) return closest(round_segment(*cone), triangle).gap;
    const auto& box = std::get<RoundedBox>(bone);
    return closest(ConvexCore(box.core), ConvexCore(triangle)).distance - double{box.radius_m};
}

void add_triangles(const ObbTree& tree, std::int32_t child, std::set<std::int32_t>& out) {
    if (child < 0) {
        for (const std::int32_t number : tree.blocks()[static_cast<std::size_t>(~child)].triangle)
            if (number >= 0) out.insert(number);
        return;
    }
    const ObbTree::Node& node = tree.nodes()[static_cast<std::size_t>(child)];
    for (std::size_t k = 0; k < static_cast<std::size_t>(node.count); ++k) add_triangles(tree, node.child[k], out);
}

Collider mesh_at(std::shared_ptr<const MeshTree> tree, const Eigen::Isometry3f& world_from_mesh) {
    const Shape shape = MeshInstance{std::move(tree), world_from_mesh};
    return {shape, bounding_box(shape), ~0U};
}

TEST(Descent, EightBoxesAtOnceAnswerAsOneByOne) {
    const auto tree = MeshTree::build(scaled(bumpy_torus(64, 32), 0.4F));
    RandomShapes random(41);
    int met = 0, all = 0;
    for (int i = 0; i < 4'000; ++i) {
        const auto& nodes = tree->tree().nodes();
        const ObbTree::Node& node = nodes[static_cast<std::size_t>(i) * 7 % nodes.size()];
        const Obb around = tree->tree().box_of(node, 0);
        Obb box = random.box(0.005F, 0.05F, 0.03F);
        box.center_m += around.center_m;
        if (i % 9 == 0) box.axes = axes_of(node);
        if (i % 11 == 0) box.half_m[i % 3] = 0.0F;
        std::array<float, ObbTree::kWidth> area{}, area_scalar{};
        const std::uint32_t wide = overlap_children(box, node, 1e-6F, area),
                            scalar = overlap_children_scalar(box, node, 1e-6F, area_scalar);
        // Rounding may make them differ where boxes just touch.
        const std::uint32_t surely = overlap_children_scalar(box, node, 0.0F, area_scalar),
                            perhaps = overlap_children_scalar(box, node, 4e-6F, area_scalar);
        EXPECT_EQ(wide & surely, surely);
        EXPECT_EQ(wide | perhaps, perhaps);
        EXPECT_EQ(scalar | perhaps, perhaps);
        met += std::popcount(wide);
        all += node.count;
    }
    EXPECT_GT(met, all / 10);
    EXPECT_LT(met, all * 9 / 10);
    Obb nowhere;
    nowhere.center_m.x() = std::numeric_limits<float>::quiet_NaN();
    std::array<float, ObbTree::kWidth> area{};
    EXPECT_EQ(overlap_children(nowhere, tree->tree().nodes()[0], 0.0F, area), 0U);
}

TEST(Descent, PartsHoldEveryTriangleWithinTheMarginWhateverTheMethod) {
    constexpr int kBones = 12;
    const ArticulatedBody body = make_chain(kBones);
    for (const auto& tree : all_kinds()) {
        if (tree->mesh().triangles.size() > 10'000) continue;
        SCOPED_TRACE(tree->mesh().triangles.size());
        Wanderer wanderer(96);
        DescentMemory memory(kBones);
        std::int64_t within = 0, handed_on = 0;
        for (int i = 0; i < 60; ++i) {
            const BodyPose pose = wanderer.next(i * 7, kBones);
            const float margin_m = i % 2 == 0 ? 0.0F : 0.02F;
            RandomShapes random(static_cast<unsigned>(i));
            const Eigen::Isometry3f at = random.pose(0.05F);
            const std::vector<Collider> objects = {mesh_at(tree, at)};
            for (const RefitMethod& method : refit_methods()) {
                if (method.kind == BoxKind::none) continue;
                BodyBoxes boxes;
                std::vector<Candidate> candidates;
                CollideCounts counts;
                method.refit(body, pose, boxes);
                find_candidates(method, body, pose, boxes, objects, margin_m, candidates, counts, ~0U, &memory);
                std::map<std::int32_t, std::set<std::int32_t>> reached;
                for (const Candidate& candidate : candidates) {
                    ASSERT_GE(candidate.first_part, 0);
                    for (std::int32_t k = 0; k < candidate.part_count; ++k) {
                        const TreePart part = memory.parts[static_cast<std::size_t>(candidate.first_part + k)];
                        const ObbTree::Node& node = tree->tree().nodes()[static_cast<std::size_t>(part.node)];
                        for (std::size_t child = 0; child < ObbTree::kWidth; ++child)
                            if ((part.children >> child & 1U) != 0)
                                add_triangles(tree->tree(), node.child[child], reached[candidate.bone]);
                    }
                }
                for (const auto& [bone, triangles] : reached) handed_on += static_cast<std::int64_t>(triangles.size());
                const Eigen::Isometry3f mesh_from_world = at.inverse(Eigen::Isometry);
                for (std::int32_t bone = 0; bone < kBones; ++bone) {
                    if (pose.bone_present[static_cast<std::size_t>(bone)] == 0) continue;
                    const Shape in_mesh = transformed(mesh_from_world, pose.shapes[static_cast<std::size_t>(bone)]);
                    // A coarse test: bones far from the mesh need no exact test.
                    for (std::int32_t t = 0; t < static_cast<std::int32_t>(tree->mesh().triangles.size()); ++t) {
                        const Triangle triangle = triangle_of(tree->mesh(), t);
                        if ((triangle[0].cast<float>() - aabb_of(in_mesh).min_m).norm() > 0.4F) continue;
                        if (gap(in_mesh, triangle) > double{margin_m}) continue;
                        ASSERT_TRUE(reached[bone].contains(t)) << method.name << " bone " << bone << " triangle " << t;
                        ++within;
                    }
                }
            }
        }
        EXPECT_GT(within, 500);
        EXPECT_LT(handed_on, 400 * within) << "not simply everything";
    }
}

TEST(Descent, ChangesNoContactAndEveryMethodFindsThoseOfBruteForce) {
    constexpr int kBones = 12;
    const ArticulatedBody body = make_chain(kBones);
    const auto kinds = all_kinds();
    DescentMemory memory(kBones);
    Wanderer wanderer(97);
    std::int64_t found = 0, found_all = 0, n_v_tree = 0, inside = 0;
    for (int i = 0; i < 1'000; ++i) {
        const BodyPose pose = wanderer.next(i, kBones);
        Eigen::Isometry3f moving = Eigen::Isometry3f::Identity();
        moving.translation().y() = 0.02F * std::sin(0.1F * static_cast<float>(i));
        std::vector<Collider> objects = {
            mesh_at(kinds[static_cast<std::size_t>(i) % 2], moving),
            mesh_at(kinds[2 + static_cast<std::size_t>(i / 2) % 2], Eigen::Isometry3f::Identity())};
        const Shape ball = RoundCone{Vector3f::Zero(), Vector3f::Zero(), 0.05F, 0.05F};
        objects.push_back({ball, bounding_box(ball), ~0U});
        const RefitMethod& method = refit_methods()[static_cast<std::size_t>(i) % refit_methods().size()];
        const float margin_m = i % 2 == 0 ? 0.0F : 0.01F;
        std::vector<Contact> contacts[3], all[3];
        for (std::size_t with = 0; with < 3; ++with) {
            const RefitMethod& row = with == 2 ? refit_methods().back() : method;
            BodyBoxes boxes;
            std::vector<Candidate> candidates;
            CollideCounts counts;
            row.refit(body, pose, boxes);
            find_candidates(row, body, pose, boxes, objects, margin_m, candidates, counts, ~0U,
                            with == 1 ? &memory : nullptr);
            find_contacts(pose, objects, candidates, margin_m, 0.0F, contacts[with], counts,
                          with == 1 ? &memory : nullptr);
            CollideCounts of_all;
            find_all_contacts(pose, objects, candidates, margin_m, all[with], of_all, with == 1 ? &memory : nullptr);
            std::sort(all[with].begin(), all[with].end(), [](const Contact& a, const Contact& b) {
                return std::tie(a.object, a.bone, a.triangle) < std::tie(b.object, b.bone, b.triangle);
            });
            EXPECT_EQ(counts.n_v, counts.n_v_object + counts.n_v_tree);
            if (with == 1) n_v_tree += counts.n_v_tree;
        }
        for (const std::size_t other : {std::size_t{0}, std::size_t{2}}) {
            ASSERT_EQ(contacts[1].size(), contacts[other].size()) << i << ' ' << method.name;
            for (std::size_t k = 0; k < contacts[1].size(); ++k) {
                ASSERT_EQ(contacts[1][k].bone, contacts[other][k].bone);
                ASSERT_EQ(contacts[1][k].object, contacts[other][k].object);
                ASSERT_EQ(contacts[1][k].triangle, contacts[other][k].triangle);
                ASSERT_EQ(contacts[1][k].distance_m, contacts[other][k].distance_m);
                ASSERT_EQ(contacts[1][k].normal, contacts[other][k].normal);
                ASSERT_EQ(contacts[1][k].on_body_m, contacts[other][k].on_body_m);
                inside += contacts[1][k].distance_m < -0.03F ? 1 : 0;
            }
        }
        ASSERT_EQ(all[1].size(), all[0].size()) << i << ' ' << method.name;
        for (std::size_t k = 0; k < all[1].size(); ++k) {
            ASSERT_EQ(all[1][k].bone, all[0][k].bone);
            ASSERT_EQ(all[1][k].object, all[0][k].object);
            ASSERT_EQ(all[1][k].triangle, all[0][k].triangle);
            ASSERT_EQ(all[1][k].distance_m, all[0][k].distance_m);
        }
        found += static_cast<std::int64_t>(contacts[1].size());
        found_all += static_cast<std::int64_t>(all[1].size());
    }
    EXPECT_GT(found, 2'000);
    EXPECT_GT(found_all, 4'000);
    EXPECT_GT(inside, 50) << "bones that are inside a solid as a whole";
    EXPECT_GT(n_v_tree, 10'000);
}

// A copy that runs elsewhere, at the same time, must not change what the original finds or how many tests it needs.
TEST(DescentMemory, CopiesAreIndependentAndContinueAlike) {
    constexpr int kBones = 12, kFrames = 200;
    const ArticulatedBody body = make_chain(kBones);
    const auto kinds = all_kinds();
    const Shape box = RoundedBox{{{0.0F, 0.02F, 0.0F}, Eigen::Matrix3f::Identity(), {0.2F, 0.02F, 0.2F}}, 0.002F};
    const std::vector<Collider> objects = {mesh_at(kinds[0], Eigen::Isometry3f::Identity()),
                                           mesh_at(kinds[3], Eigen::Isometry3f::Identity()),
                                           {box, bounding_box(box), ~0U}};
    std::vector<BodyPose> first, second, elsewhere;
    Wanderer wanderer(99), other_wanderer(100);
    for (int i = 0; i < kFrames; ++i) first.push_back(wanderer.next(i, kBones));
    for (int i = 0; i < kFrames; ++i) second.push_back(wanderer.next(kFrames + i, kBones));
    for (int i = 0; i < kFrames; ++i) elsewhere.push_back(other_wanderer.next(i, kBones));

    struct Run {
        std::vector<Contact> contacts;
        CollideCounts counts;
    };
    const auto run = [&](DescentMemory& memory, const std::vector<BodyPose>& poses) {
        Run result;
        const RefitMethod& cab = refit_methods().front();
        BodyBoxes boxes;
        std::vector<Candidate> candidates;
        for (const BodyPose& pose : poses) {
            candidates.clear();
            cab.refit(body, pose, boxes);
            find_candidates(cab, body, pose, boxes, objects, 0.01F, candidates, result.counts, ~0U, &memory);
            find_contacts(pose, objects, candidates, 0.01F, 0.0F, result.contacts, result.counts, &memory);
        }
        return result;
    };
    DescentMemory alone(kBones), original(kBones);
    run(alone, first);
    const Run expected = run(alone, second);
    run(original, first);
    DescentMemory away(original), assigned(3), same(original);
    assigned = original;
    EXPECT_EQ(away.parts.capacity(), original.parts.capacity());
    EXPECT_EQ(away.found.capacity(), original.found.capacity());
    Run found;
    std::thread beside([&] { run(away, elsewhere); });
    std::thread continues([&] { found = run(original, second); });
    beside.join();
    continues.join();

    DescentMemory fresh(kBones);
    EXPECT_NE(run(fresh, second).counts.n_v_exact, expected.counts.n_v_exact) << "the memory saves no test";
    ASSERT_GT(expected.contacts.size(), 500U);
    for (const Run& result : {found, run(assigned, second), run(same, second)}) {
        EXPECT_EQ(result.counts.n_p, expected.counts.n_p);
        EXPECT_EQ(result.counts.n_v_exact, expected.counts.n_v_exact);
        ASSERT_EQ(result.contacts.size(), expected.contacts.size());
        for (std::size_t k = 0; k < expected.contacts.size(); ++k) {
            ASSERT_EQ(result.contacts[k].bone, expected.contacts[k].bone);
            ASSERT_EQ(result.contacts[k].distance_m, expected.contacts[k].distance_m);
            ASSERT_EQ(result.contacts[k].on_body_m, expected.contacts[k].on_body_m);
        }
    }
}

TEST(Descent, OpensBothHierarchiesAndItsTraceHoldsWhatIsCounted) {
    constexpr int kBones = 12;
    const ArticulatedBody body = make_chain(kBones);
    const auto tree = MeshTree::build(rough_ground(60));
    const std::vector<Collider> objects = {mesh_at(tree, Eigen::Isometry3f::Identity())};
    Wanderer wanderer(98);
    DescentMemory memory(kBones);
    std::vector<BoxTest> trace;
    memory.trace = &trace;
    CollideCounts counts;
    std::int64_t traced_object = 0, traced_tree = 0, every_bone_and_box = 0;
    std::set<std::int32_t> body_nodes, tree_nodes;
    for (int i = 0; i < 200; ++i) {
        const BodyPose pose = wanderer.next(i * 5, kBones);
        BodyBoxes boxes;
        std::vector<Candidate> candidates;
        const RefitMethod& cab = refit_methods().front();
        cab.refit(body, pose, boxes);
        trace.clear();
        find_candidates(cab, body, pose, boxes, objects, 0.02F, candidates, counts, ~0U, &memory);
        for (const BoxTest& test : trace) {
            EXPECT_EQ(test.met & ~test.tested, 0U);
            (test.tree_node < 0 ? traced_object : traced_tree) += std::popcount(test.tested);
            if (test.tree_node < 0) continue;
            body_nodes.insert(test.body_node);
            tree_nodes.insert(test.tree_node);
        }
        every_bone_and_box += kBones * static_cast<std::int64_t>(8 * tree->tree().nodes().size());
    }
    EXPECT_EQ(traced_object, counts.n_v_object);
    EXPECT_EQ(traced_tree, counts.n_v_tree);
    EXPECT_EQ(counts.n_v, counts.n_v_object + counts.n_v_tree);
    EXPECT_EQ(body_nodes.size(), static_cast<std::size_t>(body.node_count())) << "inner nodes and leaves alike";
    EXPECT_GT(tree_nodes.size(), 50U);
    EXPECT_GT(counts.n_v_tree, 200);
    EXPECT_LT(counts.n_v_tree, every_bone_and_box / 20);
}

TEST(Descent, ABodyThatReachesMoreThanThereIsRoomForBeginsAtTheRoot) {
    constexpr int kBones = 2500;
    const ArticulatedBody body = make_chain(kBones);
    const auto tree = MeshTree::build(rough_ground(60));
    const std::vector<Collider> objects = {mesh_at(tree, Eigen::Isometry3f::Identity())};
    BodyPose pose;
    for (int k = 0; k < kBones; ++k) {
        const float angle = 0.1F * static_cast<float>(k), out = 0.00017F * static_cast<float>(k);
        const Vector3f at(out * std::cos(angle), 0.0F, out * std::sin(angle));
        pose.shapes.push_back(RoundCone{at, at + Vector3f(0.03F, 0.0F, 0.0F), 0.01F, 0.01F});
        pose.leaf_boxes.push_back(bounding_box(pose.shapes.back()));
        pose.bone_present.push_back(1);
        if (k > 0) pose.joints_m.push_back(at);
    }
    DescentMemory memory(kBones);
    BodyBoxes boxes;
    std::vector<Candidate> candidates;
    std::vector<Contact> contacts;
    CollideCounts counts;
    const RefitMethod& cab = refit_methods().front();
    cab.refit(body, pose, boxes);
    find_candidates(cab, body, pose, boxes, objects, 0.0F, candidates, counts, ~0U, &memory);
    ASSERT_EQ(candidates.size(), static_cast<std::size_t>(kBones));
    for (const Candidate& candidate : candidates) EXPECT_EQ(candidate.first_part, -1);
    find_contacts(pose, objects, candidates, 0.0F, 0.0F, contacts, counts, &memory);
    EXPECT_EQ(contacts.size(), static_cast<std::size_t>(kBones));
}

}  // namespace
}  // namespace glovebox::collision
