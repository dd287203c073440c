#include "scenes/dynamics.h"

#include <btBulletDynamicsCommon.h>

#include <BulletCollision/CollisionShapes/btMultiSphereShape.h>
#include <BulletCollision/CollisionShapes/btShapeHull.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "collision/convex_hull.h"
#include "collision/mesh_tree.h"

namespace glovebox::scenes {
namespace {

constexpr double kSubStep_s = 1.0 / 240.0;  // small objects need a fine step: a 35 mm ball at 3 m/s moves 12 mm in it
constexpr double kLongestStep_s = 0.1;      // tracking gaps are longer; the objects wait instead of catching up
constexpr float kMargin_m = 0.001F;         // Bullet's default of 40 mm is larger than our objects
constexpr float kDepenetration_m_s = 0.5F;  // a hand that is inside an object pushes it out no faster than this
constexpr float kAllowedDepth_m = 0.0003F;  // resting contact keeps this much, so that it does not chatter
constexpr int kPushIterations = 8;
constexpr float kGrip_n = 60.0F;  // a held object is moved no harder than this, so it cannot be rammed through a table
constexpr float kGripTorque_n_m = 3.0F;
constexpr float kThrow_m_s = 12.0F;

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

// What Bullet keeps of one object. Bullet's bodies turn about their origin, so the shape hangs in a compound that is
// moved to its centre.
struct Body {
    std::unique_ptr<btStridingMeshInterface> triangles;
    std::unique_ptr<btCollisionShape> part;
    std::unique_ptr<btCompoundShape> shape;
    std::unique_ptr<btRigidBody> body;
    Eigen::Vector3f center_in_object = Eigen::Vector3f::Zero();
    bool held = false;
    btTransform hold_at;
};

struct ShapeMaker {
    Body& out;
    bool moves;

    void operator()(const collision::RoundCone& cone) const {
        const Eigen::Vector3f along = cone.b_m - cone.a_m;
        if (along.norm() < 1e-6F) {
            out.part = std::make_unique<btSphereShape>(std::max(cone.radius_a_m, cone.radius_b_m));
            out.center_in_object = cone.a_m;
            return;
        }
        out.center_in_object = 0.5F * (cone.a_m + cone.b_m);
        const std::array ends = {to_bullet(Eigen::Vector3f(cone.a_m - out.center_in_object)),
                                 to_bullet(Eigen::Vector3f(cone.b_m - out.center_in_object))};
        const std::array<btScalar, 2> radii = {cone.radius_a_m, cone.radius_b_m};
        out.part = std::make_unique<btMultiSphereShape>(ends.data(), radii.data(), 2);
    }
    void operator()(const collision::RoundedBox& box) const {
        out.part = std::make_unique<btBoxShape>(to_bullet(Eigen::Vector3f(box.core.half_m.array() + box.radius_m)));
        out.part->setMargin(kMargin_m);
        out.center_in_object = box.core.center_m;
    }
    void operator()(const collision::HullInstance& instance) const { convex(instance.hull->corners_m()); }
    void operator()(const collision::MeshInstance& instance) const {
        const collision::Mesh& mesh = instance.tree->mesh();
        if (moves) return convex(mesh.vertices_m);  // a dynamic mesh is its hull to other objects, not to the hand
        auto triangles = std::make_unique<btTriangleMesh>();
        for (const auto& triangle : mesh.triangles)
            triangles->addTriangle(to_bullet(mesh.vertices_m[triangle[0]]), to_bullet(mesh.vertices_m[triangle[1]]),
                                   to_bullet(mesh.vertices_m[triangle[2]]));
        out.part = std::make_unique<btBvhTriangleMeshShape>(triangles.get(), true);
        out.part->setMargin(kMargin_m);
        out.triangles = std::move(triangles);
    }
    void convex(std::span<const Eigen::Vector3f> vertices_m) const {
        collision::Aabb bounds;
        for (const Eigen::Vector3f& vertex : vertices_m) bounds.include(vertex);
        out.center_in_object = 0.5F * (bounds.min_m + bounds.max_m);
        btConvexHullShape all;
        for (const Eigen::Vector3f& vertex : vertices_m)
            all.addPoint(to_bullet(Eigen::Vector3f(vertex - out.center_in_object)), false);
        all.recalcLocalAabb();
        btShapeHull reduced(&all);
        reduced.buildHull(0.0F);
        auto hull = std::make_unique<btConvexHullShape>();
        for (int i = 0; i < reduced.numVertices(); ++i) hull->addPoint(reduced.getVertexPointer()[i], false);
        hull->recalcLocalAabb();
        hull->setMargin(kMargin_m);
        out.part = std::move(hull);
    }
};

}  // namespace

struct Dynamics::Bullet {
    btDefaultCollisionConfiguration configuration;
    btCollisionDispatcher dispatcher{&configuration};
    btDbvtBroadphase broad_phase;
    btSequentialImpulseConstraintSolver solver;
    btDiscreteDynamicsWorld world{&dispatcher, &broad_phase, &solver, &configuration};
    std::vector<Body> bodies;
    float gravity_m_s2 = 9.81F;

    ~Bullet() {
        for (Body& body : bodies) world.removeRigidBody(body.body.get());
    }

    Eigen::Isometry3f body_from(int object, const Eigen::Isometry3f& world_from_object) const {
        return world_from_object * Eigen::Translation3f(bodies[static_cast<std::size_t>(object)].center_in_object);
    }
};

Dynamics::Dynamics(const Scene& scene) : bullet_(std::make_unique<Bullet>()) {
    bullet_->world.setGravity(to_bullet(scene.gravity_m_s2));
    bullet_->gravity_m_s2 = scene.gravity_m_s2.norm();
    bullet_->bodies.resize(scene.objects.size());
    for (std::size_t i = 0; i < scene.objects.size(); ++i) {
        const SceneObject& object = scene.objects[i];
        Body& out = bullet_->bodies[i];
        const bool moves = object.motion == Motion::dynamic;
        std::visit(ShapeMaker{out, moves}, object.shape);
        out.shape = std::make_unique<btCompoundShape>();
        out.shape->addChildShape(to_bullet(Eigen::Isometry3f(moves ? Eigen::Translation3f(0, 0, 0)
                                                                   : Eigen::Translation3f(out.center_in_object))),
                                 out.part.get());
        if (!moves) out.center_in_object.setZero();

        btVector3 inertia(0, 0, 0);
        if (moves) out.part->calculateLocalInertia(object.mass_kg, inertia);
        btRigidBody::btRigidBodyConstructionInfo info(moves ? object.mass_kg : 0.0F, nullptr, out.shape.get(), inertia);
        info.m_startWorldTransform = to_bullet(bullet_->body_from(static_cast<int>(i), object.world_from_object));
        info.m_friction = object.material.friction_dynamic;
        info.m_restitution = object.material.restitution;
        info.m_rollingFriction = 0.0005F;
        info.m_spinningFriction = 0.0005F;
        info.m_linearDamping = 0.02F;
        info.m_angularDamping = 0.05F;
        out.body = std::make_unique<btRigidBody>(info);
        if (object.motion == Motion::recorded)
            out.body->setCollisionFlags(out.body->getCollisionFlags() | btCollisionObject::CF_KINEMATIC_OBJECT);
        if (moves) {
            out.body->setActivationState(DISABLE_DEACTIVATION);
            // Sweep what moves further than half of its size in a step, so that it does not fall through the table.
            btVector3 center;
            btScalar radius = 0;
            out.part->getBoundingSphere(center, radius);
            out.body->setCcdMotionThreshold(0.5F * radius);
            out.body->setCcdSweptSphereRadius(0.4F * radius);
        }
        bullet_->world.addRigidBody(out.body.get());
    }
}

Dynamics::~Dynamics() = default;

void Dynamics::place(int object, const Eigen::Isometry3f& world_from_object) {
    btRigidBody& body = *bullet_->bodies[static_cast<std::size_t>(object)].body;
    body.setWorldTransform(to_bullet(bullet_->body_from(object, world_from_object)));
    body.setInterpolationWorldTransform(body.getWorldTransform());
    body.setLinearVelocity({0, 0, 0});
    body.setAngularVelocity({0, 0, 0});
    body.clearForces();
}

void Dynamics::hold(int object, const Eigen::Isometry3f& world_from_object) {
    Body& body = bullet_->bodies[static_cast<std::size_t>(object)];
    body.held = true;
    body.hold_at = to_bullet(bullet_->body_from(object, world_from_object));
}

void Dynamics::release(int object) {
    Body& body = bullet_->bodies[static_cast<std::size_t>(object)];
    body.held = false;
    const btScalar speed = body.body->getLinearVelocity().length();
    if (speed > kThrow_m_s) body.body->setLinearVelocity(body.body->getLinearVelocity() * (kThrow_m_s / speed));
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

// Sequential impulses at the hand's contacts [Catto05]: no approach along the normal, Coulomb friction across it.
void push(btRigidBody& body, Push& push, float friction, float restitution, float dt_s, bool first) {
    const btVector3 normal = to_bullet(push.contact.normal);
    const btVector3 arm = to_bullet(push.contact.on_object_m) - body.getCenterOfMassPosition();
    const btVector3 hand_velocity = to_bullet(push.hand_velocity_m_s);
    const auto relative = [&] { return body.getVelocityInLocalPoint(arm) - hand_velocity; };
    const auto apply_along = [&](const btVector3& direction, btScalar speed_change) {
        const btVector3 turned = (body.getInvInertiaTensorWorld() * arm.cross(direction)).cross(arm);
        const btScalar impulse = speed_change / (body.getInvMass() + turned.dot(direction));
        body.applyImpulse(impulse * direction, arm);
        return impulse;
    };

    const float depth_m = push.contact.depth_m() - kAllowedDepth_m;
    btScalar wanted = std::min(kDepenetration_m_s, std::max(0.0F, 0.3F * depth_m / dt_s));
    const btScalar approach = -relative().dot(normal);
    if (first) wanted = std::max(wanted, restitution * approach);
    if (-approach >= wanted) return;
    const btScalar normal_impulse = apply_along(normal, wanted + approach);
    push.impulse_n_s += normal_impulse;

    btVector3 slip = relative();
    slip -= slip.dot(normal) * normal;
    const btScalar slip_speed = slip.length();
    if (slip_speed < 1e-5F) return;
    const btScalar most = friction * normal_impulse * body.getInvMass();
    apply_along(-slip / slip_speed, std::min(slip_speed, most));
}

// The velocity that brings a held object to its place in `left_s`, reached with no more than the grip's force.
void carry(btRigidBody& body, const btTransform& to, float left_s, float dt_s) {
    const btVector3 wanted = (to.getOrigin() - body.getCenterOfMassPosition()) / left_s;
    btVector3 change = wanted - body.getLinearVelocity();
    const btScalar most = kGrip_n * body.getInvMass() * dt_s;
    if (change.length() > most) change *= most / change.length();
    body.setLinearVelocity(body.getLinearVelocity() + change);

    btQuaternion turn = to.getRotation() * body.getOrientation().inverse();
    if (turn.w() < 0) turn = -turn;
    const btScalar angle = 2 * std::atan2(btVector3(turn.x(), turn.y(), turn.z()).length(), turn.w());
    const btVector3 axis = angle > 1e-6F ? turn.getAxis() : btVector3(0, 0, 0);
    btVector3 spin_change = axis * (angle / left_s) - body.getAngularVelocity();
    const btVector3 impulse = body.getInvInertiaTensorWorld().inverse() * spin_change;
    const btScalar most_impulse = kGripTorque_n_m * dt_s;
    if (impulse.length() > most_impulse) spin_change *= most_impulse / impulse.length();
    body.setAngularVelocity(body.getAngularVelocity() + spin_change);
}

}  // namespace

void Dynamics::step(const Scene& scene, std::span<Push> pushes, double dt_s,
                    std::vector<Eigen::Isometry3f>& world_from_object) {
    dt_s = std::clamp(dt_s, 0.0, kLongestStep_s);
    if (dt_s <= 0.0) return;

    for (std::size_t i = 0; i < scene.objects.size(); ++i) {
        if (scene.objects[i].motion != Motion::recorded) continue;
        btRigidBody& body = *bullet_->bodies[i].body;
        body.setWorldTransform(to_bullet(world_from_object[i]));
    }

    for (int iteration = 0; iteration < kPushIterations; ++iteration) {
        for (Push& each : pushes) {
            const auto i = static_cast<std::size_t>(each.contact.object);
            const Material& material = scene.objects[i].material;
            push(*bullet_->bodies[i].body, each, material.friction_static, material.restitution,
                 static_cast<float>(dt_s), iteration == 0);
        }
    }

    const int sub_steps = std::max(1, static_cast<int>(std::ceil(dt_s / kSubStep_s - 1e-6)));
    const double sub_step_s = dt_s / sub_steps;
    for (int i = 0; i < sub_steps; ++i) {
        const auto left_s = static_cast<float>(dt_s - i * sub_step_s);
        for (Body& body : bullet_->bodies)
            if (body.held) carry(*body.body, body.hold_at, left_s, static_cast<float>(sub_step_s));
        bullet_->world.stepSimulation(static_cast<btScalar>(sub_step_s), 0);
    }

    for (std::size_t i = 0; i < scene.objects.size(); ++i) {
        if (scene.objects[i].motion != Motion::dynamic) continue;
        world_from_object[i] = from_bullet(bullet_->bodies[i].body->getWorldTransform()) *
                               Eigen::Translation3f(-bullet_->bodies[i].center_in_object);
    }
}

}  // namespace glovebox::scenes
