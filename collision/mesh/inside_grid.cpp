#include "collision/mesh/inside_grid.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "collision/box/box.h"
#include "collision/mesh/mesh_surface.h"

namespace glovebox::collision {

using Eigen::Vector3f;
using Eigen::Vector3i;

InsideGrid::InsideGrid(const Mesh& mesh, bool faces_inwards) {
    Aabb bounds;
    for (const Vector3f& vertex_m : mesh.vertices_m) bounds.include(vertex_m);
    const float longest_m = (bounds.max_m - bounds.min_m).maxCoeff();
    if (!(longest_m > 0.0F) || !std::isfinite(longest_m)) return;
    const double wanted = 2.0 * std::cbrt(static_cast<double>(mesh.triangles.size()));
    cell_m_ = longest_m / static_cast<float>(std::clamp(wanted, 8.0, 64.0));
    // A border of free cells on all sides: the outside is one region, and rounding at the border is safe.
    low_m_ = bounds.min_m.array() - cell_m_;
    for (int k = 0; k < 3; ++k)
        counts_[k] = 2 + static_cast<int>(std::ceil((bounds.max_m[k] - bounds.min_m[k]) / cell_m_)) + 1;
    sides_.assign(static_cast<std::size_t>(counts_[0]) * static_cast<std::size_t>(counts_[1]) *
                      static_cast<std::size_t>(counts_[2]),
                  Side::outside);
    mark(mesh);
    fill(mesh, faces_inwards);
}

InsideGrid::Side InsideGrid::at(const Vector3f& point_m) const {
    if (sides_.empty()) return Side::unknown;
    Vector3i cell;
    for (int k = 0; k < 3; ++k) {
        const float along = (point_m[k] - low_m_[k]) / cell_m_;
        if (!(along >= 0.0F && along < static_cast<float>(counts_[k]))) return Side::outside;
        cell[k] = static_cast<int>(along);
    }
    return sides_[index(cell[0], cell[1], cell[2])];
}

// Marks cells that meet the triangle's box and its plane, both thickened by a hundredth of a cell.
void InsideGrid::mark(const Mesh& mesh) {
    const float slack_m = 0.01F * cell_m_;
    for (const auto& triangle : mesh.triangles) {
        Aabb box;
        for (const std::uint32_t vertex : triangle) box.include(mesh.vertices_m[vertex]);
        const Vector3f& corner_m = mesh.vertices_m[triangle[0]];
        const Vector3f normal =
            (mesh.vertices_m[triangle[1]] - corner_m).cross(mesh.vertices_m[triangle[2]] - corner_m).normalized();
        const float reach_m = 0.5F * cell_m_ * normal.cwiseAbs().sum() + slack_m;
        Vector3i first, last;
        for (int k = 0; k < 3; ++k) {
            const auto cell = [&](float at_m) {
                return std::clamp(static_cast<int>((at_m - low_m_[k]) / cell_m_), 0, counts_[k] - 1);
            };
            first[k] = cell(box.min_m[k] - slack_m);
            last[k] = cell(box.max_m[k] + slack_m);
        }
        for (int z = first[2]; z <= last[2]; ++z)
            for (int y = first[1]; y <= last[1]; ++y)
                for (int x = first[0]; x <= last[0]; ++x) {
                    const Vector3f middle_m =
                        low_m_ + cell_m_ * (Vector3i(x, y, z).cast<float>().array() + 0.5F).matrix();
                    if (!(std::abs(normal.dot(middle_m - corner_m)) > reach_m)) sides_[index(x, y, z)] = Side::unknown;
                }
    }
}

void InsideGrid::fill(const Mesh& mesh, bool faces_inwards) {
    std::vector<std::uint8_t> seen(sides_.size(), 0);
    std::vector<Vector3i> open;
    for (int z = 0; z < counts_[2]; ++z)
        for (int y = 0; y < counts_[1]; ++y)
            for (int x = 0; x < counts_[0]; ++x) {
                if (seen[index(x, y, z)] != 0 || sides_[index(x, y, z)] == Side::unknown) continue;
                const Vector3f middle_m = low_m_ + cell_m_ * (Vector3i(x, y, z).cast<float>().array() + 0.5F).matrix();
                const int turns = winding_number(mesh, middle_m.cast<double>());
                const Side side = (faces_inwards ? -turns : turns) > 0 ? Side::inside : Side::outside;
                open.assign(1, {x, y, z});
                seen[index(x, y, z)] = 1;
                while (!open.empty()) {
                    const Vector3i cell = open.back();
                    open.pop_back();
                    sides_[index(cell[0], cell[1], cell[2])] = side;
                    for (int k = 0; k < 6; ++k) {
                        Vector3i next = cell;
                        next[k / 2] += k % 2 == 0 ? 1 : -1;
                        if (next[k / 2] < 0 || next[k / 2] >= counts_[k / 2]) continue;
                        const std::size_t at = index(next[0], next[1], next[2]);
                        if (seen[at] != 0 || sides_[at] == Side::unknown) continue;
                        seen[at] = 1;
                        open.push_back(next);
                    }
                }
            }
}

int crossing(const Triangle& t, const Eigen::Vector3d& point_m) {
    // Tests on which side of each edge the ray passes. The triangle across an edge computes the same number with the
    // opposite sign. A ray through an edge or a corner is displaced symbolically: a little towards -y, and much less
    // towards +z.
    std::array<bool, 3> left;
    for (std::size_t k = 0; k < 3; ++k) {
        const Eigen::Vector3d a = t[k] - point_m, b = t[(k + 1) % 3] - point_m;
        const double side = a.y() * b.z() - a.z() * b.y();
        left[k] = side != 0.0 ? side > 0.0 : std::pair(a.z(), a.y()) < std::pair(b.z(), b.y());
    }
    if (left[0] != left[1] || left[1] != left[2]) return 0;
    const Eigen::Vector3d normal = (t[1] - t[0]).cross(t[2] - t[0]);
    if (!(normal.dot(t[0] - point_m) * normal.x() > 0.0)) return 0;
    return left[0] ? 1 : -1;
}

int winding_number(const Mesh& mesh, const Eigen::Vector3d& point_m) {
    int turns = 0;
    for (std::size_t i = 0; i < mesh.triangles.size(); ++i)
        turns += crossing(triangle_of(mesh, static_cast<int>(i)), point_m);
    return turns;
}

}  // namespace glovebox::collision
