#include "vr/session/label.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <mutex>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <thread>

#include "recordings/load.h"
#include "recordings/log/label_writer.h"
#include "recordings/output.h"
#include "tracking/formatted.h"
#include "tracking/quoted.h"
#include "vr/platform/mesh_process.h"
#include "vr/platform/platform.h"
#include "vr/platform/progress.h"
#include "vr/platform/version.h"
#include "vr/session/contacts_csv.h"
#include "vr/session/file_hash.h"
#include "vr/session/files_below.h"
#include "vr/session/label_parts.h"
#include "vr/session/open_session.h"
#include "vr/session/report.h"

namespace glovebox::vr {
namespace {

using nlohmann::ordered_json;
namespace fs = std::filesystem;

using recordings::LabelType;

struct Column {
    recordings::LabelColumn column;
    std::string_view unit, meaning;
};
constexpr std::array<Column, 17> kColumns = {{
    {{"recording", LabelType::text}, "", "name of the recording as it was given"},
    {{"frame", LabelType::integer}, "", "number of the sample, from 0"},
    {{"time_s", LabelType::real}, "s", "since the first sample of the recording"},
    {{"hand", LabelType::text}, "", "left or right"},
    {{"bone", LabelType::text}, "", "one of the 20 bones of the hand; a tip is the last bone of its finger"},
    {{"valid", LabelType::integer},
     "",
     "1: the tracker had this bone in this frame; 0: it did not, or the guard rejected it, and the rest of the row is "
     "empty but for the events"},
    {{"object", LabelType::text}, "", "nearest object within hover distance; empty: none"},
    {{"touching", LabelType::integer}, "", "1: distance at or below the scene's touch distance"},
    {{"distance_m", LabelType::real}, "m", "signed, between skin and surface; negative: penetrating"},
    {{"depth_m", LabelType::real}, "m", "max(0, -distance)"},
    {{"point_x_m", LabelType::real}, "m", "on the object, scene frame"},
    {{"point_y_m", LabelType::real}, "m", "on the object, scene frame"},
    {{"point_z_m", LabelType::real}, "m", "on the object, scene frame"},
    {{"normal_x", LabelType::real}, "", "unit, from the hand to the object"},
    {{"normal_y", LabelType::real}, "", "unit, from the hand to the object"},
    {{"normal_z", LabelType::real}, "", "unit, from the hand to the object"},
    {{"event", LabelType::text}, "", "what begins, ends or goes on for this bone, joined by +"},
}};

fs::path parts_of(const fs::path& out) {
    return out.string() + ".parts";
}

fs::path card_of(const fs::path& out) {
    return out.string() + ".card.json";
}

// A recording to be labelled. The name identifies it in the table and is the same on every machine.
struct Input {
    std::string path, name;
    bool named = false;  // by the user, not found in a folder
};

std::vector<Input> list_inputs(const std::vector<std::string>& given, const fs::path& out) {
    // The table, its card and its parts, which an earlier run may have left in a folder of recordings.
    const std::string table = fs::weakly_canonical(out).string();
    const auto is_own = [&](const fs::path& file) { return fs::weakly_canonical(file).string().starts_with(table); };
    std::vector<Input> inputs;
    for (const std::string& each : given) {
        if (!fs::is_directory(each)) {
            inputs.push_back({each, fs::path(each).filename().string(), true});
            continue;
        }
        for (const fs::path& file : files_below(each))
            if (!is_own(file)) inputs.push_back({file.string(), file.lexically_relative(each).generic_string()});
    }
    std::sort(inputs.begin(), inputs.end(),
              [](const Input& a, const Input& b) { return std::pair(a.name, a.path) < std::pair(b.name, b.path); });
    for (std::size_t i = 1; i < inputs.size(); ++i)
        if (inputs[i].name == inputs[i - 1].name)
            throw std::runtime_error("two recordings are named " + inputs[i].name + ": " + inputs[i - 1].path +
                                     " and " + inputs[i].path + "; give the folder that holds both");
    if (inputs.empty()) throw std::runtime_error("nothing to label: no files in what was given");
    return inputs;
}

std::string scene_of(const LabelSettings& settings) {
    return settings.scene.empty() ? std::string(scenes::scene_table().front().name) : settings.scene;
}

// Returns everything that the labels depend on besides the recording.
ordered_json settings_json(const LabelSettings& settings) {
    const std::string scene = scene_of(settings);
    const scenes::Scene loaded = scenes::load_scene(scene, load_mesh_apart);
    return {{"scene", loaded.name},
            {"scene_hash", hash_of_scene(scene)},
            {"hand", settings.hand},
            {"unit", settings.unit},
            {"inject", settings.inject},
            {"touch_enter_m", loaded.thresholds.touch_enter_m},
            {"touch_exit_m", loaded.thresholds.touch_exit_m},
            {"hover_exit_m", loaded.thresholds.hover_exit_m},
            {"version", kVersion}};
}

std::string events_of(const scenes::StepReport& report, tracking::Side side, int bone) {
    std::string text;
    const auto add = [&](const scenes::Event& event) {
        if (event.side == side && event.bone == bone)
            text += (text.empty() ? "" : "+") + std::string(scenes::name_of(event.kind));
    };
    for (const scenes::Event& event : report.events) add(event);
    for (const scenes::Event& event : report.stays) add(event);
    return text;
}

void add_frame(const Session& replay, const std::string& name, std::string& rows) {
    std::array<char, 256> numbers{};
    for (const tracking::Side side : {tracking::Side::left, tracking::Side::right}) {
        if (!replay.pipeline.settings.use_hand[side] || !replay.recording().has(side)) continue;
        const scenes::HandState& hand = replay.pipeline.world.hands[side];
        for (int bone = 0; bone < scenes::kHandBoneCount; ++bone) {
            const bool valid = hand.seen() && hand.pose.bone_present[static_cast<std::size_t>(bone)] != 0;
            std::snprintf(numbers.data(), numbers.size(), "%d,%.6f", replay.frame(), replay.time_s());
            rows += name + ',' + numbers.data() + ',' + std::string(tracking::name_of(side)) + ',' +
                    scenes::hand_body().bone_names[static_cast<std::size_t>(bone)] + (valid ? ",1," : ",0,");
            const collision::Contact* nearest = nullptr;
            if (valid)
                for (const collision::Contact& contact : hand.contacts)
                    if (contact.bone == bone && (nearest == nullptr || contact.distance_m < nearest->distance_m))
                        nearest = &contact;
            if (nearest == nullptr) {
                rows += ",,,,,,,,,,";
            } else {
                const auto number = [](float value) { return without_minus_zero(value, 6); };
                const auto along = [](float value) { return without_minus_zero(value, 5); };
                std::snprintf(numbers.data(), numbers.size(), ",%d,%.6f,%.6f,%.6f,%.6f,%.6f,%.5f,%.5f,%.5f,",
                              nearest->distance_m <= replay.scene.thresholds.touch_enter_m ? 1 : 0,
                              number(nearest->distance_m), number(nearest->depth_m()), number(nearest->on_object_m.x()),
                              number(nearest->on_object_m.y()), number(nearest->on_object_m.z()),
                              along(nearest->normal.x()), along(nearest->normal.y()), along(nearest->normal.z()));
                rows += tracking::csv_cell(replay.scene.objects[static_cast<std::size_t>(nearest->object)].name) +
                        numbers.data();
            }
            rows += events_of(replay.pipeline.report, side, bone) + '\n';
        }
    }
}

// Estimates an upper bound of the noise of a joint's coordinates, from second differences of the wrist and the
// fingertips. Noise of sigma gives |x0 - 2 x1 + x2|^2 a median of 14.2 sigma^2 (6 sigma^2 times chi-squared with three
// degrees of freedom); the hand's true acceleration is included. 0: not enough data.
double jitter_m(const recordings::Recording& recording) {
    constexpr std::array kJoints = {tracking::Joint::wrist,     tracking::Joint::thumb_tip,
                                    tracking::Joint::index_tip, tracking::Joint::middle_tip,
                                    tracking::Joint::ring_tip,  tracking::Joint::little_tip};
    std::vector<float> squares;
    for (std::size_t i = 2; i < recording.samples.size(); ++i)
        for (const tracking::Side side : {tracking::Side::left, tracking::Side::right})
            for (const tracking::Joint joint : kJoints) {
                std::array<const tracking::JointPose*, 3> at{};
                bool all = true;
                for (std::size_t k = 0; k < 3; ++k) {
                    const tracking::HandFrame& hand = recording.samples[i - 2 + k][side];
                    at[k] = &hand[joint];
                    all = all && hand.active && at[k]->position_valid() && at[k]->position_m.allFinite();
                }
                if (all)
                    squares.push_back((at[0]->position_m - 2.0F * at[1]->position_m + at[2]->position_m).squaredNorm());
            }
    if (squares.empty()) return 0.0;
    const auto middle = squares.begin() + static_cast<std::ptrdiff_t>(squares.size() / 2);
    std::nth_element(squares.begin(), middle, squares.end());
    return std::sqrt(static_cast<double>(*middle) / 14.2);
}

// Returns the first line of a part: its input and settings. A part with another first line is made again.
std::string head_of(const Input& input, const ordered_json& made_with, std::size_t number, std::size_t count) {
    ordered_json head = {{"recording", input.name}, {"number", number}, {"of", count}};
    head["bytes"] = fs::is_regular_file(input.path) ? static_cast<std::uint64_t>(fs::file_size(input.path)) : 0;
    head["hash"] = fs::is_regular_file(input.path) ? hex(hash_of_file(input.path)) : "bundled";
    head["settings"] = made_with;
    return text_of(head);
}

fs::path part_path(const fs::path& out, std::size_t number) {
    return parts_of(out) / tracking::formatted("%06zu.csv", number);
}

// Writes a part: its second line is the recording's entry in the data card; the rows follow. Returns false if the
// recording could not be read; the entry then says so.
bool make_part(const LabelSettings& settings, const Input& input, const std::string& head, const fs::path& part) {
    SessionSettings session_settings;
    session_settings.scene = scene_of(settings);  // one for all recordings, even bundled ones that name their own
    session_settings.headless = true;
    for (const std::string& fault : settings.inject) session_settings.faults.push_back(recordings::parse_fault(fault));
    RecordingSettings from;
    from.recording = input.path;
    from.unit_m = settings.unit_m;
    if (settings.hand != "both") from.only = settings.hand == "left" ? tracking::Side::left : tracking::Side::right;
    ordered_json entry = ordered_json::parse(head);
    entry.erase("settings");
    std::string rows;
    try {
        const auto replay = open_recording_session(from, session_settings, now_ns);
        const std::string name = tracking::csv_cell(input.name);
        while (replay->next()) add_frame(*replay, name, rows);
        entry["format"] = replay->recording().format;
        entry["frames"] = replay->totals.frames;
        entry["duration_s"] = replay->recording().duration_s();
        entry["longest_gap_s"] = replay->recording().longest_gap_s();
        entry["jitter_m"] = jitter_m(replay->recording());
        entry["placement"] = replay->pipeline.settings.placement.note;
        entry["notes"] = replay->recording().notes;
        entry["state_hash"] = hex(replay->totals.state_hash);
    } catch (const std::runtime_error& error) {
        rows.clear();
        entry["skipped"] = error.what();
    }
    recordings::expect_replaceable(part, false);
    write_whole(recordings::file_at(part), "# " + head + "\n# " + text_of(entry) + "\n" + rows);
    return !entry.contains("skipped");
}

// A part may come from another machine, so nothing in it is trusted.
ordered_json number_json(const std::string& field) {
    if (field.find_first_not_of("0123456789+-.eE") != std::string::npos) return field;
    ordered_json number = ordered_json::parse(field, nullptr, false);
    return number.is_number() ? number : ordered_json(field);
}

// Numbers stay numbers, empty fields become null.
ordered_json row_json(const std::vector<std::string>& fields) {
    ordered_json row = ordered_json::array();
    for (std::size_t i = 0; i < fields.size(); ++i) {
        if (fields[i].empty())
            row.push_back(nullptr);
        else if (i < kColumns.size() && kColumns[i].column.type != LabelType::text)
            row.push_back(number_json(fields[i]));
        else
            row.push_back(fields[i]);
    }
    return row;
}

ordered_json card_json(const std::vector<LabelPart>& parts) {
    ordered_json card;
    card["what"] =
        "Contacts of hand bones with the objects of a scene, worked out geometrically from recorded hand motion.";
    card["units"] = "metres, seconds; one row per frame, hand and bone";
    card["frame"] = "right-handed, +Y up, -Z forward; points and normals are in the scene's frame";
    card["normal"] = "from the hand to the object";
    card["distance"] = "signed: negative is penetrating";
    for (const Column& each : kColumns)
        card["columns"].push_back({{"name", each.column.name}, {"unit", each.unit}, {"meaning", each.meaning}});
    card["uncertainty"] =
        "Nothing here measured touch. A label is as good as the tracking, the hand's size and the scene's shape: "
        "camera-based "
        "hand tracking of headsets was found to be 11 mm off on average (Abdlkarim et al. 2023, PMC10830632), so a "
        "distance below "
        "that says little about whether skin met surface, and a touch label is a statement about the model. What a "
        "recording shows of its own noise is its jitter_m: the standard deviation of a joint's coordinate from one "
        "sample to the next, at most; slow errors and wrong sizes are not in it.";
    card["settings"] = parts.front().head["settings"];
    for (const LabelPart& part : parts)
        card[part.entry.contains("skipped") ? "skipped" : "recordings"].push_back(part.entry);
    card["machine"] = machine_json();
    card["version"] = kVersion;
    return card;
}

void write_text_table(const std::vector<LabelPart>& parts, const fs::path& path, bool json) {
    recordings::Output table(path);
    ordered_json columns = ordered_json::array();
    for (const Column& each : kColumns) columns.push_back(each.column.name);
    if (json) {
        table.write("{\"columns\":" + columns.dump() + ",\n\"rows\":[");
        bool first = true;
        for_each_row(parts, [&](const std::string& line) {
            table.write((first ? "\n" : ",\n") + text_of(row_json(fields_of(line))));
            first = false;
        });
        table.write("\n]}\n");
    } else {
        for (std::size_t i = 0; i < columns.size(); ++i)
            table.write((i == 0 ? "" : ",") + columns[i].get<std::string>());
        table.write("\n");
        for_each_row(parts, [&](const std::string& line) { table.write(line + '\n'); });
    }
    table.commit();
}

void write_glove_table(const std::vector<LabelPart>& parts, const fs::path& path, const ordered_json& card) {
    std::array<recordings::LabelColumn, kColumns.size()> columns{};
    for (std::size_t i = 0; i < columns.size(); ++i) columns[i] = kColumns[i].column;
    recordings::LabelWriter writer(path, columns,
                                   {{"content", "contact labels"},
                                    {"scene", card["settings"]["scene"]},
                                    {"version", kVersion},
                                    {"card", text_of(card)}});
    for_each_row(parts, [&](const std::string& line) { writer.add(fields_of(line)); });
    writer.close();
}

// Writes the table atomically.
void write_table(const std::vector<LabelPart>& parts, const fs::path& out, const ordered_json& card) {
    if (out.extension() != ".glove") return write_text_table(parts, out, out.extension() == ".json");
    recordings::Replacement table(out);
    write_glove_table(parts, table.part(), card);
    table.place();
}

}  // namespace

std::string check_label_path(const std::string& path) {
    const std::string ending = fs::path(path).extension().string();
    if (ending == ".csv" || ending == ".json" || ending == ".glove") return {};
    return path + ": labels are written as .csv, .json or .glove";
}

void expect_replaceable_labels(const fs::path& out, bool force) {
    if (!recordings::is_label_table(out)) recordings::expect_replaceable(out, force);
    recordings::expect_replaceable(card_of(out), force);
}

LabelSummary label(const LabelSettings& settings) {
    if (const std::string trouble = check_label_path(settings.out.string()); !trouble.empty())
        throw std::runtime_error(trouble);
    const std::vector<Input> inputs = list_inputs(settings.inputs, settings.out);
    const ordered_json made_with = settings_json(settings);
    fs::create_directories(parts_of(settings.out));
    if (settings.shards == 1) remove_parts_beyond(parts_of(settings.out), inputs.size());

    std::vector<std::size_t> mine;
    for (std::size_t i = 0; i < inputs.size(); ++i)
        if (static_cast<int>(i) % settings.shards == settings.shard - 1) mine.push_back(i);

    LabelSummary summary;
    std::atomic<std::size_t> next = 0;
    std::atomic<int> labelled = 0, resumed = 0, skipped = 0;
    std::atomic<bool> failed = false;
    std::mutex fault_mutex;
    std::string fault;
    std::atomic<std::int64_t> done = 0;
    Progress progress("recording", static_cast<std::int64_t>(mine.size()));
    const auto work = [&] {
        for (std::size_t k = next++; k < mine.size(); k = next++) {
            const std::size_t i = mine[k];
            try {
                const std::string head = head_of(inputs[i], made_with, i + 1, inputs.size());
                const fs::path part = part_path(settings.out, i + 1);
                const bool made = is_made(part, head);
                const bool readable =
                    made ? !read_part(part).entry.contains("skipped") : make_part(settings, inputs[i], head, part);
                ++(!readable ? skipped : made ? resumed : labelled);
                if (!readable && inputs[i].named) failed = true;
            } catch (const std::exception& error) {
                const std::lock_guard lock(fault_mutex);
                fault = error.what();
            }
            progress.at(++done, tracking::printable(inputs[i].name));
        }
    };
    const unsigned cores = std::max(1U, std::thread::hardware_concurrency());
    const auto jobs = std::min<std::size_t>(settings.jobs > 0 ? static_cast<unsigned>(settings.jobs) : cores,
                                            std::max<std::size_t>(1, mine.size()));
    {
        std::vector<std::jthread> threads;
        for (std::size_t i = 1; i < jobs; ++i) threads.emplace_back(work);
        work();
    }
    if (!fault.empty()) throw std::runtime_error(fault);

    summary.labelled = labelled;
    summary.resumed = resumed;
    summary.skipped = skipped;
    summary.failed = failed;
    if (settings.shards > 1) return summary;
    const LabelSummary merged = merge_labels(settings.out, settings.force);
    summary.notes = merged.notes;
    summary.complete = true;
    return summary;
}

LabelSummary merge_labels(const fs::path& out, bool force) {
    const fs::path folder = parts_of(out);
    if (!fs::is_directory(folder))
        throw std::runtime_error(folder.string() + ": no such folder; label first, with -o " + out.string());
    const std::vector<LabelPart> parts = read_parts(folder);
    LabelSummary summary;
    for (const LabelPart& part : parts)
        if (part.entry.contains("skipped")) summary.notes.push_back(part.entry["skipped"].get<std::string>());
    summary.skipped = static_cast<int>(summary.notes.size());
    // An empty table must not replace one with contents.
    if (summary.notes.size() == parts.size())
        throw std::runtime_error("nothing could be labelled: " + summary.notes.front() +
                                 (parts.size() > 1 ? "; nor the others" : ""));
    const ordered_json card = card_json(parts);
    expect_replaceable_labels(out, force);
    write_table(parts, out, card);
    write_json(card_of(out), card);
    for (const LabelPart& part : parts) fs::remove(part.path);
    std::error_code not_empty;  // a file of someone else stays
    fs::remove(folder, not_empty);
    summary.complete = true;
    return summary;
}

}  // namespace glovebox::vr
