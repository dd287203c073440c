#include "scenes/distance_grab.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "scenes/grab_pose.h"

namespace glovebox::scenes {
namespace {

using collision::Contact;
using collision::RoundCone;
using Eigen::Vector3f;
using tracking::kSides;
using tracking::Side;

constexpr float kPull_m_s = 4.0F;  // average speed of a pulled object
constexpr std::int64_t kShortestPull_ns = 150'000'000, kLongestPull_ns = 600'000'000;
constexpr float kSameSurface_m = 0.001F;

const Contact kNoContact = {-1, -1, -1, 0.0F, Vector3f::Zero(), Vector3f::Zero(), Vector3f::Zero()};

bool can_be_pulled(const Scene& scene, const World& world, std::int32_t object) {
    const SceneObject& each = scene.objects[static_cast<std::size_t>(object)];
    return each.motion == Motion::dynamic && each.joint.kind == JointKind::none &&
           std::none_of(kSides.begin(), kSides.end(),
                        [&](Side side) { return world.holds[hold_index(world, side, object)].holding; });
}

bool is_busy(const Scene& scene, const World& world, Side side) {
    for (std::int32_t object = 0; object < static_cast<std::int32_t>(scene.objects.size()); ++object)
        if (world.holds[hold_index(world, side, object)].holding) return true;
    const std::vector<Contact>& contacts = world.hands[side].contacts;
    return std::any_of(contacts.begin(), contacts.end(), [&](const Contact& contact) {
        return scene.objects[static_cast<std::size_t>(contact.object)].motion == Motion::dynamic;
    });
}

// Returns true if another object lies between the two points.
bool is_hidden(const World& world, std::int32_t object, const Vector3f& from_m, const Vector3f& to_m) {
    const Vector3f line_m = to_m - from_m;
    const float length_m = line_m.norm();
    if (length_m <= kSameSurface_m) return false;
    const RoundCone sight{from_m, to_m - line_m * (kSameSurface_m / length_m), 0.0F, 0.0F};
    for (std::size_t i = 0; i < world.colliders.size(); ++i) {
        if (static_cast<std::int32_t>(i) == object) continue;
        Contact contact = kNoContact;
        collision::CollideCounts not_counted;
        if (collision::closest(sight, world.colliders[i].shape, 0.0F, contact, not_counted)) return true;
    }
    return false;
}

}  // namespace

std::int32_t find_aimed_object(const Scene& scene, const World& world, Side side, std::int32_t now) {
    const float reach_m = scene.thresholds.distance_grab_m;
    const auto palm = palm_of(world.hands[side].pose);
    if (!(reach_m > 0.0F) || !world.hands[side].present || !palm || is_busy(scene, world, side)) return -1;
    const Vector3f from_m = palm->translation(), ahead = palm->linear().col(0);
    const RoundCone line{from_m, from_m + reach_m * ahead, 0.0F, 0.0F};
    std::int32_t best = -1;
    float best_rad = 0.0F;
    for (std::int32_t object = 0; object < static_cast<std::int32_t>(scene.objects.size()); ++object) {
        if (!can_be_pulled(scene, world, object)) continue;
        const float cone_rad = object == now ? kAimExit_rad : kAim_rad;
        Contact contact = kNoContact;
        collision::CollideCounts not_counted;
        const float wide_m = reach_m * std::tan(cone_rad);
        if (!collision::closest(line, world.colliders[static_cast<std::size_t>(object)].shape, wide_m, contact,
                                not_counted))
            continue;
        const Vector3f to_m = contact.on_object_m - from_m;
        const float ahead_m = to_m.dot(ahead), range_m = to_m.norm();
        if (!(ahead_m > 0.0F) || range_m > reach_m) continue;
        // Objects that the line passes through count by how directly it points at them, too: the nearest comes first.
        const float angle_rad = contact.distance_m <= 0.0F ? 0.0F : std::atan2(contact.distance_m, ahead_m);
        if (angle_rad > cone_rad) continue;
        const float score_rad = angle_rad - (object == now ? kAimBetter_rad : 0.0F) + 1e-3F * range_m;
        if (best >= 0 && score_rad >= best_rad) continue;
        if (is_hidden(world, object, from_m, contact.on_object_m)) continue;
        best = object;
        best_rad = score_rad;
    }
    return best;
}

void begin_pull(const Scene& scene, World& world, Side side, std::int32_t object, const Vector3f& pinch_m) {
    const auto palm = palm_of(world.hands[side].pose);
    if (!palm) return;
    const auto i = static_cast<std::size_t>(object);
    HoldState& hold = world.holds[hold_index(world, side, object)];
    const Eigen::Isometry3f palm_from_world = palm->inverse(Eigen::Isometry);
    hold.palm_from_object = palm_from_world * world.world_from_object[i];

    Contact contact = kNoContact;
    collision::CollideCounts not_counted;
    collision::closest(RoundCone{pinch_m, pinch_m, 0.0F, 0.0F}, world.colliders[i].shape, 1e3F, contact, not_counted);
    hold.grip_in_object = world.world_from_object[i].inverse(Eigen::Isometry) * contact.on_object_m;

    Eigen::Isometry3f palm_from_end = hold.palm_from_object;
    palm_from_end.pretranslate(palm_from_world.linear() * (pinch_m - contact.on_object_m));
    constexpr float kAny_m = 1e3F;
    if (const auto stored =
            find_grab_pose(scene.objects[i], side, hold.palm_from_object, kAny_m, 2.0F * std::numbers::pi_v<float>))
        palm_from_end = *stored;
    const float pull_m = (palm_from_end.translation() - hold.palm_from_object.translation()).norm();
    begin_motion(hold, palm_from_end,
                 std::clamp(static_cast<std::int64_t>(1e9F * pull_m / kPull_m_s), kShortestPull_ns, kLongestPull_ns));
}

}  // namespace glovebox::scenes
