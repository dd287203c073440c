// MANUS Core CSV: elapsed milliseconds, then 25 nodes with X, Y and Z of position, rotation, velocity and acceleration,
// then ergonomics angles. Versions differ in the names of positions: Index_PIP_Position_X or Index_PIP_X. Only the
// positions are used: the convention of the rotations is not documented, and positions suffice. Centimetres;
// left-handed axes with Y up and the fingers along +Z, so Z is negated. A file without positions has the angles.
#include "recordings/formats/manus_csv.h"

#include <algorithm>
#include <set>
#include <utility>

#include "recordings/formats/angle_csv.h"
#include "recordings/formats/csv_columns.h"

namespace glovebox::recordings {
namespace {

using tracking::Joint;
using tracking::Side;

// Returns the joint of a node such as "Index_PIP"; -1 for a node that is not a joint.
int joint_of_node(std::string_view node) {
    if (node == "Hand") return static_cast<int>(Joint::wrist);
    constexpr std::array<std::string_view, 5> kFingers = {"Thumb", "Index", "Middle", "Ring", "Pinky"};
    constexpr std::array<std::string_view, 5> kBones = {"_CMC", "_MCP", "_PIP", "_DIP", "_TIP"};
    constexpr std::array<std::string_view, 4> kThumb = {"_CMC", "_MCP", "_DIP", "_TIP"};
    for (std::size_t finger = 0; finger < kFingers.size(); ++finger) {
        if (!node.starts_with(kFingers[finger])) continue;
        const std::string_view bone = node.substr(kFingers[finger].size());
        for (std::size_t k = 0; k < (finger == 0 ? kThumb.size() : kBones.size()); ++k)
            if (bone == (finger == 0 ? kThumb[k] : kBones[k]))
                return static_cast<int>(finger == 0 ? 2 + k : 1 + 5 * finger + k);
    }
    return -1;
}

struct ManusColumn {
    int joint = -1, axis = 0;
};

// Returns the joint of a column of positions, such as "Index_PIP_Position_X" or "Index_PIP_X"; -1 for other columns.
int joint_of_column(std::string_view name) {
    constexpr std::string_view kPosition = "_Position";
    if (name.size() < 3 || name[name.size() - 2] != '_' || name.back() < 'X' || name.back() > 'Z') return -1;
    name.remove_suffix(2);
    if (name.ends_with(kPosition)) name.remove_suffix(kPosition.size());
    return joint_of_node(name);
}

std::vector<ManusColumn> find_columns(const Input& in, const std::vector<std::string>& names) {
    std::vector<ManusColumn> columns(names.size());
    std::set<std::pair<int, int>> found;
    for (std::size_t i = 0; i < names.size(); ++i) {
        const int joint = joint_of_column(names[i]);
        if (joint < 0) continue;
        const int axis = names[i].back() - 'X';
        // Some versions name positions and rotations alike; positions come first.
        if (found.emplace(joint, axis).second) columns[i] = {joint, axis};
    }
    if (found.empty())
        in.fail(
            "this table has neither positions nor all angles of the fingers; let MANUS Core export the positions of "
            "the nodes too, or FBX");
    if (found.size() != 75)
        in.fail("the header names " + std::to_string(found.size()) +
                " of 75 node positions: the file is cut off or damaged");
    return columns;
}

}  // namespace

bool is_manus_csv(std::string_view head, std::uintmax_t) {
    return head.starts_with("Frame,Elapsed_Time_In_Milliseconds");
}

void read_manus_csv(Input& in, const ImportOptions& options, Assembly& out) {
    const std::vector<std::string> names = read_column_names(in);
    const bool positions =
        std::any_of(names.begin(), names.end(), [](const std::string& name) { return joint_of_column(name) >= 0; });
    if (!positions && has_finger_angles(names)) return read_finger_angles(in, names, options, out);
    const std::vector<ManusColumn> columns = find_columns(in, names);
    SourceTraits traits;
    traits.unit_m = 0.01F;
    traits.side_known = false;
    traits.wrist_relative = true;
    traits.lacking = tracking::joint_set({Joint::palm});
    out.describe(traits);
    for (std::string_view line; in.next_full_line(line);) {
        tracking::HandPair sample;
        tracking::HandFrame& hand = sample[Side::left];
        hand.active = true;
        for_each_cell(in, line, columns.size(), [&](std::size_t i, std::string_view cell) {
            if (i == 1) {
                const double elapsed_ms = number_of_cell(in, cell, i);
                if (!(elapsed_ms >= 0.0 && elapsed_ms < 1e12)) in.fail("the elapsed time is " + excerpt(cell));
                sample.time_ns = std::llround(1e6 * elapsed_ms);
            }
            if (columns[i].joint < 0) return;
            const auto value = static_cast<float>(number_of_cell(in, cell, i));
            tracking::JointPose& joint = hand.joints[static_cast<std::size_t>(columns[i].joint)];
            joint.position_m[columns[i].axis] = columns[i].axis == 2 ? -value : value;
            joint.flags = tracking::joint_flags::kPositionValid | tracking::joint_flags::kPositionTracked;
        });
        out.push(sample);
    }
}

}  // namespace glovebox::recordings
