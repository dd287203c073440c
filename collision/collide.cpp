#include "collision/collide.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cassert>
#include <functional>

#include "collision/convex_hull.h"
#include "collision/exact/bone.h"
#include "collision/exact/hull_mesh.h"
#include "collision/exact/hull_pair.h"
#include "collision/exact/mesh_depth.h"
#include "collision/may_reach.h"
#include "collision/mesh_tree.h"

namespace glovebox::collision {
namespace {

// ---- box tests

Obb grown(const Obb& box, float by_m) {
    Obb result = box;
    result.half_m.array() += by_m;
    return result;
}

// The object's side of the walk, made once per object.
struct Target {
    Obb box;
    Aabb aabb;
    const MeshInstance* mesh = nullptr;
    Eigen::Isometry3f mesh_from_world;
};

Target target_of(const Collider& object, float margin_m) {
    Target target;
    target.box = grown(object.box, margin_m);
    target.aabb = aabb_of(target.box);
    target.mesh = std::get_if<MeshInstance>(&object.shape);
    if (target.mesh != nullptr) target.mesh_from_world = target.mesh->world_from_mesh.inverse(Eigen::Isometry);
    return target;
}

bool leaf_reaches(const Target& target, const Obb& leaf, float margin_m, CollideCounts& counts) {
    if (target.mesh == nullptr) return true;
    MeshTreeCounts tree;
    const bool reaches = target.mesh->tree->overlaps(transformed(target.mesh_from_world, grown(leaf, margin_m)), tree);
    counts.n_v += tree.box_tests;
    counts.n_p += tree.triangle_tests;
    return reaches;
}

template <class Box, class Overlaps, class Leaf>
void walk(const ArticulatedBody& body, const std::vector<Box>& boxes, const std::vector<std::uint8_t>& present,
          const Overlaps& overlaps, const Leaf& leaf) {
    // A body's hierarchy is never deeper than its bones; 256 is two hundred more than a hand needs.
    std::array<std::int32_t, 256> stack;
    std::size_t size = 0;
    stack[size++] = body.node_count() - 1;
    while (size > 0) {
        const std::int32_t node = stack[--size];
        const auto index = static_cast<std::size_t>(node);
        if (present[index] == 0 || !overlaps(boxes[index])) continue;
        if (node < body.bone_count()) {
            leaf(node);
            continue;
        }
        const HierarchyNode& inner = body.nodes[index - static_cast<std::size_t>(body.bone_count())];
        stack[size++] = inner.child_b;
        stack[size++] = inner.child_a;
    }
}

// All leaves against one box, by the register.
template <class Leaf>
void sweep(const BodyBoxes& boxes, const Obb& target, CollideCounts& counts, const Leaf& leaf) {
    constexpr std::size_t kBlock = BoxColumns::kBlock;
    std::array<std::uint16_t, 16> hits;
    counts.n_v += static_cast<std::int64_t>(boxes.columns.size());
    if (boxes.columns.words() > hits.size()) {
        // More than 256 bones: nothing that a hand has; one by one.
        for (std::size_t bone = 0; bone < boxes.columns.size(); ++bone)
            if (boxes.present[bone] != 0 && overlap(target, boxes.obb[bone])) leaf(static_cast<std::int32_t>(bone));
        return;
    }
    if (overlaps(target, boxes.columns, hits) == 0) return;
    for (std::size_t word = 0; word < boxes.columns.words(); ++word)
        for (unsigned bits = hits[word]; bits != 0; bits &= bits - 1) {
            const std::size_t bone = kBlock * word + static_cast<std::size_t>(std::countr_zero(bits));
            if (boxes.present[bone] != 0) leaf(static_cast<std::int32_t>(bone));
        }
}

// ---- exact tests

Contact contact_of(const ConvexPair& pair) {
    Contact contact;
    contact.distance_m = static_cast<float>(pair.distance);
    contact.normal = pair.normal.cast<float>();
    contact.on_body_m = pair.on_a.cast<float>();
    contact.on_object_m = pair.on_b.cast<float>();
    return contact;
}

ConvexCore core_of(const HullInstance& hull) {
    return ConvexCore(*hull.hull, hull.world_from_hull.cast<double>());
}

// A cone as the hull of two balls, of which the smaller radius is added last: its core is then a pointed ball or a
// segment, and stays apart as long as the depth is less than that radius.
struct CoredCone {
    RoundSegment core;
    double radius;
};
CoredCone cored(const RoundCone& cone) {
    const double radius = std::min(double{cone.radius_a_m}, double{cone.radius_b_m});
    return {{cone.a_m.cast<double>(), cone.b_m.cast<double>(), double{cone.radius_a_m} - radius,
             double{cone.radius_b_m} - radius},
            radius};
}

ConvexPair pair_of(const RoundCone& a, const RoundCone& b) {
    return closest(round_segment(a), round_segment(b));
}
ConvexPair pair_of(const RoundCone& a, const RoundedBox& b) {
    return rounded(closest(round_segment(a), b.core), 0.0, double{b.radius_m});
}
ConvexPair pair_of(const RoundedBox& a, const RoundCone& b) {
    return swapped(pair_of(b, a));
}
ConvexPair pair_of(const RoundedBox& a, const RoundedBox& b) {
    return closest(a, b);
}
ConvexPair pair_of(const RoundCone& a, const HullInstance& b) {
    const CoredCone cone = cored(a);
    return rounded(closest(ConvexCore(cone.core), core_of(b)), cone.radius, 0.0);
}
ConvexPair pair_of(const RoundedBox& a, const HullInstance& b) {
    return rounded(closest(ConvexCore(a.core), core_of(b)), double{a.radius_m}, 0.0);
}
ConvexPair pair_of(const HullInstance& a, const HullInstance& b) {
    HullPairMemory none;
    const ConvexPair in_a =
        closest(*a.hull, *b.hull, a.world_from_hull.inverse(Eigen::Isometry) * b.world_from_hull, none);
    const Eigen::Isometry3d world_from_a = a.world_from_hull.cast<double>();
    return {in_a.distance, world_from_a.linear() * in_a.normal, world_from_a * in_a.on_a, world_from_a * in_a.on_b};
}
template <class B>
ConvexPair pair_of(const HullInstance& a, const B& b) {
    return swapped(pair_of(b, a));
}

RoundCone in_frame(const Eigen::Isometry3f& target_from_cone, const RoundCone& cone) {
    return {target_from_cone * cone.a_m, target_from_cone * cone.b_m, cone.radius_a_m, cone.radius_b_m};
}
RoundedBox in_frame(const Eigen::Isometry3f& target_from_box, const RoundedBox& box) {
    return {transformed(target_from_box, box.core), box.radius_m};
}

Contact contact_of(const MeshHit& hit, const MeshInstance& mesh) {
    Contact contact;
    contact.triangle = hit.triangle;
    contact.distance_m = hit.distance_m;
    contact.normal = mesh.world_from_mesh.linear() * hit.normal;
    contact.on_body_m = mesh.world_from_mesh * hit.on_shape_m;
    contact.on_object_m = mesh.world_from_mesh * hit.on_mesh_m;
    return contact;
}

template <class Bone>
bool closest_on_mesh(const Bone& bone, const MeshInstance& mesh, float max_distance_m, Contact& contact,
                     CollideCounts& counts) {
    MeshTreeCounts tree;
    const Eigen::Isometry3f mesh_from_world = mesh.world_from_mesh.inverse(Eigen::Isometry);
    MeshHit hit;
    if constexpr (std::is_same_v<Bone, HullInstance>)
        hit = nearest(*mesh.tree, *bone.hull, mesh_from_world * bone.world_from_hull, max_distance_m, tree);
    else
        hit = mesh.tree->nearest(in_frame(mesh_from_world, bone), max_distance_m, tree);
    counts.n_v += tree.box_tests;
    counts.n_p += tree.triangle_tests;
    if (hit.triangle < 0) return false;
    contact = contact_of(hit, mesh);
    return true;
}

template <class Bone>
bool closest_to(const Bone& bone, const Shape& object, float max_distance_m, Contact& contact, CollideCounts& counts) {
    if (const auto* mesh = std::get_if<MeshInstance>(&object))
        return closest_on_mesh(bone, *mesh, max_distance_m, contact, counts);
    ++counts.n_p;
    if (const auto* cone = std::get_if<RoundCone>(&object)) contact = contact_of(pair_of(bone, *cone));
    if (const auto* box = std::get_if<RoundedBox>(&object)) contact = contact_of(pair_of(bone, *box));
    if (const auto* hull = std::get_if<HullInstance>(&object)) contact = contact_of(pair_of(bone, *hull));
    return contact.distance_m <= max_distance_m;
}

}  // namespace

void find_candidates(const RefitMethod& method, const ArticulatedBody& body, const BodyPose& pose,
                     const BodyBoxes& boxes, std::span<const Collider> objects, float margin_m,
                     std::vector<Candidate>& out, CollideCounts& counts, std::uint32_t body_mask) {
    const std::size_t before = out.size();
    for (std::size_t i = 0; i < objects.size(); ++i) {
        if ((objects[i].mask & body_mask) == 0) continue;
        const auto object = static_cast<std::int32_t>(i);
        const std::size_t first = out.size();
        if (method.kind == BoxKind::none) {
            for (std::int32_t bone = 0; bone < body.bone_count(); ++bone)
                if (pose.bone_present[static_cast<std::size_t>(bone)] != 0) out.push_back({bone, object});
            continue;
        }
        const Target target = target_of(objects[i], margin_m);
        const auto keep_if = [&](std::int32_t bone, const Obb& leaf) {
            if (leaf_reaches(target, leaf, margin_m, counts)) out.push_back({bone, object});
        };
        if (method.kind == BoxKind::oriented) {
            walk(
                body, boxes.obb, boxes.present,
                [&](const Obb& box) {
                    ++counts.n_v;
                    return overlap(box, target.box);
                },
                [&](std::int32_t bone) { keep_if(bone, boxes.obb[static_cast<std::size_t>(bone)]); });
        } else if (method.kind == BoxKind::flat) {
            sweep(boxes, target.box, counts,
                  [&](std::int32_t bone) { keep_if(bone, boxes.obb[static_cast<std::size_t>(bone)]); });
        } else {
            walk(
                body, boxes.aabb, boxes.present,
                [&](const Aabb& box) {
                    ++counts.n_v;
                    return overlap(box, target.aabb);
                },
                [&](std::int32_t bone) {
                    const auto leaf = static_cast<std::size_t>(bone);
                    if (method.leaf == LeafTest::box) return keep_if(bone, obb_of(boxes.aabb[leaf]));
                    ++counts.n_v;
                    const bool rounded = method.leaf == LeafTest::rounded && boxes.cones[leaf].radius_a_m >= 0.0F;
                    if (rounded ? may_reach(boxes.cones[leaf], target.box) : overlap(boxes.obb[leaf], target.box))
                        keep_if(bone, boxes.obb[leaf]);
                });
        }
        std::sort(out.begin() + static_cast<std::ptrdiff_t>(first), out.end(),
                  [](const Candidate& a, const Candidate& b) { return a.bone < b.bone; });
    }
    counts.candidates += static_cast<std::int64_t>(out.size() - before);
}

bool closest(const Shape& bone, const Shape& object, float max_distance_m, Contact& contact, CollideCounts& counts) {
    contact.triangle = -1;
    if (const auto* cone = std::get_if<RoundCone>(&bone))
        return closest_to(*cone, object, max_distance_m, contact, counts);
    if (const auto* box = std::get_if<RoundedBox>(&bone))
        return closest_to(*box, object, max_distance_m, contact, counts);
    if (const auto* hull = std::get_if<HullInstance>(&bone))
        return closest_to(*hull, object, max_distance_m, contact, counts);
    const auto& mesh = std::get<MeshInstance>(bone);
    if (const auto* other = std::get_if<MeshInstance>(&object)) {
        const Eigen::Isometry3f& world_from_a = mesh.world_from_mesh;
        const MeshSeparation found =
            separation(*mesh.tree, *other->tree, world_from_a.inverse(Eigen::Isometry) * other->world_from_mesh);
        counts.n_p += found.queries;
        contact.distance_m = found.distance_m;
        contact.normal = world_from_a.linear() * found.normal;
        contact.on_body_m = world_from_a * found.on_a;
        contact.on_object_m = world_from_a * found.on_b;
        return contact.distance_m <= max_distance_m;
    }
    if (!closest(object, bone, max_distance_m, contact, counts)) return false;
    std::swap(contact.on_body_m, contact.on_object_m);
    contact.normal = -contact.normal;
    return true;
}

void find_contacts(const BodyPose& pose, std::span<const Collider> objects, std::span<const Candidate> candidates,
                   float margin_m, float touch_m, std::vector<Contact>& out, CollideCounts& counts) {
    for (const Candidate& candidate : candidates) {
        Contact contact;
        if (!closest(pose.shapes[static_cast<std::size_t>(candidate.bone)],
                     objects[static_cast<std::size_t>(candidate.object)].shape, margin_m, contact, counts))
            continue;
        contact.bone = candidate.bone;
        contact.object = candidate.object;
        counts.touching += contact.distance_m <= touch_m ? 1 : 0;
        out.push_back(contact);
    }
}

void find_all_contacts(const BodyPose& pose, std::span<const Collider> objects, std::span<const Candidate> candidates,
                       float margin_m, std::vector<Contact>& out, CollideCounts& counts) {
    const MeshInstance* mesh = nullptr;
    Eigen::Isometry3f mesh_from_world;
    for (const Candidate& candidate : candidates) {
        const Shape& bone = pose.shapes[static_cast<std::size_t>(candidate.bone)];
        const Shape& object = objects[static_cast<std::size_t>(candidate.object)].shape;
        const auto* cone = std::get_if<RoundCone>(&bone);
        const auto* box = std::get_if<RoundedBox>(&bone);
        const auto* instance = std::get_if<MeshInstance>(&object);
        Contact contact;
        if (instance == nullptr || (cone == nullptr && box == nullptr)) {
            if (!closest(bone, object, margin_m, contact, counts)) continue;
            contact.bone = candidate.bone;
            contact.object = candidate.object;
            counts.touching += contact.distance_m <= 0.0F ? 1 : 0;
            out.push_back(contact);
            continue;
        }
        if (instance != mesh) mesh_from_world = instance->world_from_mesh.inverse(Eigen::Isometry);
        mesh = instance;
        MeshTreeCounts tree;
        bool touches = false;
        const auto keep = [&](const MeshHit& hit) {
            contact = contact_of(hit, *instance);
            contact.bone = candidate.bone;
            contact.object = candidate.object;
            touches = touches || contact.distance_m <= 0.0F;
            out.push_back(contact);
        };
        if (cone != nullptr)
            instance->tree->all_within(in_frame(mesh_from_world, *cone), margin_m, std::ref(keep), tree);
        else
            instance->tree->all_within(in_frame(mesh_from_world, *box), margin_m, std::ref(keep), tree);
        counts.n_v += tree.box_tests;
        counts.n_p += tree.triangle_tests;
        counts.touching += touches ? 1 : 0;
    }
}

}  // namespace glovebox::collision
