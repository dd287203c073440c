#include "vr/session/report.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <stdexcept>

#include "recordings/output.h"
#include "recordings/parse.h"
#include "tracking/formatted.h"
#include "tracking/quoted.h"
#include "vr/haptics/ledger_figure.h"
#include "vr/haptics/report.h"
#include "vr/platform/platform.h"
#include "vr/platform/version.h"
#include "vr/session/count_rows.h"
#include "vr/session/file_hash.h"
#include "vr/session/prices.h"
#include "vr/session/touch_list.h"

namespace glovebox::vr {
namespace {

using nlohmann::ordered_json;
using tracking::formatted;

// Rounds times, which are in microseconds, to nanoseconds.
double rounded(double value) {
    return std::round(value * 1000.0) / 1000.0;
}

ordered_json event_json(const scenes::Scene& scene, const LoggedEvent& logged) {
    const scenes::Event& event = logged.event;
    ordered_json json = {{"frame", logged.frame},
                         {"time_s", 1e-9 * static_cast<double>(event.time_ns)},
                         {"kind", scenes::name_of(event.kind)},
                         {"hand", tracking::name_of(event.side)},
                         {"bone", bone_text(event.bone)},
                         {"object", object_text(scene, event.object)},
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
            const FrameSpeed speed = race.speed_of(entry);
            method["frame_speed"] = {
                {"median", rounded(speed.median)}, {"low", rounded(speed.low)}, {"mean", rounded(speed.mean)}};
        }
    return methods;
}

ordered_json source_json(const Session& session) {
    const tracking::SourceFacts& facts = session.facts();
    const tracking::SourceStatus& status = session.source->status();
    ordered_json source = {{"kind", facts.kind}, {"device", facts.device}, {"state", tracking::name_of(status.state)}};
    for (const tracking::SourceCounter& counter : status.counters) source[std::string(counter.name)] = counter.count;
    return source;
}

// Returns the unit costs of these frames, the cost formula's result, and the difference between the two.
ordered_json costs_json(const Session& session) {
    const Pipeline& pipeline = session.pipeline;
    const collision::CollideCounts& counts = session.totals.counts;
    const auto frames = static_cast<double>(std::max<std::uint64_t>(1, session.totals.frames));
    const auto mean_us = [&](scenes::Stage stage) {
        return pipeline.stats.stages[static_cast<std::size_t>(stage)].mean_us();
    };
    const auto each_ns = [&](scenes::Stage stage, std::int64_t count) {
        return count == 0 ? 0.0 : rounded(1e3 * frames * mean_us(stage) / static_cast<double>(count));
    };
    const Prices prices = measure_prices(*pipeline.world.method, session.clock());
    const auto price_json = [](const Price& price) -> ordered_json {
        return {{"mean", rounded(price.ns)}, {"p10", rounded(price.low_ns)}, {"p90", rounded(price.high_ns)}};
    };
    const PricedFrame sum = priced(counts, prices);
    const double measured_us =
        mean_us(scenes::Stage::refit) + mean_us(scenes::Stage::test) + mean_us(scenes::Stage::exact);
    return {{"measured_ns",
             {{"c_u", each_ns(scenes::Stage::refit, counts.n_u)},
              {"c_v", each_ns(scenes::Stage::test, counts.n_v)},
              {"c_p", each_ns(scenes::Stage::exact, counts.n_p)}}},
            {"prices_ns",
             {{"c_u", price_json(prices.box_refitted)},
              {"c_v_object", price_json(prices.object_box_test)},
              {"c_v_tree", price_json(prices.tree_box_test)},
              {"c_p", price_json(prices.exact_test)}}},
            {"sum_us", rounded(sum.sum_us() / frames)},
            {"sum_p10_us", rounded(sum.low_us / frames)},
            {"sum_p90_us", rounded(sum.high_us / frames)},
            {"measured_us", rounded(measured_us)},
            {"sum_over_measured", measured_us > 0.0 ? rounded(sum.sum_us() / frames / measured_us) : 0.0}};
}

// Compares the frames' state hashes with those in the log.
std::string recorded_text(const ordered_json& recorded) {
    const auto count = recorded["compared"].get<std::uint64_t>();
    const auto different = recorded["different"].get<std::uint64_t>();
    if (count == 0) return {};
    const std::string text = "recorded state hashes: ";
    if (different == 0)
        return text + "the same in " + (count > 1 ? "all " : "") + recordings::counted(count, "frame") + "\n";
    return text + std::to_string(different) + " of " + recordings::counted(count, "frame") +
           (different == 1 ? " differs" : " differ") + ", the first is frame " +
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

ordered_json report_json(const Session& session) {
    const tracking::SourceFacts& facts = session.facts();
    ordered_json hands = ordered_json::array();
    for (const tracking::Side side : {tracking::Side::left, tracking::Side::right})
        if (facts.has[side]) hands.push_back(tracking::name_of(side));

    ordered_json report;
    const bool recorded = session.file != nullptr;
    report["recording"] = {
        {"path", facts.name},
        {"format", facts.format},
        {"frames", recorded ? session.recording().samples.size() : session.totals.frames},
        {"hands", std::move(hands)},
        {"duration_s", recorded ? session.recording().duration_s() : session.totals.duration_s},
        {"longest_gap_s", recorded ? session.recording().longest_gap_s() : session.totals.longest_gap_s},
        {"rate_hz", rounded(recorded || facts.rate_hz > 0.0 || session.totals.duration_s <= 0.0
                                ? facts.rate_hz
                                : static_cast<double>(session.totals.frames - 1) / session.totals.duration_s)},
        {"notes", session.notes}};
    report["source"] = source_json(session);
    add_run(session, report);
    if (recorded && !session.recording().state_hashes.empty())
        report["recorded"] = {{"compared", session.recorded.compared},
                              {"different", session.recorded.different},
                              {"first_different", session.recorded.first_different}};
    if (session.haptics) {
        report["stages_us"]["haptics"] = ticks_json(session.haptics->ledger());
        report["haptic_loop"] = haptics_json(*session.haptics);
    }
    return report;
}

void add_run(const Session& session, ordered_json& report) {
    const scenes::Scene& scene = session.scene;
    const Pipeline& pipeline = session.pipeline;
    const SessionTotals& totals = session.totals;
    report["scene"] = scene.name;
    report["placement"] = pipeline.settings.placement.note;
    report["method"] = pipeline.world.method->name;
    report["frames"] = totals.frames;
    for (int i = 0; i < scenes::kStageCount; ++i)
        report["stages_us"][std::string(scenes::name_of(static_cast<scenes::Stage>(i)))] =
            histogram_json(pipeline.stats.stages[static_cast<std::size_t>(i)]);
    if (session.race.time.count() > 0) report["stages_us"]["race"] = histogram_json(session.race.time);
    report["touches"] = session.touches.json(scene);
    report["touch_list"] = session.touches.list_json(scene);
    if (report["touches"].empty() && session.file != nullptr) {
        std::vector<std::string> objects;
        for (const scenes::SceneObject& object : scene.objects) objects.push_back(object.name);
        report["why_no_touch"] =
            why_no_touch(nearest_approach(session), objects, double{scene.thresholds.touch_enter_m});
    }
    for (const CountRow& row : kCountRows) report["counts"][std::string(row.key)] = row.of(totals.counts);
    for (const CountRow& row : kCountRows) report["count_names"][std::string(row.key)] = row.name;
    report["costs"] = costs_json(session);
    for (std::size_t i = 0; i < totals.event_counts.size(); ++i)
        report["event_counts"][std::string(scenes::name_of(static_cast<scenes::EventKind>(i)))] =
            totals.event_counts[i];
    report["event_counts"]["suppressed"] = totals.suppressed_events;
    report["events"] = ordered_json::array();
    for (const LoggedEvent& logged : totals.events) report["events"].push_back(event_json(scene, logged));
    for (int i = 0; i < tracking::kQuarantineCount; ++i) {
        const auto cause = static_cast<std::size_t>(i);
        report["quarantine"][std::string(tracking::name_of(static_cast<tracking::Quarantine>(i)))] =
            pipeline.guards[0].counts[cause] + pipeline.guards[1].counts[cause];
    }
    report["methods_us"] = methods_json(session.race);
    report["advice"] = session.race.advice();
    report["state_hash"] = hex(totals.state_hash);
    report["peak_memory_kb"] = peak_memory_kb();
    report["machine"] = machine_json();
    report["version"] = kVersion;
}

namespace {

std::string length_text(double duration_s) {
    return duration_s < 0.1 ? formatted("%.1f ms", 1e3 * duration_s) : formatted("%.1f s", duration_s);
}

std::string head_text(const ordered_json& report) {
    const auto& recording = report["recording"];
    std::string hands;
    for (const auto& hand : recording["hands"]) hands += (hands.empty() ? "" : " and ") + hand.get<std::string>();
    if (hands.empty()) hands = "no";
    std::string text = recording["path"].get<std::string>() + "  (" + recording["format"].get<std::string>() + ", " +
                       hands + " hand, ";
    if (recording["frames"] == 0)
        text += "no samples)\n";
    else if (recording["frames"] == 1)
        text += "one pose)\n";
    else
        text += length_text(recording["duration_s"].get<double>()) +
                formatted(", %.1f Hz, longest gap %.0f ms)\n", recording["rate_hz"].get<double>(),
                          1e3 * recording["longest_gap_s"].get<double>());
    for (const auto& note : recording["notes"]) text += "  " + note.get<std::string>() + "\n";
    text += "scene " + report["scene"].get<std::string>() + ": " + report["placement"].get<std::string>() + "\n";
    return text + formatted("refit method %s, %s\n\n", report["method"].get<std::string>().c_str(),
                            recordings::counted(report["frames"].get<std::uint64_t>(), "frame").c_str());
}

// Returns "left index on ball"; the side is named only if there are two.
std::string subject_text(const ordered_json& row, bool two_hands) {
    return (two_hands ? row["hand"].get<std::string>() + " " : std::string()) + row["finger"].get<std::string>() +
           " on " + tracking::printable(row["object"].get<std::string>());
}

// Lists the longest touches in chronological order, then totals.
std::string touches_text(const ordered_json& report) {
    constexpr std::size_t kMaxShown = 12;
    const ordered_json& sums = report["touches"];
    if (sums.empty())
        return "touched nothing" +
               (report.contains("why_no_touch") ? ". " + report["why_no_touch"].get<std::string>() : "") + "\n\n";
    const bool two_hands = report["recording"]["hands"].size() > 1;
    const auto lasts_s = [](const ordered_json* row) {
        return (*row)["end_s"].get<double>() - (*row)["begin_s"].get<double>();
    };
    std::vector<const ordered_json*> rows;
    for (const ordered_json& row : report["touch_list"]) rows.push_back(&row);
    const std::size_t all = rows.size();
    std::ranges::stable_sort(rows, std::greater<>(), lasts_s);
    rows.resize(std::min(all, kMaxShown));
    std::ranges::stable_sort(rows, {}, [](const ordered_json* row) { return (*row)["begin_s"].get<double>(); });
    std::size_t width = 0;
    for (const ordered_json& sum : sums) width = std::max(width, subject_text(sum, two_hands).size());
    width = std::min<std::size_t>(width, 48);
    std::string text =
        all > kMaxShown ? formatted("touched: the %zu longest of %zu (all of them: glovebox touches)\n", kMaxShown, all)
                        : std::string("touched\n");
    for (const ordered_json* row : rows)
        text += formatted("  %8.3f s to %8.3f s  ", (*row)["begin_s"].get<double>(), (*row)["end_s"].get<double>()) +
                formatted("%-*s", static_cast<int>(width), subject_text(*row, two_hands).c_str()) +
                formatted("  %6.3f s, %4.1f mm deep%s\n", lasts_s(row), 1e3 * (*row)["deepest_m"].get<double>(),
                          (*row)["ended"] == "lost" ? ", until tracking was lost" : "");
    text += "total\n";
    for (const ordered_json& sum : sums)
        text +=
            formatted("  %-*s", static_cast<int>(width), subject_text(sum, two_hands).c_str()) +
            formatted("  %4llu x, %.3f s, longest %.3f s, deepest %.1f mm\n",
                      static_cast<unsigned long long>(sum["count"].get<std::uint64_t>()), sum["total_s"].get<double>(),
                      sum["longest_s"].get<double>(), 1e3 * sum["deepest_m"].get<double>());
    return text + "\n";
}

std::string duration_text(double us) {
    return us < 1000.0 ? formatted(us < 10.0 ? "%.1f us" : "%.0f us", us) : formatted("%.1f ms", 1e-3 * us);
}

std::string costs_text(const ordered_json& report) {
    const ordered_json& stages = report["stages_us"];
    const ordered_json& total = stages["total"];
    if (total["count"] == 0) return {};
    const auto us = [&](const char* key) { return duration_text(total[key].get<double>()); };
    std::string dearest;
    double largest_us = 0.0;
    for (const auto& [name, stage] : stages.items()) {
        if (name == "total" || name == "race" || name == "haptics" || stage["mean"].get<double>() <= largest_us)
            continue;
        largest_us = stage["mean"].get<double>();
        dearest = name;
    }
    // The window begins the histograms again when the method changes; counts and touches are those of all frames.
    const auto timed = total["count"].get<std::uint64_t>();
    const std::string since = timed < report["frames"].get<std::uint64_t>()
                                  ? " in the " + recordings::counted(timed, "frame") + " since " +
                                        report["method"].get<std::string>() + " was chosen"
                                  : "";
    std::string text = "time per frame" + since + ": median " + us("p50") + ", 99th percentile " + us("p99") +
                       ", maximum " + us("max");
    if (const double rate_hz = report["recording"]["rate_hz"].get<double>(); rate_hz > 0.0)
        text += "; samples come every " + duration_text(1e6 / rate_hz);
    text += formatted("\nthe longest stage is %s, %.0f %% of the time; ", dearest.c_str(),
                      100.0 * largest_us / std::max(1e-9, total["mean"].get<double>()));
    const ordered_json& counts = report["counts"];
    const auto count = [&](const char* key) { return counts[key].get<unsigned long long>(); };
    text += formatted("%llu boxes refitted, %s (%llu against mesh trees),\n", count("n_u"),
                      recordings::counted(count("n_v"), "box test").c_str(), count("n_v_tree"));
    text += formatted("%s (%llu of them touching), %s\n", recordings::counted(count("coll"), "candidate pair").c_str(),
                      count("true"), recordings::counted(count("n_p"), "exact test").c_str());
    std::string held;
    for (const auto& [name, value] : report["quarantine"].items())
        if (value != 0) held += (held.empty() ? "" : ", ") + value.dump() + " " + name;
    if (!held.empty()) text += "samples held back by the guard: " + held + "\n";
    return text;
}

// Lists the counts with both names, their unit costs, and the predicted unit costs.
std::string counts_text(const ordered_json& report) {
    const double frames = std::max(1.0, report["frames"].get<double>());
    std::string text = formatted("%-30s %-10s %12s %12s\n", "count", "key", "all", "a frame");
    for (const auto& [key, value] : report["counts"].items())
        text += formatted("%-30s %-10s ", report["count_names"][key].get<std::string>().c_str(), key.c_str()) +
                formatted("%12lld %12.2f\n", value.get<long long>(), value.get<double>() / frames);
    const ordered_json& costs = report["costs"];
    text += formatted("\n%-30s %-10s %12s %12s\n", "cost of one", "key", "here, ns", "price, ns (p10 to p90)");
    const auto row = [&](const char* name, const char* key) {
        const ordered_json& prices = costs["prices_ns"];
        const bool here = costs["measured_ns"].contains(key) && costs["measured_ns"][key] > 0.0;
        text += formatted("%-30s %-10s ", name, key) +
                (here ? formatted("%12.1f", costs["measured_ns"][key].get<double>()) : std::string(12, ' '));
        if (prices.contains(key))
            text += formatted(" %12.1f (%.1f to %.1f)", prices[key]["mean"].get<double>(),
                              prices[key]["p10"].get<double>(), prices[key]["p90"].get<double>());
        text += '\n';
    };
    row("box refitted", "c_u");
    row("box test", "c_v");
    row("box test against an object", "c_v_object");
    row("box test against a tree", "c_v_tree");
    row("exact test", "c_p");
    return text + formatted("counts times prices: %.2f us a frame (%.2f to %.2f); measured: %.2f us\n",
                            costs["sum_us"].get<double>(), costs["sum_p10_us"].get<double>(),
                            costs["sum_p90_us"].get<double>(), costs["measured_us"].get<double>());
}

std::string stages_text(const ordered_json& report) {
    std::string text =
        formatted("\n%-8s %10s %10s %10s %10s %10s %10s   us\n", "stage", "mean", "p50", "p90", "p99", "p99.9", "max");
    for (const auto& [name, stage] : report["stages_us"].items()) {
        if (stage["count"] == 0) continue;
        text += formatted("%-8s %10.2f %10.2f %10.2f %10.2f %10.2f %10.2f\n", name.c_str(), stage["mean"].get<double>(),
                          stage["p50"].get<double>(), stage["p90"].get<double>(), stage["p99"].get<double>(),
                          stage["p999"].get<double>(), stage["max"].get<double>());
    }
    text += '\n' + counts_text(report) + '\n';
    for (const char* group : {"event_counts", "quarantine"}) {
        text += group;
        for (const auto& [name, value] : report[group].items()) text += "  " + name + " " + value.dump();
        text += '\n';
    }
    return text;
}

}  // namespace

std::string report_text(const ordered_json& report, bool verbose) {
    std::string text = head_text(report) + touches_text(report) + costs_text(report);
    if (verbose) text += stages_text(report);
    if (report.contains("haptic_loop")) text += haptics_text(report["haptic_loop"]);
    if (const auto advice = report["advice"].get<std::string>(); !advice.empty()) text += advice + "\n";
    if (report.contains("window")) {
        const auto& window = report["window"];
        text += formatted("window %dx%d, quality tier %d, %s\n", window["width_px"].get<int>(),
                          window["height_px"].get<int>(), window["tier"].get<int>(),
                          window["renderer"].get<std::string>().c_str());
        text += formatted("  first picture %.0f ms after the start, hand and scene at %.0f ms, then %.1f a second\n",
                          window["first_frame_ms"].get<double>(), window["first_scene_ms"].get<double>(),
                          window["scenes_per_second"].get<double>());
        text += formatted("  scene %.1f ms, panel %.1f ms; input latency at most %.0f ms\n",
                          window["scene_ms"]["p50"].get<double>(), window["panel_ms"]["p50"].get<double>(),
                          window["input_ms"]["p99"].get<double>());
    }
    text += "state hash " + report["state_hash"].get<std::string>() + "\n";
    if (report.contains("recorded")) text += recorded_text(report["recorded"]);
    return tracking::printable_lines(text);
}

void draw_ledger(const Session& session, const std::filesystem::path& path) {
    draw_ledgers({{std::filesystem::path(session.facts().name).filename().string() + " in " + session.scene.name,
                   session.haptics->scheduling(), &session.haptics->ledger(), nullptr}},
                 path);
}

void write_whole(const std::filesystem::path& path, const std::string& text) {
    recordings::Output out(path);
    out.write(text);
    out.commit();
}

void write_json(const std::filesystem::path& path, const ordered_json& json) {
    write_whole(path, text_of(json, 2) + "\n");
}

std::string text_of(const ordered_json& json, int indent) {
    return json.dump(indent, ' ', false, ordered_json::error_handler_t::replace);
}

namespace {

struct Comparison {
    std::string_view sign;
    bool (*holds)(double found, double limit);
};
constexpr std::array kComparisons = {Comparison{"<=", [](double found, double limit) { return found <= limit; }},
                                     Comparison{">=", [](double found, double limit) { return found >= limit; }},
                                     Comparison{"==", [](double found, double limit) { return found == limit; }},
                                     Comparison{"!=", [](double found, double limit) { return found != limit; }},
                                     Comparison{"<", [](double found, double limit) { return found < limit; }},
                                     Comparison{">", [](double found, double limit) { return found > limit; }}};

struct Condition {
    std::string path;
    const Comparison* comparison = nullptr;
    double limit = 0.0;
};

std::string_view without_spaces(std::string_view text) {
    while (text.starts_with(' ')) text.remove_prefix(1);
    while (text.ends_with(' ')) text.remove_suffix(1);
    return text;
}

// Parses PATH, comparison and number, and nothing else: unknown text might have had a meaning.
Condition parse_condition(const std::string& expression) {
    const auto refuse = [&expression](const std::string& reason) {
        throw std::invalid_argument("'" + expression + "' " + reason + ": write one such as total.p99_us>500");
    };
    const std::size_t at = std::min(expression.find_first_of("<>=!"), expression.size());
    std::string_view rest = std::string_view(expression).substr(at);
    Condition condition;
    condition.path = without_spaces(std::string_view(expression).substr(0, at));
    for (const Comparison& row : kComparisons)
        if (condition.comparison == nullptr && rest.starts_with(row.sign)) condition.comparison = &row;
    if (condition.comparison == nullptr) refuse("has no comparison (< <= > >= == !=)");
    if (condition.path.empty()) refuse("names no number of the report");
    rest = without_spaces(rest.substr(condition.comparison->sign.size()));
    const auto [end, error] = std::from_chars(rest.data(), rest.data() + rest.size(), condition.limit);
    if (error != std::errc() || end != rest.data() + rest.size() || !std::isfinite(condition.limit))
        refuse("has to end in one finite number, not '" + std::string(rest) + "'");
    return condition;
}

std::string keys_of(const ordered_json& node) {
    std::string keys;
    for (const auto& [key, value] : node.items())
        if (value.is_number() || value.is_object()) keys += (keys.empty() ? "" : ", ") + key;
    return keys;
}

// Finds a number: "total.p99_us" is short for stages_us.total.p99; everything else is a path through the report.
double find_number(const std::string& path, const ordered_json& report) {
    const ordered_json* node = &report;
    std::string rest = path, found;
    const auto dot = path.find('.');
    if (dot != std::string::npos && report.contains("stages_us") && report["stages_us"].contains(path.substr(0, dot))) {
        node = &report["stages_us"];
        if (rest.ends_with("_us")) rest.resize(rest.size() - 3);
    }
    while (!rest.empty() && node->is_object()) {
        const auto end = rest.find('.');
        const std::string key = rest.substr(0, end);
        if (!node->contains(key)) break;
        node = &(*node)[key];
        found += (found.empty() ? "" : ".") + key;
        rest = end == std::string::npos ? "" : rest.substr(end + 1);
    }
    if (rest.empty() && node->is_number()) return node->get<double>();
    const std::string what = "'" + path + "' is no number of the report: ";
    if (path.starts_with("window.") && !report.contains("window"))
        throw std::invalid_argument(what + "only a replay in a window has it");
    if (!node->is_object()) throw std::invalid_argument(what + found + " is " + node->dump().substr(0, 40));
    throw std::invalid_argument(what + (found.empty() ? "it" : found) + " has " + keys_of(*node));
}

}  // namespace

std::string check_condition(const std::string& expression) {
    try {
        parse_condition(expression);
        return {};
    } catch (const std::invalid_argument& error) {
        return error.what();
    }
}

bool holds(const std::string& expression, const ordered_json& report) {
    const Condition condition = parse_condition(expression);
    return condition.comparison->holds(find_number(condition.path, report), condition.limit);
}

FailIfOutcome evaluate(std::span<const std::string> expressions, const ordered_json& report) {
    FailIfOutcome outcome;
    for (const std::string& expression : expressions) {
        try {
            if (!holds(expression, report)) continue;
            outcome.any_holds = true;
            std::fprintf(stderr, "glovebox: --fail-if \"%s\" holds\n", expression.c_str());
        } catch (const std::invalid_argument& error) {
            outcome.any_unknown = true;
            std::fprintf(stderr, "glovebox: --fail-if %s\n", error.what());
        }
    }
    return outcome;
}

}  // namespace glovebox::vr
