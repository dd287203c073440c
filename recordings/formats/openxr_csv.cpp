// OpenXR joints as comma-separated text, as Monado's recorder writes them: a '#' line, then a time stamp in nanoseconds
// and position (metres) and quaternion (w x y z) per joint. 26 joints in OpenXR's order relative to the wrist; or the
// poses of wrist and elbow in space. Columns are identified by position, because their names repeat for every joint.
#include "recordings/formats/openxr_csv.h"

#include <algorithm>

#include "recordings/parse.h"
#include "tracking/forward_kinematics.h"

namespace glovebox::recordings {
namespace {

using tracking::Side;

constexpr int kColumnsPerPose = 7;

struct OpenxrRow {
    std::int64_t time_ns = 0;
    std::array<float, kColumnsPerPose * tracking::kJointCount> values{};
};

// Returns the number of poses per row, from the line of column names.
int poses_per_row(Input& in) {
    std::string_view header;
    if (!in.next_full_line(header)) in.fail("the file ends before its first row");
    const auto commas = std::count(header.begin(), header.end(), ',');
    const auto poses = commas / kColumnsPerPose;
    const bool known = commas % kColumnsPerPose == 0 && (poses == tracking::kJointCount || poses == 1 || poses == 2);
    if (!known)
        in.fail("the header has " + std::to_string(commas + 1) +
                " columns; 183 (26 joints), 15 (wrist and elbow) or 8 (wrist) are known: the file is damaged");
    return static_cast<int>(poses);
}

// Parses a row in one pass, because this is the inner loop of importing a large file.
void parse_row(const Input& in, std::string_view line, int poses, OpenxrRow& row) {
    const char* at = line.data();
    const char* const end = at + line.size();
    const auto column_fault = [&in](int column, const char* what) {
        in.fail("column " + std::to_string(column + 1) + " " + what);
    };
    const auto number = [&](int column, auto& value) {
        while (at < end && is_blank(*at)) ++at;
        if (at == end)
            in.fail("the row ends after " + std::to_string(column) + " of " +
                    std::to_string(1 + kColumnsPerPose * poses) + " columns: the file is cut off or damaged");
        const auto [stop, error] = std::from_chars(at, end, value);
        if (error == std::errc::result_out_of_range) column_fault(column, "is a number too large to hold");
        if (error != std::errc()) column_fault(column, "is not a number");
        at = stop;
        while (at < end && is_blank(*at)) ++at;
        if (at < end && *at != ',') column_fault(column, "is not a number");
        if (at < end) ++at;
    };
    number(0, row.time_ns);
    const int count = kColumnsPerPose * poses;
    for (int i = 0; i < count; ++i) number(1 + i, row.values[static_cast<std::size_t>(i)]);
    if (at != end && std::any_of(at, end, [](char c) { return !is_blank(c); }))
        in.fail("the row has more than " + std::to_string(1 + count) + " columns");
}

tracking::JointPose joint_pose(const OpenxrRow& row, std::size_t pose) {
    const float* v = row.values.data() + kColumnsPerPose * pose;
    tracking::JointPose joint;
    joint.position_m = {v[0], v[1], v[2]};
    joint.orientation = Eigen::Quaternionf(v[3], v[4], v[5], v[6]);
    joint.flags = tracking::joint_flags::kAll;
    return joint;
}

void read_fingers(Input& in, Assembly& out) {
    SourceTraits traits;
    traits.side_known = false;
    traits.wrist_relative = true;
    out.describe(traits);
    OpenxrRow row;
    tracking::HandPair sample;
    for (std::string_view line; in.next_full_line(line);) {
        if (line.front() == '#') continue;
        parse_row(in, line, tracking::kJointCount, row);
        sample = {};
        sample.time_ns = row.time_ns;
        tracking::HandFrame& hand = sample[Side::left];
        hand.active = true;
        for (std::size_t i = 0; i < tracking::kJointCount; ++i) hand.joints[i] = joint_pose(row, i);
        out.push(sample);
    }
}

// Reads a wrist alone as a resting hand, whose fingers are valid but not tracked.
void read_wrist(Input& in, Assembly& out, int poses) {
    out.describe({});
    out.note("The file has a wrist but no fingers; a resting hand of middle size was put on the wrist.");
    const Side side = out.default_side();
    const tracking::HandFrame resting = tracking::pose_from_angles(
        tracking::default_profile(), tracking::resting_angles(), Eigen::Isometry3f::Identity(), side);
    OpenxrRow row;
    for (std::string_view line; in.next_full_line(line);) {
        if (line.front() == '#') continue;
        parse_row(in, line, poses, row);
        const tracking::JointPose wrist = joint_pose(row, 0);
        tracking::HandPair sample;
        sample.time_ns = row.time_ns;
        tracking::HandFrame& hand = sample[side];
        hand = resting;
        Eigen::Isometry3f world_from_wrist = Eigen::Isometry3f::Identity();
        world_from_wrist.linear() = wrist.orientation.matrix();
        world_from_wrist.translation() = wrist.position_m;
        tracking::move_rigidly(world_from_wrist, hand);
        for (tracking::JointPose& joint : hand.joints)
            joint.flags = tracking::joint_flags::kPositionValid | tracking::joint_flags::kOrientationValid;
        hand[tracking::Joint::wrist] = wrist;
        hand[tracking::Joint::wrist].radius_m = resting[tracking::Joint::wrist].radius_m;
        out.push(sample);
    }
}

}  // namespace

bool is_openxr_csv(std::string_view head, std::uintmax_t) {
    return head.starts_with("#timestamp") && head.substr(0, 256).find("p_RS_R_x") != std::string_view::npos;
}

void read_openxr_csv(Input& in, const ImportOptions&, Assembly& out) {
    const int poses = poses_per_row(in);
    if (poses == tracking::kJointCount) {
        read_fingers(in, out);
    } else {
        read_wrist(in, out, poses);
    }
}

StampedTrack read_openxr_csv_track(Input& in) {
    const int poses = poses_per_row(in);
    if (poses == tracking::kJointCount)
        in.fail("this is a file of 26 joints relative to the wrist; a wrist file is needed");
    StampedTrack result;
    result.track.name = "wrist";
    OpenxrRow row;
    for (std::string_view line; in.next_full_line(line);) {
        if (line.front() == '#') continue;
        parse_row(in, line, poses, row);
        const tracking::JointPose wrist = joint_pose(row, 0);
        const float norm = wrist.orientation.norm();
        if (!wrist.position_m.allFinite() || !(std::abs(norm - 1.0F) < 0.01F)) continue;  // lost: at() interpolates
        if (result.track.time_ns.empty()) result.first_ns = row.time_ns;
        const std::int64_t time_ns = row.time_ns - result.first_ns;
        if (!result.track.time_ns.empty() && time_ns < result.track.time_ns.back())
            in.fail("time goes back; sort the file by time");
        if (!result.track.time_ns.empty() && time_ns == result.track.time_ns.back()) continue;
        Eigen::Isometry3f pose = Eigen::Isometry3f::Identity();
        pose.linear() = wrist.orientation.normalized().matrix();
        pose.translation() = wrist.position_m;
        result.track.time_ns.push_back(time_ns);
        result.track.world_from_object.push_back(pose);
    }
    if (result.track.time_ns.empty()) in.fail("the file has no finite wrist pose");
    return result;
}

}  // namespace glovebox::recordings
