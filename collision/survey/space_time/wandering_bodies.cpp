#include "collision/survey/space_time/wandering_bodies.h"

#include <algorithm>
#include <limits>

namespace glovebox::collision {
namespace {

constexpr double kShortest_s = 1e-4;

// Records the contact intervals of all pairs as they begin and end.
class Spans {
  public:
    explicit Spans(const WanderingSettings& settings)
        : bodies_(static_cast<std::size_t>(settings.bodies)), begin_s_(bodies_ * bodies_, kApart) {}

    void add(std::int32_t a, std::int32_t b, double time_s, bool touching) {
        double& begin_s = begin_s_[static_cast<std::size_t>(a) * bodies_ + static_cast<std::size_t>(b)];
        if (touching == (begin_s != kApart)) return;
        if (!touching) spans_.push_back({a, b, begin_s, time_s});
        begin_s = touching ? time_s : kApart;
    }
    std::vector<TouchSpan> finish(double end_s) {
        for (std::size_t a = 0; a < bodies_; ++a)
            for (std::size_t b = a + 1; b < bodies_; ++b)
                add(static_cast<std::int32_t>(a), static_cast<std::int32_t>(b), end_s, false);
        return std::move(spans_);
    }

  private:
    static constexpr double kApart = -std::numeric_limits<double>::infinity();
    std::size_t bodies_;
    std::vector<double> begin_s_;
    std::vector<TouchSpan> spans_;
};

}  // namespace

std::vector<TouchSpan> follow_touches(const WanderingBodies& world, const SpaceTimeBound& bound, double frame_s,
                                      double horizon_s, double near_m, std::int64_t& samples) {
    const double end_s = world.settings().duration_s;
    Spans spans(world.settings());
    PairSchedule schedule(world.settings().bodies, 0.0);
    while (schedule.next().time_s <= end_s) {
        const PairSchedule::Due due = schedule.next();
        const BoundedMotion a = world.at(due.a, due.time_s), b = world.at(due.b, due.time_s);
        ++samples;
        const bool touching = gap_m(a, b) <= near_m;
        spans.add(due.a, due.b, due.time_s, touching);
        double wait_s = touching ? frame_s : bound.contact_s(a, b, horizon_s);
        // The boxes of two balls may overlap while the balls are apart; then only the horns give a useful bound.
        if (wait_s < kShortest_s) wait_s = horn_contact_s(a, b, horizon_s);
        schedule.put_back(due.time_s + wait_s);
    }
    return spans.finish(end_s);
}

std::vector<TouchSpan> sample_touches(const WanderingBodies& world, double step_s, std::int64_t& samples) {
    const double end_s = world.settings().duration_s;
    Spans spans(world.settings());
    std::vector<BoundedMotion> bodies(static_cast<std::size_t>(world.settings().bodies));
    const auto steps = static_cast<std::int64_t>(end_s / step_s);
    for (std::int64_t step = 0; step <= steps; ++step) {
        const double time_s = step_s * static_cast<double>(step);
        for (std::size_t i = 0; i < bodies.size(); ++i) bodies[i] = world.at(static_cast<std::int32_t>(i), time_s);
        for (std::size_t b = 1; b < bodies.size(); ++b)
            for (std::size_t a = 0; a < b; ++a) {
                ++samples;
                const double reach_m = bodies[a].radius_m + bodies[b].radius_m;
                spans.add(static_cast<std::int32_t>(a), static_cast<std::int32_t>(b), time_s,
                          (bodies[b].center_m - bodies[a].center_m).squaredNorm() <= reach_m * reach_m);
            }
    }
    return spans.finish(end_s);
}

std::int64_t count_missed(const std::vector<TouchSpan>& spans, const std::vector<TouchSpan>& found) {
    return std::ranges::count_if(spans, [&](const TouchSpan& span) {
        return std::ranges::none_of(found, [&](const TouchSpan& other) {
            return other.a == span.a && other.b == span.b && other.begin_s <= span.end_s && other.end_s >= span.begin_s;
        });
    });
}

}  // namespace glovebox::collision
