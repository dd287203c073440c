#include "recordings/log/application_facts.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>

#include "recordings/parse.h"
#include "tracking/formatted.h"
#include "tracking/quoted.h"

namespace glovebox::recordings {
namespace {

using tracking::formatted;

double seconds(std::int64_t time_ns) {
    return 1e-9 * static_cast<double>(time_ns);
}

// Computes percentiles by the nearest-rank method.
Percentiles percentiles_of(std::vector<double> values) {
    if (values.empty()) return {};
    std::ranges::sort(values);
    const auto at = [&values](double share) {
        const auto rank = static_cast<std::size_t>(std::ceil(share * static_cast<double>(values.size())));
        return values[std::max<std::size_t>(rank, 1) - 1];
    };
    return {at(0.5), at(0.9), at(0.99), values.back()};
}

std::string name_of(const ApplicationLog& log, std::int32_t action) {
    const auto found = std::ranges::find(log.actions, action, &AppAction::id);
    if (found == log.actions.end()) return "action " + std::to_string(action);
    return found->action_set + "/" + found->name;
}

std::string name_of(ActionSource source) {
    return source == ActionSource::any ? "any hand" : std::string(kActionSourceNames[static_cast<std::size_t>(source)]);
}

std::string subject_of(const ApplicationLog& log, const AppPose& pose) {
    if (pose.of == PoseOf::head) return "head";
    if (pose.of == PoseOf::view) return "view " + std::to_string(pose.number);
    return "controller " + name_of(log, pose.number) + " " + name_of(pose.source);
}

using Subject = std::tuple<PoseOf, std::int32_t, ActionSource>;
struct SubjectFacts {
    std::string name;
    std::int64_t poses = 0, invalid = 0;
    bool moves = false;
    AppPose first;
};

std::map<Subject, SubjectFacts> subjects_of(const ApplicationLog& log) {
    std::map<Subject, SubjectFacts> subjects;
    for (const AppPose& pose : log.poses) {
        SubjectFacts& facts = subjects[{pose.of, pose.number, pose.source}];
        if (facts.poses++ == 0) {
            facts.name = subject_of(log, pose);
            facts.first = pose;
        }
        facts.invalid += pose.is_valid() ? 0 : 1;
        facts.moves = facts.moves || pose.position_m != facts.first.position_m ||
                      pose.orientation.coeffs() != facts.first.orientation.coeffs();
    }
    return subjects;
}

std::int64_t time_of(const HapticRecord& record) {
    return record.display_ns.value_or(record.time_ns);
}

bool is_same_call(const HapticRecord& a, const HapticRecord& b) {
    constexpr float kSame = 1e-3F;
    if (a.side != b.side || a.vibration.has_value() != b.vibration.has_value() ||
        a.force.has_value() != b.force.has_value())
        return false;
    if (a.vibration && !(std::abs(*a.vibration - *b.vibration) <= kSame)) return false;
    for (std::size_t f = 0; a.force && f < a.force->size(); ++f)
        if (!(std::abs((*a.force)[f] - (*b.force)[f]) <= kSame)) return false;
    return true;
}

bool is_known(const HandVelocity& hand) {
    return std::ranges::any_of(hand.joints, [](const HandVelocity::Joint& joint) { return joint.flags != 0; });
}

// Velocities have no tolerance: they are compared only if poses are compared exactly.
std::optional<std::string> velocity_difference(const HandVelocity& a, const HandVelocity& b,
                                               const DiffSettings& settings) {
    const std::string what =
        "the " + std::string(name_of(a.side)) + " hand's velocities at " + formatted("%.6f s", seconds(a.time_ns));
    if (a.side != b.side || std::abs(a.time_ns - b.time_ns) > settings.time_ns) return what + " are in one only";
    VelocityBlob bytes_a, bytes_b;
    pack_velocity(a, bytes_a);
    pack_velocity(b, bytes_b);
    if (settings.position_m > 0.0F || settings.angle_rad > 0.0F || bytes_a == bytes_b) return std::nullopt;
    return what + " differ";
}

std::optional<std::string> pose_difference(const AppPose& a, const AppPose& b, const DiffSettings& settings) {
    if (a.flags != b.flags)
        return "has the validity bits " + std::to_string(a.flags) + " and " + std::to_string(b.flags);
    if (!a.is_valid()) return std::nullopt;
    const float apart_m = (a.position_m - b.position_m).norm();
    if (!(apart_m <= settings.position_m))
        return "is " + formatted("%.4g mm", 1e3 * static_cast<double>(apart_m)) + " apart";
    const float angle_rad = a.orientation.angularDistance(b.orientation);
    const bool is_turned = settings.angle_rad == 0.0F ? a.orientation.coeffs() != b.orientation.coeffs()
                                                      : !(angle_rad <= settings.angle_rad);
    if (is_turned) return "is turned by " + formatted("%.4g degrees", 57.29578 * static_cast<double>(angle_rad));
    if (a.fov_rad != b.fov_rad && settings.angle_rad == 0.0F) return "has another field of view";
    return std::nullopt;
}

// Returns the first pair of rows that differ, as a sentence; `what(a, b)` describes the difference, or is empty.
template <class Row, class What>
std::optional<std::string> first_unlike(const std::vector<Row>& a, const std::vector<Row>& b, const char* thing,
                                        const What& what) {
    for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i)
        if (auto text = what(a[i], b[i])) return text;
    if (a.size() != b.size()) return "one has " + counted(a.size(), thing) + ", the other " + std::to_string(b.size());
    return std::nullopt;
}

}  // namespace

HapticCounts counts_of(const std::vector<HapticRecord>& haptics) {
    HapticCounts counts;
    for (const HapticRecord& each : haptics) {
        counts.forces += each.force ? 1 : 0;
        if (each.vibration) ++(*each.vibration > 0.0F ? counts.vibrations : counts.stops);
    }
    return counts;
}

FrameFacts facts_of(const std::vector<AppFrame>& frames) {
    FrameFacts facts;
    facts.count = static_cast<std::int64_t>(frames.size());
    std::vector<double> work_ms, interval_ms;
    for (std::size_t i = 0; i < frames.size(); ++i) {
        const AppFrame& frame = frames[i];
        facts.missed += frame.missed;
        if (frame.ended_ns >= frame.waited_ns) {
            work_ms.push_back(1e3 * seconds(frame.ended_ns - frame.waited_ns));
            facts.too_long += frame.period_ns > 0 && frame.ended_ns - frame.waited_ns > frame.period_ns ? 1 : 0;
        }
        if (i > 0 && frame.display_ns > frames[i - 1].display_ns)
            interval_ms.push_back(1e3 * seconds(frame.display_ns - frames[i - 1].display_ns));
    }
    facts.work_ms = percentiles_of(std::move(work_ms));
    facts.interval_ms = percentiles_of(std::move(interval_ms));
    return facts;
}

PoseComparison compare_poses(const ApplicationLog& recorded, const ApplicationLog& now) {
    std::map<std::int64_t, std::uint64_t> hashes;
    for (const AppFrame& frame : recorded.frames) hashes[frame.display_ns] = frame.pose_hash;
    PoseComparison comparison;
    for (const AppFrame& frame : now.frames) {
        const auto there = hashes.find(frame.display_ns);
        if (there == hashes.end()) {
            ++comparison.frames_elsewhere;
        } else if (there->second == frame.pose_hash) {
            ++comparison.frames_same;
        } else {
            ++comparison.frames_different;
            if (!comparison.first_different_s) comparison.first_different_s = seconds(frame.display_ns);
        }
    }
    return comparison;
}

HapticComparison compare_haptics(const std::vector<HapticRecord>& recorded, const std::vector<HapticRecord>& now) {
    HapticComparison comparison;
    std::vector<bool> taken(now.size());
    std::size_t from = 0;  // earlier entries are too early for all later commands
    for (const HapticRecord& record : recorded) {
        bool found = false;
        while (from < now.size() && time_of(now[from]) < time_of(record) - kMaxHapticShift_ns) ++from;
        for (std::size_t i = from; i < now.size() && !found; ++i) {
            const std::int64_t shift_ns = time_of(now[i]) - time_of(record);
            if (shift_ns > kMaxHapticShift_ns) break;
            if (taken[i] || !is_same_call(record, now[i])) continue;
            taken[i] = found = true;
            comparison.largest_shift_ms = std::max(comparison.largest_shift_ms, 1e3 * std::abs(seconds(shift_ns)));
        }
        ++(found ? comparison.same : comparison.missing);
    }
    comparison.extra = static_cast<std::int64_t>(now.size()) - comparison.same;
    return comparison;
}

std::string info_text(const ApplicationLog& log) {
    if (log.is_empty()) return {};
    std::string text;
    const auto line = [&text](const std::string& each) { text += "  " + tracking::printable(each) + "\n"; };
    const FrameFacts frames = facts_of(log.frames);
    std::string application = "application " + log.name;
    if (frames.count > 0) application += ": " + counted(frames.count, "frame");
    if (frames.interval_ms.has_data())
        application += formatted(", %.1f ms", frames.interval_ms.p50) +
                       " from display time to display time (median), " + std::to_string(frames.missed) + " missed";
    line(application);
    if (frames.work_ms.has_data())
        line("its work in a frame: " + formatted("%.2f ms", frames.work_ms.p50) + " (median), " +
             formatted("%.2f ms", frames.work_ms.p99) + " (99th percentile), " +
             formatted("%.2f ms", frames.work_ms.max) + " (longest)");
    for (const auto& [subject, facts] : subjects_of(log)) line(facts.name + ": " + counted(facts.poses, "pose"));
    std::map<std::pair<std::int32_t, ActionSource>, std::int64_t> states;
    for (const ActionState& each : log.states) ++states[{each.action, each.source}];
    for (const auto& [key, count] : states)
        line("action " + name_of(log, key.first) + " " + name_of(key.second) + ": " + counted(count, "state"));
    for (const InteractionProfile& each : log.profiles)
        line("interaction profile of " + name_of(each.source) + " at " + formatted("%.3f s", seconds(each.time_ns)) +
             ": " + (each.profile.empty() ? "none" : each.profile));
    if (!log.velocities.empty()) {
        const auto known = std::ranges::count_if(log.velocities, is_known);
        const auto unknown = std::ssize(log.velocities) - known;
        line("velocities of the device: " + counted(known, "hand") +
             (unknown > 0 ? ", and " + std::to_string(unknown) + " without" : ""));
    }
    const HapticCounts counts = counts_of(log.haptics);
    if (!log.haptics.empty())
        line("haptic commands: " + counted(counts.vibrations, "vibration") + ", " + counted(counts.stops, "stop") +
             ", " + counted(counts.forces, "finger force"));
    return text;
}

std::string findings_text(const ApplicationLog& log) {
    std::string text;
    const auto line = [&text](const std::string& each) { text += "  " + tracking::printable(each) + "\n"; };
    const FrameFacts frames = facts_of(log.frames);
    if (frames.missed > 0) {
        const auto worst = std::ranges::max_element(log.frames, {}, &AppFrame::missed);
        line("frames: " + counted(frames.missed, "display time") + " missed beside " + counted(frames.count, "frame") +
             "; most at once " + std::to_string(worst->missed) + ", at " +
             formatted("%.3f s", seconds(worst->display_ns)));
    }
    if (frames.too_long > 0)
        line("frames: the work of " + counted(frames.too_long, "frame") + " took longer than the display's period");
    for (const auto& [subject, facts] : subjects_of(log)) {
        if (facts.invalid > 0)
            line(facts.name + ": not tracked in " + std::to_string(facts.invalid) + " of " +
                 counted(facts.poses, "pose"));
        if (std::get<0>(subject) == PoseOf::head && facts.poses > 1 && !facts.moves)
            line("head: does not move at all, to the last bit");
    }
    return text;
}

std::optional<std::string> first_difference(const ApplicationLog& a, const ApplicationLog& b,
                                            const DiffSettings& settings) {
    const auto is_late = [&settings](std::int64_t time_a_ns, std::int64_t time_b_ns) {
        return std::abs(time_a_ns - time_b_ns) > settings.time_ns;
    };
    const auto at = [](std::int64_t time_ns) { return " at " + formatted("%.6f s", seconds(time_ns)); };
    auto unlike = first_unlike(a.poses, b.poses, "pose", [&](const AppPose& x, const AppPose& y) {
        std::optional<std::string> what;
        if (subject_of(a, x) != subject_of(b, y))
            what = "is in one only";
        else if (is_late(x.time_ns, y.time_ns))
            what = "is asked for" + at(y.time_ns) + " in the other";
        else
            what = pose_difference(x, y, settings);
        return what ? std::optional(subject_of(a, x) + at(x.time_ns) + " " + *what) : std::nullopt;
    });
    if (unlike) return unlike;
    unlike = first_unlike(a.states, b.states, "state", [&](const ActionState& x, const ActionState& y) {
        const bool same = name_of(a, x.action) == name_of(b, y.action) && x.source == y.source &&
                          x.active == y.active && x.x == y.x && x.y == y.y && !is_late(x.time_ns, y.time_ns);
        return same ? std::nullopt
                    : std::optional("action " + name_of(a, x.action) + " " + name_of(x.source) + at(x.time_ns) +
                                    " has another state in the other");
    });
    if (unlike) return unlike;
    unlike = first_unlike(
        a.profiles, b.profiles, "interaction profile", [&](const InteractionProfile& x, const InteractionProfile& y) {
            return x.source == y.source && x.profile == y.profile
                       ? std::nullopt
                       : std::optional("the interaction profile of " + name_of(x.source) + at(x.time_ns) + " differs");
        });
    if (unlike) return unlike;
    unlike =
        first_unlike(a.velocities, b.velocities, "velocity record",
                     [&](const HandVelocity& x, const HandVelocity& y) { return velocity_difference(x, y, settings); });
    if (unlike) return unlike;
    return first_unlike(a.haptics, b.haptics, "haptic command", [&](const HapticRecord& x, const HapticRecord& y) {
        return is_same_call(x, y) ? std::nullopt : std::optional("the haptic command" + at(time_of(x)) + " differs");
    });
}

}  // namespace glovebox::recordings
