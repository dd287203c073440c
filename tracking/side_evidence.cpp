#include "tracking/side_evidence.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>

#include "tracking/hand_geometry.h"

namespace glovebox::tracking {
namespace {

using Eigen::Vector3f;

// Evidence from OpenXR's axes: on a right hand, +X points from the thumb's side to the little finger's.
std::optional<float> side_of_axes(const HandFrame& frame) {
    if (!has_position(frame, Joint::index_proximal) || !has_position(frame, Joint::little_proximal))
        return std::nullopt;
    const Vector3f across =
        (frame[Joint::little_proximal].position_m - frame[Joint::index_proximal].position_m).normalized();
    for (const Joint joint : {Joint::wrist, Joint::palm}) {
        const JointPose& pose = frame[joint];
        const bool measured = pose.orientation_valid() && (pose.flags & joint_flags::kOrientationTracked) != 0;
        if (!measured || !(std::abs(pose.orientation.norm() - 1.0F) < 0.05F)) continue;
        return across.dot(pose.orientation * Vector3f::UnitX());
    }
    return std::nullopt;
}

}  // namespace

void SideEvidence::Mean::add(double value) {
    if (!std::isfinite(value)) return;
    sum += value;
    count += 1.0;
}

void SideEvidence::add(const HandFrame& frame) {
    add(frame, 1.0);
}

void SideEvidence::add_other(const HandFrame& frame) {
    two_hands = true;
    add(frame, -1.0);
}

void SideEvidence::add(const HandFrame& frame, double sign) {
    HandFrame as_right = frame;
    as_right.side = Side::right;
    const auto add_signed = [sign](Mean& mean, float value) { mean.add(sign * static_cast<double>(value)); };
    if (const auto side = side_of_axes(as_right)) add_signed(axes_, *side);
    const Vector3f dorsal = dorsal_direction(as_right);
    if (dorsal.isZero()) return;
    ChiralityVote vote;
    vote.add(as_right);
    bend_.add(sign * vote.score / 4.0);

    const Vector3f& wrist = as_right[Joint::wrist].position_m;
    const float palm_m = (as_right[Joint::index_proximal].position_m - wrist).norm();
    if (!(palm_m > 0.0F)) return;
    for (const int knuckle : {7, 12, 17, 22}) {
        const auto first = static_cast<Joint>(knuckle), tip = static_cast<Joint>(knuckle + 3);
        if (!has_position(as_right, first) || !has_position(as_right, tip)) continue;
        add_signed(curl_, -dorsal.dot((as_right[tip].position_m - as_right[first].position_m).normalized()));
    }
    for (const Joint joint : {Joint::thumb_proximal, Joint::thumb_distal})
        if (has_position(as_right, joint)) add_signed(thumb_, -dorsal.dot(as_right[joint].position_m - wrist) / palm_m);
    if (has_position(as_right, Joint::middle_proximal) && has_position(as_right, Joint::little_proximal))
        add_signed(arch_, dorsal.dot(as_right[Joint::middle_proximal].position_m - wrist) / palm_m);
}

SideVerdict SideEvidence::verdict() const {
    struct Kind {
        const char* name;
        double value, weight, most;
    };
    const double name = name_side ? (*name_side == Side::right ? 1.0 : -1.0) : 0.0;
    const std::array<Kind, 6> kinds = {{
        {"bend of the fingers", bend_.value(), 40.0, 6.0},
        {"axes of the palm", std::abs(axes_.value()) > 0.5 ? axes_.value() : 0.0, 8.0, 8.0},
        {"thumb", thumb_.value(), 8.0, 2.0},
        {"curl of the fingers", curl_.value(), 6.0, 2.0},
        {"arch of the knuckles", arch_.value(), 20.0, 1.5},
        {"name of the file", two_hands ? 0.0 : name, 3.0, 3.0},
    }};
    SideVerdict verdict;
    double log_odds = 0.0;
    for (const Kind& kind : kinds) {
        const double says = std::clamp(kind.weight * kind.value, -kind.most, kind.most);
        log_odds += says;
        if (std::abs(says) < 0.5) continue;
        verdict.why.append(verdict.why.empty() ? "" : ", ").append(kind.name);
        if (!two_hands) verdict.why.append(says > 0.0 ? " right" : " left");
    }
    verdict.side = log_odds >= 0.0 ? Side::right : Side::left;
    verdict.confidence = 1.0 / (1.0 + std::exp(-std::abs(log_odds)));
    return verdict;
}

std::optional<Side> side_of_name(std::string_view name) {
    // Split the name into words of letters: at a change from lower to upper case ("rightHand"), and at digits.
    bool left = false, right = false;
    std::string word;
    const auto end_word = [&] {
        left = left || word == "l" || word == "lh" || word == "left" || word == "lefthand";
        right = right || word == "r" || word == "rh" || word == "right" || word == "righthand";
        word.clear();
    };
    name = name.substr(0, name.rfind('.'));
    for (std::size_t i = 0; i < name.size(); ++i) {
        const auto c = static_cast<unsigned char>(name[i]);
        if (std::isalpha(c) == 0) {
            end_word();
            continue;
        }
        if (i > 0 && std::isupper(c) != 0 && std::islower(static_cast<unsigned char>(name[i - 1])) != 0) end_word();
        word += static_cast<char>(std::tolower(c));
    }
    end_word();
    if (left == right) return std::nullopt;
    return left ? Side::left : Side::right;
}

}  // namespace glovebox::tracking
