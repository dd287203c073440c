#include "vr/clips/take_search.h"

#include <algorithm>
#include <map>
#include <tuple>

#include "scenes/hand_body.h"
#include "scenes/haptics.h"
#include "tracking/hand_parts.h"
#include "tracking/names.h"
#include "vr/platform/platform.h"
#include "vr/session/session.h"

namespace glovebox::vr {
namespace {

namespace clips = collision::clips;
using tracking::kSides;
using tracking::listed;
using tracking::Side;

void sort(std::vector<Meeting>& meetings) {
    std::sort(meetings.begin(), meetings.end(), [](const Meeting& a, const Meeting& b) {
        return std::tie(a.side, a.other, a.bone, a.first) < std::tie(b.side, b.other, b.bone, b.first);
    });
}

// Joins consecutive frames into intervals.
class Stretches {
  public:
    void add(Side side, int bone, int other, int frame, float distance_m) {
        const auto key = std::tuple(side, bone, other);
        const auto open = open_.find(key);
        if (open != open_.end() && all_[open->second].last + 1 == frame) {
            Meeting& meeting = all_[open->second];
            meeting.last = frame;
            if (distance_m < meeting.distance_m) {
                meeting.distance_m = distance_m;
                meeting.nearest_frame = frame;
            }
            return;
        }
        open_[key] = all_.size();
        all_.push_back({side, bone, other, frame, frame, frame, distance_m});
    }
    std::vector<Meeting> sorted() && {
        sort(all_);
        return std::move(all_);
    }

  private:
    std::vector<Meeting> all_;
    std::map<std::tuple<Side, int, int>, std::size_t> open_;
};

}  // namespace

int find_object(const scenes::Scene& scene, const std::string& name) {
    std::vector<std::string> names;
    for (std::size_t i = 0; i < scene.objects.size(); ++i) {
        const scenes::SceneObject& object = scene.objects[i];
        names.push_back(object.name);
        if (object.name != name) continue;
        if (!object.track_path.empty() && !object.track)
            throw std::runtime_error("--near " + name + ": its motion (" + object.track_path.string() +
                                     ") was not loaded");
        return static_cast<int>(i);
    }
    throw std::runtime_error("--near " + name + ": no such object in scene " + scene.name + " (" + listed(names) + ")");
}

std::uint64_t bones_named(const std::string& name_or_alias) {
    // Earlier builds called the intermediate phalanges "index middle", and so do their scripts.
    const std::size_t last = name_or_alias.rfind(' ');
    const std::string name = last != name_or_alias.npos && name_or_alias.substr(last) == " middle"
                                 ? name_or_alias.substr(0, last) + " intermediate"
                                 : name_or_alias;
    const std::vector<std::string>& bones = scenes::hand_body().bone_names;
    std::uint64_t mask = 0;
    for (std::size_t bone = 0; bone < bones.size(); ++bone) {
        const auto part = static_cast<std::size_t>(scenes::part_of_bone(static_cast<int>(bone)));
        if (name == "all" || tracking::kHandPartNames[part] == name || bones[bone] == name)
            mask |= std::uint64_t{1} << bone;
    }
    if (mask == 0)
        throw std::runtime_error("--bone " + name_or_alias +
                                 ": no such bone (all, thumb, index, middle, ring, little, " + listed(bones) + ")");
    return mask;
}

std::vector<Meeting> find_meetings(const TakeIndex& take, const NearQuestion& question, clips::TouchCounts& counts) {
    std::vector<collision::Shape> shapes;
    std::vector<int> resting, moving;
    for (const int i : question.objects) {
        const scenes::SceneObject& object = question.scene->objects[static_cast<std::size_t>(i)];
        (object.track ? moving : resting).push_back(i);
        if (!object.track) shapes.push_back(collision::transformed(object.world_from_object, object.shape));
    }
    std::vector<Meeting> meetings;
    const scenes::HandPlacement placement = take.placement_in(*question.scene);
    for (const Side side : kSides) {
        if (!question.hands[side]) continue;
        const auto hand = take.hand_in(placement, side);
        if (!hand) continue;
        for (const clips::NearInterval& near : find_near(*hand, shapes, question.within_m, question.bones, counts))
            meetings.push_back({side, near.bone, resting[static_cast<std::size_t>(near.other)], near.first, near.last,
                                near.nearest_frame, near.distance_m});
        for (const int i : moving) {
            const scenes::SceneObject& object = question.scene->objects[static_cast<std::size_t>(i)];
            const clips::MovingObject recorded = {
                object.shape,
                [&](std::int32_t frame) { return object.track->at(take.times_ns()[static_cast<std::size_t>(frame)]); }};
            for (const clips::NearInterval& near :
                 find_near(*hand, recorded, question.within_m, question.bones, counts))
                meetings.push_back({side, near.bone, i, near.first, near.last, near.nearest_frame, near.distance_m});
        }
    }
    sort(meetings);
    return meetings;
}

std::vector<Meeting> replay_meetings(recordings::Recording recording, const NearQuestion& question) {
    scenes::Scene scene = *question.scene;
    SessionOptions options;
    options.placement = placement_of(recording, scene);  // for the scene as given: a log identifies it by its hash
    scene.thresholds.hover_exit_m = std::max(scene.thresholds.hover_exit_m, question.within_m);
    for (scenes::SceneObject& object : scene.objects)
        if (object.motion == scenes::Motion::dynamic) object.motion = scenes::Motion::fixed;
    Session replay(std::move(scene), std::move(recording), options, now_ns);
    Stretches stretches;
    while (replay.next())
        for (const Side side : kSides) {
            const scenes::HandState& hand = replay.pipeline.world.hands[side];
            if (!hand.present || !question.hands[side]) continue;
            for (const collision::Contact& contact : hand.contacts)
                if (contact.distance_m <= question.within_m && (question.bones >> contact.bone & 1U) != 0 &&
                    std::ranges::find(question.objects, contact.object) != question.objects.end())
                    stretches.add(side, contact.bone, contact.object, replay.frame(), contact.distance_m);
        }
    return std::move(stretches).sorted();
}

std::vector<Meeting> find_hand_meetings(const TakeIndex& take, float within_m, std::uint64_t bones,
                                        clips::TouchCounts& counts) {
    const auto left = take.hand_in({}, Side::left), right = take.hand_in({}, Side::right);
    std::vector<Meeting> meetings;
    if (!left || !right) return meetings;
    for (const clips::NearInterval& near : find_near(*left, *right, within_m, bones, bones, counts))
        meetings.push_back(
            {Side::left, near.bone, near.other, near.first, near.last, near.nearest_frame, near.distance_m});
    sort(meetings);
    return meetings;
}

std::vector<Meeting> replay_hand_meetings(recordings::Recording recording, float within_m, std::uint64_t bones) {
    scenes::Scene scene;
    scene.placement = scenes::Placement::recorded;
    SessionOptions options;
    Session replay(std::move(scene), std::move(recording), options, now_ns);
    Stretches stretches;
    collision::CollideCounts counts;
    collision::Contact contact;
    while (replay.next()) {
        const scenes::HandState &left = replay.pipeline.world.hands[Side::left],
                                &right = replay.pipeline.world.hands[Side::right];
        if (!left.present || !right.present) continue;
        for (std::size_t i = 0; i < scenes::kHandBoneCount; ++i)
            for (std::size_t j = 0; j < scenes::kHandBoneCount; ++j)
                if ((bones >> i & 1U) != 0 && (bones >> j & 1U) != 0 && left.pose.bone_present[i] != 0 &&
                    right.pose.bone_present[j] != 0 &&
                    closest(left.pose.shapes[i], right.pose.shapes[j], within_m, contact, counts))
                    stretches.add(Side::left, static_cast<int>(i), static_cast<int>(j), replay.frame(),
                                  contact.distance_m);
    }
    return std::move(stretches).sorted();
}

std::unique_ptr<PlayedTake> played(const TakeIndex& take) {
    auto out = std::make_unique<PlayedTake>();
    const auto times_ns = take.times_ns();
    for (const std::int64_t at_ns : times_ns) out->begin_ns.push_back(at_ns - times_ns.front());
    for (const Side side : kSides) {
        auto hand = take.hand_in({}, side);
        if (!hand) continue;
        out->bodies.push_back({std::move(*hand), {out->begin_ns}});
        out->sides.push_back(side);
    }
    return out;
}

}  // namespace glovebox::vr
