#include "recordings/samples/script.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <random>

namespace glovebox::recordings {
namespace {

using Eigen::Vector3f;
using tracking::HandAngles;
using tracking::HandFrame;
using tracking::Side;

constexpr double kRate_hz = 90.0;

constexpr std::size_t kAngleCount = sizeof(HandAngles) / sizeof(float);
constexpr std::size_t kTurns = 2;  // yaw and roll, after pitch and angles
constexpr std::size_t kChannelCount = 4 + kAngleCount + kTurns;
using Channels = std::array<float, kChannelCount>;

Channels channels_of(const Moment& moment) {
    Channels c{moment.anchor_m.x(), moment.anchor_m.y(), moment.anchor_m.z(), moment.pitch_rad};
    std::size_t i = 4;
    const tracking::ThumbAngles& thumb = moment.angles.thumb;
    for (const float angle : {thumb.cmc_flex, thumb.cmc_abduction, thumb.mcp_flex, thumb.ip_flex}) c[i++] = angle;
    for (const tracking::FingerAngles& finger : moment.angles.fingers)
        for (const float angle : {finger.mcp_flex, finger.mcp_spread, finger.pip_flex, finger.dip_flex}) c[i++] = angle;
    c[i++] = moment.angles.palm_arch;
    c[i++] = moment.yaw_rad;
    c[i] = moment.roll_rad;
    return c;
}

HandAngles angles_of(const Channels& c) {
    HandAngles angles;
    angles.thumb = {c[4], c[5], c[6], c[7]};
    for (std::size_t f = 0; f < 4; ++f) angles.fingers[f] = {c[8 + 4 * f], c[9 + 4 * f], c[10 + 4 * f], c[11 + 4 * f]};
    angles.palm_arch = c[24];
    return angles;
}

// Returns the slope at a key between two segments: the harmonic mean of theirs, zero at an extremum [Fritsch84].
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

// Noise that is the same on every machine: the standard fixes only the generator, not the distributions.
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

// Slow random drift about zero (Ornstein-Uhlenbeck): the tracking error that remains after a tracker's own filter.
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

// Adds white noise of a tenth of a millimetre, and rounds as a fixed-point wire format does.
void add_sensor_noise(Noise& noise, HandFrame& hand) {
    for (tracking::JointPose& joint : hand.joints) {
        for (float& x : joint.position_m) x = rounded(x + 0.0001F * noise.normal(), 0.00005F);
        for (float& q : joint.orientation.coeffs()) q = rounded(q, 1.0F / 32767.0F);
        joint.orientation.normalize();
    }
}

// Plays one script as a sequence of frames.
class Player {
  public:
    explicit Player(const Script& script) : script_(script), noise_(script.seed) {
        for (const Moment& moment : script.moments) {
            times_.push_back(moment.time_s);
            const Channels c = channels_of(moment);
            for (std::size_t i = 0; i < kChannelCount; ++i) values_[i].push_back(c[i]);
        }
    }

    Noise& noise() { return noise_; }

    HandFrame at(float time_s, float dt_s) {
        Moment moment;
        moment.time_s = time_s;
        Channels c{};
        for (std::size_t i = 0; i < kChannelCount; ++i) c[i] = interpolate(times_, values_[i], time_s);
        for (std::size_t i = 0; i < kAngleCount; ++i) c[4 + i] += tracker_.angles[i].step(noise_, dt_s);
        moment.anchor_m = {c[0], c[1], c[2]};
        moment.pitch_rad = c[3];
        moment.yaw_rad = c[4 + kAngleCount];
        moment.roll_rad = c[5 + kAngleCount];
        Eigen::Isometry3f world_from_wrist = wrist_of(script_, moment);
        for (int axis = 0; axis < 3; ++axis) {
            const auto a = static_cast<std::size_t>(axis);
            world_from_wrist.translation()[axis] += tracker_.wrist[a].step(noise_, dt_s);
            world_from_wrist.rotate(Eigen::AngleAxisf(tracker_.turn[a].step(noise_, dt_s), Vector3f::Unit(axis)));
        }
        HandFrame hand =
            tracking::pose_from_angles(tracking::default_profile(), angles_of(c), world_from_wrist, script_.side);
        add_sensor_noise(noise_, hand);
        hand.source = tracking::Source::synthetic;
        return hand;
    }

  private:
    const Script& script_;
    Noise noise_;
    TrackerNoise tracker_;
    std::vector<float> times_;
    std::array<std::vector<float>, kChannelCount> values_;
};

// The joints of a finger, in the order in which a grasp closes them.
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

}  // namespace

Eigen::Matrix3f turned(float pitch_rad, float yaw_rad, float roll_rad) {
    return (Eigen::AngleAxisf(yaw_rad, Vector3f::UnitY()) * Eigen::AngleAxisf(-pitch_rad, Vector3f::UnitX()) *
            Eigen::AngleAxisf(roll_rad, Vector3f::UnitZ()))
        .toRotationMatrix();
}

Eigen::Isometry3f wrist_of(const Script& script, const Moment& moment) {
    const Vector3f anchor_in_wrist =
        tracking::pose_from_angles(tracking::default_profile(), script.anchor_angles, Eigen::Isometry3f::Identity(),
                                   script.side)[script.anchor]
            .position_m;
    Eigen::Isometry3f world_from_wrist = Eigen::Isometry3f::Identity();
    world_from_wrist.linear() = turned(moment.pitch_rad, moment.yaw_rad, moment.roll_rad);
    world_from_wrist.translation() = moment.anchor_m - world_from_wrist.linear() * anchor_in_wrist;
    return world_from_wrist;
}

Recording play(std::span<const Script> hands, std::string name) {
    Recording recording;
    recording.path = std::move(name);
    recording.format = "sample";
    recording.in_scene = true;
    recording.notes = {std::string("Synthetic: ") + (hands.size() > 1 ? "scripted hands" : "a scripted hand") +
                       " with a tracker's noise" +
                       (hands.front().gap_to_s > 0.0F ? ", rate jitter and one gap" : " and rate jitter") +
                       "; no one moved it."};
    recording.profiles.fill(tracking::default_profile());
    std::vector<Player> players;
    for (const Script& script : hands) {
        recording.profiles[script.side].origin = "default, as the script uses it";
        players.emplace_back(script);
    }

    const Script& first = hands.front();
    const auto count = static_cast<int>(static_cast<double>(first.moments.back().time_s) * kRate_hz);
    double last_s = 0.0;
    for (int n = 0; n <= count; ++n) {
        // Simulated delivery jitter: time stamps deviate by up to 0.4 ms and never go back.
        const double jitter_s = n == 0 ? 0.0 : 0.0008 * (static_cast<double>(players.front().noise().uniform()) - 0.5);
        const double time_s = std::max(last_s, n / kRate_hz + jitter_s);
        const auto dt_s = static_cast<float>(time_s - last_s);
        last_s = time_s;
        const auto t = static_cast<float>(time_s);

        tracking::HandPair sample;
        sample.time_ns = std::llround(time_s * 1e9);
        sample[Side::left].side = Side::left;
        sample[Side::right].side = Side::right;
        for (std::size_t i = 0; i < players.size(); ++i) sample[hands[i].side] = players[i].at(t, dt_s);
        for (HandFrame& frame : sample.hands) frame.times = {sample.time_ns, sample.time_ns, sample.time_ns};
        if (t > first.gap_from_s && t < first.gap_to_s) continue;
        recording.samples.push_back(sample);
    }
    return recording;
}

BoneDistance along_bone(std::function<float(const Vector3f&)> distance_m) {
    return [distance_m = std::move(distance_m)](const Vector3f& a_m, float radius_a_m, const Vector3f& b_m,
                                                float radius_b_m) {
        float min_m = 1.0F;
        for (int i = 0; i <= 4; ++i) {
            const float share = 0.25F * static_cast<float>(i);
            const Vector3f at_m = a_m + share * (b_m - a_m);
            min_m = std::min(min_m, distance_m(at_m) - radius_a_m - share * (radius_b_m - radius_a_m));
        }
        return min_m;
    };
}

HandAngles closed_by_touch(const HandAngles& open, const HandAngles& limit, const Eigen::Isometry3f& world_from_wrist,
                           Side side, const BoneDistance& distance_m) {
    constexpr float kStep_rad = 0.004F;
    constexpr float kPressed_m = 0.001F;
    constexpr std::array<Turn, 3> kOrder = {first_turn, second_turn, third_turn};
    HandAngles result = open, most = limit;
    for (std::size_t finger = 0; finger < tracking::kFingerCount; ++finger) {
        const int tip = 5 + 5 * static_cast<int>(finger);
        for (std::size_t turn = 0; turn < kOrder.size(); ++turn) {
            for (;;) {
                HandAngles next = result;
                kOrder[turn](next, finger) += kStep_rad;
                if (kOrder[turn](next, finger) > kOrder[turn](most, finger)) break;
                const HandFrame hand =
                    tracking::pose_from_angles(tracking::default_profile(), next, world_from_wrist, side);
                float nearest_m = 1.0F;
                for (int joint = tip - 3 + static_cast<int>(turn); joint < tip; ++joint) {
                    const tracking::JointPose &a = hand.joints[static_cast<std::size_t>(joint)],
                                              &b = hand.joints[static_cast<std::size_t>(joint) + 1];
                    nearest_m = std::min(nearest_m, distance_m(a.position_m, a.radius_m, b.position_m, b.radius_m));
                }
                if (nearest_m < -kPressed_m) break;
                result = next;
            }
        }
    }
    return result;
}

}  // namespace glovebox::recordings
