// A headset as a source of hands: both hands of every frame that the runtime paces, seen from the seat.
//
// Where the headset or its runtime goes away samples without hands go on, fifty a second, and it is looked for again.
#pragma once

#include <functional>
#include <optional>
#include <utility>

#include "tracking/source.h"
#include "vr/openxr/headset.h"
#include "vr/session/stage_stats.h"

namespace glovebox::vr {

/// A headless session is not paced by the runtime: a fixed grid is, and who comes late has missed slots.
class Pacer {
  public:
    void wait(double rate_hz);
    void restart() { next_ns_ = 0; }

    std::uint64_t missed = 0;
    DurationHistogram lateness;

  private:
    std::int64_t next_ns_ = 0;
};

class HeadsetSource final : public tracking::HandSource {
  public:
    /// `rate_hz`: of headless sessions, where the runtime does not pace; 0: the display's, or 90.
    HeadsetSource(openxr::HeadsetSettings settings, double rate_hz);

    /// Waits until there is a headset. False: `go_on` has said no, or the person has ended it from the headset. Throws
    /// std::runtime_error where there is no runtime, or no headset for `wait_s`.
    bool attach(double wait_s, const std::function<bool()>& go_on);

    void wait(std::int64_t until_ns) override;  ///< as long as the runtime says; `until_ns` does not shorten it
    bool next(std::int64_t now_ns, tracking::SourceFrame& out) override;
    const tracking::SourceFacts& facts() const override { return facts_; }
    const tracking::SourceStatus& status() const override { return status_; }
    std::vector<tracking::SourceNotice> take_notices() override;
    void set_paused(bool paused) override { paused_ = paused; }
    bool focused() const override { return headset.focused(); }
    std::int64_t start_ns() const override { return start_ns_; }

    /// The frame that the runtime waits for; empty without a headset. The view ends it.
    const std::optional<openxr::FrameTiming>& timing() const { return timing_; }
    void end_frame(std::span<const XrCompositionLayerBaseHeader* const> layers);
    /// The hands where they will be when the frame is seen, in the space of the seat.
    void predict(tracking::HandPair& out);
    double rate_hz() const;
    /// The next sample is the first of another session.
    void start_over() { number_ = 0; }

    openxr::Headset headset;
    Pacer pacer;
    std::int64_t frame_cpu_start_ns = 0;  ///< this thread's, when the frame began

  private:
    void fill(std::int64_t time_ns, tracking::SourceFrame& out);
    void follow_status(std::int64_t now_ns);

    bool headless_;
    double wanted_hz_;
    tracking::SourceFacts facts_;
    tracking::SourceStatus status_;
    std::optional<openxr::FrameTiming> timing_;
    tracking::HandPair raw_;
    int named_ = 0;  // the session that facts_.device names
    bool ready_ = false, paused_ = false;
    struct Told {  // every loss and recentring is told once, however long it lasts
        openxr::Phase phase = openxr::Phase::no_runtime;
        int sessions_lost = 0, instances_lost = 0, recentered = 0;
        bool no_picture = false;
    } told_;
    std::int64_t start_ns_ = 0, last_ns_ = 0, number_ = 0;
};

}  // namespace glovebox::vr
