// What must hold however bad the tracker is: the assertions of a replay with faults put in (`--inject`).
//
//   no NaN came out          hands after the guard, contacts, events, objects and forces are finite in every frame
//   haptics stopped in time  while a fault leaves no usable hand, no force is on later than the limit after it began
//   no phantom contact       what is said to touch was within reach of the undisturbed hand a moment ago
//
// The undisturbed recording is kept beside the spoilt one, and each touch is held against it: the same bone, at any
// time within the guard's own memory, no farther from the object's present place than the fault itself moves joints.
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

struct FaultLimits {
    /// Without a usable hand forces must be off after this. The guard bridges 100 ms; then a frame and a tick pass.
    double stop_within_s = 0.150;
    double frozen_extra_s = 0.100;  ///< and this more for a frozen hand, which takes so long to tell from a still one
    float touch_slack_m = 0.003F;   ///< touching ends this far out (TouchThresholds::touch_exit_m)
};

class FaultWatch {
  public:
    FaultWatch(std::vector<recordings::FaultSpell> spells, recordings::Recording undisturbed,
               const FaultLimits& limits = {});

    /// Stands in front of a device and notes what it is told. The watch must outlive it.
    std::unique_ptr<HapticOutput> listen_to(std::unique_ptr<HapticOutput> device);

    /// Of a live source: each sample before its faults, in order. The newest thousand are kept.
    void add_undisturbed(const tracking::HandPair& sample);
    /// Of a live source: when its faults were at work. It must outlive the last report().
    void follow(const recordings::FaultSource& source) { source_ = &source; }

    /// After each frame.
    void look_at(const Session& session);

    bool holds() const;
    /// {spells: [{fault, from_s, to_s}], assertions: [{assertion, holds, checked, measured, limit, detail}], holds}
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
        int spells = 0;         ///< in which no usable hand is left for longer than the limit
        int with_force = 0;     ///< of those, spells that began with a force on
        double latest_s = 0.0;  ///< after which all forces were off
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
    std::ptrdiff_t forgotten_ = 0;  // samples of a live source that were undisturbed_'s first
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

/// Lines for a terminal.
std::string fault_text(const nlohmann::ordered_json& faults);

}  // namespace glovebox::vr
