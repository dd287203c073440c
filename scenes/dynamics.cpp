#include "scenes/dynamics.h"

#include <btBulletDynamicsCommon.h>

#include <BulletCollision/CollisionShapes/btMultiSphereShape.h>
#include <BulletCollision/CollisionShapes/btShapeHull.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <stdexcept>

#include "collision/box/convex_hull.h"
#include "collision/mesh/mesh_tree.h"
#include "scenes/contact_state.h"
#include "scenes/jointed_body.h"
#include "scenes/release_velocity.h"

namespace glovebox::scenes {
namespace {

constexpr double kSubStep_s = 1.0 / 240.0;  // small objects need a fine step: a 35 mm ball at 3 m/s moves 12 mm in it
constexpr btScalar kSlow = 0.2F;            // of an object's radius in a step: then one step a frame is fine enough
// An object that stays within this range for this long sleeps until it is touched. The test uses poses, not speeds: on
// an uneven mesh, Bullet's contacts change from step to step and make resting objects tremble.
constexpr float kRest_m = 0.003F, kRest_rad = 0.07F;
constexpr double kRest_s = 0.5;
constexpr btScalar kAnySpeed = 1e6F, kLongStill_s = 10.0F;  // make Bullet follow our own test for rest
constexpr float kBroadPhaseExtent_m =
    100.0F;  // extent of the broad phase; objects beyond it still work but cause more pair tests than necessary
constexpr double kLongestStep_s = 0.1;      // tracking gaps are longer; the objects wait instead of catching up
constexpr int kMaxHullPoints = 256;         // beyond that a hull is reduced to some forty points
constexpr float kMargin_m = 0.001F;         // Bullet's default of 40 mm is larger than our objects
constexpr float kDepenetration_m_s = 0.5F;  // a hand that is inside an object pushes it out no faster than this
constexpr float kAllowedDepth_m = 0.0003F;  // resting contact keeps this much, so that it does not chatter
constexpr float kSunk_m = 0.005F;           // Bullet pushes out what is deeper at metres a second
constexpr int kPushIterations = 8;
constexpr float kGrip_n = 60.0F;  // a held object is moved no harder than this, so it cannot be rammed through a table
constexpr float kGripTorque_n_m = 3.0F;
constexpr float kThrow_m_s = 12.0F;
constexpr double kRounding_s = 1e-6;  // tolerance for sums of steps

btVector3 to_bullet(const Eigen::Vector3f& v) {
    return {v.x(), v.y(), v.z()};
}
Eigen::Vector3f from_bullet(const btVector3& v) {
    return {static_cast<float>(v.x()), static_cast<float>(v.y()), static_cast<float>(v.z())};
}
btTransform to_bullet(const Eigen::Isometry3f& pose) {
    const Eigen::Quaternionf q(pose.linear());
    return btTransform(btQuaternion(q.x(), q.y(), q.z(), q.w()), to_bullet(Eigen::Vector3f(pose.translation())));
}
Eigen::Isometry3f from_bullet(const btTransform& transform) {
    const btQuaternion q = transform.getRotation();
    Eigen::Isometry3f pose = Eigen::Isometry3f::Identity();
    pose.linear() = Eigen::Quaternionf(static_cast<float>(q.w()), static_cast<float>(q.x()), static_cast<float>(q.y()),
                                       static_cast<float>(q.z()))
                        .normalized()
                        .toRotationMatrix();
    pose.translation() = from_bullet(transform.getOrigin());
    return pose;
}

// Data of this project for one object that last from step to step.
struct BodyMemory {
    btTransform still_at;  // pose when it last moved ...
    double still_s = 0.0;  // ... and the time since
    bool held = false;
    btTransform hold_at;  // world from body
    btVector3 grip_in_body;
    CarriedPath carried;        // while held
    bool is_led = false;        // recorded objects, and those that the application moves
    btTransform track_to;       // their target pose ...
    double track_left_s = 0.0;  // ... to be reached in this time
    btMatrix3x3 inertia_axes;   // orientation for which Bullet last computed the inertia in the world
};

// Bullet's data for one object. Bullet's bodies turn about their origin, so it is at the centre of the shape. The axes
// are those of the shape.
struct Body : BodyMemory {
    std::unique_ptr<btStridingMeshInterface> triangles;
    std::unique_ptr<btCollisionShape> shape;
    std::unique_ptr<btRigidBody> body;
    std::unique_ptr<JointedBody> jointed;  // null: no joint
    Eigen::Isometry3f object_from_body = Eigen::Isometry3f::Identity();
    btScalar radius_m = 0;

    void compute_inertia() {
        inertia_axes = body->getWorldTransform().getBasis();
        body->updateInertiaTensor();
    }
};

// The part of Bullet's state of a body that steps read.
struct BodyState {
    btTransform world_from_body;
    btVector3 velocity, spin;
    int activation = 0, flags = 0;
    btScalar deactivation_s = 0;
    btScalar joint_position = 0, joint_rate = 0;
    BodyMemory memory;

    static BodyState of(const Body& from) {
        const btRigidBody& body = *from.body;
        return {body.getWorldTransform(),
                body.getLinearVelocity(),
                body.getAngularVelocity(),
                body.getActivationState(),
                body.getCollisionFlags(),
                body.getDeactivationTime(),
                from.jointed ? from.jointed->position() : 0,
                from.jointed ? from.jointed->rate() : 0,
                from};
    }
    void write_to(Body& to) const {
        static_cast<BodyMemory&>(to) = memory;
        btRigidBody& body = *to.body;
        // Bullet computes the inertia when it moves a body, and some poses are set after that.
        body.setWorldTransform(btTransform(memory.inertia_axes, world_from_body.getOrigin()));
        body.updateInertiaTensor();
        body.setWorldTransform(world_from_body);
        body.setLinearVelocity(velocity);
        body.setAngularVelocity(spin);
        body.setCollisionFlags(flags);
        body.forceActivationState(activation);
        body.setDeactivationTime(deactivation_s);
        if (to.jointed) to.jointed->restore(joint_position, joint_rate);
    }
};

// Returns the angular velocity that turns `from` into `to` in `in_s`. Bullet computes the angle as an arc cosine in
// float, and no axis for a small angle: a turn below two thousandths of a radian is then wrong by as much as itself.
btVector3 spin_between(const btQuaternion& from, const btQuaternion& to, btScalar in_s) {
    btQuaternion turn = to * from.inverse();
    if (turn.w() < 0) turn = -turn;
    const btVector3 axis(turn.x(), turn.y(), turn.z());
    const btScalar sine = axis.length();
    return sine > 0 ? axis * (2 * std::atan2(sine, turn.w()) / (sine * in_s)) : btVector3(0, 0, 0);
}

// Puts a body at a pose, at rest.
void put(btRigidBody& body, const btTransform& world_from_body) {
    body.setWorldTransform(world_from_body);
    body.setLinearVelocity({0, 0, 0});
    body.setAngularVelocity({0, 0, 0});
}

// Jointed objects pass through fixed objects; their joint limits bound their motion.
constexpr int kFixedGroup = 1, kFreeGroup = 2, kJointedGroup = 4;

struct ShapeMaker {
    Body& out;
    bool moves, any_dynamic;

    void operator()(const collision::RoundCone& cone) const {
        const Eigen::Vector3f along = cone.b_m - cone.a_m;
        if (along.norm() < 1e-6F) {
            out.shape = std::make_unique<btSphereShape>(std::max(cone.radius_a_m, cone.radius_b_m));
            out.object_from_body.translation() = cone.a_m;
            return;
        }
        const Eigen::Vector3f center_m = 0.5F * (cone.a_m + cone.b_m);
        out.object_from_body.translation() = center_m;
        const std::array ends = {to_bullet(Eigen::Vector3f(cone.a_m - center_m)),
                                 to_bullet(Eigen::Vector3f(cone.b_m - center_m))};
        const std::array<btScalar, 2> radii = {cone.radius_a_m, cone.radius_b_m};
        out.shape = std::make_unique<btMultiSphereShape>(ends.data(), radii.data(), 2);
    }
    void operator()(const collision::RoundedBox& box) const {
        out.shape = std::make_unique<btBoxShape>(to_bullet(Eigen::Vector3f(box.core.half_m.array() + box.radius_m)));
        out.shape->setMargin(kMargin_m);
        out.object_from_body.linear() = box.core.axes;
        out.object_from_body.translation() = box.core.center_m;
    }
    void operator()(const collision::HullInstance& instance) const {
        convex(instance.hull->corners_m(), instance.world_from_hull);
    }
    void operator()(const collision::MeshInstance& instance) const {
        const collision::Mesh& mesh = instance.tree->mesh();
        // Other objects collide with a dynamic mesh's hull; hands do not.
        if (moves) return convex(mesh.vertices_m, instance.world_from_mesh);
        out.object_from_body = instance.world_from_mesh;
        // Over a scan of a room, Bullet builds its tree for seconds. Only dynamic objects collide with a mesh.
        if (!any_dynamic) {
            out.shape = std::make_unique<btEmptyShape>();
            return;
        }
        auto triangles = std::make_unique<btTriangleMesh>();
        for (const auto& triangle : mesh.triangles)
            triangles->addTriangle(to_bullet(mesh.vertices_m[triangle[0]]), to_bullet(mesh.vertices_m[triangle[1]]),
                                   to_bullet(mesh.vertices_m[triangle[2]]));
        out.shape = std::make_unique<btBvhTriangleMeshShape>(triangles.get(), true);
        out.shape->setMargin(kMargin_m);
        out.triangles = std::move(triangles);
    }
    static std::unique_ptr<btConvexHullShape> reduced(btConvexHullShape& all) {
        all.setMargin(0.0F);  // the default margin would enlarge the hull by 40 mm
        all.recalcLocalAabb();
        btShapeHull hull(&all);
        hull.buildHull(0.0F);
        auto few = std::make_unique<btConvexHullShape>();
        for (int i = 0; i < hull.numVertices(); ++i) few->addPoint(hull.getVertexPointer()[i], false);
        return few;
    }
    void convex(std::span<const Eigen::Vector3f> vertices_m, const Eigen::Isometry3f& object_from_vertices) const {
        collision::Aabb bounds;
        for (const Eigen::Vector3f& vertex : vertices_m) bounds.include(vertex);
        const Eigen::Vector3f center_m = 0.5F * (bounds.min_m + bounds.max_m);
        out.object_from_body = object_from_vertices * Eigen::Translation3f(center_m);
        auto hull = std::make_unique<btConvexHullShape>();
        for (const Eigen::Vector3f& vertex : vertices_m)
            hull->addPoint(to_bullet(Eigen::Vector3f(vertex - center_m)), false);
        if (hull->getNumPoints() > kMaxHullPoints) hull = reduced(*hull);
        hull->recalcLocalAabb();
        hull->setMargin(kMargin_m);
        out.shape = std::move(hull);
    }
};

}  // namespace

namespace {

// Bullet's step without its predicted contacts, which allocate memory in every step that has one. Fast bodies are still
// swept when they move, and stop at the first contact.
class SteadyWorld : public btDiscreteDynamicsWorld {
  public:
    using btDiscreteDynamicsWorld::btDiscreteDynamicsWorld;

  protected:
    // Led objects keep the velocity that follow() gave them.
    void saveKinematicState(btScalar /*dt_s*/) override {}
    void internalSingleStepSimulation(btScalar dt_s) override {
        predictUnconstraintMotion(dt_s);
        getDispatchInfo().m_timeStep = dt_s;
        getDispatchInfo().m_stepCount = 0;
        performDiscreteCollisionDetection();
        calculateSimulationIslands();
        getSolverInfo().m_timeStep = dt_s;
        solveConstraints(getSolverInfo());
        integrateTransforms(dt_s);
        for (int i = 0; i < m_nonStaticRigidBodies.size(); ++i) {
            const btRigidBody& body = *m_nonStaticRigidBodies[i];
            if (body.isActive() && !body.isStaticOrKinematicObject())
                static_cast<Body*>(body.getUserPointer())->inertia_axes = body.getWorldTransform().getBasis();
        }
        updateActivationState(dt_s);
    }
};

}  // namespace

struct Dynamics::Bullet {
    btDefaultCollisionConfiguration configuration;
    CopyableDispatcher dispatcher{&configuration};
    // Bullet's default broad phase grows boxes by 50 mm, and bodies whose boxes overlap sleep and wake together.
    CopyableSweep broad_phase;
    btSequentialImpulseConstraintSolver solver;
    SteadyWorld world{&dispatcher, &broad_phase, &solver, &configuration};
    std::vector<Body> bodies;
    float gravity_m_s2 = 9.81F;
    double time_s = 0.0;  // simulated time

    explicit Bullet(std::size_t objects)
        : broad_phase({-kBroadPhaseExtent_m, -kBroadPhaseExtent_m, -kBroadPhaseExtent_m},
                      {kBroadPhaseExtent_m, kBroadPhaseExtent_m, kBroadPhaseExtent_m},
                      static_cast<unsigned>(objects) + 1U, nullptr, false) {}
    ~Bullet() {
        for (Body& body : bodies) {
            if (body.jointed) world.removeConstraint(&body.jointed->constraint());
            world.removeRigidBody(body.body.get());
        }
    }
    // Wakes the bodies in contact with this one. Bullet keeps contacts during sleep; bodies on top of those wake too.
    void wake_overlapping(const btRigidBody& body) {
        for (int i = 0; i < dispatcher.getNumManifolds(); ++i) {
            const btPersistentManifold& manifold = *dispatcher.getManifoldByIndexInternal(i);
            if (manifold.getBody0() == &body) manifold.getBody1()->activate();
            if (manifold.getBody1() == &body) manifold.getBody0()->activate();
        }
    }
    Body& operator[](int object) { return bodies[static_cast<std::size_t>(object)]; }
    void note_carried(Body& body) const {
        const Eigen::Isometry3f pose = from_bullet(body.body->getWorldTransform());
        body.carried.add({time_s, pose.translation(), Eigen::Quaternionf(pose.linear())});
    }

    Eigen::Isometry3f body_from(int object, const Eigen::Isometry3f& world_from_object) const {
        return world_from_object * bodies[static_cast<std::size_t>(object)].object_from_body;
    }
};

Dynamics::Dynamics(const Scene& scene) : bullet_(std::make_unique<Bullet>(scene.objects.size())) {
    // Friction along the slip direction alone would allow creep across it.
    bullet_->world.getSolverInfo().m_solverMode |= SOLVER_USE_2_FRICTION_DIRECTIONS;
    bullet_->world.setGravity(to_bullet(scene.gravity_m_s2));
    bullet_->gravity_m_s2 = scene.gravity_m_s2.norm();
    bullet_->bodies.resize(scene.objects.size());
    const bool any_dynamic = std::ranges::count(scene.objects, Motion::dynamic, &SceneObject::motion) > 0;
    for (std::size_t i = 0; i < scene.objects.size(); ++i) {
        const SceneObject& object = scene.objects[i];
        Body& out = bullet_->bodies[i];
        const bool moves = object.motion == Motion::dynamic;
        std::visit(ShapeMaker{out, moves, any_dynamic}, object.shape);

        btVector3 inertia(0, 0, 0);
        if (moves) out.shape->calculateLocalInertia(object.mass_kg, inertia);
        btRigidBody::btRigidBodyConstructionInfo info(moves ? object.mass_kg : 0.0F, nullptr, out.shape.get(), inertia);
        info.m_startWorldTransform = to_bullet(bullet_->body_from(static_cast<int>(i), object.world_from_object));
        info.m_friction = object.material.friction_dynamic;
        info.m_restitution = object.material.restitution;
        info.m_rollingFriction = 0.0005F;
        info.m_spinningFriction = 0.0005F;
        info.m_linearDamping = 0.02F;
        info.m_angularDamping = 0.05F;
        info.m_linearSleepingThreshold = kAnySpeed;
        info.m_angularSleepingThreshold = kAnySpeed;
        out.still_at = info.m_startWorldTransform;
        out.body = std::make_unique<btRigidBody>(info);
        out.body->setUserPointer(&out);
        out.inertia_axes = info.m_startWorldTransform.getBasis();
        if (object.motion == Motion::recorded) lead(static_cast<int>(i));
        const bool jointed = moves && object.joint.kind != JointKind::none;
        if (moves) {
            // Sweep a body that moves further than half its size in a step, so that it does not fall through the table.
            btVector3 center;
            out.shape->getBoundingSphere(center, out.radius_m);
            out.body->setCcdMotionThreshold(0.5F * out.radius_m);
            out.body->setCcdSweptSphereRadius(0.4F * out.radius_m);
        }
        const int group = jointed ? kJointedGroup : moves ? kFreeGroup : kFixedGroup;
        bullet_->world.addRigidBody(out.body.get(), group, moves && !jointed ? -1 : kFreeGroup);
        if (!jointed) continue;
        out.body->setGravity({0, 0, 0});  // a key rests on its spring and a wheel is balanced
        const Eigen::Isometry3f body_from_object = out.object_from_body.inverse();
        out.jointed = std::make_unique<JointedBody>(
            *out.body, object.joint, to_bullet(Eigen::Vector3f(body_from_object.linear() * object.joint.axis)),
            to_bullet(Eigen::Vector3f(body_from_object * object.joint.pivot_m)));
        bullet_->world.addConstraint(&out.jointed->constraint(), true);
    }
    // Bullet's first sweep allocates a stack and keeps it. Do it now, not in the middle of a frame.
    const btVector3 up(0, 1, 0);
    btCollisionWorld::ClosestRayResultCallback hit(-up, up);
    bullet_->world.rayTest(-up, up, hit);
}

Dynamics::~Dynamics() = default;

void Dynamics::place(int object, const Eigen::Isometry3f& world_from_object) {
    btRigidBody& body = *(*bullet_)[object].body;
    bullet_->wake_overlapping(body);  // other objects may lie on it
    put(body, to_bullet(bullet_->body_from(object, world_from_object)));
    body.clearForces();
    body.activate(true);
}

Eigen::Isometry3f Dynamics::teleport(int object, const Eigen::Isometry3f& world_from_object) {
    Body& moved = (*bullet_)[object];
    place(object, world_from_object);
    if (moved.jointed) moved.jointed->place_near(moved.body->getWorldTransform());
    moved.compute_inertia();
    moved.still_at = moved.body->getWorldTransform();
    moved.still_s = 0.0;
    moved.held = false;
    moved.carried.clear();
    // Bullet would begin the next step with the impulses of these contacts.
    bullet_->broad_phase.getOverlappingPairCache()->cleanProxyFromPairs(moved.body->getBroadphaseProxy(),
                                                                        &bullet_->dispatcher);
    return from_bullet(moved.still_at) * moved.object_from_body.inverse();
}

void Dynamics::set_velocity(int object, const Eigen::Vector3f& linear_m_s, const Eigen::Vector3f& angular_rad_s) {
    Body& moved = (*bullet_)[object];
    moved.still_s = 0.0;
    moved.body->activate(true);
    if (moved.jointed) return moved.jointed->set_velocity(to_bullet(linear_m_s), to_bullet(angular_rad_s));
    moved.body->setLinearVelocity(to_bullet(linear_m_s));
    moved.body->setAngularVelocity(to_bullet(angular_rad_s));
}

struct Dynamics::State {
    std::vector<BodyState> bodies;
    ContactState contacts;
    double time_s = 0.0;
};

std::shared_ptr<const Dynamics::State> Dynamics::save() const {
    auto state = std::make_shared<State>();
    for (const Body& body : bullet_->bodies) state->bodies.push_back(BodyState::of(body));
    state->contacts = save_contacts(bullet_->broad_phase, bullet_->dispatcher);
    state->time_s = bullet_->time_s;
    return state;
}

void Dynamics::restore(const State& state) {
    if (state.bodies.size() != bullet_->bodies.size())
        throw std::invalid_argument("the state is of a scene with another number of objects");
    restore_contacts(state.contacts, bullet_->broad_phase, bullet_->dispatcher, bullet_->world.getDispatchInfo());
    for (std::size_t i = 0; i < state.bodies.size(); ++i) state.bodies[i].write_to(bullet_->bodies[i]);
    bullet_->time_s = state.time_s;
}

bool Dynamics::fits(int object, const Eigen::Isometry3f& world_from_object) {
    struct Deepest final : btCollisionWorld::ContactResultCallback {
        btScalar distance_m = 0;
        btScalar addSingleResult(btManifoldPoint& point, const btCollisionObjectWrapper*, int, int,
                                 const btCollisionObjectWrapper*, int, int) override {
            distance_m = std::min(distance_m, point.getDistance());
            return 0;
        }
    } deepest;
    deepest.m_collisionFilterGroup = kFreeGroup;
    btRigidBody& body = *(*bullet_)[object].body;
    const btTransform before = body.getWorldTransform();
    body.setWorldTransform(to_bullet(bullet_->body_from(object, world_from_object)));
    bullet_->world.contactTest(&body, deepest);
    body.setWorldTransform(before);
    return deepest.distance_m > -kSunk_m;
}

void Dynamics::lead(int object) {
    Body& led = (*bullet_)[object];
    led.is_led = true;
    led.track_to = led.body->getWorldTransform();
    led.body->setCollisionFlags(led.body->getCollisionFlags() | btCollisionObject::CF_KINEMATIC_OBJECT);
    led.body->setActivationState(DISABLE_DEACTIVATION);  // so that it wakes the bodies that it meets
}

void Dynamics::follow(std::span<const ObjectDisplacement> displacements, double dt_s) {
    for (std::size_t i = 0; i < displacements.size(); ++i) {
        Body& each = bullet_->bodies[i];
        if (!each.is_led) continue;
        const ObjectDisplacement& displacement = displacements[i];
        each.track_to = to_bullet(bullet_->body_from(static_cast<int>(i), displacement.world_from_object_t1));
        each.track_left_s = dt_s;
        if (!(displacement.max_m > 0.0F && dt_s > 0.0)) {
            put(*each.body, each.track_to);
            continue;
        }
        const btTransform& from = each.body->getWorldTransform();
        const auto in_s = static_cast<btScalar>(dt_s);
        each.body->setLinearVelocity((each.track_to.getOrigin() - from.getOrigin()) / in_s);
        each.body->setAngularVelocity(spin_between(from.getRotation(), each.track_to.getRotation(), in_s));
    }
}

void Dynamics::hold(int object, const Eigen::Isometry3f& world_from_object, const Eigen::Vector3f& grip_in_object) {
    Body& body = (*bullet_)[object];
    if (!body.held) {
        body.carried.clear();
        bullet_->note_carried(body);
    }
    body.held = true;
    body.hold_at = to_bullet(bullet_->body_from(object, world_from_object));
    body.grip_in_body = to_bullet(Eigen::Vector3f(body.object_from_body.inverse() * grip_in_object));
    body.still_s = 0.0;
    body.body->activate(true);
}

void Dynamics::release(int object, double ago_s) {
    Body& body = (*bullet_)[object];
    body.held = false;
    if (body.jointed || body.radius_m <= 0) return;
    // Poses after the fingers opened do not count: the hand may have moved on without the object.
    std::span<const CarriedPose> poses = body.carried.poses();
    while (!poses.empty() && poses.back().time_s > bullet_->time_s - ago_s - kRounding_s)
        poses = poses.first(poses.size() - 1);
    ReleaseVelocity velocity = poses.empty() ? ReleaseVelocity{} : release_velocity(poses, poses.back().time_s);
    if (const float speed = velocity.linear_m_s.norm(); speed > kThrow_m_s) velocity.linear_m_s *= kThrow_m_s / speed;
    body.body->setLinearVelocity(to_bullet(velocity.linear_m_s));
    body.body->setAngularVelocity(to_bullet(velocity.angular_rad_s));
}

bool Dynamics::sleeps(int object) const {
    return !(*bullet_)[object].body->isActive();
}

double Dynamics::energy_j(int object) const {
    const btRigidBody& body = *bullet_->bodies[static_cast<std::size_t>(object)].body;
    if (body.getInvMass() <= 0) return 0.0;
    const double mass = 1.0 / static_cast<double>(body.getInvMass());
    const btVector3 spin = body.getAngularVelocity();
    const btVector3 momentum = body.getInvInertiaTensorWorld().inverse() * spin;
    return 0.5 * mass * static_cast<double>(body.getLinearVelocity().length2()) +
           0.5 * static_cast<double>(spin.dot(momentum)) +
           mass * static_cast<double>(bullet_->gravity_m_s2) * static_cast<double>(body.getCenterOfMassPosition().y());
}

Eigen::Vector3f Dynamics::velocity_at(int object, const Eigen::Vector3f& point_m) const {
    const btRigidBody& body = *bullet_->bodies[static_cast<std::size_t>(object)].body;
    return from_bullet(body.getVelocityInLocalPoint(to_bullet(point_m) - body.getCenterOfMassPosition()));
}

namespace {

// The response of a body to impulses at a point: a free body has six degrees of freedom, a jointed one has one.
struct Touched {
    Body& body;
    btVector3 arm, at;

    btVector3 velocity() const { return body.body->getVelocityInLocalPoint(arm); }
    btScalar inverse_mass(const btVector3& direction) const {
        if (body.jointed) {
            const btScalar lever = body.jointed->lever(at, direction);
            return lever * lever / body.jointed->inertia();
        }
        const btVector3 turned = (body.body->getInvInertiaTensorWorld() * arm.cross(direction)).cross(arm);
        return body.body->getInvMass() + turned.dot(direction);
    }
    void apply(const btVector3& direction, btScalar impulse) const {
        body.still_s = 0.0;
        if (body.jointed) return body.jointed->push(impulse * body.jointed->lever(at, direction));
        body.body->applyImpulse(impulse * direction, arm);
        body.body->activate(true);
    }
};

// Returns true if another contact pushes the same object from the opposite side.
bool is_squeezed(const Push& push, std::span<const Push> pushes) {
    return std::any_of(pushes.begin(), pushes.end(), [&push](const Push& other) {
        return other.contact.object == push.contact.object && other.contact.normal.dot(push.contact.normal) < -0.5F;
    });
}

// Sequential impulses at the hand's contacts [Catto05]: no approach along the normal, Coulomb friction across it.
void push(Body& body, Push& push, float friction, float restitution, float dt_s, bool first, bool squeezed) {
    const btVector3 normal = to_bullet(push.contact.normal);
    const btVector3 at = to_bullet(push.contact.on_object_m);
    const Touched touched{body, at - body.body->getCenterOfMassPosition(), at};
    const btVector3 hand_velocity = to_bullet(push.hand_velocity_m_s);
    // Below this, the joint cannot move in that direction and acts like a wall.
    const btScalar least = 1e-4F * body.body->getInvMass();

    const float depth_m = push.contact.depth_m() - kAllowedDepth_m;
    btScalar most = kDepenetration_m_s;
    if (squeezed) {
        // The bones push in slightly different directions in every frame, which would add up. So the limit applies to
        // the whole displacement.
        const btVector3 leaving = body.body->getLinearVelocity() - hand_velocity;
        const btScalar aside2 = (leaving - leaving.dot(normal) * normal).length2();
        most = std::sqrt(std::max(btScalar(0), most * most - aside2));
    }
    btScalar wanted = std::min(most, std::max(btScalar(0), 0.3F * depth_m / dt_s));
    const btScalar approach = (hand_velocity - touched.velocity()).dot(normal);
    if (first) wanted = std::max(wanted, restitution * approach);
    const btScalar normal_inverse_mass = touched.inverse_mass(normal);
    if (-approach >= wanted || normal_inverse_mass < least) return;
    const btScalar normal_impulse = (wanted + approach) / normal_inverse_mass;
    touched.apply(normal, normal_impulse);
    push.impulse_n_s += normal_impulse;

    btVector3 slip = touched.velocity() - hand_velocity;
    slip -= slip.dot(normal) * normal;
    const btScalar slip_speed = slip.length();
    if (slip_speed < 1e-5F) return;
    const btVector3 against = -slip / slip_speed;
    const btScalar inverse_mass = touched.inverse_mass(against);
    if (inverse_mass < least) return;
    touched.apply(against, std::min(slip_speed / inverse_mass, friction * normal_impulse));
}

// Moves a jointed object as far as its joint lets the grip follow.
void carry_along_joint(Body& body, float left_s, float dt_s) {
    const btVector3 grip = body.body->getWorldTransform() * body.grip_in_body;
    const btVector3 way = body.hold_at * body.grip_in_body - grip;
    const btScalar distance = way.length();
    if (distance < 1e-6F) return;
    const btVector3 direction = way / distance;
    const btScalar lever = body.jointed->lever(grip, direction);
    if (std::abs(lever) < 1e-4F) return;
    // The nearest rate: its point velocity equals the projection of the desired velocity onto the joint's path.
    const btVector3 x(1, 0, 0), y(0, 1, 0), z(0, 0, 1);
    const btVector3 path(body.jointed->lever(grip, x), body.jointed->lever(grip, y), body.jointed->lever(grip, z));
    const btScalar wanted = path.dot(way) / path.length2() / left_s;
    const btScalar most = kGrip_n * path.length() * dt_s;
    body.jointed->push(std::clamp((wanted - body.jointed->rate()) * body.jointed->inertia(), -most, most));
}

// Sets the velocity that brings a held object to its target in `left_s`, with at most the force of the grip.
void carry(btRigidBody& body, const btTransform& to, float left_s, float dt_s) {
    body.activate(true);
    const btVector3 wanted = (to.getOrigin() - body.getCenterOfMassPosition()) / left_s;
    btVector3 change = wanted - body.getLinearVelocity();
    const btScalar most = kGrip_n * body.getInvMass() * dt_s;
    if (change.length() > most) change *= most / change.length();
    body.setLinearVelocity(body.getLinearVelocity() + change);

    btVector3 spin_change = spin_between(body.getOrientation(), to.getRotation(), left_s) - body.getAngularVelocity();
    const btVector3 impulse = body.getInvInertiaTensorWorld().inverse() * spin_change;
    const btScalar max_impulse = kGripTorque_n_m * dt_s;
    if (impulse.length() > max_impulse) spin_change *= max_impulse / impulse.length();
    body.setAngularVelocity(body.getAngularVelocity() + spin_change);
}

// Moves a led object evenly towards its target. Bullet's own interpolation leaves out small turns.
void follow_track(Body& body, double dt_s) {
    const btTransform& from = body.body->getWorldTransform();
    const auto share = static_cast<btScalar>(body.track_left_s > dt_s ? dt_s / body.track_left_s : 1.0);
    const btVector3 spin = spin_between(from.getRotation(), body.track_to.getRotation(), 1);
    btTransform to = body.track_to;
    if (share < 1)
        btTransformUtil::integrateTransform(from, body.track_to.getOrigin() - from.getOrigin(), spin, share, to);
    body.body->setWorldTransform(to);
    body.track_left_s -= dt_s;
}

void notice_rest(Body& body, double dt_s) {
    btRigidBody& moving = *body.body;
    if (!moving.isActive()) return;
    const btTransform& at = moving.getWorldTransform();
    const bool moved = (at.getOrigin() - body.still_at.getOrigin()).length() > kRest_m ||
                       at.getRotation().angleShortestPath(body.still_at.getRotation()) > kRest_rad;
    if (moved) body.still_at = at;
    body.still_s = moved ? 0.0 : body.still_s + dt_s;
    const bool rests = body.still_s > kRest_s;
    moving.setDeactivationTime(rests ? kLongStill_s : 0.0F);
    if (!rests) moving.activate();
}

// Returns true if the body's box overlaps no other, such as an object that fell off the table.
bool overlaps_nothing(const btOverlappingPairCache& pairs, const btRigidBody& body) {
    const btBroadphasePair* pair = pairs.getOverlappingPairArrayPtr();
    const auto* proxy = body.getBroadphaseProxy();
    return std::none_of(pair, pair + pairs.getNumOverlappingPairs(), [proxy](const btBroadphasePair& each) {
        return each.m_pProxy0 == proxy || each.m_pProxy1 == proxy;
    });
}

// Returns the number of sub-steps: one while all objects are slow, more if any is fast for its size.
int sub_steps_for(std::span<const Body> bodies, const btOverlappingPairCache& pairs, double dt_s) {
    const int most = std::max(1, static_cast<int>(std::ceil(dt_s / kSubStep_s - 1e-6)));
    btScalar share = 0;  // greatest motion in dt_s, as a fraction of the object's radius
    for (const Body& each : bodies) {
        if (each.radius_m <= 0 || !each.body->isActive()) continue;
        if (each.jointed || each.held) return most;
        const btScalar way = each.body->getLinearVelocity().length() * static_cast<btScalar>(dt_s) / each.radius_m;
        if (way > share && !overlaps_nothing(pairs, *each.body)) share = way;
    }
    return std::clamp(static_cast<int>(std::ceil(share / kSlow)), 1, most);
}

}  // namespace

void Dynamics::step(const Scene& scene, std::span<Push> pushes, double dt_s,
                    std::vector<Eigen::Isometry3f>& world_from_object) {
    if (!(dt_s > 0.0)) return;
    bullet_->time_s += dt_s;
    dt_s = std::min(dt_s, kLongestStep_s);

    const auto push_all = [&](bool jointed, bool first) {
        for (int iteration = 0; iteration < kPushIterations; ++iteration)
            for (Push& each : pushes) {
                Body& body = (*bullet_)[each.contact.object];
                if ((body.jointed != nullptr) != jointed) continue;
                const Material& material = scene.objects[static_cast<std::size_t>(each.contact.object)].material;
                push(body, each, material.friction_static, material.restitution, static_cast<float>(dt_s),
                     first && iteration == 0, is_squeezed(each, pushes));
            }
    };
    push_all(false, true);

    const int sub_steps = sub_steps_for(bullet_->bodies, *bullet_->broad_phase.getOverlappingPairCache(), dt_s);
    const double sub_step_s = dt_s / sub_steps;
    for (int i = 0; i < sub_steps; ++i) {
        const auto left_s = static_cast<float>(dt_s - i * sub_step_s);
        for (Body& each : bullet_->bodies) {
            if (each.is_led) follow_track(each, sub_step_s);
            if (each.held && each.jointed) carry_along_joint(each, left_s, static_cast<float>(sub_step_s));
            if (each.held && !each.jointed) carry(*each.body, each.hold_at, left_s, static_cast<float>(sub_step_s));
            if (each.jointed) each.jointed->relax(static_cast<btScalar>(sub_step_s));
        }
        // Springs act first, because they are much faster than a frame. Then a finger can hold a key down.
        push_all(true, i == 0);
        bullet_->world.stepSimulation(static_cast<btScalar>(sub_step_s), 0);
        for (Body& each : bullet_->bodies)
            if (each.jointed && each.body->isActive()) each.jointed->settle();
        for (Body& each : bullet_->bodies)
            if (each.radius_m > 0) notice_rest(each, sub_step_s);
    }

    for (Body& each : bullet_->bodies)
        if (each.held) bullet_->note_carried(each);

    for (std::size_t i = 0; i < scene.objects.size(); ++i) {
        if (scene.objects[i].motion != Motion::dynamic) continue;
        const Body& each = bullet_->bodies[i];
        world_from_object[i] = from_bullet(each.body->getWorldTransform()) * each.object_from_body.inverse();
    }
}

}  // namespace glovebox::scenes
