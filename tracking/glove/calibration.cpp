#include "tracking/glove/calibration.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <charconv>
#include <cmath>
#include <stdexcept>
#include <string>

#include "tracking/median.h"

namespace glovebox::tracking {
namespace {

constexpr std::size_t kMaxSensors = 64;
constexpr float kStillShare = 0.06F;  // fraction of a sensor's range; hands that hold a pose tremble by 1 to 3 %
constexpr float kNoiseSteps = 6.0F;   // range of noise, in median steps from one sample to the next
constexpr float kSamePose = 0.12F;    // poses closer than this fraction in every sensor are the same
constexpr float kMinRange = 1e-4F;    // raw range below which a sensor has no signal
constexpr float kMovedShare = 0.05F;  // minimum spread over poses, as a fraction of the range, to calibrate a sensor

[[noreturn]] void fail(int row, const char* reason) {
    throw std::runtime_error("calibration line " + std::to_string(row) + ": " + reason);
}

/// Calls `take(row, line)` for each line that is not blank.
template <class Take>
void for_each_line(std::string_view text, Take&& take) {
    int row = 0;
    while (!text.empty()) {
        ++row;
        const std::size_t end = text.find('\n');
        const std::string_view line = text.substr(0, end);
        text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
        if (line.find_first_not_of(" \t\r") != std::string_view::npos) take(row, line);
    }
}

// Parses finite numbers, each but the last followed by one character of `between`; spaces are skipped.
void parse_numbers(int row, std::string_view line, std::string_view between, const char* expected,
                   std::span<float> values) {
    const char* at = line.data();
    const char* const stop = at + line.size();
    for (std::size_t i = 0; i < values.size(); ++i) {
        while (at < stop && (*at == ' ' || *at == '\t')) ++at;
        const auto [next, error] = std::from_chars(at, stop, values[i]);
        if (error != std::errc() || !std::isfinite(values[i])) fail(row, expected);
        at = next;
        if (i == between.size()) break;
        const bool parted = at < stop && (*at == between[i] || (between[i] == ' ' && *at == '\t'));
        if (!parted) fail(row, expected);
        ++at;
    }
    if (std::any_of(at, stop, [](char c) { return c != ' ' && c != '\t' && c != '\r'; })) fail(row, expected);
}

void add(int row, const SensorCalibration& sensor, std::vector<SensorCalibration>& sensors) {
    if (!std::isfinite(sensor.gain_rad) || !std::isfinite(sensor.bias_rad)) fail(row, "the numbers are too large");
    sensors.push_back(sensor);
    if (sensors.size() > kMaxSensors) fail(row, "there are more than 64 sensors");
}

// Returns the range of each sensor, but at least the range of its noise.
std::vector<float> ranges_of(std::span<const SensorSample> samples) {
    const std::size_t count = samples.front().raw.size();
    std::vector<float> least = samples.front().raw, most = least;
    for (const SensorSample& sample : samples)
        for (std::size_t s = 0; s < count; ++s) {
            least[s] = std::min(least[s], sample.raw[s]);
            most[s] = std::max(most[s], sample.raw[s]);
        }
    std::vector<float> steps(samples.size() - 1);
    for (std::size_t s = 0; s < count; ++s) {
        for (std::size_t i = 0; i < steps.size(); ++i) steps[i] = std::abs(samples[i + 1].raw[s] - samples[i].raw[s]);
        const float noise = steps.empty() ? 0.0F : median(steps);
        most[s] = std::max(most[s] - least[s], kNoiseSteps / kStillShare * noise);
    }
    return most;
}

std::vector<float> mean_of(std::span<const SensorSample> samples, const SampleSpan& span) {
    std::vector<float> mean(samples.front().raw.size(), 0.0F);
    for (std::size_t i = span.first; i <= span.last; ++i)
        for (std::size_t s = 0; s < mean.size(); ++s) mean[s] += samples[i].raw[s];
    for (float& value : mean) value /= static_cast<float>(span.last - span.first + 1);
    return mean;
}

// Returns the largest difference as a fraction of the sensors' ranges.
float apart(std::span<const float> a, std::span<const float> b, std::span<const float> range) {
    float most = 0.0F;
    for (std::size_t s = 0; s < a.size(); ++s)
        if (range[s] > kMinRange) most = std::max(most, std::abs(a[s] - b[s]) / range[s]);
    return most;
}

}  // namespace

std::vector<SensorCalibration> parse_two_point_calibration(std::string_view text) {
    std::vector<SensorCalibration> sensors;
    for_each_line(text, [&sensors](int row, std::string_view line) {
        std::array<float, 4> v{};  // rad1 raw1 rad2 raw2
        parse_numbers(row, line, ": :", "'rad1:raw1 rad2:raw2' is expected", v);
        if (v[1] == v[3]) fail(row, "both points have the same raw value");
        const float gain_rad = (v[2] - v[0]) / (v[3] - v[1]);
        add(row, {gain_rad, v[0] - gain_rad * v[1]}, sensors);
    });
    if (sensors.empty()) throw std::runtime_error("calibration: there is no line 'rad1:raw1 rad2:raw2'");
    return sensors;
}

std::vector<SensorCalibration> parse_gain_offset_calibration(std::string_view text) {
    std::vector<SensorCalibration> sensors;
    for_each_line(text, [&sensors](int row, std::string_view line) {
        line = line.substr(0, line.find('#'));
        if (line.find_first_not_of(" \t\r") == std::string_view::npos) return;
        std::array<float, 2> v{};
        parse_numbers(row, line, " ", "'gain offset' is expected", v);
        add(row, {v[0], v[1]}, sensors);
    });
    if (sensors.empty()) throw std::runtime_error("calibration: there is no line 'gain offset'");
    return sensors;
}

std::vector<SensorCalibration> parse_calibration(std::string_view text) {
    return text.find(':') != std::string_view::npos ? parse_two_point_calibration(text)
                                                    : parse_gain_offset_calibration(text);
}

std::vector<SampleSpan> find_held_poses(std::span<const SensorSample> samples, double min_s) {
    std::vector<SampleSpan> held;
    if (samples.size() < 2) return held;
    const std::vector<float> range = ranges_of(samples);
    // Extend each span until a sensor leaves the band around its first value.
    for (std::size_t first = 0; first < samples.size();) {
        std::size_t last = first;
        while (last + 1 < samples.size() && apart(samples[first].raw, samples[last + 1].raw, range) <= kStillShare)
            ++last;
        if (samples[last].time_s - samples[first].time_s < min_s) {
            ++first;
            continue;
        }
        const SampleSpan span{first, last};
        if (!held.empty() && apart(mean_of(samples, held.back()), mean_of(samples, span), range) <= kSamePose) {
            held.back().last = last;
        } else {
            held.push_back(span);
        }
        first = last + 1;
    }
    for (SampleSpan& span : held) span.first += (span.last - span.first) / 3;
    return held;
}

CalibrationFit fit_calibration(std::span<const SensorSample> samples, std::span<const SampleSpan> spans,
                               std::span<const std::vector<float>> targets_rad) {
    assert(spans.size() == targets_rad.size() && !samples.empty());
    const std::size_t count = samples.front().raw.size();
    const std::vector<float> range = ranges_of(samples);
    std::vector<std::vector<float>> means;
    for (const SampleSpan& span : spans) means.push_back(mean_of(samples, span));

    CalibrationFit fit;
    fit.sensors.resize(count);
    fit.residual_rad.assign(count, 0.0F);
    fit.still.assign(count, false);
    for (std::size_t s = 0; s < count; ++s) {
        // Least squares line through (raw, angle): gain = cov(raw, angle) / var(raw).
        double n = 0.0, x = 0.0, y = 0.0;
        for (std::size_t p = 0; p < spans.size(); ++p) {
            assert(targets_rad[p].size() == count);
            if (!std::isfinite(targets_rad[p][s])) continue;
            n += 1.0;
            x += static_cast<double>(means[p][s]);
            y += static_cast<double>(targets_rad[p][s]);
        }
        if (n == 0.0) {
            fit.still[s] = true;
            continue;
        }
        x /= n;
        y /= n;
        double xx = 0.0, xy = 0.0;
        for (std::size_t p = 0; p < spans.size(); ++p) {
            if (!std::isfinite(targets_rad[p][s])) continue;
            const double dx = static_cast<double>(means[p][s]) - x;
            xx += dx * dx;
            xy += dx * (static_cast<double>(targets_rad[p][s]) - y);
        }
        const double spread = std::sqrt(xx / n);
        fit.still[s] = range[s] <= kMinRange || spread < static_cast<double>(kMovedShare * range[s]);
        const double gain = fit.still[s] ? 0.0 : xy / xx;
        fit.sensors[s] = {static_cast<float>(gain), static_cast<float>(y - gain * x)};
        double left = 0.0;
        for (std::size_t p = 0; p < spans.size(); ++p) {
            if (!std::isfinite(targets_rad[p][s])) continue;
            const double error =
                gain * (static_cast<double>(means[p][s]) - x) + y - static_cast<double>(targets_rad[p][s]);
            left += error * error;
        }
        fit.residual_rad[s] = static_cast<float>(std::sqrt(left / n));
    }
    return fit;
}

}  // namespace glovebox::tracking
