#include "tracking/axes.h"

#include <array>
#include <cmath>

namespace glovebox::tracking {
namespace {

constexpr std::array<AxesRow, 4> kRows = {{
    {"auto", "xyz", "as the format says"},
    {"unity", "xy-z", "left-handed, Y up, Z forward: Unity, DirectX, ManipNet"},
    {"unreal", "yz-x", "left-handed, Z up, X forward: Unreal"},
    {"z-up", "xz-y", "right-handed, Z up, Y forward: Blender, CAD"},
}};

}  // namespace

Eigen::Isometry3f Axes::turned(const Eigen::Isometry3f& world_from_body) const {
    Eigen::Isometry3f pose = Eigen::Isometry3f::Identity();
    pose.linear() = ours_from_file * world_from_body.linear() * ours_from_file.transpose();
    pose.translation() = ours_from_file * world_from_body.translation();
    return pose;
}

std::span<const AxesRow> axes_table() {
    return kRows;
}

std::optional<Axes> find_axes(std::string_view name_or_letters) {
    std::string_view letters = name_or_letters;
    for (const AxesRow& row : kRows)
        if (row.name == name_or_letters) letters = row.letters;
    Axes axes;
    axes.ours_from_file.setZero();
    int ours = 0;
    float sign = 1.0F;
    for (const char c : letters) {
        if (c == '-' && sign > 0.0F) {
            sign = -1.0F;
            continue;
        }
        if (c < 'x' || c > 'z' || ours == 3) return {};
        axes.ours_from_file(ours++, c - 'x') = sign;
        sign = 1.0F;
    }
    // Three letters, each used once; otherwise the matrix is not invertible.
    if (ours != 3 || sign < 0.0F || std::abs(axes.ours_from_file.determinant()) < 0.5F) return {};
    return axes;
}

std::string axes_names() {
    std::string names;
    for (const AxesRow& row : kRows) {
        names += (names.empty() ? "" : ", ") + std::string(row.name);
        if (&row != kRows.data()) names += " (" + std::string(row.letters) + ")";
    }
    return names + ", or three letters with signs: the file's axes that are our right, up and back";
}

}  // namespace glovebox::tracking
