// Frame-time statistics of an application: the time that its work took, and the number of display times that it missed.
//
// The application's threads write and any thread may read, without locks or allocation.
#pragma once

#include <openxr/openxr.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <cstddef>
#include <cstdint>

#include "vr/openxr/display_period.h"

namespace glovebox::vr::layer {

/// Returns how many display times were skipped between two consecutive frames; 0 if `last` or `period` is not known.
inline std::int32_t missed_between(XrTime last, XrTime displayed, XrDuration period) {
    if (last == 0 || period <= 0) return 0;
    const double periods = static_cast<double>(displayed - last) / static_cast<double>(period);
    return static_cast<std::int32_t>(std::clamp(std::round(periods) - 1.0, 0.0, 1e6));
}

class FrameLedger {
  public:
    static constexpr std::size_t kRecent = 512;

    struct Facts {
        std::int64_t frames = 0;    ///< frames that ended
        std::int64_t missed = 0;    ///< display times that the application skipped
        std::int64_t too_long = 0;  ///< frames whose work took longer than the display's period
        std::int64_t period_ns = 0;
        /// Work time, from the return of xrWaitFrame to the call of xrEndFrame, over the last kRecent frames; 0 if no
        /// frame has ended.
        std::int64_t work_p50_ns = 0, work_p99_ns = 0;
    };

    /// Call when xrWaitFrame has returned.
    void waited(const XrFrameState& frame, std::int64_t now_ns) noexcept {
        const std::uint64_t number = waited_.load(std::memory_order_relaxed);
        Waited& at = at_once_[number % at_once_.size()];
        at.waited_ns.store(now_ns, std::memory_order_relaxed);
        at.displayed.store(frame.predictedDisplayTime, std::memory_order_release);
        waited_.store(number + 1, std::memory_order_relaxed);
        const XrTime last = last_displayed_.exchange(frame.predictedDisplayTime, std::memory_order_relaxed);
        const std::int64_t period_ns =
            openxr::display_period_ns(period_ns_.load(std::memory_order_relaxed), frame.predictedDisplayPeriod);
        missed_.fetch_add(missed_between(last, frame.predictedDisplayTime, period_ns), std::memory_order_relaxed);
        period_ns_.store(period_ns, std::memory_order_relaxed);
    }

    /// Call when the application calls xrEndFrame. Frames without a call of waited() are not counted.
    void ended(XrTime displayed, std::int64_t now_ns) noexcept {
        const auto at = std::ranges::find_if(at_once_, [&](const Waited& each) {
            return displayed != 0 && each.displayed.load(std::memory_order_acquire) == displayed;
        });
        if (at == at_once_.end()) return;
        at->displayed.store(0, std::memory_order_relaxed);
        const std::int64_t work_ns = now_ns - at->waited_ns.load(std::memory_order_relaxed);
        const std::int64_t number = ended_.load(std::memory_order_relaxed);
        work_ns_[static_cast<std::size_t>(number) % kRecent].store(work_ns, std::memory_order_relaxed);
        if (work_ns > period_ns_.load(std::memory_order_relaxed)) too_long_.fetch_add(1, std::memory_order_relaxed);
        ended_.store(number + 1, std::memory_order_release);
    }

    std::int64_t frames() const noexcept { return ended_.load(std::memory_order_acquire); }

    Facts facts() const noexcept {
        Facts facts;
        facts.frames = frames();
        facts.missed = missed_.load(std::memory_order_relaxed);
        facts.too_long = too_long_.load(std::memory_order_relaxed);
        facts.period_ns = period_ns_.load(std::memory_order_relaxed);
        std::array<std::int64_t, kRecent> work_ns{};
        const auto count = static_cast<std::size_t>(std::min<std::int64_t>(facts.frames, kRecent));
        if (count == 0) return facts;
        for (std::size_t i = 0; i < count; ++i) work_ns[i] = work_ns_[i].load(std::memory_order_relaxed);
        std::sort(work_ns.begin(), work_ns.begin() + static_cast<std::ptrdiff_t>(count));
        facts.work_p50_ns = work_ns[(count - 1) / 2];
        facts.work_p99_ns = work_ns[(count - 1) * 99 / 100];
        return facts;
    }

  private:
    struct Waited {
        std::atomic<XrTime> displayed{0};  // 0: unused, or the frame has ended
        std::atomic<std::int64_t> waited_ns{0};
    };
    std::array<Waited, 8> at_once_{};
    std::array<std::atomic<std::int64_t>, kRecent> work_ns_{};
    std::atomic<std::uint64_t> waited_{0};
    std::atomic<XrTime> last_displayed_{0};
    std::atomic<std::int64_t> ended_{0}, missed_{0}, too_long_{0}, period_ns_{0};
};

}  // namespace glovebox::vr::layer
