// Table of the bundled recordings, and the scripts of the first two, on the table with the ball.
//
// Scene of both: table top at y = 0, a ball of 35 mm radius resting on it at the origin; the hand comes from +z.
#include <algorithm>
#include <array>
#include <cmath>

#include "recordings/load.h"
#include "recordings/samples/scene_samples.h"
#include "recordings/samples/script.h"

namespace glovebox::recordings {
namespace {

using Eigen::Vector3f;
using tracking::HandAngles;
using tracking::HandFrame;
using tracking::Joint;
using tracking::Side;

constexpr float kBallRadius_m = 0.035F;
const Vector3f kBallCentre_m = {0.0F, kBallRadius_m, 0.0F};

// The index finger is bent under the thumb, ready to flick; the others are in a loose fist.
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
    // The anchor is the middle joint of the bent index finger, the foremost point of the hand. It touches the ball at
    // z = 35 + 8.6 mm.
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
    return play({&script, 1}, "flick");
}

float distance_to_ball_m(const Vector3f& a_m, float radius_a_m, const Vector3f& b_m, float radius_b_m) {
    const Vector3f bone = b_m - a_m;
    const float t = std::clamp((kBallCentre_m - a_m).dot(bone) / bone.squaredNorm(), 0.0F, 1.0F);
    const float radius_m = (1.0F - t) * radius_a_m + t * radius_b_m;
    return (a_m + t * bone - kBallCentre_m).norm() - radius_m - kBallRadius_m;
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
    const HandAngles closed = closed_by_touch(open, limit, world_from_wrist, Side::right, distance_to_ball_m);

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
    return play({&script, 1}, "grasp");
}

constexpr std::array kSamples = {
    SampleRow{"flick", "a hand approaches, pushes a ball over a table and flicks it away, twice", "table-and-ball",
              make_flick},
    SampleRow{"grasp", "a hand closes round a ball on a table, holds it and lets go", "held-ball", make_grasp},
    SampleRow{"type", "one finger types eight keys", "keyboard", make_type},
    SampleRow{"lift", "a hand grasps a cup, lifts it and sets it down", "cup-to-grasp", make_lift},
    SampleRow{"insert", "a hand takes a peg, puts it into its hole and lets go", "peg-in-hole", make_insert},
    SampleRow{"turn", "a hand turns a wheel, lets go, takes hold again and turns it back", "valve", make_turn},
    SampleRow{"explore", "a finger feels its way over a scanned desk", "room-scan", make_explore},
    SampleRow{"stroke", "a fingertip strokes four textures, slowly and fast", "texture-board", make_stroke},
    SampleRow{"carry", "two hands lift a crate between their palms and set it down", "two-hands", make_carry},
    SampleRow{"fetch", "a hand points at a ball and a cup on a shelf and pinches: they come", "out-of-reach",
              make_fetch},
};

}  // namespace

std::span<const SampleRow> sample_table() {
    return kSamples;
}

}  // namespace glovebox::recordings
