#include "recordings/formats/landmarks.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstdio>
#include <iterator>
#include <string>

#include "recordings/parse.h"
#include "tracking/forward_kinematics.h"

namespace glovebox::recordings {
namespace {

using tracking::Joint;
using tracking::Side;

constexpr std::array<std::string_view, kLandmarks> kNames = {
    "wrist",     "thumb_cmc", "thumb_mcp",  "thumb_ip",   "thumb_tip",  "index_mcp",  "index_pip",
    "index_dip", "index_tip", "middle_mcp", "middle_pip", "middle_dip", "middle_tip", "ring_mcp",
    "ring_pip",  "ring_dip",  "ring_tip",   "pinky_mcp",  "pinky_pip",  "pinky_dip",  "pinky_tip"};

}  // namespace

void refuse_pixels_without_depth(const Input& in, const LandmarkHand& hand) {
    if (!hand.seen.all()) return;
    float across = 0.0F, deep = 0.0F;
    bool in_share = true;  // as confidences are
    for (const Eigen::Vector3f& point : hand.points) {
        across = std::max(across, (point - hand.points[0]).head<2>().norm());
        deep = std::max(deep, std::abs(point.z() - hand.points[0].z()));
        in_share = in_share && point.z() >= 0.0F && point.z() <= 1.0F;
    }
    // A flat hand in millimetres is not as flat as this.
    if (across > 20.0F && (deep < 0.01F * across || in_share))
        in.fail(
            "x and y of the landmarks are pixels and z is not, so that the hand would be flat; divide x by the "
            "picture's width and y by its height, as MediaPipe writes them, or save world landmarks");
}

Joint joint_of_landmark(std::size_t i) {
    if (i <= 4) return static_cast<Joint>(i + 1);
    const std::size_t finger = (i - 5) / 4;  // index is 0
    return static_cast<Joint>(7 + 5 * finger + (i - 5) % 4);
}

std::optional<std::size_t> landmark_of_name(std::string_view name) {
    std::string plain(name.substr(0, 64));
    if (const std::size_t at = plain.find("_finger"); at != std::string::npos) plain.erase(at, 7);
    if (plain.starts_with("little")) plain.replace(0, 6, "pinky");
    const auto found = std::find(kNames.begin(), kNames.end(), plain);
    if (found == kNames.end()) return std::nullopt;
    return static_cast<std::size_t>(found - kNames.begin());
}

std::optional<Side> side_of_word(std::string_view text) {
    text = trimmed(text);
    while (text.size() > 1 && (text.front() == '"' || text.front() == '\'')) text = text.substr(1, text.size() - 2);
    const auto side_of = [](std::string_view part) -> std::optional<Side> {
        std::string word(trimmed(part).substr(0, 16));
        for (char& c : word) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
        if (word == "l" || word == "lh" || word.starts_with("left")) return Side::left;
        if (word == "r" || word == "rh" || word.starts_with("right")) return Side::right;
        return std::nullopt;
    };
    if (const auto side = side_of(text)) return side;
    return side_of(text.substr(text.find_last_of(":._") + 1));  // EControllerHand::Left, eLeapHandType_Left
}

bool has_quaternion_first(const std::array<float, 7>& pose) {
    const auto is_unit = [](const Eigen::Vector4f& v) { return std::abs(v.norm() - 1.0F) < 1e-3F; };
    return is_unit({pose[0], pose[1], pose[2], pose[3]}) && !is_unit({pose[3], pose[4], pose[5], pose[6]});
}

namespace {

bool is_image_hand(const LandmarkHand& hand) {
    const Eigen::Vector3f& wrist = hand.points[0];
    const auto in_picture = [](const Eigen::Vector3f& p) {
        return p.x() > -1.0F && p.x() < 2.0F && p.y() > -1.0F && p.y() < 2.0F;
    };
    return std::abs(wrist.z()) < 1e-4F && wrist.head<2>().norm() > 1e-4F &&
           std::all_of(hand.points.begin(), hand.points.end(), in_picture);
}

// Returns the lengths of the palm's edges. A hand moves its palm least of all.
float palm_of(const LandmarkHand& hand) {
    const auto apart = [&hand](std::size_t a, std::size_t b) { return (hand.points[a] - hand.points[b]).norm(); };
    return apart(0, 5) + apart(0, 9) + apart(0, 17) + apart(5, 17);
}

// Returns true if a part of the hands is larger than another part by this factor. World landmarks vary by some percent.
bool varies_in_size(const std::vector<LandmarkHand>& hands) {
    constexpr float kFactor = 1.25F;
    std::vector<float> palms;
    for (const LandmarkHand& hand : hands) palms.push_back(palm_of(hand));
    std::sort(palms.begin(), palms.end());
    const std::size_t tenth = palms.size() / 10;
    return palms.size() >= 10 && palms[palms.size() - 1 - tenth] > kFactor * palms[tenth];
}

}  // namespace

void find_image_landmarks(const std::vector<LandmarkHand>& hands, LandmarkTraits& traits) {
    std::vector<LandmarkHand> whole;
    std::copy_if(hands.begin(), hands.end(), std::back_inserter(whole), [](const auto& h) { return h.seen.all(); });
    if (whole.empty()) return;
    traits.is_image = std::all_of(whole.begin(), whole.end(), is_image_hand);
    const auto in_share = [](const Eigen::Vector3f& p) { return p.cwiseAbs().maxCoeff() < 1.0F; };
    traits.is_from_wrist = std::all_of(whole.begin(), whole.end(),
                                       [&in_share](const LandmarkHand& hand) {
                                           return hand.points[0].norm() < 1e-6F &&
                                                  std::all_of(hand.points.begin(), hand.points.end(), in_share);
                                       }) &&
                           varies_in_size(whole);
    traits.is_image = traits.is_image || traits.is_from_wrist;
}

void refuse_confidences(const Input& in, const std::vector<LandmarkHand>& hands) {
    std::vector<LandmarkHand> whole;
    std::copy_if(hands.begin(), hands.end(), std::back_inserter(whole), [](const auto& h) { return h.seen.all(); });
    const bool in_shares = std::all_of(whole.begin(), whole.end(), [](const LandmarkHand& hand) {
        return std::all_of(hand.points.begin(), hand.points.end(), [](const Eigen::Vector3f& p) {
            return p.x() > -0.5F && p.x() < 1.5F && p.y() > -0.5F && p.y() < 1.5F && p.z() > 0.0F && p.z() <= 1.0F;
        });
    });
    if (in_shares && varies_in_size(whole))
        in.fail_at(0,
                   "x and y of the points are shares of a picture, and the third number is no depth, perhaps a "
                   "confidence: the lengths of the bones change all the time; save world landmarks (x, y, z)");
}

void describe_landmarks(const LandmarkTraits& traits, Assembly& out) {
    SourceTraits source;
    if (!traits.is_image) source.unit_m.reset();
    source.any_unit = true;
    source.side_known = traits.side_known;
    source.axes_known = false;
    source.mirror_axis = 0;  // of a picture
    source.usually_left_first = traits.left_first;
    source.lacking = tracking::joint_set({Joint::palm, Joint::index_metacarpal, Joint::middle_metacarpal,
                                          Joint::ring_metacarpal, Joint::little_metacarpal});
    out.describe(source);
    if (!traits.is_image) return;
    char size[16];
    std::snprintf(size, sizeof size, "%.1f cm", 100.0 * static_cast<double>(traits.hand_length_m));
    out.note(std::string("These are image landmarks") + (traits.is_from_wrist ? " relative to the wrist" : "") +
             ": depth is the network's guess, each hand was scaled to " + size +
             (traits.size_given ? "" : ", and the picture was taken as 4:3") +
             "; world landmarks of the same frames would be in metres.");
}

float hand_length_of(const ImportOptions& options) {
    float length_m = 0.185F;
    if (!options.user) return length_m;
    for (const tracking::UserHand& user : options.user->hands) {
        if (!user.hand) continue;
        const tracking::HandFrame flat =
            tracking::pose_from_angles(*user.hand, {}, Eigen::Isometry3f::Identity(), Side::right);
        length_m = tracking::hand_length_m(flat);
    }
    return length_m;
}

void add_landmarks(const LandmarkTraits& traits, std::int64_t time_ns, const LandmarkHand& hand, Assembly& out) {
    const Side side = hand.side.value_or(hand.number == 0 ? Side::left : Side::right);
    if (!out.is_holding() || out.held().time_ns != time_ns || out.held()[side].active) out.hold(time_ns, hand.row);
    if (hand.seen.none()) return;
    tracking::HandFrame& frame = out.held()[side];
    frame.active = true;
    const float down = traits.is_image ? static_cast<float>(traits.height_of_width) : 1.0F;
    const Eigen::Vector3f middle =
        traits.is_image && !traits.is_from_wrist ? Eigen::Vector3f(0.5F, -0.5F * down, 0.0F) : Eigen::Vector3f::Zero();
    for (std::size_t i = 0; i < kLandmarks; ++i) {
        if (!hand.seen.test(i)) continue;
        const Eigen::Vector3f& p = hand.points[i];
        tracking::JointPose& joint = frame[joint_of_landmark(i)];
        joint.position_m = Eigen::Vector3f(p.x(), -down * p.y(), -p.z()) - middle;
        joint.flags = tracking::joint_flags::kPositionValid | tracking::joint_flags::kPositionTracked;
    }
    if (!traits.is_image) return;
    const float length = tracking::hand_length_m(frame);
    if (!(length > 0.0F)) {
        frame = {};  // without a size there is no scale, so the hand is lost
        return;
    }
    for (tracking::JointPose& joint : frame.joints) joint.position_m *= traits.hand_length_m / length;
}

std::optional<double> guess_time_unit_ns(const std::vector<double>& stamps) {
    std::vector<double> steps;
    for (std::size_t i = 1; i < stamps.size(); ++i)
        if (const double step = stamps[i] - stamps[i - 1]; step > 0.0 && std::isfinite(step)) steps.push_back(step);
    if (steps.empty()) return std::nullopt;
    const auto middle = steps.begin() + static_cast<std::ptrdiff_t>(steps.size() / 2);
    std::nth_element(steps.begin(), middle, steps.end());
    // Seconds since 1970 without fractions. As nanoseconds, steps would be longer.
    const auto is_epoch = [](double stamp) { return stamp > 1e9 && stamp < 2.1e9; };
    if (*middle <= 1.0 && std::all_of(stamps.begin(), stamps.end(), is_epoch)) return 1e9;
    for (const auto& [below, unit_ns] : {std::pair{0.9, 1e9}, {900.0, 1e6}, {9e5, 1e3}})
        if (*middle < below) return unit_ns;
    return 1.0;
}

void note_time_unit(double unit_ns, Assembly& out) {
    out.note(std::string("Time stamps were taken as ") +
             (unit_ns == 1e9   ? "seconds"
              : unit_ns == 1e6 ? "milliseconds"
              : unit_ns == 1e3 ? "microseconds"
                               : "nanoseconds") +
             ", by their steps.");
}

}  // namespace glovebox::recordings
