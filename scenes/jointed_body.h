// A Bullet body with one freedom left: it turns about a line that is fixed in the world, or slides along one.
//
// Bullet's constraint holds the other five against other objects; position and rate along the one are kept here, in
// its own coordinate, where limits, spring and damping are exact and nothing drifts. A hand pushes it in that
// coordinate too: an impulse that the joint would swallow does nothing.
#pragma once

#include <btBulletDynamicsCommon.h>

#include <memory>

#include "scenes/scene.h"

namespace glovebox::scenes {

class JointedBody {
  public:
    /// `body` is where it starts. `axis` and `pivot_m` in the body's own frame.
    JointedBody(btRigidBody& body, const ObjectJoint& joint, const btVector3& axis, const btVector3& pivot_m);

    btTypedConstraint& constraint() { return *constraint_; }

    btScalar position() const { return position_; }  ///< radians or metres from the start
    btScalar rate() const { return rate_; }

    /// Of the body's point along `direction` per rate: 0 where the joint does not give.
    btScalar lever(const btVector3& point_m, const btVector3& direction) const;
    /// Gives it an impulse in its own coordinate: N s times lever.
    void push(btScalar impulse);
    btScalar inertia() const { return inertia_; }  ///< kg m2 or kg

    void place(btScalar position, btScalar rate);

    /// Spring and damping over dt_s, implicitly, so that no stiffness makes it ring up.
    void relax(btScalar dt_s);
    /// After Bullet moved the body: takes over what it did along the joint and undoes the rest.
    void settle();
    /// Says the body's velocity again, from the rate.
    void follow_rate();

  private:
    void stop_at_limits();

    btRigidBody& body_;
    ObjectJoint joint_;
    btTransform start_;         // world from body
    btVector3 axis_, pivot_m_;  // world
    btScalar inertia_ = 1, position_ = 0, rate_ = 0;
    std::unique_ptr<btTypedConstraint> constraint_;
};

}  // namespace glovebox::scenes
