// Rigid-body dynamics of a scene's objects. Bullet computes contacts between objects; contacts between a hand and an
// object come from this project's collision code.
//
// Bullet has no body for the hand. Instead, impulses at the contact points push an object. They are computed from the
// hand's measured velocity with Coulomb friction. The speed of depenetration is limited, so that a badly tracked hand
// does not throw objects.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "collision/query/collide.h"
#include "scenes/scene.h"
#include "scenes/swept.h"
#include "tracking/hand_frame.h"

namespace glovebox::scenes {

/// A hand's contact with an object, and the hand's velocity at that contact (world).
struct Push {
    collision::Contact contact;
    Eigen::Vector3f hand_velocity_m_s;
    tracking::Side side = tracking::Side::right;
    float impulse_n_s = 0.0F;  ///< impulse along the normal; set by Dynamics::step()
};

class Dynamics {
  public:
    explicit Dynamics(const Scene& scene);
    ~Dynamics();
    Dynamics(const Dynamics&) = delete;
    Dynamics& operator=(const Dynamics&) = delete;

    /// Makes a fixed object follow `displacements`, as recorded objects do.
    void lead(int object);

    /// Sets the motion of recorded and led objects in the next dt_s, which determines their velocities. `displacements`
    /// has an entry for each object. An object whose displacement is 0 is put there at rest; so are all if dt_s is 0.
    /// Call it before step().
    void follow(std::span<const ObjectDisplacement> displacements, double dt_s);

    /// Advances the simulation by dt_s and writes the poses of dynamic objects to `world_from_object`. Simulates at
    /// most 0.1 s per call; the rest of a longer gap is skipped.
    void step(const Scene& scene, std::span<Push> pushes, double dt_s,
              std::vector<Eigen::Isometry3f>& world_from_object);

    /// Returns the velocity of an object at a point, both in the world; zero for fixed objects.
    Eigen::Vector3f velocity_at(int object, const Eigen::Vector3f& point_m) const;

    /// Carries a dynamic object: the next step() moves it to `world_from_object` with at most the force of a strong
    /// grip. A jointed object moves so that its point `grip_in_object` comes as near to the target as the joint allows.
    /// Call hold() again before each step until release().
    void hold(int object, const Eigen::Isometry3f& world_from_object, const Eigen::Vector3f& grip_in_object);

    /// Releases a held object with the velocity that it had `ago_s` ago, before the fingers opened
    /// (release_velocity.h). The speed is limited to that of a throw.
    void release(int object, double ago_s);

    /// Returns the kinetic energy of a dynamic object plus its potential energy relative to height 0, joules.
    double energy_j(int object) const;

    /// Returns true if the object has come to rest. It is then not simulated until something touches it.
    bool sleeps(int object) const;

    /// Moves a dynamic object to this pose and sets its velocity to zero.
    void place(int object, const Eigen::Isometry3f& world_from_object);

    /// Does what place() does, and clears what the object did before: its contacts, its time at rest and its path in a
    /// hand. A jointed object goes to the nearest pose that its joint allows. Returns the object's new pose.
    Eigen::Isometry3f teleport(int object, const Eigen::Isometry3f& world_from_object);

    /// Sets the velocity of a dynamic object: of the centre of its shape's box, and about it. A jointed object gets the
    /// part that its joint allows.
    void set_velocity(int object, const Eigen::Vector3f& linear_m_s, const Eigen::Vector3f& angular_rad_s);

    /// The state of all objects, with their contacts. Steps after restore() give the same results bit by bit. The
    /// state may come from other Dynamics of the same scene.
    struct State;
    std::shared_ptr<const State> save() const;
    void restore(const State& state);

    /// Returns true if a dynamic object at this pose would penetrate no other object by 5 mm or more. Objects in
    /// resting contact penetrate less.
    bool fits(int object, const Eigen::Isometry3f& world_from_object);

  private:
    struct Bullet;
    std::unique_ptr<Bullet> bullet_;
};

}  // namespace glovebox::scenes
