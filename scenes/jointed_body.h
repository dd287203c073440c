// A Bullet body with one degree of freedom. It has a hinge or a slider whose axis is fixed in the world.
//
// A constraint in Bullet locks the other five degrees of freedom. This class stores position and rate of the free one
// as a joint coordinate, so that limits, spring and damping are exact and nothing drifts. A hand pushes the body along
// this coordinate too: only the component of an impulse that moves the joint has an effect.
#pragma once

#include <btBulletDynamicsCommon.h>

#include <memory>

#include "scenes/scene.h"

namespace glovebox::scenes {

class JointedBody {
  public:
    /// Takes the body's current pose as the start. `axis` and `pivot_m` are in the body's frame. `body` must outlive
    /// this object.
    JointedBody(btRigidBody& body, const ObjectJoint& joint, const btVector3& axis, const btVector3& pivot_m);

    btTypedConstraint& constraint() { return *constraint_; }

    btScalar position() const { return position_; }  ///< radians or metres from the start
    btScalar rate() const { return rate_; }

    /// Returns the velocity along `direction` of a point of the body, in the world, per unit of rate. It is 0 if the
    /// joint cannot move the point in that direction.
    btScalar lever(const btVector3& point_m, const btVector3& direction) const;
    /// Applies an impulse along the joint coordinate. `impulse` is the impulse in N s times lever().
    void push(btScalar impulse);
    btScalar inertia() const { return inertia_; }  ///< in kg m2 for a hinge, in kg for a slider

    void place(btScalar position, btScalar rate);
    /// Places the body at rest at the pose nearest to `world_from_body` that the joint allows.
    void place_near(const btTransform& world_from_body);
    /// Sets the coordinate of a body that has its pose and velocity already.
    void restore(btScalar position, btScalar rate) {
        position_ = position;
        rate_ = rate;
    }
    /// Sets the rate from the velocity of the body's centre and its angular velocity.
    void set_velocity(const btVector3& linear_m_s, const btVector3& angular_rad_s);

    /// Applies spring and damping over dt_s with the backward Euler method, which is stable at any stiffness.
    void relax(btScalar dt_s);
    /// Call after Bullet moved the body: keeps the motion along the joint and undoes the rest.
    void settle();
    /// Sets the body's velocity from the rate.
    void follow_rate();

  private:
    void stop_at_limits();
    // Returns the coordinate of a pose; that of a hinge is the equivalent angle nearest to `near`.
    btScalar position_of(const btTransform& world_from_body, btScalar near) const;

    btRigidBody& body_;
    ObjectJoint joint_;
    btTransform start_;         // world from body
    btVector3 axis_, pivot_m_;  // world
    btScalar inertia_ = 1, position_ = 0, rate_ = 0;
    std::unique_ptr<btTypedConstraint> constraint_;
};

}  // namespace glovebox::scenes
