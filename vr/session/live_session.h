// Live hands against a scene: the same frames as a replay makes, one sample at a time.
//
// Raw samples come as the headset gave them, seen from the seat, with their times; what a session does with them is
// what Replay does with the same samples from a log, down to the hash.
#pragma once

#include <memory>
#include <vector>

#include "vr/session/replay.h"

namespace glovebox::vr {

class LiveSession {
  public:
    LiveSession(scenes::Scene scene, const collision::RefitMethod* method, const Eigen::Isometry3f& scene_from_seat,
                Clock clock);
    LiveSession(const LiveSession&) = delete;  // the pipeline refers to the scene in here
    LiveSession& operator=(const LiveSession&) = delete;

    /// One sample, its `time_ns` on any clock that does not run backwards. The session's own time starts at 0.
    void frame(tracking::HandPair raw);

    /// What the window and the panel show. Valid until the next call.
    const ViewModel& view(const std::string& title, const std::string& subtitle);

    /// Says something in the event list that is no contact: "headset", "session lost".
    void say(const std::string& who, const std::string& what, bool is_trouble = true);

    double time_s() const { return time_s_; }
    double longest_gap_s() const { return longest_gap_s_; }  ///< between two samples
    std::int64_t start_ns() const { return start_ns_; }  ///< of the session, on the samples' clock; 0 before the first

    scenes::Scene scene;
    Pipeline pipeline;
    ReplayTotals totals;
    std::shared_ptr<const HandMeshes> hand_meshes;  ///< to be drawn; null: our own
    std::unique_ptr<SessionLog> log;                ///< null: not recorded
    std::unique_ptr<HapticSession> haptics;         ///< null: nothing is felt

  private:
    std::int64_t start_ns_ = 0;
    double time_s_ = 0.0, longest_gap_s_ = 0.0;
    ViewModel model_;
    std::vector<EventLine> lines_;
    std::vector<MethodCost> methods_;
    std::vector<float> recent_us_;
};

}  // namespace glovebox::vr
