// Seeded meshes and poses for testing and measuring volumes and traversals.
#pragma once

#include <Eigen/Geometry>

#include <cmath>
#include <random>

#include "collision/mesh/mesh.h"

namespace glovebox::collision {

/// Returns a closed, non-convex torus about Y with bumps of the given height. It has two triangles per cell.
inline Mesh bumpy_torus(int around, int across, float major_m = 1.0F, float minor_m = 0.4F, float bump_m = 0.05F) {
    Mesh mesh;
    const auto angle = [](int i, int n) { return 6.2831853F * static_cast<float>(i) / static_cast<float>(n); };
    for (int i = 0; i < around; ++i)
        for (int j = 0; j < across; ++j) {
            const float u = angle(i, around), v = angle(j, across);
            const float r = minor_m + bump_m * std::sin(7.0F * u) * std::cos(5.0F * v);
            mesh.vertices_m.emplace_back((major_m + r * std::cos(v)) * std::cos(u), r * std::sin(v),
                                         (major_m + r * std::cos(v)) * std::sin(u));
        }
    const auto at = [&](int i, int j) { return static_cast<std::uint32_t>((i % around) * across + j % across); };
    for (int i = 0; i < around; ++i)
        for (int j = 0; j < across; ++j) {
            mesh.triangles.push_back({at(i, j), at(i, j + 1), at(i + 1, j)});
            mesh.triangles.push_back({at(i + 1, j), at(i, j + 1), at(i + 1, j + 1)});
        }
    return mesh;
}

/// Returns random triangles in a cube, without any order to exploit; some are thin or have no area.
inline Mesh soup(int triangles, unsigned seed, float size_m = 0.3F) {
    std::mt19937 random(seed);
    std::uniform_real_distribution<float> unit(-1.0F, 1.0F);
    const auto anywhere = [&] { return Eigen::Vector3f(unit(random), unit(random), unit(random)); };
    Mesh mesh;
    for (int i = 0; i < triangles; ++i) {
        const Eigen::Vector3f at = anywhere(), along = size_m * anywhere();
        const auto first = static_cast<std::uint32_t>(mesh.vertices_m.size());
        mesh.vertices_m.insert(mesh.vertices_m.end(), {at, at + along,
                                                       i % 10 == 0 ? Eigen::Vector3f(at + 0.5F * along)
                                                                   : Eigen::Vector3f(at + size_m * anywhere())});
        mesh.triangles.push_back({first, first + 1, first + 2});
    }
    return mesh;
}

inline Eigen::Isometry3f random_pose(std::mt19937& random, float distance_m) {
    std::normal_distribution<float> normal;
    const auto direction = [&] { return Eigen::Vector3f(normal(random), normal(random), normal(random)).normalized(); };
    Eigen::Isometry3f pose = Eigen::Isometry3f::Identity();
    pose.linear() = Eigen::Quaternionf(normal(random), normal(random), normal(random), normal(random))
                        .normalized()
                        .toRotationMatrix();
    pose.translation() = distance_m * direction();
    return pose;
}

}  // namespace glovebox::collision
