#include "vr/bench/closed_loop.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <deque>
#include <memory>
#include <numbers>
#include <random>

#include "tracking/formatted.h"
#include "vr/haptics/loop.h"

namespace glovebox::vr {
namespace {

using Eigen::Vector3f;
using tracking::formatted;

constexpr std::int64_t kStep_ns = 50'000;
constexpr double kStep_s = 1e-9 * static_cast<double>(kStep_ns);
constexpr std::int64_t kBegin_ns = 1'000'000'000;  // not 0, which means no time
constexpr double kRadius_m = 0.008;
constexpr double kAbove_m = 0.005;  // initial height of the finger
constexpr std::size_t kIndexTip = 7;
constexpr std::size_t kIndexPart = 1;

thread_local std::int64_t at_ns = 0;  // the model's clock, for the ledger

// A smooth step from 0 to 1 in unit time, with zero acceleration at both ends and maximum speed 15/8.
double go(double t) {
    t = std::clamp(t, 0.0, 1.0);
    return t * t * t * (10.0 + t * (6.0 * t - 15.0));
}

// Returns the target height of the finger's pad above the wall; negative inside.
double wanted_m(const ClosedLoop& loop, double t_s) {
    const auto way = [&](double length_m, double begin_s) {
        return length_m * go((t_s - begin_s) / (1.875 * length_m / loop.speed_m_s));
    };
    switch (loop.task) {
        case FingerTask::throw_at:
            return 0.0;
        case FingerTask::hit:
            return kAbove_m - way(kAbove_m + 0.010, 0.0);
        case FingerTask::press:
            return kAbove_m - (kAbove_m + 0.008) * go(t_s / 0.7);
        case FingerTask::stroke: {
            const double wave_m = t_s < 2.0 ? 0.0005 * std::sin(2.0 * std::numbers::pi * 3.0 * t_s) : 0.0;
            return kAbove_m - (kAbove_m + 0.004) * go(t_s / 0.4) + wave_m;
        }
        case FingerTask::let_go:
            return kAbove_m - (kAbove_m + 0.010) * go(t_s / 0.5) + way(0.060, 1.2);
    }
    return 0.0;
}

double along_m(const ClosedLoop& loop, double t_s) {
    return loop.task == FingerTask::stroke ? 0.05 * std::sin(4.0 * std::min(t_s, 2.0)) : 0.0;
}

struct InForce {
    std::int64_t from_ns = 0;
    double force_n = 0.0;
};

class Device final : public HapticOutput {
  public:
    explicit Device(const DeviceLimits& limits) : limits_(limits) {}
    void send(const HapticCommand& command) override {
        if (command.side != tracking::Side::right) return;
        const double level = command.stop ? 0.0 : static_cast<double>(command.parts[kIndexPart].force);
        pending_.push_back({command.time_ns + limits_.latency_ns, level * static_cast<double>(limits_.max_force_n)});
    }
    double force_n(std::int64_t now_ns) {
        for (; !pending_.empty() && pending_.front().from_ns <= now_ns; pending_.pop_front())
            force_n_ = pending_.front().force_n;
        return force_n_;
    }

  private:
    DeviceLimits limits_;
    std::deque<InForce> pending_;
    double force_n_ = 0.0;
};

scenes::PadSurfaces wall_of(const scenes::Material& material) {
    scenes::PadSurfaces pad;
    pad.valid = true;
    pad.radius_m = static_cast<float>(kRadius_m);
    const std::array<Vector3f, 4> corners = {Vector3f{-0.5F, 0.0F, -0.5F}, Vector3f{-0.5F, 0.0F, 0.5F},
                                             Vector3f{0.5F, 0.0F, 0.5F}, Vector3f{0.5F, 0.0F, -0.5F}};
    pad.count = 2;
    pad.pieces[0] = {scenes::FlatTriangle{{corners[0], corners[1], corners[2]}}, Vector3f::Zero(), 0};
    pad.pieces[1] = {scenes::FlatTriangle{{corners[0], corners[2], corners[3]}}, Vector3f::Zero(), 0};
    pad.materials[0] = pad.materials[1] = material;
    return pad;
}

std::int64_t ns_of(double s) {
    return std::llround(1e9 * s);
}

struct Seen {
    std::int64_t sample_ns = 0;
    Eigen::Vector3d pad_m = Eigen::Vector3d::Zero();
};

// The tracker and the force loop behind it.
class Rendering {
  public:
    Rendering(const ClosedLoop& setup, Device& device)
        : setup_(setup), device_(device), loop_(std::make_unique<HapticLoop>(setup.device)) {
        frame_->hands[1].present = true;
        frame_->hands[1].pads[kIndexTip] = wall_of(setup.wall);
    }

    // Samples are taken on the tracker's grid, independently of earlier samples.
    void look(std::int64_t now_ns, double y_m, double x_m) {
        if (now_ns < kBegin_ns + ns_of(static_cast<double>(samples_) / setup_.tracker.rate_hz)) return;
        ++samples_;
        const double noise_m = setup_.tracker.noise_m > 0.0 ? setup_.tracker.noise_m * normal_(random_) : 0.0;
        pending_.push_back({now_ns, {x_m, y_m + noise_m + kRadius_m, 0.0}});
    }

    void tick(std::int64_t now_ns) {
        const std::int64_t latency_ns = ns_of(setup_.tracker.latency_s);
        for (; !pending_.empty() && pending_.front().sample_ns + latency_ns <= now_ns; pending_.pop_front()) {
            const Seen& seen = pending_.front();
            frame_->period_ns = frame_->number == 0 ? 0 : seen.sample_ns - frame_->stamps.sample_ns;
            frame_->stamps.sample_ns = frame_->sample_ns = seen.sample_ns;
            frame_->stamps.arrival_ns = seen.sample_ns + latency_ns;
            frame_->hands[1].pads[kIndexTip].center_m = seen.pad_m.cast<float>();
            ++frame_->number;
        }
        at_ns = now_ns;
        loop_->tick(*frame_, now_ns, now_ns, now_ns, {}, device_, [] { return at_ns; });
    }

  private:
    const ClosedLoop& setup_;
    Device& device_;
    std::unique_ptr<HapticLoop> loop_;
    std::unique_ptr<scenes::HapticFrame> frame_ = std::make_unique<scenes::HapticFrame>();
    std::deque<Seen> pending_;
    std::int64_t samples_ = 0;
    std::mt19937 random_{28};
    std::normal_distribution<double> normal_;
};

}  // namespace

std::string_view name_of(FingerTask task) {
    constexpr std::array<std::string_view, kFingerTaskCount> kNames = {"throw", "hit", "press", "stroke", "let go"};
    return kNames[static_cast<std::size_t>(task)];
}

std::string text_of(const ClosedLoop& loop) {
    return formatted("%s at %g m/s, %g g, %g N/m, %g N s/m", name_of(loop.task).data(), loop.speed_m_s,
                     1e3 * loop.finger.mass_kg, loop.finger.stiffness_n_per_m, loop.finger.damping_n_s_per_m);
}

std::vector<ClosedLoop> finger_cells(const TrackerModel& tracker, const DeviceLimits& device, bool few) {
    using Values = std::vector<double>;
    const Values masses_kg = few ? Values{0.005, 0.1} : Values{0.005, 0.02, 0.1};
    const Values stiffnesses = few ? Values{50.0, 1000.0} : Values{50.0, 250.0, 1000.0};
    const Values dampings = few ? Values{0.2} : Values{0.2, 1.0, 5.0};
    const Values speeds_m_s = few ? Values{0.5, 2.0} : Values{0.1, 0.5, 2.0};
    std::vector<ClosedLoop> cells;
    for (int d = 0; d < kFingerTaskCount; ++d)
        for (const double speed_m_s : speeds_m_s)
            for (const double mass_kg : masses_kg)
                for (const double stiffness : stiffnesses)
                    for (const double damping : dampings) {
                        ClosedLoop cell;
                        cell.tracker = tracker;
                        cell.device = device;
                        cell.finger = {mass_kg, stiffness, damping};
                        cell.task = static_cast<FingerTask>(d);
                        cell.speed_m_s = speed_m_s;
                        const bool has_speed = cell.task != FingerTask::press && cell.task != FingerTask::stroke;
                        if (!has_speed && speed_m_s != speeds_m_s.front()) continue;
                        const bool has_muscles = cell.task != FingerTask::throw_at;
                        if (!has_muscles && (stiffness != stiffnesses.front() || damping != dampings.front())) continue;
                        cells.push_back(cell);
                    }
    return cells;
}

ClosedLoopResult run_closed_loop(const ClosedLoop& loop) {
    const bool is_free = loop.task == FingerTask::throw_at;
    const double mass_kg = loop.finger.mass_kg, friction = loop.device_damping_n_s_per_m;
    const double k = is_free ? 0.0 : loop.finger.stiffness_n_per_m, b = is_free ? 0.0 : loop.finger.damping_n_s_per_m;

    Device device(loop.device);
    Rendering rendering(loop, device);
    ClosedLoopResult result;
    double y_m = kAbove_m, v_m_s = is_free ? -loop.speed_m_s : 0.0, net_j = 0.0, in_j = 0.0;
    double low_m = 1.0, high_m = -1.0, depths_m = 0.0, forces_n = 0.0;
    int means = 0;
    bool touched = false;
    const std::int64_t end_ns = kBegin_ns + ns_of(loop.duration_s);
    double wanted_before_m = wanted_m(loop, 0.0);
    for (std::int64_t now_ns = kBegin_ns; now_ns < end_ns; now_ns += kStep_ns) {
        const double t_s = 1e-9 * static_cast<double>(now_ns - kBegin_ns);
        rendering.look(now_ns, y_m, along_m(loop, t_s));
        if ((now_ns - kBegin_ns) % kTick_ns == 0) rendering.tick(now_ns);
        const double force_n = device.force_n(now_ns);
        if (y_m < 0.0 && !touched) in_j = 0.5 * mass_kg * v_m_s * v_m_s;
        touched = touched || y_m < 0.0;

        const double wanted_after_m = wanted_m(loop, t_s + kStep_s);
        const double wanted_m_s = (wanted_after_m - wanted_before_m) / kStep_s;
        const double wanted_mid_m = 0.5 * (wanted_before_m + wanted_after_m);
        wanted_before_m = wanted_after_m;
        const auto push_n = [&](double at_m, double at_m_s) {
            return k * (wanted_mid_m - at_m) + b * (wanted_m_s - at_m_s);
        };
        const double v_mid = v_m_s + 0.5 * kStep_s * (force_n - friction * v_m_s + push_n(y_m, v_m_s)) / mass_kg;
        const double y_mid = y_m + 0.5 * kStep_s * v_m_s;
        const double muscle_n = push_n(y_mid, v_mid), port_n = force_n - friction * v_mid;
        v_m_s += kStep_s * (port_n + muscle_n) / mass_kg;
        y_m += kStep_s * v_mid;

        const double port_j = port_n * v_mid * kStep_s;
        (port_j > 0.0 ? result.released_j : result.absorbed_j) += std::abs(port_j);
        net_j += port_j;
        result.max_net_j = std::max(result.max_net_j, net_j);
        result.muscle_j += std::max(0.0, muscle_n * wanted_m_s * kStep_s);
        result.max_force_n = std::max(result.max_force_n, force_n);
        if (now_ns >= end_ns - 1'000'000'000) {
            low_m = std::min(low_m, y_m);
            high_m = std::max(high_m, y_m);
            depths_m -= y_m;
            forces_n += force_n;
            ++means;
        }
        if (is_free && touched && y_m > 2.0 * kAbove_m) break;
    }
    if (is_free && in_j > 0.0) result.out_over_in = 0.5 * mass_kg * v_m_s * v_m_s / in_j;
    if (means > 0) {
        result.oscillation_m = high_m - low_m;
        result.depth_m = depths_m / means;
        result.force_n = forces_n / means;
    }
    return result;
}

}  // namespace glovebox::vr
