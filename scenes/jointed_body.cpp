#include "scenes/jointed_body.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace glovebox::scenes {
namespace {

// Returns a frame whose x axis is `axis`, as Bullet's slider requires.
btTransform frame_along(const btVector3& axis, const btVector3& origin_m) {
    btVector3 side, up;
    btPlaneSpace1(axis, side, up);
    btTransform frame;
    frame.setOrigin(origin_m);
    frame.setBasis(btMatrix3x3(axis.x(), side.x(), up.x(), axis.y(), side.y(), up.y(), axis.z(), side.z(), up.z()));
    return frame;
}

// Returns the equivalent angle that is nearest to `near_rad`.
btScalar unwrapped(btScalar angle_rad, btScalar near_rad) {
    constexpr btScalar kTurn = 2 * std::numbers::pi_v<btScalar>;
    return angle_rad + kTurn * std::round((near_rad - angle_rad) / kTurn);
}

}  // namespace

JointedBody::JointedBody(btRigidBody& body, const ObjectJoint& joint, const btVector3& axis, const btVector3& pivot_m)
    : body_(body), joint_(joint), start_(body.getWorldTransform()) {
    axis_ = start_.getBasis() * axis;
    pivot_m_ = start_ * pivot_m;
    const btScalar mass = 1 / body.getInvMass();
    if (joint.kind == JointKind::slider) {
        inertia_ = mass;
        auto slider = std::make_unique<btSliderConstraint>(body, frame_along(axis, {0, 0, 0}), true);
        slider->setLowerLinLimit(1);  // lower above upper disables Bullet's limits; JointedBody keeps its own
        slider->setUpperLinLimit(-1);
        slider->setLowerAngLimit(0);
        slider->setUpperAngLimit(0);
        constraint_ = std::move(slider);
        return;
    }
    const btVector3 arm = start_.getOrigin() - pivot_m_;
    inertia_ = axis_.dot(body.getInvInertiaTensorWorld().inverse() * axis_) + mass * axis_.cross(arm).length2();
    constraint_ = std::make_unique<btHingeConstraint>(body, pivot_m, axis);
}

btScalar JointedBody::lever(const btVector3& point_m, const btVector3& direction) const {
    return joint_.kind == JointKind::slider ? axis_.dot(direction) : axis_.cross(point_m - pivot_m_).dot(direction);
}

void JointedBody::push(btScalar impulse) {
    rate_ += impulse / inertia_;
    follow_rate();
    body_.activate(true);
}

void JointedBody::follow_rate() {
    if (joint_.kind == JointKind::slider) {
        body_.setLinearVelocity(rate_ * axis_);
        body_.setAngularVelocity({0, 0, 0});
        return;
    }
    body_.setAngularVelocity(rate_ * axis_);
    body_.setLinearVelocity(rate_ * axis_.cross(body_.getCenterOfMassPosition() - pivot_m_));
}

void JointedBody::place(btScalar position, btScalar rate) {
    position_ = position;
    rate_ = rate;
    stop_at_limits();
    btTransform now = start_;
    if (joint_.kind == JointKind::slider) {
        now.setOrigin(start_.getOrigin() + position_ * axis_);
    } else {
        const btQuaternion turn(axis_, position_);
        now.setRotation(turn * start_.getRotation());
        now.setOrigin(pivot_m_ + quatRotate(turn, start_.getOrigin() - pivot_m_));
    }
    body_.setWorldTransform(now);
    body_.setInterpolationWorldTransform(now);
    follow_rate();
}

void JointedBody::stop_at_limits() {
    if (joint_.lowest == joint_.highest) return;
    const auto lowest = static_cast<btScalar>(joint_.lowest), highest = static_cast<btScalar>(joint_.highest);
    if (position_ <= lowest) rate_ = std::max(rate_, btScalar(0));
    if (position_ >= highest) rate_ = std::min(rate_, btScalar(0));
    position_ = std::clamp(position_, lowest, highest);
}

void JointedBody::relax(btScalar dt_s) {
    // Backward Euler of  I q'' = -k q - c q':  q'_t1 = (q'_t0 - dt k q / I) / (1 + dt c / I + dt^2 k / I).
    const btScalar k = joint_.spring, c = joint_.damping;
    rate_ = (rate_ - dt_s * k * position_ / inertia_) / (1 + dt_s * c / inertia_ + dt_s * dt_s * k / inertia_);
    // Wake a body that its spring is about to move.
    if (std::abs(k * position_) > btScalar(1e-4)) body_.activate(true);
    if (body_.isActive()) follow_rate();
}

btScalar JointedBody::position_of(const btTransform& world_from_body, btScalar near) const {
    if (joint_.kind == JointKind::slider) return axis_.dot(world_from_body.getOrigin() - start_.getOrigin());
    const btQuaternion turn = world_from_body.getRotation() * start_.getRotation().inverse();
    const btScalar sine = axis_.dot({turn.x(), turn.y(), turn.z()});
    return unwrapped(2 * std::atan2(sine, turn.w()), near);
}

void JointedBody::place_near(const btTransform& world_from_body) {
    // Not near the present angle: the same pose must give the same coordinate, whatever came before.
    place(position_of(world_from_body, static_cast<btScalar>(0.5F * (joint_.lowest + joint_.highest))), 0);
}

void JointedBody::set_velocity(const btVector3& linear_m_s, const btVector3& angular_rad_s) {
    rate_ = axis_.dot(joint_.kind == JointKind::slider ? linear_m_s : angular_rad_s);
    stop_at_limits();
    follow_rate();
}

void JointedBody::settle() {
    position_ = position_of(body_.getWorldTransform(), position_);
    rate_ = axis_.dot(joint_.kind == JointKind::slider ? body_.getLinearVelocity() : body_.getAngularVelocity());
    place(position_, rate_);
}

}  // namespace glovebox::scenes
