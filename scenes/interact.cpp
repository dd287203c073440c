#include "scenes/interact.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "collision/mesh/mesh_tree.h"

namespace glovebox::scenes {
namespace {

using collision::BodyPose;
using collision::Contact;
using collision::RoundCone;
using collision::Shape;
using Eigen::Vector3f;
using tracking::kSides;
using tracking::Side;

constexpr float kFast_m = 0.007F;          // below a fingertip's radius, so its middle never tunnels through a surface
constexpr float kSubMotion_m = 0.004F;     // motion per sub-step of a faster hand, so that pushes stay gentle
constexpr float kFastestHand_m_s = 30.0F;  // no hand is faster; higher values come from errors of time stamps
constexpr int kMaxSubSteps = 64;           // 0.25 m in a frame; the guard treats larger motion as a teleport

HandState& hand_of(World& world, Side side) {
    return world.hands[side];
}

// Turns a vector by the smallest rotation that takes the direction `from` to `to`.
Vector3f turned(const Vector3f& from, const Vector3f& to, const Vector3f& vector) {
    const Vector3f axis = from.cross(to);
    const float cosine = from.dot(to);
    if (cosine < -0.999F) return vector;  // about any axis: no bone turns so far in a frame
    return cosine * vector + axis.cross(vector) + axis.dot(vector) / (1.0F + cosine) * axis;
}

// Returns a point that is fixed to the bone at pose `at`, moved to pose `to`. A cone does not show its twist.
Vector3f carried(const Shape& at, const Shape& to, const Vector3f& point_m) {
    const auto &cone = std::get<RoundCone>(at), &cone_to = std::get<RoundCone>(to);
    const Vector3f along = cone.b_m - cone.a_m, along_to = cone_to.b_m - cone_to.a_m;
    const float length2 = along.squaredNorm(), length2_to = along_to.squaredNorm();
    if (!(std::min(length2, length2_to) > 1e-12F)) return point_m + (cone_to.a_m - cone.a_m);
    const float s = std::clamp((point_m - cone.a_m).dot(along) / length2, 0.0F, 1.0F);
    const Vector3f off_axis = point_m - cone.a_m - s * along;
    return cone_to.a_m + s * along_to + turned(along / std::sqrt(length2), along_to / std::sqrt(length2_to), off_axis);
}

// One hand at one sub-step.
struct Moment {
    const HandState& hand;
    const BodyPose& pose;
    double dt_s;  // of the whole step
    float share;  // 0 at the previous frame, 1 at the current one

    bool moves(int bone) const {
        return hand.has_previous && dt_s > 0.0 && hand.previous.bone_present[static_cast<std::size_t>(bone)] != 0;
    }
    Vector3f velocity_m_s(int bone, const Vector3f& point_m) const {
        const auto i = static_cast<std::size_t>(bone);
        if (!moves(bone)) return Vector3f::Zero();
        const Vector3f displacement_m = carried(pose.shapes[i], hand.pose.shapes[i], point_m) -
                                        carried(pose.shapes[i], hand.previous.shapes[i], point_m);
        return velocity_m_s(displacement_m);
    }
    // Returns a matrix that maps a point fixed to the palm to its displacement; zero if the palm is not known.
    Eigen::Affine3f palm_displacement() const {
        Eigen::Affine3f displacement;
        displacement.matrix().setZero();
        if (!hand.has_previous || !(dt_s > 0.0)) return displacement;
        const auto palm = palm_of(pose), before = palm_of(hand.previous), now = palm_of(hand.pose);
        if (palm && before && now)
            displacement.matrix() = (now->matrix() - before->matrix()) * palm->inverse(Eigen::Isometry).matrix();
        return displacement;
    }
    Vector3f velocity_m_s(const Vector3f& displacement_m) const {
        return displacement_m / std::max(static_cast<float>(dt_s), displacement_m.norm() / kFastestHand_m_s);
    }
};

struct HandDisplacement {
    float max_m = 0.0F;     // greatest displacement of a bone
    float object_m = 0.0F;  // greatest displacement of a recorded object
    bool may_pass = false;  // a bone may tunnel through an object
};

HandDisplacement displacement_of(const HandState& hand, std::span<const ObjectDisplacement> displacements) {
    HandDisplacement displacement;
    if (!hand.present || !hand.has_previous) return displacement;
    for (const ObjectDisplacement& each : displacements)
        displacement.object_m = std::max(displacement.object_m, each.max_m);
    for (std::size_t i = 0; i < hand.pose.shapes.size(); ++i) {
        if (hand.pose.bone_present[i] == 0 || hand.previous.bone_present[i] == 0) continue;
        const float bone_m = displacement_m(hand.previous.shapes[i], hand.pose.shapes[i]);
        displacement.max_m = std::max(displacement.max_m, bone_m);
        displacement.may_pass = displacement.may_pass || bone_m + displacement.object_m > unseen_m(hand.pose.shapes[i]);
    }
    return displacement;
}

float max_displacement_m(std::span<const collision::Candidate> candidates,
                         std::span<const ObjectDisplacement> displacements) {
    float max_m = 0.0F;
    for (const collision::Candidate& candidate : candidates)
        max_m = std::max(max_m, displacements[static_cast<std::size_t>(candidate.object)].max_m);
    return max_m;
}

// Fills world.sub_candidates with the objects in the path of a fast hand, or near a slow hand in the path of a fast
// object. Returns the number of sub-steps: one, unless a candidate can be pushed.
int plan_sub_steps(const Scene& scene, World& world) {
    int sub_steps = 1;
    const auto may_be_pushed = [&](const collision::Candidate& candidate) {
        return scene.objects[static_cast<std::size_t>(candidate.object)].motion == Motion::dynamic;
    };
    for (const Side side : kSides) {
        auto& candidates = world.sub_candidates[side];
        candidates.clear();
        HandState& hand = hand_of(world, side);
        const HandDisplacement displacement = displacement_of(hand, world.object_displacements);
        if (!displacement.may_pass && displacement.max_m <= kFast_m) continue;
        collision::CollideCounts not_counted;
        const float reach_m = scene.thresholds.hover_exit_m + displacement.max_m + displacement.object_m;
        collision::find_candidates(*world.method, hand_body(), hand.pose, hand.boxes, world.colliders, reach_m,
                                   candidates, not_counted, ~0U, &hand.descent, &world.object_tree);
        if (displacement.max_m <= kFast_m || std::ranges::none_of(candidates, may_be_pushed)) continue;
        // The number of sub-steps must depend on distances, not on how tightly a refit method's boxes fit.
        std::erase_if(candidates, [&](const collision::Candidate& candidate) {
            Contact ignored;
            return !collision::closest(hand.pose.shapes[static_cast<std::size_t>(candidate.bone)],
                                       world.colliders[static_cast<std::size_t>(candidate.object)].shape, reach_m,
                                       ignored, not_counted);
        });
        if (std::ranges::none_of(candidates, may_be_pushed)) continue;
        const float seen_m = displacement.max_m + max_displacement_m(candidates, world.object_displacements);
        sub_steps = std::max(sub_steps, std::min(kMaxSubSteps, static_cast<int>(std::ceil(seen_m / kSubMotion_m))));
    }
    if (sub_steps == 1) return 1;
    // The other hand may be slow, but it takes part in the same sub-steps.
    for (const Side side : kSides) {
        auto& candidates = world.sub_candidates[side];
        const HandState& hand = hand_of(world, side);
        if (hand.present && candidates.empty()) candidates = hand.candidates;
    }
    return sub_steps;
}

void set_between(const HandState& hand, float share, BodyPose& pose) {
    pose.shapes.resize(hand.pose.shapes.size());
    pose.bone_present = hand.pose.bone_present;
    for (std::size_t i = 0; i < pose.shapes.size(); ++i) {
        if (pose.bone_present[i] == 0) continue;
        const bool both = hand.has_previous && hand.previous.bone_present[i] != 0;
        pose.shapes[i] = both ? between(hand.previous.shapes[i], hand.pose.shapes[i], share) : hand.pose.shapes[i];
    }
}

// Returns the velocity of the object's material at the contact. That of an object which follows a track or the
// application is its mean over the step, as a bone's, so that a hand that goes along has no relative velocity.
Vector3f object_velocity_m_s(const Scene& scene, const World& world, const Moment& moment, const Contact& contact) {
    const auto i = static_cast<std::size_t>(contact.object);
    if (scene.objects[i].motion == Motion::dynamic)
        return world.dynamics->velocity_at(contact.object, contact.on_object_m);
    if (!(moment.dt_s > 0.0)) return Vector3f::Zero();
    const ObjectDisplacement& displacement = world.object_displacements[i];
    const Vector3f in_object_m =
        displacement.world_from_object(moment.share).inverse(Eigen::Isometry) * contact.on_object_m;
    return (displacement.world_from_object_t1 * in_object_m - displacement.world_from_object_t0 * in_object_m) /
           static_cast<float>(moment.dt_s);
}

void sample(const Scene& scene, World& world, Side side, const Moment& moment, std::span<const Contact> contacts) {
    if (contacts.empty()) return;
    const Eigen::Affine3f palm_displacement = moment.palm_displacement();
    for (const Contact& contact : contacts) {
        PairSample& sample = world.samples[pair_index(world, side, contact.bone, contact.object)];
        const bool touched = sample.min_m <= scene.thresholds.touch_enter_m;
        sample.seen = true;
        sample.now_m = contact.distance_m;
        if (!touched) {
            const Vector3f bone_m_s = moment.velocity_m_s(contact.bone, contact.on_body_m);
            sample.contact = contact;
            sample.relative_velocity_m_s = bone_m_s - object_velocity_m_s(scene, world, moment, contact);
            sample.over_palm_m_s = bone_m_s - moment.velocity_m_s(palm_displacement * contact.on_body_m);
        }
        sample.min_m = std::min(sample.min_m, contact.distance_m);
    }
}

// Samples the objects in the path of a fast hand, which may have left them again. Hovers come first, so that the
// contact of a touch is kept.
void sample_path(const Scene& scene, World& world, Side side, double dt_s) {
    const HandState& hand = hand_of(world, side);
    const auto& candidates = world.sub_candidates[side];
    if (candidates.empty()) return;
    world.swept.clear();
    for (const float reach_m : {scene.thresholds.hover_enter_m, scene.thresholds.touch_enter_m})
        find_swept(hand.previous, hand.pose, world.colliders, world.object_displacements, candidates, hand.contacts,
                   reach_m, world.swept);
    for (const SweptContact& met : world.swept) {
        set_between(hand, met.share, world.sub_pose);
        sample(scene, world, side, {hand, world.sub_pose, dt_s, met.share}, {&met.contact, 1});
        world.samples[pair_index(world, side, met.contact.bone, met.contact.object)].now_m = PairSample{}.now_m;
    }
}

void collect_pushes(const Scene& scene, World& world, Side side, const Moment& moment,
                    std::span<const Contact> contacts) {
    for (const Contact& contact : contacts) {
        if (contact.distance_m > 0.0F) continue;
        if (scene.objects[static_cast<std::size_t>(contact.object)].motion != Motion::dynamic) continue;
        if (world.holds[hold_index(world, side, contact.object)].holding) continue;
        if (world.pairs[pair_index(world, side, contact.bone, contact.object)].suppressed != 0) continue;
        world.pushes.push_back({contact, moment.velocity_m_s(contact.bone, contact.on_body_m), side, 0.0F});
    }
}

// Returns the pose of a held object from the palm, or from the frame between both; nothing if these are not tracked.
std::optional<Eigen::Isometry3f> place_in_hand(const World& world, Side side, int object,
                                               const std::optional<Eigen::Isometry3f>& palm) {
    const HoldState& hold = world.holds[hold_index(world, side, object)];
    if (hold.shared && world.hands[0].present && world.hands[1].present)
        return between_palms(world.sub_palms[0], world.sub_palms[1]) *
               world.shared_holds[static_cast<std::size_t>(object)].hands_from_object;
    if (!hold.shared && world.hands[side].present && palm) return *palm * hold.palm_from_object;
    return {};
}

// Makes held objects follow the palm, or the frame between both. A briefly lost hand holds the object where it was.
void carry(const Scene& scene, World& world, Side side, const BodyPose& pose) {
    const auto palm = palm_of(pose);
    if (palm) world.sub_palms[side] = *palm;
    for (int object = 0; object < static_cast<int>(scene.objects.size()); ++object) {
        const HoldState& hold = world.holds[hold_index(world, side, object)];
        if (!hold.holding || scene.objects[static_cast<std::size_t>(object)].motion != Motion::dynamic) continue;
        if (hold.taken) continue;
        if (hold.shared && side == Side::left) continue;  // handled once, when both palms are known
        world.dynamics->hold(object,
                             place_in_hand(world, side, object, palm)
                                 .value_or(world.world_from_object[static_cast<std::size_t>(object)]),
                             hold.grip_in_object);
    }
}

void account_impulses(World& world) {
    for (const Push& push : world.pushes)
        world.samples[pair_index(world, push.side, push.contact.bone, push.contact.object)].impulse_n_s +=
            push.impulse_n_s;
}

void move_objects(const Scene& scene, World& world, double dt_s) {
    world.dynamics->step(scene, world.pushes, dt_s, world.world_from_object);
    account_impulses(world);
    world.pushes.clear();
}

void place_collider(const Scene& scene, World& world, std::size_t object, const Eigen::Isometry3f& world_from_object) {
    collision::Collider& collider = world.colliders[object];
    collider.shape = collision::transformed(world_from_object, scene.objects[object].shape);
    collider.box = collision::transformed(world_from_object, world.box_in_object[object]);
    world.object_tree.move(static_cast<std::int32_t>(object), collider);
}

// Moves objects that follow a track or the application to their poses at this share of the step.
void carry_objects(const Scene& scene, World& world, float share) {
    for (std::size_t i = 0; i < world.object_displacements.size(); ++i) {
        const ObjectDisplacement& displacement = world.object_displacements[i];
        if (!(displacement.max_m > 0.0F)) continue;
        world.world_from_object[i] =
            share < 1.0F ? displacement.world_from_object(share) : displacement.world_from_object_t1;
        place_collider(scene, world, i, world.world_from_object[i]);
    }
}

// Moves the colliders of held objects on, from where their objects are, by the part of the step between two shares.
void carry_colliders(const Scene& scene, World& world, float share_t0, float share_t1) {
    for (std::size_t i = 0; i < world.carried.size(); ++i) {
        const ObjectDisplacement& carried = world.carried[i];
        if (!(carried.max_m > 0.0F)) continue;
        place_collider(scene, world, i,
                       carried.world_from_object(share_t1) *
                           carried.world_from_object(share_t0).inverse(Eigen::Isometry) * world.world_from_object[i]);
    }
}

// Returns the frame in which this hand, or both together, carry the object: before the step and now.
struct CarryingFrames {
    Eigen::Isometry3f before, now;
};
std::optional<CarryingFrames> carrying_frames(const World& world, Side side, bool shared) {
    tracking::PerSide<Eigen::Isometry3f> before, now;
    for (const Side each : kSides) {
        if (!shared && each != side) continue;
        const HandState& hand = world.hands[each];
        const auto palm_before = palm_of(hand.previous), palm = palm_of(hand.pose);
        if (!hand.present || !hand.has_previous || !palm_before || !palm) return {};
        before[each] = *palm_before;
        now[each] = *palm;
    }
    if (!shared) return CarryingFrames{before[side], now[side]};
    return CarryingFrames{between_palms(before[0], before[1]), between_palms(now[0], now[1])};
}

}  // namespace

void place_colliders(const Scene& scene, World& world) {
    for (std::size_t i = 0; i < scene.objects.size(); ++i) place_collider(scene, world, i, world.world_from_object[i]);
}

void carry_colliders(const Scene& scene, World& world) {
    for (std::size_t i = 0; i < scene.objects.size(); ++i) {
        world.carried[i] = {};
        const SceneObject& object = scene.objects[i];
        if (object.motion != Motion::dynamic || object.joint.kind != JointKind::none) continue;
        for (const Side side : kSides) {
            const HoldState& hold = world.holds[hold_index(world, side, static_cast<int>(i))];
            if (!hold.holding || hold.taken) continue;
            const auto frames = carrying_frames(world, side, hold.shared);
            if (!frames) continue;
            const Eigen::Isometry3f& from = world.world_from_object[i];
            world.carried[i] = displacement_between(from, frames->now * frames->before.inverse(Eigen::Isometry) * from,
                                                    world.box_in_object[i], scene.thresholds.hover_exit_m);
        }
    }
    carry_colliders(scene, world, 0.0F, 1.0F);
}

void move_with_hand(const Scene& scene, World& world) {
    for (const Side side : kSides)
        if (const auto palm = palm_of(hand_of(world, side).pose)) world.sub_palms[side] = *palm;
    for (const Side side : kSides) {
        const HandState& hand = hand_of(world, side);
        if (!hand.present || !hand.appeared) continue;
        const auto palm = palm_of(hand.pose);
        for (int object = 0; object < static_cast<int>(scene.objects.size()); ++object) {
            const auto i = static_cast<std::size_t>(object);
            HoldState& hold = world.holds[hold_index(world, side, object)];
            if (!hold.holding || hold.taken || scene.objects[i].motion != Motion::dynamic) continue;
            const auto place = place_in_hand(world, side, object, palm);
            if (!place) continue;
            Eigen::Isometry3f& world_from_object = world.world_from_object[i];
            if (scene.objects[i].joint.kind == JointKind::none && world.dynamics->fits(object, *place)) {
                world_from_object = *place;
                world.dynamics->place(object, *place);
                place_collider(scene, world, i, *place);
                continue;
            }
            // The object stays, so update its pose in the hand.
            hold.motion = {};
            Eigen::Isometry3f& hand_from_object =
                hold.shared ? world.shared_holds[i].hands_from_object : hold.palm_from_object;
            hand_from_object = hand_from_object * place->inverse() * world_from_object;
        }
    }
}

void interact(const Scene& scene, World& world, double dt_s) {
    std::fill(world.samples.begin(), world.samples.end(), PairSample{});
    world.pushes.clear();
    world.dynamics->follow(world.object_displacements, dt_s);
    world.sub_steps = plan_sub_steps(scene, world);
    if (world.sub_steps == 1) {
        for (const Side side : kSides) {
            const HandState& hand = hand_of(world, side);
            carry(scene, world, side, hand.pose);
            if (!hand.present) continue;
            sample_path(scene, world, side, dt_s);
            const Moment moment{hand, hand.pose, dt_s, 1.0F};
            sample(scene, world, side, moment, hand.contacts);
            collect_pushes(scene, world, side, moment, hand.contacts);
        }
        move_objects(scene, world, dt_s);
        return;
    }

    for (int sub_step = 1; sub_step <= world.sub_steps; ++sub_step) {
        const float share = static_cast<float>(sub_step) / static_cast<float>(world.sub_steps);
        if (sub_step == world.sub_steps)
            for (PairSample& each : world.samples) each.now_m = PairSample{}.now_m;
        carry_objects(scene, world, share);
        carry_colliders(scene, world, static_cast<float>(sub_step - 1) / static_cast<float>(world.sub_steps), share);
        for (const Side side : kSides) {
            const HandState& hand = hand_of(world, side);
            if (hand.present) set_between(hand, share, world.sub_pose);
            carry(scene, world, side, hand.present ? world.sub_pose : hand.pose);
            if (!hand.present) continue;
            world.sub_contacts.clear();
            collision::CollideCounts not_counted;
            collision::find_contacts(world.sub_pose, world.colliders, world.sub_candidates[side],
                                     scene.thresholds.hover_exit_m, scene.thresholds.touch_enter_m, world.sub_contacts,
                                     not_counted);
            const Moment moment{hand, world.sub_pose, dt_s, share};
            sample(scene, world, side, moment, world.sub_contacts);
            collect_pushes(scene, world, side, moment, world.sub_contacts);
        }
        move_objects(scene, world, dt_s / world.sub_steps);
        place_colliders(scene, world);
    }
}

}  // namespace glovebox::scenes
