#include "collision/survey/tree/sample_meshes.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

#include "collision/survey/fit/random.h"

namespace glovebox::collision {
namespace {

constexpr double kTurn = 2.0 * std::numbers::pi;

std::uint32_t number(int i) {
    return static_cast<std::uint32_t>(i);
}

// Appends a closed surface from pole to pole: `place(u, angle)` with u in [0, 1] along it; u = 0 and u = 1 are single
// vertices.
template <class Place>
void append_lathe(Mesh& mesh, int rings, int sides, const Place& place) {
    const int first = static_cast<int>(mesh.vertices_m.size());
    const std::size_t first_triangle = mesh.triangles.size();
    const auto add = [&](const Eigen::Vector3d& p) { mesh.vertices_m.push_back(p.cast<float>()); };
    add(place(0.0, 0.0));
    for (int r = 1; r < rings; ++r)
        for (int s = 0; s < sides; ++s) add(place(static_cast<double>(r) / rings, kTurn * s / sides));
    add(place(1.0, 0.0));
    const auto at = [&](int r, int s) {
        if (r == 0) return number(first);
        if (r == rings) return number(first + 1 + (rings - 1) * sides);
        return number(first + 1 + (r - 1) * sides + s % sides);
    };
    for (int r = 0; r < rings; ++r)
        for (int s = 0; s < sides; ++s) {
            if (r > 0) mesh.triangles.push_back({at(r, s), at(r, s + 1), at(r + 1, s)});
            if (r + 1 < rings) mesh.triangles.push_back({at(r, s + 1), at(r + 1, s + 1), at(r + 1, s)});
        }
    // Makes the surface face outwards, in whichever direction `place` goes around its axis.
    double volume = 0.0;
    const auto corner = [&](std::uint32_t i) -> Eigen::Vector3d {
        return (mesh.vertices_m[i] - mesh.vertices_m[number(first)]).cast<double>();
    };
    for (std::size_t t = first_triangle; t < mesh.triangles.size(); ++t) {
        const auto& [a, b, c] = mesh.triangles[t];
        volume += corner(a).dot(corner(b).cross(corner(c)));
    }
    if (volume >= 0.0) return;
    for (std::size_t t = first_triangle; t < mesh.triangles.size(); ++t)
        std::swap(mesh.triangles[t][1], mesh.triangles[t][2]);
}

// Returns a lathe's relative radius, which closes at both ends.
double rounded_ends(double u) {
    return std::sqrt(std::max(0.0, 1.0 - std::pow(2.0 * u - 1.0, 8.0)));
}

void append_loose_triangles(Mesh& mesh, int count, double size_m, Random& random, const Eigen::Vector3d& low_m,
                            const Eigen::Vector3d& high_m) {
    for (int t = 0; t < count; ++t) {
        Eigen::Vector3d middle_m;
        for (int k = 0; k < 3; ++k) middle_m[k] = random.between(low_m[k], high_m[k]);
        const auto first = number(static_cast<int>(mesh.vertices_m.size()));
        for (int corner = 0; corner < 3; ++corner) {
            Eigen::Vector3d p = middle_m;
            for (int k = 0; k < 3; ++k) p[k] += random.between(-size_m, size_m);
            mesh.vertices_m.push_back(p.cast<float>());
        }
        mesh.triangles.push_back({first, first + 1, first + 2});
    }
}

}  // namespace

Mesh torus(int rings, int sides, const TorusShape& shape) {
    Mesh mesh;
    constexpr double kTube = 0.4;
    for (int r = 0; r < rings; ++r)
        for (int s = 0; s < sides; ++s) {
            const double around = kTurn * r / rings, about = kTurn * s / sides + kTurn * shape.twist * r / rings;
            // Spikes are narrow and point outwards, dimples are wide and point inwards, wrinkles follow the tube.
            const double spike = std::pow(std::max(0.0, std::cos(24.0 * around) * std::cos(8.0 * about)), 12.0);
            const double dimple = std::pow(std::max(0.0, std::cos(16.0 * around + 0.5) * std::cos(6.0 * about)), 2.0);
            const double wrinkle = std::sin(40.0 * around + 3.0 * about);
            const double tube =
                kTube * (1.0 + shape.spikes * spike - shape.dimples * dimple + shape.wrinkles * wrinkle);
            const double ring = 1.0 + tube * std::cos(about);
            mesh.vertices_m.push_back(
                Eigen::Vector3d(ring * std::cos(around), ring * std::sin(around), tube * std::sin(about))
                    .cast<float>());
        }
    const auto at = [&](int r, int s) {
        // With whole turns of twist, the last ring meets the first.
        return number((r % rings) * sides + s % sides);
    };
    for (int r = 0; r < rings; ++r)
        for (int s = 0; s < sides; ++s) {
            mesh.triangles.push_back({at(r, s), at(r + 1, s), at(r, s + 1)});
            mesh.triangles.push_back({at(r, s + 1), at(r + 1, s), at(r + 1, s + 1)});
        }
    return mesh;
}

Mesh spiky_torus() {
    return torus(264, 132, {.spikes = 0.5, .dimples = 0.15, .wrinkles = 0.03, .twist = 2.0});
}

Mesh sphere(int rings, int sides, double radius_m) {
    Mesh mesh;
    append_lathe(mesh, rings, sides, [&](double u, double angle) {
        const double polar = std::numbers::pi * u;
        return Eigen::Vector3d(radius_m * std::sin(polar) * std::cos(angle),
                               radius_m * std::sin(polar) * std::sin(angle), radius_m * std::cos(polar));
    });
    return mesh;
}

Mesh icosahedron() {
    constexpr double kGolden = std::numbers::phi;
    Mesh mesh;
    for (int k = 0; k < 3; ++k)
        for (const double one : {1.0, -1.0})
            for (const double golden : {kGolden, -kGolden}) {
                Eigen::Vector3d p = Eigen::Vector3d::Zero();
                p[(k + 1) % 3] = one;
                p[(k + 2) % 3] = golden;
                mesh.vertices_m.push_back(p.cast<float>());
            }
    // Corners at distance two are joined; every three mutually joined corners are a face.
    const auto joined = [&](int i, int j) {
        return std::abs((mesh.vertices_m[number(i)] - mesh.vertices_m[number(j)]).norm() - 2.0F) < 1e-3F;
    };
    for (int i = 0; i < 12; ++i)
        for (int j = i + 1; j < 12; ++j)
            for (int k = j + 1; k < 12; ++k) {
                if (!joined(i, j) || !joined(j, k) || !joined(i, k)) continue;
                const auto &a = mesh.vertices_m[number(i)], &b = mesh.vertices_m[number(j)],
                           &c = mesh.vertices_m[number(k)];
                const bool outwards = (b - a).cross(c - a).dot(a) > 0.0F;
                mesh.triangles.push_back(outwards ? std::array{number(i), number(j), number(k)}
                                                  : std::array{number(i), number(k), number(j)});
            }
    return mesh;
}

Mesh box_mesh(const Eigen::Vector3f& half_m) {
    Mesh mesh;
    for (int i = 0; i < 8; ++i)
        mesh.vertices_m.push_back({(i & 1) != 0 ? half_m.x() : -half_m.x(), (i & 2) != 0 ? half_m.y() : -half_m.y(),
                                   (i & 4) != 0 ? half_m.z() : -half_m.z()});
    mesh.triangles = {{0, 2, 1}, {1, 2, 3}, {4, 5, 6}, {5, 7, 6}, {0, 1, 4}, {1, 5, 4},
                      {2, 6, 3}, {3, 6, 7}, {0, 4, 2}, {2, 4, 6}, {1, 3, 5}, {3, 7, 5}};
    return mesh;
}

Mesh sheet(int cells, float height_m) {
    Mesh mesh;
    for (int i = 0; i <= cells; ++i)
        for (int j = 0; j <= cells; ++j)
            mesh.vertices_m.emplace_back(static_cast<float>(i) / static_cast<float>(cells), height_m,
                                         static_cast<float>(j) / static_cast<float>(cells));
    const auto at = [&](int i, int j) { return static_cast<std::uint32_t>(i * (cells + 1) + j); };
    for (int i = 0; i < cells; ++i)
        for (int j = 0; j < cells; ++j) {
            mesh.triangles.push_back({at(i, j), at(i, j + 1), at(i + 1, j)});
            mesh.triangles.push_back({at(i + 1, j), at(i, j + 1), at(i + 1, j + 1)});
        }
    return mesh;
}

Mesh bent(const Mesh& straight, double bend_rad) {
    Mesh mesh = straight;
    if (bend_rad == 0.0) return mesh;
    for (auto& v : mesh.vertices_m) {
        const double radius = 1.0 / bend_rad, angle = bend_rad * double{v.y()}, r = radius + double{v.x()};
        v = Eigen::Vector3d(r * std::cos(angle) - radius, r * std::sin(angle), double{v.z()}).cast<float>();
    }
    return mesh;
}

Mesh bone_like() {
    // A slightly bent, three-sided shaft with two lumpy heads; 37 * 209 + 2 = 7,735 vertices.
    constexpr int kRings = 210, kSides = 37;
    Mesh mesh;
    append_lathe(mesh, kRings, kSides, [](double u, double angle) {
        const double head =
            0.075 * std::exp(-std::pow((u - 0.93) / 0.09, 2.0)) + 0.05 * std::exp(-std::pow((u - 0.05) / 0.07, 2.0));
        const double lumps = 1.0 + 0.12 * std::cos(3.0 * angle) + 0.25 * head / 0.075 * std::cos(2.0 * angle + 0.7) +
                             0.02 * std::sin(31.0 * u * kTurn) * std::sin(5.0 * angle);
        const double radius = (0.035 + head) * lumps * rounded_ends(u);
        return Eigen::Vector3d(radius * std::cos(angle) + 0.03 * std::sin(std::numbers::pi * u), u,
                               0.8 * radius * std::sin(angle));
    });
    // Walls inside, as in a scan of spongy bone: triangles from a ring to the far side of a nearby ring.
    Random random(7);
    while (mesh.triangles.size() < 22662) {
        const int ring = static_cast<int>(random.between(0.0, kRings - 5.0));
        const int side = static_cast<int>(random.between(0.0, kSides));
        const auto at = [&](int r, int s) { return number(1 + r * kSides + s % kSides); };
        mesh.triangles.push_back({at(ring, side), at(ring + 1, side + 1), at(ring + 2, side + kSides / 2)});
    }
    return mesh;
}

Mesh figure_like() {
    // A standing figure in one surface: radius and outline vary with height; 26 * 127 + 2 = 3,304 vertices.
    Mesh mesh;
    append_lathe(mesh, 128, 26, [](double u, double angle) {
        const double shoulders = std::exp(-std::pow((u - 0.78) / 0.06, 2.0));
        const double head = std::exp(-std::pow((u - 0.94) / 0.045, 2.0));
        const double hips = std::exp(-std::pow((u - 0.5) / 0.12, 2.0));
        const double feet = std::exp(-std::pow(u / 0.05, 2.0));
        const double width = 0.05 + 0.11 * shoulders + 0.05 * head + 0.06 * hips + 0.05 * feet;
        const double arms = 0.35 * shoulders * std::pow(std::abs(std::cos(angle)), 24.0);
        const double folds = 0.012 * std::sin(9.0 * angle + 40.0 * u) * hips;
        const double end = rounded_ends(u);
        return Eigen::Vector3d((width + arms + folds) * end * std::cos(angle), 1.7 * u,
                               (0.6 * width + folds + 0.06 * feet) * end * std::sin(angle) + 0.04 * std::sin(4.0 * u));
    });
    return mesh;
}

Mesh prosthesis_like() {
    Mesh mesh;
    const auto rod = [&](int rings, int sides, const Eigen::Vector3d& from, const Eigen::Vector3d& to,
                         double radius_from, double radius_to) {
        const Eigen::Vector3d along = (to - from).normalized(), side = along.unitOrthogonal(), up = along.cross(side);
        append_lathe(mesh, rings, sides, [&](double u, double angle) {
            const double radius = (radius_from + (radius_to - radius_from) * u) * rounded_ends(u);
            return Eigen::Vector3d(from + (to - from) * u + radius * (std::cos(angle) * side + std::sin(angle) * up));
        });
    };
    rod(101, 24, {0.0, 0.0, 0.0}, {0.01, 0.16, 0.0}, 0.004, 0.012);  // stem
    append_lathe(mesh, 41, 30, [](double u, double angle) {          // ball
        const double polar = std::numbers::pi * u;
        return Eigen::Vector3d(0.05 + 0.018 * std::sin(polar) * std::cos(angle), 0.19 + 0.018 * std::cos(polar),
                               0.018 * std::sin(polar) * std::sin(angle));
    });
    rod(21, 12, {0.01, 0.16, 0.0}, {0.045, 0.185, 0.0}, 0.009, 0.007);     // neck
    rod(18, 18, {-0.01, 0.05, -0.02}, {0.02, 0.055, 0.02}, 0.002, 0.002);  // two pins
    rod(23, 15, {-0.01, 0.1, 0.02}, {0.025, 0.11, -0.02}, 0.002, 0.002);
    // A rough coating of the stem: loose grains.
    Random random(11);
    append_loose_triangles(mesh, 922, 0.0008, random, {-0.012, 0.08, -0.012}, {0.02, 0.15, 0.012});
    return mesh;
}

Mesh pipes(int count, int around, int along, std::uint64_t seed) {
    Mesh mesh;
    Random random(seed);
    for (int pipe = 0; pipe < count; ++pipe) {
        const int axis = pipe % 3;
        const Eigen::Vector3d middle(random.between(-0.5, 0.5), random.between(-0.5, 0.5), random.between(-0.5, 0.5));
        const double radius = random.between(0.008, 0.02), bend = random.between(-0.1, 0.1);
        append_lathe(mesh, along, around, [&](double u, double angle) {
            Eigen::Vector3d p;
            p[axis] = u - 0.5;
            p[(axis + 1) % 3] = middle[(axis + 1) % 3] + radius * rounded_ends(u) * std::cos(angle) +
                                bend * std::sin(std::numbers::pi * u);
            p[(axis + 2) % 3] = middle[(axis + 2) % 3] + radius * rounded_ends(u) * std::sin(angle);
            return p;
        });
    }
    return mesh;
}

Mesh soup(int triangles, double size_m, std::uint64_t seed) {
    Mesh mesh;
    Random random(seed);
    append_loose_triangles(mesh, triangles, size_m, random, Eigen::Vector3d::Zero(), Eigen::Vector3d::Ones());
    return mesh;
}

Mesh wavy_torus(int around, int across, float major_m, float minor_m, float wave_m) {
    Mesh mesh;
    const auto angle = [](int i, int n) { return 6.2831853F * static_cast<float>(i) / static_cast<float>(n); };
    for (int i = 0; i < around; ++i)
        for (int j = 0; j < across; ++j) {
            const float u = angle(i, around), v = angle(j, across);
            const float r = minor_m + wave_m * std::sin(7.0F * u) * std::cos(5.0F * v);
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

Mesh slivers(int triangles, unsigned seed, float size_m) {
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

Eigen::Isometry3f random_pose(std::mt19937& random, float distance_m) {
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
