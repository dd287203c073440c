#include "vr/session/pipeline.h"

#include <algorithm>
#include <cstdio>

namespace glovebox::vr {
namespace {

using scenes::Stage;

// Rows closer than this are told apart by noise, not by merit.
constexpr double kWorthSwitching = 1.10;

// How long the sample took from the hand to us, where the source knows. A replayed sample keeps what was recorded.
std::int64_t latency_ns(const tracking::HandPair& raw) {
    std::int64_t most = 0;
    for (const tracking::HandFrame& hand : raw.hands)
        if (hand.active) most = std::max(most, hand.times.arrival_ns - hand.times.common_ns);
    return std::clamp<std::int64_t>(most, 0, 1'000'000'000);
}

}  // namespace

MethodRace::MethodRace() {
    for (const collision::RefitMethod& method : collision::refit_methods()) entries.push_back({&method, {}, {}});
}

double MethodRace::Entry::speed() const {
    const double own_us = cost.percentile_us(0.5);
    return own_us > 0.0 ? first_cost.percentile_us(0.5) / own_us : 0.0;
}

double MethodRace::Entry::mean_speed() const {
    const double own_us = cost.mean_us();
    return own_us > 0.0 ? first_cost.mean_us() / own_us : 0.0;
}

double MethodRace::typical_us(const Entry& entry) const {
    const double speed = entry.speed();
    return speed > 0.0 ? first_cost.percentile_us(0.5) / speed : 0.0;
}

std::int64_t MethodRace::cost_ns(const collision::RefitMethod& method, const scenes::Scene& scene,
                                 const scenes::World& world, Clock clock) {
    std::int64_t cost_ns = 0;
    for (const scenes::HandState& hand : world.hands) {
        if (!hand.present) continue;
        collision::CollideCounts counts;
        // The frame before it first, which does not count: a row that has not run for a while would pay for cold
        // caches, and one that has seen this very pose would know all answers.
        for (int round = 0; round < 2; ++round) {
            const collision::BodyPose& pose = round == 0 && hand.has_previous ? hand.previous : hand.pose;
            candidates.clear();
            contacts.clear();
            const std::int64_t start_ns = clock();
            method.refit(scenes::hand_body(), pose, boxes);
            collision::find_candidates(method, scenes::hand_body(), pose, boxes, world.colliders,
                                       scene.thresholds.hover_exit_m, candidates, counts, ~0U, &memory);
            collision::find_contacts(pose, world.colliders, candidates, scene.thresholds.hover_exit_m,
                                     scene.thresholds.touch_enter_m, contacts, counts, &memory);
            if (round == 1) cost_ns += clock() - start_ns;
        }
    }
    return cost_ns;
}

void MethodRace::measure(const scenes::Scene& scene, const scenes::World& world, Clock clock) {
    Entry& entry = entries[next];
    next = (next + 1) % entries.size();
    const std::int64_t first_ns = cost_ns(*entries.front().method, scene, world, clock);
    const std::int64_t own_ns = &entry == &entries.front() ? first_ns : cost_ns(*entry.method, scene, world, clock);
    if (own_ns <= 0 || first_ns <= 0) return;
    entry.cost.add(own_ns);
    entry.first_cost.add(first_ns);
    first_cost.add(first_ns);
}

std::string advice(const MethodRace& race, const collision::RefitMethod& current) {
    const auto enough = [](const MethodRace::Entry& entry) { return entry.cost.count() >= MethodRace::kEnoughFrames; };
    const auto in_use = std::ranges::find(race.entries, &current, &MethodRace::Entry::method);
    if (in_use == race.entries.end() || !enough(*in_use)) return {};
    const MethodRace::Entry* best = nullptr;
    bool others_cost_less = false;  // over all frames
    for (const MethodRace::Entry& entry : race.entries) {
        if (!enough(entry) || entry.mean_speed() < in_use->mean_speed()) continue;
        others_cost_less = others_cost_less || entry.mean_speed() > kWorthSwitching * in_use->mean_speed();
        if (best == nullptr || entry.speed() > best->speed()) best = &entry;
    }
    if (best == &*in_use) return others_cost_less ? "" : std::string(current.name) + " measures best here";
    const double ratio = best->speed() / in_use->speed();
    if (ratio < kWorthSwitching) return "no row measures a tenth faster than " + std::string(current.name) + " here";
    std::array<char, 128> text{};
    std::snprintf(text.data(), text.size(), "%s measures best here: %.1fx faster than %s",
                  std::string(best->method->name).c_str(), ratio, std::string(current.name).c_str());
    return text.data();
}

Pipeline::Pipeline(const scenes::Scene& the_scene, PipelineSettings the_settings, Clock clock)
    : scene(the_scene), settings(std::move(the_settings)), world(the_scene), clock_(clock) {
    if (settings.method != nullptr) world.method = settings.method;
}

void Pipeline::restart() {
    const collision::RefitMethod* method = world.method;
    world = scenes::World(scene);
    world.method = method;
    for (tracking::Guard& guard : guards) {
        const auto counts = guard.counts;
        guard = {};
        guard.counts = counts;
    }
}

const scenes::StepReport& Pipeline::frame(const tracking::HandPair& raw, double dt_s) {
    report = {};
    const std::int64_t start_ns = clock_();
    std::int64_t before_ns = start_ns;
    stamps = {};
    stamps.arrival_ns = start_ns;
    stamps.sample_ns = start_ns - latency_ns(raw);
    const auto mark = [&](Stage stage) {
        const std::int64_t now = clock_();
        last_ns[static_cast<std::size_t>(stage)] = now - before_ns;
        before_ns = now;
    };

    hands.time_ns = raw.time_ns;
    for (std::size_t i = 0; i < hands.hands.size(); ++i) {
        if (!settings.use_hand[i]) {
            hands.hands[i].active = false;
            continue;
        }
        guard_reports[i] = guards[i].pass(raw.hands[i], hands.hands[i]);
        hands.hands[i].discontinuous = guard_reports[i].discontinuous;
        tracking::fill_radii(settings.profiles[i], hands.hands[i]);
    }
    scenes::place(settings.placement, hands);
    mark(Stage::ingest);
    scenes::refit(scene, world, hands, report);
    mark(Stage::refit);
    stamps.refit_ns = before_ns;
    scenes::test(scene, world, report);
    mark(Stage::test);
    stamps.test_ns = before_ns;
    scenes::exact(scene, world, report);
    mark(Stage::exact);
    stamps.exact_ns = before_ns;
    const bool race_now = settings.race_every > 0 && frames % static_cast<unsigned>(settings.race_every) == 0;
    if (race_now) race.measure(scene, world, clock_);
    if (settings.keep_colliders) colliders = world.colliders;
    if (settings.rest_points) scenes::find_rest_points(scene, world);
    const std::int64_t apart_ns = clock_() - before_ns;
    before_ns += apart_ns;
    scenes::resolve(scene, world, hands, dt_s, report);
    mark(Stage::step);

    last_ns[static_cast<std::size_t>(Stage::total)] = before_ns - start_ns - apart_ns;
    for (std::size_t i = 0; i < stats.stages.size(); ++i)
        if (static_cast<Stage>(i) != Stage::haptics) stats.stages[i].add(last_ns[i]);
    ++frames;
    return report;
}

}  // namespace glovebox::vr
