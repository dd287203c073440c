// Axis conventions of files: a table of named ones ("unity", "z-up"), or three letters with signs.
//
// Internally all coordinates are right-handed with +Y up and -Z forward. Most formats define their axes and their
// readers convert them. A BVH or mesh file does not, and many come from left-handed engines. Without conversion, a
// right hand from such a file looks like a left one.
#pragma once

#include <Eigen/Geometry>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace glovebox::tracking {

/// A signed permutation of axes: each of our axes is one of the file's or its negative. It mirrors if the file's axes
/// are left-handed.
struct Axes {
    Eigen::Matrix3f ours_from_file = Eigen::Matrix3f::Identity();

    bool as_they_are() const { return ours_from_file.isIdentity(); }
    bool mirrors() const { return ours_from_file.determinant() < 0.0F; }
    /// Converts a rigid pose W of points that are converted too. Returns M W M^-1, which is rigid even if M mirrors.
    Eigen::Isometry3f turned(const Eigen::Isometry3f& world_from_body) const;
    bool operator==(const Axes&) const = default;
};

/// A named axis convention: "unity", "unreal", "z-up".
struct AxesRow {
    std::string_view name, letters, summary;
};
std::span<const AxesRow> axes_table();  ///< the first is "auto": as the format defines

/// Finds axes by the name of a table entry, or by the file's axes that become our +X, +Y and +Z. For example, "xy-z" is
/// left-handed with +Z forward, and "xz-y" has Z up. Returns nothing if the text is neither.
std::optional<Axes> find_axes(std::string_view name_or_letters);

/// Returns all names for an error message: "auto, unity (xy-z), ... or three letters with signs".
std::string axes_names();

}  // namespace glovebox::tracking
