#include "vr/session/method_race.h"

#include <algorithm>
#include <cmath>

#include "tracking/formatted.h"

namespace glovebox::vr {

MedianInterval median_interval(std::vector<double> values) {
    constexpr double kConfidence = 2.576;  // standard deviations of a normal distribution: 99 %, two-sided
    std::ranges::sort(values);
    const auto count = static_cast<double>(values.size());
    const double rank = std::floor(0.5 * count - kConfidence * 0.5 * std::sqrt(count));
    const auto low = static_cast<std::size_t>(std::max(0.0, rank));
    return {values[values.size() / 2], values[low], values[values.size() - 1 - low]};
}

MethodRace::MethodRace() {
    for (const collision::RefitMethod& method : collision::refit_methods()) {
        entries.push_back({&method, {}, {}});
        entries.back().speeds.reserve(kMaxFrames);
    }
}

void MethodRace::start_over(const collision::RefitMethod* method) {
    in_use = method;
    for (Entry& entry : entries) {
        entry.cost.clear();
        entry.speeds.clear();
        entry.total_ns = entry.with_it_ns = 0.0;
    }
}

std::int64_t MethodRace::cost_ns(const collision::RefitMethod& method, const scenes::Scene& scene,
                                 const scenes::World& world, const std::vector<collision::Collider>& colliders,
                                 Clock clock) {
    std::int64_t cost_ns = 0;
    for (const scenes::HandState& hand : world.hands) {
        if (!hand.present) continue;
        collision::CollideCounts counts;
        // Run the previous frame first, without counting it: a method that has not run for a while would pay for cold
        // caches, and one that has already seen this pose would have all answers cached.
        for (int round = 0; round < 2; ++round) {
            const collision::BodyPose& pose = round == 0 && hand.has_previous ? hand.previous : hand.pose;
            candidates_.clear();
            contacts_.clear();
            const std::int64_t start_ns = clock();
            method.refit(scenes::hand_body(), pose, boxes_);
            collision::find_candidates(method, scenes::hand_body(), pose, boxes_, colliders,
                                       scene.thresholds.hover_exit_m, candidates_, counts, ~0U, &descent_, &tree_);
            collision::find_contacts(pose, colliders, candidates_, scene.thresholds.hover_exit_m,
                                     scene.thresholds.touch_enter_m, contacts_, counts, &descent_);
            if (round == 1) cost_ns += clock() - start_ns;
        }
    }
    return cost_ns;
}

void MethodRace::measure(const scenes::Scene& scene, const scenes::World& world,
                         const std::vector<collision::Collider>& colliders, std::int64_t frame_ns, Clock clock) {
    if (world.method != in_use) start_over(world.method);
    const std::int64_t start_ns = clock();
    tree_.update(colliders);
    Entry& entry = entries[next_];
    next_ = (next_ + 1) % entries.size();
    const std::int64_t own_ns = cost_ns(*entry.method, scene, world, colliders, clock);
    const std::int64_t used_ns = entry.method == in_use ? own_ns : cost_ns(*in_use, scene, world, colliders, clock);
    const std::int64_t rest_ns = std::max<std::int64_t>(0, frame_ns - used_ns);
    if (own_ns > 0 && used_ns > 0) {
        const auto with_used_ns = static_cast<double>(rest_ns + used_ns),
                   with_it_ns = static_cast<double>(rest_ns + own_ns);
        entry.cost.add(own_ns);
        entry.total_ns += with_used_ns;
        entry.with_it_ns += with_it_ns;
        if (entry.speeds.size() == kMaxFrames) entry.speeds.erase(entry.speeds.begin());
        entry.speeds.push_back(with_used_ns / with_it_ns);
    }
    time.add(clock() - start_ns);
}

FrameSpeed MethodRace::speed_of(const Entry& entry) const {
    if (entry.speeds.size() < kMinFrames) return {};
    const MedianInterval interval = median_interval(entry.speeds);
    return {interval.median, interval.low, entry.total_ns / entry.with_it_ns};
}

double MethodRace::typical_us(const Entry& entry) const {
    return entry.speeds.size() < kMinFrames ? 0.0 : entry.cost.percentile_us(0.5);
}

const MethodRace::Entry* MethodRace::best() const {
    const Entry* best = nullptr;
    double best_speed = 0.0;
    for (const Entry& entry : entries) {
        if (entry.method == in_use) continue;
        const FrameSpeed speed = speed_of(entry);
        if (std::min(speed.low, speed.mean) < kMinSpeed || speed.median < best_speed) continue;
        best = &entry;
        best_speed = speed.median;
    }
    return best;
}

const collision::RefitMethod* MethodRace::advised() const {
    const Entry* entry = best();
    return entry == nullptr ? nullptr : entry->method;
}

std::string MethodRace::advice() const {
    const auto measured = [](const Entry& entry) { return entry.speeds.size() >= kMinFrames; };
    if (in_use == nullptr || !std::ranges::all_of(entries, measured)) return {};
    const std::string used(in_use->name);
    const Entry* fastest = best();
    // Say the same if an interval contains the threshold, because the wording would change from run to run.
    if (fastest == nullptr) return "no other refit method is more than 10 % faster than " + used;
    const MedianInterval speed = median_interval(fastest->speeds);
    return tracking::formatted(
        "%s is fastest on this recording: the whole frame %.3gx as fast as with %s (%.3g to %.3gx)",
        std::string(fastest->method->name).c_str(), speed.median, used.c_str(), speed.low, speed.high);
}

}  // namespace glovebox::vr
