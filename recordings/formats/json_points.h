// Points and poses in JSON: [x, y, z], {x, y, z}, a pose that begins with these, a 4 x 4 matrix by rows or columns, or
// an object that has one of them as position, transform and the like.
#pragma once

#include <Eigen/Geometry>
#include <array>
#include <optional>

#include "recordings/json.h"

namespace glovebox::recordings {

/// A pose, and the order of its matrix. A matrix without translation does not show its order: then the pose is that of
/// a matrix by columns.
struct MatrixPose {
    Eigen::Isometry3f pose = Eigen::Isometry3f::Identity();
    std::optional<bool> by_columns;
};
/// Returns nothing for a matrix that turns nothing, scales or is not finite.
std::optional<MatrixPose> pose_of_matrix(const std::array<float, 16>& m);
/// Parses a 4 x 4 matrix: 16 numbers, four lists of four, or {columns: four lists}.
std::optional<MatrixPose> json_matrix(const Json& json);

std::optional<Eigen::Vector3f> json_point(const Json& json, int depth = 0);
/// Returns a landmark, which may have its visibility as a fourth number; a quaternion is none.
std::optional<Eigen::Vector3f> json_landmark(const Json& json);

}  // namespace glovebox::recordings
