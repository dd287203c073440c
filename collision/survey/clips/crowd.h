// The application of [Sung05]: a crowd whose agents choose, clip by clip, a motion without collisions.
//
// The floor is 30 by 40 m. When an agent's clip ends, the agent draws candidate clips from the motion graph, placed
// where it stands. It takes the first candidate that stays on the floor and collides with no other agent's current
// clip. In this motion graph every clip begins and ends in the same pose (snap-together), so any clip may follow any
// other.
//
// The paper does not say what happens if every candidate collides. Here each plan also avoids the positions where the
// others will stand when their clips end. So standing still for a moment is always possible, and a crowd without
// overlaps never gets one. In a crowd that starts too dense, an agent takes the candidate with the fewest collisions
// (`forced`).
// A crowd is deterministic: the same settings give the same crowd with every method, because all give the same results.
#pragma once

#include <vector>

#include "collision/survey/clips/clip_method.h"
#include "collision/survey/clips/walks.h"

namespace glovebox::collision::clips {

struct CrowdSettings {
    double width_m = 30.0, depth_m = 40.0;
    int agents = 100;
    /// Radius of an agent's disc. The paper gives 1.85 m; a hundred such discs cover 90 % of the floor and cannot pass
    /// each other. With 0.5 m, avoidance works.
    double radius_m = 1.85;
    int candidates = 8;
    std::uint64_t seed = 1;
};

class Crowd {
  public:
    struct Agent {
        std::size_t clip;
        ClipPlacement placed;
    };

    Crowd(const CrowdSettings& settings, const ClipMethod& method, const ClipFit& fit = {});

    /// Advances by one sample. Appends the collision queries made to `asked` unless it is nullptr.
    void step(std::vector<ClipQuery>* queries = nullptr);

    double time_s() const { return dt_s() * static_cast<double>(sample_); }
    double dt_s() const { return trees_.front().clip().dt_s; }
    const CrowdSettings& settings() const { return settings_; }
    const std::vector<Agent>& agents() const { return agents_; }
    const std::vector<ClipTree>& trees() const { return trees_; }  ///< the last one is of a clip that stands still
    const ClipCounts& counts() const { return counts_; }           ///< counts of the tests of clips against clips
    std::int64_t choices() const { return choices_; }
    std::int64_t forced() const { return forced_; }

    Eigen::Vector2d position_m(const Agent& agent) const;
    /// Returns the number of agent pairs that overlap now, by testing all pairs.
    int overlapping_pairs() const;

  private:
    bool on_floor(const Agent& agent) const;
    Agent standing_after(const Agent& agent) const;
    bool blocks(const Agent& plan, const Agent& other);
    int meetings(std::size_t who, const Agent& plan, int max_meetings, std::vector<ClipQuery>* queries);
    void choose(std::size_t who, std::vector<ClipQuery>* queries);

    CrowdSettings settings_;
    const ClipMethod* method_;
    std::vector<ClipTree> trees_;
    ClipTree waiting_;  ///< a clip that stands still for as long as the longest clip
    std::vector<Agent> agents_;
    Dice dice_;
    ClipCounts counts_, waiting_counts_;
    std::int64_t sample_ = 0, choices_ = 0, forced_ = 0;
    std::vector<std::int64_t> ends_;  ///< sample at which each agent's clip ends
};

}  // namespace glovebox::collision::clips
