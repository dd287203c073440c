// A frame from the raw pair of hands to the report, with what each stage cost. Used by replay, live sessions and
// benches.
//
// The clock is handed in, so tests can drive it; scenes::step itself never reads one.
#pragma once

#include <functional>
#include <vector>

#include "collision/body/body_memory.h"
#include "scenes/haptics.h"
#include "scenes/placement.h"
#include "scenes/step.h"
#include "tracking/guard.h"
#include "tracking/hand_profile.h"
#include "vr/session/stage_stats.h"

namespace glovebox::vr {

using Clock = std::int64_t (*)();  ///< nanoseconds, monotonic

/// Which refit row measures best on the input at hand: every so often a frame is also done by one row and by the first
/// row of all, each after the frame before it. Frames differ a hundredfold, and rows meet different ones: only what
/// both did on the same frames compares.
struct MethodRace {
    static constexpr std::uint64_t kEnoughFrames = 12;  ///< of a row, before anything is said about it
    struct Entry {
        const collision::RefitMethod* method = nullptr;
        DurationHistogram cost;        ///< refit + test + exact of one hand pair
        DurationHistogram first_cost;  ///< of the first row, on the same frames

        /// As many times as fast as the first row, in the middle frame; 0 while not measured.
        double speed() const;
        /// The same over all frames together: a row may be cheap while nothing is near and dear when it matters.
        double mean_speed() const;
    };
    std::vector<Entry> entries;    ///< one per row of refit_methods()
    DurationHistogram first_cost;  ///< of the first row, on all frames that were measured
    collision::BodyBoxes boxes;
    std::vector<collision::Candidate> candidates;
    std::vector<collision::Contact> contacts;
    collision::BodyMemory memory{scenes::kHandBoneCount};
    std::size_t next = 0;

    MethodRace();
    /// Runs one row on the world as it stands after its own exact stage, and changes nothing but this.
    void measure(const scenes::Scene& scene, const scenes::World& world, Clock clock);

    /// What a row costs in the middle one of all frames that were measured, microseconds; 0 while not known.
    double typical_us(const Entry& entry) const;

  private:
    std::int64_t cost_ns(const collision::RefitMethod& method, const scenes::Scene& scene, const scenes::World& world,
                         Clock clock);
};

struct PipelineSettings {
    std::array<bool, 2> use_hand = {true, true};  ///< by Side
    scenes::HandPlacement placement;
    std::array<tracking::HandProfile, 2> profiles;
    const collision::RefitMethod* method = nullptr;  ///< null: the first row
    int race_every = 32;                             ///< frames between two measurements of other rows; 0: never
    bool keep_colliders = false;  ///< somebody asks later where things stood when contacts were looked for
    bool rest_points = false;     ///< somebody draws or writes them; no stage is charged for them
};

class Pipeline {
  public:
    Pipeline(const scenes::Scene& scene, PipelineSettings settings, Clock clock);

    /// One frame. `raw` is as the source gave it. No allocation after the first frames.
    const scenes::StepReport& frame(const tracking::HandPair& raw, double dt_s);

    void set_method(const collision::RefitMethod* method) { world.method = method; }

    /// Back to the start: objects, guards and clocks; statistics stay.
    void restart();

    const scenes::Scene& scene;
    PipelineSettings settings;
    scenes::World world;
    std::vector<collision::Collider> colliders;  ///< as the frame met them (PipelineSettings::keep_colliders)
    tracking::HandPair hands;                    ///< as the step saw them
    scenes::StepReport report;
    std::array<tracking::Guard, 2> guards;
    std::array<tracking::GuardReport, 2> guard_reports{};
    StageStats stats;
    MethodRace race;
    std::array<std::int64_t, scenes::kStageCount> last_ns{};  ///< cost of each stage of the last frame
    scenes::FrameStamps stamps;                               ///< of the last frame, on `clock`
    std::uint64_t frames = 0;

  private:
    Clock clock_;
};

/// "aabb measures best here: 1.3x faster than cab", or empty while `current` is the best or nothing is known.
std::string advice(const MethodRace& race, const collision::RefitMethod& current);

}  // namespace glovebox::vr
