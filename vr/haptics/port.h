// Energy accounting at the port between device and hand (time-domain passivity), and the maximum force that the account
// allows.
//
// A force that is computed from a past position adds energy. While the finger withdraws, such a force is larger than it
// was at the same depth on the way in. So the energy is counted at the port, after all other processing of commands,
// from the forces as they acted and the motions at the samples' own times. Between two samples that are t apart, the
// finger moves by m along the force, on an unknown trajectory. Whatever the trajectory, the device, whose friction is
// b, has absorbed at least
//
//   b m^2 / t - U m / t + (U^2 / t - V) / (4 b)      U, V: integrals of F and F^2 over t
//
// Since the newest sample, the device has supplied at most V / (4 b), with V over that time; a finger that moves at
// speed F / (2 b) receives this maximum. Nothing is assumed about the finger, its muscles, or the samples' latency.
// This is time-domain passivity [Hannaford02] with an upper bound for the energy not yet observed [Ryu10].
//
// The account must cover the energy of the force until the next command can act. It must also cover the energy of a
// force that acts for a whole `window`. The window is the longest time for which a force has acted before the account
// included that force. A wall then feels like a spring of stiffness 2 b / window, the limit for a sampled and delayed
// spring [Colgate97, Gil09].
#pragma once

#include <array>
#include <cstdint>

#include "scenes/haptics.h"
#include "vr/haptics/governor.h"

namespace glovebox::vr {

/// History of the forces that acted, newest last, with their integrals. Only the newest kCapacity are kept.
class ForceHistory {
  public:
    struct Integrals {
        double force_n_s = 0.0, square_n2_s = 0.0;
    };

    /// Adds a force that acts from `from_ns` on. If `from_ns` is earlier than the start of the previous force, time has
    /// restarted, and the history is cleared.
    void add(std::int64_t from_ns, double force_n);
    /// Computes the integrals over an interval. Before the first force that was added, the force is zero. Returns false
    /// if the interval begins before the oldest force that is kept.
    bool between(std::int64_t begin_ns, std::int64_t end_ns, Integrals& out) const;

  private:
    static constexpr std::size_t kCapacity = 512;
    struct Piece {
        std::int64_t from_ns = 0;
        double force_n = 0.0;
        Integrals before;
    };
    Integrals until(const Piece& piece, std::int64_t at_ns) const;
    bool at(std::int64_t at_ns, Integrals& out) const;

    std::array<Piece, kCapacity> pieces_{};
    std::size_t count_ = 0;
};

/// Friction and latencies of a device.
struct PortTiming {
    double damping_n_s_per_m = 0.0;  ///< the device's friction, as counted in the account
    double window_s = 0.0;           ///< longest time for which a force acts before the account includes it
    double hold_s = 0.0;             ///< time between two commands
    std::int64_t latency_ns = 0;     ///< time from a command to its force
};

/// The energy account of one part. Motions are measured along the force, positive in the direction of its push.
class PartPort {
  public:
    void in_force(std::int64_t from_ns, double force_n) { history_.add(from_ns, force_n); }
    /// Books the motion since the previous sample. `moved_m` is the motion of the part. `carried_m` is the portion of
    /// `moved_m` by which the surface itself moved; the scene supplies that work.
    void book(std::int64_t sample_ns, double moved_m, double carried_m, const PortTiming& timing);
    /// Clears motion and account. Call it if nothing is known about the time since the previous sample.
    void interrupt(std::int64_t sample_ns);
    /// Returns the maximum force from the next command on. A `requested_n` of 0 ends the touch. When no force acts any
    /// more, the account is cleared, so that energy absorbed in one touch is not supplied in the next.
    double allowed_n(std::int64_t now_ns, double requested_n, const PortTiming& timing);

    double account_j() const { return taken_j_ + friction_j_; }  ///< as of the newest sample

  private:
    ForceHistory history_;
    double taken_j_ = 0.0;     // absorbed minus supplied
    double friction_j_ = 0.0;  // since friction_from_ns_, not yet in taken_j_
    double friction_m_ = 0.0;
    std::int64_t friction_from_ns_ = 0, sample_ns_ = 0;
    bool started_ = false, touching_ = false;
};

/// The accounts of all parts of one hand. It has only plain values, does not allocate, and takes constant time per
/// call.
class HandPort {
  public:
    explicit HandPort(const DeviceLimits& limits);

    /// Adds a frame, which is the hand's pose at `sample_ns`; the force loop received it at `now_ns`. `felt` are the
    /// forces of the previous tick; they give the direction of each part's force (the surface's normal).
    void sample(std::int64_t sample_ns, std::int64_t now_ns, const scenes::HandSurfaces& hand,
                const scenes::HandForces& felt);
    /// Returns the maximum force of each part.
    PartCeilings allowed(std::int64_t now_ns, const HandRequest& request);
    /// Records the command that the governor sent at `now_ns`.
    void sent(std::int64_t now_ns, const HapticCommand& command);

    const PortTiming& timing() const { return timing_; }
    const PartPort& part(std::size_t i) const { return parts_[i]; }

  private:
    void measure(std::int64_t sample_ns, std::int64_t now_ns);

    DeviceLimits limits_;
    PortTiming timing_;
    double unanswered_s_ = 0.0;  // recent maximum of the age that a sample has reached when the next one replaces it
    std::array<PartPort, tracking::kHandPartCount> parts_;
    std::array<Eigen::Vector3d, scenes::kHandBoneCount> pads_m_;
    std::array<bool, scenes::kHandBoneCount> known_{};
    std::int64_t sample_ns_ = 0;
    bool started_ = false;
};

/// Returns the largest stiffness of a passive wall. A wall of this stiffness is passive only without virtual damping.
inline double passive_stiffness_n_per_m(const PortTiming& timing) {
    return 2.0 * timing.damping_n_s_per_m / timing.window_s;
}

}  // namespace glovebox::vr
