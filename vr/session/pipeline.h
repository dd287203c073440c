// Runs one frame from the raw pair of hands to the step's report, and measures the time of each stage.
//
// The caller passes the clock, so tests can drive it; scenes::step itself never reads one.
#pragma once

#include "scenes/haptics.h"
#include "scenes/placement.h"
#include "scenes/step.h"
#include "tracking/filter.h"
#include "tracking/guard.h"
#include "tracking/hand_profile.h"
#include "vr/session/method_race.h"
#include "vr/session/stage_stats.h"

namespace glovebox::vr {

/// Options of a pipeline.
struct PipelineSettings {
    tracking::PerSide<bool> use_hand = {true, true};  ///< by Side
    scenes::HandPlacement placement;
    tracking::PerSide<tracking::HandProfile> profiles;
    tracking::FilterSettings filter;                 ///< off by default
    const collision::RefitMethod* method = nullptr;  ///< null: the first in the table
    bool keep_colliders = false;                     ///< keep the objects as the contact search used them, for outputs
    bool keep_box_tests = false;     ///< the stage `test` logs each box test, for a view to step through
    bool contact_manifolds = false;  ///< the stage `exact` computes contact manifolds, too, for outputs that need them
};

/// Guards, filters and places the hands, steps the scene, and keeps the results of the last frame as members.
class Pipeline {
  public:
    /// `scene` must outlive the pipeline.
    Pipeline(const scenes::Scene& scene, PipelineSettings settings, Clock clock);

    /// Runs one frame on `raw`, the hands as the source gave them. Does not allocate after the first frames. The
    /// report is valid until the next call.
    const scenes::StepReport& frame(const tracking::HandPair& raw, double dt_s);
    /// Ends the frame and adds its stage times to `stats`; `total` includes the time spent on outputs since frame().
    void close_frame();

    void set_method(const collision::RefitMethod* method) { world.method = method; }

    /// Resets the world, guards and filters to the start; statistics stay.
    void restart();

    /// All that the results of later frames depend on, except the scene. May be copied.
    struct Saved {
        scenes::SavedWorld world;
        tracking::HandPair hands;
        scenes::StepReport report;
        tracking::PerSide<tracking::Guard> guards;
        tracking::PerSide<tracking::GuardReport> guard_reports;
        tracking::PerSide<tracking::HandFilter> filters;
        tracking::PerSide<tracking::HandProfile> profiles;
    };
    /// Save the state after the last frame, and go back to it. The same samples then give the same state hashes. The
    /// pipeline may be another one in the same scene. Both allocate.
    Saved save() const;
    void restore(const Saved& saved);

    /// Sets the size of a hand from the next frame on.
    void set_profile(tracking::Side side, const tracking::HandProfile& profile);

    const scenes::Scene& scene;
    PipelineSettings settings;
    scenes::World world;
    /// The objects as the frame tested them; filled if keep_colliders or keep_box_tests is set.
    std::vector<collision::Collider> colliders;
    /// Box tests of the last frame, in the order of the traversal; empty without PipelineSettings::keep_box_tests.
    tracking::PerSide<std::vector<collision::BoxTest>> box_tests;
    tracking::HandPair hands;  ///< guarded, filtered and placed, in world space: the step's input
    scenes::StepReport report;
    tracking::PerSide<tracking::Guard> guards;
    tracking::PerSide<tracking::GuardReport> guard_reports{};
    tracking::PerSide<tracking::HandFilter> filters;
    StageStats stats;
    std::array<std::int64_t, scenes::kStageCount> last_ns{};  ///< time of each stage of the last frame
    scenes::FrameStamps stamps;                               ///< stamps of the last frame, on the pipeline's clock
    std::uint64_t frames = 0;

  private:
    void give_world_shapes();
    void write_down_box_tests(bool on);

    Clock clock_;
};

}  // namespace glovebox::vr
