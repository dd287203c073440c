#include "recordings/samples/scene_samples.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "recordings/samples/script.h"

namespace glovebox::recordings {
namespace {

using Eigen::Vector3f;
using tracking::HandAngles;
using tracking::Joint;
using tracking::Side;

constexpr float kPalmFlesh_m = 0.026F;     // from the palm joint down to the skin at the ball of the little finger
constexpr float kMidPalmFlesh_m = 0.022F;  // from the palm joint down to the skin at the middle of the palm
constexpr float kTip_m = 0.0066F;          // radius of the index fingertip
constexpr float kPress_m = 0.001F;

// The index finger points down, the rest is a loose fist.
HandAngles pointing() {
    HandAngles angles;
    angles.thumb = {degrees(35), degrees(5), degrees(40), degrees(45)};
    angles.fingers = {bent(25, 15, 10), bent(75, 92, 50), bent(78, 95, 52), bent(80, 92, 50)};
    return angles;
}

// Fingers nearly straight, the thumb out of the way.
HandAngles open_hand() {
    HandAngles angles;
    angles.thumb = {degrees(-8), degrees(25), degrees(5), degrees(5)};
    angles.fingers = {bent(6, 8, 4, 4), bent(6, 8, 4), bent(6, 8, 4, -3), bent(6, 8, 4, -6)};
    return angles;
}

// The same with the thumb in the plane of the palm, which then lies flat on a side.
HandAngles flat_hand() {
    HandAngles angles = open_hand();
    angles.thumb = {degrees(-15), degrees(-10), degrees(0), degrees(0)};
    return angles;
}

// The open hand with the fingers bent down, over a bar.
HandAngles hooked_hand() {
    HandAngles angles = open_hand();
    for (tracking::FingerAngles& finger : angles.fingers) finger = bent(62, 12, 6);
    return angles;
}

// Thumb and fingers apart, to be closed from above.
HandAngles spread_hand() {
    HandAngles angles;
    angles.thumb = {degrees(-5), degrees(35), degrees(5), degrees(5)};
    angles.fingers = {bent(15, 15, 8, 8), bent(15, 18, 8), bent(15, 18, 8, -5), bent(15, 15, 8, -12)};
    return angles;
}

// Thumb and index fingertip meet, one skin 1 mm in the other; the other fingers are half bent.
HandAngles pinching_hand() {
    HandAngles angles;
    angles.thumb = {degrees(25), degrees(0), degrees(23), degrees(27)};
    angles.fingers = {bent(57, 40, 23, 1), bent(30, 35, 18), bent(34, 38, 20), bent(36, 40, 20)};
    return angles;
}

// Returns the angles with all joints bent to their limits; spread and abduction stay.
HandAngles fully_closed(const HandAngles& open) {
    HandAngles limit = open;
    limit.thumb.cmc_flex = degrees(65);
    limit.thumb.mcp_flex = degrees(50);
    limit.thumb.ip_flex = degrees(60);
    for (tracking::FingerAngles& finger : limit.fingers) {
        finger.mcp_flex = degrees(90);
        finger.pip_flex = degrees(100);
        finger.dip_flex = degrees(65);
    }
    return limit;
}

// Script of a pointing fingertip; the anchor is the centre of its ball.
class Fingertip {
  public:
    explicit Fingertip(std::uint32_t seed, float pitch_deg = 30.0F) : pitch_rad_(degrees(pitch_deg)) {
        script_.anchor = Joint::index_tip;
        script_.anchor_angles = pointing();
        script_.seed = seed;
    }
    // Adds a moment `seconds` after the previous one.
    Fingertip& to(float seconds, const Vector3f& tip_m) {
        time_s_ += seconds;
        script_.moments.push_back({time_s_, tip_m, pitch_rad_, pointing()});
        return *this;
    }
    Fingertip& lost(float from_s, float to_s) {
        script_.gap_from_s = from_s;
        script_.gap_to_s = to_s;
        return *this;
    }
    float time_s() const { return time_s_; }
    Recording recorded(std::string name) const { return play({&script_, 1}, std::move(name)); }

  private:
    Script script_;
    float pitch_rad_, time_s_ = 0.0F;
};

// Script of a grasping hand; the anchor is the palm, and close() closes the fingers around an object.
class Grasper {
  public:
    Grasper(Side side, std::uint32_t seed, const HandAngles& open, float pitch_rad = 0.0F, float roll_rad = 0.0F)
        : open_(open), angles_(open), pitch_rad_(pitch_rad), roll_rad_(roll_rad) {
        script_.side = side;
        script_.anchor = Joint::palm;
        script_.anchor_angles = open;
        script_.seed = seed;
    }
    Grasper& to(float seconds, const Vector3f& palm_m, float yaw_rad = 0.0F) {
        time_s_ += seconds;
        script_.moments.push_back({time_s_, palm_m, pitch_rad_, angles_, yaw_rad, roll_rad_});
        return *this;
    }
    Grasper& stay(float seconds) {
        const Moment last = script_.moments.back();
        return to(seconds, last.anchor_m, last.yaw_rad);
    }
    // Closes the hand at its current pose around an object there.
    Grasper& close(float seconds, const BoneDistance& distance_m) {
        const Moment last = script_.moments.back();
        angles_ = closed_by_touch(open_, fully_closed(open_), wrist_of(script_, last), script_.side, distance_m);
        return to(seconds, last.anchor_m, last.yaw_rad);
    }
    // Brings thumb and index finger together, at any distance from an object.
    Grasper& pinch(float seconds) {
        angles_ = pinching_hand();
        return stay(seconds);
    }
    Grasper& open(float seconds) {
        angles_ = open_;
        return stay(seconds);
    }
    const Script& script() const { return script_; }
    Recording recorded(std::string name) const { return play({&script_, 1}, std::move(name)); }

  private:
    Script script_;
    HandAngles open_, angles_;
    float pitch_rad_, roll_rad_, time_s_ = 0.0F;
};

// The right palm faces -x, the thumb is up; the left one's mirror image.
constexpr float kOnEdge_rad = degrees(-90);

}  // namespace

Recording make_type() {
    constexpr float kPitch_m = 0.019F, kTop_m = 0.0155F;
    constexpr std::array<std::array<int, 2>, 8> kKeys = {
        {{1, 2}, {1, 5}, {2, 4}, {0, 7}, {2, 7}, {3, 3}, {1, 0}, {0, 4}}};
    Fingertip finger(20050, 28.0F);
    finger.to(0.0F, {0.08F, 0.16F, 0.22F}).to(0.8F, {-0.02F, 0.06F, 0.05F});
    for (const auto& [row, column] : kKeys) {
        const float x_m = kPitch_m * (static_cast<float>(column) - 4.5F + 0.25F * static_cast<float>(row)),
                    z_m = kPitch_m * (static_cast<float>(row) - 1.5F), touch_m = kTop_m + kTip_m;
        finger.to(0.42F, {x_m, touch_m + 0.016F, z_m})
            .to(0.14F, {x_m, touch_m - 0.0035F - kPress_m, z_m})
            .to(0.10F, {x_m, touch_m - 0.0035F - kPress_m, z_m})
            .to(0.16F, {x_m, touch_m + 0.016F, z_m});
    }
    finger.to(0.8F, {0.06F, 0.15F, 0.20F});
    return finger.lost(finger.time_s() - 0.6F, finger.time_s() - 0.4F).recorded("type");
}

Recording make_lift() {
    // A cup, 90 mm high, with a radius of 36 mm at the rim and 80 % of that at the bottom.
    const auto cup_m = along_bone([](const Vector3f& p) {
        const float wall_m = 0.036F * (0.8F + 0.2F * std::clamp(p.y() / 0.09F, 0.0F, 1.0F));
        return std::hypot(p.x(), p.z()) - wall_m;
    });
    const auto over_cup = [](float lift_m, float aside_m = 0.0F) {
        return Vector3f(-0.008F + aside_m, 0.125F + lift_m, 0.010F);
    };
    Grasper hand(Side::right, 20051, spread_hand(), degrees(15));
    hand.to(0.0F, {0.18F, 0.30F, 0.26F})
        .to(0.6F, {0.17F, 0.29F, 0.24F})
        .to(1.1F, over_cup(0.10F))
        .to(0.7F, over_cup(0.0F));
    hand.stay(0.15F).close(0.7F, cup_m).stay(0.4F);
    hand.to(0.9F, over_cup(0.12F)).to(0.8F, over_cup(0.14F, 0.10F)).to(0.8F, over_cup(0.12F)).to(1.0F, over_cup(0.0F));
    hand.stay(0.3F).open(0.5F).stay(0.2F).to(0.6F, over_cup(0.10F)).to(0.9F, {0.17F, 0.29F, 0.25F});
    return hand.recorded("lift");
}

Recording make_insert() {
    // A peg of 126 mm on the table, diameter 60 mm, squeezed by 2 mm, which is more than the tracker's noise.
    constexpr float kPegAt_m = 0.16F, kPegTop_m = 0.127F, kSqueezed_m = 0.030F - 0.002F;
    const auto peg_m = along_bone([](const Vector3f& p) {
        return std::max(std::hypot(p.x() - kPegAt_m, p.z()) - kSqueezed_m, p.y() - kPegTop_m);
    });
    const auto over = [](float x_m, float lift_m) { return Vector3f(x_m - 0.008F, 0.165F + lift_m, 0.0F); };
    Grasper hand(Side::right, 20052, spread_hand(), degrees(15));
    hand.to(0.0F, {0.30F, 0.32F, 0.26F}).to(0.6F, {0.29F, 0.31F, 0.24F}).to(1.1F, over(kPegAt_m, 0.08F));
    hand.to(0.6F, over(kPegAt_m, 0.0F)).stay(0.15F).close(0.8F, peg_m).stay(0.4F);
    hand.to(0.8F, over(kPegAt_m, 0.06F)).to(1.3F, over(0.0F, 0.06F)).stay(0.5F).to(1.4F, over(0.0F, 0.002F)).stay(0.3F);
    hand.open(0.5F).stay(0.2F).to(0.6F, over(0.0F, 0.09F)).to(0.9F, {0.28F, 0.31F, 0.25F});
    return hand.recorded("insert");
}

Recording make_turn() {
    constexpr float kHeight_m = 0.12F, kRadius_m = 0.09F, kTube_m = 0.009F;
    const auto rim_m = along_bone([](const Vector3f& p) {
        return std::hypot(std::hypot(p.x(), p.z()) - kRadius_m, p.y() - kHeight_m) - kTube_m;
    });
    const auto at = [](float yaw_rad, float lift_m) {
        return Vector3f(Eigen::AngleAxisf(yaw_rad, Vector3f::UnitY()) *
                        Vector3f(0.0F, kHeight_m + kTube_m + kMidPalmFlesh_m - kPress_m + lift_m, kRadius_m + 0.012F));
    };
    const float left_rad = degrees(-30), right_rad = degrees(30);
    Grasper hand(Side::right, 20053, hooked_hand());
    hand.to(0.0F, {0.12F, 0.26F, 0.34F}, left_rad).to(0.6F, {0.10F, 0.24F, 0.30F}, left_rad);
    hand.to(1.0F, at(left_rad, 0.10F), left_rad);
    for (const float from_rad : {left_rad, right_rad}) {
        hand.to(0.5F, at(from_rad, 0.0F), from_rad).close(0.6F, rim_m).stay(0.3F);
        // Follow the arc in short straight pieces.
        for (int i = 1; i <= 6; ++i) {
            const float yaw_rad = from_rad * (1.0F - static_cast<float>(i) / 3.0F);
            hand.to(0.25F, at(yaw_rad, 0.0F), yaw_rad);
        }
        hand.stay(0.2F).open(0.4F).to(0.4F, at(-from_rad, 0.10F), -from_rad);
    }
    hand.to(0.9F, {0.12F, 0.25F, 0.32F}, left_rad);
    return hand.recorded("turn");
}

Recording make_explore() {
    // A book of 30 mm at x -0.02..0.16, a mug of 42 mm radius at (-0.22, -0.06).
    constexpr float kBook_m = 0.030F;
    const auto on = [](float x_m, float z_m, float height_m, float gap_m = -kPress_m) {
        return Vector3f(x_m, height_m + kTip_m + gap_m, z_m);
    };
    Fingertip finger(20054, 27.0F);
    // The mug's side, from the right.
    const float mug_x_m = -0.22F + 0.042F + kTip_m;
    finger.to(0.0F, {-0.02F, 0.20F, 0.26F}).to(0.9F, {mug_x_m + 0.03F, 0.07F, -0.05F});
    finger.to(0.4F, {mug_x_m - 0.002F, 0.07F, -0.06F}).to(0.4F, {mug_x_m - 0.002F, 0.07F, -0.06F});
    finger.to(0.4F, {mug_x_m + 0.04F, 0.09F, -0.04F});
    finger.to(0.5F, on(0.12F, -0.04F, kBook_m, 0.02F)).to(0.25F, on(0.12F, -0.04F, kBook_m));
    finger.to(0.9F, on(0.01F, -0.04F, kBook_m)).to(0.3F, on(-0.03F, -0.04F, kBook_m, 0.02F));
    finger.to(0.4F, on(-0.08F, -0.04F, 0.0F)).to(0.7F, on(-0.08F, 0.06F, 0.0F)).to(0.4F, on(-0.10F, 0.0F, 0.0F, 0.06F));
    finger.to(0.8F, on(0.24F, 0.12F, 0.0F, 0.03F));
    for (int pat = 0; pat < 2; ++pat)
        finger.to(0.25F, on(0.24F, 0.12F, 0.0F))
            .to(0.2F, on(0.24F, 0.12F, 0.0F))
            .to(0.2F, on(0.24F, 0.12F, 0.0F, 0.03F));
    finger.to(1.0F, {0.20F, 0.20F, 0.28F});
    return finger.lost(finger.time_s() - 0.6F, finger.time_s() - 0.4F).recorded("explore");
}

Recording make_stroke() {
    constexpr float kTop_m = 0.010F, kEnd_m = 0.160F;
    const auto on = [](float x_m, float z_m, float gap_m = -kPress_m) {
        return Vector3f(x_m, kTop_m + kTip_m + gap_m, z_m);
    };
    Fingertip finger(20055, 22.0F);
    finger.to(0.0F, {-0.10F, 0.16F, 0.24F}).to(0.9F, on(-kEnd_m, 0.0F, 0.02F)).to(0.3F, on(-kEnd_m, 0.0F));
    finger.to(2.6F, on(kEnd_m, 0.0F)).to(0.3F, on(kEnd_m, 0.02F, 0.02F)).to(0.3F, on(kEnd_m, 0.03F));
    finger.to(1.0F, on(-kEnd_m, 0.03F)).to(0.3F, on(-kEnd_m, 0.03F, 0.02F)).to(1.0F, {-0.08F, 0.17F, 0.25F});
    return finger.lost(finger.time_s() - 0.6F, finger.time_s() - 0.4F).recorded("stroke");
}

Recording make_carry() {
    constexpr float kCrateHalf_m = 0.13F;
    std::array<Script, 2> scripts;
    for (const Side side : {Side::right, Side::left}) {
        const float sign = side == Side::right ? 1.0F : -1.0F;
        const auto at = [&](float apart_m, float lift_m, float along_m = 0.0F) {
            return Vector3f(sign * (kCrateHalf_m + kPalmFlesh_m + apart_m) + along_m, 0.060F + lift_m, 0.035F);
        };
        Grasper hand(side, side == Side::right ? 20056U : 20057U, flat_hand(), 0.0F, sign * kOnEdge_rad);
        hand.to(0.0F, {sign * 0.28F, 0.18F, 0.24F}).to(0.5F, {sign * 0.27F, 0.16F, 0.22F}).to(1.0F, at(0.05F, 0.0F));
        hand.to(0.6F, at(-0.002F, 0.0F)).stay(0.4F).to(1.0F, at(-0.002F, 0.10F)).to(0.9F, at(-0.002F, 0.12F, 0.05F));
        hand.to(0.9F, at(-0.002F, 0.10F)).to(1.1F, at(-0.002F, 0.001F)).stay(0.2F).to(0.5F, at(0.06F, 0.0F));
        hand.to(0.9F, {sign * 0.28F, 0.17F, 0.23F});
        scripts[side == Side::right ? 0 : 1] = hand.script();
    }
    return play(scripts, "carry");
}

Recording make_fetch() {
    // The shelf is 0.12 m high and 0.72 m behind the table's middle, with the ball in its middle and the cup left of
    // it.
    const Vector3f from_m = {0.06F, 0.25F, 0.10F};
    const float ball_rad = std::atan2(0.06F, 0.82F), cup_rad = std::atan2(0.28F, 0.82F);
    Grasper hand(Side::right, 20058, open_hand(), degrees(10), kOnEdge_rad);
    hand.to(0.0F, {0.20F, 0.16F, 0.26F}).to(0.5F, {0.19F, 0.17F, 0.24F}).to(0.9F, from_m, ball_rad);
    hand.stay(0.5F).pinch(0.35F).stay(0.8F).to(0.9F, {0.12F, 0.12F, 0.06F}, ball_rad).stay(0.2F).open(0.4F).stay(0.4F);
    hand.to(0.8F, from_m, cup_rad).stay(0.5F).pinch(0.35F).stay(0.8F).to(0.9F, {-0.02F, 0.07F, 0.06F}, cup_rad);
    hand.stay(0.3F).open(0.4F).stay(0.4F).to(0.8F, {0.20F, 0.16F, 0.26F});
    return hand.recorded("fetch");
}

}  // namespace glovebox::recordings
