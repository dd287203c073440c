#include "collision/query/object_tree.h"

#include <gtest/gtest.h>

#include <limits>

#include "collision/box/convex_hull.h"
#include "collision/mesh/mesh_tree.h"
#include "collision/query/collide.h"
#include "tests/collision/made_bodies.h"
#include "tests/collision/made_meshes.h"

namespace glovebox::collision {
namespace {

constexpr int kBones = 12;
constexpr float kRoom_m = 0.8F;

// Balls, boxes, hulls and meshes of a few centimetres, scattered in a room.
class Things {
  public:
    Things(int count, RandomShapes& random) : random_(random) {
        Mesh ball = icosphere(2, 0.05F);
        ball_ = MeshTree::build(std::move(ball));
        Mesh ring = bumpy_torus(16, 8);
        for (Eigen::Vector3f& vertex_m : ring.vertices_m) vertex_m *= 0.08F;
        ring_ = MeshTree::build(std::move(ring));
        hull_ = ConvexHull::from_points(icosphere(1, 0.04F).vertices_m);
        for (int i = 0; i < count; ++i) {
            shapes_.push_back(made(i));
            poses_.push_back(random.pose(kRoom_m));
        }
        place();
    }
    // One in ten moves slightly, one in thirty moves anywhere, and some of them rotate.
    void step() {
        for (Eigen::Isometry3f& pose : poses_) {
            const float chance = random_.between(0.0F, 1.0F);
            if (chance < 0.1F) pose.translation() += random_.vector(0.01F);
            if (chance < 0.03F) pose.translation() = random_.vector(kRoom_m);
            if (chance < 0.01F) pose = random_.pose(kRoom_m);
        }
        place();
    }
    std::vector<Collider> colliders;

  private:
    Shape made(int i) {
        switch (i % 4) {
            case 0:
                return RoundCone{Eigen::Vector3f::Zero(), {0.03F, 0.0F, 0.0F}, 0.02F, 0.03F};
            case 1:
                return RoundedBox{random_.box(0.01F, 0.06F, 0.0F), 0.0F};
            case 2:
                return HullInstance{hull_};
            default:
                return MeshInstance{i % 8 == 3 ? ball_ : ring_};
        }
    }
    void place() {
        colliders.clear();
        for (std::size_t i = 0; i < shapes_.size(); ++i) {
            const Shape shape = transformed(poses_[i], shapes_[i]);
            colliders.push_back({shape, transformed(poses_[i], bounding_box(shapes_[i]))});
        }
    }

    RandomShapes& random_;
    std::shared_ptr<const MeshTree> ball_, ring_;
    std::shared_ptr<const ConvexHull> hull_;
    std::vector<Shape> shapes_;
    std::vector<Eigen::Isometry3f> poses_;
};

struct Found {
    std::vector<Candidate> candidates;
    CollideCounts counts;
};
Found found(const RefitMethod& method, const ArticulatedBody& body, const BodyPose& pose,
            std::span<const Collider> objects, float margin_m, const ObjectTree* tree, std::uint32_t mask = ~0U) {
    Found result;
    BodyBoxes boxes;
    method.refit(body, pose, boxes);
    find_candidates(method, body, pose, boxes, objects, margin_m, result.candidates, result.counts, mask, nullptr,
                    tree);
    return result;
}

bool operator==(const Found& a, const Found& b) {
    return std::ranges::equal(a.candidates, b.candidates, [](const Candidate& x, const Candidate& y) {
        return x.bone == y.bone && x.object == y.object;
    });
}

TEST(ObjectTree, FindsTheCandidatesOfTheBruteWalkInEveryFrame) {
    RandomShapes random(11);
    const ArticulatedBody body = make_chain(kBones);
    std::size_t candidates = 0;
    std::int64_t with = 0, without = 0;
    for (const int count : {64, 300, 1000}) {
        Things things(count, random);
        ObjectTree tree;
        for (int frame = 0; frame < 60; ++frame, things.step()) {
            tree.update(things.colliders);
            const BodyPose pose = strewn_bones(kBones, 0.15F, random);
            const float margin_m = frame % 2 == 0 ? 0.0F : 0.02F;
            const RefitMethod& method = refit_methods()[static_cast<std::size_t>(frame) % refit_methods().size()];
            const Found brute = found(method, body, pose, things.colliders, margin_m, nullptr),
                        fast = found(method, body, pose, things.colliders, margin_m, &tree);
            ASSERT_TRUE(fast == brute) << method.name << ", frame " << frame;
            if (method.kind == BoxKind::none) continue;
            candidates += brute.candidates.size();
            with += fast.counts.n_v;
            without += brute.counts.n_v;
        }
    }
    EXPECT_GT(candidates, 500U);
    EXPECT_LT(3 * with, without);
}

// A trace has every test, one object after the other; without one, the objects' boxes are tested together.
TEST(ObjectTree, ObjectsTestedTogetherGiveTheCandidatesAndCountsOfOneAfterTheOther) {
    RandomShapes random(26);
    const ArticulatedBody body = make_chain(kBones);
    std::size_t candidates = 0, largest = 0;
    for (const int count : {3, 4, 40, 64, 65, 300}) {
        Things things(count, random);
        for (int frame = 0; frame < 60; ++frame, things.step()) {
            BodyPose pose = strewn_bones(kBones, 0.3F, random);
            if (frame % 5 == 0) pose.leaf_boxes[3].center_m.x() = std::numeric_limits<float>::quiet_NaN();
            for (const RefitMethod& method : refit_methods()) {
                BodyBoxes boxes;
                method.refit(body, pose, boxes);
                DescentMemory memory{kBones}, traced{kBones};
                std::vector<BoxTest> trace;
                traced.trace = &trace;
                Found together, one_by_one;
                find_candidates(method, body, pose, boxes, things.colliders, 0.02F, together.candidates,
                                together.counts, ~0U, &memory);
                find_candidates(method, body, pose, boxes, things.colliders, 0.02F, one_by_one.candidates,
                                one_by_one.counts, ~0U, &traced);
                ASSERT_TRUE(together == one_by_one) << method.name << ", frame " << frame;
                ASSERT_EQ(together.counts.n_v_object, one_by_one.counts.n_v_object) << method.name;
                ASSERT_EQ(together.counts.n_v, one_by_one.counts.n_v) << method.name;
                candidates += together.candidates.size();
                largest = std::max(largest, memory.targets.size());
            }
        }
    }
    EXPECT_GT(candidates, 10'000U);
    EXPECT_GT(largest, 16U);
}

TEST(ObjectTree, OfFewObjectsAllAreTested) {
    RandomShapes random(12);
    const ArticulatedBody body = make_chain(kBones);
    Things things(static_cast<int>(ObjectTree::kMinObjects) - 1, random);
    ObjectTree tree;
    tree.update(things.colliders);
    const BodyPose pose = strewn_bones(kBones, 0.15F, random);
    const RefitMethod& cab = refit_methods().front();
    EXPECT_EQ(found(cab, body, pose, things.colliders, 0.0F, &tree).counts.n_v,
              found(cab, body, pose, things.colliders, 0.0F, nullptr).counts.n_v);
}

TEST(ObjectTree, FollowsWhatComesGoesAndHasNoPlace) {
    RandomShapes random(13);
    const ArticulatedBody body = make_chain(kBones);
    const RefitMethod& cab = refit_methods().front();
    Things things(200, random);
    ObjectTree tree;
    tree.update(things.colliders);
    const BodyPose pose = strewn_bones(kBones, 0.3F, random);
    ASSERT_FALSE(found(cab, body, pose, things.colliders, 0.1F, &tree).candidates.empty());
    const auto agree = [&](const char* what) {
        tree.update(things.colliders);
        EXPECT_TRUE(found(cab, body, pose, things.colliders, 0.1F, &tree) ==
                    found(cab, body, pose, things.colliders, 0.1F, nullptr))
            << what;
    };
    for (std::size_t i = 0; i < things.colliders.size(); i += 3)
        things.colliders[i].box.center_m.x() = std::numeric_limits<float>::quiet_NaN();
    agree("nowhere");
    things.step();
    agree("back");
    const Eigen::Isometry3f lifted(Eigen::Translation3f(0.0F, 0.5F, 0.0F));
    for (Collider& collider : things.colliders)
        collider = {transformed(lifted, collider.shape), transformed(lifted, collider.box)};
    agree("elsewhere");
    things.colliders.resize(150);
    agree("fewer");
    things.step();
    agree("more");
    for (std::size_t i = 0; i < things.colliders.size(); i += 2) things.colliders[i].mask = 2U;
    EXPECT_TRUE(found(cab, body, pose, things.colliders, 0.1F, &tree, 1U) ==
                found(cab, body, pose, things.colliders, 0.1F, nullptr, 1U));
}

}  // namespace
}  // namespace glovebox::collision
