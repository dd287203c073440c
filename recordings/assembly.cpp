#include "recordings/assembly.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>

#include "tracking/formatted.h"
#include "tracking/forward_kinematics.h"

namespace glovebox::recordings {
namespace {

using tracking::formatted;
using tracking::HandFrame;
using tracking::HandPair;
using tracking::Joint;
using tracking::Side;

constexpr std::int64_t kSecond_ns = 1'000'000'000;
constexpr std::size_t kMaxOfSecond = 1000;

// Enough samples for fingers to bend (some seconds at any rate), in little memory: 512 pairs take 1.3 MB.
constexpr std::size_t kMaxWaiting = 512;
constexpr float kUsualHand_m = 0.185F;  // wrist to middle fingertip of an adult of medium size
constexpr float kUsualKnuckle_m = 0.095F;
// A child of two years has 10 cm, the largest adults have 24 cm.
constexpr float kMinHand_m = 0.10F, kMaxHand_m = 0.25F;

bool any_finite(const HandFrame& frame) {
    return std::any_of(frame.joints.begin(), frame.joints.end(), [](const tracking::JointPose& joint) {
        return joint.position_valid() && joint.position_m.allFinite();
    });
}

std::string metres(float length_m) {
    return formatted("%.3f m", static_cast<double>(length_m));
}

std::string unit_name(float unit_m) {
    constexpr std::array<std::pair<float, const char*>, 5> kNames = {{{1.0F, "a metre"},
                                                                      {0.1F, "a decimetre"},
                                                                      {0.01F, "a centimetre"},
                                                                      {0.001F, "a millimetre"},
                                                                      {0.0254F, "an inch"}}};
    for (const auto& [unit, name] : kNames)
        if (std::abs(unit - unit_m) < 1e-4F * unit) return name;
    return metres(unit_m);
}

// Length of a hand in the file's unit, and its expected length in metres.
struct SizeSeen {
    float in_file = 0.0F, expected_m = 0.0F;
};
SizeSeen size_of(const HandFrame& frame) {
    if (const float length = tracking::hand_length_m(frame); length > 0.0F) return {length, kUsualHand_m};
    const auto& wrist = frame[Joint::wrist];
    const auto& knuckle = frame[Joint::middle_proximal];
    if (!wrist.position_valid() || !knuckle.position_valid()) return {};
    const float length = (knuckle.position_m - wrist.position_m).norm();
    return std::isfinite(length) ? SizeSeen{length, kUsualKnuckle_m} : SizeSeen{};
}

float nearest_unit_m(float ratio) {
    constexpr std::array kUnits = {1.0F, 0.1F, 0.01F, 0.001F, 0.0254F};
    const auto apart = [ratio](float unit_m) { return std::abs(std::log(unit_m / ratio)); };
    return *std::min_element(kUnits.begin(), kUnits.end(), [&apart](float a, float b) { return apart(a) < apart(b); });
}

}  // namespace

Assembly::Assembly(Input& in, const ImportOptions& options, const SampleSink& sink)
    : in_(in), options_(options), sink_(sink) {}

void Assembly::describe(const SourceTraits& traits) {
    traits_ = traits;
    if (traits.complete && options_.unit_m.value_or(1.0F) != 1.0F)
        in_.fail_at(0, "this format is in metres, and takes no other unit");
    if (options_.wrist_path.empty()) {
        if (traits.wrist_relative) note("The file has no wrist motion; the hand stays at the origin.");
        return;
    }
    if (!traits.wrist_relative && !traits.complete) {
        note("The file has its own wrist motion; the wrist file was not used.");
        return;
    }
    ImportOptions wrist_options = options_;
    wrist_options.wrist_path.clear();
    wrist_options.unit_m.reset();  // the given unit is that of the recording, not of the wrist file
    wrist_options.scene_unit_m.reset();
    wrist_options.side.reset();  // each hand gets its own wrist
    wrist_options.only.reset();
    wrists_ = load_wrist_tracks(options_.wrist_path, wrist_options);
}

// Gives the wrist file the clock of the hands, unless the two overlap in time.
void Assembly::align_wrists(std::int64_t first_ns) {
    std::int64_t begin_ns = std::numeric_limits<std::int64_t>::max(), end_ns = std::numeric_limits<std::int64_t>::min();
    for (const StampedTrack& wrist : *wrists_) {
        if (wrist.track.time_ns.empty()) continue;
        begin_ns = std::min(begin_ns, wrist.first_ns);
        end_ns = std::max(end_ns, wrist.first_ns + wrist.track.time_ns.back());
    }
    if (first_ns >= begin_ns && first_ns <= end_ns) return;
    note("Finger and wrist file do not overlap in time; both are played from their start.");
    for (StampedTrack& wrist : *wrists_)
        if (__builtin_add_overflow(first_ns, wrist.first_ns - begin_ns, &wrist.first_ns)) wrist.first_ns = first_ns;
}

void Assembly::note(std::string sentence) {
    if (std::find(notes_.begin(), notes_.end(), sentence) == notes_.end()) notes_.push_back(std::move(sentence));
}

void Assembly::doubt(const std::string& mark, const std::string& sentence) {
    note(sentence);
    doubts_.push_back(mark + ": " + sentence);
}

void Assembly::push(HandPair& sample, std::int64_t row) {
    if (!second_.empty() && (sample.time_ns != second_[0].first.time_ns || second_.size() == kMaxOfSecond))
        push_second(sample.time_ns);
    if (traits_.complete || sample.time_ns % kSecond_ns != 0) return push_timed(sample, row);
    second_.emplace_back(sample, row);
}

// Some programs write the time of day in whole seconds. Spreads the samples of a second over it; `next_ns` is the stamp
// behind them, if there is one.
void Assembly::push_second(std::optional<std::int64_t> next_ns) {
    std::vector<std::pair<HandPair, std::int64_t>> second = std::move(second_);
    second_.clear();
    const auto count = static_cast<std::int64_t>(second.size());
    const std::int64_t time_ns = second.empty() ? 0 : second[0].first.time_ns;
    const bool in_seconds = next_ns ? *next_ns > time_ns && *next_ns % kSecond_ns == 0 : step_ns_ > 0;
    if (in_seconds && count > 2) {
        step_ns_ = next_ns ? kSecond_ns / count : std::min(step_ns_, kSecond_ns / count);
        note("Times are whole seconds; the samples of each were spread over it.");
        for (std::int64_t i = 0; i < count; ++i) second[static_cast<std::size_t>(i)].first.time_ns += i * step_ns_;
    }
    for (auto& [sample, row] : second) push_timed(sample, row);
}

void Assembly::push_timed(HandPair& sample, std::int64_t row) {
    if (count_ == 0) {
        first_ns_ = last_ns_ = sample.time_ns;
        if (wrists_) align_wrists(first_ns_);
    }
    std::int64_t since_start_ns = 0, since_last_ns = 0;
    if (__builtin_sub_overflow(sample.time_ns, first_ns_, &since_start_ns) ||
        __builtin_sub_overflow(sample.time_ns, last_ns_, &since_last_ns))
        in_.fail("time stamps span more than 292 years");
    if (since_last_ns < 0 && !options_.any_order) {
        const std::string reason = "time goes back by " + std::to_string(-since_last_ns) +
                                   " ns; `glovebox doctor` says how often; sort the file by time";
        if (row == in_.row()) in_.fail(reason);  // perhaps a last row that is cut off
        in_.fail_at(row, reason);
    }
    last_ns_ = sample.time_ns;
    ++count_;

    for (std::size_t side = 0; side < 2; ++side) {
        HandFrame& hand = sample.hands[side];
        hand.side = static_cast<Side>(side);
        // Our own formats have all three times; arrival is on the clock that starts at the first sample.
        hand.times = traits_.complete ? tracking::SampleTimes{hand.times.device_ns, hand.times.arrival_ns - first_ns_,
                                                              since_start_ns}
                                      : tracking::SampleTimes{sample.time_ns, since_start_ns, since_start_ns};
        if (!traits_.complete && tracking::is_at_one_point(hand)) hand.active = false;
        if (!hand.active) continue;
        if (!options_.axes.as_they_are()) turn(hand);
        ++active_hands_;
        if (traits_.side_known && !traits_.complete && active_hands_ <= static_cast<std::int64_t>(kMaxWaiting))
            hand.side == Side::left ? of_left_.add(hand) : of_left_.add_other(hand);
        if (any_finite(hand)) {
            ++finite_hands_;
        } else if (first_broken_row_ == 0) {
            first_broken_row_ = row;
        }
    }
    sample.time_ns = since_start_ns;

    // Samples before the first hand do not help to settle unit and side, so they are not buffered.
    const bool has_hand = sample.hands[0].active || sample.hands[1].active;
    if (settled_ && shift_joints_)
        for (HandFrame& hand : sample.hands) shift_joints(hand);
    if (settled_ || (waiting_.empty() && !has_hand)) return emit(sample);
    waiting_.push_back(sample);
    has_two_ = has_two_ || (sample.hands[0].active && sample.hands[1].active);
    if (is_settled()) settle();
}

void Assembly::hold(std::int64_t time_ns, std::int64_t row) {
    push_held();
    held_ = {};
    held_.time_ns = time_ns;
    has_held_ = true;
    held_row_ = row;
}

void Assembly::push_held() {
    if (!std::exchange(has_held_, false)) return;
    push(held_, held_row_);
}

void Assembly::push_buffered() {
    push_held();
    push_second({});
    if (!settled_) settle();
}

Side Assembly::default_side() {
    if (const auto side = options_.side_or_default()) return *side;
    const auto named = tracking::side_of_name(in_.path().filename().string());
    note("The file does not say which hand it is; taken as " + std::string(name_of(named.value_or(Side::right))) +
         (named ? ", as its name says." : "; name it with --hand left or --hand right."));
    return named.value_or(Side::right);
}

void Assembly::turn(HandFrame& frame) const {
    const Eigen::Matrix3f& ours_from_file = options_.axes.ours_from_file;
    for (tracking::JointPose& joint : frame.joints) {
        joint.position_m = ours_from_file * joint.position_m;
        if (!traits_.complete) joint.flags &= static_cast<std::uint8_t>(~tracking::joint_flags::kOrientationValid);
        if (!joint.orientation_valid()) continue;
        // Joint frames keep the back of the hand (+Y) and the bone (-Z); a mirror reverses the third axis.
        Eigen::Matrix3f world_from_joint = ours_from_file * joint.orientation.toRotationMatrix();
        if (options_.axes.mirrors()) world_from_joint.col(0) *= -1.0F;
        joint.orientation = Eigen::Quaternionf(world_from_joint);
    }
}

bool Assembly::is_settled() const {
    const bool side_open = !traits_.side_known && (has_two_ || !options_.side_or_default());
    const bool axes_open = traits_.side_known && !traits_.axes_known && options_.axes.as_they_are();
    const bool open = (!traits_.unit_m && !options_.given_unit_m()) || side_open || axes_open;
    return !open || waiting_.size() >= kMaxWaiting;
}

void Assembly::finish() {
    push_buffered();
    if (count_ == 0) in_.fail("the file ends before its first sample");
    if (active_hands_ == 0 && !traits_.complete)
        in_.fail_at(0, "no sample has a hand: in all of them, the positions are empty, NaN or zero");
    if (active_hands_ > 0 && finite_hands_ == 0)
        in_.fail_at(first_broken_row_, "no sample has a finite hand pose, from this row on all are NaN or infinite");
    if (options_.only && taken_hands_ == 0)
        in_.fail_at(0, "there is no " + std::string(name_of(*options_.only)) + " hand in it");
    if (traits_.axes_known) doubt_side();
    report_added();
}

void Assembly::settle() {
    refuse_relative();
    settle_numbers();
    settle_unit();
    settle_side();
    settle_axes();
    settled_ = true;
    for (HandPair& sample : waiting_) emit(sample);
    waiting_.clear();
    waiting_.shrink_to_fit();
}

// Game engines have positions relative to the joint before each too, under similar names.
void Assembly::refuse_relative() {
    std::size_t hands = 0, relative = 0;
    for (const HandPair& sample : waiting_)
        for (const HandFrame& hand : sample.hands) {
            hands += hand.active ? 1 : 0;
            relative += hand.active && tracking::has_relative_positions(hand) ? 1 : 0;
        }
    if (2 * relative > hands && !traits_.complete)
        in_.fail_at(0,
                    "the positions are relative to the joint before each (local positions), which do not place the "
                    "joints; record positions in space (Unity: transform.position), or FBX, BVH");
}

// Some programs number a finger's joints from 0 at the knuckle. Then the names of its joints are those of the
// metacarpal and so on, and the tip has none. The shape shows it: a knuckle is far from the wrist and near the next
// joint.
void Assembly::settle_numbers() {
    if (traits_.complete) return;
    std::size_t hands = 0, shifted = 0;
    for (const HandPair& sample : waiting_)
        for (const HandFrame& hand : sample.hands) {
            const tracking::JointSet there = hand.active ? tracking::valid_positions(hand) : tracking::JointSet{};
            if (!there.test(static_cast<std::size_t>(Joint::wrist))) continue;
            constexpr float kClearly = 1.3F;  // of a knuckle it is 2, of the base of a metacarpal 0.6
            int fingers = 0, far = 0;
            for (std::size_t base = static_cast<std::size_t>(Joint::index_metacarpal); base < tracking::kJointCount;
                 base += 5) {
                if (!there.test(base) || !there.test(base + 1) || there.test(base + 4)) continue;
                const Eigen::Vector3f& first = hand.joints[base].position_m;
                ++fingers;
                far += (first - hand[Joint::wrist].position_m).norm() >
                               kClearly * (hand.joints[base + 1].position_m - first).norm()
                           ? 1
                           : 0;
            }
            if (fingers < 3) continue;
            ++hands;
            shifted += far == fingers ? 1 : 0;
        }
    shift_joints_ = 2 * shifted > hands;
    if (!shift_joints_) return;
    note("The joints of the fingers are numbered from 0 at the knuckles, by the lengths of the bones.");
    for (HandPair& sample : waiting_)
        for (HandFrame& hand : sample.hands) shift_joints(hand);
    for (const Joint base : {Joint::thumb_metacarpal, Joint::index_metacarpal, Joint::middle_metacarpal,
                             Joint::ring_metacarpal, Joint::little_metacarpal})
        traits_.lacking.set(static_cast<std::size_t>(base));
}

// Takes the joints of each finger as those that follow.
void Assembly::shift_joints(HandFrame& hand) {
    for (std::size_t tip = static_cast<std::size_t>(Joint::thumb_tip); tip < tracking::kJointCount; tip += 5) {
        const std::size_t base = tip == static_cast<std::size_t>(Joint::thumb_tip) ? tip - 3 : tip - 4;
        for (std::size_t j = tip; j > base; --j) hand.joints[j] = hand.joints[j - 1];
        hand.joints[base] = {};
    }
}

void Assembly::settle_unit() {
    std::vector<float> ratios;  // metres per unit, estimated from each hand
    std::vector<float> lengths;
    for (const HandPair& sample : waiting_)
        for (const HandFrame& hand : sample.hands) {
            const SizeSeen seen = hand.active ? size_of(hand) : SizeSeen{};
            if (seen.in_file > 0.0F) ratios.push_back(seen.expected_m / seen.in_file);
        }
    const bool seen = !ratios.empty();
    const auto middle = ratios.begin() + static_cast<std::ptrdiff_t>(ratios.size() / 2);
    if (seen) std::nth_element(ratios.begin(), middle, ratios.end());
    if (traits_.complete) {
        unit_m_ = 1.0F;
    } else if (const auto given = options_.given_unit_m()) {
        unit_m_ = *given;
    } else if (traits_.unit_m) {
        unit_m_ = *traits_.unit_m;
    } else if (seen) {
        unit_m_ = nearest_unit_m(*middle);
        // A hand of 8 to 40 cm has the unit metre, and one of 15 to 22 cm also has the unit centimetre or millimetre.
        // Any other has no unit and is scaled to a usual hand.
        const float size = unit_m_ / *middle;
        const bool in_metres = unit_m_ == 1.0F && size > 0.43F && size < 2.2F;
        const bool in_parts = (unit_m_ == 0.01F || unit_m_ == 0.001F) && size > 0.8F && size < 1.2F;
        if (traits_.any_unit && !in_metres && !in_parts) {
            unit_m_ = *middle;
            note("The file's numbers are no lengths; they were scaled to a hand of usual size.");
        } else if (unit_m_ != traits_.usual_unit_m) {
            note("Unit guessed from the size of the hand: one unit is " + unit_name(unit_m_) + ".");
        }
    }
    if (!seen) return;
    const float length_m = kUsualHand_m / *middle * unit_m_;
    if (length_m < kMinHand_m || length_m > kMaxHand_m)
        note("The hand is " + metres(length_m) + " long from wrist to fingertip: check the unit.");
    else
        note_long_bones();
}

void Assembly::note_long_bones() {
    std::array<std::vector<float>, tracking::kJointCount> bones_m;
    for (const HandPair& sample : waiting_)
        for (const HandFrame& hand : sample.hands) {
            const tracking::JointSet there = hand.active ? tracking::valid_positions(hand) : tracking::JointSet{};
            for (std::size_t j = 0; j < tracking::kJointCount; ++j) {
                const auto parent = static_cast<std::size_t>(tracking::parent_of(static_cast<Joint>(j)));
                if (there.test(j) && there.test(parent))
                    bones_m[j].push_back(unit_m_ * (hand.joints[j].position_m - hand.joints[parent].position_m).norm());
            }
        }
    for (std::size_t j = 0; j < tracking::kJointCount; ++j) {
        if (bones_m[j].empty()) continue;
        const auto middle = bones_m[j].begin() + static_cast<std::ptrdiff_t>(bones_m[j].size() / 2);
        std::nth_element(bones_m[j].begin(), middle, bones_m[j].end());
        if (tracking::is_longer_than_any(static_cast<Joint>(j), *middle))
            note("The bone to " + std::string(name_of(static_cast<Joint>(j))) + " is " + metres(*middle) +
                 " long, longer than in any hand: check the order of the joints.");
    }
}

void Assembly::settle_side() {
    if (traits_.side_known) {
        const auto has = [this](Side side) {
            return std::any_of(waiting_.begin(), waiting_.end(), [side](const auto& s) { return s[side].active; });
        };
        // The option can change the side only in a file with one hand.
        if (options_.side && has(Side::left) != has(Side::right) && !has(*options_.side)) {
            swap_sides_ = true;
            note("Taken as the " + std::string(name_of(*options_.side)) + " hand as asked, against the file.");
        }
        return;
    }
    if (const auto side = options_.side_or_default(); side && !has_two_) {
        swap_sides_ = *side == Side::right;
        return;
    }
    tracking::SideEvidence evidence;
    evidence.name_side = tracking::side_of_name(in_.path().filename().string());
    for (const HandPair& sample : waiting_) {
        if (sample[Side::left].active) evidence.add(sample[Side::left]);
        if (!sample[Side::right].active) continue;
        evidence.add_other(sample[Side::right]);
    }
    const tracking::SideVerdict verdict = evidence.verdict();
    swap_sides_ = verdict.side == Side::right;
    // One of name and shape is wrong, and nothing says which: the axes of the file may be mirrored.
    const bool contradicted = !evidence.two_hands && evidence.name_side.value_or(verdict.side) != verdict.side;
    if (contradicted) {
        side_confidence_ = 0.5;
        doubt("WRONG SIDE", "The file's name says " + std::string(name_of(*evidence.name_side)) + ", its shape " +
                                std::string(name_of(verdict.side)) + ": try " +
                                (options_.axes.mirrors() ? "other --axes" : "--axes unity") +
                                ", or name the hand with --hand left or --hand right. Taken as " +
                                std::string(name_of(verdict.side)) + ".");
        return;
    }
    side_confidence_ = verdict.confidence;
    if (traits_.usually_left_first && has_two_) {
        swap_sides_ = swap_sides_ && verdict.confidence >= tracking::kSureOfSide;
        if (!swap_sides_) return note("Of the two hands of a frame the first was taken as the left one.");
        return doubt("WRONG SIDE",
                     "By the hands' shape, the first of the two hands is the right one, and was taken so; if it is the "
                     "left one, the file's axes are left-handed: try --axes unity.");
    }
    const std::string share = std::to_string(std::lround(100.0 * verdict.confidence)) + " %";
    const std::string name(name_of(verdict.side));
    const std::string why = verdict.why.empty() ? "" : ": " + verdict.why;
    if (evidence.two_hands)
        note("The file does not say which hand is which; told by their shape (" + share + " sure" + why + ").");
    else if (verdict.confidence >= tracking::kSureOfSide)
        note("The file does not say which hand it is; taken as " + name + " (" + share + " sure" + why + ").");
    else
        note("It is uncertain which hand it is (" + share + " for " + name + why + "); taken as " + name +
             "; name it with --hand left or --hand right.");
}

// In left-handed axes, as Unity's are, a left hand has the shape of a right one. A picture may be mirrored too.
void Assembly::settle_axes() {
    if (!traits_.side_known || traits_.axes_known || !options_.axes.as_they_are()) return;
    const tracking::SideVerdict of_left = of_left_.verdict();
    mirrored_ = traits_.usually_mirrored;
    if (of_left.confidence >= tracking::kSureOfSide) mirrored_ = (of_left.side == Side::right) != swap_sides_;
    if (!mirrored_) return;
    note(traits_.mirror_axis == 0 ? "The picture is mirrored, by the hands' sides and their shape; X was reversed."
                                  : "The file's axes are left-handed; Z was reversed.");
}

// Sides and axes that the file defines may still contradict the hands' shape.
void Assembly::doubt_side() {
    const tracking::SideVerdict of_left = of_left_.verdict();
    if (of_left.confidence < tracking::kSureOfSide || (of_left.side == Side::right) == swap_sides_) return;
    doubt("WRONG SIDE",
          "By their shape, the file's left hands are right ones or its right hands left ones: its sides " +
              std::string("may be swapped, or its axes left-handed; try ") +
              (options_.axes.mirrors() ? "other --axes." : "--axes unity."));
}

void Assembly::emit(HandPair& sample) {
    if (mirrored_)
        for (HandFrame& hand : sample.hands)
            for (tracking::JointPose& joint : hand.joints) joint.position_m[traits_.mirror_axis] *= -1.0F;
    if (swap_sides_) {
        std::swap(sample.hands[0], sample.hands[1]);
        sample.hands[0].side = Side::left;
        sample.hands[1].side = Side::right;
    }
    for (const Side side : {Side::left, Side::right}) {
        HandFrame& hand = sample[side];
        if (options_.only && side != *options_.only) {
            hand = {};
            hand.side = side;
        }
        if (!hand.active) continue;
        ++taken_hands_;
        if (!traits_.complete) complete(hand);
        // A log may contain hands of gloves, which lack a wrist pose, beside hands that have one.
        if (wrists_ && (traits_.wrist_relative || hand.source == tracking::Source::glove)) carry(hand);
    }
    sink_(sample);
}

void Assembly::carry(HandFrame& frame) {
    Eigen::Isometry3f tracker_from_wrist = Eigen::Isometry3f::Identity();
    std::int64_t lag_ns = 0;
    if (options_.user) {
        const tracking::UserHand& user = (*options_.user)[frame.side];
        tracker_from_wrist = user.tracker_from_wrist;
        lag_ns = static_cast<std::int64_t>(1e9 * user.tracker_lag_s);
    }
    const StampedTrack& wrist = (*wrists_)[frame.side];
    const Eigen::Isometry3f world_from_tracker = wrist.track.at(frame.times.device_ns - wrist.first_ns + lag_ns);
    tracking::move_rigidly(world_from_tracker * tracker_from_wrist, frame);
}

void Assembly::complete(HandFrame& frame) {
    if (unit_m_ != 1.0F)
        for (tracking::JointPose& joint : frame.joints) {
            joint.position_m *= unit_m_;
            joint.radius_m *= unit_m_;
        }
    const tracking::JointSet before = tracking::valid_positions(frame);
    for (std::size_t finger = 0; finger < tracking::kFingerCount; ++finger) {
        // Apply a given tip length first; the general rule then skips the tip.
        const std::size_t tip = 5 + 5 * finger;
        if (options_.tip_length_m[finger] <= 0.0F || !traits_.lacking.test(tip)) continue;
        const auto& last = frame.joints[tip - 1].position_m;
        const auto& before_last = frame.joints[tip - 2].position_m;
        const Eigen::Vector3f bone = frame.joints[tip].position_valid() ? frame.joints[tip].position_m - last
                                                                        : Eigen::Vector3f(last - before_last);
        if (!before.test(tip - 1) || !before.test(tip - 2) || !(bone.norm() > 0.0F)) continue;
        frame.joints[tip].position_m = last + options_.tip_length_m[finger] * bone.normalized();
        frame.joints[tip].flags |= tracking::joint_flags::kPositionValid;
        added_joints_.set(tip);
    }
    tracking::place_missing_joints(traits_.lacking, frame);
    added_joints_ |= tracking::valid_positions(frame) & traits_.lacking & ~before;

    const auto lacks_orientation = [](const tracking::JointPose& joint) {
        return joint.position_valid() && !joint.orientation_valid();
    };
    if (std::any_of(frame.joints.begin(), frame.joints.end(), lacks_orientation)) {
        // Do not note an orientation of the palm alone.
        added_orientations_ |= std::any_of(frame.joints.begin() + 1, frame.joints.end(), lacks_orientation);
        tracking::orient_from_positions(frame);
    }
}

void Assembly::report_added() {
    if (added_orientations_) note("Joint orientations were worked out from the directions of the bones.");
    const auto added = [this](Joint joint) { return added_joints_.test(static_cast<std::size_t>(joint)); };
    if (added(Joint::palm)) note("The palm joint was placed in the middle of the middle metacarpal.");
    if (added(Joint::middle_metacarpal)) note("The fingers' metacarpal bases were placed between wrist and knuckles.");
    if (added(Joint::thumb_metacarpal)) note("The thumb's metacarpal base was placed between wrist and first knuckle.");
    if (added(Joint::middle_tip)) {
        const bool given = std::any_of(options_.tip_length_m.begin(), options_.tip_length_m.end(),
                                       [](float length_m) { return length_m > 0.0F; });
        note(given ? "Fingertips were added at the tip lengths given."
                   : "Fingertips were added at 0.7 of the length of the bone before.");
    }
}

}  // namespace glovebox::recordings
