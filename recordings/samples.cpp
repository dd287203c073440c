// Scripted hands: a handful of poses, smooth motion between them, forward kinematics, then what a tracker adds.
//
// A script is a list of moments; every number of a moment is a channel and is interpolated by itself, without overshoot
// (monotone cubic [Fritsch84]), so that a finger that rests on the table does not dip into it between two moments.
// Scene: table top at y = 0, ball of 35 mm radius resting on it over the origin, the hand comes from +z.
#include <algorithm>
#include <array>
#include <cmath>
#include <random>
#include <vector>

#include "recordings/load.h"
#include "tracking/forward_kinematics.h"

namespace glovebox::recordings {
namespace {

using Eigen::Vector3f;
using tracking::HandAngles;
using tracking::HandFrame;
using tracking::Joint;
using tracking::Side;

constexpr float kBallRadius_m = 0.035F;
const Vector3f kBallCentre_m = {0.0F, kBallRadius_m, 0.0F};
constexpr double kRate_hz = 90.0;

// A moment of a script: where a chosen joint (the anchor) is, how the hand is turned, how the fingers are bent.
struct Moment {
    float time_s;
    Vector3f anchor_m;
    float pitch_rad;  ///< fingers downwards
    HandAngles angles;
};

struct Script {
    Side side = Side::right;
    Joint anchor = Joint::index_intermediate;
    HandAngles
        anchor_angles;  ///< the pose in which the anchor is where the moment says; bending does not move the wrist
    float gap_from_s = 0.0F, gap_to_s = 0.0F;  ///< the tracker gives nothing in between
    std::uint32_t seed = 1;
    std::vector<Moment> moments;
};

constexpr std::size_t kAngleCount = sizeof(HandAngles) / sizeof(float);
constexpr std::size_t kChannelCount = 4 + kAngleCount;
using Channels = std::array<float, kChannelCount>;

Channels channels_of(const Moment& moment) {
    Channels c{moment.anchor_m.x(), moment.anchor_m.y(), moment.anchor_m.z(), moment.pitch_rad};
    std::size_t i = 4;
    const tracking::ThumbAngles& thumb = moment.angles.thumb;
    for (const float angle : {thumb.cmc_flex, thumb.cmc_abduction, thumb.mcp_flex, thumb.ip_flex}) c[i++] = angle;
    for (const tracking::FingerAngles& finger : moment.angles.fingers)
        for (const float angle : {finger.mcp_flex, finger.mcp_spread, finger.pip_flex, finger.dip_flex}) c[i++] = angle;
    c[i] = moment.angles.palm_arch;
    return c;
}

HandAngles angles_of(const Channels& c) {
    HandAngles angles;
    angles.thumb = {c[4], c[5], c[6], c[7]};
    for (std::size_t f = 0; f < 4; ++f) angles.fingers[f] = {c[8 + 4 * f], c[9 + 4 * f], c[10 + 4 * f], c[11 + 4 * f]};
    angles.palm_arch = c[24];
    return angles;
}

// Slope at a key between two segments: harmonic mean of theirs, zero where they turn [Fritsch84].
float slope(float before, float after) {
    return before * after <= 0.0F ? 0.0F : 2.0F * before * after / (before + after);
}

float interpolate(const std::vector<float>& times, const std::vector<float>& values, float time_s) {
    const auto after = std::upper_bound(times.begin(), times.end(), time_s);
    if (after == times.begin()) return values.front();
    if (after == times.end()) return values.back();
    const auto i = static_cast<std::size_t>(after - times.begin()) - 1;
    const auto secant = [&](std::size_t k) { return (values[k + 1] - values[k]) / (times[k + 1] - times[k]); };
    const float here = secant(i);
    const float m0 = i == 0 ? 0.0F : slope(secant(i - 1), here);
    const float m1 = i + 2 == times.size() ? 0.0F : slope(here, secant(i + 1));
    const float h = times[i + 1] - times[i], t = (time_s - times[i]) / h, u = 1.0F - t;
    return values[i] * (1.0F + 2.0F * t) * u * u + values[i + 1] * t * t * (3.0F - 2.0F * t) +
           h * (m0 * t * u * u - m1 * t * t * u);
}

// The same stream on every machine: the standard only fixes the generator, not the distributions.
class Noise {
  public:
    explicit Noise(std::uint32_t seed) : generator_(seed) {}
    float uniform() { return static_cast<float>(generator_() >> 8) * 0x1p-24F; }
    float normal() {  // sum of twelve uniforms
        float sum = -6.0F;
        for (int i = 0; i < 12; ++i) sum += uniform();
        return sum;
    }

  private:
    std::mt19937 generator_;
};

// Slow wander about zero (Ornstein-Uhlenbeck): what is left of a tracker's error after its own filter.
struct Wander {
    float sigma, tau_s, value = 0.0F;
    float step(Noise& noise, float dt_s) {
        const float keep = std::exp(-dt_s / tau_s);
        value = keep * value + sigma * std::sqrt(1.0F - keep * keep) * noise.normal();
        return value;
    }
};

struct TrackerNoise {
    std::array<Wander, 3> wrist;
    std::array<Wander, 3> turn;
    std::array<Wander, kAngleCount> angles;
    TrackerNoise() {
        wrist.fill({0.0005F, 0.15F});  // metres
        turn.fill({0.004F, 0.20F});    // radians
        angles.fill({0.008F, 0.10F});  // radians
    }
};

float rounded(float value, float step) {
    return std::round(value / step) * step;
}

// White noise of a tenth of a millimetre and a fixed-point wire format.
void add_sensor_noise(Noise& noise, HandFrame& hand) {
    for (tracking::JointPose& joint : hand.joints) {
        for (float& x : joint.position_m) x = rounded(x + 0.0001F * noise.normal(), 0.00005F);
        for (float& q : joint.orientation.coeffs()) q = rounded(q, 1.0F / 32767.0F);
        joint.orientation.normalize();
    }
}

Recording play(const Script& script, std::string name) {
    Recording recording;
    recording.path = std::move(name);
    recording.format = "sample";
    recording.in_scene = true;
    recording.notes = {"Synthetic: a scripted hand with a tracker's noise, rate jitter and one gap; nobody moved it."};
    const tracking::HandProfile profile = tracking::default_profile();
    recording.profiles.fill(profile);
    recording.profiles[static_cast<std::size_t>(script.side)].origin = "default, as the script uses it";

    std::vector<float> times;
    std::array<std::vector<float>, kChannelCount> values;
    for (const Moment& moment : script.moments) {
        times.push_back(moment.time_s);
        const Channels c = channels_of(moment);
        for (std::size_t i = 0; i < kChannelCount; ++i) values[i].push_back(c[i]);
    }
    const Vector3f anchor_in_wrist =
        tracking::pose_from_angles(profile, script.anchor_angles, Eigen::Isometry3f::Identity(),
                                   script.side)[script.anchor]
            .position_m;

    Noise noise(script.seed);
    TrackerNoise tracker;
    const auto count = static_cast<int>(static_cast<double>(script.moments.back().time_s) * kRate_hz);
    double last_s = 0.0;
    for (int n = 0; n <= count; ++n) {
        // The camera's clock is good, the delivery is not: time stamps are off by up to 0.4 ms and never go back.
        const double jitter_s = n == 0 ? 0.0 : 0.0008 * (static_cast<double>(noise.uniform()) - 0.5);
        const double time_s = std::max(last_s, n / kRate_hz + jitter_s);
        const auto dt_s = static_cast<float>(time_s - last_s);
        last_s = time_s;
        const auto t = static_cast<float>(time_s);
        Channels c{};
        for (std::size_t i = 0; i < kChannelCount; ++i) c[i] = interpolate(times, values[i], t);
        for (std::size_t i = 0; i < kAngleCount; ++i) c[4 + i] += tracker.angles[i].step(noise, dt_s);

        Eigen::Isometry3f world_from_wrist = Eigen::Isometry3f::Identity();
        world_from_wrist.linear() = Eigen::AngleAxisf(-c[3], Vector3f::UnitX()).toRotationMatrix();
        const Vector3f anchor_m = {c[0], c[1], c[2]};
        world_from_wrist.translation() = anchor_m - world_from_wrist.linear() * anchor_in_wrist;
        for (int axis = 0; axis < 3; ++axis) {
            const auto a = static_cast<std::size_t>(axis);
            world_from_wrist.translation()[axis] += tracker.wrist[a].step(noise, dt_s);
            world_from_wrist.rotate(Eigen::AngleAxisf(tracker.turn[a].step(noise, dt_s), Vector3f::Unit(axis)));
        }
        HandFrame hand = tracking::pose_from_angles(profile, angles_of(c), world_from_wrist, script.side);
        add_sensor_noise(noise, hand);
        if (t > script.gap_from_s && t < script.gap_to_s) continue;

        tracking::HandPair& sample = recording.samples.emplace_back();
        sample.time_ns = std::llround(time_s * 1e9);
        sample[Side::left].side = Side::left;
        hand.source = tracking::Source::synthetic;
        sample[script.side] = hand;
        for (HandFrame& frame : sample.hands) frame.times = {sample.time_ns, sample.time_ns, sample.time_ns};
    }
    return recording;
}

constexpr float degrees(float angle) {
    return angle * 0.017453293F;
}
tracking::FingerAngles bent(float mcp, float pip, float dip, float spread = 0.0F) {
    return {degrees(mcp), degrees(spread), degrees(pip), degrees(dip)};
}

// The index finger is drawn in under the thumb, the others are in a loose fist.
HandAngles loaded_pose() {
    HandAngles angles;
    angles.thumb = {degrees(12), degrees(5), degrees(30), degrees(35)};
    angles.fingers = {bent(45, 75, 40), bent(68, 92, 50), bent(72, 95, 52), bent(74, 92, 50)};
    return angles;
}
HandAngles flicked_pose() {
    HandAngles angles = loaded_pose();
    angles.fingers[0] = bent(20, 10, 5);
    angles.thumb = {degrees(8), degrees(10), degrees(20), degrees(20)};
    return angles;
}

Recording make_flick() {
    const HandAngles rest = tracking::resting_angles(), loaded = loaded_pose(), flicked = flicked_pose();
    const float low = degrees(20), high = degrees(8);
    Script script;
    script.anchor_angles = loaded;
    script.gap_from_s = 4.75F;
    script.gap_to_s = 4.93F;
    script.seed = 20040;
    // The anchor is the joint in the middle of the bent index finger, the foremost point of the hand; it meets the ball
    // at z = 35 + 8.6 mm.
    script.moments = {
        {0.00F, {0.060F, 0.255F, 0.330F}, high, rest},    {0.60F, {0.055F, 0.245F, 0.320F}, high, rest},
        {1.60F, {0.005F, 0.085F, 0.120F}, low, loaded},   {2.10F, {0.000F, 0.052F, 0.075F}, low, loaded},
        {2.50F, {0.000F, 0.050F, 0.060F}, low, loaded},   {2.75F, {0.000F, 0.050F, 0.046F}, low, loaded},
        {3.15F, {0.000F, 0.050F, 0.006F}, low, loaded},   {3.45F, {0.000F, 0.050F, -0.024F}, low, loaded},
        {3.52F, {0.000F, 0.052F, -0.042F}, low, flicked}, {3.75F, {0.000F, 0.060F, -0.055F}, low, flicked},
        {4.60F, {0.030F, 0.200F, 0.220F}, high, rest},    {5.10F, {0.030F, 0.190F, 0.210F}, high, rest},
        {5.80F, {0.000F, 0.065F, 0.090F}, low, loaded},   {6.25F, {0.000F, 0.050F, 0.056F}, low, loaded},
        {6.50F, {0.000F, 0.050F, 0.042F}, low, loaded},   {6.65F, {0.000F, 0.050F, 0.030F}, low, loaded},
        {6.72F, {0.000F, 0.052F, 0.008F}, low, flicked},  {6.95F, {0.000F, 0.062F, 0.000F}, low, flicked},
        {7.60F, {0.050F, 0.210F, 0.280F}, high, rest},    {8.00F, {0.055F, 0.220F, 0.290F}, high, rest}};
    return play(script, "flick");
}

float distance_to_ball_m(const HandFrame& hand, Joint from, Joint to) {
    const tracking::JointPose &a = hand[from], &b = hand[to];
    const Vector3f bone = b.position_m - a.position_m;
    const float t = std::clamp((kBallCentre_m - a.position_m).dot(bone) / bone.squaredNorm(), 0.0F, 1.0F);
    const float radius_m = (1.0F - t) * a.radius_m + t * b.radius_m;
    return (a.position_m + t * bone - kBallCentre_m).norm() - radius_m - kBallRadius_m;
}

using Turn = float& (*)(HandAngles&, std::size_t finger);
float& first_turn(HandAngles& angles, std::size_t finger) {
    return finger == 0 ? angles.thumb.cmc_flex : angles.fingers[finger - 1].mcp_flex;
}
float& second_turn(HandAngles& angles, std::size_t finger) {
    return finger == 0 ? angles.thumb.mcp_flex : angles.fingers[finger - 1].pip_flex;
}
float& third_turn(HandAngles& angles, std::size_t finger) {
    return finger == 0 ? angles.thumb.ip_flex : angles.fingers[finger - 1].dip_flex;
}

// Closes a hand by touch, as a grasp is closed: each joint bends, from the base outward, until a bone beyond it presses
// 1 mm into the ball or the joint has come to its limit.
HandAngles closed_round_ball(const HandAngles& open, const HandAngles& limit,
                             const Eigen::Isometry3f& world_from_wrist) {
    constexpr float kStep_rad = 0.004F;
    constexpr float kPress_m = 0.001F;
    constexpr std::array<Turn, 3> kTurns = {first_turn, second_turn, third_turn};
    HandAngles result = open, most = limit;
    for (std::size_t finger = 0; finger < tracking::kFingerCount; ++finger) {
        const int tip = 5 + 5 * static_cast<int>(finger);
        for (std::size_t turn = 0; turn < kTurns.size(); ++turn) {
            for (;;) {
                HandAngles next = result;
                kTurns[turn](next, finger) += kStep_rad;
                if (kTurns[turn](next, finger) > kTurns[turn](most, finger)) break;
                const HandFrame hand =
                    tracking::pose_from_angles(tracking::default_profile(), next, world_from_wrist, Side::right);
                float nearest_m = 1.0F;
                for (int joint = tip - 3 + static_cast<int>(turn); joint < tip; ++joint)
                    nearest_m = std::min(
                        nearest_m, distance_to_ball_m(hand, static_cast<Joint>(joint), static_cast<Joint>(joint + 1)));
                if (nearest_m < -kPress_m) break;
                result = next;
            }
        }
    }
    return result;
}

Recording make_grasp() {
    HandAngles open;
    open.thumb = {degrees(-5), degrees(35), degrees(5), degrees(5)};
    open.fingers = {bent(15, 15, 8, 8), bent(15, 18, 8), bent(15, 18, 8, -5), bent(15, 15, 8, -12)};
    HandAngles limit;
    limit.thumb = {degrees(65), degrees(35), degrees(50), degrees(60)};
    limit.fingers = {bent(85, 95, 60), bent(85, 95, 60), bent(85, 95, 60), bent(85, 95, 60)};

    const float pitch_rad = degrees(15);
    const Vector3f over_ball_m = {-0.008F, 0.108F, 0.010F};  // palm joint, over the ball
    Eigen::Isometry3f world_from_wrist = Eigen::Isometry3f::Identity();
    world_from_wrist.linear() = Eigen::AngleAxisf(-pitch_rad, Vector3f::UnitX()).toRotationMatrix();
    const HandFrame at_origin =
        tracking::pose_from_angles(tracking::default_profile(), open, Eigen::Isometry3f::Identity(), Side::right);
    world_from_wrist.translation() = over_ball_m - world_from_wrist.linear() * at_origin[Joint::palm].position_m;
    const HandAngles closed = closed_round_ball(open, limit, world_from_wrist);

    const HandAngles rest = tracking::resting_angles();
    Script script;
    script.anchor = Joint::palm;
    script.anchor_angles = open;
    script.gap_from_s = 6.40F;
    script.gap_to_s = 6.58F;
    script.seed = 20041;
    script.moments = {{0.0F, {0.080F, 0.280F, 0.300F}, degrees(10), rest},
                      {0.7F, {0.075F, 0.270F, 0.290F}, degrees(10), rest},
                      {1.8F, {0.015F, 0.150F, 0.100F}, degrees(30), open},
                      {2.5F, over_ball_m, pitch_rad, open},
                      {2.7F, over_ball_m, pitch_rad, open},
                      {3.4F, over_ball_m, pitch_rad, closed},
                      {5.0F, over_ball_m, pitch_rad, closed},
                      {5.6F, over_ball_m, pitch_rad, open},
                      {6.6F, {0.040F, 0.200F, 0.180F}, degrees(20), rest},
                      {8.0F, {0.080F, 0.260F, 0.280F}, degrees(10), rest}};
    return play(script, "grasp");
}

constexpr std::array kSamples = {
    SampleRow{"flick", "a hand approaches, pushes a ball over a table and flicks it away, twice", make_flick},
    SampleRow{"grasp", "a hand closes round a ball on a table, holds it and lets go", make_grasp},
};

}  // namespace

std::span<const SampleRow> sample_table() {
    return kSamples;
}

}  // namespace glovebox::recordings
