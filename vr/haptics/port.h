// The account of energy where a device meets the hand, and the force that it pays for.
//
// A force that is computed from where the finger was gives it energy: the finger is pushed back harder than it pushed.
// So the energy is counted where it passes, after everything that shapes a command: forces as they were in force, and
// motions at the samples' own times. Between two samples t apart, m further along the force, the finger may have moved
// in any way. Over all of those ways the device, whose friction is b, has taken in no less than
//
//   b m^2 / t - U m / t + (U^2 / t - V) / (4 b)      U, V: integrals of F and F^2 over t
//
// and since the newest sample no more than V / (4 b) has gone out: a finger at F / 2 b gets the most. Nothing is
// assumed of the finger, its muscles, or of how late a sample comes. This is time-domain passivity [Hannaford02] with
// what is not yet known bounded from above [Ryu10].
//
// A force is allowed if the account pays for it until the next command can be in force, and if it could go on for a
// whole `window`: the longest for which a force has acted before the account knew of it. A wall is then felt as a
// spring of 2 b / window: the stiffness that a sampled and late spring may have [Colgate97, Gil09].
#pragma once

#include <array>
#include <cstdint>

#include "scenes/haptics.h"
#include "vr/haptics/governor.h"

namespace glovebox::vr {

/// Forces in force, newest last, with their integrals. Older ones than the capacity are forgotten.
class ForceHistory {
  public:
    struct Integrals {
        double force_n_s = 0.0, square_n2_s = 0.0;
    };

    /// From `from_ns` on. Where that is earlier than the one before, time has started over and all before is forgotten.
    void add(std::int64_t from_ns, double force_n);
    /// Zero before the first one. False: it goes back further than what is kept.
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

/// How late a device hears and answers.
struct PortTiming {
    double damping_n_s_per_m = 0.0;  ///< what the account counts of the device's friction
    double window_s = 0.0;           ///< the longest that a force acts before the account knows what it did
    double hold_s = 0.0;             ///< between two commands
    std::int64_t latency_ns = 0;     ///< from a command to its force
};

/// One part's account. A motion is along the force, positive where the force pushes it.
class PartPort {
  public:
    void in_force(std::int64_t from_ns, double force_n) { history_.add(from_ns, force_n); }
    /// The part is `moved_m` further than at the sample before, of which the surface's own motion was `carried_m`:
    /// what surfaces that move by themselves do is work of the scene.
    void book(std::int64_t sample_ns, double moved_m, double carried_m, const PortTiming& timing);
    /// Forgets the motion and the account: nothing is known of the time since the sample before.
    void interrupt(std::int64_t sample_ns);
    /// The most that may be in force from the next command on. `wish_n`: 0 ends a touch and, once no force is left, its
    /// account: what one touch took in is not there for the next to give.
    double allowed_n(std::int64_t now_ns, double wish_n, const PortTiming& timing);

    double account_j() const { return taken_j_ + friction_j_; }  ///< at the newest sample; at most what is needed

  private:
    ForceHistory history_;
    double taken_j_ = 0.0;     // less what was given
    double friction_j_ = 0.0;  // since friction_from_ns_, not yet in taken_j_
    double friction_m_ = 0.0;
    std::int64_t friction_from_ns_ = 0, sample_ns_ = 0;
    bool started_ = false, touching_ = false;
};

/// All parts of one hand. Plain values; constant cost, no allocation.
class HandPort {
  public:
    explicit HandPort(const DeviceLimits& limits);

    /// A new frame, of a hand that was there at `sample_ns` and is seen by the force loop at `now_ns`. `felt` are the
    /// forces of the tick before: they say where each part is pushed. A device pushes along the surface's normal.
    void sample(std::int64_t sample_ns, std::int64_t now_ns, const scenes::HandSurfaces& hand,
                const scenes::HandForces& felt);
    PartCeilings allowed(std::int64_t now_ns, const HandWish& wish);
    /// What the governor sent, at `now_ns`.
    void sent(std::int64_t now_ns, const HapticCommand& command);

    const PortTiming& timing() const { return timing_; }
    const PartPort& part(std::size_t i) const { return parts_[i]; }

  private:
    void measure(std::int64_t sample_ns, std::int64_t now_ns);

    DeviceLimits limits_;
    PortTiming timing_;
    double unanswered_s_ = 0.0;  // the longest of late that the newest sample was the newest
    std::array<PartPort, tracking::kHandPartCount> parts_;
    std::array<Eigen::Vector3d, scenes::kHandBoneCount> pads_m_;
    std::array<bool, scenes::kHandBoneCount> known_{};
    std::int64_t sample_ns_ = 0;
    bool started_ = false;
};

/// The stiffest wall that a device shows without giving energy. No damping has room beside it.
inline double passive_stiffness_n_per_m(const PortTiming& timing) {
    return 2.0 * timing.damping_n_s_per_m / timing.window_s;
}

}  // namespace glovebox::vr
