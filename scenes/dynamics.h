// Rigid-body dynamics of a scene's objects: Bullet between objects, our own contacts between hand and object.
//
// Bullet has no body for the hand. A hand pushes an object by impulses at our contact points, computed from the hand's
// measured velocity with Coulomb friction. Depenetration speed is limited, so a badly tracked hand throws nothing.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "collision/query/collide.h"
#include "scenes/scene.h"
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

    /// Sets the target poses of recorded objects, dt_s after the previous ones, and so their velocities. Call before
    /// step().
    void follow_tracks(const Scene& scene, std::span<const Eigen::Isometry3f> world_from_object, double dt_s);

    /// Advances the simulation by dt_s and writes the poses of dynamic objects to `world_from_object`. Simulates at
    /// most 0.1 s per call; the rest of a longer gap is skipped.
    void step(const Scene& scene, std::span<Push> pushes, double dt_s,
              std::vector<Eigen::Isometry3f>& world_from_object);

    /// Returns the velocity of an object at a point, both in the world; zero for fixed objects.
    Eigen::Vector3f velocity_at(int object, const Eigen::Vector3f& point_m) const;

    /// Carries a dynamic object: the next step() moves it to `world_from_object` with at most the force of a strong
    /// grip. A jointed object moves as near as its joint lets the point `grip_in_object` follow. Call it again before
    /// each step until release().
    void hold(int object, const Eigen::Isometry3f& world_from_object, const Eigen::Vector3f& grip_in_object);

    /// Releases a held object with the velocity that it had `ago_s` before now, when the fingers had not yet opened
    /// (release_velocity.h). Its speed is limited to that of a throw.
    void release(int object, double ago_s);

    /// Returns the kinetic energy of a dynamic object plus its potential energy relative to height 0, joules.
    double energy_j(int object) const;

    /// Returns true if the object has come to rest; it is not simulated until something touches it.
    bool sleeps(int object) const;

    /// Moves a dynamic object to this pose, at rest.
    void place(int object, const Eigen::Isometry3f& world_from_object);

    /// Returns true if a dynamic object at this pose would enter no other by 5 mm or more; resting contacts are less.
    bool fits(int object, const Eigen::Isometry3f& world_from_object);

  private:
    struct Bullet;
    std::unique_ptr<Bullet> bullet_;
};

}  // namespace glovebox::scenes
