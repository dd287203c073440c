#include "vr/report.h"

#include <array>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <stdexcept>
#include <system_error>

#include "vr/haptics/ledger_figure.h"
#include "vr/haptics/report.h"
#include "vr/platform.h"
#include "vr/version.h"
#include "vr/window.h"

namespace glovebox::vr {
namespace {

using nlohmann::ordered_json;

// Times in reports are in microseconds with a nanosecond's worth of digits.
double rounded(double value) {
    return std::round(value * 1000.0) / 1000.0;
}

std::string hex(std::uint64_t value) {
    std::array<char, 17> text{};
    std::snprintf(text.data(), text.size(), "%016llx", static_cast<unsigned long long>(value));
    return text.data();
}

ordered_json hands_json(const recordings::Recording& recording) {
    ordered_json hands = ordered_json::array();
    for (const tracking::Side side : {tracking::Side::left, tracking::Side::right})
        if (recording.has(side)) hands.push_back(tracking::name_of(side));
    return hands;
}

ordered_json event_json(const scenes::Scene& scene, const LoggedEvent& logged) {
    const scenes::Event& event = logged.event;
    ordered_json json = {{"frame", logged.frame},
                         {"time_s", 1e-9 * static_cast<double>(event.time_ns)},
                         {"kind", scenes::name_of(event.kind)},
                         {"hand", tracking::name_of(event.side)},
                         {"bone", bone_text(event)},
                         {"object", object_text(scene, event)},
                         {"lost", event.lost}};
    if (event.duration_ns > 0) json["duration_s"] = 1e-9 * static_cast<double>(event.duration_ns);
    if (scenes::is_begin(event.kind)) {
        json["distance_m"] = event.distance_m;
        json["point_m"] = {event.point_m.x(), event.point_m.y(), event.point_m.z()};
        json["normal"] = {event.normal.x(), event.normal.y(), event.normal.z()};
        json["speed_m_s"] = event.relative_velocity_m_s.norm();
        if (event.impulse_n_s > 0.0F) json["impulse_n_s"] = event.impulse_n_s;
    }
    return json;
}

ordered_json methods_json(const MethodRace& race) {
    ordered_json methods = ordered_json::object();
    for (const MethodRace::Entry& entry : race.entries)
        if (entry.cost.count() > 0) {
            ordered_json& method = methods[std::string(entry.method->name)] = histogram_json(entry.cost);
            method["speed"] = entry.speed();
        }
    return methods;
}

// How the frames compare with those that the log was recorded with.
std::string recorded_text(const ordered_json& recorded) {
    const auto count = recorded["compared"].get<std::uint64_t>();
    const auto different = recorded["different"].get<std::uint64_t>();
    std::string text = "recorded state hashes: ";
    if (different == 0) return text + "the same in all " + std::to_string(count) + " frames\n";
    return text + std::to_string(different) + " of " + std::to_string(count) + " frames differ, the first is frame " +
           std::to_string(recorded["first_different"].get<std::int64_t>()) + "\n";
}

}  // namespace

ordered_json histogram_json(const DurationHistogram& histogram) {
    return {{"count", histogram.count()},
            {"mean", rounded(histogram.mean_us())},
            {"p50", rounded(histogram.percentile_us(0.50))},
            {"p90", rounded(histogram.percentile_us(0.90))},
            {"p99", rounded(histogram.percentile_us(0.99))},
            {"p999", rounded(histogram.percentile_us(0.999))},
            {"max", rounded(histogram.max_us())}};
}

ordered_json machine_json() {
    const Machine machine = describe_machine();
    return {{"cpu", machine.cpu}, {"cores", machine.cores},       {"memory_mb", machine.memory_mb},
            {"os", machine.os},   {"compiler", machine.compiler}, {"build", machine.build}};
}

ordered_json report_json(const Replay& replay) {
    const recordings::Recording& recording = replay.recording;

    ordered_json report;
    report["recording"] = {{"path", recording.path},
                           {"format", recording.format},
                           {"frames", recording.samples.size()},
                           {"hands", hands_json(recording)},
                           {"duration_s", recording.duration_s()},
                           {"longest_gap_s", recording.longest_gap_s()},
                           {"rate_hz", rounded(recording.rate_hz())},
                           {"notes", recording.notes}};
    add_run(replay.scene, replay.pipeline, replay.totals, report);
    if (!recording.state_hashes.empty())
        report["recorded"] = {{"compared", replay.recorded.compared},
                              {"different", replay.recorded.different},
                              {"first_different", replay.recorded.first_different}};
    if (replay.haptics) {
        report["stages_us"]["haptics"] = histogram_json(replay.haptics->ledger().tick);
        report["haptic_loop"] = haptics_json(*replay.haptics);
    }
    return report;
}

ordered_json window_json(const WindowTimings& timings) {
    const auto ms = [](const DurationHistogram& histogram) {
        return ordered_json{{"p50", rounded(1e-3 * histogram.percentile_us(0.50))},
                            {"p99", rounded(1e-3 * histogram.percentile_us(0.99))},
                            {"max", rounded(1e-3 * histogram.max_us())}};
    };
    return {{"first_frame_ms", rounded(timings.first_frame_ms)},
            {"first_scene_ms", rounded(timings.first_scene_ms)},
            {"scenes_per_second", rounded(timings.scenes_per_second())},
            {"scenes", timings.scenes},
            {"scene_ms", ms(timings.scene)},
            {"panel_ms", ms(timings.panel)},
            {"input_ms", ms(timings.input)},
            {"tier", timings.tier},
            {"width_px", timings.width_px},
            {"height_px", timings.height_px},
            {"renderer", timings.renderer}};
}

void add_run(const scenes::Scene& scene, const Pipeline& pipeline, const ReplayTotals& totals, ordered_json& report) {
    report["scene"] = scene.name;
    report["placement"] = pipeline.settings.placement.note;
    report["method"] = pipeline.world.method->name;
    report["frames"] = totals.frames;
    for (int i = 0; i < scenes::kStageCount; ++i)
        report["stages_us"][std::string(scenes::name_of(static_cast<scenes::Stage>(i)))] =
            histogram_json(pipeline.stats.stages[static_cast<std::size_t>(i)]);
    report["counts"] = {
        {"coll", totals.counts.candidates}, {"false", totals.counts.candidates - totals.counts.touching},
        {"true", totals.counts.touching},   {"n_u", totals.counts.n_u},
        {"n_v", totals.counts.n_v},         {"n_p", totals.counts.n_p}};
    for (std::size_t i = 0; i < totals.event_counts.size(); ++i)
        report["event_counts"][std::string(scenes::name_of(static_cast<scenes::EventKind>(i)))] =
            totals.event_counts[i];
    report["event_counts"]["suppressed"] = pipeline.world.suppressed_events;
    report["events"] = ordered_json::array();
    for (const LoggedEvent& logged : totals.events) report["events"].push_back(event_json(scene, logged));
    for (int i = 0; i < tracking::kQuarantineCount; ++i) {
        const auto cause = static_cast<std::size_t>(i);
        report["quarantine"][std::string(tracking::name_of(static_cast<tracking::Quarantine>(i)))] =
            pipeline.guards[0].counts[cause] + pipeline.guards[1].counts[cause];
    }
    report["methods_us"] = methods_json(pipeline.race);
    report["advice"] = advice(pipeline.race, *pipeline.world.method);
    report["state_hash"] = hex(totals.state_hash);
    report["peak_memory_kb"] = peak_memory_kb();
    report["machine"] = machine_json();
    report["version"] = kVersion;
}

std::string report_text(const ordered_json& report) {
    std::string text;
    std::array<char, 256> line{};
    const auto print = [&](const char* format, auto... values) {
        std::snprintf(line.data(), line.size(), format, values...);
        text += line.data();
    };
    const auto& recording = report["recording"];
    std::string hands;
    for (const auto& hand : recording["hands"]) hands += (hands.empty() ? "" : " and ") + hand.get<std::string>();
    if (hands.empty()) hands = "no";
    print("%s  (%s, %s hand, %.1f s, %.1f Hz, longest gap %.0f ms)\n", recording["path"].get<std::string>().c_str(),
          recording["format"].get<std::string>().c_str(), hands.c_str(), recording["duration_s"].get<double>(),
          recording["rate_hz"].get<double>(), 1e3 * recording["longest_gap_s"].get<double>());
    for (const auto& note : recording["notes"]) text += "  " + note.get<std::string>() + "\n";
    text += "scene " + report["scene"].get<std::string>() + ": " + report["placement"].get<std::string>() + "\n";
    print("method %s, %llu frames\n\n", report["method"].get<std::string>().c_str(),
          static_cast<unsigned long long>(report["frames"].get<std::uint64_t>()));

    print("%-8s %10s %10s %10s %10s %10s %10s   us\n", "stage", "mean", "p50", "p90", "p99", "p99.9", "max");
    for (const auto& [name, stage] : report["stages_us"].items()) {
        if (stage["count"] == 0) continue;
        print("%-8s %10.2f %10.2f %10.2f %10.2f %10.2f %10.2f\n", name.c_str(), stage["mean"].get<double>(),
              stage["p50"].get<double>(), stage["p90"].get<double>(), stage["p99"].get<double>(),
              stage["p999"].get<double>(), stage["max"].get<double>());
    }
    text += '\n';
    for (const char* group : {"counts", "event_counts", "quarantine"}) {
        text += group;
        for (const auto& [name, value] : report[group].items()) text += "  " + name + " " + value.dump();
        text += '\n';
    }
    if (report.contains("haptic_loop")) text += haptics_text(report["haptic_loop"]);
    if (const auto advice = report["advice"].get<std::string>(); !advice.empty()) text += advice + "\n";
    if (report.contains("window")) {
        const auto& window = report["window"];
        print("window %dx%d, quality tier %d, %s\n", window["width_px"].get<int>(), window["height_px"].get<int>(),
              window["tier"].get<int>(), window["renderer"].get<std::string>().c_str());
        print("  first picture %.0f ms after the start, hand and scene at %.0f ms, then %.1f a second\n",
              window["first_frame_ms"].get<double>(), window["first_scene_ms"].get<double>(),
              window["scenes_per_second"].get<double>());
        print("  scene %.1f ms, panel %.1f ms; mouse and keys are looked at every %.0f ms or sooner\n",
              window["scene_ms"]["p50"].get<double>(), window["panel_ms"]["p50"].get<double>(),
              window["input_ms"]["p99"].get<double>());
    }
    text += "state hash " + report["state_hash"].get<std::string>() + "\n";
    if (report.contains("recorded")) text += recorded_text(report["recorded"]);
    return text;
}

void draw_ledger(const Replay& replay, const std::filesystem::path& path) {
    draw_ledgers({{std::filesystem::path(replay.recording.path).filename().string() + " in " + replay.scene.name,
                   replay.haptics->scheduling(), &replay.haptics->ledger(), nullptr}},
                 path);
}

void write_whole(const std::filesystem::path& path, const std::string& text) {
    std::filesystem::path beside = path;
    beside += ".part";
    std::ofstream out(beside, std::ios::binary | std::ios::trunc);
    out << text;
    out.close();
    std::error_code error;
    if (out) std::filesystem::rename(beside, path, error);
    if (!out || error) {
        std::filesystem::remove(beside, error);
        throw std::runtime_error("cannot write " + path.string() + ": check that the folder exists and has room");
    }
}

namespace {

// "total.p99_us" is short for stages_us.total.p99; everything else is a path through the report.
const ordered_json* find_value(const std::string& path, const ordered_json& report) {
    const ordered_json* node = &report;
    std::string rest = path;
    const auto dot = path.find('.');
    if (dot != std::string::npos && report["stages_us"].contains(path.substr(0, dot))) {
        node = &report["stages_us"];
        if (rest.size() > 3 && rest.compare(rest.size() - 3, 3, "_us") == 0) rest.resize(rest.size() - 3);
    }
    while (!rest.empty()) {
        const auto end = rest.find('.');
        const std::string key = rest.substr(0, end);
        if (!node->is_object() || !node->contains(key)) return nullptr;
        node = &(*node)[key];
        rest = end == std::string::npos ? "" : rest.substr(end + 1);
    }
    return node;
}

}  // namespace

bool holds(const std::string& expression, const ordered_json& report) {
    const auto at = expression.find_first_of("<>=!");
    if (at == std::string::npos)
        throw std::invalid_argument("'" + expression + "' has no comparison: write total.p99_us>500");
    const std::string op = expression.substr(at, expression[at + 1] == '=' ? 2 : 1);
    const std::string path = expression.substr(0, expression.find_last_not_of(' ', at - 1) + 1);
    const ordered_json* value = find_value(path, report);
    if (value == nullptr || !value->is_number())
        throw std::invalid_argument("'" + path +
                                    "' is no number of the report: try total.p99_us, counts.true, quarantine.lost");
    std::size_t read = 0;
    double limit = 0.0;
    try {
        limit = std::stod(expression.substr(at + op.size()), &read);
    } catch (const std::exception&) {
    }
    if (read == 0) throw std::invalid_argument("'" + expression + "' has no number after " + op);

    const double found = value->get<double>();
    if (op == "<") return found < limit;
    if (op == "<=") return found <= limit;
    if (op == ">") return found > limit;
    if (op == ">=") return found >= limit;
    if (op == "==") return found == limit;
    if (op == "!=") return found != limit;
    throw std::invalid_argument("'" + op + "' is no comparison: one of < <= > >= == !=");
}

bool any_holds(std::span<const std::string> expressions, const ordered_json& report) {
    bool any = false;
    for (const std::string& expression : expressions) {
        if (!holds(expression, report)) continue;
        std::fprintf(stderr, "glovebox: --fail-if \"%s\" holds\n", expression.c_str());
        any = true;
    }
    return any;
}

}  // namespace glovebox::vr
