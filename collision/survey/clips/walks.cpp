#include "collision/survey/clips/walks.h"

#include <cmath>
#include <numbers>

namespace glovebox::collision::clips {
namespace {

constexpr double kDt_s = 1.0 / 30.0;

}  // namespace

double Dice::uniform(double low, double high) {
    constexpr double kUnit = 1.0 / 9007199254740992.0;  // 2^-53
    return low + (high - low) * kUnit * static_cast<double>(engine_() >> 11);
}

double Dice::normal() {
    // The Box-Muller transform; uses one of its two values.
    const double r = std::sqrt(-2.0 * std::log(1.0 - uniform(0.0, 1.0)));
    return r * std::cos(2.0 * std::numbers::pi * uniform(0.0, 1.0));
}

std::size_t Dice::below(std::size_t count) {
    return static_cast<std::size_t>(engine_() % count);
}

Clip wandering(Dice& dice, int samples, double radius_m) {
    // The turn rate is an Ornstein-Uhlenbeck process: random changes, and a pull back to straight ahead.
    constexpr double kTurnNoise = 2.4;  // rad / s^1.5
    constexpr double kReturn = 1.5;     // 1 / s
    Clip clip{{}, kDt_s};
    const double speed_m_s = 1.4 * dice.uniform(0.7, 1.3);
    Eigen::Vector2d at_m = Eigen::Vector2d::Zero();
    double heading_rad = 0.0, turn_rad_s = 0.0;
    for (int i = 0; i < samples; ++i) {
        clip.samples.push_back({at_m, radius_m});
        at_m += kDt_s * speed_m_s * Eigen::Vector2d(std::cos(heading_rad), std::sin(heading_rad));
        heading_rad += kDt_s * turn_rad_s;
        turn_rad_s += -kReturn * turn_rad_s * kDt_s + kTurnNoise * std::sqrt(kDt_s) * dice.normal();
    }
    return clip;
}

Clip circling(Dice& dice, int samples, double radius_m) {
    constexpr double kSpeed_m_s = 1.2;
    Clip clip{{}, kDt_s};
    const double circle_m = dice.uniform(1.0, 3.0);
    const double wobble_rad_s = dice.uniform(0.2, 0.6);
    const Eigen::Vector2d drift_m_s(dice.uniform(-0.03, 0.03), dice.uniform(-0.03, 0.03));
    double angle_rad = dice.uniform(0.0, 2.0 * std::numbers::pi);
    for (int i = 0; i < samples; ++i) {
        const double t_s = kDt_s * i;
        const double here_m = circle_m * (1.0 + 0.25 * std::sin(wobble_rad_s * t_s));
        const Eigen::Vector2d out(std::cos(angle_rad), std::sin(angle_rad));
        clip.samples.push_back({here_m * out + drift_m_s * t_s, radius_m});
        angle_rad += kDt_s * kSpeed_m_s / here_m;
    }
    return clip;
}

Clip standing(int samples, double radius_m) {
    return {std::vector<ClipSample>(static_cast<std::size_t>(samples), {Eigen::Vector2d::Zero(), radius_m}), kDt_s};
}

std::vector<Clip> short_clips(Dice& dice, double radius_m) {
    std::vector<Clip> clips;
    for (int i = 0; i < 51; ++i) clips.push_back(wandering(dice, 38 + i, radius_m));
    return clips;
}

std::vector<Clip> long_clips(Dice& dice, double radius_m) {
    std::vector<Clip> clips;
    for (int i = 0; i < 14; ++i) clips.push_back(circling(dice, 1260 + 40 * i - 260, radius_m));
    return clips;
}

std::vector<ClipQuery> random_queries(Dice& dice, const std::vector<Clip>& clips, int count, double spread_m,
                                      double share_time_probability) {
    std::vector<ClipQuery> queries;
    for (int k = 0; k < count; ++k) {
        const std::size_t a = dice.below(clips.size());
        const std::size_t b = (a + 1 + dice.below(clips.size() - 1)) % clips.size();
        // To share time, b begins at any time from a's start minus b's duration to a's end. Otherwise b begins after a.
        const double a_s = clips[a].duration_s(), b_s = clips[b].duration_s();
        const bool together = dice.uniform(0.0, 1.0) < share_time_probability;
        const double start_s = together ? dice.uniform(-b_s, a_s) : a_s + dice.uniform(0.1, 1.1) * b_s;
        const Eigen::Vector2d offset_m(dice.uniform(-spread_m, spread_m), dice.uniform(-spread_m, spread_m));
        queries.push_back({a, b, {}, placed(dice.uniform(0.0, 2.0 * std::numbers::pi), offset_m, start_s)});
    }
    return queries;
}

}  // namespace glovebox::collision::clips
