// Splitters: where the triangles of a tree node are parted. Rows of one table, one signature.
#pragma once

#include <Eigen/Core>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "collision/box/box.h"

namespace glovebox::collision {

struct SplitInput {
    const Obb& box;                             ///< of the node
    std::span<const Eigen::Vector3f> points_m;  ///< the node's vertices
    std::span<const std::array<std::int32_t, 3>> triangles;
    std::span<const Eigen::Vector3f> centroids_m;  ///< of the triangles
    int preferred_axis;                            ///< tried first; -1: the longest
};

/// A triangle is on the low side when direction . (its centroid) < offset_m.
struct SplitPlane {
    Eigen::Vector3f direction;
    float offset_m;
};

struct Splitter {
    std::string_view name;     ///< as in `--splitter mean`
    std::string_view summary;  ///< one line for a person choosing
    /// Nothing where no plane of any axis leaves triangles on both sides (coinciding centroids).
    std::optional<SplitPlane> (*split)(const SplitInput& input);
};

/// Returns all splitters, the default ("area") first.
std::span<const Splitter> splitters();

/// Returns the splitter of that name, or nullptr.
const Splitter* find_splitter(std::string_view name);

}  // namespace glovebox::collision
