// The last word before the device: nothing leaves that is too strong, too sudden, too long, too often, or unasked for.
//
// Every intervention is counted and logged with its cause. Stops are immediate, go past the rate limit, are repeated in
// case the link drops one, and hold until the cause is gone and a fresh request has come.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

#include "vr/haptics/command.h"

namespace glovebox::vr {

enum class Intervention : std::uint8_t {
    level,
    slew,
    energy,
    rate,
    non_finite,
    watchdog,
    lost,
    paused,
    unfocused,
    exiting,
    device,
    passivity
};
inline constexpr int kInterventionCount = 12;
std::string_view name_of(Intervention cause);

/// Reasons to stop that the application knows.
struct StopReasons {
    bool lost = false, paused = false, unfocused = false, exiting = false;
    bool device = false;  ///< it let go by itself, or cannot be commanded safely
};

/// What the force loop would like, in newtons and as a share of the range of motion.
struct PartWish {
    float force_n = 0.0F, vibration_n = 0.0F, limit = 0.0F;
};
using HandWish = std::array<PartWish, tracking::kHandPartCount>;

/// The most newtons of each part for which its account of energy pays (port.h).
using PartCeilings = std::array<float, tracking::kHandPartCount>;

/// A run of the same intervention on the same part of the hand.
struct InterventionEntry {
    std::int64_t begin_ns = 0, end_ns = 0;
    Intervention cause = Intervention::level;
    std::int8_t part = -1;  ///< of tracking/hand_parts.h; -1: the whole hand
    std::uint32_t count = 0;
    float asked = 0.0F, given = 0.0F;  ///< of the first one in the run, shares of the device's most
};

/// One hand's governor. Plain values; no allocation, constant cost, about 0.2 us a call.
class Governor {
  public:
    static constexpr std::size_t kLogCapacity = 1024;  ///< newest entries kept; `counts` has everything

    explicit Governor(const DeviceLimits& limits = {}, tracking::Side side = tracking::Side::right);

    /// Called every tick. `wish` is null when there is nothing new to say: that is what the watchdog looks at.
    /// `ceilings` come last, after the slew: null where nothing pushes. What the device does not take stays zero.
    /// Nothing is returned when nothing is to be sent now.
    std::optional<HapticCommand> decide(std::int64_t now_ns, const HandWish* wish, const StopReasons& reasons,
                                        const PartCeilings* ceilings = nullptr);

    const DeviceLimits& limits() const { return limits_; }
    const std::array<std::uint64_t, kInterventionCount>& counts() const { return counts_; }
    std::uint64_t commands() const { return commands_; }
    bool stopped() const { return stopped_; }

    std::size_t log_size() const { return log_size_ < kLogCapacity ? log_size_ : kLogCapacity; }
    const InterventionEntry& log_entry(std::size_t i) const;  ///< 0 is the oldest kept

  private:
    struct Part {
        float force = 0.0F;
        float vibration = 0.0F;  ///< envelope: the strongest of late
        float limit = 0.0F;
        float load = 0.0F;      ///< how hard the finger pushes against the limit, 0..1
        double budget_s = 0.0;  ///< of full power above the mean power
    };
    void note(std::int64_t now_ns, Intervention cause, int part, float asked, float given);
    double most_budget_s() const;
    void spend(double dt_s);
    PartCommand taken(const PartWish& wish) const;
    PartCommand limit(std::int64_t now_ns, int part, const PartWish& wish, double dt_s, const float* most_n);
    std::optional<HapticCommand> stop(std::int64_t now_ns, Intervention cause);
    std::optional<HapticCommand> send(std::int64_t now_ns, HapticCommand command);

    DeviceLimits limits_;
    tracking::Side side_;
    std::array<Part, tracking::kHandPartCount> parts_;
    std::array<PartCommand, tracking::kHandPartCount> sent_{};
    std::int64_t last_decide_ns_ = 0, last_wish_ns_ = 0, last_sent_ns_ = 0, last_stop_ns_ = 0;
    std::int64_t stop_repeats_ = 0;
    Intervention stop_cause_ = Intervention::lost;  // while stopped_
    bool started_ = false, stopped_ = false, ever_sent_ = false;
    std::array<std::uint64_t, kInterventionCount> counts_{};
    std::array<InterventionEntry, kLogCapacity> log_{};
    std::size_t log_size_ = 0;
    std::uint64_t commands_ = 0;
};

}  // namespace glovebox::vr
