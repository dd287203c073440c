// A replay as the window shows it: fills the ViewModel and keeps what it points to.
#pragma once

#include <vector>

#include "vr/session/replay.h"

namespace glovebox::vr {

class ReplayView {
  public:
    explicit ReplayView(const Replay& replay);

    /// The state after the replay's last frame. Valid until the next call.
    const ViewModel& model(const Replay& replay, bool playing, bool loop, double speed);

    /// Adds the last frame's cost to the "last 10 s" strip.
    void note_cost(const Replay& replay);

  private:
    ViewModel model_;
    std::vector<Interval> gaps_;
    std::vector<double> touch_times_s_;
    std::vector<EventLine> lines_;
    std::vector<MethodCost> methods_;
    std::vector<float> recent_us_;
    std::size_t most_recent_ = 0;
    std::size_t history_shown_ = 0;
    int frame_shown_ = -1;
    scenes::ProxyHands proxies_;
};

}  // namespace glovebox::vr
