// Hand motion over time for the test runtime: keyframes, or a recording of 26 joints.
//
// Both give the 26 joints of XR_EXT_hand_tracking in the stage's frame, with radii. The motion is ideal: the caller
// adds faults and noise.
#pragma once

#include <openxr/openxr.h>

#include <array>
#include <string>
#include <vector>

namespace glovebox::tests::runtime {

struct JointSample {
    XrPosef stage_from_joint;
    float radius_m;
};
using HandSample = std::array<JointSample, XR_HAND_JOINT_COUNT_EXT>;

/// curl: 0 straight, 1 fist; one for the four fingers, one for the thumb.
struct HandKey {
    double time_s = 0.0;
    XrPosef stage_from_wrist;
    float curl = 0.1F, thumb_curl = 0.1F;
};

/// One hand's motion over time; loops. If it is empty, there is no hand.
struct HandMotion {
    std::vector<HandKey> keys;  ///< sorted by time

    struct Row {
        double time_s;
        std::array<XrPosef, XR_HAND_JOINT_COUNT_EXT> wrist_from_joint;
    };
    std::vector<Row> rows;  ///< from a recording; used instead of keys unless empty
    XrPosef stage_from_recording{};

    bool empty() const { return keys.empty() && rows.empty(); }
};

/// Returns the hand `time_s` after the start; `right` is a generated hand's side. The motion must not be empty.
HandSample sample(const HandMotion& motion, bool right, double time_s);

/// Reads rows of timestamp[ns] and 26 x (px py pz qw qx qy qz), metres, relative to the wrist; '#' lines are skipped.
/// `mirrored` turns a right hand into a left one and vice versa. Throws std::runtime_error with file, line and reason.
std::vector<HandMotion::Row> read_hand_csv(const std::string& path, bool mirrored);

/// Makes a hand that descends on a point, stays and leaves again, twice in five seconds: `tap` flat, `grip` closing.
HandMotion built_in_motion(const std::string& name, bool right, XrVector3f target_m);

}  // namespace glovebox::tests::runtime
