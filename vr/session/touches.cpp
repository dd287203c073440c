#include "vr/session/touches.h"

#include <algorithm>

namespace glovebox::vr {
namespace {

using tracking::Side;

constexpr auto& kFingerNames = tracking::kHandPartNames;

void add_to(Touches::Sum& sum, const Touch& touch) {
    ++sum.count;
    sum.total_s += touch.duration_s();
    sum.longest_s = std::max(sum.longest_s, touch.duration_s());
    sum.deepest_m = std::max(sum.deepest_m, touch.deepest_m);
}

}  // namespace

Touches::Touches(const scenes::Scene& scene)
    : tracker_(scene, TouchBy::finger), objects_(scene.objects.size()), sums_(2 * kFingerNames.size() * objects_) {
    recent_.reserve(kMaxRecent);
}

std::size_t Touches::index_of(Side side, int part, int object) const {
    return (static_cast<std::size_t>(side) * kFingerNames.size() + static_cast<std::size_t>(part)) * objects_ +
           static_cast<std::size_t>(object);
}

void Touches::count(std::span<const Touch> ended) {
    for (const Touch& touch : ended) {
        add_to(sums_[index_of(touch.side, touch.part, touch.object)], touch);
        if (recent_.size() == kMaxRecent) recent_.erase(recent_.begin(), recent_.begin() + kMaxRecent / 2);
        recent_.push_back(touch);
    }
}

void Touches::add(const scenes::World& world, const scenes::StepReport& report) {
    count(tracker_.add(world, report));
}

void Touches::restart() {
    count(tracker_.end_all());
}

Touches::Sum Touches::of(Side side, int part, int object) const {
    Sum sum = sums_[index_of(side, part, object)];
    if (const std::optional<Touch> touch = tracker_.now(side, part, object)) add_to(sum, *touch);
    return sum;
}

nlohmann::ordered_json Touches::json(const scenes::Scene& scene) const {
    auto rows = nlohmann::ordered_json::array();
    for (const Side side : tracking::kSides)
        for (int part = 0; part < parts_by(TouchBy::finger); ++part)
            for (int object = 0; object < static_cast<int>(objects_); ++object) {
                const Sum sum = of(side, part, object);
                if (sum.count == 0) continue;
                rows.push_back({{"hand", tracking::name_of(side)},
                                {"finger", part_name(TouchBy::finger, part)},
                                {"object", scene.objects[static_cast<std::size_t>(object)].name},
                                {"count", sum.count},
                                {"total_s", sum.total_s},
                                {"longest_s", sum.longest_s},
                                {"deepest_m", sum.deepest_m}});
            }
    return rows;
}

nlohmann::ordered_json Touches::list_json(const scenes::Scene& scene) const {
    std::vector<Touch> touches = recent_;
    for (const Side side : tracking::kSides)
        for (int part = 0; part < parts_by(TouchBy::finger); ++part)
            for (int object = 0; object < static_cast<int>(objects_); ++object)
                if (const std::optional<Touch> touch = tracker_.now(side, part, object)) touches.push_back(*touch);
    std::ranges::stable_sort(touches, {}, &Touch::begin_ns);
    auto rows = nlohmann::ordered_json::array();
    for (const Touch& touch : touches)
        rows.push_back({{"hand", tracking::name_of(touch.side)},
                        {"finger", part_name(TouchBy::finger, touch.part)},
                        {"object", scene.objects[static_cast<std::size_t>(touch.object)].name},
                        {"begin_s", touch.begin_s()},
                        {"end_s", touch.end_s()},
                        {"deepest_m", touch.deepest_m},
                        {"mean_speed_m_s", touch.mean_speed_m_s},
                        {"ended", name_of(touch.end)}});
    return rows;
}

}  // namespace glovebox::vr
