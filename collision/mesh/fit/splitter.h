// Splitters: functions that divide the triangles of a tree node in two. All have one signature and are listed in one
// table.
#pragma once

#include <Eigen/Core>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "collision/box/box.h"

namespace glovebox::collision {

struct SplitInput {
    const Obb& box;                             ///< box of the node
    std::span<const Eigen::Vector3f> points_m;  ///< the node's vertices
    std::span<const std::array<std::int32_t, 3>> triangles;
    std::span<const Eigen::Vector3f> centroids_m;  ///< centroids of the triangles
    int preferred_axis;                            ///< axis of the box that is tried first; -1 for the longest
};

/// A splitting plane. A triangle is on the low side if direction . (its centroid) < offset_m.
struct SplitPlane {
    Eigen::Vector3f direction;
    float offset_m;
};

struct Splitter {
    std::string_view name;     ///< as in `--splitter mean`
    std::string_view summary;  ///< one line of help for the user
    /// Returns a plane across an axis of the box, with triangles on both sides; nothing if there is none (coincident
    /// centroids).
    std::optional<SplitPlane> (*split)(const SplitInput& input);
};

/// Returns all splitters, the default ("area") first.
std::span<const Splitter> splitters();

/// Returns the splitter of that name, or nullptr.
const Splitter* find_splitter(std::string_view name);

}  // namespace glovebox::collision
