#include "vr/session/pipeline.h"

#include <algorithm>

namespace glovebox::vr {
namespace {

using scenes::Stage;

// Returns the latency from the hand's sample to its arrival, if the source knows it. A replay has the recorded one.
std::int64_t latency_ns(const tracking::HandPair& raw) {
    std::int64_t most = 0;
    for (const tracking::HandFrame& hand : raw.hands)
        if (hand.active) most = std::max(most, hand.times.arrival_ns - hand.times.common_ns);
    return std::clamp<std::int64_t>(most, 0, 1'000'000'000);
}

}  // namespace

Pipeline::Pipeline(const scenes::Scene& the_scene, PipelineSettings the_settings, Clock clock)
    : scene(the_scene), settings(std::move(the_settings)), world(the_scene), clock_(clock) {
    if (settings.method != nullptr) world.method = settings.method;
    give_world_shapes();
    for (tracking::HandFilter& filter : filters) filter.settings = settings.filter;
}

void Pipeline::restart() {
    const collision::RefitMethod* method = world.method;
    world = scenes::World(scene);
    world.method = method;
    give_world_shapes();
    hands = {};
    guard_reports = {};
    report = {};
    for (tracking::Guard& guard : guards) {
        const auto counts = guard.counts;
        guard = {};
        guard.counts = counts;
    }
    for (tracking::HandFilter& filter : filters) {
        filter = {};
        filter.settings = settings.filter;
    }
}

Pipeline::Saved Pipeline::save() const {
    return {scenes::save(world), hands, report, guards, guard_reports, filters, settings.profiles};
}

void Pipeline::restore(const Saved& saved) {
    scenes::restore(saved.world, world);
    hands = saved.hands;
    report = saved.report;
    report.events = world.events;  // the spans are of the world that was saved
    report.stays = world.stays;
    guards = saved.guards;
    guard_reports = saved.guard_reports;
    filters = saved.filters;
    settings.profiles = saved.profiles;
}

void Pipeline::set_profile(tracking::Side side, const tracking::HandProfile& profile) {
    settings.profiles[side] = profile;
    give_world_shapes();
}

void Pipeline::give_world_shapes() {
    for (const tracking::Side side : tracking::kSides) world.hand_shapes[side] = settings.profiles[side].shape;
}

void Pipeline::write_down_box_tests(bool on) {
    for (const tracking::Side side : tracking::kSides)
        world.hands[side].descent.trace = on ? &box_tests[side] : nullptr;
}

const scenes::StepReport& Pipeline::frame(const tracking::HandPair& raw, double dt_s) {
    report = {};
    for (auto& tests : box_tests) tests.clear();
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
        if (settings.filter.on) filters[i].pass(hands.hands[i], hands.hands[i]);
        tracking::fill_radii(settings.profiles[i], hands.hands[i]);
    }
    scenes::place(settings.placement, hands);
    mark(Stage::ingest);
    scenes::refit(scene, world, hands, report);
    mark(Stage::refit);
    stamps.refit_ns = before_ns;
    write_down_box_tests(settings.keep_box_tests);
    scenes::test(scene, world, report);
    write_down_box_tests(false);
    mark(Stage::test);
    stamps.test_ns = before_ns;
    scenes::exact(scene, world, report);
    if (settings.contact_manifolds) scenes::compute_manifolds(scene, world);
    mark(Stage::exact);
    stamps.exact_ns = before_ns;
    if (settings.keep_colliders || settings.keep_box_tests) {
        colliders = world.colliders;
        before_ns = clock_();
    }
    scenes::resolve(scene, world, hands, dt_s, report);
    mark(Stage::step);
    last_ns[static_cast<std::size_t>(Stage::total)] = before_ns - start_ns;
    ++frames;
    return report;
}

void Pipeline::close_frame() {
    last_ns[static_cast<std::size_t>(Stage::total)] = clock_() - stamps.arrival_ns;
    for (std::size_t i = 0; i < stats.stages.size(); ++i)
        if (static_cast<Stage>(i) != Stage::haptics) stats.stages[i].add(last_ns[i]);
}

}  // namespace glovebox::vr
