#include "recordings/formats/json_points.h"

#include <cmath>
#include <string>

#include "recordings/formats/landmarks.h"

namespace glovebox::recordings {

using Eigen::Vector3f;

std::optional<MatrixPose> pose_of_matrix(const std::array<float, 16>& m) {
    const Eigen::Map<const Eigen::Matrix4f> by_columns(m.data());
    const bool columns = m[3] == 0.0F && m[7] == 0.0F && m[11] == 0.0F;
    MatrixPose read;
    read.pose.matrix() = columns ? Eigen::Matrix4f(by_columns) : Eigen::Matrix4f(by_columns.transpose());
    if (!read.pose.matrix().allFinite() || !(std::abs(std::abs(read.pose.linear().determinant()) - 1.0F) < 0.05F))
        return std::nullopt;
    if (!columns || m[12] != 0.0F || m[13] != 0.0F || m[14] != 0.0F) read.by_columns = columns;
    return read;
}

std::optional<MatrixPose> json_matrix(const Json& json) {
    std::array<float, 16> m{};
    if (const Json* columns = json_member(json, "columns")) {
        auto read = json_matrix(*columns);
        if (read) read->by_columns = true;
        return read;
    }
    if (json.is_object() && json.size() == 16 && json.contains("0")) {  // JavaScript's Float32Array
        Json list = Json::array();
        for (std::size_t i = 0; i < 16; ++i)
            if (const Json* value = json_member(json, std::to_string(i).c_str())) list.push_back(*value);
        return list.size() == 16 ? json_matrix(list) : std::nullopt;
    }
    if (!json.is_array()) return std::nullopt;
    if (json.size() == 16) return json_numbers(json, 16, m.data()) ? pose_of_matrix(m) : std::nullopt;
    if (json.size() != 4) return std::nullopt;
    for (std::size_t i = 0; i < 4; ++i)
        if (!json_numbers(json[i], 4, m.data() + 4 * i)) return std::nullopt;
    return pose_of_matrix(m);
}

std::optional<Vector3f> json_point(const Json& json, int depth) {
    Vector3f point;
    if (json.is_array()) {
        if (const auto read = json_matrix(json)) return Vector3f(read->pose.translation());
        const bool is_pose = json.size() == 3 || json.size() == 7 || json.size() == 8;
        for (Eigen::Index i = 0; i < 3; ++i) {
            if (!is_pose || !json[static_cast<std::size_t>(i)].is_number()) return std::nullopt;
            point[i] = json[static_cast<std::size_t>(i)].get<float>();
        }
        std::array<float, 7> pose{};
        if (json_numbers(json, 7, pose.data()) && has_quaternion_first(pose))
            point = Vector3f(pose[4], pose[5], pose[6]);
        return point.allFinite() ? std::optional(point) : std::nullopt;
    }
    if (!json.is_object() || depth > 3) return std::nullopt;
    if (const auto read = json_matrix(json)) return Vector3f(read->pose.translation());
    for (const char* valid : {"isTracked", "is_tracked", "tracked", "valid", "is_valid", "isValid"})
        if (const Json* flag = json_member(json, valid); flag != nullptr && flag->is_boolean() && !flag->get<bool>())
            return std::nullopt;
    double x = 0.0, y = 0.0, z = 0.0;
    if (json_number(json, "x", x) && json_number(json, "y", y) && json_number(json, "z", z)) {
        point = Eigen::Vector3d(x, y, z).cast<float>();
        return point.allFinite() ? std::optional(point) : std::nullopt;
    }
    for (const char* name : {"position", "pos", "translation", "location", "p", "t_xyz", "pose", "transform", "matrix",
                             "anchorFromJointTransform", "localTransform", "columns", "head"})
        if (const Json* inner = json_member(json, name)) return json_point(*inner, depth + 1);
    return std::nullopt;
}

std::optional<Vector3f> json_landmark(const Json& json) {
    std::array<float, 4> values{};
    if (!json_numbers(json, 4, values.data())) return json_point(json);
    const Eigen::Map<const Eigen::Vector4f> all(values.data());
    if (!all.allFinite() || std::abs(all.norm() - 1.0F) < 1e-3F) return std::nullopt;
    return Vector3f(all.head<3>());
}

}  // namespace glovebox::recordings
