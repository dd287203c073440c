#include "vr/session/touch_tracker.h"

#include <algorithm>
#include <array>

#include "scenes/hand_body.h"
#include "scenes/haptics.h"

namespace glovebox::vr {
namespace {

using scenes::EventKind;
using tracking::Side;

constexpr std::array<std::string_view, 3> kByNames = {"finger", "bone", "object"};

int part_of(TouchBy by, int bone) {
    return by == TouchBy::bone ? bone : by == TouchBy::object ? 0 : scenes::part_of_bone(bone);
}

}  // namespace

std::optional<TouchBy> find_touch_by(std::string_view name) {
    for (std::size_t i = 0; i < kByNames.size(); ++i)
        if (kByNames[i] == name) return static_cast<TouchBy>(i);
    return {};
}

int parts_by(TouchBy by) {
    return by == TouchBy::finger ? static_cast<int>(tracking::kHandPartNames.size())
           : by == TouchBy::bone ? scenes::kHandBoneCount
                                 : 1;
}

std::string part_name(TouchBy by, int part) {
    if (by == TouchBy::object) return "hand";
    if (by == TouchBy::bone) return scenes::hand_body().bone_names[static_cast<std::size_t>(part)];
    return std::string(tracking::kHandPartNames[static_cast<std::size_t>(part)]);
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
    const std::int64_t step_ns = time_ns_ == scenes::kNoTime ? 0 : world.time_ns - time_ns_;
    time_ns_ = world.time_ns;
    for (const std::size_t index : open_) {
        Group& group = groups_[index];
        group.met = group.seen = group.lost = false;
        if (step_ns > gap_ns || !world.hands[group.touch.side].seen()) group.touch.unseen_ns += step_ns;
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
            if (!group.seen || !world.hands[group.touch.side].seen()) continue;
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
    time_ns_ = scenes::kNoTime;
    return ended_;
}

std::optional<Touch> TouchTracker::now(Side side, int part, int object) const {
    const Group& group = groups_[(static_cast<std::size_t>(side) * parts_ + static_cast<std::size_t>(part)) * objects_ +
                                 static_cast<std::size_t>(object)];
    if (!group.open) return {};
    return finished(group, time_ns_, Touch::End::open);
}

}  // namespace glovebox::vr
