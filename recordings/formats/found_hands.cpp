#include "recordings/formats/found_hands.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "recordings/parse.h"

namespace glovebox::recordings {
namespace {

using tracking::Joint;
using tracking::Side;

constexpr std::size_t kFramesToSettle = 64;  // frames with hands, of which unit of time and order of points are found
constexpr std::size_t kMaxFramesWaiting = 65'536;  // without hands too: 6 MB

// Returns true for the zeros of a lost hand.
bool is_at_one_point(const FoundHand& hand) {
    if (!hand.is_landmarks) return tracking::is_at_one_point(hand.joints);
    const auto& points = hand.landmarks.points;
    return hand.landmarks.seen.all() &&
           std::all_of(points.begin(), points.end(), [&points](const auto& point) { return point == points[0]; });
}

}  // namespace

FoundHands::FoundHands(const Input& in, const ImportOptions& options, Assembly& out) : in_(in), out_(out) {
    traits_.hand_length_m = hand_length_of(options);
}

void FoundHands::take(FoundFrame frame) {
    ++frames_;
    frame.row = in_.row();
    for (const FoundHand& hand : frame.hands) any_hand_ = any_hand_ || !hand.empty();
    std::erase_if(frame.hands, [](const FoundHand& hand) { return hand.empty() || is_at_one_point(hand); });
    if (settled_) order_points(frame);
    waiting_hands_ += frame.hands.empty() ? 0 : 1;
    waiting_.push_back(std::move(frame));
    if (settled_ || waiting_hands_ >= kFramesToSettle || waiting_.size() >= kMaxFramesWaiting) release();
}

void FoundHands::finish(std::string_view no_hand) {
    release();
    out_.push_held();
    if (left_out_ > 0)
        out_.note(counted(left_out_, "hand", "was", "were") +
                  " left out: a frame has at most one left hand and one right hand.");
    if (frames_ == 0 || !any_hand_) in_.fail(std::string(no_hand));
}

// Puts points without names in order.
void FoundHands::order_points(FoundFrame& frame) const {
    for (FoundHand& hand : frame.hands) {
        if (hand.bones) hand.joints = joints_of_bones(*hand.bones, bone_space_);
        if (!hand.is_list) continue;
        if (hand.is_flat && coordinates_apart_) hand.landmarks = points_of_coordinates(hand.landmarks);
        put_in_order(order_, hand.landmarks);
        put_in_order(joint_order_, hand.joints);
    }
}

// Finds the orders of points without names.
void FoundHands::settle_order() {
    std::vector<LandmarkHand> flat;
    for (const FoundFrame& frame : waiting_)
        for (const FoundHand& hand : frame.hands)
            if (hand.is_flat) flat.push_back(hand.landmarks);
    coordinates_apart_ = has_coordinates_apart(flat);
    if (coordinates_apart_) note_coordinates_apart(out_);
    std::vector<SteamVrHand> bones;
    for (const FoundFrame& frame : waiting_)
        for (const FoundHand& hand : frame.hands)
            if (hand.bones) bones.push_back(*hand.bones);
    if (!bones.empty()) bone_space_ = find_bone_space(in_, bones, out_);
    std::vector<LandmarkHand> lists;
    std::vector<tracking::HandFrame> joint_lists;
    for (const FoundFrame& frame : waiting_)
        for (const FoundHand& hand : frame.hands) {
            if (!hand.is_list) continue;
            if (!hand.is_landmarks)
                joint_lists.push_back(hand.joints);
            else
                lists.push_back(hand.is_flat && coordinates_apart_ ? points_of_coordinates(hand.landmarks)
                                                                   : hand.landmarks);
        }
    order_ = order_of_points(lists);
    joint_order_ = order_of_joints(joint_lists);
    for (const LandmarkHand& list : lists) refuse_pixels_without_depth(in_, list);
    refuse_confidences(in_, lists);
    refuse_points_of_no_hand(in_, order_, lists);
    refuse_joints_of_no_hand(in_, joint_order_, joint_lists);
    note_joints(joint_order_, out_);
    for (FoundFrame& frame : waiting_) order_points(frame);
}

void FoundHands::settle() {
    settled_ = true;
    settle_order();
    std::vector<double> stamps;
    std::vector<LandmarkHand> landmarks;
    bool all_sides = true, open_unit = false, any_list = false;
    for (const FoundFrame& frame : waiting_) {
        if (frame.time) stamps.push_back(frame.time->value);
        open_unit = open_unit || (frame.time && frame.time->ns_per_unit == 0.0);
        has_time_ = has_time_ || frame.time.has_value();
        for (const FoundHand& hand : frame.hands) {
            all_sides = all_sides && hand.side.has_value();
            is_landmarks_ = is_landmarks_ || hand.is_landmarks;
            if (!hand.is_landmarks) continue;
            any_list = any_list || hand.is_list;
            refuse_pixels_without_depth(in_, hand.landmarks);
            landmarks.push_back(hand.landmarks);
        }
    }
    has_numbers_ = true;
    for (std::size_t i = 0; i < waiting_.size(); ++i)
        has_numbers_ = has_numbers_ && waiting_[i].number && (i == 0 || *waiting_[i].number > *waiting_[i - 1].number);
    const auto guessed_ns = guess_time_unit_ns(stamps);
    if (open_unit && guessed_ns) note_time_unit(*guessed_ns, out_);
    unit_ns_ = guessed_ns.value_or(1e9);
    traits_.side_known = all_sides;
    refuse_confidences(in_, landmarks);
    find_image_landmarks(landmarks, traits_);
    if (!has_time_ && frame_ns_)
        out_.note("The file has no times; its frames were taken as " + std::to_string(std::lround(1e9 / *frame_ns_)) +
                  " a second, as it says.");
    else if (!has_time_)
        out_.note("The file has no times; its frames were taken as 30 a second.");
    settle_turns();
    if (any_list) note_points(order_, traits_.is_image, out_);
    if (is_landmarks_) return describe_landmarks(traits_, out_);
    SourceTraits source;
    source.unit_m.reset();
    source.side_known = all_sides;
    source.axes_known = false;
    source.lacking = tracking::joint_set({Joint::palm, Joint::index_metacarpal, Joint::middle_metacarpal,
                                          Joint::ring_metacarpal, Joint::little_metacarpal, Joint::thumb_metacarpal});
    out_.describe(source);
}

// Finds out whether matrices are by rows or by columns: a matrix without translation does not show it.
void FoundHands::settle_turns() {
    for (const FoundFrame& frame : waiting_)
        for (const FoundHand& hand : frame.hands)
            if (!by_columns_) by_columns_ = hand.by_columns;
    for (FoundFrame& frame : waiting_)
        for (FoundHand& hand : frame.hands) {
            if (!hand.turn) continue;
            const Eigen::Matrix3f turn = by_columns_.value_or(true) ? *hand.turn : hand.turn->transpose();
            for (tracking::JointPose& joint : hand.joints.joints) joint.position_m = turn * joint.position_m;
            hand.turn.reset();
        }
}

// Returns the number of a frame: its own if all numbers so far grow, else the number of frames before it.
double FoundHands::count_of(const FoundFrame& frame, std::int64_t number) {
    const double next = number == 0 ? 0.0 : last_count_ + 1.0;
    last_count_ = has_numbers_ && frame.number && (number == 0 || *frame.number > last_count_) ? *frame.number : next;
    return last_count_;
}

std::int64_t FoundHands::time_ns_of(const FoundFrame& frame, std::int64_t number, double count) const {
    if (!frame.time || !has_time_) {
        const double time_ns = count * frame_ns_.value_or(kDefaultFrame_ns);
        if (!(std::abs(time_ns) < 9e18))
            in_.fail_at(frame.row, "frame " + std::to_string(number) + " has a number out of range");
        return std::llround(time_ns);
    }
    const double unit_ns = frame.time->ns_per_unit > 0.0 ? frame.time->ns_per_unit : unit_ns_;
    if (unit_ns == 1.0 && frame.time->exact_ns) return *frame.time->exact_ns;
    const double time_ns = frame.time->value * unit_ns;
    if (!(std::abs(time_ns) < 9e18))
        in_.fail_at(frame.row, "frame " + std::to_string(number) + " has a time out of range");
    return std::llround(time_ns);
}

// Returns true for the other hand of the same instant: some programs write a frame for each hand.
bool FoundHands::goes_on(const FoundFrame& frame, std::int64_t time_ns) const {
    const tracking::HandPair& held = out_.held();
    return frame.time && !frame.hands.empty() && traits_.side_known && out_.is_holding() && held.time_ns == time_ns &&
           (held[Side::left].active || held[Side::right].active) &&
           std::all_of(frame.hands.begin(), frame.hands.end(),
                       [&held](const FoundHand& hand) { return hand.side && !held[*hand.side].active; });
}

void FoundHands::release() {
    if (waiting_.empty()) return;
    settled_ ? settle_turns() : settle();
    for (FoundFrame& frame : waiting_) {
        const std::int64_t time_ns = time_ns_of(frame, released_, count_of(frame, released_));
        ++released_;
        if (!goes_on(frame, time_ns)) out_.hold(time_ns, frame.row);
        int number = 0;
        for (FoundHand& hand : frame.hands) {
            if (!traits_.side_known) hand.side.reset();
            const Side side = hand.side.value_or(number == 0 ? Side::left : Side::right);
            if (out_.held()[side].active || number > 1) {
                ++left_out_;
                continue;
            }
            hand.landmarks.side = side;
            if (hand.is_landmarks) add_landmarks(traits_, time_ns, hand.landmarks, out_);
            if (!hand.is_landmarks) out_.held()[side] = hand.joints;
            ++number;
        }
    }
    waiting_.clear();
}

}  // namespace glovebox::recordings
