#include "collision/contact/contact_points.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "collision/contact/cone_points.h"
#include "collision/contact/side_points.h"
#include "collision/mesh/mesh_tree.h"

namespace glovebox::collision {
namespace manifold {
namespace {

void merge(const Contact& contact, const MergeTolerance& same, ContactPoints& out) {
    for (std::size_t i = 0; i < out.count; ++i) {
        Contact& known = out.points[i];
        if (known.normal.dot(contact.normal) < kSameNormalCos) continue;
        if ((known.on_object_m - contact.on_object_m).norm() > same.apart_m) continue;
        if (contact.distance_m < known.distance_m) known = contact;
        return;
    }
    if (out.count < ContactPoints::kMax) {
        out.points[out.count++] = contact;
        return;
    }
    Contact* shallowest =
        std::max_element(out.points.begin(), out.points.end(),
                         [](const Contact& a, const Contact& b) { return a.distance_m < b.distance_m; });
    if (contact.distance_m < shallowest->distance_m) *shallowest = contact;
}

Contact turned(Contact contact) {
    std::swap(contact.on_body_m, contact.on_object_m);
    contact.normal = -contact.normal;
    contact.triangle = -1;
    return contact;
}

bool core_is_inside(const Shape& bone, const Contact& deepest) {
    if (const auto* cone = std::get_if<RoundCone>(&bone))
        return deepest.distance_m <= -std::min(cone->radius_a_m, cone->radius_b_m);
    if (const auto* box = std::get_if<RoundedBox>(&bone)) return deepest.distance_m <= -box->radius_m;
    return true;
}

// Returns the length that scales the merging of points; for a bone without a radius, a tenth of its size.
float radius_of(const Shape& bone) {
    if (const auto* cone = std::get_if<RoundCone>(&bone)) return std::max(cone->radius_a_m, cone->radius_b_m);
    if (const auto* box = std::get_if<RoundedBox>(&bone))
        return std::max(box->radius_m, 0.1F * box->core.half_m.norm());
    if (const auto* hull = std::get_if<HullInstance>(&bone)) return 0.1F * static_cast<float>(hull->hull->radius_m());
    return 0.1F * std::get<MeshInstance>(bone).tree->root_box().half_m.norm();
}

// The deepest point of a mesh is searched to a depth tolerance, so on a round mesh its normal may be off by 25 degrees.
constexpr double kNearOfMeshCos = 0.906;

// Returns the tolerance of the depth search for meshes.
double step_of(const Shape& a, const Shape& b) {
    const float a_m = bounding_box(a).half_m.norm(), b_m = bounding_box(b).half_m.norm();
    return 1e-3 * double{std::min(a_m, b_m)} + 2e-4 * double{std::max(a_m, b_m)};
}

// Calls emit(contact) for all contact points except the deepest. If one shape is a mesh, it is the object. `of_mesh`:
// that mesh is really the bone, or both shapes are meshes.
template <class Emit>
void rest(const Shape& bone, const Shape& object, const Contact& deepest, float max_distance_m, bool of_mesh,
          const MergeTolerance& same, CollideCounts& counts, const Emit& emit) {
    const auto* cone = std::get_if<RoundCone>(&bone);
    const auto* box = std::get_if<RoundedBox>(&bone);
    const auto* object_cone = std::get_if<RoundCone>(&object);
    const auto emit_turned = [&](const Contact& contact) { emit(turned(contact)); };
    const auto rest_of_ball = [&](const RoundCone& ball, const Shape& on, const auto& found) {
        Contact contact;
        if (closest(ball, on, max_distance_m, contact, counts)) found(contact);
    };
    const auto rest_of_ends = [&](const RoundCone& of, const Shape& on, const auto& found) {
        const Vector3d along = (of.b_m - of.a_m).cast<double>();
        const double growth_m = double{of.radius_b_m} - double{of.radius_a_m};
        rest_of_ball({of.a_m, of.a_m, of.radius_a_m, of.radius_a_m}, on, [&](const Contact& contact) {
            if (!falls_inward(contact.normal.cast<double>(), along, growth_m)) found(contact);
        });
        rest_of_ball({of.b_m, of.b_m, of.radius_b_m, of.radius_b_m}, on, [&](const Contact& contact) {
            if (!falls_inward(contact.normal.cast<double>(), -along, -growth_m)) found(contact);
        });
    };
    BoxCorners bone_corners, object_corners;
    const std::optional<Solid> bone_solid = solid_of(bone, bone_corners),
                               object_solid = solid_of(object, object_corners);
    if (cone != nullptr && !core_is_inside(bone, deepest)) {
        if (object_solid) {
            find_cone_points(*cone, *object_solid, max_distance_m, same, counts, emit);
        } else {
            rest_of_ends(*cone, object, emit);
        }
    }
    if (object_cone != nullptr && !core_is_inside(object, deepest)) {
        if (bone_solid) {
            find_cone_points(*object_cone, *bone_solid, max_distance_m, same, counts, emit_turned);
        } else {
            rest_of_ends(*object_cone, bone, emit_turned);
        }
    }
    if (box != nullptr && !core_is_inside(bone, deepest))
        for_corners(box->core, [&](const Eigen::Vector3f& corner_m) {
            const RoundCone ball{corner_m, corner_m, box->radius_m, box->radius_m};
            const Eigen::Vector3f inward = box->core.axes.transpose() * (box->core.center_m - corner_m);
            const auto emit_corner = [&](const Contact& contact) {
                const Eigen::Vector3f normal = box->core.axes.transpose() * contact.normal;
                const Eigen::Array3f falls = normal.array() * inward.array().sign();
                if (falls.maxCoeff() <= static_cast<float>(kSteep)) emit(contact);
            };
            if (std::holds_alternative<MeshInstance>(object))
                find_cone_points(ball, *object_solid, max_distance_m, same, counts, emit_corner);
            else
                rest_of_ball(ball, object, emit_corner);
        });
    if (!bone_solid || !object_solid) return;
    // A box without a radius is treated as a hull.
    const bool sharp = box == nullptr || box->radius_m == 0.0F, hits_mesh = object_solid->surface.is_mesh(),
               meshes = bone_solid->surface.is_mesh();
    if (!sharp && core_is_inside(bone, deepest)) return;
    // A point farther beneath a side than the deepest point belongs to another side. For meshes the depth search has a
    // tolerance relative to the size.
    const double depth_m = double{deepest.distance_m} - 0.02 * std::abs(double{deepest.distance_m});
    const Gaps gaps{depth_m - 2.0 * double{same.tie_m} - (of_mesh ? step_of(bone, object) : 0.0),
                    double{max_distance_m}, of_mesh ? kNearOfMeshCos : double{kSameNormalCos},
                    sharp && !meshes && (box == nullptr || core_is_inside(bone, deepest)), of_mesh};
    const auto clip_along = [&](const Eigen::Vector3f& normal) {
        const Facets over(*bone_solid, *object_solid, normal, gaps);
        Flat side = over.towards(normal, gaps.near_cos, meshes, counts);
        if (side.is_there() && !meshes) {
            clip_under_side(over, side, *object_solid, over.normal_of(side), gaps, same, counts, emit);
            return;
        }
        // A solid that stands on an edge does so on a side of the other solid.
        if (!sharp) return;
        const Facets under(*object_solid, *bone_solid, -normal, gaps);
        Flat below = under.towards(-normal, gaps.near_cos, meshes, counts);
        // Two meshes: both sides are used, and the larger one determines the normal.
        const bool is_side_larger = side.area_m2 > below.area_m2;
        const Eigen::Vector3f along = is_side_larger ? over.normal_of(side) : Eigen::Vector3f(-under.normal_of(below));
        if (meshes && is_side_larger) below = under.towards(-along, gaps.near_cos, meshes, counts);
        if (meshes && !is_side_larger) side = over.towards(along, gaps.near_cos, meshes, counts);
        if (side.is_there()) clip_under_side(over, side, *object_solid, along, gaps, same, counts, emit);
        if (below.is_there()) clip_under_side(under, below, *bone_solid, -along, gaps, same, counts, emit_turned);
    };
    clip_along(deepest.normal);
    if (sharp && hits_mesh && !meshes)
        for_other_normals(*bone_solid, *object_solid, deepest.normal, gaps, counts, clip_along);
}

}  // namespace
}  // namespace manifold

ContactPoints contact_points(const Shape& bone, const Shape& object, float max_distance_m, CollideCounts& counts) {
    Contact deepest;
    if (!closest(bone, object, max_distance_m, deepest, counts)) return {};
    return contact_points(bone, object, deepest, max_distance_m, counts);
}

ContactPoints contact_points(const Shape& bone, const Shape& object, const Contact& deepest, float max_distance_m,
                             CollideCounts& counts) {
    ContactPoints out;
    const float radius_m = manifold::radius_of(bone);
    const manifold::MergeTolerance same{0.5F * radius_m, 1e-3F * radius_m};
    const auto emit = [&](const Contact& contact) { manifold::merge(contact, same, out); };
    const bool of_mesh = std::holds_alternative<MeshInstance>(bone);
    if (of_mesh && !std::holds_alternative<MeshInstance>(object))
        manifold::rest(object, bone, manifold::turned(deepest), max_distance_m, of_mesh, same, counts,
                       [&](const Contact& contact) { emit(manifold::turned(contact)); });
    else
        manifold::rest(bone, object, deepest, max_distance_m, of_mesh, same, counts, emit);
    // Adds the deepest point, unless a point on a flat stretch is as deep. In a mesh it comes from a search with a
    // tolerance.
    const bool searched = of_mesh && deepest.distance_m < 0.0F;
    const float same_cos = searched ? static_cast<float>(manifold::kNearOfMeshCos) : kSameNormalCos;
    const float tie_m = 0.1F * same.tie_m + (searched ? static_cast<float>(manifold::step_of(bone, object)) : 0.0F);
    bool tied = false;
    for (const Contact& known : out.all())
        tied = tied || (known.normal.dot(deepest.normal) >= same_cos && known.distance_m <= deepest.distance_m + tie_m);
    if (!tied) manifold::merge(deepest, same, out);
    std::sort(out.points.begin(), out.points.begin() + static_cast<std::ptrdiff_t>(out.count),
              [](const Contact& a, const Contact& b) { return a.distance_m < b.distance_m; });
    return out;
}

void find_contact_points(const BodyPose& pose, std::span<const Collider> objects, std::span<const Contact> contacts,
                         float touch_m, std::vector<Contact>& out, CollideCounts& counts) {
    for (const Contact& contact : contacts) {
        if (!(contact.distance_m <= touch_m)) continue;
        const ContactPoints found =
            contact_points(pose.shapes[static_cast<std::size_t>(contact.bone)],
                           objects[static_cast<std::size_t>(contact.object)].shape, contact, touch_m, counts);
        for (Contact point : found.all()) {
            if (out.size() == out.capacity()) return;
            point.bone = contact.bone;
            point.object = contact.object;
            out.push_back(point);
        }
    }
}

}  // namespace glovebox::collision
