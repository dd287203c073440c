// Checks a session with injected faults (`--inject`) against three assertions that hold for any tracking input:
//
//   no NaN came out          hands after the guard, contacts, events, objects and forces are finite in every frame
//   haptics stopped in time  while a fault leaves no usable hand, no force is on later than the limit after it began
//   no phantom contact       shortly before each reported touch, the undisturbed hand was within reach of the object
//
// Each touch is checked against the undisturbed recording. At some time within the guard's memory, the same bone of the
// undisturbed hand must have been near the object. The distance may be at most as large as the faults' displacement of
// joints.
#pragma once

#include <array>
#include <functional>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "collision/query/collide.h"
#include "recordings/fault_source.h"
#include "vr/haptics/output.h"

namespace glovebox::vr {

class Session;

/// Limits of the assertions.
struct FaultLimits {
    /// Forces must be off this long after the last usable hand. The guard bridges 100 ms; a frame and a tick are added
    /// to that.
    double stop_within_s = 0.150;
    double frozen_extra_s = 0.100;  ///< added for a frozen hand, because telling it from a still hand takes longer
    float touch_slack_m = 0.003F;   ///< distance at which touching ends (TouchThresholds::touch_exit_m)
};

/// Checks the assertions frame by frame and reports them at the end.
class FaultWatch {
  public:
    /// `spells` are the injected faults with the times at which they act. `undisturbed` is the recording before
    /// injection. It is empty for a live source, which passes its samples to add_undisturbed().
    FaultWatch(std::vector<recordings::FaultSpell> spells, recordings::Recording undisturbed,
               const FaultLimits& limits = {});

    /// Returns an output that records every command and passes it on to `device`. The watch must outlive that output.
    std::unique_ptr<HapticOutput> listen_to(std::unique_ptr<HapticOutput> device);

    /// Adds a live source's sample from before the injection of faults. Samples must be added in order of time. At
    /// least the newest 1024 samples are kept.
    void add_undisturbed(const tracking::HandPair& sample);
    /// Takes the times of the faults from a live source, which must outlive the last call of add_frame().
    void follow(const recordings::FaultSource& source) { source_ = &source; }

    /// Checks a frame; call after each one.
    void add_frame(const Session& session);

    /// Returns whether every assertion has held so far.
    bool holds() const;
    /// Returns {spells: [{fault, from_s, to_s}],
    /// assertions: [{assertion, holds, checked, measured, limit, detail}], holds}.
    nlohmann::ordered_json report() const;

  private:
    struct Level {
        std::int64_t time_ns;
        tracking::Side side;
        float level;  ///< strongest finger
    };
    struct TruePose {
        std::ptrdiff_t sample = -1;
        tracking::PerSide<bool> present{};
        tracking::PerSide<collision::BodyPose> poses;
    };
    struct Stop {
        int spells = 0;         ///< number of spells that leave no usable hand for longer than the limit
        int with_force = 0;     ///< number of these spells that began with a force on
        double latest_s = 0.0;  ///< longest time from a spell's begin until all forces were off
        bool holds = true;
    };

    void check_finite(const Session& session);
    void check_contacts(const Session& session);
    bool was_near(const Session& session, tracking::Side side, const collision::Contact& contact);
    const TruePose& true_pose(const Session& session, std::ptrdiff_t sample);
    Stop measure_stop() const;

    std::vector<recordings::FaultSpell> spells_;
    const recordings::FaultSource* source_ = nullptr;
    std::vector<tracking::HandPair> undisturbed_;
    std::ptrdiff_t forgotten_ = 0;  // count of a live source's samples dropped from undisturbed_'s front
    FaultLimits limits_;
    std::int64_t memory_ns_ = 0;  // how old the pose behind a touch may be
    float reach_m_ = 0.0F;        // how far faults move joints
    bool sides_swap_ = false;

    std::vector<Level> levels_;
    std::vector<TruePose> true_poses_;
    std::vector<collision::Contact> scratch_;
    std::uint64_t frames_ = 0, bad_frames_ = 0, touches_ = 0, phantoms_ = 0, bad_forces_ = 0;
    std::string first_bad_, first_phantom_;
};

/// Formats the result of FaultWatch::report() as lines for a terminal.
std::string fault_text(const nlohmann::ordered_json& faults);

}  // namespace glovebox::vr
