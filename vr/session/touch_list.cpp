#include "vr/session/touch_list.h"

#include <algorithm>
#include <cmath>
#include <tuple>

#include "scenes/hand_body.h"
#include "scenes/haptics.h"
#include "tracking/formatted.h"
#include "vr/session/session.h"

namespace glovebox::vr {
namespace {

using tracking::Side;

constexpr double kGapSteps = 3.0;  // as in recordings::gaps()

int hand_part_of(TouchBy by, int part) {
    return by == TouchBy::bone ? scenes::part_of_bone(part) : part;
}

}  // namespace

TouchCollector::TouchCollector(const Session& session, TouchBy by)
    : tracker_(session.scene, by),
      gap_ns_(session.facts().rate_hz > 0.0 ? static_cast<std::int64_t>(kGapSteps * 1e9 / session.facts().rate_hz)
                                            : std::numeric_limits<std::int64_t>::max()) {
    list_.by = by;
    list_.recording = session.facts().name;
    list_.format = session.facts().format;
    list_.scene = session.scene.name;
    list_.placement = session.pipeline.settings.placement.note;
    list_.touch_m = double{session.scene.thresholds.touch_enter_m};
    list_.hands = session.pipeline.settings.use_hand;
    for (const scenes::SceneObject& object : session.scene.objects) list_.objects.push_back(object.name);
    if (session.file != nullptr)
        for (const auto& [from_s, to_s] : recordings::gaps(session.recording())) list_.gaps.push_back({from_s, to_s});
}

void TouchCollector::keep(std::span<const Touch> ended) {
    list_.touches.insert(list_.touches.end(), ended.begin(), ended.end());
}

void TouchCollector::add(const Session& session) {
    const scenes::World& world = session.pipeline.world;
    keep(tracker_.add(world, session.pipeline.report, gap_ns_));
    list_.duration_s = session.time_s();
    ++list_.frames;
    for (const Side side : tracking::kSides) {
        double& since_s = lost_since_s_[side];
        const bool there = world.hands[side].seen() || !list_.hands[side];
        if (!there && since_s < 0.0) since_s = session.time_s();
        if (!there || since_s < 0.0) continue;
        list_.lost[side].push_back({since_s, session.time_s()});
        since_s = -1.0;
    }
}

TouchList TouchCollector::finish(const Session& session) {
    keep(tracker_.end_all());
    for (const Side side : tracking::kSides)
        if (lost_since_s_[side] >= 0.0) list_.lost[side].push_back({lost_since_s_[side], session.time_s()});
    std::ranges::stable_sort(list_.touches, {}, [](const Touch& touch) {
        return std::tuple(touch.begin_ns, touch.side, touch.part, touch.object);
    });
    if (list_.touches.empty() && session.file != nullptr) list_.nearest = nearest_approach(session);
    return std::move(list_);
}

TouchList touches_of(Session& session, TouchBy by) {
    TouchCollector collector(session, by);
    while (session.next()) collector.add(session);
    return collector.finish(session);
}

void add_forces(std::span<const recordings::ForceRecord> forces, TouchList& list) {
    list.has_forces = !forces.empty();
    for (Touch& touch : list.touches) {
        const auto from = std::ranges::lower_bound(forces, touch.begin_ns, {}, &recordings::ForceRecord::time_ns);
        for (auto at = from; at != forces.end() && at->time_ns <= touch.end_ns; ++at) {
            if (at->side != touch.side) continue;
            const int part = hand_part_of(list.by, touch.part);
            const float force =
                list.by == TouchBy::object ? std::ranges::max(at->force) : at->force[static_cast<std::size_t>(part)];
            touch.peak_force = std::isnan(touch.peak_force) ? force : std::max(touch.peak_force, force);
        }
    }
}

Approach nearest_approach(const Session& session, int samples) {
    Approach best;
    best.distance_m = 1000.0F;  // no hand is farther away than this
    const scenes::Scene& scene = session.scene;
    const PipelineSettings& settings = session.pipeline.settings;
    const auto& all = session.recording().samples;
    const std::size_t step = std::max<std::size_t>(1, all.size() / static_cast<std::size_t>(std::max(1, samples)));
    collision::BodyPose pose;
    collision::CollideCounts counts;
    for (std::size_t i = 0; i < all.size(); i += step) {
        tracking::HandPair hands = all[i];
        // A replay may have ended before the recording.
        if (1e-9 * static_cast<double>(hands.time_ns) > session.totals.duration_s + 1e-6) break;
        for (const Side side : tracking::kSides) tracking::fill_radii(settings.profiles[side], hands[side]);
        scenes::place(settings.placement, hands);
        for (std::size_t object = 0; object < scene.objects.size(); ++object) {
            const scenes::SceneObject& each = scene.objects[object];
            const collision::Shape shape =
                collision::transformed(each.track ? each.track->at(hands.time_ns) : each.world_from_object, each.shape);
            for (const Side side : tracking::kSides) {
                if (!settings.use_hand[side] || !hands[side].active) continue;
                scenes::pose_hand(hands[side], pose, settings.profiles[side].shape);
                for (std::size_t bone = 0; bone < pose.shapes.size(); ++bone) {
                    collision::Contact contact;
                    if (pose.bone_present[bone] == 0 ||
                        !collision::closest(pose.shapes[bone], shape, best.distance_m, contact, counts) ||
                        !(contact.distance_m < best.distance_m))
                        continue;
                    best = {static_cast<int>(object),
                            static_cast<int>(bone),
                            side,
                            1e-9 * static_cast<double>(hands.time_ns),
                            contact.distance_m,
                            2.0F * collision::bounding_box(each.shape).half_m.maxCoeff()};
                }
            }
        }
    }
    return best;
}

std::string why_no_touch(const Approach& nearest, std::span<const std::string> objects, double touch_m) {
    if (objects.empty()) return "The scene has no objects.";
    if (nearest.object < 0) return "No hand is ever seen: see `glovebox doctor`.";
    constexpr double kFar_m = 0.3, kLarge_m = 0.8, kSmall_m = 0.01;
    constexpr double kError_m = 0.015;  // no tracker errs by more for long
    const double size_m = double{nearest.object_size_m}, distance_m = double{nearest.distance_m};
    const std::string& name = objects[static_cast<std::size_t>(nearest.object)];
    const auto length = [](double metres) {
        return metres < 0.1 ? tracking::formatted("%.1f mm", 1e3 * metres) : tracking::formatted("%.2f m", metres);
    };
    if (distance_m <= touch_m)
        return "The " + std::string(part_name(TouchBy::bone, nearest.bone)) + " meets " + name +
               " only in single samples, which the guard held back: see `glovebox doctor`.";
    std::string text = "The nearest object, " + name + " (" + length(size_m) + " long), stays " + length(distance_m) +
                       " away from the " + part_name(TouchBy::bone, nearest.bone) + ".";
    if (size_m > kLarge_m && distance_m > 0.05)
        text += " An object of that size is seldom held: try --unit dm, cm or mm, or unit_m in the scene file.";
    else if (size_m < kSmall_m)
        text += " An object of that size is hardly touched: try a larger unit_m in the scene file.";
    else if (distance_m > kFar_m)
        text +=
            " Hands and objects are in different places: try --unit, --axes, another --scene, or `glovebox scene "
            "new`.";
    else if (distance_m < kError_m)
        text += " If they should meet, raise touch_enter_m in the scene file: tracking errs by some millimetres.";
    return text;
}

}  // namespace glovebox::vr
