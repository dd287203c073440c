#include "scenes/scene_meshes.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

namespace glovebox::scenes {
namespace {

using Eigen::Vector3f;

constexpr float kTurn_rad = 2.0F * std::numbers::pi_v<float>;

// Adds a round bar; its ends are closed by triangle fans.
void add_rod(collision::Mesh& mesh, const Vector3f& from_m, const Vector3f& to_m, float radius_m,
             std::uint32_t around) {
    const Vector3f along = (to_m - from_m).normalized(), side = along.unitOrthogonal(), up = along.cross(side);
    const auto first = static_cast<std::uint32_t>(mesh.vertices_m.size());
    for (const Vector3f& end_m : {from_m, to_m})
        for (std::uint32_t i = 0; i < around; ++i) {
            const float angle_rad = kTurn_rad * static_cast<float>(i) / static_cast<float>(around);
            mesh.vertices_m.push_back(end_m + radius_m * (std::cos(angle_rad) * side + std::sin(angle_rad) * up));
        }
    const auto caps = static_cast<std::uint32_t>(mesh.vertices_m.size());
    mesh.vertices_m.push_back(from_m);
    mesh.vertices_m.push_back(to_m);
    for (std::uint32_t i = 0; i < around; ++i) {
        const std::uint32_t next = (i + 1) % around, a = first + i, b = first + next;
        mesh.triangles.push_back({a, b, a + around});
        mesh.triangles.push_back({a + around, b, b + around});
        mesh.triangles.push_back({caps, b, a});
        mesh.triangles.push_back({caps + 1, a + around, b + around});
    }
}

// Returns a torus about y; `thickness_m` is the radius of its tube.
collision::Mesh ring_mesh(float radius_m, float thickness_m) {
    constexpr std::uint32_t kAround = 64, kAcross = 16;
    collision::Mesh ring;
    for (std::uint32_t i = 0; i < kAround; ++i)
        for (std::uint32_t k = 0; k < kAcross; ++k) {
            const float u = kTurn_rad * static_cast<float>(i) / kAround;
            const float v = kTurn_rad * static_cast<float>(k) / kAcross;
            const float r = radius_m + thickness_m * std::cos(v);
            ring.vertices_m.push_back({r * std::cos(u), thickness_m * std::sin(v), -r * std::sin(u)});
        }
    const auto at_ring = [](std::uint32_t i, std::uint32_t k) { return i % kAround * kAcross + k % kAcross; };
    for (std::uint32_t i = 0; i < kAround; ++i)
        for (std::uint32_t k = 0; k < kAcross; ++k) {
            ring.triangles.push_back({at_ring(i, k), at_ring(i + 1, k), at_ring(i, k + 1)});
            ring.triangles.push_back({at_ring(i, k + 1), at_ring(i + 1, k), at_ring(i + 1, k + 1)});
        }
    return ring;
}

// Smooth step: 1 for x well below 0, 0 well above, over about 2 * edge_m.
float inside(float x_m, float edge_m) {
    return 1.0F / (1.0F + std::exp(4.0F * x_m / edge_m));
}
float block(float x_m, float z_m, float cx_m, float cz_m, float half_x_m, float half_z_m) {
    return inside(std::abs(x_m - cx_m) - half_x_m, 0.006F) * inside(std::abs(z_m - cz_m) - half_z_m, 0.006F);
}

// Returns the height of the desk with its objects. A camera above sees no overhangs.
float desk_height_m(float x_m, float z_m) {
    float y_m = 0.030F * block(x_m, z_m, 0.07F, -0.08F, 0.09F, 0.12F);  // a book
    y_m += 0.140F * block(x_m, z_m, 0.40F, -0.22F, 0.09F, 0.07F);       // a box
    const float mug_m = std::hypot(x_m + 0.22F, z_m + 0.06F);
    y_m += 0.095F * inside(mug_m - 0.042F, 0.006F) - 0.080F * inside(mug_m - 0.026F, 0.006F);
    const float bowl2 = (std::pow(x_m + 0.42F, 2.0F) + std::pow(z_m - 0.16F, 2.0F)) / (0.09F * 0.09F);
    if (bowl2 < 1.0F) y_m += 0.055F * std::sqrt(1.0F - bowl2);  // a bowl, upside down
    y_m += 0.30F * inside(z_m + 0.41F, 0.010F);                 // the wall behind
    return y_m;
}

// Returns the solid of revolution about y of an outline of (radius, height). The outline runs from the axis back to the
// axis, with the outside on its right.
template <std::size_t N>
collision::Mesh turned(const std::array<Eigen::Vector2f, N>& outline, std::uint32_t sectors) {
    collision::Mesh mesh;
    mesh.vertices_m.push_back({0.0F, outline.front().y(), 0.0F});
    for (std::size_t ring = 1; ring + 1 < N; ++ring)
        for (std::uint32_t i = 0; i < sectors; ++i) {
            const float angle_rad = kTurn_rad * static_cast<float>(i) / static_cast<float>(sectors);
            mesh.vertices_m.push_back(
                {outline[ring].x() * std::cos(angle_rad), outline[ring].y(), -outline[ring].x() * std::sin(angle_rad)});
        }
    mesh.vertices_m.push_back({0.0F, outline.back().y(), 0.0F});
    const auto last = static_cast<std::uint32_t>(mesh.vertices_m.size() - 1);
    const auto at_ring = [&](std::uint32_t ring, std::uint32_t i) { return 1 + ring * sectors + i % sectors; };
    constexpr auto kRings = static_cast<std::uint32_t>(N - 2);
    for (std::uint32_t i = 0; i < sectors; ++i) {
        mesh.triangles.push_back({0, at_ring(0, i + 1), at_ring(0, i)});
        for (std::uint32_t ring = 0; ring + 1 < kRings; ++ring) {
            mesh.triangles.push_back({at_ring(ring, i), at_ring(ring, i + 1), at_ring(ring + 1, i)});
            mesh.triangles.push_back({at_ring(ring + 1, i), at_ring(ring, i + 1), at_ring(ring + 1, i + 1)});
        }
        mesh.triangles.push_back({last, at_ring(kRings - 1, i), at_ring(kRings - 1, i + 1)});
    }
    return mesh;
}

}  // namespace

collision::Mesh cup_mesh() {
    constexpr float kRadius_m = 0.036F, kHeight_m = 0.09F, kWall_m = 0.003F;
    // From the middle of the bottom, outside, over the rim and down inside to the middle again.
    return turned(std::array<Eigen::Vector2f, 6>{{{0.0F, 0.0F},
                                                  {0.8F * kRadius_m, 0.0F},
                                                  {kRadius_m, kHeight_m},
                                                  {kRadius_m - kWall_m, kHeight_m},
                                                  {0.8F * kRadius_m - kWall_m, kWall_m},
                                                  {0.0F, kWall_m}}},
                  48);
}

collision::Mesh peg_mesh() {
    return turned(std::array<Eigen::Vector2f, 6>{{{0.0F, -0.063F},
                                                  {0.028F, -0.063F},
                                                  {0.030F, -0.061F},
                                                  {0.030F, 0.061F},
                                                  {0.028F, 0.063F},
                                                  {0.0F, 0.063F}}},
                  40);
}

collision::Mesh wheel_mesh() {
    collision::Mesh wheel = ring_mesh(0.09F, 0.009F);
    add_rod(wheel, {0.0F, -0.016F, 0.0F}, {0.0F, 0.018F, 0.0F}, 0.018F, 32);
    for (const float angle_deg : {60.0F, 180.0F, 300.0F}) {  // well away from front left, where a hand takes hold
        const float angle_rad = angle_deg * kTurn_rad / 360.0F;
        const Vector3f out = {std::cos(angle_rad), 0.0F, -std::sin(angle_rad)};
        add_rod(wheel, 0.012F * out, 0.088F * out, 0.006F, 16);
    }
    return wheel;
}

collision::Mesh desk_mesh() {
    constexpr std::uint32_t kColumns = 200, kRows = 150;
    collision::Mesh desk;
    std::uint32_t noise = 1;
    for (std::uint32_t row = 0; row <= kRows; ++row)
        for (std::uint32_t column = 0; column <= kColumns; ++column) {
            const float x_m = 1.2F * (static_cast<float>(column) / kColumns - 0.5F),
                        z_m = 0.9F * (static_cast<float>(row) / kRows - 0.5F);
            noise = noise * 1664525U + 1013904223U;  // a scanner's millimetre [Numerical Recipes' generator]
            const float noise_m = 0.001F * (static_cast<float>(noise >> 8) * 0x1p-24F - 0.5F);
            desk.vertices_m.push_back({x_m, desk_height_m(x_m, z_m) + noise_m, z_m});
        }
    const auto index = [](std::uint32_t row, std::uint32_t column) { return row * (kColumns + 1) + column; };
    for (std::uint32_t row = 0; row < kRows; ++row)
        for (std::uint32_t column = 0; column < kColumns; ++column) {
            desk.triangles.push_back({index(row, column), index(row + 1, column), index(row, column + 1)});
            desk.triangles.push_back({index(row, column + 1), index(row + 1, column), index(row + 1, column + 1)});
        }
    return desk;
}

}  // namespace glovebox::scenes
