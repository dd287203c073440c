// A frame from the raw pair of hands to the step's report, with what each stage cost.
//
// The clock is handed in, so tests can drive it; scenes::step itself never reads one.
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

struct PipelineSettings {
    tracking::PerSide<bool> use_hand = {true, true};  ///< by Side
    scenes::HandPlacement placement;
    tracking::PerSide<tracking::HandProfile> profiles;
    tracking::FilterSettings filter;                 ///< off unless asked for
    const collision::RefitMethod* method = nullptr;  ///< null: the first entry
    bool keep_colliders = false;     ///< an output asks later where things stood when contacts were looked for
    bool keep_box_tests = false;     ///< a view steps through them: the stage `test` writes each one down
    bool contact_manifolds = false;  ///< an output draws or writes them: the stage `exact` finds them too
};

class Pipeline {
  public:
    Pipeline(const scenes::Scene& scene, PipelineSettings settings, Clock clock);

    /// One frame. `raw` is as the source gave it. No allocation after the first frames.
    const scenes::StepReport& frame(const tracking::HandPair& raw, double dt_s);
    /// Ends the frame's time: what was done since frame() for other threads and outputs is in `total` too.
    void close_frame();

    void set_method(const collision::RefitMethod* method) { world.method = method; }

    /// Back to the start: objects, guards and clocks; statistics stay.
    void restart();

    const scenes::Scene& scene;
    PipelineSettings settings;
    scenes::World world;
    std::vector<collision::Collider> colliders;  ///< as the frame met them (keep_colliders, keep_box_tests)
    /// Of the last frame, in the order of the walk; empty without PipelineSettings::keep_box_tests.
    tracking::PerSide<std::vector<collision::BoxTest>> box_tests;
    tracking::HandPair hands;  ///< as the step saw them
    scenes::StepReport report;
    tracking::PerSide<tracking::Guard> guards;
    tracking::PerSide<tracking::GuardReport> guard_reports{};
    tracking::PerSide<tracking::HandFilter> filters;
    StageStats stats;
    std::array<std::int64_t, scenes::kStageCount> last_ns{};  ///< cost of each stage of the last frame
    scenes::FrameStamps stamps;                               ///< of the last frame, on `clock`
    std::uint64_t frames = 0;

  private:
    void write_down_box_tests(bool on);

    Clock clock_;
};

}  // namespace glovebox::vr
