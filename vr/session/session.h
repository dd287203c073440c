// The one session: raw samples from any source, against a scene, to everything that wants to know.
//
//   source -> raw frame -> guard -> hand poses -> refit -> box tests -> exact contacts -> step -> haptics, log, sinks
//
// A recording, a headset and a glove differ in their source (tracking/source.h) and in nothing after it. A frame's dt
// is the source's; nothing in here reads a clock but to measure. Deterministic: the same samples give the same state
// hashes, and going to a frame of a recording always gives the same state, because going back starts over and runs
// forward again.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "recordings/file_source.h"
#include "tracking/filter.h"
#include "tracking/prediction.h"
#include "vr/haptics/session.h"
#include "vr/session/log_meta.h"
#include "vr/session/pipeline.h"
#include "vr/session/record.h"
#include "vr/session/sink.h"
#include "vr/session/touches.h"
#include "vr/session/view_model.h"

namespace glovebox::vr {

class FaultWatch;

/// What the source did rather than the hand.
enum class Trouble : std::uint8_t { none, gap, jump, lost };

/// A contact event, or (trouble is not none) something that happened to the hands' samples.
struct LoggedEvent {
    scenes::Event event;
    int frame = 0;
    Trouble trouble = Trouble::none;
    double trouble_s = 0.0;  ///< length of the gap
};

/// What happened over all frames so far. Bounded: everything is counted, and of the events the newest are kept, between
/// half of kMaxEvents and all of it.
struct SessionTotals {
    static constexpr std::size_t kMaxEvents = 8192;
    collision::CollideCounts counts;
    std::array<std::uint64_t, scenes::kEventKindCount> event_counts{};  ///< by EventKind
    std::vector<LoggedEvent> events;
    std::uint64_t frames = 0;
    std::uint64_t state_hash = 0;  ///< of all frames' hashes, in order
    int clearest_frame = 0;        ///< the first frame with the most bones touching without being deep inside
    int clearest = -1'000'000;     ///< how clear that one is
    double duration_s = 0.0;       ///< from the first sample to the last, passes of a loop together
    double longest_gap_s = 0.0;    ///< between two samples
};

/// Counts one frame.
void account(const scenes::StepReport& report, int frame, SessionTotals& totals);

struct SessionOptions {
    tracking::PerSide<bool> use_hand = {true, true};
    const collision::RefitMethod* method = nullptr;  ///< null: the first entry
    bool race = false;                               ///< measures the other methods, outside of the frames' time
    std::optional<scenes::HandPlacement> placement;  ///< empty: as placement_of() says
    std::optional<tracking::FilterSettings> filter;  ///< empty: as the recording's log was made with, else off
    tracking::PredictionSettings prediction;         ///< of the hands that are drawn; off unless asked for
};

class Session {
  public:
    /// A live source's hands are where it says, unless the options have a placement.
    Session(scenes::Scene scene, std::unique_ptr<tracking::HandSource> source, const SessionOptions& options,
            Clock read_clock);
    /// A recording as fast as it goes.
    Session(scenes::Scene scene, recordings::Recording recording, const SessionOptions& options, Clock read_clock);
    ~Session();

    Session(const Session&) = delete;  // the pipeline refers to the scene in here
    Session& operator=(const Session&) = delete;

    /// Processes the next sample that is due. False: none is.
    bool next();

    int frame() const { return frame_; }       ///< the frame last processed; -1 before the first
    double time_s() const { return time_s_; }  ///< of that frame: of a recording since its first sample
    const tracking::HandPair& raw() const { return source_frame_.raw; }  ///< of that frame
    const tracking::SourceFacts& facts() const { return source->facts(); }
    Clock clock() const { return clock_; }

    /// Starts over: objects at their places, a recording before its first frame. Totals go on.
    void restart();
    /// Goes to a frame of a recording by running forward to it, from the start where it lies behind. Statistics are not
    /// disturbed. Far jumps in long recordings run only the last 2000 frames before it. Live sessions stay where they
    /// are.
    void seek(int frame);
    const recordings::Recording& recording() const { return file->recording; }  ///< there must be one
    int frame_count() const { return file != nullptr ? file->frame_count() : frame_ + 1; }
    double time_of(int frame) const { return file != nullptr ? file->time_of(frame) : time_s_; }

    void set_paused(bool paused);
    bool paused() const { return paused_; }

    /// Whether the frames' box tests are written down (Pipeline::box_tests). The frame on show of a recording that is
    /// paused is made once more for it, as seek() would.
    void keep_box_tests(bool keep);

    /// Says something in the event list that is no contact: "headset", "session lost".
    void say(const std::string& who, const std::string& what, bool is_trouble = true);
    /// What the source has noticed since the last call goes into the event list.
    void tell_notices();

    /// Ends what is felt and written. False: something is not whole, and why has been said.
    bool finish(nlohmann::ordered_json& report);

    scenes::Scene scene;
    std::unique_ptr<tracking::HandSource> source;
    recordings::FileSource* file = nullptr;  ///< the same, where it is a recording
    Pipeline pipeline;
    MethodRace race;
    int race_every = 0;  ///< frames between two measurements; 0: none
    SessionTotals totals;
    Touches touches;
    tracking::PredictionSettings prediction;
    tracking::PerSide<tracking::HandMotion> motions;  ///< where a view shows hands later than they were tracked
    std::vector<std::string> notes;                   ///< of the source and of what was found while opening it
    std::unique_ptr<FaultWatch> faults;               ///< null: no faults were put in. Outlives the haptics
    std::shared_ptr<const HandMeshes> hand_meshes;    ///< to be drawn; null: our own
    std::unique_ptr<SessionLog> log;                  ///< null: not recorded. Gets each frame once, in order
    std::unique_ptr<HapticSession> haptics;           ///< null: none asked for
    std::vector<std::unique_ptr<Sink>> sinks;
    RecordedHashes recorded;           ///< against the log's own frames, where it has them
    std::vector<LoggedEvent> history;  ///< since the start of this pass, up to the frame: what led here. Bounded
    std::vector<EventLine> sayings;    ///< what say() was told, oldest first. Bounded

  private:
    void process(const tracking::SourceFrame& frame, bool counts);
    void remember(double dt_s);
    void run_sinks(bool measuring);

    Clock clock_;
    tracking::SourceFrame source_frame_;
    std::vector<std::uint64_t> no_hashes_;
    double long_gap_s_ = 0.0, time_s_ = 0.0;
    tracking::PerSide<bool> in_trouble_{};
    int frame_ = -1;
    bool paused_ = false, sinks_whole_ = true;
};

/// Name of a bone and an object for people: "index tip", "ball".
std::string bone_text(const scenes::Event& event);
std::string object_text(const scenes::Scene& scene, const scenes::Event& event);

/// A line of the window's event list. Hover events are not shown there.
EventLine event_line(const scenes::Scene& scene, const LoggedEvent& logged);

/// The touching (bone, object) pairs of a frame by one method, for comparing methods, where things stood when it was
/// looked for contacts (PipelineSettings::keep_colliders): since then what was touched has moved. Sorted.
std::vector<collision::Candidate> touching_pairs(const collision::RefitMethod& method, const Session& session,
                                                 tracking::Side side);

}  // namespace glovebox::vr
