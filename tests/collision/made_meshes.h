// Closed meshes of known shape, generated for tests.
#pragma once

#include <cmath>
#include <map>
#include <numbers>

#include "collision/mesh/mesh.h"

namespace glovebox::collision {

/// Makes a torus in the xz plane, radii 1 and 0.35, with bumps so that it is neither convex nor symmetric.
inline Mesh bumpy_torus(int around, int across) {
    Mesh mesh;
    constexpr float kTurn = 2.0F * std::numbers::pi_v<float>;
    for (int i = 0; i < around; ++i) {
        for (int j = 0; j < across; ++j) {
            const float u = kTurn * static_cast<float>(i) / static_cast<float>(around);
            const float v = kTurn * static_cast<float>(j) / static_cast<float>(across);
            const float tube = 0.35F + 0.05F * std::sin(5.0F * u) * std::cos(3.0F * v);
            const float ring = 1.0F + tube * std::cos(v);
            mesh.vertices_m.emplace_back(ring * std::cos(u), tube * std::sin(v), ring * std::sin(u));
            const auto at = [&](int a, int b) {
                return static_cast<std::uint32_t>((a % around) * across + b % across);
            };
            mesh.triangles.push_back({at(i, j), at(i, j + 1), at(i + 1, j)});
            mesh.triangles.push_back({at(i, j + 1), at(i + 1, j + 1), at(i + 1, j)});
        }
    }
    return mesh;
}

/// Makes a sphere from a subdivided icosahedron, with its vertices on the sphere.
inline Mesh icosphere(int subdivisions, float radius_m) {
    Mesh mesh;
    const float g = 0.5F * (1.0F + std::sqrt(5.0F));
    for (const auto& [x, y] : {std::pair{-1.0F, g}, {1.0F, g}, {-1.0F, -g}, {1.0F, -g}})
        mesh.vertices_m.emplace_back(x, y, 0.0F);
    for (const auto& [y, z] : {std::pair{-1.0F, g}, {1.0F, g}, {-1.0F, -g}, {1.0F, -g}})
        mesh.vertices_m.emplace_back(0.0F, y, z);
    for (const auto& [z, x] : {std::pair{-1.0F, g}, {1.0F, g}, {-1.0F, -g}, {1.0F, -g}})
        mesh.vertices_m.emplace_back(x, 0.0F, z);
    mesh.triangles = {{0, 11, 5},  {0, 5, 1},  {0, 1, 7},  {0, 7, 10}, {0, 10, 11}, {1, 5, 9}, {5, 11, 4},
                      {11, 10, 2}, {10, 7, 6}, {7, 1, 8},  {3, 9, 4},  {3, 4, 2},   {3, 2, 6}, {3, 6, 8},
                      {3, 8, 9},   {4, 9, 5},  {2, 4, 11}, {6, 2, 10}, {8, 6, 7},   {9, 8, 1}};
    for (int round = 0; round < subdivisions; ++round) {
        std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> middles;
        const auto middle = [&](std::uint32_t a, std::uint32_t b) {
            const auto [entry, fresh] =
                middles.try_emplace(std::minmax(a, b), static_cast<std::uint32_t>(mesh.vertices_m.size()));
            if (fresh) mesh.vertices_m.push_back(0.5F * (mesh.vertices_m[a] + mesh.vertices_m[b]));
            return entry->second;
        };
        std::vector<std::array<std::uint32_t, 3>> finer;
        for (const auto& [a, b, c] : mesh.triangles) {
            const std::uint32_t ab = middle(a, b), bc = middle(b, c), ca = middle(c, a);
            finer.insert(finer.end(), {{a, ab, ca}, {ab, b, bc}, {ca, bc, c}, {ab, bc, ca}});
        }
        mesh.triangles = std::move(finer);
        for (Eigen::Vector3f& vertex : mesh.vertices_m) vertex.normalize();
    }
    for (Eigen::Vector3f& vertex : mesh.vertices_m) vertex = radius_m * vertex.normalized();
    return mesh;
}

/// Returns the mesh with all coordinates multiplied.
inline Mesh scaled(Mesh mesh, float by) {
    for (Eigen::Vector3f& vertex : mesh.vertices_m) vertex *= by;
    return mesh;
}

// Makes a floor at height 0 and a wall at x = 0 as one closed mesh.
inline Mesh floor_and_wall() {
    Mesh mesh;
    const std::array<Eigen::Vector2f, 6> around = {
        {{-0.2F, -0.2F}, {0.5F, -0.2F}, {0.5F, 0.0F}, {0.0F, 0.0F}, {0.0F, 0.5F}, {-0.2F, 0.5F}}};
    for (const float z : {-0.4F, 0.4F})
        for (const Eigen::Vector2f& at : around) mesh.vertices_m.emplace_back(at.x(), at.y(), z);
    for (std::uint32_t i = 0; i < 6; ++i) {
        const std::uint32_t next = (i + 1) % 6;
        mesh.triangles.push_back({i, next, next + 6});
        mesh.triangles.push_back({i, next + 6, i + 6});
    }
    for (const auto& [a, b, c] : {std::array{0U, 1U, 2U}, {0U, 2U, 3U}, {0U, 3U, 5U}, {3U, 4U, 5U}}) {
        mesh.triangles.push_back({c, b, a});
        mesh.triangles.push_back({a + 6, b + 6, c + 6});
    }
    return mesh;
}

}  // namespace glovebox::collision
