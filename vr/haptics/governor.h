// The safety governor, which limits the level, slew, energy and rate of haptic commands, and stops the device when it
// must be off.
//
// Every intervention is counted and logged with its cause. A stop is sent at once, bypasses the rate limit, and is
// repeated in case the link drops one. It stays in force until its cause is gone and a new request has come.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

#include "vr/haptics/command.h"

namespace glovebox::vr {

/// Causes for which the governor changes or stops a command.
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
    bool device = false;  ///< the device released by itself, or cannot be commanded safely
    bool stale = false;   ///< the request is older than the watchdog's time
};

/// The force loop's request for one part: forces in newtons, and a motion limit as a fraction of the finger's range.
struct PartRequest {
    float force_n = 0.0F, vibration_n = 0.0F, limit = 0.0F;
};
using HandRequest = std::array<PartRequest, tracking::kHandPartCount>;

/// Maximum force of each part in newtons, according to its energy account (port.h).
using PartCeilings = std::array<float, tracking::kHandPartCount>;

/// Consecutive interventions with the same cause on the same part of the hand.
struct InterventionEntry {
    std::int64_t begin_ns = 0, end_ns = 0;
    Intervention cause = Intervention::level;
    std::int8_t part = -1;  ///< part as in tracking/hand_parts.h; -1: the whole hand
    std::uint32_t count = 0;
    /// Level requested and level sent at the first intervention, as fractions of the device's maxima.
    float requested = 0.0F, given = 0.0F;
};

/// One hand's governor. It has only plain values and does not allocate. A call takes about 0.2 us.
class Governor {
  public:
    static constexpr std::size_t kLogCapacity = 1024;  ///< number of newest entries kept; counts() includes all

    explicit Governor(const DeviceLimits& limits = {}, tracking::Side side = tracking::Side::right);

    /// Decides which command to send; call it every tick. `request` is null if there is no new request; the watchdog
    /// stops the device after too long without one. `ceilings` are applied last, after the slew limit; null for devices
    /// that do not push. Kinds of command that the device does not accept stay zero. Returns an empty optional if there
    /// is nothing to send now.
    std::optional<HapticCommand> decide(std::int64_t now_ns, const HandRequest* request, const StopReasons& reasons,
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
        float vibration = 0.0F;  ///< envelope: recent maximum
        float limit = 0.0F;
        float load = 0.0F;      ///< how hard the finger pushes against the limit, 0..1
        double budget_s = 0.0;  ///< energy left above the mean power, in seconds of full power
    };
    void note(std::int64_t now_ns, Intervention cause, int part, float requested, float given);
    double max_budget_s() const;
    void spend(double dt_s);
    PartCommand taken(const PartRequest& request) const;
    PartCommand limit(std::int64_t now_ns, int part, const PartRequest& request, double dt_s, const float* max_n);
    std::optional<HapticCommand> stop(std::int64_t now_ns, Intervention cause);
    std::optional<HapticCommand> send(std::int64_t now_ns, HapticCommand command);

    DeviceLimits limits_;
    tracking::Side side_;
    std::array<Part, tracking::kHandPartCount> parts_;
    std::array<PartCommand, tracking::kHandPartCount> sent_{};
    std::int64_t last_decide_ns_ = 0, last_request_ns_ = 0, last_sent_ns_ = 0, last_stop_ns_ = 0;
    std::int64_t stop_repeats_ = 0;
    Intervention stop_cause_ = Intervention::lost;  // while stopped_
    bool started_ = false, stopped_ = false, ever_sent_ = false;
    std::array<std::uint64_t, kInterventionCount> counts_{};
    std::array<InterventionEntry, kLogCapacity> log_{};
    std::size_t log_size_ = 0;
    std::uint64_t commands_ = 0;
};

}  // namespace glovebox::vr
