#include "vr/session/touches.h"

#include <algorithm>

#include "scenes/hand_body.h"
#include "scenes/haptics.h"

namespace glovebox::vr {
namespace {

using scenes::EventKind;
using tracking::Side;

constexpr std::array<std::string_view, 3> kByNames = {"finger", "bone", "object"};
constexpr auto& kFingerNames = tracking::kHandPartNames;

int part_of(TouchBy by, int bone) {
    return by == TouchBy::bone ? bone : by == TouchBy::object ? 0 : scenes::part_of_bone(bone);
}

bool overlap(const Touch& a, const Touch& b) {
    return a.side == b.side && a.part == b.part && a.object == b.object && a.begin_ns <= b.end_ns &&
           b.begin_ns <= a.end_ns;
}

// With what goes on counted as if it ended here.
Touches with_open(Touches touches) {
    touches.restart();
    return touches;
}

// Two parts of one touch: the longer one, over the time of both.
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

std::optional<TouchBy> find_touch_by(std::string_view name) {
    for (std::size_t i = 0; i < kByNames.size(); ++i)
        if (kByNames[i] == name) return static_cast<TouchBy>(i);
    return {};
}

int parts_by(TouchBy by) {
    return by == TouchBy::finger ? static_cast<int>(kFingerNames.size())
           : by == TouchBy::bone ? scenes::kHandBoneCount
                                 : 1;
}

std::string part_name(TouchBy by, int part) {
    if (by == TouchBy::object) return "hand";
    if (by == TouchBy::bone) return scenes::hand_body().bone_names[static_cast<std::size_t>(part)];
    return std::string(kFingerNames[static_cast<std::size_t>(part)]);
}

std::string_view name_of(Touch::End end) {
    constexpr std::array<std::string_view, 3> kNames = {"left", "lost", "open"};
    return kNames[static_cast<std::size_t>(end)];
}

TouchTracker::TouchTracker(const scenes::Scene& scene, TouchBy by)
    : by_(by),
      objects_(scene.objects.size()),
      parts_(static_cast<std::size_t>(parts_by(by))),
      groups_(2 * parts_ * objects_) {
    open_.reserve(groups_.size());
    ended_.reserve(groups_.size());
}

std::size_t TouchTracker::index_of(Side side, int bone, int object) const {
    return (static_cast<std::size_t>(side) * parts_ + static_cast<std::size_t>(part_of(by_, bone))) * objects_ +
           static_cast<std::size_t>(object);
}

Touch TouchTracker::finished(const Group& group, std::int64_t end_ns, Touch::End how) const {
    Touch touch = group.touch;
    touch.end_ns = end_ns;
    touch.end = how;
    touch.mean_speed_m_s = touch.frames > 0 ? group.speeds_m_s / static_cast<double>(touch.frames) : 0.0;
    return touch;
}

void TouchTracker::meet(const scenes::Event& event) {
    const std::size_t index = index_of(event.side, event.bone, event.object);
    Group& group = groups_[index];
    if (!group.open) {
        group = {};
        group.open = true;
        group.touch.side = event.side;
        group.touch.part = part_of(by_, event.bone);
        group.touch.object = event.object;
        group.touch.begin_ns = group.touch.deepest_ns = event.time_ns;
        group.touch.deepest_point_m = event.point_m;
        open_.push_back(index);
    }
    group.met = true;
    if (event.lost || (group.seen && event.distance_m >= group.nearest_m)) return;
    group.seen = true;
    group.nearest_m = event.distance_m;
    group.speed_m_s = event.relative_velocity_m_s.norm();
}

std::span<const Touch> TouchTracker::add(const scenes::World& world, const scenes::StepReport& report,
                                         std::int64_t gap_ns) {
    ended_.clear();
    const std::int64_t step_ns = time_ns_ < 0 ? 0 : world.time_ns - time_ns_;
    time_ns_ = world.time_ns;
    for (const std::size_t index : open_) {
        Group& group = groups_[index];
        group.met = group.seen = group.lost = false;
        if (step_ns > gap_ns || !world.hands[group.touch.side].present) group.touch.unseen_ns += step_ns;
    }
    for (const scenes::Event& event : report.stays)
        if (event.kind == EventKind::touch_stay) meet(event);
    for (const scenes::Event& event : report.events) {
        if (event.kind == EventKind::touch_begin) meet(event);
        if (event.kind == EventKind::touch_end)
            groups_[index_of(event.side, event.bone, event.object)].lost = event.lost;
    }
    for (const Side side : tracking::kSides)
        for (const collision::Contact& contact : world.hands[side].contacts) {
            Group& group = groups_[index_of(side, contact.bone, contact.object)];
            if (!group.met || contact.depth_m() <= group.touch.deepest_m) continue;
            group.touch.deepest_m = contact.depth_m();
            group.touch.deepest_ns = world.time_ns;
            group.touch.deepest_point_m = contact.on_object_m;
        }
    for (const std::size_t index : open_) {
        Group& group = groups_[index];
        if (group.met) {
            if (!group.seen) continue;
            group.speeds_m_s += static_cast<double>(group.speed_m_s);
            ++group.touch.frames;
        } else {
            ended_.push_back(finished(group, world.time_ns, group.lost ? Touch::End::lost : Touch::End::left));
            group.open = false;
        }
    }
    std::erase_if(open_, [this](std::size_t index) { return !groups_[index].open; });
    return ended_;
}

std::span<const Touch> TouchTracker::end_all() {
    ended_.clear();
    for (const std::size_t index : open_) {
        ended_.push_back(finished(groups_[index], time_ns_, Touch::End::open));
        groups_[index] = {};
    }
    open_.clear();
    time_ns_ = -1;
    return ended_;
}

std::optional<Touch> TouchTracker::now(Side side, int part, int object) const {
    const Group& group = groups_[(static_cast<std::size_t>(side) * parts_ + static_cast<std::size_t>(part)) * objects_ +
                                 static_cast<std::size_t>(object)];
    if (!group.open) return {};
    return finished(group, time_ns_, Touch::End::open);
}

Touches::Touches(const scenes::Scene& scene)
    : tracker_(scene, TouchBy::finger), objects_(scene.objects.size()), sums_(2 * kFingerNames.size() * objects_) {
    recent_.reserve(kMaxRecent);
}

std::size_t Touches::index_of(Side side, int part, int object) const {
    return (static_cast<std::size_t>(side) * kFingerNames.size() + static_cast<std::size_t>(part)) * objects_ +
           static_cast<std::size_t>(object);
}

// A recording that is played again touches nothing new: what overlaps a touch that is known is that one. (Of a
// recording with more touches than are kept, those that are forgotten count again.)
void Touches::count(std::span<const Touch> ended) {
    for (Touch touch : ended) {
        Sum& sum = sums_[index_of(touch.side, touch.part, touch.object)];
        std::erase_if(recent_, [&](const Touch& known) {
            if (!overlap(known, touch)) return false;
            --sum.count;
            sum.total_s -= known.duration_s();
            touch = joined(known, touch);
            return true;
        });
        ++sum.count;
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

Touches::Sum Touches::of(Side side, int part, int object) const {
    const Touches all = with_open(*this);
    return all.sums_[index_of(side, part, object)];
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
