#include "scenes/swept.h"

#include <algorithm>
#include <cmath>

#include "collision/sweep.h"

namespace glovebox::scenes {
namespace {

using collision::Contact;
using collision::RoundCone;
using collision::RoundedBox;
using collision::Shape;

// How fast the two witness points come together at the start of a motion; only the sign is used.
float approach(const collision::BoneMotion& motion, const Contact& contact) {
    return (motion.end_from_start * contact.on_body_m - contact.on_body_m).dot(contact.normal);
}

Eigen::Vector3f middle_of(const Shape& bone) {
    if (const auto* cone = std::get_if<RoundCone>(&bone)) return 0.5F * (cone->a_m + cone->b_m);
    return std::get<RoundedBox>(bone).core.center_m;
}

// Near at the end, and on the side that the bone moved towards.
bool ends_in_reach(const collision::Candidate& pair, const Eigen::Vector3f& way_m, std::span<const Contact> contacts,
                   float reach_m) {
    return std::any_of(contacts.begin(), contacts.end(), [&](const Contact& contact) {
        return contact.bone == pair.bone && contact.object == pair.object && contact.distance_m <= reach_m &&
               contact.normal.dot(way_m) >= 0.0F;
    });
}

}  // namespace

Shape between(const Shape& before, const Shape& now, float share) {
    if (const auto* cone = std::get_if<RoundCone>(&now)) {
        const auto& cone_t0 = std::get<RoundCone>(before);
        return RoundCone{cone_t0.a_m + share * (cone->a_m - cone_t0.a_m),
                         cone_t0.b_m + share * (cone->b_m - cone_t0.b_m), cone->radius_a_m, cone->radius_b_m};
    }
    RoundedBox box = std::get<RoundedBox>(now);
    const collision::Obb& core_t0 = std::get<RoundedBox>(before).core;
    box.core.center_m = core_t0.center_m + share * (box.core.center_m - core_t0.center_m);
    box.core.axes = Eigen::Quaternionf(core_t0.axes).slerp(share, Eigen::Quaternionf(box.core.axes)).toRotationMatrix();
    return box;
}

float way_m(const Shape& before, const Shape& now) {
    if (const auto* cone = std::get_if<RoundCone>(&now)) {
        const auto& cone_t0 = std::get<RoundCone>(before);
        return std::max((cone->a_m - cone_t0.a_m).norm(), (cone->b_m - cone_t0.b_m).norm());
    }
    return (std::get<RoundedBox>(now).core.center_m - std::get<RoundedBox>(before).core.center_m).norm();
}

float unseen_m(const Shape& bone) {
    if (const auto* cone = std::get_if<RoundCone>(&bone)) return std::min(cone->radius_a_m, cone->radius_b_m);
    const auto& box = std::get<RoundedBox>(bone);
    return box.radius_m + box.core.half_m.minCoeff();
}

void find_swept(const collision::BodyPose& before, const collision::BodyPose& now,
                std::span<const collision::Collider> objects, std::span<const collision::Candidate> candidates,
                std::span<const Contact> contacts, float reach_m, std::vector<SweptContact>& out) {
    for (const collision::Candidate& candidate : candidates) {
        const auto bone = static_cast<std::size_t>(candidate.bone);
        if (now.bone_present[bone] == 0 || before.bone_present[bone] == 0) continue;
        const Shape &from = before.shapes[bone], &to = now.shapes[bone];
        const float way = way_m(from, to), unseen = unseen_m(to);
        if (!(way > unseen) || ends_in_reach(candidate, middle_of(to) - middle_of(from), contacts, reach_m)) continue;
        // A turn adds to the way: half of the longest sweep leaves room for it.
        const int legs = static_cast<int>(std::ceil(way / (0.5F * collision::kLongestSweep_m)));
        for (int leg = 0; leg < legs; ++leg) {
            const float first = static_cast<float>(leg) / static_cast<float>(legs);
            const float last = static_cast<float>(leg + 1) / static_cast<float>(legs);
            const collision::BoneMotion motion =
                collision::motion_between(between(from, to, first), between(from, to, last));
            collision::CollideCounts not_counted;
            collision::SweepResult met =
                collision::sweep(motion, objects[static_cast<std::size_t>(candidate.object)].shape, not_counted,
                                 {.reach_m = reach_m, .least_step_m = 0.5F * unseen});
            if (met.end != collision::SweepEnd::touches) continue;
            Contact& contact = met.contact;
            if (leg == 0 && met.fraction == 0.0F && !(approach(motion, contact) > 0.0F)) break;
            contact.bone = candidate.bone;
            contact.object = candidate.object;
            // A sweep stops just before the surface; what it found is the touch itself.
            contact.distance_m = std::min(contact.distance_m, reach_m);
            contact.on_body_m = contact.on_object_m - contact.distance_m * contact.normal;
            out.push_back({contact, first + met.fraction * (last - first)});
            break;
        }
    }
}

}  // namespace glovebox::scenes
