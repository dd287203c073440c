#include "vr/export/compare.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <map>
#include <set>

#include "tracking/formatted.h"

namespace glovebox::vr {
namespace {

using nlohmann::ordered_json;
using tracking::formatted;

// Ignored keys: conditions and details of a run rather than results.
const std::set<std::string, std::less<>> kLeftOut = {
    "machine", "version", "notes",   "peak_memory_kb", "methods_us", "advice", "window",
    "path",    "source",  "costs",   "haptic_loop",    "touch_list", "events", "why_no_touch",
    "claims",  "race",    "headset", "check",          "placement"};

// Statistics of a histogram that are compared; the maximum is one frame and says more about the machine.
constexpr std::array<std::string_view, 4> kJudged = {"mean", "p50", "p90", "p99"};

bool ends_with_time(std::string_view key) {
    return key.ends_with("_us") || key.ends_with("_ms") || key.ends_with("_ns");
}

std::string text_of(const ordered_json& value) {
    if (value.is_number_float()) {
        return formatted("%.6g", value.get<double>());
    }
    return value.is_string() ? value.get<std::string>()
                             : value.dump(-1, ' ', false, ordered_json::error_handler_t::replace);
}

// Returns the name of a list entry: from its own fields, else its number.
std::string name_of(const ordered_json& entry, std::size_t number) {
    if (!entry.is_object()) return std::to_string(number);
    if (entry.contains("finger") && entry.contains("object"))
        return text_of(entry["hand"]) + " " + text_of(entry["finger"]) + " on " + text_of(entry["object"]);
    for (const auto& [key, value] : entry.items())
        if (value.is_string()) return value.get<std::string>() + " #" + std::to_string(number);
    return std::to_string(number);
}

struct Leaf {
    ordered_json value;
    bool timing = false;
    std::uint64_t count = 0;  // of the timing's histogram; 0: no histogram
};
using Leaves = std::vector<std::pair<std::string, Leaf>>;

void gather(const std::string& path, const ordered_json& node, bool timing, std::uint64_t count, Leaves& out) {
    constexpr std::size_t kMaxLeaves = 200'000;
    if (out.size() > kMaxLeaves) return;
    if (node.is_object()) {
        const bool histogram = timing && node.contains("count") && node["count"].is_number_unsigned();
        for (const auto& [key, value] : node.items()) {
            if (kLeftOut.contains(key)) continue;
            const std::string below = path.empty() ? key : path + "." + key;
            if (histogram && key == "count") {
                gather(below, value, false, 0, out);
            } else if (histogram) {
                if (std::ranges::find(kJudged, key) != kJudged.end())
                    gather(below, value, true, node["count"].get<std::uint64_t>(), out);
            } else {
                gather(below, value, timing || ends_with_time(key), count, out);
            }
        }
    } else if (node.is_array()) {
        std::map<std::string, int> seen;
        for (std::size_t i = 0; i < node.size(); ++i)
            gather(path + "[" + name_of(node[i], i) + "]", node[i], timing, count, out);
    } else if (!node.is_null()) {
        out.push_back({path, {node, timing && node.is_number(), count}});
    }
}

// A number that was written and read again may differ in its last digits.
bool same(const ordered_json& a, const ordered_json& b) {
    if (a == b) return true;
    if (!a.is_number() || !b.is_number()) return false;
    const double x = a.get<double>(), y = b.get<double>();
    return std::abs(x - y) <= 1e-9 * std::max(std::abs(x), std::abs(y));
}

std::string word_of(const ordered_json& node, const char* key) {
    const auto found = node.find(key);
    return found != node.end() && found->is_string() ? found->get<std::string>() : std::string();
}

// Returns the name of the recording's file: where it lies is of no interest.
std::string recording_of(const ordered_json& report) {
    const auto found = report.find("recording");
    if (found == report.end() || !found->is_object()) return {};
    return std::filesystem::path(word_of(*found, "path")).filename().string();
}

}  // namespace

bool Comparison::holds() const {
    return std::ranges::none_of(differences, &Difference::beyond);
}

Comparison compare_reports(const ordered_json& a, const ordered_json& b, double tolerance, std::uint64_t min_count) {
    Leaves of_a, of_b;
    gather({}, a, false, 0, of_a);
    gather({}, b, false, 0, of_b);
    std::map<std::string, const Leaf*> in_b;
    for (const auto& [key, leaf] : of_b) in_b[key] = &leaf;
    Comparison comparison;
    const auto note_unlike = [&](const char* what, const std::string& of_one, const std::string& of_other) {
        if (of_one != of_other) comparison.unlike.push_back(std::string(what) + ": " + of_one + ", " + of_other);
    };
    note_unlike("recording", recording_of(a), recording_of(b));
    for (const char* what : {"scene", "method"}) note_unlike(what, word_of(a, what), word_of(b, what));
    for (const auto& [key, leaf] : of_a) {
        const auto other = in_b.find(key);
        if (other == in_b.end()) {
            comparison.differences.push_back({key, text_of(leaf.value), "-", 0.0, !leaf.timing});
            continue;
        }
        if (leaf.timing && other->second->timing) {
            const double before = leaf.value.get<double>(), now = other->second->value.get<double>();
            const bool judged = leaf.count == 0 || std::min(leaf.count, other->second->count) >= min_count;
            const double ratio = before > 0.0 ? now / before : now > 0.0 ? INFINITY : 1.0;
            comparison.differences.push_back(
                {key, text_of(leaf.value), text_of(other->second->value), ratio, judged && ratio > 1.0 + tolerance});
        } else if (!same(leaf.value, other->second->value)) {
            comparison.differences.push_back({key, text_of(leaf.value), text_of(other->second->value), 0.0, true});
        }
        in_b.erase(other);
    }
    for (const auto& [key, leaf] : of_b)
        if (in_b.contains(key)) comparison.differences.push_back({key, "-", text_of(leaf.value), 0.0, !leaf.timing});
    std::ranges::stable_sort(comparison.differences, std::greater<>(), &Difference::beyond);
    return comparison;
}

std::string comparison_text(const Comparison& comparison, double tolerance) {
    std::string text;
    std::size_t differ = 0, timed = 0, slower = 0;
    for (const Difference& each : comparison.differences) {
        const bool is_timing = each.ratio > 0.0;
        timed += is_timing ? 1 : 0;
        slower += is_timing && each.beyond ? 1 : 0;
        differ += !is_timing && each.beyond ? 1 : 0;
        text += formatted("%s %-40s %12s %12s",
                          !each.beyond ? "       "
                          : is_timing  ? "SLOWER "
                                       : "DIFFERS",
                          each.key.c_str(), each.a.c_str(), each.b.c_str());
        text += is_timing ? formatted("   %.3fx\n", each.ratio) : "\n";
    }
    for (const std::string& each : comparison.unlike) text += "the reports differ in their " + each + "\n";
    return text + formatted("%zu counts and hashes differ; %zu of %zu timings are slower by more than %g %%\n", differ,
                            slower, timed, 100.0 * tolerance);
}

ordered_json comparison_json(const Comparison& comparison, double tolerance) {
    ordered_json json = {{"holds", comparison.holds()}, {"tolerance", tolerance}, {"unlike", comparison.unlike}};
    json["differences"] = ordered_json::array();
    for (const Difference& each : comparison.differences) {
        ordered_json row = {{"key", each.key}, {"a", each.a}, {"b", each.b}, {"beyond", each.beyond}};
        if (each.ratio > 0.0 && std::isfinite(each.ratio)) row["ratio"] = each.ratio;
        json["differences"].push_back(std::move(row));
    }
    return json;
}

}  // namespace glovebox::vr
