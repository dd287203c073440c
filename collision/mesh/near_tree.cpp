#include "collision/mesh/near_tree.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <vector>

#include "collision/mesh/tree_check.h"

namespace glovebox::collision {
namespace {

using Eigen::Vector3d;
using Eigen::Vector3f;

static_assert(sizeof(NearTree::Node) == 128 && sizeof(NearTree::Block) == 160);

// What a child of a node is made from: a node of the binary tree, or a part of one of its leaves.
struct Part {
    Aabb box;
    std::int32_t node;          // -1: the triangles order[first .. first + count)
    std::int32_t first, count;  // count 0: inner node

    bool opens() const { return count == 0 || count > static_cast<std::int32_t>(NearTree::kBlockTriangles); }
};

float area(const Aabb& box) {
    const Vector3f size = box.max_m - box.min_m;
    return size.x() * size.y() + size.y() * size.z() + size.z() * size.x();
}

class Packer {
  public:
    Packer(const Mesh& mesh, const BoxTree& binary) : mesh_(mesh), binary_(binary), boxes_(binary.nodes.size()) {
        for (std::size_t i = binary.nodes.size(); i-- > 0;) {  // children stand behind their parents
            const BoxTree::Node& node = binary.nodes[i];
            if (node.count > 0) {
                boxes_[i] = box_of(node.first, node.count);
            } else {
                const auto child = static_cast<std::size_t>(node.first);
                boxes_[i] = {boxes_[child].min_m.cwiseMin(boxes_[child + 1].min_m),
                             boxes_[child].max_m.cwiseMax(boxes_[child + 1].max_m)};
            }
        }
    }

    Part root() const { return part_of(0); }

    /// What a node's children are: the largest is opened until there are eight or only blocks are left.
    std::vector<Part> children_of(const Part& parent) const {
        std::vector<Part> parts = {parent};
        while (parts.size() < NearTree::kWidth) {
            auto largest = parts.end();
            for (auto it = parts.begin(); it != parts.end(); ++it)
                if (it->opens() && (largest == parts.end() || area(it->box) > area(largest->box))) largest = it;
            if (largest == parts.end()) break;
            const auto [a, b] = halves_of(*largest);
            *largest = a;
            parts.insert(largest + 1, b);
        }
        return parts;
    }

    NearTree::Block block_of(const Part& part) const {
        NearTree::Block block;
        for (std::size_t lane = 0; lane < NearTree::kBlockTriangles; ++lane) {
            const bool used = static_cast<std::int32_t>(lane) < part.count;
            const std::int32_t number =
                binary_.order[static_cast<std::size_t>(part.first) + (used ? lane : std::size_t{0})];
            block.triangle[lane] = used ? number : -1;
            const auto& corners = mesh_.triangles[static_cast<std::size_t>(number)];
            for (std::size_t corner = 0; corner < 3; ++corner)
                for (std::size_t k = 0; k < 3; ++k)
                    block.corner_m[corner][k][lane] = mesh_.vertices_m[corners[corner]][static_cast<Eigen::Index>(k)];
        }
        return block;
    }

  private:
    Aabb box_of(std::int32_t first, std::int32_t count) const {
        Aabb box;
        for (std::int32_t i = first; i < first + count; ++i)
            for (const std::uint32_t corner :
                 mesh_.triangles[static_cast<std::size_t>(binary_.order[static_cast<std::size_t>(i)])])
                box.include(mesh_.vertices_m[corner]);
        return box;
    }
    Part part_of(std::int32_t node) const {
        const auto i = static_cast<std::size_t>(node);
        return {boxes_[i], node, binary_.nodes[i].first, binary_.nodes[i].count};
    }
    std::pair<Part, Part> halves_of(const Part& part) const {
        if (part.count == 0) return {part_of(part.first), part_of(part.first + 1)};
        const std::int32_t half = part.count / 2;
        const auto cut = [&](std::int32_t first, std::int32_t count) {
            return Part{box_of(first, count), -1, first, count};
        };
        return {cut(part.first, half), cut(part.first + half, part.count - half)};
    }

    const Mesh& mesh_;
    const BoxTree& binary_;
    std::vector<Aabb> boxes_;
};

// In 255 steps from the lowest to the highest child, low ends rounded down and high ends up.
void store_boxes(std::span<const Part> parts, NearTree::Node& node) {
    Aabb all;
    for (const Part& part : parts) {
        all.include(part.box.min_m);
        all.include(part.box.max_m);
    }
    for (std::size_t k = 0; k < 3; ++k) {
        const auto axis = static_cast<Eigen::Index>(k);
        const double low_m = double{all.min_m[axis]}, size_m = double{all.max_m[axis]} - low_m;
        node.low_m[k] = all.min_m[axis];
        // A step more than enough: the last one must not end below the highest child after rounding to float.
        node.step_m[k] = static_cast<float>(size_m / 254.0);
        const double step_m = std::max(double{node.step_m[k]}, double{std::numeric_limits<float>::min()});
        for (std::size_t child = 0; child < NearTree::kWidth; ++child) {
            node.low_steps[k][child] = node.high_steps[k][child] = 0;
            if (child >= parts.size()) continue;
            const auto steps = [&](float at_m) { return (double{at_m} - low_m) / step_m; };
            node.low_steps[k][child] =
                static_cast<std::uint8_t>(std::clamp(std::floor(steps(parts[child].box.min_m[axis])), 0.0, 255.0));
            node.high_steps[k][child] =
                static_cast<std::uint8_t>(std::clamp(std::ceil(steps(parts[child].box.max_m[axis])), 0.0, 255.0));
        }
    }
}

// ---- bounds one by one

// Distance from the origin to where a box reaches out of another, given how far along each axis of the latter.
float distance_of(const Vector3f& gap) {
    return gap.cwiseMax(0.0F).norm();
}

using Corners = std::array<Vector3f, 3>;

// A unit vector, or the zero vector: along which no gap is seen.
Vector3f direction_of(const Vector3f& v) {
    return v / std::max(v.norm(), 1e-18F);
}

struct Span {
    float low, high;
};
Span span_of(const Corners& corners, const Vector3f& direction) {
    const float a = direction.dot(corners[0]), b = direction.dot(corners[1]), c = direction.dot(corners[2]);
    return {std::min({a, b, c}), std::max({a, b, c})};
}
Vector3f middle_of(const Corners& corners) {
    return (corners[0] + corners[1] + corners[2]) / 3.0F;
}
Vector3f across(const Corners& corners) {
    return (corners[1] - corners[0]).cross(corners[2] - corners[1]);
}
Vector3f nearest_to(const Vector3f& point, const Corners& corners) {
    const Vector3f normal = across(corners);
    const float edges2 = (corners[1] - corners[0]).squaredNorm() * (corners[2] - corners[1]).squaredNorm();
    bool above = normal.squaredNorm() > 1e-2F * edges2;
    Vector3f nearest = corners[0];
    for (std::size_t i = 0; i < 3; ++i) {
        const Vector3f edge = corners[(i + 1) % 3] - corners[i], from = point - corners[i];
        above = above && normal.cross(edge).dot(from) >= 0.0F;
        const float t = std::clamp(from.dot(edge) / std::max(edge.squaredNorm(), 1e-36F), 0.0F, 1.0F);
        const Vector3f on_edge = corners[i] + t * edge;
        if ((point - on_edge).squaredNorm() < (point - nearest).squaredNorm()) nearest = on_edge;
    }
    return above ? Vector3f(point - normal * (normal.dot(point - corners[0]) / normal.squaredNorm())) : nearest;
}

struct Gap {
    float least, most;
};

// From below, the gap along one direction, which is never more than the distance; from above, some pair of points.
struct PointBound {
    Vector3f point;

    float box(const Aabb& box) const { return distance_of((box.min_m - point).cwiseMax(point - box.max_m)); }
    Gap triangle(const Corners& corners) const {
        const Vector3f way = point - nearest_to(point, corners), away = direction_of(way);
        return {std::max(0.0F, away.dot(point) - span_of(corners, away).high), way.norm()};
    }
};

struct ConeBound {
    Vector3f a, b, along;
    float radius_a, radius_b, radius_max, inverse_length2 = 0.0F;
    // slope / length^2 and sqrt(1 - slope^2 / length^2): from across the axis to across the side
    float tilt = 0.0F, shrink = 1.0F;

    explicit ConeBound(const RoundCone& cone)
        : a(cone.a_m),
          b(cone.b_m),
          along(cone.b_m - cone.a_m),
          radius_a(cone.radius_a_m),
          radius_b(cone.radius_b_m),
          radius_max(std::max(radius_a, radius_b)) {
        const float length2 = along.squaredNorm();
        if (!(length2 > std::numeric_limits<float>::min())) return;
        inverse_length2 = 1.0F / length2;
        const float slope = radius_b - radius_a;
        if (!(slope * slope < length2)) return;
        tilt = slope * inverse_length2;
        shrink = std::sqrt(1.0F - slope * slope * inverse_length2);
    }

    float nearest_to_point(const Vector3f& at) const {
        return std::clamp((at - a).dot(along) * inverse_length2, 0.0F, 1.0F);
    }
    // Of a way to the axis, tilted to stand on the cone's side where it ends between the ends. A way that is not quite
    // across the axis would come out longer than 1.
    Vector3f direction_of_way(const Vector3f& way, float s) const {
        Vector3f away = direction_of(way);
        if (s > 0.0F && s < 1.0F) away = shrink * away + tilt * along;
        return away / std::max(away.norm(), 1.0F);
    }
    float low_along(const Vector3f& direction) const {
        return std::min(direction.dot(a) - radius_a, direction.dot(b) - radius_b);
    }
    float box(const Aabb& box) const {
        const float by_axes = distance_of((box.min_m - a.cwiseMax(b)).cwiseMax(a.cwiseMin(b) - box.max_m)) - radius_max;
        const Vector3f middle = 0.5F * (box.min_m + box.max_m), half = 0.5F * (box.max_m - box.min_m);
        const float s = nearest_to_point(middle);
        const Vector3f away = direction_of_way(a + s * along - middle, s);
        return std::max(by_axes, low_along(away) - away.dot(middle) - half.dot(away.cwiseAbs()));
    }
    Gap triangle(const Corners& corners) const {
        // To and fro between axis and triangle.
        float s = nearest_to_point(middle_of(corners));
        s = nearest_to_point(nearest_to(a + s * along, corners));
        const Vector3f way = a + s * along - nearest_to(a + s * along, corners);
        const Vector3f away = direction_of_way(way, s), normal = direction_of(across(corners));
        const Span over = span_of(corners, normal);
        return {std::max({-radius_max, low_along(away) - span_of(corners, away).high, low_along(normal) - over.high,
                          over.low + low_along(-normal)}),
                way.norm() - (radius_a + s * (radius_b - radius_a))};
    }
};

struct CoreBound {
    Obb core;

    float box(const Aabb& box) const {
        const Vector3f between = core.center_m - 0.5F * (box.min_m + box.max_m);
        const Vector3f half = 0.5F * (box.max_m - box.min_m);
        const Eigen::Matrix3f turn = core.axes.cwiseAbs();
        return std::max(
            distance_of(between.cwiseAbs() - half - turn * core.half_m),
            distance_of((core.axes.transpose() * between).cwiseAbs() - core.half_m - turn.transpose() * half));
    }
    Gap triangle(const Corners& corners) const {
        Corners in_core;
        for (std::size_t i = 0; i < 3; ++i) in_core[i] = core.axes.transpose() * (corners[i] - core.center_m);
        const auto into_core = [&](const Vector3f& at) -> Vector3f {
            return at.cwiseMin(core.half_m).cwiseMax(-core.half_m);
        };
        const Vector3f low = in_core[0].cwiseMin(in_core[1]).cwiseMin(in_core[2]);
        const Vector3f high = in_core[0].cwiseMax(in_core[1]).cwiseMax(in_core[2]);
        const Vector3f normal = direction_of(across(in_core));
        const Span over = span_of(in_core, normal);
        const float radius = normal.cwiseAbs().dot(core.half_m);
        // To and fro between box and triangle.
        Vector3f nearest = nearest_to(into_core(middle_of(in_core)), in_core);
        nearest = nearest_to(into_core(nearest), in_core);
        const Vector3f way = nearest - into_core(nearest), away = direction_of(way);
        return {std::max({distance_of(low.cwiseMax(-high) - core.half_m), over.low - radius, -over.high - radius,
                          span_of(in_core, away).low - away.cwiseAbs().dot(core.half_m)}),
                way.norm()};
    }
};

Aabb stored_box(const NearTree::Node& node, std::size_t child) {
    Aabb box;
    for (std::size_t k = 0; k < 3; ++k) {
        const auto axis = static_cast<Eigen::Index>(k);
        box.min_m[axis] = node.low_m[k] + node.step_m[k] * static_cast<float>(node.low_steps[k][child]);
        box.max_m[axis] = node.low_m[k] + node.step_m[k] * static_cast<float>(node.high_steps[k][child]);
    }
    return box;
}

template <class Bound>
NodeBounds bounds_of(const NearTree::Node& node, const Bound& bound) {
    NodeBounds bounds;
    for (std::size_t child = 0; child < NearTree::kWidth; ++child) bounds[child] = bound.box(stored_box(node, child));
    return bounds;
}

template <class Bound>
BlockBounds bounds_of(const NearTree::Block& block, const Bound& bound) {
    BlockBounds bounds;
    for (std::size_t lane = 0; lane < NearTree::kBlockTriangles; ++lane) {
        Corners corners;
        for (std::size_t i = 0; i < 3; ++i)
            for (std::size_t k = 0; k < 3; ++k) corners[i][static_cast<Eigen::Index>(k)] = block.corner_m[i][k][lane];
        const Gap gap = bound.triangle(corners);
        bounds.least[lane] = gap.least;
        bounds.most[lane] = gap.most;
    }
    return bounds;
}

}  // namespace

static_assert(NearTree::kMostWaiting > (NearTree::kWidth - 1) * kDeepestTree);

NearTree::NearTree(const Mesh& mesh, const BoxTree& binary) {
    const Packer packer(mesh, binary);
    std::vector<Node> nodes;
    std::vector<Block> blocks;
    std::vector<Part> parts = {packer.root()};  // of the nodes, in the order of their numbers
    largest_m_ = parts[0].box.min_m.cwiseAbs().cwiseMax(parts[0].box.max_m.cwiseAbs()).maxCoeff();
    for (std::size_t number = 0; number < parts.size(); ++number) {
        const std::vector<Part> children = packer.children_of(parts[number]);
        Node& node = nodes.emplace_back();
        node.count = static_cast<std::int32_t>(children.size());
        store_boxes(children, node);
        for (std::size_t child = 0; child < kWidth; ++child) {
            node.child[child] = 0;
            if (child >= children.size()) continue;
            if (children[child].opens()) {
                node.child[child] = static_cast<std::int32_t>(parts.size());
                parts.push_back(children[child]);
            } else {
                node.child[child] = ~static_cast<std::int32_t>(blocks.size());
                blocks.push_back(packer.block_of(children[child]));
            }
        }
    }
    nodes_ = std::move(nodes);
    blocks_ = std::move(blocks);
}

Aabb NearTree::box_of(const Node& node, std::size_t child) const {
    // A product and a sum of numbers up to twice the largest coordinate, each rounded once.
    const float lost_m = 2.0F * std::numeric_limits<float>::epsilon() * largest_m_ + std::numeric_limits<float>::min();
    Aabb box = stored_box(node, child);
    box.min_m.array() -= lost_m;
    box.max_m.array() += lost_m;
    return box;
}

NodeBounds node_bounds_scalar(const NearTree::Node& node, const Vector3f& point_m) {
    return bounds_of(node, PointBound{point_m});
}
NodeBounds node_bounds_scalar(const NearTree::Node& node, const RoundCone& cone) {
    return bounds_of(node, ConeBound(cone));
}
NodeBounds node_bounds_scalar(const NearTree::Node& node, const Obb& core) {
    return bounds_of(node, CoreBound{core});
}
BlockBounds block_bounds_scalar(const NearTree::Block& block, const Vector3f& point_m) {
    return bounds_of(block, PointBound{point_m});
}
BlockBounds block_bounds_scalar(const NearTree::Block& block, const RoundCone& cone) {
    return bounds_of(block, ConeBound(cone));
}
BlockBounds block_bounds_scalar(const NearTree::Block& block, const Obb& core) {
    return bounds_of(block, CoreBound{core});
}

}  // namespace glovebox::collision
