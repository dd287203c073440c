// What an application was given of its hands, kept in a .glove log (recordings/log).
//
// The application's threads copy into the log's ring: no lock, no memory, no system call. Two hands that are asked for
// at the same time are one sample; its time is the time asked for, from the first one on. A hand that was not asked for
// then is the one of just before (source "held"). What is asked for a second time, or out of order, is not kept.
// What the application asks to be felt is in the table `haptic` (output "application"), at the time of the call.
#pragma once

#include <openxr/openxr.h>

#include <array>
#include <atomic>
#include <filesystem>
#include <string>

#include "recordings/log/log_writer.h"
#include "tracking/hand_frame.h"
#include "vr/openxr/force_feedback_curl.h"

namespace glovebox::vr::layer {

class HandRecord {
  public:
    /// Throws recordings::ExportError.
    HandRecord(const std::filesystem::path& path, const std::string& application);

    /// A hand as it was located for `asked`, in LOCAL. From any thread; never waits: a thread that finds another one
    /// here for longer than its copy takes leaves its sample out, and that is counted.
    void hand(const tracking::HandFrame& hand, XrTime asked, std::int64_t arrival_ns) noexcept;

    /// What the application asks to be felt: a controller's vibration, 0 to 1, where 0 is a stop; or the shares of
    /// fingers' motion that are closed off. As above.
    void vibration(tracking::Side side, float amplitude, std::int64_t arrival_ns) noexcept;
    void forces(tracking::Side side, const XrForceFeedbackCurlApplyLocationsMNDX& asked,
                std::int64_t arrival_ns) noexcept;

    /// Writes what is left. Returns what there is to say: how much is in the log, or why it is not whole.
    std::string finish();
    /// A sentence, once, when recording has stopped by itself; empty otherwise. Cheap.
    std::string trouble();

  private:
    bool enter() noexcept;
    void leave() noexcept { busy_.clear(std::memory_order_release); }
    void flush() noexcept;
    void felt(recordings::HapticRecord& record, std::int64_t arrival_ns) noexcept;

    recordings::LogWriter log_;
    std::atomic_flag busy_;
    std::atomic<std::uint64_t> left_out_{0};
    std::atomic<bool> told_{false};

    tracking::HandPair pending_;
    tracking::PerSide<bool> has_{};  // in pending_
    tracking::PerSide<tracking::HandFrame> last_;
    tracking::PerSide<std::array<float, tracking::kFingerCount>> held_{};
    XrTime first_ = 0, pending_time_ = 0;  // 0: none yet
    std::int64_t first_arrival_ns_ = 0, last_flushed_ns_ = -1;
};

}  // namespace glovebox::vr::layer
