// Passes invalid input to every builder and every query: each returns a defined result or reports one clear error.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "collision/box/convex_hull.h"
#include "collision/contact/contact_points.h"
#include "collision/mesh/build.h"
#include "collision/mesh/mesh_tree.h"
#include "collision/query/collide.h"
#include "collision/query/mesh_pair.h"
#include "collision/query/sweep.h"
#include "collision/survey/fit/fitters.h"
#include "collision/survey/tree/sample_meshes.h"
#include "tests/collision/made_meshes.h"
#include "tests/collision/random_shapes.h"

namespace glovebox::collision {
namespace {

using Eigen::Vector3f;

constexpr float kNan = std::numeric_limits<float>::quiet_NaN(), kInfinity = std::numeric_limits<float>::infinity();

struct BadMesh {
    std::string name;
    Mesh mesh;
    bool legal;
};

Mesh with_vertex(const Vector3f& vertex) {
    Mesh mesh = box_mesh({0.5F, 0.5F, 0.5F});
    mesh.vertices_m[3] = vertex;
    return mesh;
}
Mesh coincident(int count) {
    Mesh mesh;
    mesh.vertices_m = {{0.0F, 0.0F, 0.0F}, {1.0F, 0.0F, 0.0F}, {0.0F, 1.0F, 0.0F}};
    mesh.triangles.assign(static_cast<std::size_t>(count), {0, 1, 2});
    return mesh;
}
Mesh points_as_triangles(int count) {
    Mesh mesh;
    mesh.vertices_m = {{0.25F, 0.5F, -0.25F}};
    mesh.triangles.assign(static_cast<std::size_t>(count), {0, 0, 0});
    return mesh;
}
Mesh fan(int blades) {  // all triangles share one edge
    Mesh mesh;
    mesh.vertices_m = {{0.0F, -0.5F, 0.0F}, {0.0F, 0.5F, 0.0F}};
    for (int i = 0; i < blades; ++i) {
        const float angle = 6.2831853F * static_cast<float>(i) / static_cast<float>(blades);
        mesh.vertices_m.emplace_back(std::cos(angle), 0.0F, std::sin(angle));
        mesh.triangles.push_back({0, 1, static_cast<std::uint32_t>(i + 2)});
    }
    return mesh;
}
Mesh shrinking_series(int count) {  // each is a third of the previous one, so no split balances the tree
    Mesh mesh;
    float size = 1.0F;
    for (int i = 0; i < count; ++i, size /= 3.0F) {
        const auto first = static_cast<std::uint32_t>(mesh.vertices_m.size());
        for (const Vector3f& v : {Vector3f(size, 0.0F, 0.0F), Vector3f(size, size, 0.0F), Vector3f(size, 0.0F, size)})
            mesh.vertices_m.push_back(v);
        mesh.triangles.push_back({first, first + 1, first + 2});
    }
    return mesh;
}

std::vector<BadMesh> meshes() {
    Mesh out_of_range = box_mesh({0.5F, 0.5F, 0.5F}), doubled = out_of_range;
    out_of_range.triangles[5][1] = 8;
    doubled.triangles.insert(doubled.triangles.end(), doubled.triangles.begin(), doubled.triangles.begin() + 12);
    return {
        {"NaN vertex", with_vertex({0.0F, kNan, 0.0F}), false},
        {"infinite vertex", with_vertex({kInfinity, 0.0F, 0.0F}), false},
        {"negative infinite vertex", with_vertex({0.0F, 0.0F, -kInfinity}), false},
        {"index out of range", out_of_range, false},
        {"empty", {}, false},
        {"vertices without triangles", {{{0.0F, 0.0F, 0.0F}}, {}}, false},
        {"one triangle", coincident(1), true},
        {"one triangle that is a line",
         {{{0.0F, 0.0F, 0.0F}, {1.0F, 0.0F, 0.0F}, {0.5F, 0.0F, 0.0F}}, {{0, 1, 2}}},
         true},
        {"one triangle that is a point", points_as_triangles(1), true},
        {"duplicate triangles", doubled, true},
        {"100,000 coincident triangles", coincident(100'000), true},
        {"100,000 coincident points", points_as_triangles(100'000), true},
        {"coordinates of 1e-6", scaled(torus(20, 10), 1e-6F), true},
        {"coordinates of 1e6", scaled(torus(20, 10), 1e6F), true},
        {"non-manifold soup", soup(500, 0.3, 5), true},
        {"an edge of fifty triangles", fan(50), true},
        {"sizes that shrink by three", shrinking_series(40), true},
    };
}

bool finite(const Contact& contact) {
    return std::isfinite(contact.distance_m) && contact.normal.allFinite() && contact.on_body_m.allFinite() &&
           contact.on_object_m.allFinite() && std::abs(contact.normal.norm() - 1.0F) < 1e-3F;
}

float size_of(const Mesh& mesh) {
    float size = 0.0F;
    for (const Vector3f& v : mesh.vertices_m) size = std::max(size, v.cwiseAbs().maxCoeff());
    return size;
}

// Returns the least distance from the bone's core to any triangle, minus the radius: a closed form without a tree.
double brute_gap(const RoundCone& bone, const Mesh& mesh) {
    double gap = std::numeric_limits<double>::infinity();
    for (int i = 0; i < static_cast<int>(mesh.triangles.size()); ++i)
        gap = std::min(gap, closest(RoundSegment{bone.a_m.cast<double>(), bone.b_m.cast<double>(),
                                                 double{bone.radius_a_m}, double{bone.radius_b_m}},
                                    triangle_of(mesh, i))
                                .gap);
    return gap;
}

TEST(BadInput, EveryBuilderRefusesTheSameMeshes) {
    for (const BadMesh& bad : meshes()) {
        if (bad.legal) {
            EXPECT_NO_THROW(MeshTree::build(bad.mesh)) << bad.name;
            EXPECT_NO_THROW(build_tree(bad.mesh)) << bad.name;
            EXPECT_NO_THROW(ObbTree::build(bad.mesh)) << bad.name;
        } else {
            EXPECT_THROW(MeshTree::build(bad.mesh), std::invalid_argument) << bad.name;
            EXPECT_THROW(build_tree(bad.mesh), std::invalid_argument) << bad.name;
            EXPECT_THROW(ObbTree::build(bad.mesh), std::invalid_argument) << bad.name;
        }
    }
    EXPECT_THROW(ConvexHull::from_points({}), std::invalid_argument);
    const std::array<Vector3f, 2> bad_points = {Vector3f::Zero(), Vector3f(0.0F, kNan, 0.0F)};
    EXPECT_THROW(ConvexHull::from_points(bad_points), std::invalid_argument);
}

TEST(BadInput, EveryQueryOfALegalMeshIsFiniteAndRight) {
    for (const BadMesh& bad : meshes()) {
        if (!bad.legal) continue;
        const float size = size_of(bad.mesh);
        const auto tree = MeshTree::build(bad.mesh);
        const Shape object = MeshInstance{tree};
        RandomShapes random(81);
        CollideCounts counts;
        const int rounds = bad.mesh.triangles.size() > 10'000 ? 2 : 30;
        for (int round = 0; round < rounds; ++round) {
            RoundCone bone = random.cone(0.4F * size, 0.1F * size, 1.5F * size);
            for (const Shape& shape :
                 {Shape(bone),
                  Shape(RoundedBox{{bone.a_m, random.rotation(), 0.2F * size * Vector3f::Ones()}, bone.radius_a_m})}) {
                Contact contact;
                ASSERT_TRUE(closest(shape, object, 10.0F * size, contact, counts)) << bad.name;
                ASSERT_TRUE(finite(contact)) << bad.name;
                // Coincident triangles are equally near: no tree separates them, and contact points would be many.
                if (rounds == 2) continue;
                const auto points = contact_points(shape, object, contact.distance_m, counts);
                for (const Contact& point : points.all()) ASSERT_TRUE(finite(point)) << bad.name;
            }
            Contact contact;
            closest(Shape(bone), object, 10.0F * size, contact, counts);
            if (!tree->closed() || contact.distance_m > 0.0F) {
                ASSERT_NEAR(contact.distance_m, brute_gap(bone, bad.mesh), 1e-5F * size) << bad.name;
            }
        }
    }
}

TEST(BadInput, HullsAndSweepsMeetEveryLegalMeshWithADefinedAnswer) {
    for (const BadMesh& bad : meshes()) {
        if (!bad.legal || bad.mesh.triangles.size() > 10'000) continue;
        const float size = size_of(bad.mesh);
        const auto tree = MeshTree::build(bad.mesh);
        const Shape object = MeshInstance{tree};
        RandomShapes random(83);
        std::vector<Vector3f> corners;
        for (int i = 0; i < 10; ++i) corners.push_back(0.1F * size * random.direction());
        const auto hull = ConvexHull::from_points(corners);
        CollideCounts counts;
        for (int round = 0; round < 10; ++round) {
            Eigen::Isometry3f pose = random.pose(1.0F);
            pose.translation() *= size;
            Contact contact;
            ASSERT_TRUE(closest(HullInstance{hull, pose}, object, 10.0F * size, contact, counts)) << bad.name;
            ASSERT_TRUE(finite(contact)) << bad.name;

            // From afar through the middle and out again. Motion longer than any sweep is reported as a teleport.
            const Vector3f from = 1.5F * size * random.direction();
            BoneMotion motion{RoundCone{from, from, 0.05F * size, 0.05F * size}, Eigen::Isometry3f::Identity()};
            motion.end_from_start.translation() = -2.0F * from;
            const SweepResult way = sweep(motion, object, counts, {.min_step_m = 0.02F * size});
            if (3.0F * size > 1.01F * kLongestSweep_m) {
                ASSERT_EQ(way.end, SweepEnd::teleport) << bad.name;
            } else {
                ASSERT_TRUE(way.fraction >= 0.0F && way.fraction <= 1.0F) << bad.name;
                ASSERT_LE(way.steps, 200) << bad.name;
                ASSERT_TRUE(way.end != SweepEnd::touches || finite(way.contact)) << bad.name;
            }
        }
    }
}

TEST(BadInput, EveryFitterAndSplitterBuildsEveryLegalMeshOrRefusesTheRest) {
    for (const BadMesh& bad : meshes()) {
        if (bad.mesh.triangles.size() > 10'000) continue;  // coincident ones are slow, and tested above
        std::vector<BuildSettings> rows;
        for (const Fitter& fitter : fitters())  // genetic searches take minutes on large meshes
            if (!fitter.name.starts_with("genetic") || bad.mesh.triangles.size() <= 50)
                rows.emplace_back().fitter = &fitter;
        for (const Splitter& splitter : splitters()) rows.emplace_back().splitter = &splitter;
        for (const BuildSettings& row : rows) {
            const std::string name =
                bad.name + ", " + std::string(row.fitter->name) + ", " + std::string(row.splitter->name);
            if (!bad.legal) {
                EXPECT_THROW(build_tree(bad.mesh, row), std::invalid_argument) << name;
                continue;
            }
            const BoxTree tree = build_tree(bad.mesh, row);
            ASSERT_EQ(tree.order.size(), bad.mesh.triangles.size()) << name;
            for (const BoxTree::Node& node : tree.nodes)
                ASSERT_TRUE(node.box.center_m.allFinite() && node.box.axes.allFinite() && node.box.half_m.allFinite() &&
                            node.box.half_m.minCoeff() >= 0.0F)
                    << name;
        }
    }
}

TEST(BadInput, MeshesAgainstThemselvesAreFoundTouching) {
    for (const BadMesh& bad : meshes()) {
        if (!bad.legal) continue;
        const auto tree = ObbTree::build(bad.mesh);
        TreeQueryCounts counts;
        PairQueryMemory memory;
        EXPECT_TRUE(touch(*tree, *tree, Eigen::Isometry3f::Identity(), counts, memory)) << bad.name;
        Eigen::Isometry3f away = Eigen::Isometry3f::Identity();
        away.translation().x() = 3.0F * size_of(bad.mesh);
        EXPECT_FALSE(touch(*tree, *tree, away, counts, memory)) << bad.name;
    }
}

TEST(BadInput, BonesThatAreNotFiniteTouchNothing) {
    const Shape mesh = MeshInstance{MeshTree::build(torus(20, 10))};
    CollideCounts counts;
    for (const float bad : {kNan, kInfinity, -kInfinity}) {
        const RoundCone bone{{bad, 0.0F, 0.0F}, {1.0F, 0.0F, 0.0F}, 0.01F, 0.01F};
        EXPECT_EQ(contact_points(bone, mesh, 0.0F, counts).count, 0U) << bad;
        BoneMotion motion{RoundCone{{2.0F, 0.0F, 0.0F}, {2.1F, 0.0F, 0.0F}, 0.01F, 0.01F},
                          Eigen::Isometry3f::Identity()};
        motion.end_from_start.translation().z() = bad;
        EXPECT_EQ(sweep(motion, mesh, counts).end, SweepEnd::teleport) << bad;
    }
}

// A chain of cones and a palm around the torus below, with one bone or joint that is not finite.
constexpr std::size_t kBones = 10, kBad = 3;
BodyPose chain_in_torus(float angle_rad) {
    BodyPose pose;
    const Eigen::AngleAxisf turn(angle_rad, Vector3f::UnitY());
    for (std::size_t i = 0; i < kBones; ++i) {
        const auto at = [&](std::size_t joint) -> Vector3f {
            return turn * Vector3f(1.03F, 0.03F * static_cast<float>(joint), 0.01F);
        };
        pose.shapes.emplace_back(RoundCone{at(i), at(i + 1), 0.01F, 0.012F});
        if (i == kBad + 1)
            pose.shapes.back() = RoundedBox{{at(i), turn.toRotationMatrix(), {0.02F, 0.01F, 0.03F}}, 0.005F};
        pose.leaf_boxes.push_back(bounding_box(pose.shapes.back()));
        if (i > 0) pose.joints_m.push_back(at(i));
        pose.bone_present.push_back(1);
    }
    return pose;
}

struct Fault {
    std::string name;
    void (*corrupt)(BodyPose&, float bad);
    bool whole_bone = true;  // the bone then counts as missing
};
RoundCone& cone_of(BodyPose& pose) {
    return std::get<RoundCone>(pose.shapes[kBad]);
}
RoundedBox& palm_of(BodyPose& pose) {
    return std::get<RoundedBox>(pose.shapes[kBad] = pose.shapes[kBad + 1]);
}
const std::vector<Fault> kFaults = {
    {"cone a", [](BodyPose& pose, float bad) { cone_of(pose).a_m.y() = bad; }},
    {"cone b", [](BodyPose& pose, float bad) { cone_of(pose).b_m.x() = bad; }},
    {"cone radius a", [](BodyPose& pose, float bad) { cone_of(pose).radius_a_m = bad; }},
    {"cone radius b", [](BodyPose& pose, float bad) { cone_of(pose).radius_b_m = bad; }},
    {"cone everywhere",
     [](BodyPose& pose, float bad) {
         cone_of(pose) = {{bad, bad, bad}, {bad, bad, bad}, bad, bad};
     }},
    {"box center", [](BodyPose& pose, float bad) { palm_of(pose).core.center_m.z() = bad; }},
    {"box axes", [](BodyPose& pose, float bad) { palm_of(pose).core.axes(1, 2) = bad; }},
    {"box half", [](BodyPose& pose, float bad) { palm_of(pose).core.half_m.y() = bad; }},
    {"box radius", [](BodyPose& pose, float bad) { palm_of(pose).radius_m = bad; }},
    {"leaf center", [](BodyPose& pose, float bad) { pose.leaf_boxes[kBad].center_m.x() = bad; }},
    {"leaf axes", [](BodyPose& pose, float bad) { pose.leaf_boxes[kBad].axes(2, 0) = bad; }},
    {"leaf half", [](BodyPose& pose, float bad) { pose.leaf_boxes[kBad].half_m.z() = bad; }},
    {"joint", [](BodyPose& pose, float bad) { pose.joints_m[kBad].x() = bad; }, false},
    {"every joint",
     [](BodyPose& pose, float bad) {
         for (Vector3f& joint_m : pose.joints_m) joint_m.setConstant(bad);
     },
     false},
};

TEST(BadInput, ABoneThatIsNotFiniteTouchesNothingAndLeavesTheOthersAsTheyAre) {
    Mesh mesh = torus(160, 80);
    for (Vector3f& vertex : mesh.vertices_m) vertex *= 0.8F;
    const auto tree = MeshTree::build(std::move(mesh));
    std::vector<Vector3f> corners;
    RandomShapes random(87);
    for (int i = 0; i < 12; ++i) corners.push_back(0.1F * random.direction());
    Eigen::Isometry3f at = Eigen::Isometry3f::Identity();
    at.translation() = Vector3f(1.03F, 0.0F, 0.0F);
    const Shape ball = RoundCone{at.translation(), at.translation(), 0.05F, 0.05F};
    std::vector<Collider> objects;
    for (const Shape& shape :
         {Shape(MeshInstance{tree}), ball, Shape(HullInstance{ConvexHull::from_points(corners), at}),
          Shape(RoundedBox{{at.translation(), Eigen::Matrix3f::Identity(), {0.05F, 0.2F, 0.01F}}, 0.0F})})
        objects.push_back({shape, bounding_box(shape), ~0U});
    const ArticulatedBody body = make_chain(kBones);
    int touching = 0, apart = 0;
    for (const RefitMethod& method : refit_methods()) {
        const auto contacts_of = [&](const BodyPose& pose, BodyBoxes& boxes, DescentMemory* memory, bool all) {
            std::vector<Candidate> candidates;
            std::vector<Contact> contacts;
            CollideCounts counts;
            method.refit(body, pose, boxes);
            find_candidates(method, body, pose, boxes, objects, 0.01F, candidates, counts, ~0U, memory);
            if (all)
                find_all_contacts(pose, objects, candidates, 0.01F, contacts, counts);
            else
                find_contacts(pose, objects, candidates, 0.01F, 0.0F, contacts, counts, memory);
            return contacts;
        };
        for (const Fault& fault : kFaults) {
            for (const float bad : {kNan, kInfinity, -kInfinity}) {
                for (const bool leaf_follows : {true, false}) {
                    DescentMemory memory(kBones);
                    BodyBoxes boxes, boxes_of_memory;
                    // Not finite in the second of three frames; the bone returns afterwards.
                    for (int frame = 0; frame < 3; ++frame) {
                        BodyPose pose = chain_in_torus(0.002F * static_cast<float>(frame)), without = pose;
                        const std::string what = std::string(method.name) + ", " + fault.name + ", " +
                                                 std::to_string(bad) + ", frame " + std::to_string(frame);
                        if (frame == 1) {
                            without.bone_present[kBad] = fault.whole_bone ? 0 : 1;
                            fault.corrupt(pose, bad);
                            if (leaf_follows && fault.whole_bone && all_finite(pose.leaf_boxes[kBad]))
                                pose.leaf_boxes[kBad] = bounding_box(pose.shapes[kBad]);
                        }
                        for (const bool all : {false, true}) {
                            BodyBoxes fresh;
                            const std::vector<Contact> expected = contacts_of(without, fresh, nullptr, all);
                            for (DescentMemory* const remembered : {static_cast<DescentMemory*>(nullptr), &memory}) {
                                const std::vector<Contact> found =
                                    contacts_of(pose, remembered != nullptr ? boxes_of_memory : boxes, remembered, all);
                                ASSERT_EQ(found.size(), expected.size()) << what;
                                for (std::size_t i = 0; i < found.size(); ++i) {
                                    ASSERT_EQ(found[i].bone, expected[i].bone) << what;
                                    ASSERT_EQ(found[i].object, expected[i].object) << what;
                                    ASSERT_EQ(found[i].distance_m, expected[i].distance_m) << what;
                                }
                            }
                            touching += all ? 0 : static_cast<int>(expected.size());
                            apart += all ? 0 : static_cast<int>(kBones * objects.size() - expected.size());
                        }
                    }
                }
            }
        }
    }
    EXPECT_GT(touching, 10'000);
    EXPECT_GT(apart, 5'000);
}

// Some pairs once ignored such a limit, others found nothing.
TEST(BadInput, NothingIsWithinADistanceThatIsNoNumber) {
    RandomShapes random(85);
    const auto tree = MeshTree::build(box_mesh({0.5F, 0.5F, 0.5F}));
    const std::array<Vector3f, 4> corners = {Vector3f::Zero(), Vector3f::UnitX(), Vector3f::UnitY(), Vector3f::UnitZ()};
    const std::array<Shape, 4> shapes = {
        random.cone(1.0F, 0.1F, 0.5F),
        RoundedBox{{2.0F * Vector3f::UnitX(), random.rotation(), Vector3f::Ones()}, 0.1F},
        HullInstance{ConvexHull::from_points(corners)}, MeshInstance{tree}};
    CollideCounts counts;
    for (const Shape& a : shapes)
        for (const Shape& b : shapes) {
            Contact contact;
            EXPECT_TRUE(closest(a, b, kInfinity, contact, counts)) << a.index() << b.index();
            EXPECT_FALSE(closest(a, b, kNan, contact, counts)) << a.index() << b.index();
        }
}

TEST(BadInput, NothingTouchesAnObjectThatIsNotFinite) {
    const ArticulatedBody body = make_chain(kBones);
    const BodyPose pose = chain_in_torus(0.0F);
    CollideCounts counts;
    int touching = 0;
    for (const float bad : {0.0F, kNan, kInfinity, -kInfinity}) {
        const RoundCone cone{{1.03F, bad, 0.0F}, {1.03F, 0.1F, 0.0F}, 0.05F, 0.05F};
        const RoundCone swollen{{1.03F, 0.0F, 0.0F}, {1.03F, 0.1F, 0.0F}, 0.05F, 0.05F + bad};
        const RoundedBox box{{{1.03F, 0.0F, bad}, Eigen::Matrix3f::Identity(), {0.05F, 0.1F, 0.1F}}, 0.0F};
        for (const Shape& shape : {Shape(cone), Shape(swollen), Shape(box)}) {
            const std::vector<Collider> objects = {{shape, bounding_box(shape), ~0U}};
            for (const RefitMethod& method : refit_methods()) {
                BodyBoxes boxes;
                std::vector<Candidate> candidates;
                std::vector<Contact> contacts;
                method.refit(body, pose, boxes);
                find_candidates(method, body, pose, boxes, objects, 0.0F, candidates, counts);
                find_contacts(pose, objects, candidates, 0.0F, 0.0F, contacts, counts);
                touching += bad == 0.0F ? static_cast<int>(contacts.size()) : 0;
                if (bad != 0.0F) {
                    ASSERT_TRUE(contacts.empty()) << method.name << bad;
                }
            }
        }
    }
    EXPECT_GT(touching, 36);
}

}  // namespace
}  // namespace glovebox::collision
