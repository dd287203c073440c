// A recording against a scene, frame by frame: what headless runs, the window and the checks all stand on.
//
// Time-faithful: a frame's dt is the recording's. Deterministic: going to a frame always gives the same state,
// because going back starts over and runs forward again.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "recordings/recording.h"
#include "vr/haptics/session.h"
#include "vr/session/fault_watch.h"
#include "vr/session/pipeline.h"
#include "vr/session/record.h"
#include "vr/session/view_model.h"

namespace glovebox::vr {

/// What the recording did rather than the hand.
enum class Trouble : std::uint8_t { none, gap, jump, lost };

/// A contact event, or (trouble is not none) something that happened to the recording.
struct LoggedEvent {
    scenes::Event event;
    int frame = 0;
    Trouble trouble = Trouble::none;
    double trouble_s = 0.0;  ///< length of the gap
};

/// What happened over all frames so far. Bounded: everything is counted, and of the events the newest are kept, between
/// half of kMostEvents and all of it.
struct ReplayTotals {
    static constexpr std::size_t kMostEvents = 8192;
    collision::CollideCounts counts;
    std::array<std::uint64_t, scenes::kEventKindCount> event_counts{};  ///< by EventKind
    std::vector<LoggedEvent> events;
    std::uint64_t frames = 0;
    std::uint64_t state_hash = 0;  ///< of all frames' hashes, in order
    int clearest_frame = 0;        ///< the first frame with the most bones touching without being deep inside
    int clearest = -1'000'000;     ///< how clear that one is
};

/// Counts one frame.
void account(const scenes::StepReport& report, int frame, ReplayTotals& totals);

struct ReplayOptions {
    std::array<bool, 2> use_hand = {true, true};
    const collision::RefitMethod* method = nullptr;
    int race_every = 32;
    std::optional<scenes::HandPlacement> placement;  ///< empty: as placement_of() says
};

/// Where a recording's hands go in a scene: where its log says they stood in that scene, else where the scene asks for
/// them.
scenes::HandPlacement placement_of(const recordings::Recording& recording, const scenes::Scene& scene);

class Replay {
  public:
    Replay(scenes::Scene scene, recordings::Recording recording, const ReplayOptions& options, Clock clock);

    Replay(const Replay&) = delete;  // the pipeline refers to the scene in here
    Replay& operator=(const Replay&) = delete;

    int frame_count() const { return static_cast<int>(recording.samples.size()); }
    int frame() const { return frame_; }  ///< the frame last processed; -1 before the first
    double time_s() const { return time_of(std::max(frame_, 0)); }
    double time_of(int frame) const;

    /// Processes the next frame. Returns false at the end.
    bool next();

    /// Starts over: objects at their places, before the first frame. Totals go on.
    void restart();

    /// Goes to a frame by running forward to it, from the start where it lies behind. Statistics are not disturbed.
    /// Far jumps in long recordings run only the last 2000 frames before it.
    void seek(int frame);

    scenes::Scene scene;
    recordings::Recording recording;
    Pipeline pipeline;
    ReplayTotals totals;
    std::unique_ptr<FaultWatch> faults;  ///< null: no faults were put in. Outlives the haptics that it listens to
    std::shared_ptr<const HandMeshes> hand_meshes;  ///< to be drawn; null: our own
    std::unique_ptr<SessionLog> log;                ///< null: not recorded. Gets each frame once, in order
    std::unique_ptr<HapticSession> haptics;         ///< null: none asked for
    RecordedHashes recorded;                        ///< against the log's own frames, where it has them
    std::vector<LoggedEvent> history;  ///< since the start of this pass, up to the frame: what led here. Bounded

  private:
    void process(int frame);
    void remember(int frame, double dt_s);

    double long_gap_s_ = 0.0;
    std::array<bool, 2> in_trouble_{};
    int frame_ = -1;
};

/// Name of a bone and an object for people: "index tip", "ball".
std::string bone_text(const scenes::Event& event);
std::string object_text(const scenes::Scene& scene, const scenes::Event& event);

/// A line of the window's event list. Hover events are not shown there.
EventLine event_line(const scenes::Scene& scene, const LoggedEvent& logged);

/// The touching (bone, object) pairs of a frame by one method, for comparing methods, where things stood when it was
/// looked for contacts (PipelineSettings::keep_colliders): since then what was touched has moved. Sorted.
std::vector<collision::Candidate> touching_pairs(const collision::RefitMethod& method, const Replay& replay,
                                                 tracking::Side side);

}  // namespace glovebox::vr
