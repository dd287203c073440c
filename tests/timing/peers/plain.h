// Converts shapes and poses to the plain types of peer_library.h.
#pragma once

#include "collision/box/convex_hull.h"
#include "collision/box/shape.h"
#include "collision/mesh/mesh_tree.h"
#include "tests/timing/peers/peer_library.h"

namespace glovebox::timing {

inline Point plain(const Eigen::Vector3f& at) {
    return {at.x(), at.y(), at.z()};
}
inline PlainPose plain(const Eigen::Isometry3f& pose) {
    const Eigen::Matrix3f axes = pose.linear();
    return {
        {plain(Eigen::Vector3f(axes.col(0))), plain(Eigen::Vector3f(axes.col(1))), plain(Eigen::Vector3f(axes.col(2)))},
        plain(Eigen::Vector3f(pose.translation()))};
}
inline PlainBox plain(const collision::Obb& box, float radius_m = 0.0F) {
    Eigen::Isometry3f pose = Eigen::Isometry3f::Identity();
    pose.linear() = box.axes;
    pose.translation() = box.center_m;
    return {plain(pose), plain(box.half_m), radius_m};
}
inline PlainMesh plain(const collision::Mesh& mesh, const Eigen::Isometry3f& pose = Eigen::Isometry3f::Identity()) {
    PlainMesh result;
    for (const Eigen::Vector3f& vertex : mesh.vertices_m) result.vertices_m.push_back(plain(vertex));
    for (const auto& t : mesh.triangles) result.triangles.push_back({t[0], t[1], t[2]});
    result.pose = plain(pose);
    return result;
}
inline PlainMesh plain(const collision::ConvexHull& hull,
                       const Eigen::Isometry3f& pose = Eigen::Isometry3f::Identity()) {
    PlainMesh result;
    for (const Eigen::Vector3f& corner : hull.corners_m()) result.vertices_m.push_back(plain(corner));
    for (const auto& facet : hull.facets()) {
        auto& triangle = result.triangles.emplace_back();
        for (std::size_t k = 0; k < 3; ++k) triangle[k] = static_cast<std::uint32_t>(facet[k]);
    }
    result.pose = plain(pose);
    result.hull = true;
    return result;
}
inline PlainShape plain(const collision::Shape& shape) {
    if (const auto* cone = std::get_if<collision::RoundCone>(&shape))
        return PlainCone{plain(cone->a_m), plain(cone->b_m), cone->radius_a_m, cone->radius_b_m};
    if (const auto* box = std::get_if<collision::RoundedBox>(&shape)) return plain(box->core, box->radius_m);
    if (const auto* hull = std::get_if<collision::HullInstance>(&shape))
        return plain(*hull->hull, hull->world_from_hull);
    const auto& mesh = std::get<collision::MeshInstance>(shape);
    return plain(mesh.tree->mesh(), mesh.world_from_mesh);
}

}  // namespace glovebox::timing
