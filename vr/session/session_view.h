// Fills the ViewModel that a window or a headset draws from a session, and owns the data that it points to.
#pragma once

#include <optional>
#include <vector>

#include "vr/session/session.h"
#include "vr/session/take.h"

namespace glovebox::vr {

class SessionView {
  public:
    explicit SessionView(const Session& session);

    /// Returns the state after the session's last frame. Valid until the next call.
    ViewModel& model(const Session& session);
    /// Adds the last frame's time to the chart of the last 10 s (ViewModel::recent_total_us).
    void note_cost(const Session& session);
    /// Waits until the recording's overview (ViewModel::take) is complete; for screenshots. A window does not wait.
    void wait_for_take();

  private:
    void list_events(const Session& session);

    ViewModel model_;
    tracking::HandPair predicted_;
    std::vector<Interval> gaps_;
    std::vector<EventLine> lines_;
    BoxPairs box_pairs_;
    Prices prices_;
    std::vector<MethodCost> methods_;
    std::vector<float> recent_us_;
    std::size_t strip_frames_ = 0;
    std::size_t history_shown_ = 0, messages_shown_ = 0;
    std::uint64_t frames_shown_ = 0, races_shown_ = 0;
    int frame_shown_ = -1;
    std::uint64_t pairs_of_ = 0;  // Pipeline::frames when the pairs were listed
    scenes::ProxyHands proxies_;
    std::optional<TakeWatcher> watcher_;  // of recordings
};

/// Returns a source's state and counters for the panel, such as "live • 3 unreadable • 2 silences". Returns an empty
/// string for recordings.
std::string source_text(const Session& session);

}  // namespace glovebox::vr
