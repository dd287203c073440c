// A session that an application feeds with hands, sample by sample. The C interface and the Python module are thin
// layers over it.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "vr/session/fed_forces.h"
#include "vr/session/pipeline.h"
#include "vr/session/stepped_forces.h"
#include "vr/session/touch_tracker.h"

namespace glovebox::vr {

/// Returns an adult's hand whose fingers, thumb first, are bent: 0 straight, 1 closed.
tracking::HandFrame curled_hand(tracking::Side side, const Eigen::Isometry3f& world_from_wrist,
                                const std::array<float, tracking::kFingerCount>& curls);

struct FedOptions {
    const collision::RefitMethod* method = nullptr;  ///< null: the first
    bool forces = false;                             ///< steps render forces, too
    bool simulated = false;  ///< hands may stay still: they are not taken for those of a tracker that hangs
    tracking::FilterSettings filter;
};

struct FedSession {
    /// Reads the recorded motions of the scene's objects. Throws std::runtime_error.
    FedSession(scenes::Scene scene, const FedOptions& options);

    FedSession(const FedSession&) = delete;  // the pipeline refers to the scene in here
    FedSession& operator=(const FedSession&) = delete;

    /// Returns an empty text, or the reason for which no step can be at this time: it is not finite, above 9e6 s, or
    /// before the last step.
    std::string_view refuses(double time_s) const;
    /// Runs a step on the hands in `raw`, of which `take(side, frame)` fills pose, radii, flags and `active`. Recorded
    /// motions begin with the first step. Orientations that are not valid are computed from the positions. Does not
    /// allocate.
    template <class Take>
    void step(double time_s, const Take& take) {
        begin_step(time_s);
        for (const tracking::Side side : tracking::kSides) take(side, raw[side]);
        finish_step();
    }

    /// Resets everything to the start, but the sizes of the hands.
    void restart();

    /// Sets the size of a hand, by fit_profile() as for a recording. Returns false, and changes nothing, if no sample
    /// is usable.
    bool fit_hand(tracking::Side side, std::span<const tracking::HandPair> samples);

    /// Returns a force loop that each step passes the surfaces near the hands to, from the next step on. It may outlive
    /// the session. A loop that was opened before gets no more.
    FedForceLoop open_force_loop();

    /// Everything that later steps depend on.
    struct Saved {
        Pipeline::Saved pipeline;
        TouchTracker touches;
        std::optional<SteppedForces> forces;
        tracking::HandPair raw;
        bool began;
        std::int32_t frames;
        std::uint64_t scene_hash;
    };
    Saved save() const;
    /// Throws std::invalid_argument if the state is of another scene, or of a session with other options.
    void restore(const Saved& saved);

    scenes::Scene scene;
    Pipeline pipeline;
    TouchTracker touches;
    std::optional<SteppedForces> forces;  ///< empty: not requested
    tracking::HandPair raw;
    bool began = false;
    std::int32_t frames = 0;

  private:
    void begin_step(double time_s);
    void finish_step();
    void reserve_hands();
    void publish_forces(bool seen);

    double dt_s_ = 0.0;
    std::shared_ptr<ForceFrames> force_frames_;  // null: no loop was opened
    std::uint64_t force_number_ = 0;
    bool simulated_;
    std::uint64_t scene_hash_;
};

}  // namespace glovebox::vr
