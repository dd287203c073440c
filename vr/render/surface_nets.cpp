#include "vr/render/surface_nets.h"

#include <algorithm>
#include <cmath>

#include "vr/platform/parallel.h"

namespace glovebox::vr {
namespace {

using Eigen::Vector3f;
using Eigen::Vector3i;

// A block of this many cells along each edge is tested at its centre. Half its diagonal is 5.2 cells; a field that
// grows slower than distance (at blended corners) needs a margin; 9.2 was enough for the hand's.
constexpr int kBlock = 6;
constexpr float kSkipCells = 9.2F;
constexpr float kFar = 1e9F;  // not evaluated: the surface is not near

struct Grid {
    Vector3f origin_m;
    Vector3i size;  // samples along each axis
    float cell_m;
    std::vector<float> value;

    std::size_t index(int x, int y, int z) const { return static_cast<std::size_t>((z * size.y() + y) * size.x() + x); }
    Vector3f at(int x, int y, int z) const {
        return origin_m + cell_m * Vector3f(static_cast<float>(x), static_cast<float>(y), static_cast<float>(z));
    }
};

Grid make_grid(const Eigen::AlignedBox3f& bounds, float cell_m) {
    Grid grid;
    grid.origin_m = bounds.min();
    grid.cell_m = cell_m;
    for (int i = 0; i < 3; ++i)
        grid.size[i] = kBlock * static_cast<int>(std::ceil(bounds.sizes()[i] / (cell_m * kBlock))) + 1;
    grid.value.assign(static_cast<std::size_t>(grid.size.prod()), kFar);
    return grid;
}

// Samples that two blocks share are written by the block that owns them (lower corner inside). At the far border no
// block does: those stay kFar. So a sample next to a crossing is evaluated as soon as one of the blocks around it is
// near.
void fill(Grid& grid, const std::function<float(const Vector3f&)>& field, int threads) {
    const Vector3i blocks = (grid.size - Vector3i::Ones()) / kBlock;
    const auto block_count = static_cast<std::size_t>(blocks.prod());
    std::vector<std::uint8_t> near_surface(block_count, 0);
    const auto block_at = [&blocks](std::size_t b) {
        const int i = static_cast<int>(b);
        return Vector3i(i % blocks.x(), (i / blocks.x()) % blocks.y(), i / (blocks.x() * blocks.y()));
    };
    parallel_for(block_count, threads, [&](std::size_t begin, std::size_t end) {
        for (std::size_t b = begin; b < end; ++b) {
            const Vector3i low = kBlock * block_at(b);
            const Vector3f center_m =
                grid.at(low.x(), low.y(), low.z()) + Vector3f::Constant(0.5F * kBlock * grid.cell_m);
            near_surface[b] = std::abs(field(center_m)) <= kSkipCells * grid.cell_m;
        }
    });
    const auto is_near = [&](int x, int y, int z) {
        return near_surface[static_cast<std::size_t>((z * blocks.y() + y) * blocks.x() + x)] != 0;
    };
    // A sample is needed when any block that touches it is near.
    const auto needed = [&](int x, int y, int z) {
        for (int bz = std::max(0, (z - 1) / kBlock); bz <= std::min(blocks.z() - 1, z / kBlock); ++bz)
            for (int by = std::max(0, (y - 1) / kBlock); by <= std::min(blocks.y() - 1, y / kBlock); ++by)
                for (int bx = std::max(0, (x - 1) / kBlock); bx <= std::min(blocks.x() - 1, x / kBlock); ++bx)
                    if (is_near(bx, by, bz)) return true;
        return false;
    };
    // Many thin slices, distributed in turn, because the palm's slices cost more than the fingertips'.
    parallel_for(static_cast<std::size_t>(std::max(1, threads)), threads, [&](std::size_t begin, std::size_t end) {
        for (std::size_t lane = begin; lane < end; ++lane)
            for (int z = static_cast<int>(lane); z < grid.size.z(); z += std::max(1, threads))
                for (int y = 0; y < grid.size.y(); ++y)
                    for (int x = 0; x < grid.size.x(); ++x)
                        if (needed(x, y, z)) grid.value[grid.index(x, y, z)] = field(grid.at(x, y, z));
    });
}

constexpr int kCorner[8][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1, 0}, {0, 0, 1}, {1, 0, 1}, {0, 1, 1}, {1, 1, 1}};
constexpr int kEdge[12][2] = {{0, 1}, {2, 3}, {4, 5}, {6, 7}, {0, 2}, {1, 3},
                              {4, 6}, {5, 7}, {0, 4}, {1, 5}, {2, 6}, {3, 7}};

// Computes the mean of the crossings on a cell's edges, in cells from its lower corner; false if there are none.
bool cell_vertex(const std::array<float, 8>& d, Vector3f& in_cell) {
    Vector3f sum = Vector3f::Zero();
    int crossings = 0;
    for (const auto& edge : kEdge) {
        const float da = d[static_cast<std::size_t>(edge[0])];
        const float db = d[static_cast<std::size_t>(edge[1])];
        if ((da < 0.0F) == (db < 0.0F)) continue;
        const float t = da / (da - db);
        for (int i = 0; i < 3; ++i)
            sum[i] +=
                static_cast<float>(kCorner[edge[0]][i]) * (1.0F - t) + static_cast<float>(kCorner[edge[1]][i]) * t;
        ++crossings;
    }
    if (crossings == 0) return false;
    in_cell = sum / static_cast<float>(crossings);
    return true;
}

}  // namespace

SurfaceMesh surface_nets(const std::function<float(const Vector3f&)>& field, const Eigen::AlignedBox3f& bounds,
                         float cell_m, int threads) {
    Grid grid = make_grid(bounds, cell_m);
    fill(grid, field, threads);

    SurfaceMesh mesh;
    std::vector<std::int32_t> vertex_of_cell(grid.value.size(), -1);
    for (int z = 0; z + 1 < grid.size.z(); ++z)
        for (int y = 0; y + 1 < grid.size.y(); ++y)
            for (int x = 0; x + 1 < grid.size.x(); ++x) {
                std::array<float, 8> d;
                bool known = true;
                for (std::size_t c = 0; c < 8; ++c) {
                    d[c] = grid.value[grid.index(x + kCorner[c][0], y + kCorner[c][1], z + kCorner[c][2])];
                    known = known && d[c] < kFar;
                }
                Vector3f in_cell;
                if (!known || !cell_vertex(d, in_cell)) continue;
                vertex_of_cell[grid.index(x, y, z)] = static_cast<std::int32_t>(mesh.vertices_m.size());
                mesh.vertices_m.push_back(grid.at(x, y, z) + cell_m * in_cell);
            }

    // Add one quad around every crossed grid edge, through the four cells that share it.
    for (int z = 1; z + 1 < grid.size.z(); ++z)
        for (int y = 1; y + 1 < grid.size.y(); ++y)
            for (int x = 1; x + 1 < grid.size.x(); ++x)
                for (int axis = 0; axis < 3; ++axis) {
                    const Vector3i step = Vector3i::Unit(axis);
                    const float here = grid.value[grid.index(x, y, z)];
                    const float there = grid.value[grid.index(x + step.x(), y + step.y(), z + step.z())];
                    if (here >= kFar || there >= kFar || (here < 0.0F) == (there < 0.0F)) continue;
                    const Vector3i u = Vector3i::Unit((axis + 1) % 3);
                    const Vector3i v = Vector3i::Unit((axis + 2) % 3);
                    const auto cell = [&](int du, int dv) {
                        const Vector3i at = Vector3i(x, y, z) - du * u - dv * v;
                        return vertex_of_cell[grid.index(at.x(), at.y(), at.z())];
                    };
                    const std::array<std::int32_t, 4> quad = {cell(1, 1), cell(0, 1), cell(0, 0), cell(1, 0)};
                    if (std::ranges::any_of(quad, [](std::int32_t i) { return i < 0; })) continue;
                    std::array<std::uint32_t, 4> q;
                    for (std::size_t i = 0; i < 4; ++i) q[i] = static_cast<std::uint32_t>(quad[i]);
                    if (here >= 0.0F) std::swap(q[1], q[3]);
                    mesh.triangles.push_back({q[0], q[1], q[2]});
                    mesh.triangles.push_back({q[0], q[2], q[3]});
                }
    return mesh;
}

}  // namespace glovebox::vr
