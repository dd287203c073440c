#include "collision/survey/clips/crowd.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "collision/survey/clips/joined_clip.h"

namespace glovebox::collision::clips {
namespace {

// Half a second: long enough for someone to walk by, short enough not to leave holes in the crowd.
constexpr int kStandSamples = 15;

}  // namespace

Crowd::Crowd(const CrowdSettings& settings, const ClipMethod& method, const ClipFit& fit)
    : settings_(settings), method_(&method), dice_(settings.seed) {
    for (Clip& clip : short_clips(dice_, settings.radius_m)) trees_.push_back(method.build(std::move(clip), fit));
    trees_.push_back(method.build(standing(kStandSamples, settings.radius_m), fit));
    std::size_t longest = 0;
    for (const ClipTree& tree : trees_) longest = std::max(longest, tree.clip().samples.size());
    waiting_ = method.build(standing(static_cast<int>(longest) + 1, settings.radius_m), fit);

    // Agents start on a grid with random directions, and stand for different times, so that not all choose at once.
    const int columns =
        std::max(1, static_cast<int>(std::lround(std::sqrt(settings.agents * settings.width_m / settings.depth_m))));
    const int rows = (settings.agents + columns - 1) / columns;
    for (int i = 0; i < settings.agents; ++i) {
        const Eigen::Vector2d at_m((i % columns + 0.5) * settings.width_m / columns,
                                   (i / columns + 0.5) * settings.depth_m / rows);
        const auto waited = static_cast<std::int64_t>(dice_.below(kStandSamples));
        agents_.push_back({trees_.size() - 1, placed(dice_.uniform(0.0, 2.0 * std::numbers::pi), at_m,
                                                     -dt_s() * static_cast<double>(waited))});
        ends_.push_back(kStandSamples - waited);
    }
}

Eigen::Vector2d Crowd::position_m(const Agent& agent) const {
    const std::vector<ClipSample>& samples = trees_[agent.clip].clip().samples;
    const auto i = static_cast<std::int64_t>(std::floor((time_s() - agent.placed.start_s) / dt_s() + 1e-6));
    const auto last = static_cast<std::int64_t>(samples.size()) - 1;
    return agent.placed * samples[static_cast<std::size_t>(std::clamp<std::int64_t>(i, 0, last))].center_m;
}

int Crowd::overlapping_pairs() const {
    int pairs = 0;
    for (std::size_t i = 0; i < agents_.size(); ++i)
        for (std::size_t j = i + 1; j < agents_.size(); ++j)
            if ((position_m(agents_[i]) - position_m(agents_[j])).norm() < 2.0 * settings_.radius_m) ++pairs;
    return pairs;
}

bool Crowd::on_floor(const Agent& agent) const {
    return std::ranges::all_of(trees_[agent.clip].clip().samples, [&](const ClipSample& sample) {
        const Eigen::Vector2d at_m = agent.placed * sample.center_m;
        return at_m.x() >= 0.0 && at_m.x() <= settings_.width_m && at_m.y() >= 0.0 && at_m.y() <= settings_.depth_m;
    });
}

Crowd::Agent Crowd::standing_after(const Agent& agent) const {
    const Clip& clip = trees_[agent.clip].clip();
    Agent after = agent;
    after.placed.offset_m = agent.placed * clip.samples.back().center_m;
    after.placed.start_s = agent.placed.start_s + clip.duration_s();
    return after;
}

// True if one agent would stand in the other's path once its clip is over.
bool Crowd::blocks(const Agent& plan, const Agent& other) {
    const ClipPlacement plan_waits = standing_after(plan).placed, other_waits = standing_after(other).placed;
    return method_->collide(trees_[plan.clip], plan.placed, waiting_, other_waits, waiting_counts_) ||
           method_->collide(waiting_, plan_waits, trees_[other.clip], other.placed, waiting_counts_) ||
           method_->collide(waiting_, plan_waits, waiting_, other_waits, waiting_counts_);
}

int Crowd::meetings(std::size_t who, const Agent& plan, int max_meetings, std::vector<ClipQuery>* queries) {
    int met = 0;
    for (std::size_t other = 0; other < agents_.size() && met < max_meetings; ++other) {
        if (other == who) continue;
        const Agent& agent = agents_[other];
        if (queries) queries->push_back({plan.clip, agent.clip, plan.placed, agent.placed});
        if (method_->collide(trees_[plan.clip], plan.placed, trees_[agent.clip], agent.placed, counts_) ||
            blocks(plan, agent))
            ++met;
    }
    return met;
}

void Crowd::choose(std::size_t who, std::vector<ClipQuery>* queries) {
    ++choices_;
    const Agent now = agents_[who];
    const std::size_t stand = trees_.size() - 1;
    const auto next = [&](std::size_t clip) {
        Agent plan{clip, snapped_on(trees_[now.clip].clip(), now.placed, trees_[clip].clip())};
        plan.placed.start_s = time_s();
        return plan;
    };
    int fewest = settings_.agents;
    for (int k = 0; k <= settings_.candidates && fewest > 0; ++k) {
        // Standing still exactly where the last clip ended comes last: the others avoid that position.
        Agent candidate = k < settings_.candidates ? next(dice_.below(stand)) : standing_after(now);
        if (k == settings_.candidates) {
            candidate.clip = stand;
            candidate.placed.start_s = time_s();
        }
        // An agent that has stood still, or would leave the floor, may first turn on the spot.
        if (k < settings_.candidates && (now.clip == stand || !on_floor(candidate))) {
            const double turn_rad = dice_.uniform(-std::numbers::pi, std::numbers::pi);
            candidate.placed.world_from_clip =
                Eigen::Rotation2Dd(turn_rad).toRotationMatrix() * candidate.placed.world_from_clip;
        }
        if (!on_floor(candidate)) continue;
        const int met = meetings(who, candidate, fewest, queries);
        if (met >= fewest) continue;
        fewest = met;
        agents_[who] = candidate;
    }
    if (fewest > 0) ++forced_;
    ends_[who] = sample_ + static_cast<std::int64_t>(trees_[agents_[who].clip].clip().samples.size());
}

void Crowd::step(std::vector<ClipQuery>* queries) {
    ++sample_;
    for (std::size_t i = 0; i < agents_.size(); ++i)
        if (ends_[i] == sample_) choose(i, queries);
}

}  // namespace glovebox::collision::clips
