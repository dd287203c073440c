#include "scenes/step.h"

#include <algorithm>
#include <array>

#include "collision/contact/contact_points.h"
#include "scenes/dynamics.h"
#include "scenes/interact.h"
#include "scenes/state_hash.h"
#include "scenes/update_events.h"

namespace glovebox::scenes {
namespace {

using tracking::kSides;
using tracking::Side;

constexpr std::array<std::string_view, kStageCount> kStageNames = {"ingest", "refit",   "test", "exact",
                                                                   "step",   "haptics", "total"};

HandState& hand_of(World& world, Side side) {
    return world.hands[side];
}

// Returns a displaced object to its start when it has not been touched for a while, so that it stays available.
void respawn(const Scene& scene, World& world, double dt_s) {
    for (std::size_t i = 0; i < scene.objects.size(); ++i) {
        const SceneObject& object = scene.objects[i];
        if (object.motion != Motion::dynamic || object.joint.kind != JointKind::none) continue;
        const Eigen::Isometry3f& start = world.start_poses[i];
        const bool away = (world.world_from_object[i].translation() - start.translation()).norm() > 0.02F;
        const bool held = world.holds[hold_index(world, Side::left, static_cast<int>(i))].holding ||
                          world.holds[hold_index(world, Side::right, static_cast<int>(i))].holding;
        const bool touched = held || std::any_of(world.hands.begin(), world.hands.end(), [i](const HandState& hand) {
                                 return hand.present && std::any_of(hand.contacts.begin(), hand.contacts.end(),
                                                                    [i](const auto& contact) {
                                                                        return contact.object == static_cast<int>(i);
                                                                    });
                             });
        double& idle_s = world.idle_s[i];
        idle_s = away && !touched ? idle_s + dt_s : 0.0;
        if (idle_s <= static_cast<double>(scene.respawn_after_s)) continue;
        idle_s = 0.0;
        world.world_from_object[i] = start;
        world.dynamics->place(static_cast<int>(i), start);
    }
}

// Moves the objects that follow a track or the application, and stores their motion since the previous step.
void follow_tracks(const Scene& scene, World& world) {
    for (std::size_t i = 0; i < scene.objects.size(); ++i) {
        std::optional<Eigen::Isometry3f> now = world.set_poses[i];
        if (scene.objects[i].track) now = scene.objects[i].track->at(world.time_ns - world.tracks_start_ns);
        if (!now) continue;
        world.object_displacements[i] =
            displacement_between(world.has_tracked ? world.world_from_object[i] : *now, *now, world.box_in_object[i],
                                 scene.thresholds.hover_exit_m);
        world.world_from_object[i] = *now;
    }
    world.has_tracked = true;
}

bool is_rigid(const Eigen::Isometry3f& pose) {
    constexpr float kTolerance = 1e-3F;
    constexpr float kFarthest_m = 1e6F;  // as in scene files
    const Eigen::Matrix3f turn = pose.linear();
    return pose.translation().cwiseAbs().maxCoeff() <= kFarthest_m && pose.matrix().allFinite() &&
           (turn.transpose() * turn).isIdentity(kTolerance) && turn.determinant() > 0.0F;
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

std::string_view name_of(Stage stage) {
    return kStageNames[static_cast<std::size_t>(stage)];
}

World::World(const Scene& scene) : dynamics(std::make_unique<Dynamics>(scene)) {
    const std::size_t objects = scene.objects.size();
    method = &collision::refit_methods().front();
    colliders.resize(objects);
    set_poses.resize(objects);
    idle_s.assign(objects, 0.0);
    for (const SceneObject& object : scene.objects) {
        world_from_object.push_back(object.world_from_object);
        start_poses.push_back(object.world_from_object);
        object_displacements.push_back({object.world_from_object, object.world_from_object});
        carried.push_back({});
        box_in_object.push_back(collision::bounding_box(object.shape));
    }
    place_colliders(scene, *this);

    // Reserve memory for the worst frame, so that no step allocates.
    const std::size_t max_pairs = kHandBoneCount * objects;
    pairs.resize(2 * max_pairs);
    samples.resize(2 * max_pairs);
    holds.resize(2 * objects);
    shared_holds.resize(objects);
    events.reserve(8 * 2 * max_pairs + 64);
    stays.reserve(4 * 2 * max_pairs + 64);
    pushes.reserve(2 * max_pairs);
    sub_contacts.reserve(max_pairs);
    swept.reserve(2 * max_pairs);
    for (auto& candidates : sub_candidates) candidates.reserve(max_pairs);
    for (HandState& hand : hands) {
        hand.candidates.reserve(max_pairs);
        hand.contacts.reserve(max_pairs);
        hand.points.reserve(kMaxContactPoints);
    }
}

World::~World() = default;
World::World(World&&) noexcept = default;
World& World::operator=(World&&) noexcept = default;

SavedWorld save(const World& world) {
    return {world, world.dynamics->save()};
}

void restore(const SavedWorld& saved, World& world) {
    world.dynamics->restore(*saved.dynamics);
    static_cast<WorldState&>(world) = saved.state;
}

std::string_view set_object_pose(const Scene& scene, World& world, int object,
                                 const Eigen::Isometry3f& world_from_object) {
    if (object < 0 || object >= static_cast<int>(scene.objects.size())) return "there is no such object";
    const auto i = static_cast<std::size_t>(object);
    if (scene.objects[i].motion == Motion::recorded)
        return "the object follows its recorded track: make it fixed to move it yourself";
    if (!is_rigid(world_from_object)) return "the pose is not finite, or not a rotation and a position within 1e6 m";
    if (scene.objects[i].motion == Motion::dynamic) {
        const Eigen::Isometry3f now = world.dynamics->teleport(object, world_from_object);
        world.world_from_object[i] = world.start_poses[i] = now;
        world.idle_s[i] = 0.0;
        for (const Side side : kSides) {
            HoldState& hold = world.holds[hold_index(world, side, object)];
            hold.taken = hold.holding;
        }
        return {};
    }
    if (!world.set_poses[i]) world.dynamics->lead(object);
    world.set_poses[i] = world_from_object;
    return {};
}

std::string_view set_object_velocity(const Scene& scene, World& world, int object, const Eigen::Vector3f& linear_m_s,
                                     const Eigen::Vector3f& angular_rad_s) {
    if (object < 0 || object >= static_cast<int>(scene.objects.size())) return "there is no such object";
    if (scene.objects[static_cast<std::size_t>(object)].motion != Motion::dynamic)
        return "only a dynamic object has a velocity that can be set";
    if (!(linear_m_s.norm() <= kMaxSetSpeed && angular_rad_s.norm() <= kMaxSetSpeed))
        return "a velocity is not finite, or above 1000 m/s or rad/s";
    world.dynamics->set_velocity(object, linear_m_s, angular_rad_s);
    return {};
}

void refit(const Scene& scene, World& world, const tracking::HandPair& hands, StepReport& report) {
    world.time_ns = hands.time_ns;
    follow_tracks(scene, world);
    place_colliders(scene, world);

    for (const Side side : kSides) {
        HandState& hand = hand_of(world, side);
        std::swap(hand.previous, hand.pose);
        hand.has_previous = hand.present && !hands[side].discontinuous;
        const bool reappeared = !hand.present && hand.was_seen;
        hand.present = hands[side].active;
        hand.held = hands[side].source == tracking::Source::held;
        if (!hand.present) {
            // Keep the last tracked pose: held objects stay there during the grace time.
            std::swap(hand.previous, hand.pose);
            if (hand.lost_since_ns == kNoTime) hand.lost_since_ns = hands.time_ns;
            continue;
        }
        hand.appeared = reappeared || (hand.was_seen && hands[side].discontinuous);
        hand.was_seen = true;
        hand.lost_since_ns = kNoTime;
        pose_hand(hands[side], hand.pose, world.hand_shapes[side]);
        report.counts.n_u += world.method->refit(hand_body(), hand.pose, hand.boxes);
    }
    move_with_hand(scene, world);
    carry_colliders(scene, world);
}

void test(const Scene& scene, World& world, StepReport& report) {
    for (const Side side : kSides) {
        HandState& hand = hand_of(world, side);
        hand.candidates.clear();
        if (!hand.present) continue;
        collision::find_candidates(*world.method, hand_body(), hand.pose, hand.boxes, world.colliders,
                                   scene.thresholds.hover_exit_m, hand.candidates, report.counts,
                                   1U << static_cast<unsigned>(side), &hand.descent, &world.object_tree);
    }
}

void exact(const Scene& scene, World& world, StepReport& report) {
    for (HandState& hand : world.hands) {
        hand.contacts.clear();
        hand.points.clear();
        if (!hand.present) continue;
        collision::find_contacts(hand.pose, world.colliders, hand.candidates, scene.thresholds.hover_exit_m,
                                 scene.thresholds.touch_enter_m, hand.contacts, report.counts, &hand.descent);
    }
}

void compute_manifolds(const Scene& scene, World& world) {
    collision::CollideCounts not_counted;  // the paper's counts cover only the search for pairs
    for (HandState& hand : world.hands) {
        hand.points.clear();
        if (hand.present)
            collision::find_contact_points(hand.pose, world.colliders, hand.contacts, scene.thresholds.touch_enter_m,
                                           hand.points, not_counted);
    }
}

void resolve(const Scene& scene, World& world, const tracking::HandPair&, double dt_s, StepReport& report) {
    for (const Side side : kSides)
        if (hand_of(world, side).present) suppress_after_return(scene, world, side);
    interact(scene, world, dt_s);
    update_events(scene, world);
    respawn(scene, world, dt_s);
    report.events = world.events;
    report.stays = world.stays;
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
