// The soak: two hands over a room scan and twenty loose objects, the force loop at 1 kHz beside it, faults injected.
//
// What is asked: does the force loop miss a deadline that the operating system alone would not have cost? So a loop
// that does nothing runs beside it, woken in the same way with the same priority, and the two are compared.
#include <cmath>
#include <limits>
#include <memory>
#include <numbers>
#include <thread>

#include "collision/mesh_tree.h"
#include "tracking/forward_kinematics.h"
#include "vr/bench/bench.h"
#include "vr/haptics/session.h"
#include "vr/pipeline.h"
#include "vr/platform.h"
#include "vr/report.h"

namespace glovebox::vr {
namespace {

using Eigen::Vector3f;
using tracking::Side;

constexpr double kFrame_s = 1.0 / 90.0;
constexpr int kSoak_s = 600, kQuickSoak_s = 4;
constexpr std::int64_t kTick_ns = 1'000'000;

// The built-in room with twenty loose balls and bricks over its table.
scenes::Scene soak_scene() {
    scenes::Scene scene = scenes::load_scene("room-scan");
    for (int i = 0; i < 20; ++i) {
        scenes::SceneObject object;
        object.name = "loose " + std::to_string(i + 1);
        const float radius_m = 0.015F + 0.001F * static_cast<float>(i);
        if (i % 2 == 0)
            object.shape = collision::RoundCone{Vector3f::Zero(), Vector3f::Zero(), radius_m, radius_m};
        else
            object.shape = collision::RoundedBox{
                {Vector3f::Zero(), Eigen::Matrix3f::Identity(), Vector3f::Constant(0.8F * radius_m)}, 0.002F};
        object.motion = scenes::Motion::dynamic;
        object.mass_kg = 0.05F;
        object.world_from_object.translation() =
            Vector3f(-0.2F + 0.1F * static_cast<float>(i % 5), 0.05F, -0.15F + 0.1F * static_cast<float>(i / 5));
        scene.objects.push_back(std::move(object));
    }
    scene.placement = scenes::Placement::recorded;
    return scene;
}

// Hands that sweep over the table, dip into it, open and close; every few seconds something goes wrong.
struct Script {
    tracking::HandProfile profile = tracking::default_profile();

    tracking::HandPair at(std::int64_t frame) const {
        const double t = kFrame_s * static_cast<double>(frame);
        tracking::HandPair hands;
        hands.time_ns = static_cast<std::int64_t>(1e9 * t);
        for (const Side side : {Side::left, Side::right}) {
            const double phase = side == Side::left ? 0.0 : 1.7;
            const double sign = side == Side::left ? -1.0 : 1.0;
            Eigen::Isometry3f wrist = Eigen::Isometry3f::Identity();
            wrist.translation() = Vector3f(static_cast<float>(sign * 0.12 + 0.10 * std::sin(1.1 * t + phase)),
                                           static_cast<float>(0.05 + 0.05 * std::sin(2.3 * t + phase)),
                                           static_cast<float>(0.17 + 0.08 * std::sin(0.7 * t + phase)));
            wrist.rotate(
                Eigen::AngleAxisf(static_cast<float>(-0.3 + 0.3 * std::sin(0.9 * t + phase)), Vector3f::UnitX()));
            tracking::HandAngles angles = tracking::resting_angles();
            const auto curl = static_cast<float>(0.5 + 0.5 * std::sin(1.9 * t + phase));
            for (tracking::FingerAngles& finger : angles.fingers) finger.mcp_flex += 0.6F * curl;
            hands[side] = tracking::pose_from_angles(profile, angles, wrist, side);
            hands[side].side = side;
            hands[side].source = tracking::Source::synthetic;
            hands[side].times = {hands.time_ns, hands.time_ns, hands.time_ns};
            spoil(frame, hands[side]);
        }
        return hands;
    }

    // One fault of each kind in turn, 130 ms of every 0.7 s, and clean in between.
    static void spoil(std::int64_t frame, tracking::HandFrame& hand) {
        const std::int64_t in = frame % 60;
        if (in < 48) return;
        tracking::JointPose& joint = hand[tracking::Joint::index_tip];
        switch (frame / 60 % 5) {
            case 0:
                hand.active = false;
                break;
            case 1:
                joint.position_m.x() = std::numeric_limits<float>::quiet_NaN();
                break;
            case 2:
                for (tracking::JointPose& each : hand.joints) each.position_m.setZero();
                break;
            case 3:
                for (tracking::JointPose& each : hand.joints) each.position_m += Vector3f(0.5F, 0.0F, 0.0F);
                break;
            default:
                joint.orientation.coeffs() *= 3.0F;
                break;
        }
    }
};

// Wakes every millisecond and does nothing: what the system costs anybody.
class EmptyLoop {
  public:
    EmptyLoop() : thread_([this] { run(); }) {}
    const DeadlineLedger& stop() {
        stop_ = true;
        thread_.join();
        return ledger_;
    }

  private:
    void run() {
        make_thread_real_time();
        for (std::int64_t due_ns = now_ns() + kTick_ns; !stop_; due_ns += kTick_ns) {
            sleep_until_ns(due_ns);
            const std::int64_t start_ns = now_ns();
            ledger_.add_tick(due_ns, start_ns, now_ns());
            if (const std::int64_t late_ns = now_ns() - due_ns; late_ns > kTick_ns) {
                ledger_.skipped_ticks += static_cast<std::uint64_t>(late_ns / kTick_ns - 1);
                due_ns += (late_ns / kTick_ns - 1) * kTick_ns;
            }
        }
    }

    DeadlineLedger ledger_;
    std::atomic<bool> stop_ = false;
    std::thread thread_;
};

nlohmann::ordered_json row_of(std::string_view name, const DeadlineLedger& ledger) {
    return {{"loop", name},
            {"ticks", ledger.tick.count()},
            {"skipped", ledger.skipped_ticks},
            {"over_1ms", ledger.late_ticks[0]},
            {"tick_p50_us", ledger.tick.percentile_us(0.5)},
            {"tick_p99_us", ledger.tick.percentile_us(0.99)},
            {"tick_p999_us", ledger.tick.percentile_us(0.999)},
            {"tick_max_us", ledger.tick.max_us()},
            {"work_p99_us", ledger.work.percentile_us(0.99)},
            {"work_max_us", ledger.work.max_us()}};
}

}  // namespace

BenchResult bench_soak(const BenchOptions& options) {
    const int seconds = options.frames > 0 ? std::max(1, static_cast<int>(options.frames * kFrame_s))
                        : options.quick    ? kQuickSoak_s
                                           : kSoak_s;
    const scenes::Scene scene = soak_scene();
    PipelineSettings settings;
    settings.profiles.fill(tracking::default_profile());
    settings.race_every = 0;
    Pipeline pipeline(scene, settings, now_ns);
    const Script script;

    auto haptics = std::make_unique<HapticSession>(*find_output("null"), OutputOptions{}, HapticMode::threaded);
    EmptyLoop empty;
    std::uint64_t touching_frames = 0, not_finite = 0, events = 0, late_frames = 0;
    const std::int64_t start_ns = now_ns();
    const auto frames = static_cast<std::int64_t>(seconds / kFrame_s);
    for (std::int64_t frame = 0; frame < frames; ++frame) {
        sleep_until_ns(start_ns + static_cast<std::int64_t>(1e9 * kFrame_s * static_cast<double>(frame)));
        const scenes::StepReport& report = pipeline.frame(script.at(frame), frame == 0 ? 0.0 : kFrame_s);
        haptics->frame(scene, pipeline.world, pipeline.stamps, kFrame_s);
        touching_frames += report.counts.touching > 0 ? 1 : 0;
        events += report.events.size();
        late_frames +=
            pipeline.last_ns[static_cast<std::size_t>(scenes::Stage::total)] > static_cast<std::int64_t>(1e9 * kFrame_s)
                ? 1
                : 0;
        for (const Eigen::Isometry3f& pose : pipeline.world.world_from_object)
            not_finite += pose.matrix().allFinite() ? 0 : 1;
    }
    haptics->stop();
    const DeadlineLedger& nothing = empty.stop();
    const DeadlineLedger& ledger = haptics->ledger();

    BenchResult result;
    result.rows = {row_of("force loop", ledger), row_of("empty loop", nothing)};
    for (int i = 0; i < scenes::kStageCount; ++i) {
        const auto stage = static_cast<scenes::Stage>(i);
        if (stage == scenes::Stage::haptics) continue;
        const DurationHistogram& histogram = pipeline.stats[stage];
        result.rows.push_back({{"stage", scenes::name_of(stage)},
                               {"p50_us", histogram.percentile_us(0.5)},
                               {"p99_us", histogram.percentile_us(0.99)},
                               {"max_us", histogram.max_us()}});
    }
    const auto missed = [](const DeadlineLedger& each) {
        return static_cast<double>(each.late_ticks[0] + each.skipped_ticks);
    };
    // A thousandth of the ticks is the noise between two threads on a machine with other work.
    const bool kept = missed(ledger) <= missed(nothing) + 1e-3 * static_cast<double>(ledger.tick.count());
    result.claims.push_back({"the force loop misses no deadline beyond what the operating system alone costs",
                             "this project's own aim",
                             std::to_string(static_cast<long>(missed(ledger))) + " missed beside " +
                                 std::to_string(static_cast<long>(missed(nothing))) + " of the empty loop, in " +
                                 std::to_string(ledger.tick.count()) + " ticks",
                             kept});
    const bool finite = not_finite == 0 && ledger.not_finite == 0;
    result.claims.push_back({"no number of it ever was not finite, whatever was injected", "this project's own aim",
                             std::to_string(not_finite + ledger.not_finite), finite});
    result.check_failed = !finite || ledger.tick.count() < static_cast<std::uint64_t>(500 * seconds);
    result.notes = {std::to_string(seconds) + " s, " + std::to_string(frames) + " frames, " +
                        std::to_string(touching_frames) + " with touch, " + std::to_string(events) + " events, " +
                        std::to_string(late_frames) + " frames over their 11 ms; " + haptics->scheduling(),
                    "quarantined: " + std::to_string(pipeline.guards[0].counts[0] + pipeline.guards[1].counts[0]) +
                        " not finite, " + std::to_string(pipeline.guards[0].counts[1] + pipeline.guards[1].counts[1]) +
                        " not unit, " + std::to_string(pipeline.guards[0].counts[3] + pipeline.guards[1].counts[3]) +
                        " jumps, " + std::to_string(pipeline.guards[0].counts[4] + pipeline.guards[1].counts[4]) +
                        " lost"};
    return result;
}

}  // namespace glovebox::vr
