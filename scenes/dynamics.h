// How dynamic objects move: Bullet between objects, our own contacts between hand and object.
//
// Bullet never sees the hand. A hand pushes an object through impulses at our contact points, with the hand's true
// velocity and Coulomb friction; depenetration is limited in speed, so that a badly tracked hand throws nothing.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "collision/query/collide.h"
#include "scenes/scene.h"
#include "tracking/hand_frame.h"

namespace glovebox::scenes {

/// A hand's contact with an object and how fast the hand moves there.
struct Push {
    collision::Contact contact;
    Eigen::Vector3f hand_velocity_m_s;
    tracking::Side side = tracking::Side::right;
    float impulse_n_s = 0.0F;  ///< filled in by Dynamics::step(): along the normal
};

class Dynamics {
  public:
    explicit Dynamics(const Scene& scene);
    ~Dynamics();
    Dynamics(const Dynamics&) = delete;
    Dynamics& operator=(const Dynamics&) = delete;

    /// Where recorded objects are now, dt_s after the last call: their velocity follows from it. Before step().
    void follow_tracks(const Scene& scene, std::span<const Eigen::Isometry3f> world_from_object, double dt_s);

    /// Moves everything on by dt_s; dynamic objects are written to `world_from_object`. At most 0.1 s is simulated per
    /// call: longer gaps do not make objects race.
    void step(const Scene& scene, std::span<Push> pushes, double dt_s,
              std::vector<Eigen::Isometry3f>& world_from_object);

    /// Velocity of an object's point, zero for fixed objects.
    Eigen::Vector3f velocity_at(int object, const Eigen::Vector3f& point_m) const;

    /// Carries a dynamic object: the next step() takes it to `world_from_object`, as hard as a strong grip can; a
    /// jointed one as near as its joint lets `grip_in_object` follow. Until release() it is said again before each
    /// step.
    void hold(int object, const Eigen::Isometry3f& world_from_object, const Eigen::Vector3f& grip_in_object);

    /// Lets it go with the velocity that it was carried with before the fingers were apart, `ago_s` before now
    /// (release_velocity.h), as far as a hand can throw.
    void release(int object, double ago_s);

    /// Kinetic energy of a dynamic object, and its potential energy against height 0; joules.
    double energy_j(int object) const;

    /// Has come to rest and costs nothing until something touches it.
    bool sleeps(int object) const;

    /// Puts a dynamic object somewhere, at rest.
    void place(int object, const Eigen::Isometry3f& world_from_object);

    /// Would a dynamic object be clear of all others there, but for what a resting one sinks in?
    bool fits(int object, const Eigen::Isometry3f& world_from_object);

  private:
    struct Bullet;
    std::unique_ptr<Bullet> bullet_;
};

}  // namespace glovebox::scenes
