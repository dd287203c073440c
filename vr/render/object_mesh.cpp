#include "vr/render/object_mesh.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <numbers>
#include <numeric>
#include <utility>

#include "collision/box/convex_hull.h"
#include "collision/mesh/mesh_tree.h"

namespace glovebox::vr {
namespace {

using Eigen::Vector3f;

constexpr int kRound = 48;  // segments around a sphere

// Builds a sphere's grid of directions; `place` maps each to its surface point.
template <typename Place>
DrawMesh swept_ball(const std::vector<Vector3f>& directions, int columns, const Place& place) {
    DrawMesh mesh;
    for (const Vector3f& direction : directions) mesh.vertices.push_back({place(direction), direction});
    const auto rows = static_cast<int>(directions.size()) / columns;
    for (int row = 0; row + 1 < rows; ++row)
        for (int column = 0; column + 1 < columns; ++column) {
            const auto a = static_cast<std::uint32_t>(row * columns + column);
            const auto below = a + static_cast<std::uint32_t>(columns);
            mesh.triangles.push_back({a, below + 1, a + 1});
            mesh.triangles.push_back({a, below, below + 1});
        }
    return mesh;
}

Vector3f direction_at(float polar, float around) {
    return {std::sin(polar) * std::sin(around), std::cos(polar), std::sin(polar) * std::cos(around)};
}

DrawMesh round_cone_mesh(const collision::RoundCone& cone) {
    const Vector3f span_m = cone.b_m - cone.a_m;
    const float length_m = span_m.norm();
    Eigen::Matrix3f axes = Eigen::Matrix3f::Identity();
    float flank_sine = 0.0F;
    if (length_m > 1e-6F) {
        const Vector3f along = span_m / length_m;
        const Vector3f side = along.unitOrthogonal();
        axes << side, along, side.cross(along);
        flank_sine = std::clamp((cone.radius_a_m - cone.radius_b_m) / length_m, -1.0F, 1.0F);
    }
    // Two caps meet at the angle where the flank touches both spheres; that row is doubled so that it can be stretched.
    const float seam = 0.5F * std::numbers::pi_v<float> - std::asin(flank_sine);
    std::vector<Vector3f> directions;
    std::vector<bool> at_b;
    const auto add_row = [&](float polar, bool end_b) {
        for (int i = 0; i <= kRound; ++i) {
            const float around = 2.0F * std::numbers::pi_v<float> * static_cast<float>(i) / kRound;
            directions.push_back(axes * direction_at(polar, around));
            at_b.push_back(end_b);
        }
    };
    constexpr int kCap = kRound / 4;
    for (int i = 0; i <= kCap; ++i) add_row(seam * static_cast<float>(i) / kCap, true);
    for (int i = 0; i <= kCap; ++i)
        add_row(seam + (std::numbers::pi_v<float> - seam) * static_cast<float>(i) / kCap, false);
    std::size_t next = 0;
    return swept_ball(directions, kRound + 1, [&](const Vector3f& direction) {
        const bool b = at_b[next++];
        return Vector3f((b ? cone.b_m : cone.a_m) + (b ? cone.radius_b_m : cone.radius_a_m) * direction);
    });
}

// Directions on a cube-like grid: each octant of the sphere belongs to one corner of the core; rows between are
// doubled.
DrawMesh rounded_box_mesh(const collision::RoundedBox& box) {
    constexpr int kQuarter = 8;
    std::vector<Vector3f> directions;
    std::vector<Vector3f> corners;
    const auto quarter = [](int i) {  // 0..kQuarter in the first half, then again from the middle
        const int step = i <= kQuarter ? i : i - 1;
        return 0.5F * std::numbers::pi_v<float> * static_cast<float>(step) / kQuarter;
    };
    constexpr int kPolarRows = 2 * kQuarter + 2;
    constexpr int kColumns = 4 * (kQuarter + 1) + 1;
    for (int row = 0; row < kPolarRows; ++row)
        for (int column = 0; column < kColumns; ++column) {
            const int side = (column % (kColumns - 1)) / (kQuarter + 1);
            const float in_side = static_cast<float>((column % (kColumns - 1)) % (kQuarter + 1)) / kQuarter;
            const float around = 0.5F * std::numbers::pi_v<float> * (static_cast<float>(side) + in_side);
            const Vector3f direction = direction_at(quarter(row), around);
            const bool x_positive = side == 0 || side == 1;
            const bool z_positive = side == 0 || side == 3;
            directions.push_back(direction);
            corners.emplace_back(x_positive ? 1.0F : -1.0F, row <= kQuarter ? 1.0F : -1.0F, z_positive ? 1.0F : -1.0F);
        }
    std::size_t next = 0;
    DrawMesh mesh = swept_ball(directions, kColumns, [&](const Vector3f& direction) {
        const Vector3f corner = corners[next++].cwiseProduct(box.core.half_m);
        return Vector3f(box.core.center_m + box.core.axes * (corner + box.radius_m * direction));
    });
    for (DrawVertex& vertex : mesh.vertices) vertex.normal = box.core.axes * vertex.normal;

    // On a sphere each pole's row is one point, but here it has four corners: close the top and the bottom.
    for (int end = 0; end < 2; ++end) {
        const auto first = static_cast<std::uint32_t>(mesh.vertices.size());
        const float up = end == 0 ? 1.0F : -1.0F;
        constexpr float kSquare[4][2] = {{1, 1}, {1, -1}, {-1, -1}, {-1, 1}};
        for (const auto& xz : kSquare) {
            const Vector3f corner(xz[0] * box.core.half_m.x(), up * (box.core.half_m.y() + box.radius_m),
                                  xz[1] * box.core.half_m.z());
            mesh.vertices.push_back({box.core.center_m + box.core.axes * corner, box.core.axes * Vector3f(0, up, 0)});
        }
        const bool top = end == 0;
        mesh.triangles.push_back({first, top ? first + 1 : first + 2, top ? first + 2 : first + 1});
        mesh.triangles.push_back({first, top ? first + 2 : first + 3, top ? first + 3 : first + 2});
    }
    return mesh;
}

struct BitsLess {
    const collision::Mesh& mesh;
    bool operator()(std::uint32_t a, std::uint32_t b) const {
        return std::memcmp(mesh.vertices_m[a].data(), mesh.vertices_m[b].data(), 3 * sizeof(float)) < 0;
    }
};

// Returns a position index for each vertex: vertices with equal coordinates share one.
std::vector<std::uint32_t> places_of(const collision::Mesh& mesh, std::uint32_t& count) {
    std::vector<std::uint32_t> order(mesh.vertices_m.size());
    std::iota(order.begin(), order.end(), 0U);
    const BitsLess less{mesh};
    std::ranges::sort(order, less);
    std::vector<std::uint32_t> place(order.size());
    count = 0;
    for (std::size_t i = 0; i < order.size(); ++i) {
        if (i > 0 && less(order[i - 1], order[i])) ++count;
        place[order[i]] = count;
    }
    count += order.empty() ? 0 : 1;
    return place;
}

}  // namespace

DrawMesh smoothed(const collision::Mesh& mesh) {
    std::uint32_t place_count = 0;
    const std::vector<std::uint32_t> place = places_of(mesh, place_count);
    std::vector<Vector3f> area_normal(mesh.triangles.size());
    std::vector<Vector3f> unit_normal(mesh.triangles.size());
    std::vector<std::uint32_t> first(place_count + 1, 0);
    for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
        const auto& [a, b, c] = mesh.triangles[t];
        area_normal[t] = (mesh.vertices_m[b] - mesh.vertices_m[a]).cross(mesh.vertices_m[c] - mesh.vertices_m[a]);
        unit_normal[t] = area_normal[t].normalized();
        for (const std::uint32_t v : mesh.triangles[t]) ++first[place[v] + 1];
    }
    for (std::size_t i = 1; i < first.size(); ++i) first[i] += first[i - 1];
    std::vector<std::uint32_t> faces(first.back());
    std::vector<std::uint32_t> next(first.begin(), first.end() - 1);
    for (std::size_t t = 0; t < mesh.triangles.size(); ++t)
        for (const std::uint32_t v : mesh.triangles[t]) faces[next[place[v]]++] = static_cast<std::uint32_t>(t);

    constexpr float kCosCrease = 0.766F;  // 40 degrees
    DrawMesh out;
    out.triangles.resize(mesh.triangles.size());
    // Triangles around a corner share its vertex where they have the same normal. The vertices of a corner are linked.
    constexpr std::uint32_t kNone = ~0U;
    std::vector<std::uint32_t> latest(place_count, kNone), before;
    for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
        for (std::size_t corner = 0; corner < 3; ++corner) {
            const std::uint32_t v = mesh.triangles[t][corner];
            Vector3f sum = Vector3f::Zero();
            for (std::uint32_t i = first[place[v]]; i < first[place[v] + 1]; ++i)
                if (unit_normal[faces[i]].dot(unit_normal[t]) > kCosCrease) sum += area_normal[faces[i]];
            const float length = sum.norm();
            const Vector3f normal = length > 0.0F ? Vector3f(sum / length) : unit_normal[t];
            std::uint32_t shared = latest[place[v]];
            while (shared != kNone && out.vertices[shared].normal != normal) shared = before[shared];
            if (shared == kNone) {
                shared = static_cast<std::uint32_t>(out.vertices.size());
                out.vertices.push_back({mesh.vertices_m[v], normal});
                before.push_back(std::exchange(latest[place[v]], shared));
            }
            out.triangles[t][corner] = shared;
        }
    }
    return out;
}

namespace {

DrawMesh moved(DrawMesh mesh, const Eigen::Isometry3f& target_from_mesh) {
    for (DrawVertex& vertex : mesh.vertices) {
        vertex.position_m = target_from_mesh * vertex.position_m;
        vertex.normal = target_from_mesh.linear() * vertex.normal;
    }
    return mesh;
}

collision::Mesh mesh_of(const collision::ConvexHull& hull) {
    collision::Mesh mesh;
    mesh.vertices_m.assign(hull.corners_m().begin(), hull.corners_m().end());
    for (const auto& [a, b, c] : hull.facets())
        mesh.triangles.push_back(
            {static_cast<std::uint32_t>(a), static_cast<std::uint32_t>(b), static_cast<std::uint32_t>(c)});
    return mesh;
}

}  // namespace

std::vector<MeshPart> sort_into_parts(DrawMesh& mesh) {
    constexpr std::size_t kMaxTriangles = 2048;
    using Triangle = std::array<std::uint32_t, 3>;
    const auto corner = [&](const Triangle& triangle, std::size_t i) -> const Vector3f& {
        return mesh.vertices[triangle[i]].position_m;
    };
    std::vector<MeshPart> parts, open{{0, mesh.triangles.size(), {}}};
    while (!open.empty()) {
        MeshPart part = open.back();
        open.pop_back();
        const auto begin = mesh.triangles.begin() + static_cast<std::ptrdiff_t>(part.first_triangle);
        const auto end = begin + static_cast<std::ptrdiff_t>(part.triangle_count);
        for (auto triangle = begin; triangle != end; ++triangle)
            for (std::size_t i = 0; i < 3; ++i) part.box_m.extend(corner(*triangle, i));
        if (part.triangle_count <= kMaxTriangles) {
            if (part.triangle_count > 0) parts.push_back(part);
            continue;
        }
        Eigen::Index axis = 0;
        part.box_m.sizes().maxCoeff(&axis);
        const auto along = [&](const Triangle& triangle) {
            return corner(triangle, 0)[axis] + corner(triangle, 1)[axis] + corner(triangle, 2)[axis];
        };
        const std::size_t half = part.triangle_count / 2;
        std::ranges::nth_element(begin, begin + static_cast<std::ptrdiff_t>(half), end, {}, along);
        open.push_back({part.first_triangle + half, part.triangle_count - half, {}});
        open.push_back({part.first_triangle, half, {}});
    }
    return parts;
}

bool may_be_seen(const Eigen::AlignedBox3f& box_m, const Eigen::Matrix4f& clip_from_object, float low, float high) {
    using BoxCorner = Eigen::AlignedBox3f::CornerType;
    std::array<int, 5> beyond{};
    for (int i = 0; i < 8; ++i) {
        const Eigen::Vector4f p = clip_from_object * box_m.corner(static_cast<BoxCorner>(i)).homogeneous();
        beyond[0] += p.x() < -p.w() ? 1 : 0;
        beyond[1] += p.x() > p.w() ? 1 : 0;
        beyond[2] += p.y() < low * p.w() ? 1 : 0;
        beyond[3] += p.y() > high * p.w() ? 1 : 0;
        beyond[4] += p.z() < -p.w() ? 1 : 0;
    }
    return std::ranges::none_of(beyond, [](int corners) { return corners == 8; });
}

DrawMesh draw_mesh(const collision::Shape& shape) {
    if (const auto* cone = std::get_if<collision::RoundCone>(&shape)) return round_cone_mesh(*cone);
    if (const auto* box = std::get_if<collision::RoundedBox>(&shape)) return rounded_box_mesh(*box);
    if (const auto* hull = std::get_if<collision::HullInstance>(&shape); hull != nullptr && hull->hull)
        return moved(smoothed(mesh_of(*hull->hull)), hull->world_from_hull);
    if (const auto* mesh = std::get_if<collision::MeshInstance>(&shape); mesh != nullptr && mesh->tree)
        return moved(smoothed(mesh->tree->mesh()), mesh->world_from_mesh);
    return {};
}

}  // namespace glovebox::vr
