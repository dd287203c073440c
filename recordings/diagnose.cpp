#include "recordings/diagnose.h"

#include <algorithm>
#include <cmath>
#include <cstdarg>
#include <cstdio>
#include <optional>

#include "recordings/parse.h"
#include "tracking/hand_geometry.h"
#include "tracking/quoted.h"

namespace glovebox::recordings {
namespace {

using tracking::HandFrame;
using tracking::Joint;
using tracking::kJointCount;
using tracking::Side;

// Fingers turn by at most 20 degrees in 10 ms. A larger turn within a short time step is a tracking error.
constexpr float kJump_rad = 0.6F;
constexpr std::int64_t kJumpStep_ns = 20'000'000;

float percentile(std::vector<float>& values, double share) {
    if (values.empty()) return 0.0F;
    const auto at = values.begin() + static_cast<std::ptrdiff_t>(share * static_cast<double>(values.size() - 1));
    std::nth_element(values.begin(), at, values.end());
    return *at;
}

// Returns true if both are equal or both are not finite, because NaN does not equal itself.
bool same_position(const Eigen::Vector3f& a, const Eigen::Vector3f& b) {
    return a == b || (!a.allFinite() && !b.allFinite());
}

bool same_pose(const HandFrame& a, const HandFrame& b) {
    return std::equal(a.joints.begin(), a.joints.end(), b.joints.begin(), [](const auto& p, const auto& q) {
        return p.flags == q.flags && same_position(p.position_m, q.position_m) &&
               p.orientation.coeffs() == q.orientation.coeffs();
    });
}

void diagnose_time(const Recording& recording, Diagnosis& d) {
    d.samples = static_cast<std::int64_t>(recording.samples.size());
    const auto [first, last] = std::ranges::minmax_element(recording.samples, {}, &tracking::HandPair::time_ns);
    if (d.samples > 0) d.duration_s = 1e-9 * static_cast<double>(last->time_ns - first->time_ns);
    d.median_rate_hz = recording.rate_hz();
    d.median_step_s = d.median_rate_hz > 0.0 ? 1.0 / d.median_rate_hz : 0.0;
    d.mean_rate_hz = d.duration_s > 0.0 ? static_cast<double>(d.samples - 1) / d.duration_s : 0.0;
    d.gaps = gaps(recording);
    for (std::size_t i = 1; i < recording.samples.size(); ++i) {
        const std::int64_t step_ns = recording.samples[i].time_ns - recording.samples[i - 1].time_ns;
        const double step_s = 1e-9 * static_cast<double>(step_ns);
        if (i == 1 || step_s < d.shortest_step_s) d.shortest_step_s = step_s;
        if (step_s > d.longest_step_s) {
            d.longest_step_s = step_s;
            d.longest_step_at_s = 1e-9 * static_cast<double>(recording.samples[i - 1].time_ns);
        }
        d.equal_stamps += step_ns == 0 ? 1 : 0;
        if (step_ns >= 0) continue;
        if (d.backward_steps++ == 0) d.first_backward_sample = static_cast<std::int64_t>(i);
        d.farthest_back_s = std::max(d.farthest_back_s, -step_s);
    }
}

struct Seen {
    HandFrame last;
    bool has_last = false;
    std::int64_t repeat = 0;
    tracking::ChiralityVote vote;
    tracking::Guard guard;
    std::vector<float> lengths_m;
    std::array<std::vector<float>, kJointCount> bones_m;
    std::array<bool, kJointCount> measured{};
};

bool is_finger_bone(std::size_t j) {
    return j > 2 && tracking::parent_of(static_cast<Joint>(j)) != Joint::wrist;
}

// Returns the direction of a finger bone relative to the hand; nothing if a joint of it is missing.
std::optional<Eigen::Vector3f> bone_in_hand(const HandFrame& hand, std::size_t j) {
    const tracking::JointPose& joint = hand.joints[j];
    const tracking::JointPose& parent = hand[tracking::parent_of(static_cast<Joint>(j))];
    const tracking::JointPose& wrist = hand[Joint::wrist];
    const Eigen::Vector3f bone = wrist.orientation.conjugate() * (joint.position_m - parent.position_m);
    const bool there = joint.position_valid() && parent.position_valid() && wrist.orientation_valid();
    if (!there || !bone.allFinite() || !(bone.norm() > 0.0F)) return std::nullopt;
    return bone.normalized();
}

void find_jumps(const HandFrame& hand, const Seen& seen, HandDiagnosis& d) {
    const std::int64_t step_ns = hand.times.common_ns - seen.last.times.common_ns;
    if (!seen.has_last || step_ns <= 0 || step_ns > kJumpStep_ns) return;
    for (std::size_t j = 0; j < kJointCount; ++j) {
        if (!is_finger_bone(j)) continue;
        const auto now = bone_in_hand(hand, j), before = bone_in_hand(seen.last, j);
        if (!now || !before) continue;
        const float turn_rad = std::acos(std::clamp(now->dot(*before), -1.0F, 1.0F));
        if (turn_rad <= d.largest_turn_rad) continue;
        d.largest_turn_rad = turn_rad;
        d.largest_turn_at_s = 1e-9 * static_cast<double>(hand.times.common_ns);
    }
}

void look_at(const HandFrame& hand, Seen& seen, HandDiagnosis& d) {
    HandFrame passed;
    seen.guard.pass(hand, passed);
    if (!hand.active) return;
    ++d.active;
    seen.vote.add(hand);
    if (const float length_m = tracking::hand_length_m(hand); length_m > 0.0F) seen.lengths_m.push_back(length_m);
    find_jumps(hand, seen, d);
    for (std::size_t j = 0; j < kJointCount; ++j) {
        const tracking::JointPose& joint = hand.joints[j];
        const tracking::JointPose& parent = hand[tracking::parent_of(static_cast<Joint>(j))];
        d.missing[j] += joint.position_valid() ? 0 : 1;
        seen.measured[j] = seen.measured[j] || (joint.flags & tracking::joint_flags::kPositionTracked) != 0;
        d.oriented = d.oriented || (joint.flags & tracking::joint_flags::kOrientationTracked) != 0;
        const float bone_m = (joint.position_m - parent.position_m).norm();
        if (joint.position_valid() && parent.position_valid() && std::isfinite(bone_m))
            seen.bones_m[j].push_back(bone_m);
        if (seen.has_last && joint.orientation_valid() && seen.last.joints[j].orientation_valid())
            d.quaternion_flips += joint.orientation.dot(seen.last.joints[j].orientation) < -0.9F ? 1 : 0;
    }
    if (seen.has_last) {
        seen.repeat = same_pose(hand, seen.last) ? seen.repeat + 1 : 0;
        d.repeats += seen.repeat > 0 ? 1 : 0;
        d.longest_repeat = std::max(d.longest_repeat, seen.repeat);
        for (const Joint tip : {Joint::index_tip, Joint::middle_tip, Joint::thumb_tip}) {
            const auto in_hand = [tip](const HandFrame& frame) {
                return (frame[tip].position_m - frame[Joint::wrist].position_m).norm();
            };
            d.fingers_move = d.fingers_move || std::abs(in_hand(hand) - in_hand(seen.last)) > 1e-4F;
        }
    }
    seen.last = hand;
    seen.has_last = true;
}

void conclude(Seen& seen, HandDiagnosis& d) {
    d.quarantine = seen.guard.counts;
    d.length_m = percentile(seen.lengths_m, 0.5);
    for (std::size_t j = 0; j < kJointCount; ++j)
        d.fingers_measured = d.fingers_measured || (is_finger_bone(j) && seen.measured[j]);
    if (d.fingers_measured) d.bend_side = seen.vote.side();
    if (d.bend_side && seen.vote.magnitude > 0.0)
        d.bend_agreement = 0.5 + 0.5 * std::abs(seen.vote.score) / seen.vote.magnitude;
    for (std::size_t j = 0; j < kJointCount; ++j) {
        d.placed[j] = d.active > 0 && d.missing[j] < d.active && !seen.measured[j];
        const float middle_m = percentile(seen.bones_m[j], 0.5);
        if (!is_finger_bone(j) || middle_m <= 0.0F) continue;
        const float spread = (percentile(seen.bones_m[j], 0.9) - percentile(seen.bones_m[j], 0.1)) / middle_m;
        d.bone_spread = std::max(d.bone_spread, spread);
        if (!tracking::is_longer_than_any(static_cast<Joint>(j), middle_m) || middle_m <= d.long_bone_m) continue;
        d.long_bone = static_cast<Joint>(j);
        d.long_bone_m = middle_m;
    }
}

[[gnu::format(printf, 2, 3)]] void append(std::string& text, const char* format, ...) {
    std::array<char, 512> line{};
    std::va_list arguments;
    va_start(arguments, format);
    std::vsnprintf(line.data(), line.size(), format, arguments);
    va_end(arguments);
    text.append(line.data()).append("\n");
}

std::string joint_list(const std::array<bool, kJointCount>& chosen) {
    std::string names;
    std::size_t count = 0;
    for (std::size_t j = 0; j < kJointCount; ++j) {
        if (!chosen[j]) continue;
        if (++count <= 6) names.append(names.empty() ? "" : ", ").append(name_of(static_cast<Joint>(j)));
    }
    if (count > 6) names.append(" and ").append(std::to_string(count - 6)).append(" more");
    return names;
}

void append_hand_info(const Diagnosis& diagnosis, Side side, std::string& text) {
    const HandDiagnosis& d = diagnosis.hands[side];
    if (d.active == 0) return;
    const std::string name(name_of(side));
    append(text, "  %-5s  %lld of %s, missing in %lld; %.1f cm from wrist to fingertip", name.c_str(),
           static_cast<long long>(d.active), counted(diagnosis.samples, "sample").c_str(),
           static_cast<long long>(diagnosis.samples - d.active), 100.0 * static_cast<double>(d.length_m));
}

void append_hand_findings(const Diagnosis& diagnosis, Side side, std::string& text) {
    const HandDiagnosis& d = diagnosis.hands[side];
    if (d.active == 0) return;
    const std::string name(name_of(side));
    const char* hand = name.c_str();
    // A hand that appears once in a while is no failure of the tracker, but no measurement of that hand either.
    if (2 * d.active < diagnosis.samples)
        append(text, "  %s: LOST: the hand is missing in %lld of %s", hand,
               static_cast<long long>(diagnosis.samples - d.active), counted(diagnosis.samples, "sample").c_str());
    if (!d.fingers_measured) {
        append(text, "  %s: no finger was measured, so nothing tells which hand it is", hand);
    } else if (!d.bend_side) {
        append(text, "  %s: the fingers are too straight, or bend both ways, to say which hand it is", hand);
    } else if (*d.bend_side == side) {
        append(text, "  %s: the fingers bend as a %s hand's do (%.0f %% of the bend)", hand, hand,
               100.0 * d.bend_agreement);
    } else {
        append(text,
               "  %s: WRONG SIDE: the fingers bend as the other hand's do (%.0f %% of the bend); mirrored axes, or the "
               "sides are swapped",
               hand, 100.0 * d.bend_agreement);
    }
    std::array<bool, kJointCount> never{}, sometimes{};
    std::int64_t most = 0;
    for (std::size_t j = 0; j < kJointCount; ++j) {
        never[j] = d.missing[j] == d.active;
        sometimes[j] = d.missing[j] > 0 && !never[j];
        if (sometimes[j]) most = std::max(most, d.missing[j]);
    }
    if (const std::string list = joint_list(never); !list.empty())
        append(text, "  %s: never has %s", hand, list.c_str());
    if (const std::string list = joint_list(sometimes); !list.empty())
        append(text, "  %s: sometimes lacks %s (at most %s)", hand, list.c_str(), counted(most, "sample").c_str());
    if (const std::string list = joint_list(d.placed); !list.empty())
        append(text, "  %s: placed by rule, not measured: %s", hand, list.c_str());
    if (!d.oriented) append(text, "  %s: orientations are worked out, not measured", hand);
    if (!d.fingers_move && d.active > 1) append(text, "  %s: no finger moves", hand);
    if (d.length_m > 0.0F && (d.length_m < 0.15F || d.length_m > 0.21F))
        append(text, "  %s: UNUSUAL SIZE: %.1f cm from wrist to fingertip (15 to 21 are usual): check the unit", hand,
               100.0 * static_cast<double>(d.length_m));
    if (d.long_bone)
        append(text,
               "  %s: UNUSUAL SIZE: the bone to %s is %.1f cm long, longer than in any hand: check the joints' order",
               hand, std::string(name_of(*d.long_bone)).c_str(), 100.0 * static_cast<double>(d.long_bone_m));
    if (d.bone_spread > 0.15F)
        append(text, "  %s: bone lengths vary by %.0f %%: joints are tracked one by one, without a skeleton", hand,
               100.0 * static_cast<double>(d.bone_spread));
    if (d.largest_turn_rad > kJump_rad)
        append(text, "  %s: JUMP: a finger bone turns by %.0f degrees from one sample to the next, at %.3f s", hand,
               57.29578 * static_cast<double>(d.largest_turn_rad), d.largest_turn_at_s);
    if (d.repeats > 0)
        append(text, "  %s: %s the one before to the last bit, at most %lld in a row", hand,
               counted(d.repeats, "sample", "repeats", "repeat").c_str(), static_cast<long long>(d.longest_repeat));
    if (d.quaternion_flips > 0)
        append(text, "  %s: %s sign from one sample to the next (harmless, unless interpolated carelessly)", hand,
               counted(d.quaternion_flips, "quaternion", "changes", "change").c_str());
    for (std::size_t c = 0; c < d.quarantine.size(); ++c) {
        if (d.quarantine[c] == 0 || static_cast<tracking::Quarantine>(c) == tracking::Quarantine::lost) continue;
        append(text, "  %s: QUARANTINE: %s %s", hand, counted(d.quarantine[c], "sample", "is", "are").c_str(),
               std::string(name_of(static_cast<tracking::Quarantine>(c))).c_str());
    }
}

// Returns a note if the backward step matches the wrap of a 32-bit counter, less the duration of the step itself.
std::string clock_that_wraps(double back_s) {
    constexpr std::array<std::pair<double, const char*>, 3> kUnits = {
        {{1e-9, "nanoseconds"}, {1e-6, "microseconds"}, {1e-3, "milliseconds"}}};
    for (const auto& [unit_s, unit] : kUnits)
        if (const double wrap_s = 0x1p32 * unit_s; back_s < wrap_s && back_s > 0.98 * wrap_s)
            return std::string(", as a 32-bit clock of ").append(unit).append(" does when it starts over");
    return {};
}

}  // namespace

Diagnosis diagnose(const Recording& recording) {
    Diagnosis d;
    diagnose_time(recording, d);
    for (std::size_t side = 0; side < 2; ++side) {
        Seen seen;
        for (const tracking::HandPair& sample : recording.samples) look_at(sample.hands[side], seen, d.hands[side]);
        conclude(seen, d.hands[side]);
    }
    return d;
}

std::string info_text(const Recording& recording, const Diagnosis& d) {
    std::string text;
    append(text, "%s", tracking::printable(recording.path).c_str());
    append(text, "  format %s, one unit is %g m", recording.format.c_str(), static_cast<double>(recording.unit_m));
    if (d.samples == 1) {
        append(text, "  one pose");
    } else {
        append(text, "  %s in %.3f s; %.1f Hz by the median step (%.1f ms), %.1f Hz on average",
               counted(d.samples, "sample").c_str(), d.duration_s, d.median_rate_hz, 1e3 * d.median_step_s,
               d.mean_rate_hz);
        append(text, "  steps from %.1f to %.1f ms; the longest begins at %.3f s; %s", 1e3 * d.shortest_step_s,
               1e3 * d.longest_step_s, d.longest_step_at_s, counted(d.gaps.size(), "gap").c_str());
    }
    append_hand_info(d, Side::left, text);
    append_hand_info(d, Side::right, text);
    for (const std::string& note : recording.notes) append(text, "  note: %s", tracking::printable(note).c_str());
    return text;
}

std::string doctor_text(const Recording& recording, const Diagnosis& d) {
    std::string text = info_text(recording, d);
    text += "findings\n";
    constexpr std::size_t kMaxGaps = 10;
    for (std::size_t i = 0; i < std::min(d.gaps.size(), kMaxGaps); ++i)
        append(text, "  gap: nothing from %.3f to %.3f s (%.0f ms)", d.gaps[i].first, d.gaps[i].second,
               1e3 * (d.gaps[i].second - d.gaps[i].first));
    if (d.gaps.size() > kMaxGaps) append(text, "  gap: and %s more", std::to_string(d.gaps.size() - kMaxGaps).c_str());
    if (d.equal_stamps > 0)
        append(text, "  CLOCK: %s the time stamp of the one before",
               counted(d.equal_stamps, "sample", "has", "have").c_str());
    if (d.backward_steps > 0)
        append(text,
               "  CLOCK: time goes back in %s, by at most %.6f s, first in sample %lld%s; nothing replays like this",
               counted(d.backward_steps, "sample").c_str(), d.farthest_back_s,
               static_cast<long long>(d.first_backward_sample), clock_that_wraps(d.farthest_back_s).c_str());
    if (d.samples > 2 && d.median_step_s > 0.0 && std::abs(d.mean_rate_hz * d.median_step_s - 1.0) > 0.02)
        append(text, "  clock: the average rate (%.1f Hz) is not the usual one (%.1f Hz): uneven stamps or gaps",
               d.mean_rate_hz, d.median_rate_hz);
    for (const std::string& doubt : recording.doubts) append(text, "  %s", tracking::printable(doubt).c_str());
    append_hand_findings(d, Side::left, text);
    append_hand_findings(d, Side::right, text);
    if (d.hands[0].active == 0 && d.hands[1].active == 0) text += "  there is no hand in any sample\n";
    return text;
}

std::vector<std::string> serious_findings(const Recording& recording, const Diagnosis& d) {
    const std::string text = doctor_text(recording, d);
    std::vector<std::string> found;
    std::string_view rest = std::string_view(text).substr(text.find("findings\n"));
    std::string_view line;
    for (Fields lines(rest, '\n'); lines.next(line);)
        for (const std::string_view mark :
             {"gap:", "CUT OFF:", "LOST:", "JUMP:", "WRONG SIDE:", "UNUSUAL SIZE:", "CLOCK:", "QUARANTINE:"}) {
            if (line.find(mark) == std::string_view::npos) continue;
            found.emplace_back(trimmed(line));
            break;
        }
    return found;
}

std::string track_text(const std::string& path, const tracking::RigidTrack& track) {
    std::string text;
    const auto count = static_cast<std::int64_t>(track.time_ns.size());
    const double duration_s = count == 0 ? 0.0 : 1e-9 * static_cast<double>(track.time_ns.back());
    Eigen::AlignedBox3f room;
    for (const Eigen::Isometry3f& pose : track.world_from_object) room.extend(pose.translation());
    append(text, "%s", tracking::printable(path).c_str());
    append(text, "  the motion of one object, '%s': no hands; use it in a scene", track.name.c_str());
    append(text, "  %s in %.3f s; %.1f Hz on average", counted(count, "sample").c_str(), duration_s,
           duration_s > 0.0 ? static_cast<double>(count - 1) / duration_s : 0.0);
    if (!room.isEmpty())
        append(text, "  it moves within %.2f x %.2f x %.2f of its unit, taken as a centimetre",
               100.0 * static_cast<double>(room.sizes().x()), 100.0 * static_cast<double>(room.sizes().y()),
               100.0 * static_cast<double>(room.sizes().z()));
    return text;
}

}  // namespace glovebox::recordings
