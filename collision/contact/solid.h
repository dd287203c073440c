// A solid: the triangles of a mesh, a hull or a box in its own frame, with its pose; and the rules of what counts as a
// contact point on it.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <optional>
#include <span>

#include "collision/box/convex_hull.h"
#include "collision/mesh/mesh_tree.h"
#include "collision/query/collide.h"
#include "collision/query/descent.h"

namespace glovebox::collision::manifold {

using Eigen::Vector3d;

// Limits below which two contact points count as one, from the bone's radius and size.
struct MergeTolerance {
    float apart_m;  // half the radius
    float tie_m;    // gaps that differ by less are equal: a flat stretch
};

// The sine of the bone's slope up to which its end or corner is a contact point although the gap is smaller further in.
constexpr double kSteep = 0.17;  // ten degrees

// True if the gap at an end of the cone decreases towards the other end. The normal points from the cone to the object.
inline bool falls_inward(const Vector3d& normal, const Vector3d& inward, double radius_growth_m) {
    return -normal.dot(inward) - radius_growth_m < -kSteep * inward.norm();
}

template <class Visit>
void for_corners(const Obb& box, const Visit& visit) {
    for (int i = 0; i < 8; ++i) {
        const Eigen::Vector3f signs((i & 1) != 0 ? 1.0F : -1.0F, (i & 2) != 0 ? 1.0F : -1.0F,
                                    (i & 4) != 0 ? 1.0F : -1.0F);
        visit(Eigen::Vector3f(box.center_m + box.axes * signs.cwiseProduct(box.half_m)));
    }
}

using Facet = std::array<std::int32_t, 3>;
inline constexpr std::array<Facet, 12> kBoxFacets = {{{0, 2, 1},
                                                      {1, 2, 3},
                                                      {4, 5, 6},
                                                      {5, 7, 6},
                                                      {0, 1, 4},
                                                      {1, 5, 4},
                                                      {2, 6, 3},
                                                      {3, 6, 7},
                                                      {0, 4, 2},
                                                      {2, 4, 6},
                                                      {1, 3, 5},
                                                      {3, 7, 5}}};

class Surface {
  public:
    explicit Surface(const MeshTree& tree) : tree_(&tree) {}
    explicit Surface(const ConvexHull& hull) : corners_(hull.corners_m()), facets_(hull.facets()) {}
    Surface(std::span<const Eigen::Vector3f> box_corners, std::span<const Facet> box_facets)
        : corners_(box_corners), facets_(box_facets) {}

    bool has_facets() const { return tree_ != nullptr || !facets_.empty(); }
    bool closed() const { return tree_ == nullptr || tree_->closed(); }
    bool is_mesh() const { return tree_ != nullptr; }

    Triangle triangle(std::int32_t number) const {
        if (tree_ != nullptr) return triangle_of(tree_->mesh(), number);
        const Facet& facet = facets_[static_cast<std::size_t>(number)];
        const auto corner = [&](std::size_t i) {
            return Vector3d(corners_[static_cast<std::size_t>(facet[i])].cast<double>());
        };
        return {corner(0), corner(1), corner(2)};
    }
    Vector3d outward(std::int32_t number) const {
        if (tree_ != nullptr) return tree_->surface().outward(tree_->mesh(), number, TriangleFeature::face);
        const Triangle t = triangle(number);
        return (t[1] - t[0]).cross(t[2] - t[0]);
    }
    // 1 if corners are counter-clockwise seen from outside, -1 if clockwise.
    double winding() const { return tree_ != nullptr && tree_->surface().faces_inwards() ? -1.0 : 1.0; }
    // Calls visit(point) for points whose hull contains the surface; for a hull or a box, its corners.
    template <class Visit>
    void for_bounds(const Visit& visit) const {
        if (tree_ != nullptr)
            for_corners(tree_->root_box(),
                        [&](const Eigen::Vector3f& corner) { visit(Vector3d(corner.cast<double>())); });
        for (const Eigen::Vector3f& corner : corners_) visit(Vector3d(corner.cast<double>()));
    }
    // Corners of a hull or a box.
    std::span<const Eigen::Vector3f> corners() const { return corners_; }
    // Calls visit(unit normal, facet).
    template <class Visit>
    void for_facets(const Visit& visit) const {
        for (std::size_t i = 0; i < facets_.size(); ++i) {
            const Triangle t = triangle(static_cast<std::int32_t>(i));
            visit(Vector3d((t[1] - t[0]).cross(t[2] - t[0]).normalized()), t);
        }
    }
    // Returns the triangle across an edge; -1: none.
    std::int32_t neighbor(std::int32_t number, std::size_t edge) const {
        if (tree_ != nullptr) return tree_->surface().neighbor(number, static_cast<int>(edge));
        const Facet& facet = facets_[static_cast<std::size_t>(number)];
        for (std::size_t other = 0; other < facets_.size(); ++other)
            for (std::size_t i = 0; i < 3; ++i)
                if (facets_[other][i] == facet[(edge + 1) % 3] && facets_[other][(i + 1) % 3] == facet[edge])
                    return static_cast<std::int32_t>(other);
        return -1;
    }

    // Calls visit(number, triangle) for triangles whose boxes meet the box; visit returns false to end.
    template <class Visit>
    void near(const Vector3d& low_m, const Vector3d& high_m, CollideCounts& counts, const Visit& visit) const {
        const auto show = [&](std::int32_t number) {
            const Triangle t = triangle(number);
            const bool outside = (t[0].cwiseMin(t[1]).cwiseMin(t[2]).array() > high_m.array()).any() ||
                                 (t[0].cwiseMax(t[1]).cwiseMax(t[2]).array() < low_m.array()).any();
            return outside || visit(number, t);
        };
        if (tree_ == nullptr) {
            for (std::size_t i = 0; i < facets_.size(); ++i)
                if (!show(static_cast<std::int32_t>(i))) return;
            return;
        }
        const ObbTree& tree = tree_->tree();
        // No mesh is larger; infinite boxes are not allowed.
        constexpr double kFar_m = 1e18;
        const Vector3d low = low_m.cwiseMax(-kFar_m), high = high_m.cwiseMin(kFar_m);
        Obb region;
        region.center_m = (0.5 * (low + high)).cast<float>();
        region.half_m = (0.5 * (high - low)).cast<float>();
        const float lost_m = rounding_m(tree, region.center_m.cwiseAbs().sum() + region.half_m.sum());
        std::array<float, ObbTree::kWidth> area_m2;
        std::array<std::int32_t, ObbTree::kMaxWaiting> waiting;
        std::size_t size = 0;
        waiting[size++] = 0;
        while (size > 0) {
            const std::int32_t next = waiting[--size];
            if (next >= 0) {
                const ObbTree::Node& node = tree.nodes()[static_cast<std::size_t>(next)];
                counts.n_v += node.count;
                for (std::uint32_t met = overlap_children(region, node, lost_m, area_m2); met != 0; met &= met - 1)
                    waiting[size++] = node.child[static_cast<std::size_t>(std::countr_zero(met))];
                continue;
            }
            for (const std::int32_t number : tree.blocks()[static_cast<std::size_t>(~next)].triangle)
                if (number < 0 || !show(number)) {
                    if (number >= 0) return;
                    break;
                }
        }
    }

  private:
    const MeshTree* tree_ = nullptr;
    std::span<const Eigen::Vector3f> corners_;
    std::span<const Facet> facets_;
};

// A shape that has facets, and its pose.
struct Solid {
    Surface surface;
    Eigen::Isometry3f world_from_solid;
    double radius_m;  // the solid includes everything within this distance
};
using BoxCorners = std::array<Eigen::Vector3f, 8>;

inline std::optional<Solid> solid_of(const Shape& shape, BoxCorners& store) {
    std::optional<Solid> solid;
    if (const auto* mesh = std::get_if<MeshInstance>(&shape))
        solid = Solid{Surface(*mesh->tree), mesh->world_from_mesh, 0.0};
    if (const auto* hull = std::get_if<HullInstance>(&shape))
        solid = Solid{Surface(*hull->hull), hull->world_from_hull, 0.0};
    if (const auto* box = std::get_if<RoundedBox>(&shape)) {
        std::size_t corner = 0;
        for_corners({Eigen::Vector3f::Zero(), Eigen::Matrix3f::Identity(), box->core.half_m},
                    [&](const Eigen::Vector3f& at) { store[corner++] = at; });
        Eigen::Isometry3f world_from_box = Eigen::Isometry3f::Identity();
        world_from_box.linear() = box->core.axes;
        world_from_box.translation() = box->core.center_m;
        solid = Solid{Surface(store, kBoxFacets), world_from_box, double{box->radius_m}};
    }
    if (solid && !solid->surface.has_facets()) solid.reset();  // a flat hull
    return solid;
}

}  // namespace glovebox::collision::manifold
