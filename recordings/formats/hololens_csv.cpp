// HoloLens 2 (MRTK): `Label,Time,Counter`, then 26 joints of the right hand and the same 26 names with suffix ".1" for
// the left. A cell is "(x/ y/ z)" in metres, or 0 for a joint that was not seen. Unity axes: left-handed, Z forward.
#include "recordings/formats/hololens_csv.h"

#include <algorithm>

#include "recordings/parse.h"

namespace glovebox::recordings {
namespace {

using tracking::Joint;
using tracking::Side;

struct HololensColumn {
    Side side = Side::right;
    int joint = -1;  // -1: not a joint
};

int joint_of_name(std::string_view name) {
    constexpr std::array<std::string_view, 5> kFingers = {"Thumb", "Index", "Middle", "Ring", "Pinky"};
    constexpr std::array<std::string_view, 5> kBones = {"Metacarpal", "Knuckle", "MiddleJoint", "DistalJoint", "Tip"};
    constexpr std::array<std::string_view, 4> kThumb = {"MetacarpalJoint", "ProximalJoint", "DistalJoint", "Tip"};
    if (name == "Palm") return 0;
    if (name == "Wrist") return 1;
    for (std::size_t finger = 0; finger < kFingers.size(); ++finger) {
        if (!name.starts_with(kFingers[finger])) continue;
        const std::string_view bone = name.substr(kFingers[finger].size());
        if (finger == 0) {
            const auto found = std::find(kThumb.begin(), kThumb.end(), bone);
            return found == kThumb.end() ? -1 : 2 + static_cast<int>(found - kThumb.begin());
        }
        const auto found = std::find(kBones.begin(), kBones.end(), bone);
        return found == kBones.end() ? -1 : 1 + 5 * static_cast<int>(finger) + static_cast<int>(found - kBones.begin());
    }
    return -1;
}

std::vector<HololensColumn> read_header(Input& in) {
    std::string_view header, name;
    if (!in.next_full_line(header)) in.fail("the file ends before its first row");
    std::vector<HololensColumn> columns;
    tracking::PerSide<tracking::JointSet> seen;
    for (Fields fields(header); fields.next(name);) {
        name = trimmed(name);
        HololensColumn column;
        if (name.ends_with(".1")) {
            column.side = Side::left;
            name.remove_suffix(2);
        }
        column.joint = joint_of_name(name);
        if (column.joint >= 0) seen[column.side].set(static_cast<std::size_t>(column.joint));
        columns.push_back(column);
    }
    for (const Side side : {Side::right, Side::left})
        if (const auto count = seen[side].count(); count != tracking::kJointCount)
            in.fail("the header names " + std::to_string(count) + " of 26 joints of the " + std::string(name_of(side)) +
                    " hand: the file is cut off or damaged");
    return columns;
}

// Parses a cell; false for the "0" of a joint that was not seen.
bool parse_cell(const Input& in, std::string_view cell, std::size_t column, Eigen::Vector3f& unity_m) {
    cell = trimmed(cell);
    if (cell == "0") return false;
    const auto damaged = [&] {
        in.fail("column " + std::to_string(column + 1) + " is " + excerpt(cell) + "; '(x/ y/ z)' or 0 is expected");
    };
    if (cell.size() < 7 || cell.front() != '(' || cell.back() != ')') damaged();
    Fields parts(cell.substr(1, cell.size() - 2), '/');
    std::string_view part;
    for (int i = 0; i < 3; ++i)
        if (!parts.next(part) || !parse_number(part, unity_m[i])) damaged();
    if (parts.next(part)) damaged();
    return true;
}

}  // namespace

bool is_hololens_csv(std::string_view head, std::uintmax_t) {
    return head.starts_with("Label,Time,Counter") && head.find("Joint") != std::string_view::npos;
}

void read_hololens_csv(Input& in, const ImportOptions&, Assembly& out) {
    const std::vector<HololensColumn> columns = read_header(in);
    out.describe({});
    for (std::string_view line; in.next_full_line(line);) {
        tracking::HandPair sample;
        std::size_t at = 0;
        std::string_view cell;
        for (Fields fields(line); fields.next(cell); ++at) {
            if (at >= columns.size()) in.fail("the row has more than " + std::to_string(columns.size()) + " columns");
            if (at == 1) {
                const auto time_ns = parse_civil_time_ns(cell);
                if (!time_ns) in.fail("the time is " + excerpt(cell) + "; '2024-02-19 20:35:04.219' is expected");
                sample.time_ns = *time_ns;
            }
            const HololensColumn& column = columns[at];
            Eigen::Vector3f unity_m;
            if (column.joint < 0 || !parse_cell(in, cell, at, unity_m)) continue;
            tracking::HandFrame& hand = sample[column.side];
            tracking::JointPose& joint = hand.joints[static_cast<std::size_t>(column.joint)];
            joint.position_m = {unity_m.x(), unity_m.y(), -unity_m.z()};  // Unity's Z is forward
            joint.flags = tracking::joint_flags::kPositionValid | tracking::joint_flags::kPositionTracked;
            hand.active = true;
        }
        if (at < columns.size())
            in.fail("the row has " + std::to_string(at) + " of " + std::to_string(columns.size()) +
                    " columns: the file is cut off or damaged");
        out.push(sample);
    }
}

}  // namespace glovebox::recordings
