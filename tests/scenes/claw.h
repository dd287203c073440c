// A hand for tests in which each joint is placed explicitly, and a world for it to act in.
//
// The palm is at +z of `middle_m`, the thumb's last bone left of it and the index finger's right of it, both along
// -z; the other fingers are folded away above. Moving the two tips together grips an object between them.
#pragma once

#include <vector>

#include "scenes/step.h"

namespace glovebox::scenes {

constexpr float kTipRadius_m = 0.008F;

struct Claw {
    Eigen::Vector3f middle_m = {0.0F, 0.5F, 0.0F};
    float half_gap_m = 0.05F;  ///< from `middle_m` to either tip's joint, along x
    float tip_radius_m = kTipRadius_m;
    float turn_rad = 0.0F;  ///< rotation of the whole hand about +y through `middle_m`

    tracking::HandFrame frame() const {
        using tracking::Joint;
        tracking::HandFrame hand;
        hand.active = true;
        hand.source = tracking::Source::synthetic;
        const Eigen::Quaternionf turn(Eigen::AngleAxisf(turn_rad, Eigen::Vector3f::UnitY()));
        for (tracking::JointPose& joint : hand.joints) {
            joint.flags = tracking::joint_flags::kAll;
            joint.radius_m = tip_radius_m;
            joint.orientation = turn;
        }
        const auto put = [&](Joint joint, float x, float y, float z) {
            hand[joint].position_m = middle_m + turn * Eigen::Vector3f(x, y, z);
        };
        const auto finger = [&](int first, float x, float y, float z, float step_z) {
            for (int i = 0; i < 3; ++i)
                put(static_cast<Joint>(first + i), x, y, z + 0.03F + step_z * static_cast<float>(2 - i));
            put(static_cast<Joint>(first + 3), x, y, z);
        };
        put(Joint::wrist, 0.0F, 0.10F, 0.22F);
        put(Joint::palm, 0.0F, 0.10F, 0.17F);
        put(Joint::thumb_metacarpal, -0.04F, 0.02F, 0.18F);
        put(Joint::thumb_proximal, -half_gap_m, 0.0F, 0.09F);
        put(Joint::thumb_distal, -half_gap_m, 0.0F, 0.03F);
        put(Joint::thumb_tip, -half_gap_m, 0.0F, 0.0F);
        for (int f = 0; f < 4; ++f) {
            const float x = 0.03F - 0.02F * static_cast<float>(f);
            put(static_cast<Joint>(6 + 5 * f), x, 0.10F, 0.20F);
            if (f > 0) finger(7 + 5 * f, x, 0.10F, 0.10F, 0.01F);
        }
        finger(7, half_gap_m, 0.0F, 0.0F, 0.03F);
        return hand;
    }
};

/// Steps a world and keeps the events that it reports.
struct Session {
    struct Seen {
        int frame;
        Event event;
    };

    explicit Session(Scene the_scene, double rate = 90.0) : scene(std::move(the_scene)), world(scene), rate_hz(rate) {}

    StepReport step(const tracking::HandFrame* right) {
        tracking::HandPair hands;
        hands.time_ns = time_ns();
        for (tracking::HandFrame& hand : hands.hands) hand.active = false;
        if (right != nullptr) hands[tracking::Side::right] = *right;
        ++frame;
        const StepReport report = scenes::step(scene, world, hands, frame == 0 ? 0.0 : 1.0 / rate_hz);
        for (const Event& event : report.events) events.push_back({frame, event});
        for (const Event& event : report.stays) stays.push_back({frame, event});
        return report;
    }
    StepReport step(const tracking::HandFrame& right) { return step(&right); }

    std::int64_t time_ns() const { return static_cast<std::int64_t>(1e9 * static_cast<double>(frame + 1) / rate_hz); }

    std::vector<Seen> of(EventKind kind, int bone = -1) const {
        std::vector<Seen> found;
        for (const Seen& seen : events)
            if (seen.event.kind == kind && (bone < 0 || seen.event.bone == bone)) found.push_back(seen);
        return found;
    }
    Eigen::Vector3f place(std::size_t object = 0) const { return world.world_from_object[object].translation(); }
    Eigen::Vector3f velocity(int object = 0) const {
        return world.dynamics->velocity_at(object, place(static_cast<std::size_t>(object)));
    }

    Scene scene;
    World world;
    double rate_hz;
    int frame = -1;
    std::vector<Seen> events, stays;
};

inline SceneObject box_object(const Eigen::Vector3f& half_m, const Eigen::Vector3f& at_m,
                              Motion motion = Motion::fixed) {
    SceneObject object;
    object.name = "box";
    object.shape = collision::RoundedBox{{Eigen::Vector3f::Zero(), Eigen::Matrix3f::Identity(), half_m}, 0.0F};
    object.world_from_object.translation() = at_m;
    object.motion = motion;
    return object;
}

inline SceneObject ball_object(float radius_m, const Eigen::Vector3f& at_m, float mass_kg = 0.05F) {
    SceneObject object;
    object.name = "ball";
    object.shape = collision::RoundCone{Eigen::Vector3f::Zero(), Eigen::Vector3f::Zero(), radius_m, radius_m};
    object.world_from_object.translation() = at_m;
    object.motion = Motion::dynamic;
    object.mass_kg = mass_kg;
    return object;
}

/// Returns a world with a box of 6 cm on a table, and the claw around it, raised with it.
inline Session with_a_box_to_hold(float friction = 0.8F) {
    Scene scene;
    scene.objects = {box_object({0.03F, 0.03F, 0.03F}, {0.0F, 0.53F, 0.0F}, Motion::dynamic),
                     box_object({0.5F, 0.05F, 0.5F}, {0.0F, 0.45F, 0.0F})};
    scene.objects[0].mass_kg = 0.2F;
    scene.objects[0].material.friction_static = friction;
    scene.objects[1].name = "table";
    scene.respawn_after_s = 100.0F;
    return Session(scene);
}
inline Claw around_box(float squeeze_m, float lift_m = 0.0F) {
    Claw claw;
    claw.middle_m = {0.0F, 0.53F + lift_m, 0.0F};
    claw.half_gap_m = 0.03F + kTipRadius_m - squeeze_m;
    return claw;
}

}  // namespace glovebox::scenes
