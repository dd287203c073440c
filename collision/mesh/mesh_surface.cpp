#include "collision/mesh/mesh_surface.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "collision/box/box.h"

namespace glovebox::collision {
namespace {

using Eigen::Vector3d;

Vector3d area_normal(const Triangle& triangle) {
    return (triangle[1] - triangle[0]).cross(triangle[2] - triangle[0]);
}

Vector3d unit_or_zero(const Vector3d& v) {
    const double length = v.norm();
    return length > 0.0 ? Vector3d(v / length) : Vector3d(Vector3d::Zero());
}

// Returns for each vertex the first one at the same position.
std::vector<std::uint32_t> weld(const std::vector<Eigen::Vector3f>& vertices) {
    std::vector<std::uint32_t> order(vertices.size()), first(vertices.size());
    std::iota(order.begin(), order.end(), 0U);
    const auto key = [&](std::uint32_t i) {
        return std::array{vertices[i].x(), vertices[i].y(), vertices[i].z(), 0.0F};
    };
    std::sort(order.begin(), order.end(), [&](auto a, auto b) { return key(a) != key(b) ? key(a) < key(b) : a < b; });
    for (std::size_t i = 0; i < order.size(); ++i)
        first[order[i]] = i > 0 && key(order[i]) == key(order[i - 1]) ? first[order[i - 1]] : order[i];
    return first;
}

// Returns whether some triangles cannot be reached from the others across edges. Triangles without neighbours, which
// welding collapsed, do not count.
bool in_pieces(const std::vector<std::array<std::int32_t, 3>>& neighbors) {
    const auto is_alone = [](const std::array<std::int32_t, 3>& each) { return std::ranges::max(each) < 0; };
    std::vector<bool> reached(neighbors.size(), false);
    std::vector<std::int32_t> open;
    int pieces = 0;
    for (std::size_t i = 0; i < neighbors.size(); ++i) {
        if (reached[i] || is_alone(neighbors[i])) continue;
        if (++pieces > 1) return true;
        reached[i] = true;
        open.push_back(static_cast<std::int32_t>(i));
        while (!open.empty()) {
            const std::int32_t at = open.back();
            open.pop_back();
            for (const std::int32_t next : neighbors[static_cast<std::size_t>(at)]) {
                if (next < 0 || reached[static_cast<std::size_t>(next)]) continue;
                reached[static_cast<std::size_t>(next)] = true;
                open.push_back(next);
            }
        }
    }
    return false;
}

struct DirectedEdge {
    std::uint32_t low, high;
    bool forward;  // from low to high
    std::int32_t triangle, edge;
};

// Larger than any object that a hand turns over, smaller than any room.
constexpr float kLargestSlip_m = 1.5F;

}  // namespace

MeshSurface::MeshSurface(const Mesh& mesh) : neighbors_(mesh.triangles.size(), {-1, -1, -1}) {
    const std::vector<std::uint32_t> welded = weld(mesh.vertices_m);
    std::vector<DirectedEdge> edges;
    edges.reserve(3 * mesh.triangles.size());
    for (std::size_t i = 0; i < mesh.triangles.size(); ++i) {
        const auto& corners = mesh.triangles[i];
        const std::array w = {welded[corners[0]], welded[corners[1]], welded[corners[2]]};
        if (w[0] == w[1] || w[1] == w[2] || w[2] == w[0]) continue;
        for (std::size_t k = 0; k < 3; ++k) {
            const std::uint32_t from = w[k], to = w[(k + 1) % 3];
            edges.push_back({std::min(from, to), std::max(from, to), from < to, static_cast<std::int32_t>(i),
                             static_cast<std::int32_t>(k)});
        }
    }
    std::sort(edges.begin(), edges.end(), [](const DirectedEdge& a, const DirectedEdge& b) {
        return std::array{a.low, a.high} != std::array{b.low, b.high}
                   ? std::array{a.low, a.high} < std::array{b.low, b.high}
                   : a.triangle < b.triangle;
    });
    closed_ = !edges.empty();
    for (std::size_t i = 0; i < edges.size();) {
        std::size_t end = i + 1;
        while (end < edges.size() && edges[end].low == edges[i].low && edges[end].high == edges[i].high) ++end;
        if (end - i == 2) {
            const DirectedEdge &a = edges[i], &b = edges[i + 1];
            neighbors_[static_cast<std::size_t>(a.triangle)][static_cast<std::size_t>(a.edge)] = b.triangle;
            neighbors_[static_cast<std::size_t>(b.triangle)][static_cast<std::size_t>(b.edge)] = a.triangle;
            closed_ = closed_ && a.forward != b.forward;
        } else {
            closed_ = false;
        }
        i = end;
    }
    if (!closed_) return;

    std::vector<Vector3d> normals(mesh.vertices_m.size(), Vector3d::Zero());
    double volume = 0.0;
    const Vector3d origin = mesh.vertices_m[mesh.triangles[0][0]].cast<double>();
    for (std::size_t i = 0; i < mesh.triangles.size(); ++i) {
        const Triangle triangle = triangle_of(mesh, static_cast<int>(i));
        const Vector3d normal = unit_or_zero(area_normal(triangle));
        volume += (triangle[0] - origin).dot((triangle[1] - origin).cross(triangle[2] - origin));
        for (std::size_t k = 0; k < 3; ++k) {
            const Vector3d u = triangle[(k + 1) % 3] - triangle[k], v = triangle[(k + 2) % 3] - triangle[k];
            normals[welded[mesh.triangles[i][k]]] += std::atan2(u.cross(v).norm(), u.dot(v)) * normal;
        }
    }
    if (volume < 0.0) {
        // The scan of a room encloses the air in it, with faces towards the air. That air must not be solid, so such a
        // mesh counts as a shell. A hand-sized mesh whose faces point inwards is an export error.
        Aabb bounds;
        for (const Eigen::Vector3f& vertex_m : mesh.vertices_m) bounds.include(vertex_m);
        closed_ = (bounds.max_m - bounds.min_m).maxCoeff() <= kLargestSlip_m;
        if (!closed_) return;
        sign_ = -1.0;
    }
    has_pieces_ = in_pieces(neighbors_);
    std::vector<std::uint32_t> place(normals.size());
    std::size_t places = 0;
    for (std::size_t i = 0; i < normals.size(); ++i) places += welded[i] == i ? 1 : 0;
    vertex_normals_.reserve(places);
    for (std::size_t i = 0; i < normals.size(); ++i) {
        if (welded[i] != i) continue;
        place[i] = static_cast<std::uint32_t>(vertex_normals_.size());
        vertex_normals_.push_back(unit_or_zero(normals[i]).cast<float>());
    }
    if (places == normals.size()) return;
    for (std::size_t i = 0; i < normals.size(); ++i) place[i] = place[welded[i]];
    normal_of_ = std::move(place);
}

Vector3d MeshSurface::outward(const Mesh& mesh, int triangle, TriangleFeature feature) const {
    const auto& corners = mesh.triangles[static_cast<std::size_t>(triangle)];
    const auto f = static_cast<std::size_t>(feature);
    const Vector3d own = unit_or_zero(area_normal(triangle_of(mesh, triangle)));
    if (!closed_ || feature == TriangleFeature::face) return sign_ * own;
    if (f >= static_cast<std::size_t>(TriangleFeature::corner_a)) {
        const std::uint32_t vertex = corners[f - static_cast<std::size_t>(TriangleFeature::corner_a)];
        return sign_ * vertex_normals_[normal_of_.empty() ? vertex : normal_of_[vertex]].cast<double>();
    }
    const int across = neighbor(triangle, static_cast<int>(f - static_cast<std::size_t>(TriangleFeature::edge_ab)));
    if (across < 0) return sign_ * own;
    return sign_ * (own + unit_or_zero(area_normal(triangle_of(mesh, across))));
}

std::size_t MeshSurface::memory_bytes() const {
    return neighbors_.capacity() * sizeof(neighbors_[0]) + vertex_normals_.capacity() * sizeof(vertex_normals_[0]) +
           normal_of_.capacity() * sizeof(normal_of_[0]);
}

}  // namespace glovebox::collision
