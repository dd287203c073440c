// Advances a scene by one step: computes contacts, events and the motion of objects from the poses of the hands.
//
// A step changes the world, but not the scene. Time is an argument and no function reads a clock, so a replay of the
// same input on the same build has the same state hash in every frame.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "collision/query/collide.h"
#include "scenes/dynamics.h"
#include "scenes/events.h"
#include "scenes/hand_body.h"
#include "scenes/scene.h"
#include "scenes/swept.h"
#include "tracking/hand_frame.h"

namespace glovebox::scenes {

/// Stages of a frame, in order. The function step() runs four of them: `refit`, `test` (broad phase), `exact` (narrow
/// phase) and `step`. The stage `step` is the function resolve().
enum class Stage : std::uint8_t { ingest, refit, test, exact, step, haptics, total };
inline constexpr int kStageCount = 7;
std::string_view name_of(Stage stage);

/// The state of one hand after a step. Poses, boxes and contacts are in the scene's world frame.
struct HandState {
    bool present = false;
    /// True if the pose is the last good one, because the guard rejected this frame's: the hand is present, not seen.
    bool held = false;
    collision::BodyPose pose;
    collision::BodyPose previous;  ///< pose of the previous step, for velocities
    /// True if `previous` is valid; false after a gap or a teleport.
    bool has_previous = false;
    bool was_seen = false;  ///< true once the hand has been present
    /// True if the hand reappeared or jumped in this step; false if this is its first appearance.
    bool appeared = false;
    std::int64_t lost_since_ns = kNoTime;  ///< time when tracking was lost; kNoTime while present
    collision::BodyBoxes boxes;
    collision::DescentMemory descent{
        static_cast<std::size_t>(kHandBoneCount)};  ///< traversal cache: mesh parts near each candidate
    std::vector<collision::Candidate> candidates;
    std::vector<collision::Contact>
        contacts;                            ///< within hover distance, one per (bone, object), sorted by object, bone
    std::vector<collision::Contact> points;  ///< filled only by compute_manifolds()

    /// True if the tracker saw the hand in this step.
    bool seen() const { return present && !held; }
};

/// Capacity reserved for a hand's contact points in a frame, enough for 20 bones that each touch six objects at eight
/// points.
constexpr std::size_t kMaxContactPoints = 1024;

/// The part of a world that can be copied.
struct WorldState {
    /// Shapes of the users' bones, if they are known (HandProfile::shape); else bones follow joints and radii.
    tracking::PerSide<std::optional<tracking::HandShape>> hand_shapes;
    tracking::PerSide<HandState> hands;
    std::vector<collision::Collider> colliders;  ///< one per scene object, where it is now
    std::vector<Eigen::Isometry3f> world_from_object;
    std::vector<collision::Obb> box_in_object;
    std::vector<std::optional<Eigen::Isometry3f>> set_poses;  ///< [object] of set_object_pose(); empty: never called
    std::vector<Eigen::Isometry3f> start_poses;               ///< [object] poses to which idle objects return
    /// This step's motion of objects that follow a track or the application.
    std::vector<ObjectDisplacement> object_displacements;
    /// [object] How the hands carry the objects that they hold in this step, if nothing blocks them; others are at
    /// rest. The objects themselves are carried later in the step, by Dynamics.
    std::vector<ObjectDisplacement> carried;
    /// True once these objects have a pose from a previous step.
    bool has_tracked = false;
    std::int64_t tracks_start_ns = 0;  ///< the time at which the tracks begin; may be set before the first step
    /// For each object, the time for which it has been displaced from its start without contact with a hand.
    std::vector<double> idle_s;
    std::vector<Push> pushes;              ///< this step's hand contacts with dynamic objects
    std::vector<PairState> pairs;          ///< [side][bone][object]
    std::vector<PairSample> samples;       ///< [side][bone][object], for this step
    std::vector<HoldState> holds;          ///< [side][object]
    std::vector<SharedHold> shared_holds;  ///< [object]
    tracking::PerSide<std::array<PinchState, tracking::kFingerCount>>
        pinches{};  ///< [side][finger]; the thumb's is unused
    tracking::PerSide<AimState> aims{};
    std::vector<Event> events;  ///< this step's begins, ends and flicks
    std::vector<Event> stays;   ///< this step's states that continue
    int sub_steps = 1;          ///< sub-steps in this step; a fast hand needs more, to push every object in its path
    collision::ObjectTree object_tree;  ///< follows the colliders
    collision::BodyPose sub_pose;       ///< scratch, as are the other `sub_*` members below
    tracking::PerSide<std::vector<collision::Candidate>> sub_candidates;
    tracking::PerSide<Eigen::Isometry3f> sub_palms = {Eigen::Isometry3f::Identity(), Eigen::Isometry3f::Identity()};
    std::vector<collision::Contact> sub_contacts;
    std::vector<SweptContact> swept;                 ///< scratch
    const collision::RefitMethod* method = nullptr;  ///< method in use; may be changed between steps
    std::int64_t time_ns = 0;
    /// Begins and ends that one threshold at the enter distance, without dwell and grace, would have reported besides.
    std::uint64_t suppressed_events = 0;
};

/// The mutable state of a scene. Pass the scene from which it was made to every call. After the first few steps, step()
/// does not allocate.
struct World : WorldState {
    explicit World(const Scene& scene);
    ~World();
    World(World&&) noexcept;
    World& operator=(World&&) noexcept;

    std::unique_ptr<Dynamics> dynamics;
};

/// A world as it was at save(). May be copied, and kept for any time.
struct SavedWorld {
    WorldState state;
    std::shared_ptr<const Dynamics::State> dynamics;
};

/// Save the whole state of a world and go back to it, for resets and rollbacks: the same hands then give the same state
/// hashes as after save(). The world may be another one of the same scene. Both allocate. restore() throws
/// std::invalid_argument if the scene has another number of objects.
SavedWorld save(const World&);
void restore(const SavedWorld&, World&);

/// The result of a step.
struct StepReport {
    collision::CollideCounts counts;
    std::span<const Event> events;  ///< begin and end events and flicks; valid until the next step
    std::span<const Event> stays;   ///< states that continue; valid until the next step
    std::uint64_t state_hash = 0;   ///< hash of time, poses, contacts, objects and events
};

/// Sets the pose of an object. Returns an empty text, or the reason for which the call changed nothing: there is no
/// such object, the pose is not rigid or not finite, or the object follows its recorded track. Does not allocate.
///
/// A fixed object has the pose from the next step on, for applications that move their objects themselves. It moves as
/// on a track whose samples are the steps: its velocity is the difference of its poses over `dt_s`, and it pushes
/// dynamic objects. Those that lie on it do not sleep. It is at rest in the first step, without a new pose, and after a
/// jump (displacement_between()). A hand that grabs it causes events, but does not move it. A recorded object that
/// follows the same poses gives the same state hashes.
///
/// A dynamic object has the pose at once, at rest, and moves on from there in the next step, for resets. Its contacts
/// and its time at rest are cleared, objects that lay on it wake, and a jump gives no impulse. A hand that holds it
/// lets go: the next step has the event. If idle objects return to their start, the object returns to this pose. A
/// jointed object goes to the nearest pose that its joint allows.
std::string_view set_object_pose(const Scene&, World&, int object, const Eigen::Isometry3f& world_from_object);

/// Sets the velocity of a dynamic object: of the centre of its shape's box, and about it, in the world. A jointed
/// object gets the part that its joint allows. Returns an empty text, or the reason for which the call changed nothing:
/// the object is not dynamic, or a value is not finite or above kMaxSetSpeed. Does not allocate.
std::string_view set_object_velocity(const Scene&, World&, int object, const Eigen::Vector3f& linear_m_s,
                                     const Eigen::Vector3f& angular_rad_s);
inline constexpr float kMaxSetSpeed = 1000.0F;  ///< m/s and rad/s

/// Run one stage each, so that callers can time the stages. step() calls these functions in this order.
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

/// Runs refit(), test(), exact() and resolve() for one sample. `dt_s` is the time since the previous sample, seconds.
StepReport step(const Scene& scene, World& world, const tracking::HandPair& hands, double dt_s);

/// Fills HandState::points with the contact manifolds of touching pairs (collision/contact/contact_points.h). Manifolds
/// are in the order of `contacts`; each begins with its deepest point. step() does not call this function. Callers that
/// run the stages themselves may call it between exact() and resolve(). Takes about 10 us for each bone on a fine mesh.
void compute_manifolds(const Scene&, World&);

}  // namespace glovebox::scenes
