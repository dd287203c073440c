#include "scenes/force/surface.h"

#include <algorithm>
#include <cmath>

#include "collision/query/triangle.h"

namespace glovebox::scenes {
namespace {

using Eigen::Vector3d;

struct NearestTo {
    const Vector3d& point;

    NearPoint operator()(const FlatTriangle& triangle) const { return nearest(corners_of(triangle), point); }

    // With z along the axis, rho across it and m the radius' slope, the distance sqrt((z - s)^2 + rho^2) - (ra + m s)
    // is least where (s - z) / sqrt((z - s)^2 + rho^2) = m   =>   s = z + m rho / sqrt(1 - m^2).
    NearPoint operator()(const collision::RoundCone& cone) const {
        const Vector3d a = cone.a_m.cast<double>(), axis = cone.b_m.cast<double>() - a;
        const double length = axis.norm(), ra = static_cast<double>(cone.radius_a_m);
        const double slope = length > 0.0 ? (static_cast<double>(cone.radius_b_m) - ra) / length : 0.0;
        double s = 0.0;
        if (length > 0.0) {
            const Vector3d along = axis / length;
            const double z = (point - a).dot(along), rho = (point - a - z * along).norm();
            if (std::abs(slope) < 1.0)
                s = std::clamp(z + slope * rho / std::sqrt(1.0 - slope * slope), 0.0, length);
            else
                s = slope > 0.0 ? length : 0.0;  // one end ball contains the other
        }
        const Vector3d on_axis = length > 0.0 ? Vector3d(a + s / length * axis) : a;
        const double radius = ra + slope * s;
        const Vector3d away = point - on_axis;
        NearPoint result;
        const double core_distance = away.norm();
        result.normal = core_distance > 1e-12 ? Vector3d(away / core_distance) : Vector3d::UnitY();
        result.distance_m = core_distance - radius;
        result.on_m = on_axis + radius * result.normal;
        return result;
    }

    NearPoint operator()(const collision::RoundedBox& box) const {
        const Eigen::Matrix3d axes = box.core.axes.cast<double>();
        const Vector3d half = box.core.half_m.cast<double>(),
                       local = axes.transpose() * (point - box.core.center_m.cast<double>());
        const Vector3d beyond = local.cwiseAbs() - half;
        NearPoint result;
        Vector3d normal_in_box = Vector3d::Zero();
        double core_distance = 0.0;
        if (beyond.maxCoeff() > 0.0) {
            for (int i = 0; i < 3; ++i) normal_in_box[i] = std::copysign(std::max(0.0, beyond[i]), local[i]);
            core_distance = normal_in_box.norm();
            normal_in_box /= core_distance;
        } else {
            int face = 0;
            core_distance = beyond.maxCoeff(&face);
            normal_in_box[face] = local[face] < 0.0 ? -1.0 : 1.0;
        }
        result.normal = axes * normal_in_box;
        result.distance_m = core_distance - static_cast<double>(box.radius_m);
        result.on_m = point - result.distance_m * result.normal;
        return result;
    }
};

}  // namespace

collision::Triangle corners_of(const FlatTriangle& triangle) {
    return {triangle.corners_m[0].cast<double>(), triangle.corners_m[1].cast<double>(),
            triangle.corners_m[2].cast<double>()};
}

NearPoint nearest(const collision::Triangle& triangle, const Vector3d& point_m) {
    const collision::TrianglePoint found = collision::closest_on_triangle(point_m, triangle);
    NearPoint result;
    result.on_m = found.point;
    result.on_border = found.feature != collision::TriangleFeature::face;
    const Vector3d away = point_m - found.point;
    result.distance_m = away.norm();
    if (result.distance_m > 1e-12) {
        result.normal = away / result.distance_m;
    } else {
        const Vector3d face = (triangle[1] - triangle[0]).cross(triangle[2] - triangle[0]);
        result.normal = face.squaredNorm() > 0.0 ? face.normalized() : Vector3d::UnitY();
    }
    return result;
}

NearPoint nearest(const SurfacePiece& piece, const Vector3d& point_m) {
    return std::visit(NearestTo{point_m}, piece.shape);
}

SurfacePiece moved(const SurfacePiece& piece, double age_s) {
    SurfacePiece out = piece;
    const Eigen::Vector3f by_m = static_cast<float>(age_s) * piece.velocity_m_s;
    if (auto* triangle = std::get_if<FlatTriangle>(&out.shape)) {
        for (Eigen::Vector3f& corner : triangle->corners_m) corner += by_m;
    } else if (auto* cone = std::get_if<collision::RoundCone>(&out.shape)) {
        cone->a_m += by_m;
        cone->b_m += by_m;
    } else {
        std::get<collision::RoundedBox>(out.shape).core.center_m += by_m;
    }
    return out;
}

}  // namespace glovebox::scenes
