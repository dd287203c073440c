// Keeps forces current while a frame takes long, for example because its pictures are drawn slowly.
//
// Between the end of a frame's step and the next sample nothing changes the world. In that time a thread of its own
// locates the hands again and passes them to the force loop, so that a frame of 300 ms is felt as samples 11 ms apart.
// Objects stay until the next step; while a hand holds one that can move, there are no such samples. The step, the
// recording and the state hashes do not see them.
#pragma once

#include <atomic>
#include <functional>
#include <thread>

#include "vr/haptics/session.h"
#include "vr/session/pipeline.h"

namespace glovebox::vr {

/// Owns the thread. All calls come from the frame's thread; none of them allocates or takes a lock.
class HandsBetweenFrames {
  public:
    /// Locates the hands now, as the source would sample them. Returns false if that is not possible.
    using Locate = std::function<bool(tracking::HandPair&)>;

    /// `pipeline` and `haptics` must outlive this object.
    HandsBetweenFrames(const Pipeline& pipeline, HapticSession& haptics, Locate locate, Clock clock);
    ~HandsBetweenFrames();
    HandsBetweenFrames(const HandsBetweenFrames&) = delete;
    HandsBetweenFrames& operator=(const HandsBetweenFrames&) = delete;

    /// Call it before a frame samples the hands. Waits for a sample of this thread that is in progress. Returns whether
    /// the thread was not paused before.
    bool pause();
    /// Call it when a frame has changed all that it will change, or, if there was no frame after all, with false.
    void resume(bool is_new_frame = true);

  private:
    enum State : int { kPaused, kWaiting, kSampling };

    void run();
    std::int64_t sample();
    bool can_follow() const;

    const Pipeline& pipeline_;
    HapticSession& haptics_;
    Locate locate_;
    Clock clock_;
    std::atomic<int> state_ = kPaused;
    std::atomic<bool> ends_ = false;
    // Written while paused by the frame's thread, else by the own thread.
    bool is_new_frame_ = false;
    tracking::HandPair raw_, hands_;
    tracking::PerSide<tracking::Guard> guards_;
    tracking::PerSide<tracking::HandFilter> filters_;
    std::thread thread_;
};

}  // namespace glovebox::vr
