// Calibration of glove sensors, from raw values to radians. It is read from a file or fitted to poses that the user
// holds.
//
// Sensors are assumed to be linear: angle = gain * raw + bias. Two known angles determine the gain and bias of a
// sensor. If more are known, they are fitted by least squares; the residual then shows how linear the sensor is.
#pragma once

#include <span>
#include <string_view>
#include <vector>

namespace glovebox::tracking {

/// Converts a raw sensor value to radians. A gain of 0 switches the sensor off.
struct SensorCalibration {
    float gain_rad = 0.0F, bias_rad = 0.0F;
    float angle_rad(float raw) const { return gain_rad * raw + bias_rad; }
};

/// Parses a two-point file: one line per sensor, `rad1:raw1 rad2:raw2`. Throws std::runtime_error with line and reason
/// if the text has another form or the two raw values of a sensor are equal.
std::vector<SensorCalibration> parse_two_point_calibration(std::string_view text);

/// Parses a gain and offset file: one line per sensor, `gain offset`, in radians per raw unit and radians; `#` begins a
/// comment. Throws std::runtime_error with line and reason.
std::vector<SensorCalibration> parse_gain_offset_calibration(std::string_view text);

/// Parses either format. A text that contains a colon is parsed as a two-point file.
std::vector<SensorCalibration> parse_calibration(std::string_view text);

/// The raw values of all sensors at one instant.
struct SensorSample {
    double time_s = 0.0;
    std::vector<float> raw;
};

/// A range of sample indices from `first` to `last`, both included.
struct SampleSpan {
    std::size_t first = 0, last = 0;
};

/// Finds the held poses, in time order: spans of at least `min_s` in which no sensor moves by more than 6 % of its
/// range. Successive spans with the same pose are merged. The result leaves out the first third of each span, in which
/// the hand settles.
std::vector<SampleSpan> find_held_poses(std::span<const SensorSample> samples, double min_s = 0.5);

struct CalibrationFit {
    std::vector<SensorCalibration> sensors;
    std::vector<float> residual_rad;  ///< root mean square error per sensor
    /// True for a sensor that hardly moved. Its gain is 0 and its bias is the mean of its targets.
    std::vector<bool> still;
};

/// Fits each sensor by least squares to its target angles in the held poses. `targets_rad[pose][sensor]` belongs to
/// `spans[pose]`; NaN means that the pose does not define the sensor's angle. Asserts that there is one row of targets
/// for each span and one target for each sensor.
CalibrationFit fit_calibration(std::span<const SensorSample> samples, std::span<const SampleSpan> spans,
                               std::span<const std::vector<float>> targets_rad);

}  // namespace glovebox::tracking
