#include "collision/query/collide.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cassert>
#include <cmath>
#include <functional>
#include <optional>
#include <utility>

#include "collision/box/convex_hull.h"
#include "collision/mesh/bone_memory.h"
#include "collision/mesh/mesh_tree.h"
#include "collision/query/bone.h"
#include "collision/query/descent.h"
#include "collision/query/hull_mesh.h"
#include "collision/query/hull_pair.h"
#include "collision/query/may_reach.h"
#include "collision/query/mesh_depth.h"
#include "collision/query/pair_memory.h"
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

// The object's data, computed once per object.
struct Target {
    Obb box;  // grown by the margin
    const MeshInstance* mesh = nullptr;
    std::int32_t object;
};

void count_exact(const MeshTreeCounts& tree, CollideCounts& counts) {
    counts.n_v_exact += tree.box_tests;
    counts.n_p += tree.triangle_tests;
}

// Counts tests against objects' outer boxes, and appends them to the trace if there is one.
struct ObjectTests {
    CollideCounts& counts;
    DescentMemory& memory;

    bool count(std::int32_t object, std::int32_t body_node, bool met) const {
        ++counts.n_v_object;
        if (memory.trace != nullptr) memory.trace->push_back({object, body_node, -1, 1, met ? 1U : 0U});
        return met;
    }
};

void sort_by_bone(std::span<Candidate> candidates) {
    std::sort(candidates.begin(), candidates.end(),
              [](const Candidate& a, const Candidate& b) { return a.bone < b.bone; });
}

template <class Box, class Overlaps, class Leaf>
void walk(const ArticulatedBody& body, const std::vector<Box>& boxes, const std::vector<std::uint8_t>& present,
          const Overlaps& overlaps, const Leaf& leaf) {
    // The stack holds one node more than the hierarchy is deep: 256 is two hundred more than a hand needs.
    WalkStack<std::int32_t, 256> stack;
    stack.push(body.node_count() - 1);
    while (!stack.empty()) {
        const std::int32_t node = stack.pop();
        const auto index = static_cast<std::size_t>(node);
        if (present[index] == 0 || !overlaps(boxes[index], node)) continue;
        if (node < body.bone_count()) {
            leaf(node);
            continue;
        }
        const HierarchyNode& inner = body.nodes[index - static_cast<std::size_t>(body.bone_count())];
        stack.push(inner.child_b);
        stack.push(inner.child_a);
    }
}

// Tests all leaves against one box by SIMD.
template <class Leaf>
void sweep(const BodyBoxes& boxes, const Target& target, const ObjectTests& tests, const Leaf& leaf) {
    constexpr std::size_t kBlock = BoxColumns::kBlock;
    std::array<std::uint16_t, 16> hits = {};
    const std::size_t bones = boxes.columns.size();
    const bool one_by_one = boxes.columns.words() > hits.size();  // more than 256 bones; no hand has as many
    if (!one_by_one) overlaps(target.box, boxes.columns, hits);
    for (std::size_t bone = 0; bone < bones; ++bone) {
        if (boxes.present[bone] == 0) continue;
        const bool met =
            one_by_one ? overlap(target.box, boxes.obb[bone]) : (hits[bone / kBlock] >> (bone % kBlock) & 1U) != 0;
        const auto number = static_cast<std::int32_t>(bone);
        if (tests.count(target.object, number, met)) leaf(number);
    }
}

// Runs a method's leaf test, in addition to the box in the hierarchy.
bool leaf_reaches(const BodyVolumes& volumes, std::int32_t bone, const Target& target, const ObjectTests& tests) {
    if (volumes.leaf == LeafTest::box) return true;
    const auto leaf = static_cast<std::size_t>(bone);
    const RoundCone* const cone = volumes.leaf == LeafTest::rounded ? &volumes.boxes.cones[leaf] : nullptr;
    return tests.count(target.object, bone,
                       cone != nullptr && cone->radius_a_m >= 0.0F ? may_reach(*cone, target.box)
                                                                   : overlap(volumes.boxes.obb[leaf], target.box));
}

// Visits the leaves whose boxes, and all boxes above them, overlap the object's outer box.
template <class Leaf>
void test_object(const RefitMethod& method, const BodyVolumes& volumes, const Target& target, const ObjectTests& tests,
                 const Leaf& leaf) {
    if (method.kind == BoxKind::flat) return sweep(volumes.boxes, target, tests, leaf);
    const auto walk_boxes = [&](const auto& boxes, const auto& overlaps_target) {
        walk(volumes.body, boxes, volumes.boxes.present, overlaps_target, [&](std::int32_t bone) {
            if (leaf_reaches(volumes, bone, target, tests)) leaf(bone);
        });
    };
    if (volumes.aligned)
        walk_boxes(volumes.boxes.aabb, [&](const Aabb& box, std::int32_t node) {
            return tests.count(target.object, node, overlap(obb_of(box), target.box));
        });
    else
        walk_boxes(volumes.boxes.obb, [&](const Obb& box, std::int32_t node) {
            return tests.count(target.object, node, overlap(box, target.box));
        });
}

// Tests the body's boxes against the outer boxes of several convex objects: each box of the hierarchy against all
// objects that the box above it met, with SIMD. These are the tests that test_object() makes for one object after the
// other. Afterwards memory.met tells for each bone which of memory.targets it met.
void test_together(const BodyVolumes& volumes, std::span<const Collider> objects, std::span<const std::int32_t> near,
                   std::uint32_t body_mask, float margin_m, DescentMemory& memory, CollideCounts& counts) {
    const std::int32_t bones = volumes.body.bone_count(), root = volumes.body.node_count() - 1;
    memory.targets.clear();
    memory.target_boxes.clear();
    std::ranges::fill(memory.met, 0);
    if (volumes.boxes.present[static_cast<std::size_t>(root)] == 0) return;
    const Obb root_box = volumes.box_of(root);
    for (const std::int32_t object : near) {
        const Collider& collider = objects[static_cast<std::size_t>(object)];
        if ((collider.mask & body_mask) == 0 || std::holds_alternative<MeshInstance>(collider.shape)) continue;
        const Obb box = collider.box.grown(margin_m);
        ++counts.n_v_object;
        if (!overlap(root_box, box)) continue;
        memory.targets.push_back(object);
        memory.target_boxes.push_back(box);
    }
    if (memory.targets.empty()) return;
    memory.target_columns.assign(memory.target_boxes);
    const auto met_by = [&](const Obb& box) {
        std::array<std::uint16_t, DescentMemory::kTogether / BoxColumns::kBlock> hits{};
        overlaps(box, memory.target_columns, hits);
        std::uint64_t met = 0;
        for (std::size_t k = 0; k < hits.size(); ++k) met |= std::uint64_t{hits[k]} << (k * BoxColumns::kBlock);
        return met;
    };
    struct Item {
        std::int32_t node;
        std::uint64_t wanted;  // the targets that the box above met
    };
    WalkStack<Item, 256> stack;
    const auto open = [&](std::int32_t node, std::uint64_t met) {
        if (node < bones) {
            memory.met[static_cast<std::size_t>(node)] = met;
            return;
        }
        const HierarchyNode& inner = volumes.body.nodes[static_cast<std::size_t>(node - bones)];
        stack.push({inner.child_b, met});
        stack.push({inner.child_a, met});
    };
    open(root, ~std::uint64_t{0} >> (DescentMemory::kTogether - memory.targets.size()));
    while (!stack.empty()) {
        const Item item = stack.pop();
        if (volumes.boxes.present[static_cast<std::size_t>(item.node)] == 0) continue;
        counts.n_v_object += std::popcount(item.wanted);
        if (const std::uint64_t met = met_by(volumes.box_of(item.node)) & item.wanted; met != 0) open(item.node, met);
    }
}

// Where a body keeps what it remembers of the two.
std::size_t place_of(const Candidate& candidate) {
    return static_cast<std::size_t>(candidate.bone) * DescentMemory::kPlaces +
           static_cast<std::size_t>(candidate.object) % DescentMemory::kPlaces;
}

// Groups the result of the descent by bone: one candidate each, with contiguous parts. A bone that reached no part is a
// candidate only if it is entirely inside a solid.
void take_found(const BodyVolumes& volumes, const Target& target, const Eigen::Isometry3f& mesh_from_world,
                bool complete, DescentMemory& memory, std::vector<Candidate>& out, CollideCounts& counts) {
    const auto bones = static_cast<std::size_t>(volumes.body.bone_count());
    std::fill(memory.count_of_bone.begin(), memory.count_of_bone.end(), 0);
    for (const ReachedPart& reached : memory.found) ++memory.count_of_bone[static_cast<std::size_t>(reached.bone)];
    complete = complete && memory.parts.size() + memory.found.size() <= DescentMemory::kMaxParts;
    auto next = static_cast<std::int32_t>(memory.parts.size());
    if (complete) memory.parts.resize(memory.parts.size() + memory.found.size());
    const MeshTree& tree = *target.mesh->tree;
    for (std::size_t bone = 0; bone < bones; ++bone) {
        std::int32_t& count = memory.count_of_bone[bone];
        if (volumes.boxes.present[bone] == 0) continue;
        const auto number = static_cast<std::int32_t>(bone);
        if (!complete) {
            out.push_back({number, target.object});
        } else if (count > 0) {
            out.push_back({number, target.object, next, count});
        } else if (tree.closed()) {
            MeshTreeCounts inside;
            const Candidate candidate{number, target.object, next, 0};
            BoneMemory* const near =
                memory.use_near ? &memory.near[place_of(candidate)].of(target.mesh->tree) : nullptr;
            if (tree.contains(mesh_from_world * volumes.box_of(number).center_m, inside, near))
                out.push_back(candidate);
            count_exact(inside, counts);
        }
        const std::int32_t first = next;
        next += count;
        count = first;  // from here on: position of the bone's next part
    }
    if (!complete) return;
    for (const ReachedPart& reached : memory.found) {
        std::int32_t& at = memory.count_of_bone[static_cast<std::size_t>(reached.bone)];
        memory.parts[static_cast<std::size_t>(at++)] = reached.part;
    }
}

// Traverses both hierarchies together.
void test_mesh(const RefitMethod& method, const BodyVolumes& volumes, const Target& target, float margin_m,
               DescentMemory& memory, std::vector<Candidate>& out, CollideCounts& counts) {
    const ObjectTests tests{counts, memory};
    const Eigen::Isometry3f mesh_from_world = target.mesh->world_from_mesh.inverse(Eigen::Isometry);
    bool complete = true, overlaps_object = false;
    memory.found.clear();
    std::fill(memory.has_box.begin(), memory.has_box.end(), std::uint8_t{0});
    const auto descend_from = [&](std::int32_t node) {
        bool all = true;
        overlaps_object = true;
        counts.n_v_tree +=
            descend(volumes, node, target.mesh->tree->tree(), mesh_from_world, margin_m, target.object, memory, all);
        complete = complete && all;
    };
    if (method.kind == BoxKind::flat) {
        sweep(volumes.boxes, target, tests, descend_from);
    } else {
        const std::int32_t root = volumes.body.node_count() - 1;
        if (volumes.boxes.present[static_cast<std::size_t>(root)] != 0 &&
            tests.count(target.object, root, overlap(volumes.box_of(root), target.box)))
            descend_from(root);
    }
    if (overlaps_object) take_found(volumes, target, mesh_from_world, complete, memory, out, counts);
}

// Returns a box around all bones that contains their boxes grown by the margin, whose corners move by sqrt(3) margins.
Aabb reach_of(const BodyVolumes& volumes, float margin_m) {
    Aabb reach;
    for (std::int32_t bone = 0; bone < volumes.body.bone_count(); ++bone) {
        if (volumes.boxes.present[static_cast<std::size_t>(bone)] == 0) continue;
        const Aabb box = aabb_of(volumes.box_of(bone));
        reach.include(box.min_m);
        reach.include(box.max_m);
    }
    return reach.grown(1.7321F * margin_m);
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

// A cone as the hull of two balls, with the smaller radius added last. Its core is then a pointed ball or a segment,
// and stays apart as long as the depth is less than that radius.
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

ConvexPair pair_of(const RoundCone& a, const RoundCone& b, ConvexMemory& /*memory*/) {
    return closest(round_segment(a), round_segment(b));
}
ConvexPair pair_of(const RoundCone& a, const RoundedBox& b, ConvexMemory& /*memory*/) {
    return rounded(closest(round_segment(a), b.core), 0.0, double{b.radius_m});
}
ConvexPair pair_of(const RoundedBox& a, const RoundCone& b, ConvexMemory& memory) {
    return swapped(pair_of(b, a, memory));
}
// Without memory: of boxes that lie flat on each other many points are nearest, and which of them is given is not to
// depend on the frames before.
ConvexPair pair_of(const RoundedBox& a, const RoundedBox& b, ConvexMemory& /*memory*/) {
    return closest(a, b);
}
ConvexPair pair_of(const RoundCone& a, const HullInstance& b, ConvexMemory& memory) {
    const CoredCone cone = cored(a);
    return rounded(closest(ConvexCore(cone.core), core_of(b), memory), cone.radius, 0.0);
}
ConvexPair pair_of(const RoundedBox& a, const HullInstance& b, ConvexMemory& memory) {
    return rounded(closest(ConvexCore(a.core), core_of(b), memory), double{a.radius_m}, 0.0);
}
ConvexPair pair_of(const HullInstance& a, const HullInstance& b, ConvexMemory& memory) {
    const ConvexPair in_a =
        closest(*a.hull, *b.hull, a.world_from_hull.inverse(Eigen::Isometry) * b.world_from_hull, memory);
    const Eigen::Isometry3d world_from_a = a.world_from_hull.cast<double>();
    return {in_a.distance, world_from_a.linear() * in_a.normal, world_from_a * in_a.on_a, world_from_a * in_a.on_b};
}
template <class B>
ConvexPair pair_of(const HullInstance& a, const B& b, ConvexMemory& memory) {
    return swapped(pair_of(b, a, memory));
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
    count_exact(tree, counts);
    if (hit.triangle < 0) return false;
    contact = contact_of(hit, mesh);
    return true;
}

bool keep_within(float max_distance_m, const Contact& found, Contact& contact) {
    if (!(found.distance_m <= max_distance_m)) return false;
    contact = found;
    return true;
}

template <class Bone>
bool closest_to(const Bone& bone, const Shape& object, float max_distance_m, Contact& contact, CollideCounts& counts,
                ConvexMemory& memory) {
    if (const auto* mesh = std::get_if<MeshInstance>(&object))
        return closest_on_mesh(bone, *mesh, max_distance_m, contact, counts);
    ++counts.n_p;
    Contact found;
    if (const auto* cone = std::get_if<RoundCone>(&object)) found = contact_of(pair_of(bone, *cone, memory));
    if (const auto* box = std::get_if<RoundedBox>(&object)) found = contact_of(pair_of(bone, *box, memory));
    if (const auto* hull = std::get_if<HullInstance>(&object)) found = contact_of(pair_of(bone, *hull, memory));
    return keep_within(max_distance_m, found, contact);
}

bool closest_of_shapes(const Shape& bone, const Shape& object, float max_distance_m, Contact& contact,
                       CollideCounts& counts, ConvexMemory& memory) {
    if (!all_finite(bone) || !all_finite(object) || std::isnan(max_distance_m)) return false;
    if (const auto* cone = std::get_if<RoundCone>(&bone))
        return closest_to(*cone, object, max_distance_m, contact, counts, memory);
    if (const auto* box = std::get_if<RoundedBox>(&bone))
        return closest_to(*box, object, max_distance_m, contact, counts, memory);
    if (const auto* hull = std::get_if<HullInstance>(&bone))
        return closest_to(*hull, object, max_distance_m, contact, counts, memory);
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

ConvexMemory& memory_of(const Candidate& candidate, DescentMemory* memory, ConvexMemory& none) {
    if (memory != nullptr) return memory->pairs[place_of(candidate)].of(candidate.object).convex;
    none.count = 0;
    return none;
}

// Parts from a descent with a smaller margin do not contain everything within a larger one.
std::span<const TreePart> parts_of(const Candidate& candidate, float margin_m, const DescentMemory* memory) {
    if (memory == nullptr || margin_m > memory->margin_m || candidate.first_part < 0) return kWholeTree;
    return std::span<const TreePart>(memory->parts)
        .subspan(static_cast<std::size_t>(candidate.first_part), static_cast<std::size_t>(candidate.part_count));
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
                     std::vector<Candidate>& out, CollideCounts& counts, std::uint32_t body_mask, DescentMemory* memory,
                     const ObjectTree* tree) {
    if (body.bone_count() == 0) return;
    const std::size_t before = out.size();
    std::optional<DescentMemory> own;
    if (memory == nullptr) memory = &own.emplace(static_cast<std::size_t>(body.bone_count()));
    memory->parts.clear();
    memory->margin_m = margin_m;
    const CollideCounts counted = counts;
    const BodyVolumes volumes{body, boxes, method.kind == BoxKind::aligned, method.leaf};
    const auto consider = [&](std::int32_t object) {
        const Collider& collider = objects[static_cast<std::size_t>(object)];
        if ((collider.mask & body_mask) == 0) return;
        const std::size_t first = out.size();
        if (method.kind == BoxKind::none) {
            for (std::int32_t bone = 0; bone < body.bone_count(); ++bone)
                if (pose.has(static_cast<std::size_t>(bone))) out.push_back({bone, object});
            return;
        }
        const Target target{collider.box.grown(margin_m), std::get_if<MeshInstance>(&collider.shape), object};
        if (target.mesh != nullptr)
            test_mesh(method, volumes, target, margin_m, *memory, out, counts);
        else
            test_object(method, volumes, target, {counts, *memory}, [&](std::int32_t bone) {
                out.push_back({bone, object});
            });
        for (std::size_t k = first + 1; k < out.size(); ++k)
            if (out[k].bone < out[k - 1].bone) {
                sort_by_bone(std::span(out).subspan(first));
                break;
            }
    };
    // The method without boxes passes every pair to the exact test; that is its purpose.
    const bool use_tree = tree != nullptr && method.kind != BoxKind::none && objects.size() >= ObjectTree::kMinObjects;
    std::size_t near_count = objects.size();
    if (use_tree) {
        assert(tree->size() == objects.size());
        tree->find_near(reach_of(volumes, margin_m), memory->near_objects);
        near_count = memory->near_objects.size();
    }
    const auto near_at = [&](std::size_t i) {
        return use_tree ? memory->near_objects[i] : static_cast<std::int32_t>(i);
    };
    constexpr std::size_t kFew = 5;  // fewer are as fast one after the other, which is also what a trace shows
    const bool has_hierarchy = method.kind == BoxKind::aligned || method.kind == BoxKind::oriented;
    if (!has_hierarchy || near_count < kFew || memory->trace != nullptr) {
        for (std::size_t i = 0; i < near_count; ++i) consider(near_at(i));
    } else {
        std::array<std::int32_t, DescentMemory::kTogether> numbers;
        for (std::size_t from = 0; from < near_count; from += numbers.size()) {
            const auto batch = std::span(numbers).first(std::min(numbers.size(), near_count - from));
            for (std::size_t i = 0; i < batch.size(); ++i) batch[i] = near_at(from + i);
            test_together(volumes, objects, batch, body_mask, margin_m, *memory, counts);
            std::size_t next = 0;  // of the targets, which are some of the batch, in its order
            for (const std::int32_t object : batch) {
                if (std::holds_alternative<MeshInstance>(objects[static_cast<std::size_t>(object)].shape))
                    consider(object);
                if (next == memory->targets.size() || memory->targets[next] != object) continue;
                const Target target{memory->target_boxes[next], nullptr, object};
                for (std::int32_t bone = 0; bone < body.bone_count(); ++bone)
                    if ((memory->met[static_cast<std::size_t>(bone)] >> next & 1U) != 0 &&
                        leaf_reaches(volumes, bone, target, {counts, *memory}))
                        out.push_back({bone, object});
                ++next;
            }
        }
    }
    if (own)  // destroyed on return
        for (std::size_t i = before; i < out.size(); ++i) out[i].first_part = -1;
    counts.n_v += counts.n_v_object - counted.n_v_object + counts.n_v_tree - counted.n_v_tree;
    counts.candidates += static_cast<std::int64_t>(out.size() - before);
}

bool closest(const Shape& bone, const Shape& object, float max_distance_m, Contact& contact, CollideCounts& counts) {
    ConvexMemory none;
    return closest_of_shapes(bone, object, max_distance_m, contact, counts, none);
}

void find_contacts(const BodyPose& pose, std::span<const Collider> objects, std::span<const Candidate> candidates,
                   float margin_m, float touch_m, std::vector<Contact>& out, CollideCounts& counts,
                   DescentMemory* memory) {
    std::int32_t mesh_object = -1;
    Eigen::Isometry3f mesh_from_world;
    ConvexMemory none;
    for (const Candidate& candidate : candidates) {
        const Shape& bone = pose.shapes[static_cast<std::size_t>(candidate.bone)];
        const Shape& object = objects[static_cast<std::size_t>(candidate.object)].shape;
        const auto* mesh = std::get_if<MeshInstance>(&object);
        const auto* cone = std::get_if<RoundCone>(&bone);
        const auto* box = std::get_if<RoundedBox>(&bone);
        Contact contact;
        if (mesh != nullptr && (cone != nullptr || box != nullptr)) {
            if (!all_finite(bone)) continue;
            if (candidate.object != mesh_object) mesh_from_world = mesh->world_from_mesh.inverse(Eigen::Isometry);
            mesh_object = candidate.object;
            const std::span<const TreePart> parts = parts_of(candidate, margin_m, memory);
            BoneMemory* const near = cone != nullptr && memory != nullptr && memory->use_near
                                         ? &memory->near[place_of(candidate)].of(mesh->tree)
                                         : nullptr;
            MeshTreeCounts tree;
            const MeshHit hit = cone != nullptr
                                    ? mesh->tree->nearest(in_frame(mesh_from_world, *cone), margin_m, tree, parts, near)
                                    : mesh->tree->nearest(in_frame(mesh_from_world, *box), margin_m, tree, parts);
            count_exact(tree, counts);
            if (hit.triangle < 0) continue;
            contact = contact_of(hit, *mesh);
        } else if (!closest_of_shapes(bone, object, margin_m, contact, counts, memory_of(candidate, memory, none))) {
            continue;
        }
        contact.bone = candidate.bone;
        contact.object = candidate.object;
        counts.touching += contact.distance_m <= touch_m ? 1 : 0;
        out.push_back(contact);
    }
}

void find_all_contacts(const BodyPose& pose, std::span<const Collider> objects, std::span<const Candidate> candidates,
                       float margin_m, std::vector<Contact>& out, CollideCounts& counts, DescentMemory* memory) {
    ConvexMemory none;
    for (const Candidate& candidate : candidates) {
        const Shape& bone = pose.shapes[static_cast<std::size_t>(candidate.bone)];
        const Shape& object = objects[static_cast<std::size_t>(candidate.object)].shape;
        const auto* mesh = std::get_if<MeshInstance>(&object);
        const auto* cone = std::get_if<RoundCone>(&bone);
        const auto* box = std::get_if<RoundedBox>(&bone);
        const auto* hull = std::get_if<HullInstance>(&bone);
        Contact contact;
        if (mesh == nullptr || (cone == nullptr && box == nullptr && hull == nullptr)) {
            if (!closest_of_shapes(bone, object, margin_m, contact, counts, memory_of(candidate, memory, none)))
                continue;
            contact.bone = candidate.bone;
            contact.object = candidate.object;
            counts.touching += contact.distance_m <= 0.0F ? 1 : 0;
            out.push_back(contact);
            continue;
        }
        if (!all_finite(bone)) continue;
        const Eigen::Isometry3f mesh_from_world = mesh->world_from_mesh.inverse(Eigen::Isometry);
        MeshTreeCounts tree;
        bool touches = false;
        const auto keep = [&](const MeshHit& hit) {
            contact = contact_of(hit, *mesh);
            contact.bone = candidate.bone;
            contact.object = candidate.object;
            touches = touches || contact.distance_m <= 0.0F;
            out.push_back(contact);
        };
        const std::span<const TreePart> parts = parts_of(candidate, margin_m, memory);
        if (cone != nullptr)
            mesh->tree->all_within(in_frame(mesh_from_world, *cone), margin_m, std::ref(keep), tree, parts);
        else if (box != nullptr)
            mesh->tree->all_within(in_frame(mesh_from_world, *box), margin_m, std::ref(keep), tree, parts);
        else
            all_within(*mesh->tree, *hull->hull, mesh_from_world * hull->world_from_hull, margin_m, std::ref(keep),
                       tree,
                       memory != nullptr ? &memory->pairs[place_of(candidate)].of(candidate.object).hull_mesh : nullptr,
                       parts);
        count_exact(tree, counts);
        counts.touching += touches ? 1 : 0;
    }
}

}  // namespace glovebox::collision
