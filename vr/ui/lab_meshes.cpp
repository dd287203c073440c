#include "vr/ui/lab_meshes.h"

#include <array>
#include <cmath>
#include <map>
#include <numbers>
#include <random>

namespace glovebox::vr {
namespace {

using Eigen::Vector3f;

constexpr float kFullTurn_rad = 2.0F * std::numbers::pi_v<float>;

void add_faces(DrawMesh& mesh, std::initializer_list<Vector3f> corners) {
    // A flat polygon as a fan, with its own normal.
    const std::vector<Vector3f> at(corners);
    const Vector3f normal = (at[1] - at[0]).cross(at[2] - at[0]).normalized();
    const auto first = static_cast<std::uint32_t>(mesh.vertices.size());
    for (const Vector3f& corner_m : at) mesh.vertices.push_back({corner_m, normal});
    for (std::uint32_t i = 2; i < at.size(); ++i) mesh.triangles.push_back({first, first + i - 1, first + i});
}

}  // namespace

DrawMesh turned(std::span<const LathePoint> outline, int segments, bool smooth) {
    DrawMesh mesh;
    const auto columns = static_cast<std::uint32_t>(segments + 1);
    const auto slope_of = [&](std::size_t i) {  // outward normal of the segment from point i to the next, in (r, y)
        const LathePoint &a = outline[i], &b = outline[i + 1];
        return Eigen::Vector2f(a.height_m - b.height_m, b.radius_m - a.radius_m).normalized();
    };
    for (std::size_t i = 0; i + 1 < outline.size(); ++i) {
        const auto first = static_cast<std::uint32_t>(mesh.vertices.size());
        for (std::size_t end = 0; end < 2; ++end) {
            Eigen::Vector2f normal = slope_of(i);
            const std::size_t beside = end == 0 ? i - 1 : i + 1;  // wraps below 0: then there is no such point
            if (smooth && beside < outline.size() - 1) normal = (normal + slope_of(beside)).normalized();
            const LathePoint& at = outline[i + end];
            for (int k = 0; k <= segments; ++k) {
                const float turn_rad = kFullTurn_rad * static_cast<float>(k) / static_cast<float>(segments);
                const Vector3f out(std::sin(turn_rad), 0.0F, std::cos(turn_rad));
                mesh.vertices.push_back({at.radius_m * out + Vector3f(0.0F, at.height_m, 0.0F),
                                         normal.x() * out + Vector3f(0.0F, normal.y(), 0.0F)});
            }
        }
        for (std::uint32_t k = 0; k + 1 < columns; ++k) {
            const std::uint32_t above = first + k, below = above + columns;
            mesh.triangles.push_back({above, below, below + 1});
            mesh.triangles.push_back({above, below + 1, above + 1});
        }
    }
    return mesh;
}

DrawMesh pawn_mesh() {
    std::vector<LathePoint> head, body;
    for (int i = 0; i <= 8; ++i) {
        const float polar_rad = std::numbers::pi_v<float> * static_cast<float>(i) / 8.0F;
        head.push_back({0.105F * std::sin(polar_rad), 0.895F + 0.105F * std::cos(polar_rad)});
    }
    for (const LathePoint at : {LathePoint{0.0F, 0.80F},
                                {0.075F, 0.785F},
                                {0.105F, 0.745F},
                                {0.115F, 0.66F},
                                {0.120F, 0.45F},
                                {0.140F, 0.20F},
                                {0.165F, 0.06F},
                                {0.170F, 0.0F},
                                {0.0F, 0.0F}})
        body.push_back(at);
    DrawMesh mesh = turned(head, 18, true);
    const DrawMesh trunk = turned(body, 18, true);
    const auto first = static_cast<std::uint32_t>(mesh.vertices.size());
    mesh.vertices.insert(mesh.vertices.end(), trunk.vertices.begin(), trunk.vertices.end());
    for (const auto& [a, b, c] : trunk.triangles) mesh.triangles.push_back({first + a, first + b, first + c});
    return mesh;
}

DrawMesh disc_mesh() {
    constexpr std::array<LathePoint, 6> kOutline = {
        {{0.0F, 0.5F}, {0.96F, 0.5F}, {1.0F, 0.42F}, {1.0F, -0.42F}, {0.96F, -0.5F}, {0.0F, -0.5F}}};
    return turned(kOutline, 32, false);
}

DrawMesh rock_mesh(unsigned seed, int rounds) {
    // A subdivided icosahedron with vertices moved in and out at random, coarse vertices more than fine ones.
    const float golden = std::numbers::phi_v<float>;
    std::vector<Vector3f> corners = {{-1, golden, 0}, {1, golden, 0}, {-1, -golden, 0}, {1, -golden, 0},
                                     {0, -1, golden}, {0, 1, golden}, {0, -1, -golden}, {0, 1, -golden},
                                     {golden, 0, -1}, {golden, 0, 1}, {-golden, 0, -1}, {-golden, 0, 1}};
    std::vector<std::array<std::uint32_t, 3>> faces = {{0, 11, 5}, {0, 5, 1},  {0, 1, 7},   {0, 7, 10}, {0, 10, 11},
                                                       {1, 5, 9},  {5, 11, 4}, {11, 10, 2}, {10, 7, 6}, {7, 1, 8},
                                                       {3, 9, 4},  {3, 4, 2},  {3, 2, 6},   {3, 6, 8},  {3, 8, 9},
                                                       {4, 9, 5},  {2, 4, 11}, {6, 2, 10},  {8, 6, 7},  {9, 8, 1}};
    std::mt19937 random(seed);
    const auto rough = [&random](float share) {
        return 1.0F + share * (2.0F * static_cast<float>(random() >> 8) / 16777216.0F - 1.0F);
    };
    for (Vector3f& corner : corners) corner = rough(0.16F) * corner.normalized();
    for (int round = 0; round < rounds; ++round) {
        std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> middles;
        const float share = 0.07F / static_cast<float>(round + 1);
        const auto middle = [&](std::uint32_t a, std::uint32_t b) {
            const auto [at, is_new] =
                middles.try_emplace(std::minmax(a, b), static_cast<std::uint32_t>(corners.size()));
            if (is_new) {
                const float mean = 0.5F * (corners[a].norm() + corners[b].norm());
                corners.push_back(rough(share) * mean * (corners[a] + corners[b]).normalized());
            }
            return at->second;
        };
        std::vector<std::array<std::uint32_t, 3>> finer;
        for (const auto& [a, b, c] : faces) {
            const std::uint32_t ab = middle(a, b), bc = middle(b, c), ca = middle(c, a);
            finer.insert(finer.end(), {{a, ab, ca}, {b, bc, ab}, {c, ca, bc}, {ab, bc, ca}});
        }
        faces = std::move(finer);
    }
    DrawMesh mesh;
    for (const auto& [a, b, c] : faces) add_faces(mesh, {corners[a], corners[b], corners[c]});
    return mesh;
}

DrawMesh ramp_mesh(float rise, float run) {
    const Vector3f top_left(-0.5F, rise, 0), top_right(0.5F, rise, 0), foot_left(-0.5F, 0, run),
        foot_right(0.5F, 0, run);
    const Vector3f back_left(-0.5F, 0, 0), back_right(0.5F, 0, 0);
    DrawMesh mesh;
    add_faces(mesh, {top_left, foot_left, foot_right, top_right});
    add_faces(mesh, {top_left, back_left, foot_left});
    add_faces(mesh, {top_right, foot_right, back_right});
    add_faces(mesh, {top_right, back_right, back_left, top_left});
    return mesh;
}

}  // namespace glovebox::vr
