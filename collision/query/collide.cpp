#include "collision/query/collide.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cassert>
#include <cmath>
#include <functional>
#include <utility>

#include "collision/box/convex_hull.h"
#include "collision/mesh/mesh_tree.h"
#include "collision/query/bone.h"
#include "collision/query/hull_mesh.h"
#include "collision/query/hull_pair.h"
#include "collision/query/may_reach.h"
#include "collision/query/mesh_depth.h"
#include "collision/query/walk_stack.h"

namespace glovebox::collision {
namespace {

// ---- shapes

RoundCone in_frame(const Eigen::Isometry3f& target_from_cone, const RoundCone& cone) {
    return {target_from_cone * cone.a_m, target_from_cone * cone.b_m, cone.radius_a_m, cone.radius_b_m};
}
RoundedBox in_frame(const Eigen::Isometry3f& target_from_box, const RoundedBox& box) {
    return {transformed(target_from_box, box.core), box.radius_m};
}

// ---- box tests

// The object's side of the walk, made once per object.
struct Target {
    Obb box;
    const MeshInstance* mesh = nullptr;
    Eigen::Isometry3f mesh_from_world;
};

Target target_of(const Collider& object, float margin_m) {
    Target target;
    target.box = object.box.grown(margin_m);
    target.mesh = std::get_if<MeshInstance>(&object.shape);
    if (target.mesh != nullptr) target.mesh_from_world = target.mesh->world_from_mesh.inverse(Eigen::Isometry);
    return target;
}

void count(const MeshTreeCounts& tree, CollideCounts& counts) {
    counts.n_v += tree.box_tests;
    counts.n_p += tree.triangle_tests;
}

void include(Aabb& bounds, const Aabb& box) {
    bounds.include(box.min_m);
    bounds.include(box.max_m);
}

// A region spares each bone the steps down from the root. Fewer bones than this, or fewer triangles, are as fast
// without.
constexpr std::size_t kBonesWorthARegion = 8, kTrianglesWorthARegion = 20'000;
bool worth_a_region(std::size_t bones, const MeshTree& tree) {
    return bones >= kBonesWorthARegion && tree.mesh().triangles.size() >= kTrianglesWorthARegion;
}

bool remembers(const BodyMemory* memory, const MeshTree& tree) {
    return memory != nullptr && tree.is_coarse();
}

// The leaves' boxes as the mesh's frame has them.
struct LeavesInMesh {
    const Target& target;
    const BodyBoxes& boxes;
    bool aligned;
    float margin_m;

    Obb box(const Candidate& candidate) const {
        const auto leaf = static_cast<std::size_t>(candidate.bone);
        return transformed(target.mesh_from_world,
                           (aligned ? obb_of(boxes.aabb[leaf]) : boxes.obb[leaf]).grown(margin_m));
    }
    Aabb bounds(std::span<const Candidate> candidates) const {
        Aabb all;
        for (const Candidate& candidate : candidates) include(all, aabb_of(box(candidate)));
        return all;
    }
};

// The candidates whose leaf box reaches the mesh go to the front; how many.
std::size_t keep_reaching(const LeavesInMesh& leaves, std::span<Candidate> candidates, MeshTreeCounts& counts) {
    const MeshTree& tree = *leaves.target.mesh->tree;
    NearRegion region;
    const NearRegion* start = nullptr;
    if (worth_a_region(candidates.size(), tree)) {
        // All of them ask the same part of it.
        region = tree.region(leaves.bounds(candidates), counts);
        start = &region;
    }
    std::size_t kept = 0;
    for (const Candidate& candidate : candidates)
        if (tree.overlaps(leaves.box(candidate), counts, start)) candidates[kept++] = candidate;
    return kept;
}

// The place that the bones of a body look round in.
void look_round(const BodyPose& pose, std::span<const Candidate> candidates, const Target& target, float margin_m,
                MeshTreeCounts& counts, NearPlace& near) {
    const MeshTree& tree = *target.mesh->tree;
    if (!worth_a_region(candidates.size(), tree)) return;
    Aabb all;
    for (const Candidate& candidate : candidates) {
        const Shape& bone = pose.shapes[static_cast<std::size_t>(candidate.bone)];
        if (const auto* cone = std::get_if<RoundCone>(&bone)) include(all, aabb_of(*cone));
        if (const auto* box = std::get_if<RoundedBox>(&bone)) include(all, aabb_of(*box));
    }
    // A bone looks round itself; the place is the larger, the seldomer it is left.
    constexpr float kRoundABone_m = 0.02F, kRoundTheBody_m = 0.06F;
    const Aabb bounds = aabb_of(transformed(target.mesh_from_world, obb_of(all)));
    if (room_in(near.around_m, bounds) > margin_m + kRoundABone_m) return;
    near.around_m = bounds.grown(margin_m + kRoundTheBody_m);
    near.region = tree.region(near.around_m, counts);
}

// The same for a body that remembers: what it remembers says more than the box, and at once.
std::size_t keep_reaching(const BodyPose& pose, const LeavesInMesh& leaves, std::span<Candidate> candidates,
                          MeshTreeCounts& counts, PlaceMemory& memory) {
    const Target& target = leaves.target;
    const MeshTree& tree = *target.mesh->tree;
    look_round(pose, candidates, target, leaves.margin_m, counts, memory.near);
    std::size_t kept = 0;
    for (const Candidate& candidate : candidates) {
        const auto bone = static_cast<std::size_t>(candidate.bone);
        const auto may_reach = [&](const auto& in_mesh) {
            return tree.may_reach(in_mesh, leaves.margin_m, counts, memory.bones[bone], &memory.near);
        };
        bool keep = false;
        if (const auto* cone = std::get_if<RoundCone>(&pose.shapes[bone]))
            keep = may_reach(in_frame(target.mesh_from_world, *cone));
        else if (const auto* box = std::get_if<RoundedBox>(&pose.shapes[bone]))
            keep = may_reach(in_frame(target.mesh_from_world, *box));
        else
            keep = tree.overlaps(leaves.box(candidate), counts);
        if (keep) candidates[kept++] = candidate;
    }
    return kept;
}

// A hand in a room is inside the room's box as a whole, and so are its boxes.
bool holds(const Obb& outer, const Obb& inner) {
    const Eigen::Matrix3f turn = outer.axes.transpose() * inner.axes;
    const Eigen::Vector3f reach = turn.cwiseAbs() * inner.half_m;
    const Eigen::Vector3f between = outer.axes.transpose() * (inner.center_m - outer.center_m);
    return (between.cwiseAbs() + reach - outer.half_m).maxCoeff() <= 0.0F;
}

template <class Box, class Overlaps, class Leaf>
void walk(const ArticulatedBody& body, const std::vector<Box>& boxes, const std::vector<std::uint8_t>& present,
          const Overlaps& overlaps, const Leaf& leaf) {
    // One more waits than the hierarchy is deep: two hundred more than a hand needs.
    WalkStack<std::int32_t, 256> stack;
    stack.push(body.node_count() - 1);
    while (!stack.empty()) {
        const std::int32_t node = stack.pop();
        const auto index = static_cast<std::size_t>(node);
        if (present[index] == 0 || !overlaps(boxes[index])) continue;
        if (node < body.bone_count()) {
            leaf(node);
            continue;
        }
        const HierarchyNode& inner = body.nodes[index - static_cast<std::size_t>(body.bone_count())];
        stack.push(inner.child_b);
        stack.push(inner.child_a);
    }
}

void meet_tree_of_obbs(const ArticulatedBody& body, const BodyBoxes& boxes, const Obb& target, std::int32_t object,
                       std::vector<Candidate>& out, CollideCounts& counts) {
    walk(
        body, boxes.obb, boxes.present,
        [&](const Obb& box) {
            ++counts.n_v;
            return overlap(box, target);
        },
        [&](std::int32_t bone) {
            out.push_back({bone, object});
        });
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

// The leaves of the rows that have no oriented boxes above them.
void meet_without_tree_of_obbs(const RefitMethod& method, const ArticulatedBody& body, const BodyBoxes& boxes,
                               const Target& target, std::int32_t object, std::vector<Candidate>& out,
                               CollideCounts& counts) {
    const auto keep = [&](std::int32_t bone) { out.push_back({bone, object}); };
    if (method.kind == BoxKind::flat) return sweep(boxes, target.box, counts, keep);
    const Aabb bounds = aabb_of(target.box);
    walk(
        body, boxes.aabb, boxes.present,
        [&](const Aabb& box) {
            ++counts.n_v;
            return overlap(box, bounds);
        },
        [&](std::int32_t bone) {
            const auto leaf = static_cast<std::size_t>(bone);
            if (method.leaf == LeafTest::box) return keep(bone);
            ++counts.n_v;
            const bool rounded = method.leaf == LeafTest::rounded && boxes.cones[leaf].radius_a_m >= 0.0F;
            if (rounded ? may_reach(boxes.cones[leaf], target.box) : overlap(boxes.obb[leaf], target.box)) keep(bone);
        });
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
    count(tree, counts);
    if (hit.triangle < 0) return false;
    contact = contact_of(hit, mesh);
    return true;
}

// Bones of several candidates against one mesh: what they have in common is done once.
struct MeshRun {
    const MeshInstance* mesh = nullptr;
    std::size_t end = 0;  // candidates up to here are of this mesh
    Eigen::Isometry3f mesh_from_world;
    NearRegion region;
    const NearRegion* start = nullptr;  // the region, if there is one
    PlaceMemory* memory = nullptr;
};

// What the bones of a run can reach of the mesh.
void start_in_region(const BodyPose& pose, std::span<const Candidate> candidates, float margin_m, MeshRun& run,
                     CollideCounts& counts) {
    Aabb bounds;
    for (const Candidate& candidate : candidates) {
        const Shape& bone = pose.shapes[static_cast<std::size_t>(candidate.bone)];
        if (const auto* cone = std::get_if<RoundCone>(&bone))
            include(bounds, aabb_of(in_frame(run.mesh_from_world, *cone)));
        else if (const auto* box = std::get_if<RoundedBox>(&bone))
            include(bounds, aabb_of(in_frame(run.mesh_from_world, *box)));
    }
    MeshTreeCounts tree;
    run.region = run.mesh->tree->region(bounds.grown(margin_m), tree);
    run.start = &run.region;
    count(tree, counts);
}

// From candidate `begin` to the last one in a row of the same object.
void start_run(const BodyPose& pose, std::span<const Collider> objects, std::span<const Candidate> candidates,
               std::size_t begin, float margin_m, MeshRun& run, CollideCounts& counts, BodyMemory* memory = nullptr) {
    const std::int32_t object = candidates[begin].object;
    run.mesh = std::get_if<MeshInstance>(&objects[static_cast<std::size_t>(object)].shape);
    run.start = nullptr;
    run.memory = nullptr;
    for (run.end = begin + 1; run.end < candidates.size() && candidates[run.end].object == object;) ++run.end;
    if (run.mesh == nullptr) return;
    run.mesh_from_world = run.mesh->world_from_mesh.inverse(Eigen::Isometry);
    if (remembers(memory, *run.mesh->tree))
        run.memory = &memory->of(static_cast<std::size_t>(object), run.mesh->tree);
    else if (worth_a_region(run.end - begin, *run.mesh->tree))
        start_in_region(pose, candidates.subspan(begin, run.end - begin), margin_m, run, counts);
}

bool keep_within(float max_distance_m, const Contact& found, Contact& contact) {
    if (!(found.distance_m <= max_distance_m)) return false;
    contact = found;
    return true;
}

template <class Bone>
bool closest_to(const Bone& bone, const Shape& object, float max_distance_m, Contact& contact, CollideCounts& counts) {
    if (const auto* mesh = std::get_if<MeshInstance>(&object))
        return closest_on_mesh(bone, *mesh, max_distance_m, contact, counts);
    ++counts.n_p;
    Contact found;
    if (const auto* cone = std::get_if<RoundCone>(&object)) found = contact_of(pair_of(bone, *cone));
    if (const auto* box = std::get_if<RoundedBox>(&object)) found = contact_of(pair_of(bone, *box));
    if (const auto* hull = std::get_if<HullInstance>(&object)) found = contact_of(pair_of(bone, *hull));
    return keep_within(max_distance_m, found, contact);
}

}  // namespace

bool all_finite(const Shape& shape) {
    if (const auto* cone = std::get_if<RoundCone>(&shape))
        return std::isfinite((cone->a_m + cone->b_m).sum() + cone->radius_a_m + cone->radius_b_m);
    if (const auto* box = std::get_if<RoundedBox>(&shape)) return all_finite(box->core) && std::isfinite(box->radius_m);
    const auto* hull = std::get_if<HullInstance>(&shape);
    const Eigen::Isometry3f& pose =
        hull != nullptr ? hull->world_from_hull : std::get<MeshInstance>(shape).world_from_mesh;
    return std::isfinite(pose.linear().sum() + pose.translation().sum());
}

void find_candidates(const RefitMethod& method, const ArticulatedBody& body, const BodyPose& pose,
                     const BodyBoxes& boxes, std::span<const Collider> objects, float margin_m,
                     std::vector<Candidate>& out, CollideCounts& counts, std::uint32_t body_mask, BodyMemory* memory) {
    if (body.bone_count() == 0) return;
    const std::size_t before = out.size();
    for (std::size_t i = 0; i < objects.size(); ++i) {
        if ((objects[i].mask & body_mask) == 0) continue;
        const auto object = static_cast<std::int32_t>(i);
        const std::size_t first = out.size();
        if (method.kind == BoxKind::none) {
            for (std::int32_t bone = 0; bone < body.bone_count(); ++bone)
                if (pose.has(static_cast<std::size_t>(bone))) out.push_back({bone, object});
            continue;
        }
        const Target target = target_of(objects[i], margin_m);
        const auto keep = [&](std::int32_t bone) { out.push_back({bone, object}); };
        if (const auto root = static_cast<std::size_t>(body.node_count() - 1);
            method.kind == BoxKind::oriented && boxes.present[root] != 0 && holds(target.box, boxes.obb[root])) {
            ++counts.n_v;
            for (std::int32_t bone = 0; bone < body.bone_count(); ++bone)
                if (boxes.present[static_cast<std::size_t>(bone)] != 0) keep(bone);
        } else if (method.kind == BoxKind::oriented) {
            meet_tree_of_obbs(body, boxes, target.box, object, out, counts);
        } else {
            meet_without_tree_of_obbs(method, body, boxes, target, object, out, counts);
        }
        if (target.mesh != nullptr && out.size() > first) {
            const bool aligned = method.kind == BoxKind::aligned && method.leaf == LeafTest::box;
            const LeavesInMesh leaves{target, boxes, aligned, margin_m};
            const std::span<Candidate> found = std::span(out).subspan(first);
            MeshTreeCounts tree;
            out.resize(first + (remembers(memory, *target.mesh->tree)
                                    ? keep_reaching(pose, leaves, found, tree, memory->of(i, target.mesh->tree))
                                    : keep_reaching(leaves, found, tree)));
            count(tree, counts);
        }
        std::ranges::sort(std::span(out).subspan(first), {}, &Candidate::bone);
    }
    counts.candidates += static_cast<std::int64_t>(out.size() - before);
}

bool closest(const Shape& bone, const Shape& object, float max_distance_m, Contact& contact, CollideCounts& counts) {
    if (!all_finite(bone) || !all_finite(object)) return false;
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
        Contact deepest;
        deepest.distance_m = found.distance_m;
        deepest.normal = world_from_a.linear() * found.normal;
        deepest.on_body_m = world_from_a * found.on_a;
        deepest.on_object_m = world_from_a * found.on_b;
        return keep_within(max_distance_m, deepest, contact);
    }
    if (!closest(object, bone, max_distance_m, contact, counts)) return false;
    std::swap(contact.on_body_m, contact.on_object_m);
    contact.normal = -contact.normal;
    return true;
}

void find_contacts(const BodyPose& pose, std::span<const Collider> objects, std::span<const Candidate> candidates,
                   float margin_m, float touch_m, std::vector<Contact>& out, CollideCounts& counts,
                   BodyMemory* memory) {
    MeshRun run;
    for (std::size_t i = 0; i < candidates.size(); ++i) {
        const Candidate& candidate = candidates[i];
        if (i >= run.end) start_run(pose, objects, candidates, i, margin_m, run, counts, memory);
        const Shape& bone = pose.shapes[static_cast<std::size_t>(candidate.bone)];
        const auto* cone = std::get_if<RoundCone>(&bone);
        const auto* box = std::get_if<RoundedBox>(&bone);
        Contact contact;
        if (run.mesh != nullptr && (cone != nullptr || box != nullptr)) {
            if (!all_finite(bone)) continue;
            MeshTreeCounts tree;
            const auto nearest = [&](const auto& in_mesh) {
                return run.memory != nullptr
                           ? run.mesh->tree->nearest(in_mesh, margin_m, tree,
                                                     run.memory->bones[static_cast<std::size_t>(candidate.bone)],
                                                     &run.memory->near)
                           : run.mesh->tree->nearest(in_mesh, margin_m, tree, run.start);
            };
            const MeshHit hit = cone != nullptr ? nearest(in_frame(run.mesh_from_world, *cone))
                                                : nearest(in_frame(run.mesh_from_world, *box));
            count(tree, counts);
            if (hit.triangle < 0) continue;
            contact = contact_of(hit, *run.mesh);
        } else if (!closest(bone, objects[static_cast<std::size_t>(candidate.object)].shape, margin_m, contact,
                            counts)) {
            continue;
        }
        contact.bone = candidate.bone;
        contact.object = candidate.object;
        counts.touching += contact.distance_m <= touch_m ? 1 : 0;
        out.push_back(contact);
    }
}

void find_all_contacts(const BodyPose& pose, std::span<const Collider> objects, std::span<const Candidate> candidates,
                       float margin_m, std::vector<Contact>& out, CollideCounts& counts) {
    MeshRun run;
    for (std::size_t i = 0; i < candidates.size(); ++i) {
        const Candidate& candidate = candidates[i];
        if (i >= run.end) start_run(pose, objects, candidates, i, margin_m, run, counts);
        const Shape& bone = pose.shapes[static_cast<std::size_t>(candidate.bone)];
        const auto* cone = std::get_if<RoundCone>(&bone);
        const auto* box = std::get_if<RoundedBox>(&bone);
        Contact contact;
        if (run.mesh == nullptr || (cone == nullptr && box == nullptr)) {
            if (!closest(bone, objects[static_cast<std::size_t>(candidate.object)].shape, margin_m, contact, counts))
                continue;
            contact.bone = candidate.bone;
            contact.object = candidate.object;
            counts.touching += contact.distance_m <= 0.0F ? 1 : 0;
            out.push_back(contact);
            continue;
        }
        if (!all_finite(bone)) continue;
        MeshTreeCounts tree;
        bool touches = false;
        const auto keep = [&](const MeshHit& hit) {
            contact = contact_of(hit, *run.mesh);
            contact.bone = candidate.bone;
            contact.object = candidate.object;
            touches = touches || contact.distance_m <= 0.0F;
            out.push_back(contact);
        };
        if (cone != nullptr)
            run.mesh->tree->all_within(in_frame(run.mesh_from_world, *cone), margin_m, std::ref(keep), tree, run.start);
        else
            run.mesh->tree->all_within(in_frame(run.mesh_from_world, *box), margin_m, std::ref(keep), tree, run.start);
        count(tree, counts);
        counts.touching += touches ? 1 : 0;
    }
}

}  // namespace glovebox::collision
