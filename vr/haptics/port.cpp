#include "vr/haptics/port.h"

#include <algorithm>
#include <cmath>

namespace glovebox::vr {
namespace {

using scenes::kHandBoneCount;

constexpr double kTick_s = 1e-3;
// Fraction of the device's friction that is counted; the rest still damps oscillations.
constexpr double kCounted = 0.8;
// Minimum time over which the friction of a motion is counted, because noise of a fast tracker looks like motion.
constexpr std::int64_t kFrictionBase_ns = 8'000'000;
constexpr double kFastest_m_s = 10.0;       // faster than any finger: the tracker has jumped
constexpr double kLongestWindow_s = 0.1;    // surfaces have faded out by then
constexpr double kForgetsPerSample = 0.02;  // decay of the window towards recent, shorter ones

double seconds(std::int64_t from_ns, std::int64_t to_ns) {
    return 1e-9 * static_cast<double>(to_ns - from_ns);
}

}  // namespace

ForceHistory::Integrals ForceHistory::until(const Piece& piece, std::int64_t at_ns) const {
    const double s = seconds(piece.from_ns, at_ns);
    return {piece.before.force_n_s + piece.force_n * s, piece.before.square_n2_s + piece.force_n * piece.force_n * s};
}

void ForceHistory::add(std::int64_t from_ns, double force_n) {
    Piece piece{from_ns, force_n, {}};
    if (count_ > 0) {
        const Piece& newest = pieces_[(count_ - 1) % kCapacity];
        if (from_ns < newest.from_ns)
            count_ = 0;  // a replay has restarted
        else
            piece.before = until(newest, from_ns);
    }
    pieces_[count_++ % kCapacity] = piece;
}

bool ForceHistory::at(std::int64_t at_ns, Integrals& out) const {
    const std::size_t oldest = count_ > kCapacity ? count_ - kCapacity : 0;
    for (std::size_t i = count_; i-- > oldest;)
        if (const Piece& piece = pieces_[i % kCapacity]; piece.from_ns <= at_ns) {
            out = until(piece, at_ns);
            return true;
        }
    out = {};
    return oldest == 0;
}

bool ForceHistory::between(std::int64_t begin_ns, std::int64_t end_ns, Integrals& out) const {
    Integrals begin;
    if (!at(begin_ns, begin) || !at(std::max(begin_ns, end_ns), out)) return false;
    out.force_n_s -= begin.force_n_s;
    out.square_n2_s -= begin.square_n2_s;
    return true;
}

void PartPort::interrupt(std::int64_t sample_ns) {
    taken_j_ = friction_j_ = friction_m_ = 0.0;
    sample_ns_ = friction_from_ns_ = sample_ns;
    started_ = true;
    touching_ = false;
}

void PartPort::book(std::int64_t sample_ns, double moved_m, double carried_m, const PortTiming& timing) {
    const double t_s = seconds(sample_ns_, sample_ns), b = timing.damping_n_s_per_m;
    ForceHistory::Integrals in;
    if (!started_ || !touching_ || !(t_s > 0.0) || !(std::abs(moved_m) < kFastest_m_s * t_s) ||
        !history_.between(sample_ns_, sample_ns, in)) {
        // A touch that began after the last sample has an account from here on.
        const bool touching = touching_;
        interrupt(sample_ns);
        touching_ = touching;
        return;
    }
    const double mean_n = in.force_n_s / t_s;
    taken_j_ += mean_n * (carried_m - moved_m) + (mean_n * in.force_n_s - in.square_n2_s) / (4.0 * b);
    friction_m_ += moved_m;
    sample_ns_ = sample_ns;
    friction_j_ = b * friction_m_ * friction_m_ / seconds(friction_from_ns_, sample_ns);
    if (sample_ns - friction_from_ns_ < kFrictionBase_ns) return;
    taken_j_ += friction_j_;
    friction_j_ = friction_m_ = 0.0;
    friction_from_ns_ = sample_ns;
}

double PartPort::allowed_n(std::int64_t now_ns, double requested_n, const PortTiming& timing) {
    const double four_b = 4.0 * timing.damping_n_s_per_m;
    ForceHistory::Integrals unknown;
    if (!started_ || !(four_b > 0.0) || !history_.between(sample_ns_, now_ns + timing.latency_ns, unknown)) return 0.0;
    if (!(requested_n > 0.0)) {
        if (unknown.square_n2_s <= 0.0) interrupt(sample_ns_);
        return 0.0;
    }
    touching_ = true;
    // Energy beyond what the requested force can release is discarded: it would only feed oscillations.
    const double spent_j = unknown.square_n2_s / four_b;
    const double needed_j = std::max(spent_j, requested_n * requested_n * timing.window_s / four_b);
    taken_j_ = std::min(taken_j_, needed_j - friction_j_);
    const double lasting = four_b * account_j() / timing.window_s;
    const double until_next = four_b * (account_j() - spent_j) / timing.hold_s;
    return std::sqrt(std::max(0.0, std::min(lasting, until_next)));
}

HandPort::HandPort(const DeviceLimits& limits) : limits_(limits) {
    timing_.damping_n_s_per_m = kCounted * limits.damping_n_s_per_m;
    timing_.hold_s = kTick_s * std::ceil(1.0 / (static_cast<double>(limits.commands_per_s) * kTick_s) - 1e-6);
    timing_.latency_ns = limits.latency_ns;
    timing_.window_s = kLongestWindow_s;
}

void HandPort::measure(std::int64_t sample_ns, std::int64_t now_ns) {
    const double age_s = std::clamp(seconds(sample_ns_, now_ns), 0.0, kLongestWindow_s);
    const bool is_first = unanswered_s_ <= 0.0;
    unanswered_s_ = is_first ? age_s : std::max(age_s, unanswered_s_ + kForgetsPerSample * (age_s - unanswered_s_));
    timing_.window_s = unanswered_s_ + timing_.hold_s + 1e-9 * static_cast<double>(timing_.latency_ns);
    sample_ns_ = sample_ns;
}

void HandPort::sample(std::int64_t sample_ns, std::int64_t now_ns, const scenes::HandSurfaces& hand,
                      const scenes::HandForces& felt) {
    const double t_s = seconds(sample_ns_, sample_ns);
    std::array<double, tracking::kHandPartCount> moved_m{}, carried_m{}, weights_n{};
    std::array<bool, tracking::kHandPartCount> is_known{};
    is_known.fill(started_ && hand.present);
    for (std::size_t bone = 0; bone < kHandBoneCount; ++bone) {
        const auto part = static_cast<std::size_t>(scenes::part_of_bone(static_cast<int>(bone)));
        const Eigen::Vector3d at_m = hand.pads[bone].center_m.cast<double>();
        const scenes::PadForce& pad = felt.pads[bone];
        const bool is_valid = hand.present && hand.pads[bone].valid;
        if (const double strength_n = pad.force_n.norm(); strength_n > 0.0) {
            is_known[part] = is_known[part] && is_valid && known_[bone];
            if (is_known[part]) moved_m[part] += strength_n * pad.normal.dot(at_m - pads_m_[bone]);
            carried_m[part] += strength_n * pad.normal.dot(pad.surface_m_s) * t_s;
            weights_n[part] += strength_n;
        }
        pads_m_[bone] = at_m;
        known_[bone] = is_valid;
    }
    if (started_) measure(sample_ns, now_ns);
    sample_ns_ = sample_ns;
    started_ = true;
    for (std::size_t i = 0; i < parts_.size(); ++i) {
        const double weight = weights_n[i] > 0.0 ? 1.0 / weights_n[i] : 0.0;
        if (is_known[i])
            parts_[i].book(sample_ns, weight * moved_m[i], weight * carried_m[i], timing_);
        else
            parts_[i].interrupt(sample_ns);
    }
}

PartCeilings HandPort::allowed(std::int64_t now_ns, const HandRequest& request) {
    PartCeilings max_n{};
    for (std::size_t i = 0; i < parts_.size(); ++i) {
        const double requested_n = std::min(request[i].force_n, limits_.max_force_n);
        max_n[i] = static_cast<float>(parts_[i].allowed_n(now_ns, requested_n, timing_));
    }
    return max_n;
}

void HandPort::sent(std::int64_t now_ns, const HapticCommand& command) {
    for (std::size_t i = 0; i < parts_.size(); ++i) {
        const float level = command.stop ? 0.0F : command.parts[i].force;
        parts_[i].in_force(now_ns + limits_.latency_ns, static_cast<double>(level * limits_.max_force_n));
    }
}

}  // namespace glovebox::vr
