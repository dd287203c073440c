#include "scenes/step.h"

#include <algorithm>
#include <array>
#include <cstring>

#include "scenes/dynamics.h"
#include "scenes/state_hash.h"

namespace glovebox::scenes {
namespace {

using tracking::Side;

constexpr std::array kSides = {Side::left, Side::right};
constexpr std::array<std::string_view, 4> kEventNames = {"hover_begin", "hover_end", "touch_begin", "touch_end"};
constexpr std::array<std::string_view, kStageCount> kStageNames = {"ingest", "refit",   "test", "exact",
                                                                   "step",   "haptics", "total"};

HandState& hand_of(World& world, Side side) {
    return world.hands[static_cast<std::size_t>(side)];
}

PairState& pair_of(World& world, Side side, int bone, int object) {
    const auto objects = world.colliders.size();
    return world.pairs[(static_cast<std::size_t>(side) * kHandBoneCount + static_cast<std::size_t>(bone)) * objects +
                       static_cast<std::size_t>(object)];
}

void place_colliders(const Scene& scene, World& world) {
    for (std::size_t i = 0; i < scene.objects.size(); ++i) {
        world.colliders[i].shape = collision::transformed(world.world_from_object[i], scene.objects[i].shape);
        world.colliders[i].box = collision::transformed(world.world_from_object[i], world.box_in_object[i]);
    }
}

// How fast the bone moves at one of its surface points, from where it was a step ago.
Eigen::Vector3f bone_velocity_m_s(const HandState& hand, int bone, const Eigen::Vector3f& point_m, double dt_s) {
    const auto i = static_cast<std::size_t>(bone);
    if (!hand.has_previous || dt_s <= 0.0 || hand.previous.bone_present[i] == 0) return Eigen::Vector3f::Zero();
    const auto inverse_dt = static_cast<float>(1.0 / dt_s);
    const collision::Shape& now = hand.pose.shapes[i];
    const collision::Shape& before = hand.previous.shapes[i];
    if (const auto* cone = std::get_if<collision::RoundCone>(&now)) {
        const auto& cone_t0 = std::get<collision::RoundCone>(before);
        const Eigen::Vector3f along = cone->b_m - cone->a_m;
        const float length2 = std::max(along.squaredNorm(), 1e-12F);
        const float s = std::clamp((point_m - cone->a_m).dot(along) / length2, 0.0F, 1.0F);
        return inverse_dt * ((1.0F - s) * (cone->a_m - cone_t0.a_m) + s * (cone->b_m - cone_t0.b_m));
    }
    const collision::Obb& box = std::get<collision::RoundedBox>(now).core;
    const collision::Obb& box_t0 = std::get<collision::RoundedBox>(before).core;
    const Eigen::Vector3f point_in_box = box.axes.transpose() * (point_m - box.center_m);
    return inverse_dt * (point_m - (box_t0.center_m + box_t0.axes * point_in_box));
}

// One of the two states of a pair: begins at `enter`, ends beyond `exit` and not before the dwell is over.
struct Transition {
    EventKind begin, end;
    float enter_m, exit_m;
};

void update_state(World& world, const Transition& rule, std::int64_t dwell_ns, std::uint8_t& on, std::int64_t& since_ns,
                  float distance_m, Event event) {
    if (on == 0) {
        if (!(distance_m <= rule.enter_m)) {
            // Within the band between the thresholds: without hysteresis this frame would have been a begin.
            if (distance_m <= rule.exit_m) ++world.suppressed_events;
            return;
        }
        on = 1;
        since_ns = event.time_ns;
        event.kind = rule.begin;
    } else {
        if (distance_m <= rule.exit_m) return;
        if (!event.lost && event.time_ns - since_ns < dwell_ns) {
            ++world.suppressed_events;
            return;
        }
        on = 0;
        event.kind = rule.end;
    }
    world.events.push_back(event);
}

void update_pair(const Scene& scene, World& world, const Event& event) {
    const TouchThresholds& limits = scene.thresholds;
    PairState& pair = pair_of(world, event.side, event.bone, event.object);
    update_state(world, {EventKind::hover_begin, EventKind::hover_end, limits.hover_enter_m, limits.hover_exit_m},
                 limits.dwell_ns, pair.hovering, pair.hover_since_ns, event.distance_m, event);
    update_state(world, {EventKind::touch_begin, EventKind::touch_end, limits.touch_enter_m, limits.touch_exit_m},
                 limits.dwell_ns, pair.touching, pair.touch_since_ns, event.distance_m, event);
}

void update_events(const Scene& scene, World& world, Side side, double dt_s) {
    HandState& hand = hand_of(world, side);
    constexpr float kFarAway_m = 1e9F;
    auto contact = hand.contacts.begin();
    for (int object = 0; object < static_cast<int>(scene.objects.size()); ++object) {
        for (int bone = 0; bone < kHandBoneCount; ++bone) {
            const PairState& pair = pair_of(world, side, bone, object);
            const bool near = contact != hand.contacts.end() && contact->object == object && contact->bone == bone;
            if (!near && pair.touching == 0 && pair.hovering == 0) continue;

            Event event;
            event.time_ns = world.time_ns;
            event.side = side;
            event.bone = bone;
            event.object = object;
            event.lost = !hand.present;
            event.distance_m = kFarAway_m;
            event.point_m.setZero();
            event.normal.setZero();
            event.relative_velocity_m_s.setZero();
            if (near) {
                event.distance_m = contact->distance_m;
                event.point_m = contact->on_object_m;
                event.normal = contact->normal;
                event.relative_velocity_m_s = bone_velocity_m_s(hand, bone, contact->on_body_m, dt_s) -
                                              world.dynamics->velocity_at(object, contact->on_object_m);
                ++contact;
            }
            update_pair(scene, world, event);
        }
    }
}

void collect_pushes(const Scene& scene, World& world, Side side, double dt_s) {
    const HandState& hand = hand_of(world, side);
    for (const collision::Contact& contact : hand.contacts) {
        if (contact.distance_m > 0.0F) continue;
        if (scene.objects[static_cast<std::size_t>(contact.object)].motion != Motion::dynamic) continue;
        world.pushes.push_back({contact, bone_velocity_m_s(hand, contact.bone, contact.on_body_m, dt_s)});
    }
}

// An object that was pushed away and left alone goes back to where it started, so that a replay always has it.
void respawn(const Scene& scene, World& world, double dt_s) {
    for (std::size_t i = 0; i < scene.objects.size(); ++i) {
        const SceneObject& object = scene.objects[i];
        if (object.motion != Motion::dynamic) continue;
        const bool away =
            (world.world_from_object[i].translation() - object.world_from_object.translation()).norm() > 0.02F;
        const bool touched = std::any_of(world.hands.begin(), world.hands.end(), [i](const HandState& hand) {
            return hand.present && std::any_of(hand.contacts.begin(), hand.contacts.end(), [i](const auto& contact) {
                       return contact.object == static_cast<int>(i);
                   });
        });
        double& alone_s = world.alone_s[i];
        alone_s = away && !touched ? alone_s + dt_s : 0.0;
        if (alone_s <= static_cast<double>(scene.respawn_after_s)) continue;
        alone_s = 0.0;
        world.world_from_object[i] = object.world_from_object;
        world.dynamics->place(static_cast<int>(i), object.world_from_object);
    }
}

std::uint64_t hash_of(const World& world) {
    StateHash hash;
    hash.add(world.time_ns);
    for (const HandState& hand : world.hands) {
        hash.add(hand.present);
        if (!hand.present) continue;
        for (const Eigen::Vector3f& joint_m : hand.pose.joints_m) hash.add(joint_m);
        for (const collision::Contact& contact : hand.contacts) {
            hash.add(contact.bone);
            hash.add(contact.object);
            hash.add(contact.distance_m);
            hash.add(contact.on_object_m);
            hash.add(contact.normal);
        }
    }
    for (const Eigen::Isometry3f& pose : world.world_from_object) hash.add(pose.matrix());
    for (const Event& event : world.events) {
        hash.add(event.kind);
        hash.add(event.bone);
        hash.add(event.object);
    }
    return hash.value();
}

}  // namespace

std::string_view name_of(EventKind kind) {
    return kEventNames[static_cast<std::size_t>(kind)];
}
std::string_view name_of(Stage stage) {
    return kStageNames[static_cast<std::size_t>(stage)];
}

World::World(const Scene& scene)
    : dynamics(std::make_unique<Dynamics>(scene)), method(&collision::refit_methods().front()) {
    const std::size_t objects = scene.objects.size();
    colliders.resize(objects);
    alone_s.assign(objects, 0.0);
    for (const SceneObject& object : scene.objects) {
        world_from_object.push_back(object.world_from_object);
        box_in_object.push_back(collision::bounding_box(object.shape));
    }
    place_colliders(scene, *this);

    // Room for the worst frame, so that no step has to ask for memory.
    const std::size_t most_pairs = kHandBoneCount * objects;
    pairs.resize(2 * most_pairs);
    events.reserve(4 * 2 * most_pairs);
    pushes.reserve(2 * most_pairs);
    for (HandState& hand : hands) {
        hand.candidates.reserve(most_pairs);
        hand.contacts.reserve(most_pairs);
    }
}

World::~World() = default;
World::World(World&&) noexcept = default;
World& World::operator=(World&&) noexcept = default;

void refit(const Scene& scene, World& world, const tracking::HandPair& hands, StepReport& report) {
    world.time_ns = hands.time_ns;
    for (std::size_t i = 0; i < scene.objects.size(); ++i)
        if (scene.objects[i].track) world.world_from_object[i] = scene.objects[i].track->at(hands.time_ns);
    place_colliders(scene, world);

    for (const Side side : kSides) {
        HandState& hand = hand_of(world, side);
        std::swap(hand.previous, hand.pose);
        hand.has_previous = hand.present && !hands[side].discontinuous;
        hand.present = hands[side].active;
        if (!hand.present) continue;
        pose_hand(hands[side], hand.pose);
        report.counts.n_u += world.method->refit(hand_body(), hand.pose, hand.boxes);
    }
}

void test(const Scene& scene, World& world, StepReport& report) {
    // The method without boxes hands every pair to the exact test: that is what it is there to show.
    const bool many =
        world.colliders.size() >= NearObjects::kWorthwhile && world.method->kind != collision::BoxKind::none;
    if (many) {
        std::array<collision::Aabb, 2> reaches;
        for (const Side side : kSides)
            if (hand_of(world, side).present)
                reaches[static_cast<std::size_t>(side)] = reach_of(hand_of(world, side).pose);
        world.near_objects.mark(world.colliders, reaches, scene.thresholds.hover_exit_m);
    } else {
        NearObjects::mark_all(world.colliders);
    }
    for (const Side side : kSides) {
        HandState& hand = hand_of(world, side);
        hand.candidates.clear();
        if (!hand.present) continue;
        collision::find_candidates(*world.method, hand_body(), hand.pose, hand.boxes, world.colliders,
                                   scene.thresholds.hover_exit_m, hand.candidates, report.counts,
                                   1U << static_cast<unsigned>(side));
    }
}

void exact(const Scene& scene, World& world, StepReport& report) {
    for (HandState& hand : world.hands) {
        hand.contacts.clear();
        if (!hand.present) continue;
        collision::find_contacts(hand.pose, world.colliders, hand.candidates, scene.thresholds.hover_exit_m,
                                 scene.thresholds.touch_enter_m, hand.contacts, report.counts);
    }
}

void resolve(const Scene& scene, World& world, const tracking::HandPair&, double dt_s, StepReport& report) {
    world.events.clear();
    world.pushes.clear();
    for (const Side side : kSides) {
        update_events(scene, world, side, dt_s);
        if (hand_of(world, side).present) collect_pushes(scene, world, side, dt_s);
    }
    world.dynamics->step(scene, world.pushes, dt_s, world.world_from_object);
    respawn(scene, world, dt_s);
    report.events = world.events;
    report.state_hash = hash_of(world);
}

StepReport step(const Scene& scene, World& world, const tracking::HandPair& hands, double dt_s) {
    StepReport report;
    refit(scene, world, hands, report);
    test(scene, world, report);
    exact(scene, world, report);
    resolve(scene, world, hands, dt_s, report);
    return report;
}

}  // namespace glovebox::scenes
