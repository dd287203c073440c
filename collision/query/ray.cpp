#include "collision/query/ray.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "collision/mesh/block_triangle.h"
#include "collision/mesh/mesh_tree.h"

namespace glovebox::collision {
namespace {

using Eigen::Vector3d;
using Eigen::Vector3f;

struct Range {
    double from_m, to_m;
};

// Returns the part of the ray in a box, found with the planes of the box's sides. NaN cuts nothing off.
std::optional<Range> part_in(const Obb& box, const Vector3d& from_m, const Vector3d& along, double length_m) {
    Range range{0.0, length_m};
    const Vector3d from_center_m = from_m - box.center_m.cast<double>();
    for (int k = 0; k < 3; ++k) {
        const Vector3d axis = box.axes.col(k).cast<double>();
        const double at_m = axis.dot(from_center_m), slope = axis.dot(along), half_m = double{box.half_m[k]};
        if (std::abs(slope) < 1e-12) {
            if (std::abs(at_m) > half_m) return {};
            continue;
        }
        const double a_m = (-half_m - at_m) / slope, b_m = (half_m - at_m) / slope;
        range.from_m = std::max(range.from_m, std::min(a_m, b_m));
        range.to_m = std::min(range.to_m, std::max(a_m, b_m));
    }
    if (!(range.from_m <= range.to_m)) return {};
    return range;
}

RayHit hit_inside(const Ray& ray, const Vector3d& along) {
    return {0.0F, ray.from_m, -along.cast<float>(), -1};
}

// Visits the triangles near a ray and keeps the first that it crosses.
struct FirstCrossing {
    Vector3d from_m, along;
    double distance_m;
    std::int32_t triangle = -1;
    Vector3d normal;

    void operator()(const ObbTree::Block& block, std::size_t lane, double&) {
        const Triangle corners = triangle_at(block, lane);
        const Vector3d a = corners[0] - from_m, b = corners[1] - from_m, c = corners[2] - from_m;
        // The sides on which the ray passes the edges. Two triangles compute exactly opposite values for their common
        // edge, so no ray passes between them.
        const std::array sides = {along.dot(b.cross(c)), along.dot(c.cross(a)), along.dot(a.cross(b))};
        const auto [least, most] = std::ranges::minmax(sides);
        if (least < 0.0 && most > 0.0) return;
        const double sum = sides[0] + sides[1] + sides[2];
        if (sum == 0.0) return;  // seen from its edge, or without area
        const double at_m = (sides[0] * a.dot(along) + sides[1] * b.dot(along) + sides[2] * c.dot(along)) / sum;
        if (!(at_m >= 0.0 && at_m <= distance_m)) return;
        if (at_m == distance_m && triangle >= 0 && block.triangle[lane] > triangle) return;
        distance_m = at_m;
        triangle = block.triangle[lane];
        normal = (corners[1] - corners[0]).cross(corners[2] - corners[0]);
    }
};

std::optional<RayHit> cast_at_mesh(const Ray& ray, const Vector3d& along, double length_m, const MeshInstance& mesh,
                                   CollideCounts& counts) {
    const Eigen::Isometry3d mesh_from_world = mesh.world_from_mesh.cast<double>().inverse(Eigen::Isometry);
    const Vector3d from_m = mesh_from_world * ray.from_m.cast<double>(),
                   along_in_mesh = mesh_from_world.linear() * along;
    MeshTreeCounts tree_counts;
    const auto finish = [&](std::optional<RayHit> hit) {
        counts.n_v_exact += tree_counts.box_tests;
        counts.n_p += tree_counts.triangle_tests;
        return hit;
    };
    if (mesh.tree->contains(from_m.cast<float>(), tree_counts)) return finish(hit_inside(ray, along));
    const ObbTree& tree = mesh.tree->tree();
    const float size_m = from_m.cast<float>().cwiseAbs().sum() + tree.root_box().half_m.sum();
    const float slack_m = rounding_m(tree, 4.0F * size_m);
    const auto part = part_in(tree.root_box().grown(slack_m), from_m, along_in_mesh, length_m);
    if (!part) return finish({});
    FirstCrossing first{from_m, along_in_mesh, length_m, -1, {}};
    const Vector3d begin_m = from_m + part->from_m * along_in_mesh, end_m = from_m + part->to_m * along_in_mesh;
    find_all_near(tree, kWholeTree, RoundCone{begin_m.cast<float>(), end_m.cast<float>(), 0.0F, 0.0F}, double{slack_m},
                  tree_counts, NearVisit::of(first));
    if (first.triangle < 0) return finish({});
    Vector3d normal = mesh.world_from_mesh.linear().cast<double>() * first.normal.normalized();
    if (normal.dot(along) > 0.0) normal = -normal;
    return finish(RayHit{static_cast<float>(first.distance_m),
                         (ray.from_m.cast<double>() + first.distance_m * along).cast<float>(), normal.cast<float>(),
                         first.triangle});
}

std::optional<RayHit> cast_at_convex(const Ray& ray, const Vector3d& along, double length_m, const Shape& shape,
                                     CollideCounts& counts) {
    constexpr float kOnSurface_m = 2e-6F, kGrazing_m = 1e-5F;
    constexpr int kMaxSteps = 64;  // a ray that grazes converges by halves, others in a few steps
    const Obb box = bounding_box(shape);
    const auto part = part_in(box.grown(kGrazing_m), ray.from_m.cast<double>(), along, length_m);
    if (!part) return {};
    double at_m = part->from_m;
    for (int step = 0; step < kMaxSteps; ++step) {
        const Vector3f point_m = (ray.from_m.cast<double>() + at_m * along).cast<float>();
        Contact contact;
        if (!closest(RoundCone{point_m, point_m, 0.0F, 0.0F}, shape, std::numeric_limits<float>::max(), contact,
                     counts))
            return {};
        if (at_m == 0.0 && contact.distance_m <= 0.0F) return hit_inside(ray, along);
        const float tolerance_m = std::max(kOnSurface_m, 4e-7F * point_m.cwiseAbs().maxCoeff());
        if (contact.distance_m <= (step + 1 < kMaxSteps ? tolerance_m : kGrazing_m))
            return RayHit{static_cast<float>(at_m), point_m, -contact.normal, -1};
        const double approach = contact.normal.cast<double>().dot(along);
        if (!(approach > 0.0)) return {};
        at_m += double{contact.distance_m} / approach;
        if (!(at_m <= part->to_m)) return {};
    }
    return {};
}

}  // namespace

std::optional<RayHit> cast_ray(const Ray& ray, const Shape& shape, CollideCounts& counts) {
    const Vector3d direction = ray.direction.cast<double>();
    const double size = direction.norm();
    if (!(size > 0.0 && std::isfinite(size) && ray.from_m.allFinite() && ray.length_m >= 0.0F)) return {};
    const Vector3d along = direction / size;
    const auto length_m = double{ray.length_m};
    if (const auto* mesh = std::get_if<MeshInstance>(&shape)) return cast_at_mesh(ray, along, length_m, *mesh, counts);
    return cast_at_convex(ray, along, length_m, shape, counts);
}

}  // namespace glovebox::collision
