#include "collision/contact_points.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "collision/exact/bone.h"
#include "collision/mesh_tree.h"

namespace glovebox::collision {
namespace {

using Eigen::Vector3d;

// What a bone's radius and size say about points being the same one.
struct Sameness {
    float apart_m;  // half the radius
    float tie_m;    // gaps closer than this are equal: a flat stretch
};

void merge(const Contact& contact, const Sameness& same, ContactPoints& out) {
    for (std::size_t i = 0; i < out.count; ++i) {
        Contact& known = out.points[i];
        if (known.normal.dot(contact.normal) < kSameNormalCos) continue;
        if ((known.on_object_m - contact.on_object_m).norm() > same.apart_m) continue;
        if (contact.distance_m < known.distance_m) known = contact;
        return;
    }
    if (out.count < ContactPoints::kMost) {
        out.points[out.count++] = contact;
        return;
    }
    Contact* shallowest =
        std::max_element(out.points.begin(), out.points.end(),
                         [](const Contact& a, const Contact& b) { return a.distance_m < b.distance_m; });
    if (contact.distance_m < shallowest->distance_m) *shallowest = contact;
}

// ---- round cone against the triangles near it, in the mesh's frame

constexpr std::size_t kMostTriangles = 256;

class NearSurface {
  public:
    NearSurface(const MeshTree& tree, const RoundCone& cone, float reach_m, CollideCounts& counts)
        : tree_(tree), cone_(round_segment(cone)), reach_m_(double{reach_m}) {
        gather(counts);
        size_m_ = (cone_.b - cone_.a).norm() + std::max(cone_.radius_a, cone_.radius_b);
    }

    /// visit(s, distance of the core, its nearest point, triangle) for every place on the bone's core at which the
    /// surface is locally nearest and reached.
    template <class Visit>
    void visit_nearest(const Visit& visit) const {
        for (std::size_t i = 0; i < count_; ++i) {
            const Triangle triangle = triangle_of(tree_.mesh(), numbers_[i]);
            const SegmentTriangle nearest = closest(cone_, triangle);
            consider(nearest.s, nearest.on_triangle, i, visit);
            if ((cone_.b - cone_.a).squaredNorm() == 0.0) continue;
            for (const double end : {0.0, 1.0}) consider(end, closest_on_triangle(at(end), triangle).point, i, visit);
            double low = 0.0, high = 1.0;
            if (!over(triangle, low, high)) continue;
            for (const double s : {low, high}) consider(s, closest_on_triangle(at(s), triangle).point, i, visit);
        }
    }

  private:
    // Triangles whose gap is within reach, from the last of the tree to the first. Boxes are culled by the one that
    // holds the bone.
    void gather(CollideCounts& counts) {
        const double fat_m = std::max(cone_.radius_a, cone_.radius_b) + reach_m_;
        const Vector3d low_m = (cone_.a.cwiseMin(cone_.b).array() - fat_m).matrix();
        const Vector3d high_m = (cone_.a.cwiseMax(cone_.b).array() + fat_m).matrix();
        const NearTree& near = tree_.near_tree();
        std::array<std::int32_t, NearTree::kMostWaiting> waiting;
        std::size_t size = 0;
        waiting[size++] = 0;
        while (size > 0) {
            const std::int32_t next = waiting[--size];
            if (next >= 0) {
                const NearTree::Node& node = near.nodes()[static_cast<std::size_t>(next)];
                counts.n_v += node.count;
                for (std::size_t child = 0; child < static_cast<std::size_t>(node.count); ++child) {
                    const Aabb box = near.box_of(node, child);
                    if ((box.min_m.cast<double>().array() <= high_m.array()).all() &&
                        (box.max_m.cast<double>().array() >= low_m.array()).all())
                        waiting[size++] = node.child[child];
                }
                continue;
            }
            for (const std::int32_t number : near.blocks()[static_cast<std::size_t>(~next)].triangle) {
                if (number < 0 || count_ == kMostTriangles) break;
                const Triangle triangle = triangle_of(tree_.mesh(), number);
                const Vector3d low = triangle[0].cwiseMin(triangle[1]).cwiseMin(triangle[2]);
                const Vector3d high = triangle[0].cwiseMax(triangle[1]).cwiseMax(triangle[2]);
                if ((low.array() > high_m.array()).any() || (high.array() < low_m.array()).any()) continue;
                ++counts.n_p;
                if (!(closest(cone_, triangle).gap <= reach_m_)) continue;
                for (std::size_t k = 0; k < 3; ++k) {
                    low_m_[k][count_] = low[static_cast<Eigen::Index>(k)];
                    high_m_[k][count_] = high[static_cast<Eigen::Index>(k)];
                }
                numbers_[count_++] = number;
            }
        }
    }
    Vector3d at(double s) const { return s == 1.0 ? cone_.b : Vector3d(cone_.a + s * (cone_.b - cone_.a)); }

    // The part of the core that is straight above or below the triangle.
    bool over(const Triangle& triangle, double& low, double& high) const {
        const Vector3d normal = (triangle[1] - triangle[0]).cross(triangle[2] - triangle[0]);
        for (std::size_t i = 0; i < 3; ++i) {
            const Vector3d inward = normal.cross(triangle[(i + 1) % 3] - triangle[i]);
            const double from = inward.dot(cone_.a - triangle[i]), rate = inward.dot(cone_.b - cone_.a);
            if (rate > 0.0)
                low = std::max(low, -from / rate);
            else if (rate < 0.0)
                high = std::min(high, -from / rate);
            else if (from < 0.0)
                return false;
        }
        return low <= high;
    }

    template <class Visit>
    void consider(double s, const Vector3d& on_surface, std::size_t which, const Visit& visit) const {
        const Vector3d core = at(s);
        const double distance = (on_surface - core).norm();
        const double gap = distance - (cone_.radius_a + s * (cone_.radius_b - cone_.radius_a));
        if (!(gap <= reach_m_) || !(distance > 1e-9 * size_m_)) return;
        // Is a triangle that holds this point nearer somewhere else? Then the point is only where one triangle ends.
        const double tiny = 1e-6 * size_m_;
        for (std::size_t i = 0; i < count_; ++i) {
            if (i == which || !box_holds(i, on_surface, tiny)) continue;
            const Triangle other = triangle_of(tree_.mesh(), numbers_[i]);
            const Vector3d nearest = closest_on_triangle(core, other).point;
            if (!((nearest - core).norm() < distance - 1e-3 * tiny)) continue;
            if ((closest_on_triangle(on_surface, other).point - on_surface).norm() <= tiny) return;
        }
        visit(s, distance, on_surface, numbers_[which]);
    }

    // Few triangles do: the rest are asked nothing more.
    bool box_holds(std::size_t i, const Vector3d& at_m, double tiny_m) const {
        int outside = 0;  // counted, not branched on: it runs over all triangles at once
        for (std::size_t k = 0; k < 3; ++k) {
            const double x = at_m[static_cast<Eigen::Index>(k)];
            outside += (x < low_m_[k][i] - tiny_m ? 1 : 0) + (x > high_m_[k][i] + tiny_m ? 1 : 0);
        }
        return outside == 0;
    }

    const MeshTree& tree_;
    RoundSegment cone_;
    double reach_m_, size_m_ = 0.0;
    std::array<std::int32_t, kMostTriangles> numbers_;
    std::array<std::array<double, kMostTriangles>, 3> low_m_, high_m_;  // of the triangles' boxes
    std::size_t count_ = 0;
};

void rest_on_mesh(const RoundCone& bone, const MeshInstance& object, float max_distance_m, const Sameness& same,
                  ContactPoints& out, CollideCounts& counts) {
    const MeshTree& tree = *object.tree;
    const Eigen::Isometry3f mesh_from_world = object.world_from_mesh.inverse(Eigen::Isometry);
    const RoundCone cone{mesh_from_world * bone.a_m, mesh_from_world * bone.b_m, bone.radius_a_m, bone.radius_b_m};
    const RoundSegment segment = round_segment(cone);
    // A direction of the surface, and what of the bone rests on it.
    struct Rest {
        Contact deepest, first, last;
        double first_s = 2.0, last_s = -1.0;
    };
    std::array<Rest, ContactPoints::kMost> rests;
    std::size_t rest_count = 0;
    const NearSurface surface(tree, cone, max_distance_m, counts);
    surface.visit_nearest([&](double s, double distance, const Vector3d& on_surface, std::int32_t triangle) {
        const Vector3d core = segment.a + s * (segment.b - segment.a);
        const Vector3d normal = (on_surface - core) / distance;
        if (tree.closed() && normal.dot(tree.surface().outward(tree.mesh(), triangle, TriangleFeature::face)) > 1e-6)
            return;  // seen from inside
        const double radius_m = segment.radius_a + s * (segment.radius_b - segment.radius_a);
        Contact contact;
        contact.triangle = triangle;
        contact.distance_m = static_cast<float>(distance - radius_m);
        contact.normal = object.world_from_mesh.linear() * normal.cast<float>();
        contact.on_body_m = object.world_from_mesh * Vector3d(core + radius_m * normal).cast<float>();
        contact.on_object_m = object.world_from_mesh * on_surface.cast<float>();
        Rest* rest = nullptr;
        for (std::size_t i = 0; i < rest_count && rest == nullptr; ++i)
            if (rests[i].deepest.normal.dot(contact.normal) >= kSameNormalCos) rest = &rests[i];
        if (rest == nullptr) {
            if (rest_count == rests.size()) return;
            rest = &rests[rest_count++];
            rest->deepest = contact;
        }
        if (contact.distance_m < rest->deepest.distance_m) rest->deepest = contact;
        if (s < rest->first_s) {
            rest->first_s = s;
            rest->first = contact;
        }
        if (s > rest->last_s) {
            rest->last_s = s;
            rest->last = contact;
        }
    });
    // A rest's direction is that of its deepest place, which is known only now: places seen before it may have begun
    // rests of their own on both sides of it. The shallower ones join the deepest that they share a direction with.
    std::size_t apart = 0;
    for (std::size_t i = 0; i < rest_count; ++i) {
        for (std::size_t j = i + 1; j < rest_count; ++j)
            if (rests[j].deepest.distance_m < rests[i].deepest.distance_m) std::swap(rests[i], rests[j]);
        const Rest shallow = rests[i];
        Rest* deep = nullptr;
        for (std::size_t j = 0; j < apart && deep == nullptr; ++j)
            if (rests[j].deepest.normal.dot(shallow.deepest.normal) >= kSameNormalCos) deep = &rests[j];
        if (deep == nullptr) {
            rests[apart++] = shallow;
            continue;
        }
        if (shallow.first_s < deep->first_s) {
            deep->first_s = shallow.first_s;
            deep->first = shallow.first;
        }
        if (shallow.last_s > deep->last_s) {
            deep->last_s = shallow.last_s;
            deep->last = shallow.last;
        }
    }
    for (std::size_t i = 0; i < apart; ++i) {
        const Rest& rest = rests[i];
        // The ends of the bone are places of their own; the ends of a stretch only if it is flat.
        const auto counts_here = [&](double s, const Contact& contact) {
            return s == 0.0 || s == 1.0 || contact.distance_m <= rest.deepest.distance_m + same.tie_m;
        };
        const float ends_m = std::min(rest.first.distance_m, rest.last.distance_m);
        if (rest.deepest.distance_m < ends_m - 0.1F * same.tie_m) merge(rest.deepest, same, out);
        if (counts_here(rest.first_s, rest.first)) merge(rest.first, same, out);
        if (counts_here(rest.last_s, rest.last)) merge(rest.last, same, out);
    }
}

// ---- the bone's ends and corners against anything

void rest_of_ball(const Eigen::Vector3f& at_m, float radius_m, const Shape& object, float max_distance_m,
                  const Sameness& same, ContactPoints& out, CollideCounts& counts) {
    const RoundCone ball{at_m, at_m, radius_m, radius_m};
    if (const auto* mesh = std::get_if<MeshInstance>(&object)) {
        rest_on_mesh(ball, *mesh, max_distance_m, same, out, counts);
        return;
    }
    Contact contact;
    if (closest(ball, object, max_distance_m, contact, counts)) merge(contact, same, out);
}

template <class Visit>
void for_corners(const Obb& box, const Visit& visit) {
    for (int i = 0; i < 8; ++i) {
        const Eigen::Vector3f signs((i & 1) != 0 ? 1.0F : -1.0F, (i & 2) != 0 ? 1.0F : -1.0F,
                                    (i & 4) != 0 ? 1.0F : -1.0F);
        visit(Eigen::Vector3f(box.center_m + box.axes * signs.cwiseProduct(box.half_m)));
    }
}

bool core_is_inside(const Shape& bone, const Contact& deepest) {
    if (const auto* cone = std::get_if<RoundCone>(&bone))
        return deepest.distance_m <= -std::min(cone->radius_a_m, cone->radius_b_m);
    if (const auto* box = std::get_if<RoundedBox>(&bone)) return deepest.distance_m <= -box->radius_m;
    return true;
}

}  // namespace

ContactPoints contact_points(const Shape& bone, const Shape& object, float max_distance_m, CollideCounts& counts) {
    Contact deepest;
    if (!closest(bone, object, max_distance_m, deepest, counts)) return {};
    return contact_points(bone, object, deepest, max_distance_m, counts);
}

ContactPoints contact_points(const Shape& bone, const Shape& object, const Contact& deepest, float max_distance_m,
                             CollideCounts& counts) {
    ContactPoints out;
    const auto* cone = std::get_if<RoundCone>(&bone);
    const auto* box = std::get_if<RoundedBox>(&bone);
    const float radius_m = cone != nullptr  ? std::max(cone->radius_a_m, cone->radius_b_m)
                           : box != nullptr ? std::max(box->radius_m, 0.1F * box->core.half_m.norm())
                                            : 0.0F;
    const Sameness same{0.5F * radius_m, 1e-3F * radius_m};
    if (cone != nullptr && !core_is_inside(bone, deepest)) {
        if (const auto* mesh = std::get_if<MeshInstance>(&object)) {
            rest_on_mesh(*cone, *mesh, max_distance_m, same, out, counts);
        } else {
            rest_of_ball(cone->a_m, cone->radius_a_m, object, max_distance_m, same, out, counts);
            rest_of_ball(cone->b_m, cone->radius_b_m, object, max_distance_m, same, out, counts);
        }
    } else if (box != nullptr && !core_is_inside(bone, deepest)) {
        for_corners(box->core, [&](const Eigen::Vector3f& corner_m) {
            rest_of_ball(corner_m, box->radius_m, object, max_distance_m, same, out, counts);
        });
    }
    // The deepest of all, unless a flat stretch makes it as deep as a place that is known already.
    bool tied = false;
    for (const Contact& known : out.all())
        tied = tied || (known.normal.dot(deepest.normal) >= kSameNormalCos &&
                        known.distance_m <= deepest.distance_m + 0.1F * same.tie_m);
    if (!tied) merge(deepest, same, out);
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
