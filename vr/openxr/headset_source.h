// A headset as a source of hands: one sample of both hands per frame of the runtime, in the frame of the seat.
//
// If the headset or its runtime is lost, the source delivers samples without hands at 50 Hz until the connection
// returns.
#pragma once

#include <functional>
#include <optional>
#include <utility>

#include "tracking/source.h"
#include "vr/openxr/headset.h"
#include "vr/session/stage_stats.h"

namespace glovebox::vr {

/// Paces headless sessions, because the runtime does not pace them: waits for time slots of a fixed rate, and counts
/// missed slots.
class Pacer {
  public:
    void wait(double rate_hz);
    void restart() { next_ns_ = 0; }

    std::uint64_t missed = 0;
    DurationHistogram lateness;

  private:
    std::int64_t next_ns_ = 0;
};

/// A hand source that owns the connection to the headset.
class HeadsetSource final : public tracking::HandSource {
  public:
    /// `rate_hz` is the frame rate of headless sessions. If it is 0, the display's rate is used, or 90 if that is not
    /// known.
    HeadsetSource(openxr::HeadsetSettings settings, double rate_hz);

    /// Waits until there is a session, and returns true. Returns false if `go_on` returns false, or if the user has
    /// ended the application from the headset. Throws std::runtime_error if there is no runtime, or no session after
    /// `wait_s`.
    bool attach(double wait_s, const std::function<bool()>& go_on);

    void wait(std::int64_t until_ns) override;  ///< waits as long as the runtime does; `until_ns` is ignored
    bool next(std::int64_t now_ns, tracking::SourceFrame& out) override;
    const tracking::SourceFacts& facts() const override { return facts_; }
    const tracking::SourceStatus& status() const override { return status_; }
    std::vector<tracking::SourceNotice> take_notices() override;
    void set_paused(bool paused) override { paused_ = paused; }
    bool focused() const override { return headset.focused(); }
    std::int64_t start_ns() const override { return start_ns_; }

    /// Returns the current frame, which the view must end; empty without a headset.
    const std::optional<openxr::FrameTiming>& timing() const { return timing_; }
    void end_frame(std::span<const XrCompositionLayerBaseHeader* const> layers);
    /// Predicts the hands for the frame's display time, in the frame of the seat.
    void predict(tracking::HandPair& out);
    /// Locates the hands now, as next() would return them. May run on another thread, but not during next() or from a
    /// call of `before_sample` to the next() that follows.
    bool locate_between(tracking::HandPair& out);
    double rate_hz() const;
    /// Makes the next sample the first one of a new session.
    void start_over() { number_ = 0; }

    std::function<void()> before_sample;  ///< called before a frame's hands are located; may be empty
    openxr::Headset headset;
    Pacer pacer;
    std::int64_t frame_cpu_start_ns = 0;  ///< CPU time of this thread when the frame began

  private:
    void fill(std::int64_t time_ns, tracking::SourceFrame& out);
    void follow_status(std::int64_t now_ns);

    bool headless_;
    double wanted_hz_;
    tracking::SourceFacts facts_;
    tracking::SourceStatus status_;
    std::optional<openxr::FrameTiming> timing_;
    tracking::HandPair raw_;
    tracking::PerSide<tracking::LocatedJoints> between_;
    int named_ = 0;  // the session that facts_.device names
    bool ready_ = false, paused_ = false;
    struct Noticed {  // each loss and recentring is reported once, however long it lasts
        openxr::Phase phase = openxr::Phase::no_runtime;
        int sessions_lost = 0, instances_lost = 0, recentered = 0;
        bool no_picture = false;
    } noticed_;
    std::int64_t start_ns_ = 0, last_ns_ = 0, number_ = 0;
};

}  // namespace glovebox::vr
