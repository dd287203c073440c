// A session, which runs the raw samples of any source through the pipeline in a scene and passes the results to all
// outputs.
//
//   source -> raw frame -> guard -> hand poses -> refit -> box tests -> exact contacts -> step -> haptics, log, sinks
//
// A recording, a headset and a glove differ only in their source (tracking/source.h). A frame's dt comes from the
// source; clocks are read only to measure. Sessions are deterministic, so the same samples give the same state hashes.
// Seeking to a frame of a recording always gives the same state, because seeking back restarts and runs forward again.
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
class HandsBetweenFrames;

/// A fault in the samples that the source causes, not the hand.
enum class Trouble : std::uint8_t { none, gap, jump, lost };

/// A contact event, or, unless `trouble` is none, a fault in the hands' samples.
struct LoggedEvent {
    scenes::Event event;
    int frame = 0;
    Trouble trouble = Trouble::none;
    double trouble_s = 0.0;  ///< length of the gap
};

/// Totals over all frames so far. Counts include every event; the list `events` holds only the newest ones, at least
/// kMaxEvents / 2 of them if there were so many, and at most kMaxEvents.
struct SessionTotals {
    static constexpr std::size_t kMaxEvents = 8192;
    collision::CollideCounts counts;
    std::array<std::uint64_t, scenes::kEventKindCount> event_counts{};  ///< by EventKind
    std::uint64_t suppressed_events = 0;                                ///< as in World
    std::vector<LoggedEvent> events;
    std::uint64_t frames = 0;
    std::uint64_t state_hash = 0;  ///< hash of all frames' hashes, in order
    int clearest_frame = 0;        ///< the first frame with the most bones touching without being deep inside
    int clearest = -1'000'000;     ///< score of clearest_frame
    double duration_s = 0.0;       ///< from the first sample to the last; in a loop, the passes add up
    double longest_gap_s = 0.0;    ///< between two samples
};

/// Adds one frame to the totals.
void account(const scenes::StepReport& report, int frame, SessionTotals& totals);

/// Options of a Session.
struct SessionOptions {
    tracking::PerSide<bool> use_hand = {true, true};
    const collision::RefitMethod* method = nullptr;  ///< null: the first entry
    bool race = false;                               ///< measures the other methods, outside of the frames' time
    std::optional<scenes::HandPlacement> placement;  ///< empty: result of placement_of()
    std::optional<tracking::FilterSettings> filter;  ///< empty: as the recording's log was made with, else off
    tracking::PredictionSettings prediction;         ///< prediction of the hands that are drawn; off by default
};

/// A scene, a source of hands, the pipeline between them, and the outputs. All calls come from one thread.
class Session {
  public:
    /// Begins a session. The hands of a live source are not moved, unless the options contain a placement.
    Session(scenes::Scene scene, std::unique_ptr<tracking::HandSource> source, const SessionOptions& options,
            Clock read_clock);
    /// Begins a session that replays a recording as fast as possible.
    Session(scenes::Scene scene, recordings::Recording recording, const SessionOptions& options, Clock read_clock);
    ~Session();

    Session(const Session&) = delete;  // the pipeline refers to the scene in here
    Session& operator=(const Session&) = delete;

    /// Processes the next sample that is due. Returns false if none is.
    bool next();

    int frame() const { return frame_; }       ///< index of the last processed frame; -1 before the first one
    double time_s() const { return time_s_; }  ///< time of that frame since the source's start or first sample
    const tracking::HandPair& raw() const { return source_frame_.raw; }  ///< the source's sample for that frame
    const tracking::SourceFacts& facts() const { return source->facts(); }
    Clock clock() const { return clock_; }

    /// Resets the objects to their initial poses and a recording to its start. Totals are kept.
    void restart();
    /// Seeks to a frame of a recording by running forward to that frame. If the frame is before the current one, runs
    /// from the start. If more than 2000 frames would be run, only the last 2000 are run. Statistics do not change. Has
    /// no effect on live sessions.
    void seek(int frame);
    const recordings::Recording& recording() const { return file->recording; }  ///< `file` must not be null
    int frame_count() const { return file != nullptr ? file->frame_count() : frame_ + 1; }
    double time_of(int frame) const { return file != nullptr ? file->time_of(frame) : time_s_; }

    void set_paused(bool paused);
    bool paused() const { return paused_; }

    /// Switches logging of box tests (Pipeline::box_tests) on or off. If a recording is paused, its current frame is
    /// computed again with logging, as by seek().
    void keep_box_tests(bool keep);

    /// Adds a line to the event list that is not a contact: "headset", "session lost".
    void add_message(const std::string& who, const std::string& what, bool is_trouble = true);
    /// Adds the source's notices since the last call to the event list, and prints those that have text for a terminal.
    void print_notices();

    /// Finishes all sinks. Returns false if an output of a sink is incomplete; the reason has then been printed.
    bool finish(nlohmann::ordered_json& report);

    scenes::Scene scene;
    std::unique_ptr<tracking::HandSource> source;
    recordings::FileSource* file = nullptr;  ///< `source` if it is a recording; otherwise null
    Pipeline pipeline;
    MethodRace race;
    int race_every = 0;  ///< frames between two measurements; 0: none
    SessionTotals totals;
    Touches touches;
    tracking::PredictionSettings prediction;
    tracking::PerSide<tracking::HandMotion> motions;  ///< for predicting the hands that are drawn
    std::vector<std::string> notes;                   ///< remarks about the source, for the report
    std::unique_ptr<FaultWatch> faults;               ///< null: no faults are injected. Outlives the haptics
    std::shared_ptr<const HandMeshes> hand_meshes;    ///< hands to draw; null: the built-in skins
    SampleClock sample_clock;                         ///< for haptic outputs that write times
    std::unique_ptr<SessionLog> log;                  ///< null: not recorded. Gets each frame once, in order
    std::unique_ptr<HapticSession> haptics;           ///< null: no haptics
    std::unique_ptr<HandsBetweenFrames> between;      ///< null: hands are located once a frame
    std::vector<std::unique_ptr<Sink>> sinks;
    RecordedHashes recorded;           ///< comparison with the state hashes in the log; all 0 if there are none
    std::vector<LoggedEvent> history;  ///< events from this pass's start to the current frame; limited in number
    std::vector<EventLine> messages;   ///< lines added by say(), oldest first; limited in number

  private:
    void process(const tracking::SourceFrame& frame, bool counts);
    void remember(double dt_s);
    void run_sinks(bool measuring);

    Clock clock_;
    tracking::SourceFrame source_frame_;
    double long_gap_s_ = 0.0, time_s_ = 0.0;
    tracking::PerSide<bool> in_trouble_{};
    int frame_ = -1;
    bool in_order_ = false;  // this pass has run every frame from the first one to the current one
    bool paused_ = false, sinks_whole_ = true;
};

/// Returns the name of a bone ("index tip"), of an object ("ball"; "thumb" for a pinch's -1), or of both ("index tip on
/// ball"), for display.
std::string bone_text(std::int32_t bone);
std::string object_text(const scenes::Scene& scene, std::int32_t object);
std::string pair_text(const scenes::Scene& scene, std::int32_t bone, std::int32_t object);

/// Formats an event as a line of the window's event list. Hover events are not shown there.
EventLine event_line(const scenes::Scene& scene, const LoggedEvent& logged);

/// Finds the touching bone-object pairs of the last frame with one method, sorted, for comparing methods. It uses the
/// objects' poses from before the step moved them, so PipelineSettings::keep_colliders must be set.
std::vector<collision::Candidate> touching_pairs(const collision::RefitMethod& method, const Session& session,
                                                 tracking::Side side);

}  // namespace glovebox::vr
