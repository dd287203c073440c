#include "tests/runtime/hand_motion.h"

#include <algorithm>
#include <charconv>
#include <fstream>
#include <stdexcept>
#include <tuple>
#include <utility>

#include "tests/runtime/pose.h"

namespace glovebox::tests::runtime {
namespace {

// An adult right hand, palm down, fingers along -Z: each finger's metacarpal base, its knuckle and the lengths of the
// three bones after it. The left hand is its mirror image in x.
struct Finger {
    XrVector3f base_m, knuckle_m;
    std::array<float, 3> bone_m;
    std::array<float, 5> radius_m;
};
constexpr std::array<Finger, 4> kFingers{{
    {{-0.022F, 0.000F, -0.028F},
     {-0.025F, 0.002F, -0.093F},
     {0.042F, 0.025F, 0.019F},
     {.014F, .0105F, .009F, .008F, .0066F}},
    {{-0.003F, 0.002F, -0.028F},
     {-0.003F, 0.004F, -0.095F},
     {0.046F, 0.029F, 0.020F},
     {.014F, .0108F, .009F, .008F, .0066F}},
    {{0.013F, 0.001F, -0.028F},
     {0.017F, 0.002F, -0.089F},
     {0.042F, 0.027F, 0.020F},
     {.014F, .0100F, .0085F, .0075F, .0062F}},
    {{0.024F, -0.002F, -0.027F},
     {0.034F, -0.003F, -0.080F},
     {0.033F, 0.020F, 0.018F},
     {.013F, .0090F, .0075F, .0068F, .0054F}},
}};
constexpr std::array<float, 3> kBendDegrees{80.0F, 100.0F, 65.0F};

XrPosef looking_along(XrVector3f from, XrVector3f to) {
    const XrVector3f d = to - from;
    const float yaw = std::atan2(-d.x, -d.z), pitch = std::atan2(d.y, std::hypot(d.x, d.z));
    return {turn({0, 1, 0}, yaw) * turn({1, 0, 0}, pitch), from};
}

void place_finger(const Finger& finger, float curl, std::size_t first, HandSample& hand) {
    XrPosef joint = looking_along(finger.base_m, finger.knuckle_m);
    hand[first] = {joint, finger.radius_m[0]};
    joint.position = finger.knuckle_m;
    for (std::size_t i = 0; i < 3; ++i) {
        joint.orientation = joint.orientation * turn({1, 0, 0}, -curl * kBendDegrees[i] * kRadiansPerDegree);
        hand[first + 1 + i] = {joint, finger.radius_m[1 + i]};
        joint = joint * XrPosef{{0, 0, 0, 1}, {0, 0, -finger.bone_m[i]}};
    }
    hand[first + 4] = {joint, finger.radius_m[4]};
}

void place_thumb(float curl, HandSample& hand) {
    constexpr std::array<float, 3> kBone{0.046F, 0.033F, 0.025F};
    constexpr std::array<float, 4> kRadius{0.016F, 0.0115F, 0.0100F, 0.0085F};
    XrPosef joint{yaw_pitch_roll(42.0F, -18.0F, 55.0F), {-0.020F, -0.008F, -0.022F}};
    hand[XR_HAND_JOINT_THUMB_METACARPAL_EXT] = {joint, kRadius[0]};
    for (std::size_t i = 0; i < 3; ++i) {
        joint = joint * XrPosef{{0, 0, 0, 1}, {0, 0, -kBone[i]}};
        if (i < 2) joint.orientation = joint.orientation * turn({1, 0, 0}, -curl * 50.0F * kRadiansPerDegree);
        hand[XR_HAND_JOINT_THUMB_PROXIMAL_EXT + i] = {joint, kRadius[i + 1]};
    }
}

XrPosef mirrored(const XrPosef& p) {
    return {{p.orientation.x, -p.orientation.y, -p.orientation.z, p.orientation.w},
            {-p.position.x, p.position.y, p.position.z}};
}

HandSample generated(const HandKey& key, bool right) {
    HandSample hand;
    hand[XR_HAND_JOINT_PALM_EXT] = {{{0, 0, 0, 1}, {-0.002F, 0.0F, -0.062F}}, 0.014F};
    hand[XR_HAND_JOINT_WRIST_EXT] = {kIdentityPose, 0.020F};
    place_thumb(key.thumb_curl, hand);
    for (std::size_t i = 0; i < kFingers.size(); ++i)
        place_finger(kFingers[i], key.curl, XR_HAND_JOINT_INDEX_METACARPAL_EXT + 5 * i, hand);
    for (JointSample& joint : hand) {
        if (!right) joint.stage_from_joint = mirrored(joint.stage_from_joint);
        joint.stage_from_joint = key.stage_from_wrist * joint.stage_from_joint;
        joint.stage_from_joint.orientation = normalized(joint.stage_from_joint.orientation);
    }
    return hand;
}

HandKey key_at(const std::vector<HandKey>& keys, double time_s) {
    const double end_s = keys.back().time_s;
    if (end_s > 0.0) time_s = std::fmod(time_s, end_s);
    const auto after = std::find_if(keys.begin(), keys.end(), [&](const HandKey& k) { return k.time_s > time_s; });
    if (after == keys.begin()) return keys.front();
    if (after == keys.end()) return keys.back();
    const HandKey &a = *(after - 1), &b = *after;
    // Eased, so that the hand starts and stops smoothly.
    auto s = static_cast<float>((time_s - a.time_s) / (b.time_s - a.time_s));
    s = s * s * (3.0F - 2.0F * s);
    HandKey key;
    key.time_s = time_s;
    key.stage_from_wrist.position = (1.0F - s) * a.stage_from_wrist.position + s * b.stage_from_wrist.position;
    key.stage_from_wrist.orientation = mix(a.stage_from_wrist.orientation, b.stage_from_wrist.orientation, s);
    key.curl = (1.0F - s) * a.curl + s * b.curl;
    key.thumb_curl = (1.0F - s) * a.thumb_curl + s * b.thumb_curl;
    return key;
}

HandSample recorded(const HandMotion& motion, double time_s) {
    const auto& rows = motion.rows;
    const double start_s = rows.front().time_s, length_s = rows.back().time_s - start_s;
    const double at_s = length_s > 0.0 ? start_s + std::fmod(time_s, length_s) : start_s;
    auto row = std::upper_bound(rows.begin(), rows.end(), at_s, [](double t, const auto& r) { return t < r.time_s; });
    row = row == rows.begin() ? row : row - 1;
    const HandSample radii = generated({}, true);
    HandSample hand;
    for (std::size_t j = 0; j < hand.size(); ++j)
        hand[j] = {motion.stage_from_recording * row->wrist_from_joint[j], radii[j].radius_m};
    return hand;
}

}  // namespace

HandSample sample(const HandMotion& motion, bool right, double time_s) {
    time_s = std::max(time_s, 0.0);
    return motion.rows.empty() ? generated(key_at(motion.keys, time_s), right) : recorded(motion, time_s);
}

std::vector<HandMotion::Row> read_hand_csv(const std::string& path, bool mirror) {
    std::ifstream file(path);
    if (!file) throw std::runtime_error(path + ": cannot be opened");
    std::vector<HandMotion::Row> rows;
    std::string line;
    for (int number = 1; std::getline(file, line); ++number) {
        if (line.empty() || line[0] == '#') continue;
        std::array<double, 1 + 7 * XR_HAND_JOINT_COUNT_EXT> cells;
        const char *p = line.data(), *end = p + line.size();
        for (std::size_t i = 0; i < cells.size(); ++i) {
            while (p < end && (*p == ',' || *p == ' ')) ++p;
            const auto [next, error] = std::from_chars(p, end, cells[i]);
            if (error != std::errc{})
                throw std::runtime_error(path + ":" + std::to_string(number) + ": column " + std::to_string(i + 1) +
                                         " of " + std::to_string(cells.size()) + " is not a number");
            p = next;
        }
        HandMotion::Row row{cells[0] * 1e-9, {}};
        for (std::size_t j = 0; j < row.wrist_from_joint.size(); ++j) {
            const double* c = &cells[1 + 7 * j];
            const auto f = [c](int i) { return static_cast<float>(c[i]); };
            const XrPosef pose{normalized({f(4), f(5), f(6), f(3)}), {f(0), f(1), f(2)}};
            row.wrist_from_joint[j] = mirror ? mirrored(pose) : pose;
        }
        rows.push_back(row);
    }
    if (rows.empty()) throw std::runtime_error(path + ": has no rows");
    return rows;
}

HandMotion built_in_motion(const std::string& name, bool right, XrVector3f target) {
    // The wrist stays behind and above the target, turned a little inwards, and dips until the fingertips reach it.
    const float out = right ? 0.035F : -0.035F, yaw = right ? 12.0F : -12.0F;
    const auto key = [&](double t, float lift, float curl, float thumb) {
        return HandKey{
            t, {yaw_pitch_roll(yaw, -12.0F, 0.0F), target + XrVector3f{out, 0.05F + lift, 0.16F}}, curl, thumb};
    };
    HandMotion motion;
    if (name == "still") motion.keys.push_back(key(0, 0.0F, 0.25F, 0.2F));
    if (name == "tap")
        for (const auto& [t, lift] : {std::pair{0.0, 0.10F}, {1.0, 0.0F}, {1.5, 0.0F}, {2.5, 0.10F}})
            motion.keys.push_back(key(t, lift, 0.2F, 0.2F));
    if (name == "grip")
        for (const auto& [t, lift, curl] :
             {std::tuple{0.0, 0.06F, 0.05F}, {1.0, 0.0F, 0.1F}, {1.5, 0.0F, 0.6F}, {2.5, 0.06F, 0.05F}})
            motion.keys.push_back(key(t, lift, curl, curl));
    if (motion.keys.empty()) throw std::runtime_error("no motion is called '" + name + "': still, tap, grip");
    return motion;
}

}  // namespace glovebox::tests::runtime
