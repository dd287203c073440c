// Which way the axes of a file point: rows of a table, or three letters.
//
// Everything inside is right-handed with +Y up and -Z forward. Most formats say what they have and their readers turn
// it; a BVH or a mesh says nothing, and many come out of left-handed engines, where a right hand reads as a left one.
#pragma once

#include <Eigen/Geometry>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace glovebox::tracking {

/// A signed permutation: each of our axes is one of the file's, perhaps turned round. It mirrors where the file's axes
/// are left-handed.
struct Axes {
    Eigen::Matrix3f ours_from_file = Eigen::Matrix3f::Identity();

    bool as_they_are() const { return ours_from_file.isIdentity(); }
    bool mirrors() const { return ours_from_file.determinant() < 0.0F; }
    /// A rigid pose, given the points that it moves have been turned too: M W M^-1, a rotation even if M mirrors.
    Eigen::Isometry3f turned(const Eigen::Isometry3f& world_from_thing) const;
    bool operator==(const Axes&) const = default;
};

/// An axis system with a name: "unity", "unreal", "z-up".
struct AxesRow {
    std::string_view name, letters, summary;
};
std::span<const AxesRow> axes_table();  ///< the first is "auto": as the format says

/// A row's name, or the file's axes that are our +X, +Y and +Z: "xy-z" is a left-handed file with +Z forward, "xz-y"
/// one with Z up. Nothing if it is neither.
std::optional<Axes> find_axes(std::string_view name_or_letters);

/// "auto, unity (xy-z), ... or three letters with signs": for messages.
std::string axes_names();

}  // namespace glovebox::tracking
