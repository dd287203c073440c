#include "scenes/swept.h"

#include <algorithm>
#include <cmath>

#include "collision/query/sweep.h"

namespace glovebox::scenes {
namespace {

using collision::Contact;
using collision::RoundCone;
using collision::Shape;

// Returns the approach of the two witness points at the start of a motion; only the sign is used.
float approach(const collision::BoneMotion& motion, const Contact& contact) {
    return (motion.end_from_start * contact.on_body_m - contact.on_body_m).dot(contact.normal);
}

Eigen::Vector3f middle_of(const Shape& bone) {
    const auto& cone = std::get<RoundCone>(bone);
    return 0.5F * (cone.a_m + cone.b_m);
}

// Returns true if the bone ends within reach of the object and the object is still ahead of it.
bool ends_in_reach(const collision::Candidate& pair, const Eigen::Vector3f& displacement_m,
                   std::span<const Contact> contacts, float reach_m) {
    return std::any_of(contacts.begin(), contacts.end(), [&](const Contact& contact) {
        return contact.bone == pair.bone && contact.object == pair.object && contact.distance_m <= reach_m &&
               contact.normal.dot(displacement_m) >= 0.0F;
    });
}

// Tolerance of a swept piece: seen from an object that turns, the trajectory is curved.
constexpr float kBent_m = 2.5e-4F;

// In each of n pieces the bone moves by w / n while the object turns by t / n. Seen from the object, the trajectory
// deviates from its chord by (w / n) (t / n) / 4 for motion across, and by l (t / n)^2 / 8 for a lever l. l t is at
// most max_m.
float pieces_for(const ObjectDisplacement& displacement, float bone_m) {
    return std::sqrt(displacement.turn_rad * (bone_m / 4.0F + displacement.max_m / 8.0F) / kBent_m);
}

}  // namespace

Eigen::Isometry3f ObjectDisplacement::world_from_object(float share) const {
    const Eigen::Quaternionf turned_t0(world_from_object_t0.linear()), turned_t1(world_from_object_t1.linear());
    Eigen::Isometry3f pose = Eigen::Isometry3f::Identity();
    pose.linear() = turned_t0.slerp(share, turned_t1).toRotationMatrix();
    pose.translation() =
        (1.0F - share) * world_from_object_t0.translation() + share * world_from_object_t1.translation();
    return pose;
}

ObjectDisplacement displacement_between(const Eigen::Isometry3f& world_from_object_t0,
                                        const Eigen::Isometry3f& world_from_object_t1,
                                        const collision::Obb& box_in_object, float reach_m) {
    ObjectDisplacement displacement;
    displacement.world_from_object_t0 = world_from_object_t0;
    displacement.world_from_object_t1 = world_from_object_t1;
    const Eigen::Quaternionf turned_t0(world_from_object_t0.linear()), turned_t1(world_from_object_t1.linear());
    displacement.turn_rad = turned_t0.angularDistance(turned_t1);
    // The origin moves along a straight line; all other points also turn about it.
    const float lever_m = box_in_object.center_m.norm() + box_in_object.half_m.norm() + reach_m;
    const float straight_m = (world_from_object_t1.translation() - world_from_object_t0.translation()).norm();
    displacement.max_m = straight_m + displacement.turn_rad * lever_m;
    const Eigen::Vector3f middle_m = box_in_object.center_m;
    const float middle_displacement_m = (world_from_object_t1 * middle_m - world_from_object_t0 * middle_m).norm();
    if (!(middle_displacement_m <= collision::kLongestSweep_m && displacement.turn_rad <= kLongestTurn_rad)) {
        displacement.world_from_object_t0 = world_from_object_t1;
        displacement.turn_rad = displacement.max_m = 0.0F;
    }
    return displacement;
}

Shape between(const Shape& before, const Shape& now, float share) {
    const auto &cone_t0 = std::get<RoundCone>(before), &cone = std::get<RoundCone>(now);
    return RoundCone{cone_t0.a_m + share * (cone.a_m - cone_t0.a_m), cone_t0.b_m + share * (cone.b_m - cone_t0.b_m),
                     cone.radius_a_m, cone.radius_b_m};
}

float displacement_m(const Shape& before, const Shape& now) {
    const auto &cone_t0 = std::get<RoundCone>(before), &cone = std::get<RoundCone>(now);
    return std::max((cone.a_m - cone_t0.a_m).norm(), (cone.b_m - cone_t0.b_m).norm());
}

float unseen_m(const Shape& bone) {
    const auto& cone = std::get<RoundCone>(bone);
    return std::min(cone.radius_a_m, cone.radius_b_m);
}

void find_swept(const collision::BodyPose& before, const collision::BodyPose& now,
                std::span<const collision::Collider> objects, std::span<const ObjectDisplacement> displacements,
                std::span<const collision::Candidate> candidates, std::span<const Contact> contacts, float reach_m,
                std::vector<SweptContact>& out) {
    for (const collision::Candidate& candidate : candidates) {
        const auto bone = static_cast<std::size_t>(candidate.bone);
        if (now.bone_present[bone] == 0 || before.bone_present[bone] == 0) continue;
        const auto object = static_cast<std::size_t>(candidate.object);
        const ObjectDisplacement* moving =
            !displacements.empty() && displacements[object].max_m > 0.0F ? &displacements[object] : nullptr;
        // The bone at a share of the motion, relative to the object, placed at the object's current pose.
        const auto seen = [&](float share) {
            const Shape bone_then = between(before.shapes[bone], now.shapes[bone], share);
            if (moving == nullptr) return bone_then;
            return collision::transformed(
                moving->world_from_object_t1 * moving->world_from_object(share).inverse(Eigen::Isometry), bone_then);
        };
        const Shape from = seen(0.0F), &to = now.shapes[bone];
        const float displacement = displacement_m(from, to), unseen = unseen_m(to);
        if (!(displacement > unseen) || ends_in_reach(candidate, middle_of(to) - middle_of(from), contacts, reach_m))
            continue;
        // A turn makes the motion longer; half of the longest sweep leaves room for it.
        const float min_legs = moving == nullptr ? 1.0F : pieces_for(*moving, displacement);
        const int legs =
            static_cast<int>(std::ceil(std::max(displacement / (0.5F * collision::kLongestSweep_m), min_legs)));
        for (int leg = 0; leg < legs; ++leg) {
            const float first = static_cast<float>(leg) / static_cast<float>(legs);
            const float last = static_cast<float>(leg + 1) / static_cast<float>(legs);
            const collision::BoneMotion motion = collision::motion_between(seen(first), seen(last));
            collision::CollideCounts not_counted;
            collision::SweepResult met = collision::sweep(motion, objects[object].shape, not_counted,
                                                          {.reach_m = reach_m, .min_step_m = 0.5F * unseen});
            if (met.end != collision::SweepEnd::touches) continue;
            Contact& contact = met.contact;
            if (leg == 0 && met.fraction == 0.0F && !(approach(motion, contact) > 0.0F)) break;
            contact.bone = candidate.bone;
            contact.object = candidate.object;
            // A sweep stops just before the surface; count it as the touch itself.
            contact.distance_m = std::min(contact.distance_m, reach_m);
            contact.on_body_m = contact.on_object_m - contact.distance_m * contact.normal;
            const float share = first + met.fraction * (last - first);
            if (moving != nullptr) {
                const Eigen::Isometry3f then_from_now =
                    moving->world_from_object(share) * moving->world_from_object_t1.inverse(Eigen::Isometry);
                contact.on_object_m = then_from_now * contact.on_object_m;
                contact.on_body_m = then_from_now * contact.on_body_m;
                contact.normal = then_from_now.linear() * contact.normal;
            }
            out.push_back({contact, share});
            break;
        }
    }
}

}  // namespace glovebox::scenes
