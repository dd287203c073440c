// One step of a scene: from the pose of the hands to contacts, events and the motion of objects.
//
// The scene is constant, the world changes, and time is an argument. Nothing here reads a clock, so a replay of the
// same input on the same build has the same state hash in every frame.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "collision/query/collide.h"
#include "scenes/dynamics.h"
#include "scenes/events.h"
#include "scenes/hand_body.h"
#include "scenes/scene.h"
#include "scenes/swept.h"
#include "tracking/hand_frame.h"

namespace glovebox::scenes {

/// Stages of a frame, in order.
enum class Stage : std::uint8_t { ingest, refit, test, exact, step, haptics, total };
inline constexpr int kStageCount = 7;
std::string_view name_of(Stage stage);

/// One hand as the step left it.
struct HandState {
    bool present = false;
    collision::BodyPose pose;
    collision::BodyPose previous;     ///< pose of the step before, for velocities
    bool has_previous = false;        ///< false after a gap or a teleport
    bool was_seen = false;            ///< has been present at some time
    bool appeared = false;            ///< reappeared in this step, after a loss or with a jump
    std::int64_t lost_since_ns = -1;  ///< -1: present
    collision::BodyBoxes boxes;
    collision::DescentMemory descent{
        static_cast<std::size_t>(kHandBoneCount)};  ///< parts of meshes that the candidates reach
    std::vector<collision::Candidate> candidates;
    std::vector<collision::Contact>
        contacts;                            ///< within hover distance, one per (bone, object), sorted by object, bone
    std::vector<collision::Contact> points;  ///< filled by find_rest_points() only
};

/// Capacity for the contact points of a hand in a frame: every bone on six objects at eight points.
constexpr std::size_t kMaxContactPoints = 1024;

/// The state of a scene. Made from a scene; a warm step does not allocate.
struct World {
    explicit World(const Scene& scene);
    ~World();
    World(World&&) noexcept;
    World& operator=(World&&) noexcept;

    tracking::PerSide<HandState> hands;
    std::vector<collision::Collider> colliders;  ///< one per scene object, where it is now
    std::vector<Eigen::Isometry3f> world_from_object;
    std::vector<collision::Obb> box_in_object;
    std::vector<ObjectWay> object_ways;    ///< of this step: motion of objects that follow a track
    bool has_tracked = false;              ///< false before the first step: nothing has moved yet
    std::vector<double> alone_s;           ///< per object: time for which it lies away from its start
    std::vector<Push> pushes;              ///< of this step: hand contacts with dynamic objects
    std::vector<PairState> pairs;          ///< [side][bone][object]
    std::vector<PairSample> samples;       ///< [side][bone][object], of this step
    std::vector<HoldState> holds;          ///< [side][object]
    std::vector<SharedHold> shared_holds;  ///< [object]
    tracking::PerSide<std::array<PinchState, tracking::kFingerCount>>
        pinches{};              ///< [side][finger]; the thumb's is unused
    std::vector<Event> events;  ///< of this step
    std::vector<Event> stays;   ///< of this step: states that continue
    int sub_steps = 1;          ///< of this step, so that a fast hand pushes every object in its path
    std::unique_ptr<Dynamics> dynamics;
    collision::ObjectTree object_tree;  ///< follows the colliders
    collision::BodyPose sub_pose;       ///< scratch, and the next two as well
    tracking::PerSide<std::vector<collision::Candidate>> sub_candidates;
    tracking::PerSide<Eigen::Isometry3f> sub_palms = {Eigen::Isometry3f::Identity(), Eigen::Isometry3f::Identity()};
    std::vector<collision::Contact> sub_contacts;
    std::vector<SweptContact> swept;                 ///< scratch
    const collision::RefitMethod* method = nullptr;  ///< method in use; may be changed between steps
    std::int64_t time_ns = 0;
    std::uint64_t suppressed_events = 0;  ///< begins and ends that hysteresis or dwell suppressed
};

/// The result of a step.
struct StepReport {
    collision::CollideCounts counts;
    std::span<const Event> events;  ///< valid until the next step
    std::span<const Event> stays;   ///< states that continue; valid until the next step
    std::uint64_t state_hash = 0;   ///< of poses, contacts and objects
};

/// Run one stage each, to be measured; step() calls them in this order.
void refit(const Scene&, World&, const tracking::HandPair&, StepReport&);
void test(const Scene&, World&, StepReport&);
void exact(const Scene&, World&, StepReport&);
void resolve(const Scene&, World&, const tracking::HandPair&, double dt_s, StepReport&);

/// Return indices into the flat arrays of World.
inline std::size_t pair_index(const World& world, tracking::Side side, int bone, int object) {
    return (static_cast<std::size_t>(side) * kHandBoneCount + static_cast<std::size_t>(bone)) * world.colliders.size() +
           static_cast<std::size_t>(object);
}
inline std::size_t hold_index(const World& world, tracking::Side side, int object) {
    return static_cast<std::size_t>(side) * world.colliders.size() + static_cast<std::size_t>(object);
}

/// Runs all stages for one sample. `dt_s` is the time since the sample before, seconds.
StepReport step(const Scene& scene, World& world, const tracking::HandPair& hands, double dt_s);

/// Fills HandState::points with the contact manifolds of touching pairs (collision/contact/contact_points.h), in the
/// contacts' order, the deepest point first. Call it between exact() and resolve() if an output needs them; the step
/// itself does not. A bone on a fine mesh costs some ten microseconds.
void find_rest_points(const Scene&, World&);

}  // namespace glovebox::scenes
