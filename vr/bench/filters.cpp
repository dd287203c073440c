// Evaluates the One-Euro filter and the prediction on recorded hands: lag and jitter before and after filtering, the
// error of predicted hands, and the error of throw velocities.
//
// The reference is the recording itself after the guard: positions of wrist and fingertips, in metres.
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>
#include <optional>
#include <span>

#include "recordings/load.h"
#include "scenes/release_velocity.h"
#include "tracking/filter.h"
#include "tracking/guard.h"
#include "tracking/prediction.h"
#include "vr/bench/bench.h"
#include "vr/bench/measure.h"

namespace glovebox::vr {
namespace {

using Eigen::Vector3d;
using tracking::HandFrame;
using tracking::Joint;

using Frames = std::vector<HandFrame>;  // of one hand, in time order

constexpr std::array kJoints = {Joint::wrist,      Joint::thumb_tip, Joint::index_tip,
                                Joint::middle_tip, Joint::ring_tip,  Joint::little_tip};
constexpr double kMaxLag_s = 0.25;
constexpr double kWindow_s = 0.1;          // half width of the high pass: jitter is motion above 5 Hz
constexpr double kRest_m = 0.0005;         // a joint rests if its mean moves by less than this between half windows
constexpr double kFast_m_s = 0.5;          // an everyday reach
constexpr std::size_t kMaxQueries = 3000;  // frames of a recording that are used for lag; more change nothing

struct Take {
    std::string name;
    Frames frames;
};

void add_takes(const std::string& name, const recordings::Recording& recording, std::vector<Take>& takes) {
    for (const tracking::Side side : tracking::kSides) {
        if (!recording.has(side)) continue;
        Take& take = takes.emplace_back();
        take.name = name + " " + std::string(name_of(side));
        tracking::Guard guard;
        for (const tracking::HandPair& sample : recording.samples) guard.pass(sample[side], take.frames.emplace_back());
    }
}

std::vector<Take> takes_of(const BenchOptions& options) {
    std::vector<Take> takes;
    for (const std::string& file : options.files) add_takes(file, recordings::load(file), takes);
    if (options.files.empty())
        for (const recordings::SampleRow& sample : recordings::sample_table()) {
            add_takes(std::string(sample.name), sample.make(), takes);
            if (options.quick) break;
        }
    return takes;
}

bool is_tracked(const HandFrame& frame) {
    return frame.active && frame.source != tracking::Source::held;
}

// Returns whether the motion from frame i - 1 to frame i is continuous.
bool continues(const Frames& frames, std::size_t i) {
    return is_tracked(frames[i]) && is_tracked(frames[i - 1]) && !frames[i].discontinuous &&
           frames[i].times.common_ns > frames[i - 1].times.common_ns &&
           frames[i].times.common_ns - frames[i - 1].times.common_ns <= 100'000'000;
}

double time_s(const HandFrame& frame) {
    return 1e-9 * static_cast<double>(frame.times.common_ns);
}

Vector3d position_m(const HandFrame& frame, Joint joint) {
    return frame[joint].position_m.cast<double>();
}

// Interpolates the joint's position at `shift_s` after frame i (before it if negative). Empty across a gap.
std::optional<Vector3d> position_at(const Frames& frames, std::size_t i, Joint joint, double shift_s) {
    const double at_s = time_s(frames[i]) + shift_s;
    std::size_t after = i;
    while (time_s(frames[after]) < at_s) {
        if (++after == frames.size() || !continues(frames, after)) return std::nullopt;
    }
    while (after > 0 && time_s(frames[after - 1]) >= at_s) {
        if (!continues(frames, after)) return std::nullopt;
        --after;
    }
    if (time_s(frames[after]) == at_s) return position_m(frames[after], joint);
    if (after == 0 || !continues(frames, after)) return std::nullopt;
    const double from_s = time_s(frames[after - 1]), to_s = time_s(frames[after]);
    const double t = (at_s - from_s) / (to_s - from_s);
    return (1.0 - t) * position_m(frames[after - 1], joint) + t * position_m(frames[after], joint);
}

// Returns the joint's mean speed over the last 50 ms.
std::optional<double> speed_m_s(const Frames& frames, std::size_t i, Joint joint) {
    const auto before = position_at(frames, i, joint, -0.05);
    if (!before) return std::nullopt;
    return (position_m(frames[i], joint) - *before).norm() / 0.05;
}

struct Look {
    std::size_t frame;
    Joint joint;
};

// Returns the shift of the raw path that fits the filtered one best, by least squares; empty if nothing moved fast
// enough.
std::optional<double> lag_ms(const Frames& raw, const Frames& filtered, double min_speed_m_s) {
    std::vector<Look> looks;
    const std::size_t stride = std::max<std::size_t>(1, raw.size() / kMaxQueries);
    for (std::size_t i = 0; i < raw.size(); i += stride)
        for (const Joint joint : kJoints) {
            if (!is_tracked(raw[i]) || !position_at(raw, i, joint, -kMaxLag_s)) continue;
            if (const auto speed = speed_m_s(raw, i, joint); speed && *speed >= min_speed_m_s)
                looks.push_back({i, joint});
        }
    if (looks.size() < 20) return std::nullopt;
    double best_ms = 0.0, least = std::numeric_limits<double>::infinity();
    for (double shift_ms = 0.0; shift_ms <= 1000.0 * kMaxLag_s - 1.0; shift_ms += 1.0) {
        double sum = 0.0;
        for (const Look& look : looks) {
            const auto then = position_at(raw, look.frame, look.joint, -0.001 * shift_ms);
            sum += (position_m(filtered[look.frame], look.joint) - *then).squaredNorm();
        }
        if (sum < least) {
            least = sum;
            best_ms = shift_ms;
        }
    }
    return best_ms;
}

// Returns the RMS of a resting joint's motion above 5 Hz: its distance from its mean over a window around it. The raw
// path decides which joints rest, so that both paths are measured over the same intervals.
std::optional<double> rest_jitter_mm(const Frames& raw, const Frames& path) {
    double sum = 0.0;
    std::int64_t count = 0;
    const auto window_of = [&raw](std::size_t i) {
        std::size_t from = i, to = i;
        while (from > 0 && continues(raw, from) && time_s(raw[i]) - time_s(raw[from - 1]) <= kWindow_s) --from;
        while (to + 1 < raw.size() && continues(raw, to + 1) && time_s(raw[to + 1]) - time_s(raw[i]) <= kWindow_s) ++to;
        return std::pair(from, to);
    };
    const auto mean = [](const Frames& frames, std::size_t from, std::size_t to, Joint joint) {
        Vector3d total = Vector3d::Zero();
        for (std::size_t k = from; k <= to; ++k) total += position_m(frames[k], joint);
        return Vector3d(total / static_cast<double>(to - from + 1));
    };
    for (std::size_t i = 0; i < raw.size(); ++i) {
        if (!is_tracked(raw[i])) continue;
        const auto [from, to] = window_of(i);
        if (to - from < 6 || from == i || to == i) continue;
        for (const Joint joint : kJoints) {
            if ((mean(raw, from, i - 1, joint) - mean(raw, i + 1, to, joint)).norm() > kRest_m) continue;
            sum += (position_m(path[i], joint) - mean(path, from, to, joint)).squaredNorm();
            ++count;
        }
    }
    if (count < 60) return std::nullopt;
    return 1000.0 * std::sqrt(sum / static_cast<double>(count));
}

// Returns the 99th percentile of the difference in bone length from the raw hand.
double stretch_mm(const Frames& raw, const Frames& filtered) {
    std::vector<double> differences;
    const auto length_m = [](const HandFrame& frame, std::size_t i) {
        return (frame.joints[i].position_m - frame[parent_of(static_cast<Joint>(i))].position_m).norm();
    };
    for (std::size_t f = 0; f < raw.size(); ++f)
        for (std::size_t i = 2; is_tracked(raw[f]) && i < tracking::kJointCount; ++i)
            differences.push_back(double{std::abs(length_m(raw[f], i) - length_m(filtered[f], i))});
    if (differences.empty()) return 0.0;
    const auto at = differences.begin() + static_cast<std::ptrdiff_t>(0.99 * static_cast<double>(differences.size()));
    std::nth_element(differences.begin(), at, differences.end());
    return 1000.0 * *at;
}

nlohmann::ordered_json or_null(const std::optional<double>& value) {
    return value ? nlohmann::ordered_json(*value) : nlohmann::ordered_json();
}

struct FilterCost {
    std::optional<double> lag_ms, fast_lag_ms, jitter_mm;
};

FilterCost measure_filter(const Take& take, const std::string& setting, BenchResult& result) {
    tracking::HandFilter filter;
    filter.settings = tracking::parse_filter(setting);
    Frames filtered(take.frames.size());
    for (std::size_t i = 0; i < filtered.size(); ++i) filter.pass(take.frames[i], filtered[i]);
    const FilterCost cost = {lag_ms(take.frames, filtered, 0.02), lag_ms(take.frames, filtered, kFast_m_s),
                             rest_jitter_mm(take.frames, filtered)};
    result.rows.push_back({{"recording", take.name},
                           {"filter", tracking::text_of(filter.settings)},
                           {"lag_ms", or_null(cost.lag_ms)},
                           {"lag_above_0.5_m_s_ms", or_null(cost.fast_lag_ms)},
                           {"rest_jitter_mm", or_null(cost.jitter_mm)},
                           {"bone_stretch_p99_mm", stretch_mm(take.frames, filtered)}});
    return cost;
}

struct Ahead {
    double predicted_mm = 0.0, still_mm = 0.0;    ///< root mean square of moving joints
    double worst_mm = 0.0, worst_still_mm = 0.0;  ///< 99th percentile
};

// Measures the error of moving joints with prediction, and without.
std::optional<Ahead> measure_ahead(const Frames& frames, const tracking::PredictionSettings& settings,
                                   double horizon_s) {
    std::vector<double> predicted_m, still_m;
    tracking::HandMotion motion;
    motion.settings = settings;
    for (std::size_t i = 0; i < frames.size(); ++i) {
        motion.take(frames[i]);
        const HandFrame ahead = predict(motion, horizon_s);
        if (ahead.source != tracking::Source::extrapolated) continue;
        for (const Joint joint : kJoints) {
            const auto speed = speed_m_s(frames, i, joint);
            const auto truth = position_at(frames, i, joint, horizon_s);
            if (!speed || !truth || *speed < 0.1) continue;
            predicted_m.push_back((position_m(ahead, joint) - *truth).norm());
            still_m.push_back((position_m(frames[i], joint) - *truth).norm());
        }
    }
    if (predicted_m.size() < 20) return std::nullopt;
    const auto rms_mm = [](std::span<const double> values) {
        double sum = 0.0;
        for (const double value : values) sum += value * value;
        return 1000.0 * std::sqrt(sum / static_cast<double>(values.size()));
    };
    const auto p99_mm = [](std::vector<double>& values) {
        const auto at = values.begin() + static_cast<std::ptrdiff_t>(0.99 * static_cast<double>(values.size()));
        std::nth_element(values.begin(), at, values.end());
        return 1000.0 * *at;
    };
    return Ahead{rms_mm(predicted_m), rms_mm(still_m), p99_mm(predicted_m), p99_mm(still_m)};
}

// ---- the velocity of a throw

// Estimates use only samples up to the release; the true velocity is the slope over 20 ms to either side.
constexpr double kSide_s = 0.02, kThrown_m_s = 0.4;

Vector3d slope(std::span<const scenes::CarriedPose> poses) {  // of the fitted line
    double t_mean = 0.0, squares = 0.0;
    Vector3d mean = Vector3d::Zero(), product = Vector3d::Zero();
    for (const scenes::CarriedPose& pose : poses) {
        t_mean += pose.time_s / static_cast<double>(poses.size());
        mean += pose.position_m.cast<double>() / static_cast<double>(poses.size());
    }
    for (const scenes::CarriedPose& pose : poses) {
        squares += (pose.time_s - t_mean) * (pose.time_s - t_mean);
        product += (pose.time_s - t_mean) * (pose.position_m.cast<double>() - mean);
    }
    return product / squares;
}

// Throw velocity at the wrist, from the last two samples, a line over the window, and a parabola (the method in use).
void measure_release(const Take& take, BenchResult& result, std::vector<Measured>& shares) {
    constexpr std::array kFits = {"last two samples", "line", "parabola"};
    std::array<std::vector<double>, kFits.size()> errors_m_s, biases_m_s;
    std::vector<scenes::CarriedPose> poses;
    for (std::size_t i = 1; i < take.frames.size(); ++i) {
        if (!continues(take.frames, i)) poses.clear();
        if (!is_tracked(take.frames[i])) continue;
        const double at_s = time_s(take.frames[i]);
        const auto& wrist = take.frames[i][Joint::wrist];
        poses.push_back({at_s, wrist.position_m, wrist.orientation});
        const auto before = position_at(take.frames, i, Joint::wrist, -kSide_s);
        const auto after = position_at(take.frames, i, Joint::wrist, kSide_s);
        const std::span<const scenes::CarriedPose> all(poses);
        const auto first = std::find_if(all.begin(), all.end(), [&](const scenes::CarriedPose& pose) {
            return pose.time_s >= at_s - scenes::kReleaseWindow_s - 1e-6;
        });
        const auto window = all.subspan(static_cast<std::size_t>(first - all.begin()));
        if (!before || !after || window.size() < 5) continue;
        const Vector3d truth_m_s = (*after - *before) / (2.0 * kSide_s);
        if (truth_m_s.norm() < kThrown_m_s) continue;
        const std::array<Vector3d, kFits.size()> found = {slope(window.last(2)), slope(window),
                                                          release_velocity(all, at_s).linear_m_s.cast<double>()};
        for (std::size_t fit = 0; fit < kFits.size(); ++fit) {
            errors_m_s[fit].push_back((found[fit] - truth_m_s).squaredNorm());
            biases_m_s[fit].push_back(found[fit].norm() - truth_m_s.norm());
        }
    }
    if (errors_m_s[0].size() < 20) return;
    const auto mean = [](std::span<const double> values) {
        return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
    };
    for (std::size_t fit = 0; fit < kFits.size(); ++fit)
        result.rows.push_back({{"recording", take.name},
                               {"velocity_by", kFits[fit]},
                               {"moments", errors_m_s[fit].size()},
                               {"error_m_s", std::sqrt(mean(errors_m_s[fit]))},
                               {"faster_by_m_s", mean(biases_m_s[fit])}});
    shares.push_back(exact(std::sqrt(mean(errors_m_s[2]) / mean(errors_m_s[1])), take.name));
}

}  // namespace

BenchResult bench_filters(const BenchOptions& options) {
    BenchResult result;
    const std::vector<Take> takes = takes_of(options);

    const std::string usual = tracking::text_of(tracking::parse_filter("one-euro"));
    std::vector<std::string> settings = {"off",          usual,           "one-euro:0.5,10",
                                         "one-euro:1,5", "one-euro:2,20", "one-euro:1,20"};
    std::vector<Measured> shares, lags;
    for (const Take& take : takes) {
        std::optional<double> jitter_mm;
        for (const std::string& setting : settings) {
            const FilterCost cost = measure_filter(take, setting, result);
            if (setting == "off") jitter_mm = cost.jitter_mm;
            if (setting != usual) continue;
            if (jitter_mm && cost.jitter_mm && *jitter_mm > 0.0)
                shares.push_back(exact(*cost.jitter_mm / *jitter_mm, take.name));
            if (cost.fast_lag_ms) lags.push_back(exact(*cost.fast_lag_ms, take.name));
        }
    }
    result.claims.push_back(
        judge({"the usual filter leaves less than half of a resting hand's jitter on every recording",
               "this project's own aim", less_than(0.5)},
              shares));
    result.claims.push_back(
        judge({"and lags by less than 15 ms above 0.5 m/s", "this project's own aim", less_than(15, " ms")}, lags));

    const double never = std::numeric_limits<double>::infinity();
    const tracking::PredictionSettings by_default;
    std::vector<Measured> errors;
    for (const Take& take : takes)
        for (const double horizon_ms : {10.0, 20.0, 40.0})
            for (const auto& [damping_s, velocity_s] :
                 {std::pair(by_default.damping_s, by_default.velocity_s), std::pair(never, by_default.velocity_s),
                  std::pair(by_default.damping_s, 0.001), std::pair(0.05, 0.04)}) {
                tracking::PredictionSettings one;
                one.damping_s = damping_s;
                one.velocity_s = velocity_s;
                const std::optional<Ahead> ahead = measure_ahead(take.frames, one, 0.001 * horizon_ms);
                if (!ahead) continue;
                result.rows.push_back({{"recording", take.name},
                                       {"horizon_ms", horizon_ms},
                                       {"damping_s", std::isfinite(damping_s) ? three_digits(damping_s) : "none"},
                                       {"velocity_s", velocity_s},
                                       {"error_mm", ahead->predicted_mm},
                                       {"unpredicted_mm", ahead->still_mm},
                                       {"p99_mm", ahead->worst_mm},
                                       {"unpredicted_p99_mm", ahead->worst_still_mm}});
                if (one == by_default && horizon_ms == 20.0)
                    errors.push_back(exact(ahead->predicted_mm / ahead->still_mm, take.name));
            }
    result.claims.push_back(judge({"20 ms ahead, the prediction is nearer than none on every recording",
                                   "this project's own aim", less_than(1, " of the error")},
                                  errors));

    std::vector<Measured> releases;
    for (const Take& take : takes) measure_release(take, result, releases);
    result.claims.push_back(judge({"a throw's velocity by a parabola is nearer than by a line on every recording",
                                   "this project's own aim", less_than(1, " of the error")},
                                  releases));
    return result;
}

}  // namespace glovebox::vr
