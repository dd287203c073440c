// Axis conventions of files, given by name ("unity", "z-up") or as three letters with signs.
//
// Internally all coordinates are right-handed with +Y up and -Z forward. Most formats define their axes and their
// readers convert them. BVH and mesh files do not define theirs, and many come from left-handed engines. Without
// conversion, a right hand from such a file looks like a left one.
#pragma once

#include <Eigen/Geometry>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace glovebox::tracking {

/// A signed permutation of axes. Each internal axis is an axis of the file or its negative. The permutation mirrors if
/// the file's axes are left-handed.
struct Axes {
    Eigen::Matrix3f ours_from_file = Eigen::Matrix3f::Identity();

    bool as_they_are() const { return ours_from_file.isIdentity(); }
    bool mirrors() const { return ours_from_file.determinant() < 0.0F; }
    /// Converts a pose W by M = ours_from_file: returns M W M^-1, which is rigid even if M mirrors. The points of the
    /// body must be converted by M too.
    Eigen::Isometry3f turned(const Eigen::Isometry3f& world_from_body) const;
    bool operator==(const Axes&) const = default;
};

/// A named axis convention: "unity", "unreal", "z-up".
struct AxesRow {
    std::string_view name, letters, summary;
};
/// Returns the named axis conventions. The first is "auto", which means the axes that the file's format defines.
std::span<const AxesRow> axes_table();

/// Finds axes by the name of a table entry, or by three signed letters. The letters name the file's axes that become
/// the internal +X, +Y and +Z. For example, "xy-z" is left-handed with +Z forward, and "xz-y" has Z up. Returns nullopt
/// if the text is neither.
std::optional<Axes> find_axes(std::string_view name_or_letters);

/// Returns all names for an error message: "auto, unity (xy-z), ... or three letters with signs".
std::string axes_names();

}  // namespace glovebox::tracking
