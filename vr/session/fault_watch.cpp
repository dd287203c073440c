#include "vr/session/fault_watch.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "recordings/parse.h"
#include "scenes/hand_body.h"
#include "tracking/formatted.h"
#include "vr/session/finite.h"
#include "vr/session/session.h"

namespace glovebox::vr {
namespace {

using recordings::FaultKind;
using recordings::FaultSpell;
using tracking::formatted;
using tracking::Side;

constexpr std::size_t kMaxUndisturbed = 2048;  // for a live source: two seconds at 1 kHz
constexpr double kSlowestLive_hz = 30.0;
constexpr std::size_t kPoseRoom = 128;           // more samples than memory_ns_ spans at 250 Hz; a power of two
constexpr float kHandAcceleration_m_s2 = 60.0F;  // of a flick: bounds the error of linear interpolation
constexpr float kHandLength_m = 0.25F;           // wrist to fingertip of a large hand
constexpr float kJitterShare = 5.0F;             // standard deviations: one joint in two million deviates more

bool leaves_no_hand(FaultKind kind) {
    return kind == FaultKind::drop || kind == FaultKind::nan || kind == FaultKind::zero_pose ||
           kind == FaultKind::freeze;
}

std::int64_t nanoseconds(double seconds) {
    return static_cast<std::int64_t>(std::llround(1e9 * seconds));
}

class Listener final : public HapticOutput {
  public:
    using OnCommand = std::function<void(const HapticCommand&)>;
    Listener(std::unique_ptr<HapticOutput> device, OnCommand on_command)
        : device_(std::move(device)), on_command_(std::move(on_command)) {}
    void send(const HapticCommand& command) override {
        on_command_(command);
        device_->send(command);
    }
    void service() override { device_->service(); }
    void beat(std::int64_t now_ns) override { device_->beat(now_ns); }
    bool ready(tracking::Side side) override { return device_->ready(side); }
    void reconnect(int connection) override { device_->reconnect(connection); }
    bool finish() override { return device_->finish(); }

  private:
    std::unique_ptr<HapticOutput> device_;
    OnCommand on_command_;
};

nlohmann::ordered_json assertion(const char* name, bool holds, std::uint64_t checked, double measured, double limit,
                                 const std::string& detail) {
    return {{"assertion", name},    {"holds", holds}, {"checked", checked},
            {"measured", measured}, {"limit", limit}, {"detail", detail}};
}

}  // namespace

FaultWatch::FaultWatch(std::vector<FaultSpell> spells, recordings::Recording undisturbed, const FaultLimits& limits)
    : spells_(std::move(spells)), limits_(limits), true_poses_(kPoseRoom) {
    const tracking::GuardSettings guard;
    const double rate_hz = undisturbed.samples.empty() ? kSlowestLive_hz : undisturbed.rate_hz();
    undisturbed_ = std::move(undisturbed.samples);
    memory_ns_ = guard.hold_ns + guard.frozen_ns + nanoseconds(rate_hz > 0.0 ? 2.0 / rate_hz : 0.0);
    reach_m_ = limits.touch_slack_m;
    for (const FaultSpell& spell : spells_) {
        const double value = spell.fault.value;
        switch (spell.fault.kind) {
            case FaultKind::latency:
                memory_ns_ += nanoseconds(value);
                break;
            case FaultKind::rate:
                memory_ns_ += nanoseconds(1.0 / value);
                reach_m_ += 0.125F * kHandAcceleration_m_s2 / static_cast<float>(value * value);
                break;
            case FaultKind::jitter:
                reach_m_ += kJitterShare * static_cast<float>(value);
                break;
            case FaultKind::scale:
                reach_m_ += kHandLength_m * std::abs(static_cast<float>(value) - 1.0F);
                break;
            case FaultKind::swap_hands:
                sides_swap_ = true;
                break;
            default:
                break;
        }
    }
}

std::unique_ptr<HapticOutput> FaultWatch::listen_to(std::unique_ptr<HapticOutput> device) {
    return std::make_unique<Listener>(std::move(device), [this](const HapticCommand& command) {
        float level = 0.0F;
        for (const PartCommand& part : command.parts) {
            if (!std::isfinite(part.force + part.vibration + part.limit)) ++bad_forces_;
            level = std::max({level, part.force, part.vibration, part.limit});
        }
        levels_.push_back({command.time_ns, command.side, command.stop ? 0.0F : level});
    });
}

void FaultWatch::add_undisturbed(const tracking::HandPair& sample) {
    if (undisturbed_.empty()) undisturbed_.reserve(kMaxUndisturbed);
    if (undisturbed_.size() == kMaxUndisturbed) {
        undisturbed_.erase(undisturbed_.begin(), undisturbed_.begin() + kMaxUndisturbed / 2);
        forgotten_ += kMaxUndisturbed / 2;
    }
    undisturbed_.push_back(sample);
}

void FaultWatch::add_frame(const Session& session) {
    ++frames_;
    if (source_ != nullptr) {
        spells_.assign(source_->spells().begin(), source_->spells().end());
        for (recordings::FaultSpell& spell : spells_) spell.to_s = std::min(spell.to_s, session.time_s());
    }
    check_finite(session);
    check_contacts(session);
}

void FaultWatch::check_finite(const Session& session) {
    const std::string what = not_finite_in(session.pipeline);
    if (what.empty()) return;
    if (++bad_frames_ == 1) first_bad_ = what + " in frame " + std::to_string(session.frame());
}

void FaultWatch::check_contacts(const Session& session) {
    for (const Side side : {Side::left, Side::right}) {
        const scenes::HandState& hand = session.pipeline.world.hands[side];
        if (!hand.present) continue;
        for (const collision::Contact& contact : hand.contacts) {
            if (contact.distance_m > session.scene.thresholds.touch_enter_m) continue;
            ++touches_;
            const Side other = side == Side::left ? Side::right : Side::left;
            if (was_near(session, side, contact) || (sides_swap_ && was_near(session, other, contact))) continue;
            if (++phantoms_ == 1)
                first_phantom_ = std::string(tracking::name_of(side)) + " " +
                                 pair_text(session.scene, contact.bone, contact.object) + " in frame " +
                                 std::to_string(session.frame());
        }
    }
}

const FaultWatch::TruePose& FaultWatch::true_pose(const Session& session, std::ptrdiff_t sample) {
    TruePose& kept = true_poses_[static_cast<std::size_t>(sample) % kPoseRoom];
    if (kept.sample == sample) return kept;
    kept.sample = sample;
    tracking::HandPair hands = undisturbed_[static_cast<std::size_t>(sample - forgotten_)];
    for (std::size_t i = 0; i < hands.hands.size(); ++i)
        tracking::fill_radii(session.pipeline.settings.profiles[i], hands.hands[i]);
    scenes::place(session.pipeline.settings.placement, hands);
    for (std::size_t i = 0; i < hands.hands.size(); ++i) {
        kept.present[i] = hands.hands[i].active;
        if (kept.present[i])
            scenes::pose_hand(hands.hands[i], kept.poses[i], session.pipeline.settings.profiles[i].shape);
    }
    return kept;
}

bool FaultWatch::was_near(const Session& session, Side side, const collision::Contact& contact) {
    const auto& samples = undisturbed_;
    const std::int64_t now_ns = session.pipeline.hands.time_ns;
    const auto after = std::upper_bound(samples.begin(), samples.end(), now_ns,
                                        [](std::int64_t t, const auto& sample) { return t < sample.time_ns; });
    // Test the object, and the point where it was touched, because it may have been pushed away since.
    const collision::Candidate with_object{contact.bone, contact.object};
    const collision::RoundCone place{contact.on_object_m, contact.on_object_m, 0.0F, 0.0F};
    const std::array<collision::Collider, 1> places{collision::Collider{place, collision::Obb{}}};
    const collision::Candidate pair{contact.bone, 0};
    for (auto i = after - samples.begin() - 1; i >= 0; --i) {
        if (samples[static_cast<std::size_t>(i)].time_ns < now_ns - memory_ns_) break;
        const TruePose& pose = true_pose(session, forgotten_ + i);
        if (!pose.present[side]) continue;
        collision::CollideCounts counts;
        scratch_.clear();
        collision::find_contacts(pose.poses[side], places, {&pair, 1}, reach_m_, reach_m_, scratch_, counts);
        collision::find_contacts(pose.poses[side], session.pipeline.world.colliders, {&with_object, 1}, reach_m_,
                                 reach_m_, scratch_, counts);
        if (!scratch_.empty()) return true;
    }
    return false;
}

FaultWatch::Stop FaultWatch::measure_stop() const {
    Stop stop;
    for (const FaultSpell& spell : spells_) {
        if (!leaves_no_hand(spell.fault.kind)) continue;
        const double limit_s =
            limits_.stop_within_s + (spell.fault.kind == FaultKind::freeze ? limits_.frozen_extra_s : 0.0);
        const std::int64_t from_ns = nanoseconds(spell.from_s), to_ns = nanoseconds(spell.to_s);
        const bool is_long = spell.to_s - spell.from_s > limit_s;
        stop.spells += is_long ? 1 : 0;
        bool force_at_start = false;
        for (const Side side : {Side::left, Side::right}) {
            // A command holds until the next one, so find the time at which the spell's last force was switched off.
            float level = 0.0F;
            std::int64_t off_ns = from_ns;
            for (const Level& change : levels_) {
                if (change.side != side || change.time_ns >= to_ns) continue;
                if (level > 0.0F && change.time_ns > from_ns) off_ns = change.time_ns;
                if (change.time_ns <= from_ns) force_at_start = force_at_start || change.level > 0.0F;
                level = change.level;
            }
            if (level > 0.0F) off_ns = to_ns;
            const double off_s = 1e-9 * static_cast<double>(off_ns - from_ns);
            stop.latest_s = std::max(stop.latest_s, off_s);
            if (is_long && off_s > limit_s) stop.holds = false;
        }
        stop.with_force += is_long && force_at_start ? 1 : 0;
    }
    return stop;
}

bool FaultWatch::holds() const {
    return bad_frames_ == 0 && bad_forces_ == 0 && phantoms_ == 0 && measure_stop().holds;
}

nlohmann::ordered_json FaultWatch::report() const {
    nlohmann::ordered_json json;
    json["spells"] = nlohmann::ordered_json::array();
    for (const FaultSpell& spell : spells_)
        json["spells"].push_back(
            {{"fault", recordings::text_of(spell.fault)}, {"from_s", spell.from_s}, {"to_s", spell.to_s}});
    const bool finite = bad_frames_ == 0 && bad_forces_ == 0;
    json["assertions"].push_back(
        assertion("no NaN came out", finite, frames_, static_cast<double>(bad_frames_ + bad_forces_), 0.0,
                  finite ? recordings::counted(frames_, "frame") + " and " +
                               recordings::counted(levels_.size(), "command") + " are finite"
                         : (bad_frames_ > 0 ? "not finite: " + first_bad_ : "a force command is not finite")));
    const Stop stop = measure_stop();
    json["assertions"].push_back(
        assertion("haptics stopped in time", stop.holds, static_cast<std::uint64_t>(stop.with_force),
                  1e3 * stop.latest_s, 1e3 * limits_.stop_within_s,
                  formatted("off %.0f ms after the fault began; %s without a hand, %d began in force",
                            1e3 * stop.latest_s, recordings::counted(stop.spells, "spell").c_str(), stop.with_force)));
    json["assertions"].push_back(
        assertion("no phantom contact", phantoms_ == 0, touches_, static_cast<double>(phantoms_), 0.0,
                  phantoms_ == 0 ? "touches compared with the original recording: " + std::to_string(touches_)
                                 : std::to_string(phantoms_) + " of " + std::to_string(touches_) +
                                       " touches, the first: " + first_phantom_));
    json["holds"] = holds();
    return json;
}

std::string fault_text(const nlohmann::ordered_json& faults) {
    std::string text = "faults\n";
    for (const auto& spell : faults["spells"])
        text += formatted("  %-24s %.3f to %.3f s\n", spell["fault"].get<std::string>().c_str(),
                          spell["from_s"].get<double>(), spell["to_s"].get<double>());
    for (const auto& each : faults["assertions"])
        text += formatted("  %-6s %-24s %s\n", each["holds"].get<bool>() ? "passes" : "FAILS",
                          each["assertion"].get<std::string>().c_str(), each["detail"].get<std::string>().c_str());
    return text;
}

}  // namespace glovebox::vr
