// The force loop's own thread: one tick every millisecond, whatever the frame loop is doing.
//
// Frames come in and the ledger goes out through triple buffers; nothing is locked and nothing is allocated between
// start and stop. Where the system permits, the thread runs under SCHED_FIFO with its memory locked; what was in force
// is said by scheduling().
#pragma once

#include <atomic>
#include <memory>
#include <string>
#include <thread>

#include "vr/haptics/loop.h"
#include "vr/haptics/triple_buffer.h"

namespace glovebox::vr {

class HapticThread {
  public:
    /// Starts it. `output` is used from the new thread until stop() and serviced from the caller's.
    explicit HapticThread(const DeviceLimits& limits, std::unique_ptr<HapticOutput> output, bool real_time = true);
    ~HapticThread();  ///< stops, if that was not done
    HapticThread(const HapticThread&) = delete;
    HapticThread& operator=(const HapticThread&) = delete;

    /// Frame loop: fill this, then publish. Latest wins.
    scenes::HapticFrame& next_frame() { return frames_.back(); }
    void publish();

    void set_paused(bool paused) { paused_ = paused; }
    void set_unfocused(bool unfocused) { unfocused_ = unfocused; }

    /// See HapticSession::request(). The time is this call's.
    void request(float level);

    /// Frame loop, every frame: lets the output do what the force loop must not.
    void service() { output_->service(); }
    void reconnect(int connection) { output_->reconnect(connection); }

    /// The ledger as of at most 0.1 s ago. Frame loop only.
    const DeadlineLedger& ledger() { return stopped_ ? loop_->ledger : ledgers_.front(); }

    /// Sends the stop, waits for the thread, finishes the output: is it whole? Afterwards loop() may be read.
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
