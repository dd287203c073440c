#include "tracking/hand_profile.h"

#include <algorithm>
#include <vector>

#include "tracking/median.h"

namespace glovebox::tracking {
namespace {

// Joint order: palm, wrist, thumb 4, index 5, middle 5, ring 5, little 5. Millimetres.
// Proximal and tip radii of the fingers are a tracker's defaults; the others taper between them. Metacarpal radii are
// those of one ray: devices report about half a palm there (21 mm), which is too thick for one bone.
constexpr std::array<float, kJointCount> kRadiusMm = {15.0F, 19.5F,                     //
                                                      14.5F, 12.5F, 10.2F, 8.4F,        //
                                                      12.5F, 10.3F, 8.6F,  7.6F, 6.6F,  //
                                                      12.5F, 11.2F, 8.7F,  7.6F, 6.6F,  //
                                                      12.0F, 9.9F,  8.1F,  7.1F, 6.2F,  //
                                                      11.0F, 8.5F,  7.0F,  6.2F, 5.4F};
// In each finger: wrist to the metacarpal's base, then bone by bone; the last is from the last joint to the fingertip.
constexpr std::array<float, kJointCount> kLengthMm = {0.0F,  0.0F,                        //
                                                      36.0F, 45.0F, 32.0F, 26.0F,         //
                                                      36.0F, 63.0F, 41.0F, 25.0F, 22.0F,  //
                                                      34.0F, 61.0F, 45.0F, 28.0F, 23.0F,  //
                                                      34.0F, 56.0F, 42.0F, 27.0F, 23.0F,  //
                                                      37.0F, 50.0F, 33.0F, 20.0F, 21.0F};
constexpr std::size_t kMaxFrames = 512;

bool usable(const JointPose& joint) {
    return joint.position_valid() && joint.position_m.allFinite();
}

// Sums the phalanges only: sources disagree about the wrist and the metacarpal bases, but not about finger bones.
float summed_finger_length_m(const std::array<float, kJointCount>& length_m,
                             const std::array<bool, kJointCount>& seen) {
    float sum_m = 0.0F;
    for (std::size_t i = 2; i < kJointCount; ++i)
        if (seen[i] && parent_of(static_cast<Joint>(i)) != Joint::wrist) sum_m += length_m[i];
    return sum_m;
}

}  // namespace

HandProfile default_profile() {
    HandProfile profile;
    for (std::size_t i = 0; i < kJointCount; ++i) {
        profile.radius_m[i] = 1e-3F * kRadiusMm[i];
        profile.length_to_parent_m[i] = 1e-3F * kLengthMm[i];
    }
    profile.origin = "default";
    return profile;
}

HandProfile scaled_profile(float scale) {
    HandProfile profile = default_profile();
    for (float& radius_m : profile.radius_m) radius_m *= scale;
    for (float& length_m : profile.length_to_parent_m) length_m *= scale;
    profile.scale = scale;
    profile.origin = "default, scaled";
    return profile;
}

HandProfile fit_profile(std::span<const HandPair> samples, Side side) {
    std::array<std::vector<float>, kJointCount> lengths_m, radii_m;
    std::size_t frames = 0;
    const std::size_t stride = std::max<std::size_t>(1, samples.size() / kMaxFrames);
    for (std::size_t s = 0; s < samples.size(); s += stride) {
        const HandFrame& frame = samples[s][side];
        if (!frame.active) continue;
        ++frames;
        for (std::size_t i = 0; i < kJointCount; ++i) {
            const JointPose& joint = frame.joints[i];
            const JointPose& parent = frame[parent_of(static_cast<Joint>(i))];
            if (!usable(joint) || !usable(parent)) continue;
            lengths_m[i].push_back((joint.position_m - parent.position_m).norm());
            if (joint.radius_m > 0.0F && joint.radius_m <= kLargestRadius_m) radii_m[i].push_back(joint.radius_m);
        }
    }

    const HandProfile reference = default_profile();
    std::array<float, kJointCount> seen_length_m{};
    std::array<bool, kJointCount> seen{};
    for (std::size_t i = 0; i < kJointCount; ++i) {
        if (lengths_m[i].empty()) continue;
        seen_length_m[i] = median(lengths_m[i]);
        seen[i] = seen_length_m[i] > 0.0F;
    }
    const float reference_sum_m = summed_finger_length_m(reference.length_to_parent_m, seen);
    if (reference_sum_m <= 0.0F) return reference;

    const float scale = summed_finger_length_m(seen_length_m, seen) / reference_sum_m;
    HandProfile profile = scaled_profile(scale);
    for (std::size_t i = 0; i < kJointCount; ++i) {
        if (seen[i]) profile.length_to_parent_m[i] = seen_length_m[i];
        if (!radii_m[i].empty()) profile.radius_m[i] = median(radii_m[i]);
    }
    profile.origin = "fitted from " + std::to_string(frames) + (frames == 1 ? " frame" : " frames");
    return profile;
}

void fill_radii(const HandProfile& profile, HandFrame& frame) {
    for (std::size_t i = 0; i < kJointCount; ++i)
        if (frame.joints[i].radius_m == 0.0F) frame.joints[i].radius_m = profile.radius_m[i];
}

}  // namespace glovebox::tracking
