// The force loop's thread: one tick every millisecond, independent of the frame loop.
//
// Frames reach the thread, and the ledger leaves it, through triple buffers, without locks or allocation between start
// and stop. If the system permits, the thread runs under SCHED_FIFO with its memory locked; scheduling() returns the
// scheduling in force.
#pragma once

#include <atomic>
#include <memory>
#include <string>
#include <thread>

#include "vr/haptics/loop.h"
#include "vr/haptics/triple_buffer.h"

namespace glovebox::vr {

/// Owns the thread, the loop and the output. Call all methods from the frame loop's thread.
class HapticThread {
  public:
    /// Starts the thread, which uses `output` until stop(). service() uses `output` from the caller's thread.
    explicit HapticThread(const DeviceLimits& limits, std::unique_ptr<HapticOutput> output, bool real_time = true);
    ~HapticThread();  ///< calls stop()
    HapticThread(const HapticThread&) = delete;
    HapticThread& operator=(const HapticThread&) = delete;

    /// Returns the frame to fill before publish(). The force loop uses only the latest published frame.
    scenes::HapticFrame& next_frame() { return frames_.back(); }
    void publish();

    void set_paused(bool paused) { paused_ = paused; }
    void set_unfocused(bool unfocused) { unfocused_ = unfocused; }

    /// See HapticSession::request(). The request's time is the time of this call.
    void request(float level);

    /// Runs HapticOutput::service(); call every frame.
    void service() { output_->service(); }
    void reconnect(int connection) { output_->reconnect(connection); }

    /// Returns the ledger, at most 0.1 s old.
    const DeadlineLedger& ledger() { return stopped_ ? loop_->ledger : ledgers_.front(); }

    /// Sends a stop, waits for the thread and finishes the output. Returns whether its files are complete. loop() may
    /// be read afterwards.
    bool stop();
    const HapticLoop& loop() const { return *loop_; }
    const std::string& scheduling() const { return scheduling_; }  ///< "SCHED_FIFO 80, memory locked"

  private:
    void run();

    std::unique_ptr<HapticLoop> loop_;
    std::unique_ptr<HapticOutput> output_;
    TripleBuffer<scenes::HapticFrame> frames_;
    TripleBuffer<DeadlineLedger> ledgers_;
    TripleBuffer<LevelRequest> requests_;
    std::atomic<bool> paused_ = false, unfocused_ = false, exiting_ = false, ready_ = false;
    std::string scheduling_;
    std::uint64_t number_ = 0;
    bool real_time_, stopped_ = false, whole_ = true;
    std::thread thread_;
};

}  // namespace glovebox::vr
