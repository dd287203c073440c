#include "vr/session/touches.h"

#include <algorithm>

#include "tracking/hand_parts.h"

namespace glovebox::vr {
namespace {

using tracking::Side;

constexpr auto& kFingerNames = tracking::kHandPartNames;

bool overlap(const Touch& a, const Touch& b) {
    return a.side == b.side && a.part == b.part && a.object == b.object && a.begin_ns <= b.end_ns &&
           b.begin_ns <= a.end_ns;
}

// Returns the totals as if a touch in progress ended here.
Touches with_open(Touches touches) {
    touches.restart();
    return touches;
}

// Merges two parts of one touch: the longer one, over the time of both.
Touch joined(const Touch& a, const Touch& b) {
    Touch all = a.duration_s() >= b.duration_s() ? a : b;
    const Touch& deeper = a.deepest_m >= b.deepest_m ? a : b;
    all.deepest_m = deeper.deepest_m;
    all.deepest_ns = deeper.deepest_ns;
    all.deepest_point_m = deeper.deepest_point_m;
    all.begin_ns = std::min(a.begin_ns, b.begin_ns);
    all.end = a.end_ns > b.end_ns ? a.end : b.end;
    all.end_ns = std::max(a.end_ns, b.end_ns);
    return all;
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

// When a recording is played again, a touch that overlaps a known one is the same touch. (In a recording with more
// touches than are kept, touches that have been dropped count again.)
void Touches::count(std::span<const Touch> ended) {
    for (Touch touch : ended) {
        Sum& sum = sums_[index_of(touch.side, touch.part, touch.object)];
        // Only after a restart: a live session never goes back, and may have thousands of touches to search.
        if (touch.begin_ns <= sum.last_end_ns)
            std::erase_if(recent_, [&](const Touch& known) {
                if (!overlap(known, touch)) return false;
                --sum.count;
                sum.total_s -= known.duration_s();
                touch = joined(known, touch);
                return true;
            });
        ++sum.count;
        sum.last_end_ns = std::max(sum.last_end_ns, touch.end_ns);
        sum.total_s += touch.duration_s();
        sum.longest_s = std::max(sum.longest_s, touch.duration_s());
        sum.deepest_m = std::max(sum.deepest_m, touch.deepest_m);
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

nlohmann::ordered_json Touches::json(const scenes::Scene& scene) const {
    const Touches all = with_open(*this);
    auto rows = nlohmann::ordered_json::array();
    for (const Side side : tracking::kSides)
        for (int part = 0; part < parts_by(TouchBy::finger); ++part)
            for (int object = 0; object < static_cast<int>(objects_); ++object) {
                const Sum& sum = all.sums_[index_of(side, part, object)];
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
    std::vector<Touch> touches = with_open(*this).recent_;
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
