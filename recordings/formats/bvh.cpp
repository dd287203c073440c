// BVH: a skeleton of joints with offsets, then one row of channel values per frame. Angles are in degrees; rotations
// are intrinsic, in the order of CHANNELS. Position channels replace a joint's offset. The file does not define its
// unit. Only the hands and their ancestors are computed.
//
// Rest axes differ between vendors (along X, along Y). So joint orientations are not taken from the rotations, but from
// the directions of the bones, by the rules of tracking/hand_geometry.h.
#include "recordings/formats/bvh.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "recordings/collect.h"
#include "recordings/formats/joint_names.h"
#include "recordings/parse.h"

namespace glovebox::recordings {
namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;
using tracking::Joint;
using tracking::Side;

constexpr std::size_t kMaxNodes = 4096;
constexpr std::size_t kDeepest = 256;

struct Channel {
    bool rotation = false;
    int axis = 0;
};

struct Node {
    std::string name;
    int parent = -1;
    Vector3d offset = Vector3d::Zero();
    std::optional<Vector3d> end_site;
    std::vector<Channel> channels;
    std::size_t first_value = 0;
};

struct Skeleton {
    std::vector<Node> nodes;  // parents before children
    std::size_t values_per_frame = 0;
    std::int64_t frames = 0;
    double frame_time_s = 0.0;
};

// Splits the part before MOTION into words, across lines.
class Tokens {
  public:
    explicit Tokens(Input& in) : in_(in), words_("") {}
    std::string_view next() {
        std::string_view word;
        while (!words_.next(word)) {
            std::string_view line;
            if (!in_.next_line(line)) in_.fail("the file ends inside the skeleton: it is cut off");
            words_ = Words(line);
        }
        return word;
    }
    // Returns a name, which may contain blanks: the rest of the line, up to a brace.
    std::string name() {
        std::string text(next());
        std::string_view word;
        for (Words ahead = words_; ahead.next(word) && word != "{"; words_ = ahead) text.append(" ").append(word);
        return text;
    }
    void expect(std::string_view wanted) {
        const std::string_view word = next();
        if (!same_word(word, wanted)) in_.fail(excerpt(wanted) + " is expected here, not " + excerpt(word));
    }
    double number() {
        const std::string_view word = next();
        double value = 0.0;
        if (!parse_number(word, value) || !std::isfinite(value)) in_.fail(excerpt(word) + " is not a number");
        return value;
    }
    static bool same_word(std::string_view a, std::string_view b) {
        return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                          [](char p, char q) { return (p | 0x20) == (q | 0x20); });
    }

  private:
    Input& in_;
    Words words_;
};

Channel channel_of_name(const Input& in, std::string_view name) {
    constexpr std::array<std::string_view, 6> kNames = {"Xposition", "Yposition", "Zposition",
                                                        "Xrotation", "Yrotation", "Zrotation"};
    for (std::size_t i = 0; i < kNames.size(); ++i)
        if (Tokens::same_word(name, kNames[i])) return {i >= 3, static_cast<int>(i % 3)};
    in.fail("there is no channel called " + excerpt(name));
}

void read_channels(const Input& in, Tokens& tokens, Skeleton& skeleton) {
    Node& node = skeleton.nodes.back();
    const double count = tokens.number();
    if (!(count >= 0.0 && count <= 6.0) || !node.channels.empty())
        in.fail("joint " + excerpt(node.name) + " has a damaged CHANNELS line; 0 to 6 are possible");
    node.first_value = skeleton.values_per_frame;
    for (int i = 0; i < static_cast<int>(count); ++i) node.channels.push_back(channel_of_name(in, tokens.next()));
    skeleton.values_per_frame += node.channels.size();
}

Skeleton read_skeleton(Input& in) {
    Tokens tokens(in);
    Skeleton skeleton;
    std::vector<int> open;  // joints with an open brace, outermost first
    const auto vector = [&tokens] {
        const double x = tokens.number(), y = tokens.number(), z = tokens.number();
        return Vector3d(x, y, z);
    };
    tokens.expect("HIERARCHY");
    for (;;) {
        const std::string_view word = tokens.next();
        if (Tokens::same_word(word, "ROOT") || Tokens::same_word(word, "JOINT")) {
            if (skeleton.nodes.size() >= kMaxNodes) in.fail("the skeleton has more than 4096 joints");
            if (open.size() >= kDeepest) in.fail("the skeleton is nested more than 256 deep");
            if (open.empty() != Tokens::same_word(word, "ROOT")) in.fail("ROOT and JOINT are nested wrongly");
            Node node;
            node.name = tokens.name();
            node.parent = open.empty() ? -1 : open.back();
            skeleton.nodes.push_back(std::move(node));
            open.push_back(static_cast<int>(skeleton.nodes.size()) - 1);
            tokens.expect("{");
        } else if (Tokens::same_word(word, "MOTION")) {
            if (!open.empty()) in.fail("MOTION begins before the skeleton is closed");
            break;
        } else if (open.empty()) {
            in.fail("ROOT or MOTION is expected here, not " + excerpt(word));
        } else if (Tokens::same_word(word, "OFFSET")) {
            skeleton.nodes[static_cast<std::size_t>(open.back())].offset = vector();
        } else if (Tokens::same_word(word, "CHANNELS")) {
            if (open.back() + 1 != static_cast<int>(skeleton.nodes.size())) in.fail("CHANNELS is out of place");
            read_channels(in, tokens, skeleton);
        } else if (Tokens::same_word(word, "End")) {
            tokens.next();  // "Site"
            tokens.expect("{");
            tokens.expect("OFFSET");
            skeleton.nodes[static_cast<std::size_t>(open.back())].end_site = vector();
            tokens.expect("}");
        } else if (word == "}") {
            open.pop_back();
        } else {
            in.fail(excerpt(word) + " has no place in a skeleton");
        }
    }
    if (skeleton.nodes.empty()) in.fail("the skeleton has no joints");
    return skeleton;
}

// Reads "Frames: 4000" and "Frame Time: 0.00833", with blank lines anywhere.
void read_motion_header(Input& in, Skeleton& skeleton) {
    const auto value_of_line = [&in](std::string_view label) {
        std::string_view line;
        if (!in.next_full_line(line)) in.fail("the file ends before " + excerpt(label) + ": it is cut off");
        line = trimmed(line);
        if (line.size() < label.size() || !Tokens::same_word(line.substr(0, label.size()), label))
            in.fail(excerpt(label) + " is expected here, not " + excerpt(line));
        return line.substr(label.size());
    };
    const std::string_view frames = value_of_line("Frames:");
    if (!parse_number(frames, skeleton.frames) || skeleton.frames < 1)
        in.fail("the number of frames is " + excerpt(frames) + "; 1 or more are needed");
    const std::string_view time = value_of_line("Frame Time:");
    if (!parse_number(time, skeleton.frame_time_s) || !(skeleton.frame_time_s > 0.0) || skeleton.frame_time_s > 3600.0)
        in.fail("the frame time is " + excerpt(time) + "; it must be above 0 s");
}

// Reads the next row of channel values; false at the end of the file.
bool read_frame(Input& in, const Skeleton& skeleton, std::vector<float>& values) {
    std::string_view line;
    if (!in.next_full_line(line)) return false;
    const char* at = line.data();
    const char* const end = at + line.size();
    for (std::size_t i = 0; i < skeleton.values_per_frame; ++i) {
        while (at < end && is_blank(*at)) ++at;
        if (at == end)
            in.fail("the row ends after " + std::to_string(i) + " of " + std::to_string(skeleton.values_per_frame) +
                    " values: the file is cut off or damaged");
        if (*at == '+') ++at;
        const auto [stop, error] = std::from_chars(at, end, values[i]);
        if (error != std::errc() || (stop < end && !is_blank(*stop)))
            in.fail("value " + std::to_string(i + 1) + " of the row is not a number");
        at = stop;
    }
    if (std::any_of(at, end, [](char c) { return !is_blank(c); }))
        in.fail("the row has more than " + std::to_string(skeleton.values_per_frame) + " values");
    return true;
}

struct NodePose {
    Matrix3d rotation = Matrix3d::Identity();
    Vector3d position = Vector3d::Zero();
};

// Computes rotation * (turn about one coordinate axis): two columns are combined, the third stays.
void turn(Matrix3d& rotation, int axis, double angle_rad) {
    if (angle_rad == 0.0) return;
    const double cosine = std::cos(angle_rad), sine = std::sin(angle_rad);
    const int second = (axis + 1) % 3, third = (axis + 2) % 3;
    const Vector3d before = rotation.col(second);
    rotation.col(second) = cosine * before + sine * rotation.col(third);
    rotation.col(third) = cosine * rotation.col(third) - sine * before;
}

// Computes the world pose of each joint in `order`, which has parents first.
void solve(const Skeleton& skeleton, const std::vector<std::size_t>& order, const std::vector<float>& values,
           std::vector<NodePose>& poses) {
    for (const std::size_t n : order) {
        const Node& node = skeleton.nodes[n];
        Vector3d translation = node.offset;
        Matrix3d rotation = Matrix3d::Identity();
        for (std::size_t c = 0; c < node.channels.size(); ++c) {
            const Channel& channel = node.channels[c];
            const auto value = static_cast<double>(values[node.first_value + c]);
            if (channel.rotation) {
                turn(rotation, channel.axis, value * std::numbers::pi / 180.0);
            } else {
                translation[channel.axis] = value;
            }
        }
        NodePose& pose = poses[n];
        if (node.parent < 0) {
            pose = {rotation, translation};
        } else {
            const NodePose& parent = poses[static_cast<std::size_t>(node.parent)];
            pose = {parent.rotation * rotation, parent.position + parent.rotation * translation};
        }
    }
}

// The source of one hand joint: the origin of a node, or a point fixed to it (the fingertip).
struct Source {
    std::size_t node = 0;
    Vector3d in_node = Vector3d::Zero();
    bool measured = true;
};
using HandMap = std::array<std::optional<Source>, tracking::kJointCount>;

// Returns the source of a tip: the end site of the last joint. In files with an end site of zero, the tip continues the
// direction from the last but one joint to the last (rest frames of neighbours are aligned).
Source tip_source(const Skeleton& skeleton, std::size_t last) {
    const Node& node = skeleton.nodes[last];
    if (!node.end_site || node.end_site->norm() < 1e-9) return {last, 0.7 * node.offset, false};
    return {last, *node.end_site, true};
}

struct Hands {
    tracking::PerSide<HandMap> maps;
    tracking::PerSide<bool> present{};
    bool side_known = true, any_short_finger = false;
    tracking::JointSet lacking;
};

// Completes a finger with one joint less than usual: its second bone goes from there to the fingertip. Returns false if
// this is no such finger.
bool complete_short_finger(const Skeleton& skeleton, std::size_t tip, HandMap& map) {
    constexpr double kShare = 0.54;  // of the bone before the distal joint in the length of both, in a usual finger
    if (map[tip] || map[tip - 1] || !map[tip - 2]) return false;
    const Source end = tip_source(skeleton, map[tip - 2]->node);
    if (!end.measured) return false;
    map[tip] = end;
    map[tip - 1] = Source{end.node, kShare * end.in_node, false};
    return true;
}

Hands find_hands(const Input& in, const Skeleton& skeleton) {
    Hands hands;
    tracking::PerSide<bool> has_thumb_middle{};
    for (const Node& node : skeleton.nodes)
        if (const auto named = joint_of_track_name(node.name); named && named->is_thumb_middle)
            has_thumb_middle[named->side.value_or(Side::left)] = true;
    for (std::size_t n = 0; n < skeleton.nodes.size(); ++n) {
        const auto named = joint_of_track_name(skeleton.nodes[n].name);
        if (!named) continue;
        if (!named->side) hands.side_known = false;
        const Side side = named->side.value_or(Side::left);
        auto& source = hands.maps[side][static_cast<std::size_t>(joint_beside(*named, has_thumb_middle[side]))];
        if (!source) source = Source{n, Vector3d::Zero(), true};
    }
    for (std::size_t side = 0; side < 2; ++side) {
        HandMap& map = hands.maps[side];
        const auto has = [&map](Joint joint) { return map[static_cast<std::size_t>(joint)].has_value(); };
        hands.present[side] = has(Joint::wrist) && has(Joint::index_proximal) && has(Joint::middle_proximal);
        if (!hands.present[side]) continue;
        for (std::size_t tip = 5; tip < tracking::kJointCount; tip += 5) {
            hands.any_short_finger = complete_short_finger(skeleton, tip, map) || hands.any_short_finger;
            if (!map[tip] && map[tip - 1]) map[tip] = tip_source(skeleton, map[tip - 1]->node);
            if (map[tip] && !map[tip]->measured) hands.lacking.set(tip);
        }
        for (std::size_t i = 0; i < map.size(); ++i)
            if (!map[i]) hands.lacking.set(i);
    }
    if (!hands.present[0] && !hands.present[1]) {
        if (skeleton.nodes.size() == 1)
            in.fail("this BVH has one joint: it is the motion of an object, not of a hand; use it in a scene");
        std::string fingers;
        std::size_t count = 0;
        for (const Node& node : skeleton.nodes)
            if (const auto named = joint_of_track_name(node.name); named && named->joint > Joint::wrist && ++count <= 4)
                fingers.append(count == 1 ? "" : ", ").append(excerpt(node.name));
        if (count > 0)
            in.fail("of a hand's joints there are only " + std::to_string(count) + " in this skeleton (" + fingers +
                    (count > 4 ? " ..." : "") + "): too few; wrist, index and middle finger are needed at least");
        in.fail("none of the " + std::to_string(skeleton.nodes.size()) +
                " joints is a finger by any naming scheme known (first joint: " + excerpt(skeleton.nodes[0].name) +
                ")");
    }
    return hands;
}

// Returns the nodes of the hands and all their ancestors, parents first.
std::vector<std::size_t> needed_nodes(const Skeleton& skeleton, const Hands& hands) {
    std::vector<bool> needed(skeleton.nodes.size());
    for (const HandMap& map : hands.maps)
        for (const auto& source : map)
            if (source)
                for (int n = static_cast<int>(source->node); n >= 0;
                     n = skeleton.nodes[static_cast<std::size_t>(n)].parent)
                    needed[static_cast<std::size_t>(n)] = true;
    std::vector<std::size_t> order;
    for (std::size_t n = 0; n < needed.size(); ++n)
        if (needed[n]) order.push_back(n);
    return order;
}

// Corrects reversed tips. Some exporters rotate the last joint of one hand's fingers by half a turn, so that the tips
// point back into the fingers. No finger bends its last joint by more than 150 degrees, so such tips are reversed.
// Returns true if any was.
bool turn_backward_tips(HandMap& map, const std::vector<NodePose>& poses) {
    const auto position = [&](const Source& source) {
        const NodePose& pose = poses[source.node];
        return Vector3d(pose.position + pose.rotation * source.in_node);
    };
    bool turned = false;
    for (std::size_t tip = 5; tip < map.size(); tip += 5) {
        if (!map[tip] || !map[tip - 1] || !map[tip - 2]) continue;
        const Vector3d last = position(*map[tip]) - position(*map[tip - 1]);
        const Vector3d before = position(*map[tip - 1]) - position(*map[tip - 2]);
        if (last.dot(before) > -0.866 * last.norm() * before.norm()) continue;
        map[tip]->in_node = -map[tip]->in_node;
        turned = true;
    }
    return turned;
}

void pose_hand(const HandMap& map, const std::vector<NodePose>& poses, bool turned_as_openxr,
               tracking::HandFrame& hand) {
    hand.active = true;
    for (std::size_t i = 0; i < map.size(); ++i) {
        if (!map[i]) continue;
        const NodePose& pose = poses[map[i]->node];
        hand.joints[i].position_m = (pose.position + pose.rotation * map[i]->in_node).cast<float>();
        hand.joints[i].flags = tracking::joint_flags::kPositionValid;
        if (map[i]->measured) hand.joints[i].flags |= tracking::joint_flags::kPositionTracked;
        if (!turned_as_openxr) continue;
        hand.joints[i].orientation = Eigen::Quaterniond(pose.rotation).cast<float>();
        hand.joints[i].flags = tracking::joint_flags::kAll;
    }
}

std::int64_t frame_time_ns(const Skeleton& skeleton, std::int64_t frame) {
    const double time_ns = static_cast<double>(frame) * skeleton.frame_time_s * 1e9;
    return std::llround(time_ns);
}

void note_constant_fingers(const std::array<float, 2>& moved, const Hands& hands, Assembly& out) {
    for (std::size_t side = 0; side < 2; ++side)
        if (hands.present[side] && moved[side] == 0.0F)
            out.note("No finger of the " + std::string(name_of(static_cast<Side>(side))) + " hand moves in this file.");
}

}  // namespace

bool is_bvh(std::string_view head, std::uintmax_t) {
    head = trimmed(head.substr(0, 256));
    return Tokens::same_word(head.substr(0, 9), "HIERARCHY");
}

void read_bvh(Input& in, const ImportOptions&, Assembly& out) {
    Skeleton skeleton = read_skeleton(in);
    Hands hands = find_hands(in, skeleton);
    read_motion_header(in, skeleton);
    SourceTraits traits;
    const bool own = skeleton.nodes[0].name == kOwnBvhRoot;
    if (!own) traits.unit_m.reset();
    if (own) traits.unit_m = 0.01F;
    traits.side_known = hands.side_known;
    traits.lacking = hands.lacking;
    out.describe(traits);

    if (hands.any_short_finger)
        out.note("Fingers have one joint less than usual; the last one was placed before the fingertip.");

    const std::vector<std::size_t> order = needed_nodes(skeleton, hands);
    std::vector<float> values(skeleton.values_per_frame), first_values;
    std::vector<NodePose> poses(skeleton.nodes.size());
    std::array<float, 2> moved{};
    std::int64_t frame = 0;
    for (; read_frame(in, skeleton, values); ++frame) {
        solve(skeleton, order, values, poses);
        tracking::HandPair sample;
        sample.time_ns = frame_time_ns(skeleton, frame);
        if (frame == 0) first_values = values;
        for (std::size_t side = 0; side < 2; ++side) {
            if (!hands.present[side]) continue;
            if (frame == 0 && turn_backward_tips(hands.maps[side], poses))
                out.note("Fingertips of the " + std::string(name_of(static_cast<Side>(side))) +
                         " hand pointed back into the fingers and were turned round.");
            pose_hand(hands.maps[side], poses, own, sample.hands[side]);
            for (std::size_t i = 2; i < hands.maps[side].size(); ++i) {
                if (!hands.maps[side][i]) continue;
                const Node& node = skeleton.nodes[hands.maps[side][i]->node];
                for (std::size_t c = 0; c < node.channels.size(); ++c)
                    moved[side] = std::max(moved[side],
                                           std::abs(values[node.first_value + c] - first_values[node.first_value + c]));
            }
        }
        out.push(sample);
    }
    if (frame < skeleton.frames)
        in.fail_cut("the file ends after " + std::to_string(frame) + " of the " + std::to_string(skeleton.frames) +
                    " frames that it announces: it is cut off");
    if (frame > skeleton.frames)
        out.note("The file announces " + std::to_string(skeleton.frames) + " frames and has " + std::to_string(frame) +
                 "; all were read.");
    if (frame > 1) note_constant_fingers(moved, hands, out);
}

StampedTrack read_bvh_track(Input& in, const ImportOptions& options) {
    Skeleton skeleton = read_skeleton(in);
    read_motion_header(in, skeleton);
    const double unit_m = static_cast<double>(options.unit_m.value_or(0.01F));
    std::vector<float> values(skeleton.values_per_frame);
    std::vector<NodePose> poses(skeleton.nodes.size());
    StampedTrack result;
    result.track.name = skeleton.nodes[0].name;
    std::int64_t frame = 0;
    for (; read_frame(in, skeleton, values); ++frame) {
        solve(skeleton, {0}, values, poses);
        if (!poses[0].position.allFinite() || !poses[0].rotation.allFinite()) continue;  // at() interpolates
        Eigen::Isometry3d pose = Eigen::Isometry3d::Identity();
        pose.linear() = poses[0].rotation;
        pose.translation() = unit_m * poses[0].position;
        collect(frame_time_ns(skeleton, frame), in, options, result.track.time_ns);
        collect(Eigen::Isometry3f(pose.cast<float>()), in, options, result.track.world_from_object);
    }
    if (frame < skeleton.frames)
        in.fail("the file ends after " + std::to_string(frame) + " of the " + std::to_string(skeleton.frames) +
                " frames that it announces: it is cut off");
    if (result.track.time_ns.empty()) in.fail("no frame has a finite pose");
    return result;
}

}  // namespace glovebox::recordings
