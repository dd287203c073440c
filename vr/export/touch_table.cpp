#include "vr/export/touch_table.h"

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "recordings/parse.h"
#include "tracking/formatted.h"
#include "tracking/quoted.h"

namespace glovebox::vr {
namespace {

using nlohmann::ordered_json;
using tracking::csv_cell;
using tracking::formatted;
using tracking::Side;

double seconds(std::int64_t ns) {
    return 1e-9 * static_cast<double>(ns);
}

std::string hand_text(const TouchList& list) {
    const bool left = list.hands[Side::left], right = list.hands[Side::right];
    return left && right ? "both hands" : left ? "left hand" : right ? "right hand" : "no hand";
}

const std::string& object_of(const TouchList& list, int object) {
    return list.objects[static_cast<std::size_t>(object)];
}

std::string file_name(const std::string& recording) {
    return std::filesystem::path(recording).filename().string();
}

// Touches and intervals without tracking, in chronological order.
struct Row {
    double begin_s, end_s;
    const Touch* touch;  // null: a gap or a loss
    const Side* lost;    // null: a gap in the recording
};

std::vector<Row> rows_of(const TouchList& list) {
    std::vector<Row> rows;
    for (const Touch& touch : list.touches) rows.push_back({touch.begin_s(), touch.end_s(), &touch, nullptr});
    for (const Interval& gap : list.gaps) rows.push_back({gap.begin_s, gap.end_s, nullptr, nullptr});
    for (const Side& side : tracking::kSides)
        for (const Interval& lost : list.lost[side]) rows.push_back({lost.begin_s, lost.end_s, nullptr, &side});
    std::ranges::stable_sort(rows, {}, &Row::begin_s);
    return rows;
}

std::size_t widest(std::span<const std::string> names, std::size_t least) {
    for (const std::string& name : names) least = std::max(least, tracking::printable(name).size());
    return std::min<std::size_t>(least, 32);
}

}  // namespace

std::vector<TouchSum> sums_of(const TouchList& list) {
    std::vector<TouchSum> sums;
    for (const Touch& touch : list.touches) {
        auto at = std::ranges::find_if(sums, [&](const TouchSum& sum) {
            return sum.side == touch.side && sum.part == touch.part && sum.object == touch.object;
        });
        if (at == sums.end()) at = sums.insert(sums.end(), TouchSum{touch.side, touch.part, touch.object});
        ++at->count;
        at->total_s += touch.duration_s();
        at->longest_s = std::max(at->longest_s, touch.duration_s());
        at->deepest_m = std::max(at->deepest_m, touch.deepest_m);
    }
    std::ranges::stable_sort(sums, std::greater<>(), &TouchSum::total_s);
    return sums;
}

std::string touch_text(const TouchList& list, std::size_t max_lines) {
    std::string text = tracking::printable(list.recording) + " in " + tracking::printable(list.scene) + ": " +
                       hand_text(list) +
                       formatted(", %.1f s, %s\n", list.duration_s, recordings::counted(list.frames, "frame").c_str());
    text += tracking::printable(list.placement) + "\n";
    if (list.touches.empty()) {
        return text + "Nothing is touched. " +
               tracking::printable(why_no_touch(list.nearest, list.objects, list.touch_m)) + "\n";
    }
    const int part_width = list.by == TouchBy::bone ? 20 : 8;
    const int object_width = static_cast<int>(widest(list.objects, 6));
    const bool by_hand = list.by == TouchBy::object;
    const std::string part_head =
        by_hand ? std::string() : formatted("%-*s", part_width, list.by == TouchBy::bone ? "bone" : "finger");
    text += formatted("\n%9s %9s %8s  %-5s  %s%-*s %8s %10s%s\n", "begin", "end", "lasts", "hand", part_head.c_str(),
                      object_width, "object", "deepest", "mean speed", list.has_forces ? "  force" : "");
    std::size_t shown = 0;
    const std::vector<Row> rows = rows_of(list);
    for (const Row& row : rows) {
        if (max_lines > 0 && shown++ == max_lines) {
            text += formatted("  ... and %zu lines more\n", rows.size() - max_lines);
            break;
        }
        text += formatted("%7.3f s %7.3f s %6.3f s  ", row.begin_s, row.end_s, row.end_s - row.begin_s);
        if (row.touch == nullptr) {
            text += row.lost != nullptr ? formatted("%-5s  not tracked\n", std::string(name_of(*row.lost)).c_str())
                                        : "       no samples\n";
            continue;
        }
        const Touch& touch = *row.touch;
        const std::string part =
            by_hand ? std::string() : formatted("%-*s", part_width, part_name(list.by, touch.part).c_str());
        text += formatted("%-5s  %s", std::string(name_of(touch.side)).c_str(), part.c_str());
        text += formatted("%-*s", object_width, tracking::printable(object_of(list, touch.object)).c_str());
        text += formatted(" %5.1f mm %6.3f m/s", 1e3 * double{touch.deepest_m}, touch.mean_speed_m_s);
        if (list.has_forces)
            text += std::isnan(touch.peak_force) ? std::string("      -")
                                                 : formatted("  %3.0f %%", 100.0 * double{touch.peak_force});
        if (touch.end == Touch::End::lost) text += "  until tracking was lost";
        if (touch.end == Touch::End::open) text += "  until the end";
        if (touch.unseen_ns > 0)
            text += formatted("  %.0f ms of it not seen", 1e-6 * static_cast<double>(touch.unseen_ns));
        text += '\n';
    }
    text += '\n';
    for (const TouchSum& sum : sums_of(list))
        text += formatted("%5llu x %8.3f s  %-5s  ", static_cast<unsigned long long>(sum.count), sum.total_s,
                          std::string(name_of(sum.side)).c_str()) +
                (by_hand ? std::string() : formatted("%-*s", part_width, part_name(list.by, sum.part).c_str())) +
                formatted("%-*s", object_width, tracking::printable(object_of(list, sum.object)).c_str()) +
                formatted(" longest %.3f s, deepest %.1f mm\n", sum.longest_s, 1e3 * double{sum.deepest_m});
    return text;
}

std::string summary_text(std::span<const TouchList> lists) {
    std::size_t width = 9;
    for (const TouchList& list : lists) width = std::max(width, tracking::printable(file_name(list.recording)).size());
    width = std::min<std::size_t>(width, 40);
    std::string text = formatted("%-*s %-10s %9s %8s %9s %9s  %s\n", static_cast<int>(width), "recording", "hands",
                                 "lasts", "touches", "touching", "deepest", "longest on");
    for (const TouchList& list : lists) {
        const std::vector<TouchSum> sums = sums_of(list);
        double total_s = 0.0;
        float deepest_m = 0.0F;
        for (const TouchSum& sum : sums) {
            total_s += sum.total_s;
            deepest_m = std::max(deepest_m, sum.deepest_m);
        }
        text += formatted("%-*s %-10s %7.1f s %8zu %7.2f s %6.1f mm  ", static_cast<int>(width),
                          tracking::printable(file_name(list.recording)).c_str(), hand_text(list).c_str(),
                          list.duration_s, list.touches.size(), total_s, 1e3 * double{deepest_m});
        text += sums.empty() ? std::string("nothing\n")
                             : part_name(list.by, sums.front().part) + " on " +
                                   tracking::printable(object_of(list, sums.front().object)) + "\n";
    }
    return text;
}

std::string touch_csv(std::span<const TouchList> lists) {
    const TouchBy by = lists.empty() ? TouchBy::finger : lists.front().by;
    const std::string part_column = by == TouchBy::bone ? "bone," : by == TouchBy::finger ? "finger," : "";
    std::string text = "recording,kind,hand," + part_column +
                       "object,begin_s,end_s,duration_s,deepest_m,deepest_at_s,deepest_x_m,deepest_y_m,deepest_z_m,"
                       "mean_speed_m_s,peak_force,unseen_s,ended\n";
    for (const TouchList& list : lists) {
        const std::string recording = csv_cell(list.recording) + ',';
        for (const Row& row : rows_of(list)) {
            const std::string times = formatted("%.6f,%.6f,%.6f,", row.begin_s, row.end_s, row.end_s - row.begin_s);
            if (row.touch == nullptr) {
                text += recording + (row.lost != nullptr ? "lost," + std::string(name_of(*row.lost)) : "gap,") + ',' +
                        (part_column.empty() ? "" : ",") + ',' + times + ",,,,,,,,\n";
                continue;
            }
            const Touch& touch = *row.touch;
            text += recording + "touch," + std::string(name_of(touch.side)) + ',' +
                    (part_column.empty() ? "" : csv_cell(part_name(by, touch.part)) + ',') +
                    csv_cell(object_of(list, touch.object)) + ',' + times +
                    formatted("%.6f,%.6f,%.6f,%.6f,%.6f,%.6f,", double{touch.deepest_m}, seconds(touch.deepest_ns),
                              double{touch.deepest_point_m.x()}, double{touch.deepest_point_m.y()},
                              double{touch.deepest_point_m.z()}, touch.mean_speed_m_s) +
                    (std::isnan(touch.peak_force) ? "" : formatted("%.4f", double{touch.peak_force})) +
                    formatted(",%.6f,", seconds(touch.unseen_ns)) + std::string(name_of(touch.end)) + '\n';
        }
    }
    return text;
}

ordered_json touch_json(const TouchList& list) {
    const auto intervals = [](std::span<const Interval> spans) {
        ordered_json rows = ordered_json::array();
        for (const Interval& span : spans) rows.push_back({{"begin_s", span.begin_s}, {"end_s", span.end_s}});
        return rows;
    };
    ordered_json hands = ordered_json::array();
    for (const Side side : tracking::kSides)
        if (list.hands[side]) hands.push_back(name_of(side));
    ordered_json json;
    json["recording"] = {{"path", list.recording},
                         {"format", list.format},
                         {"frames", list.frames},
                         {"hands", hands},
                         {"duration_s", list.duration_s}};
    json["scene"] = list.scene;
    json["placement"] = list.placement;
    json["by"] = list.by == TouchBy::finger ? "finger" : list.by == TouchBy::bone ? "bone" : "object";
    json["touches"] = ordered_json::array();
    for (const Touch& touch : list.touches) {
        ordered_json row = {{"hand", name_of(touch.side)}};
        if (list.by != TouchBy::object) row[json["by"].get<std::string>()] = part_name(list.by, touch.part);
        row["object"] = object_of(list, touch.object);
        row["begin_s"] = touch.begin_s();
        row["end_s"] = touch.end_s();
        row["duration_s"] = touch.duration_s();
        row["deepest_m"] = touch.deepest_m;
        row["deepest_at_s"] = seconds(touch.deepest_ns);
        row["deepest_point_m"] = {touch.deepest_point_m.x(), touch.deepest_point_m.y(), touch.deepest_point_m.z()};
        row["mean_speed_m_s"] = touch.mean_speed_m_s;
        if (!std::isnan(touch.peak_force)) row["peak_force"] = touch.peak_force;
        row["unseen_s"] = seconds(touch.unseen_ns);
        row["ended"] = name_of(touch.end);
        json["touches"].push_back(std::move(row));
    }
    json["gaps"] = intervals(list.gaps);
    json["lost"] = {{"left", intervals(list.lost[Side::left])}, {"right", intervals(list.lost[Side::right])}};
    json["totals"] = ordered_json::array();
    for (const TouchSum& sum : sums_of(list))
        json["totals"].push_back({{"hand", name_of(sum.side)},
                                  {"part", part_name(list.by, sum.part)},
                                  {"object", object_of(list, sum.object)},
                                  {"count", sum.count},
                                  {"total_s", sum.total_s},
                                  {"longest_s", sum.longest_s},
                                  {"deepest_m", sum.deepest_m}});
    if (list.touches.empty()) json["why"] = why_no_touch(list.nearest, list.objects, list.touch_m);
    return json;
}

}  // namespace glovebox::vr
