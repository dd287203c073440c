// From what a glove's sensors say to radians: calibration files, and calibration from poses that were held.
//
// Sensors are taken as linear: angle = gain * raw + bias. Two known angles would be enough; more are fitted by least
// squares and say by what is left over how linear the sensor is.
#pragma once

#include <span>
#include <string_view>
#include <vector>

namespace glovebox::tracking {

/// Raw sensor word to radians. A gain of 0 is a sensor that the calibration switches off.
struct SensorCalibration {
    float gain_rad = 0.0F, bias_rad = 0.0F;
    float angle_rad(float raw) const { return gain_rad * raw + bias_rad; }
};

/// The two-point file: one line a sensor, `rad1:raw1 rad2:raw2`. Throws std::runtime_error with line and reason for
/// anything else, two equal raw values included.
std::vector<SensorCalibration> parse_two_point_calibration(std::string_view text);

/// The gain and offset file: one line a sensor, `gain offset`, radians a raw step and radians; `#` begins a comment.
/// Throws std::runtime_error with line and reason.
std::vector<SensorCalibration> parse_gain_offset_calibration(std::string_view text);

/// Either of the two, told by the colons.
std::vector<SensorCalibration> parse_calibration(std::string_view text);

/// What all sensors said at one instant.
struct SensorSample {
    double time_s = 0.0;
    std::vector<float> raw;
};

/// A stretch of samples, ends included.
struct SampleSpan {
    std::size_t first = 0, last = 0;
};

/// The poses that were held, in time order: stretches of at least `least_s` in which no sensor moves by more than 6 %
/// of its own range. Neighbours that hold the same pose are one. The first third of each, in which the hand settles, is
/// left out.
std::vector<SampleSpan> find_held_poses(std::span<const SensorSample> samples, double least_s = 0.5);

struct CalibrationFit {
    std::vector<SensorCalibration> sensors;
    std::vector<float> residual_rad;  ///< root of the mean square that is left, per sensor
    std::vector<bool> still;          ///< sensors that hardly moved: switched off, with the mean of the targets
};

/// Fits each sensor to the angle that it should have said in each held pose. `targets_rad[pose][sensor]` belongs to
/// `spans[pose]`; a target that is NaN says that the pose does not tell. Asserts on sizes that do not agree.
CalibrationFit fit_calibration(std::span<const SensorSample> samples, std::span<const SampleSpan> spans,
                               std::span<const std::vector<float>> targets_rad);

}  // namespace glovebox::tracking
