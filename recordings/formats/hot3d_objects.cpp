// Columns: object_uid, timestamp[ns], t_wo_x[m] .. t_wo_z[m], q_wo_w .. q_wo_z (world_from_object). Rows of all objects
// are mixed, in time order.
#include "recordings/formats/hot3d_objects.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "recordings/collect.h"
#include "recordings/formats/csv_columns.h"
#include "tracking/quoted.h"

namespace glovebox::recordings {
namespace {

constexpr std::array<std::string_view, 9> kColumns = {
    "object_uid", "timestamp[ns]", "t_wo_x[m]", "t_wo_y[m]", "t_wo_z[m]", "q_wo_w", "q_wo_x", "q_wo_y", "q_wo_z"};
constexpr std::size_t kMaxObjects = 4096;

struct ObjectRow {
    std::string_view object;
    std::int64_t time_ns = 0;
    Eigen::Isometry3f world_from_object = Eigen::Isometry3f::Identity();
};

ObjectRow parse_row(const Input& in, std::string_view line, float unit_m) {
    ObjectRow row;
    std::array<float, 7> pose{};
    for_each_cell(in, line, kColumns.size(), [&](std::size_t column, std::string_view cell) {
        if (column == 0)
            row.object = trimmed(cell);
        else if (column == 1 && !parse_number(cell, row.time_ns))
            in.fail("timestamp[ns] is " + excerpt(cell) + ", not a whole number");
        else if (column > 1)
            pose[column - 2] = static_cast<float>(number_of_cell(in, cell, column));
    });
    const Eigen::Quaternionf turn(pose[3], pose[4], pose[5], pose[6]);
    const Eigen::Vector3f position_m(pose[0], pose[1], pose[2]);
    if (!position_m.allFinite() || !(std::abs(turn.norm() - 1.0F) < 0.01F))
        in.fail("the row is no pose: a number is not finite, or the quaternion has another length than 1");
    row.world_from_object = Eigen::Translation3f(unit_m * position_m) * turn.normalized();
    return row;
}

}  // namespace

bool is_hot3d_objects(std::string_view head) {
    return head.starts_with("object_uid,timestamp[ns],t_wo_x[m],");
}

std::vector<std::string> objects_of_tracks(const std::filesystem::path& path) {
    refuse_pipe(path);
    Input in(path);
    std::vector<std::string> objects;
    if (!is_hot3d_objects(in.head())) return objects;
    std::string_view line, object;
    in.next_full_line(line);
    while (in.next_full_line(line)) {
        Fields(line).next(object);
        object = trimmed(object);
        if (std::ranges::find(objects, object) != objects.end()) continue;
        if (objects.size() == kMaxObjects)
            in.fail("the file has more than " + std::to_string(kMaxObjects) + " objects");
        objects.emplace_back(object);
    }
    return objects;
}

StampedTrack read_hot3d_object(Input& in, const ImportOptions& options, const std::string& object) {
    if (!std::ranges::equal(read_column_names(in), kColumns))
        in.fail(
            "the columns are not those of HOT3D's objects: object_uid, timestamp[ns], t_wo_ x y z [m], q_wo_ w x y z");
    StampedTrack result;
    tracking::RigidTrack& track = result.track;
    bool any = false;
    std::string wanted = object, others;
    for (std::string_view line; in.next_full_line(line);) {
        const ObjectRow row = parse_row(in, line, options.unit_m.value_or(1.0F));
        if (!any) {
            result.first_ns = row.time_ns;
            if (wanted.empty()) wanted = row.object;
        }
        any = true;
        if (row.object != wanted) {
            const bool named = others.find("," + std::string(row.object) + ",") != std::string::npos;
            if (!named && others.size() < 200) others += (others.empty() ? "," : "") + std::string(row.object) + ",";
            continue;
        }
        const std::int64_t time_ns = row.time_ns - result.first_ns;
        if (time_ns < (track.time_ns.empty() ? 0 : track.time_ns.back()))
            in.fail("time goes back; sort the file by time");
        if (!track.time_ns.empty() && time_ns == track.time_ns.back()) continue;
        if (track.time_ns.empty() && time_ns > 0) {  // a track starts at 0: hold the first pose from there
            collect(std::int64_t{0}, in, options, track.time_ns);
            collect(row.world_from_object, in, options, track.world_from_object);
        }
        collect(time_ns, in, options, track.time_ns);
        collect(row.world_from_object, in, options, track.world_from_object);
    }
    if (!any) in.fail("the file ends before its first row");
    const auto shown = [](const std::string& name) { return tracking::printable(name.substr(0, 200)); };
    const std::string names = others.empty() ? "" : shown(others.substr(1, others.size() - 2));
    if (object.empty() && !others.empty())
        in.fail_at(0, "several objects move in this file: name one of them, as in FILE#" + shown(wanted) +
                          "; the others: " + names);
    if (track.time_ns.empty())
        in.fail_at(0, "no object " + shown(wanted) + " moves in this file; those that do: " + names);
    track.name = wanted;
    return result;
}

}  // namespace glovebox::recordings
