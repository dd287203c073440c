#include "vr/bench/chain_simulation.h"

#include <btBulletDynamicsCommon.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "collision/query/collide.h"
#include "collision/query/rotation_between.h"

namespace glovebox::vr {
namespace {

using Eigen::Isometry3f;
using Eigen::Vector3f;

constexpr float kHalfLength_m = 0.15F;  // an upper arm
constexpr float kPi = 3.14159265F;
constexpr float kSwing_rad = 0.9F;  // each way; short of where neighbours would meet
constexpr float kTwist_rad = 0.4F;
constexpr int kSubSteps = 3;
constexpr btScalar kFrame_s = btScalar(1.0 / 60.0);

// ---- links

// Rings of points along x; `radius(x, angle)` in [0, 1] times the half thickness.
template <class Radius>
std::vector<Vector3f> rings(float half_thickness_m, const Radius& radius) {
    constexpr int kRings = 11, kAround = 16;
    std::vector<Vector3f> points = {{-kHalfLength_m, 0.0F, 0.0F}, {kHalfLength_m, 0.0F, 0.0F}};
    for (int i = 1; i < kRings; ++i) {
        const float x = -std::cos(kPi * static_cast<float>(i) / kRings);
        for (int k = 0; k < kAround; ++k) {
            const float angle = 2.0F * kPi * static_cast<float>(k) / kAround;
            const float r = half_thickness_m * radius(x, angle);
            points.push_back({kHalfLength_m * x, r * std::cos(angle), r * std::sin(angle)});
        }
    }
    return points;
}

// The relative radius of a limb at x in -1..1: fuller towards the ends than an ellipse.
float limb(float x) {
    return std::sqrt(std::max(0.0F, 1.0F - x * x * x * x));
}

// The boat: a keel, two walls and two ends that rise towards bow and stern, hollow between them. Each piece is the
// convex hull of its points; neighbours share a seam.
std::vector<std::vector<Vector3f>> boat_pieces(float half_thickness_m) {
    const float w = half_thickness_m, l = kHalfLength_m;
    const auto mirrored = [](std::vector<Vector3f> points) {
        for (Vector3f& point : points) point.y() = -point.y();
        return points;
    };
    const std::vector<Vector3f> keel = {{-0.95F * l, 0, -0.1F * w},          {0.95F * l, 0, -0.1F * w},
                                        {-0.6F * l, 0.55F * w, -0.45F * w},  {0.6F * l, 0.55F * w, -0.45F * w},
                                        {-0.6F * l, -0.55F * w, -0.45F * w}, {0.6F * l, -0.55F * w, -0.45F * w},
                                        {-0.5F * l, 0, -0.75F * w},          {0.5F * l, 0, -0.75F * w},
                                        {0, 0.75F * w, -0.4F * w},           {0, -0.75F * w, -0.4F * w}};
    const std::vector<Vector3f> wall = {
        {-0.6F * l, 0.5F * w, -0.45F * w}, {0.6F * l, 0.5F * w, -0.45F * w}, {0, 0.75F * w, -0.4F * w},
        {0, 1.0F * w, 0.15F * w},          {0, 0.8F * w, 0.15F * w},         {-0.6F * l, 0.8F * w, 0.2F * w},
        {0.6F * l, 0.8F * w, 0.2F * w},    {-0.6F * l, 0.6F * w, 0.2F * w},  {0.6F * l, 0.6F * w, 0.2F * w}};
    const auto end = [&](float sign) {
        return std::vector<Vector3f>{{sign * l, 0, 0.35F * w},
                                     {sign * 0.95F * l, 0, -0.1F * w},
                                     {sign * 0.6F * l, 0.8F * w, 0.2F * w},
                                     {sign * 0.6F * l, -0.8F * w, 0.2F * w},
                                     {sign * 0.6F * l, 0.55F * w, -0.45F * w},
                                     {sign * 0.6F * l, -0.55F * w, -0.45F * w}};
    };
    return {keel, wall, mirrored(wall), end(1.0F), end(-1.0F)};
}

// ---- simulation

btVector3 bullet_vector(const Vector3f& v) {
    return {v.x(), v.y(), v.z()};
}

// A smooth random force: an Ornstein-Uhlenbeck process, correlated over about a second.
class Wander {
  public:
    Vector3f next(std::mt19937& random) {
        constexpr float kKeep = 0.985F;
        // Own Box-Muller: std::normal_distribution differs between standard libraries, and recordings must not.
        const auto uniform = [&] { return (static_cast<float>(random() >> 8) + 0.5F) / 16777216.0F; };
        for (int i = 0; i < 3; ++i) {
            const float normal = std::sqrt(-2.0F * std::log(uniform())) * std::cos(2.0F * kPi * uniform());
            value_[i] = kKeep * value_[i] + std::sqrt(1.0F - kKeep * kKeep) * normal;
        }
        return value_;
    }

  private:
    Vector3f value_ = Vector3f::Zero();
};

class ChainWorld {
  public:
    explicit ChainWorld(const ChainSettings& settings, const ChainLink& link)
        : settings_(settings),
          dispatcher_(&configuration_),
          world_(&dispatcher_, &broad_phase_, &solver_, &configuration_),
          random_(settings.seed) {
        world_.setGravity({0, 0, 0});
        for (const auto& piece : link.pieces) {
            auto shape = std::make_unique<btConvexHullShape>();
            for (const Vector3f& corner : piece->corners_m()) shape->addPoint(bullet_vector(corner), false);
            shape->recalcLocalAabb();
            shape->setMargin(0.0005F);
            compound_.addChildShape(btTransform::getIdentity(), shape.get());
            pieces_.push_back(std::move(shape));
        }
        const float pitch = 2.0F * (link.half_length_m + link.joint_gap_m);
        const bool braid = settings.motion == ChainMotion::braided;
        for (int chain = 0; chain < kChainCount; ++chain)
            for (int i = 0; i < kLinksPerChain; ++i) {
                const float along = pitch * (static_cast<float>(i) - 0.5F * (kLinksPerChain - 1));
                btTransform place = btTransform::getIdentity();
                if (braid) {
                    place.setRotation(btQuaternion(btVector3(0, 0, 1), kPi / 2.0F));
                    place.setOrigin({(chain == 0 ? -1.0F : 1.0F) * kBraidOffset_m, along, 0.0F});
                } else {
                    place.setOrigin({along, 0.0F, (chain == 0 ? -1.0F : 1.0F) * 0.35F});
                }
                add_link(place);
            }
        const float end = link.half_length_m + link.joint_gap_m;
        for (int i = 0; i < kChainLinkCount; ++i)
            if (i % kLinksPerChain != kLinksPerChain - 1) add_joint(i, i + 1, end);
        end_m_ = end;
    }
    ~ChainWorld() {
        for (auto& joint : joints_) world_.removeConstraint(joint.get());
        for (auto& body : bodies_) world_.removeRigidBody(body.get());
    }
    ChainWorld(const ChainWorld&) = delete;
    ChainWorld& operator=(const ChainWorld&) = delete;

    void step(int frame) {
        std::array<Vector3f, kChainLinkCount> push;
        for (int i = 0; i < kChainLinkCount; ++i)
            push[static_cast<std::size_t>(i)] = wander_[static_cast<std::size_t>(i)].next(random_);
        for (int sub = 0; sub < kSubSteps; ++sub) {
            settings_.motion == ChainMotion::braided ? pull_braid(frame, push) : push_about(push);
            world_.stepSimulation(kFrame_s / kSubSteps, 0);
        }
    }

    Isometry3f world_from_link(int i) const {
        const btTransform& transform = bodies_[static_cast<std::size_t>(i)]->getWorldTransform();
        const btQuaternion q = transform.getRotation();
        Isometry3f pose = Isometry3f::Identity();
        pose.linear() = Eigen::Quaternionf(static_cast<float>(q.w()), static_cast<float>(q.x()),
                                           static_cast<float>(q.y()), static_cast<float>(q.z()))
                            .normalized()
                            .toRotationMatrix();
        const btVector3& origin = transform.getOrigin();
        pose.translation() =
            Vector3f(static_cast<float>(origin.x()), static_cast<float>(origin.y()), static_cast<float>(origin.z()));
        return pose;
    }

  private:
    static constexpr float kBraidSlack = 0.93F;  // of the chain's length, between its two held ends
    static constexpr float kBraidOffset_m = 0.08F;

    void add_link(const btTransform& place) {
        constexpr btScalar kMass_kg = 1;
        btVector3 inertia;
        compound_.calculateLocalInertia(kMass_kg, inertia);
        btRigidBody::btRigidBodyConstructionInfo info(kMass_kg, nullptr, &compound_, inertia);
        info.m_startWorldTransform = place;
        info.m_friction = 0.1F;
        auto body = std::make_unique<btRigidBody>(info);
        body->setDamping(0.3F, 0.6F);
        body->setActivationState(DISABLE_DEACTIVATION);
        world_.addRigidBody(body.get());
        bodies_.push_back(std::move(body));
    }

    void add_joint(int a, int b, float end_m) {
        btTransform in_a = btTransform::getIdentity(), in_b = btTransform::getIdentity();
        in_a.setOrigin({end_m, 0, 0});
        in_b.setOrigin({-end_m, 0, 0});
        auto joint = std::make_unique<btConeTwistConstraint>(*bodies_[static_cast<std::size_t>(a)],
                                                             *bodies_[static_cast<std::size_t>(b)], in_a, in_b);
        joint->setLimit(kSwing_rad, kSwing_rad, kTwist_rad, 1.0F, 0.3F, 0.5F);
        world_.addConstraint(joint.get(), true);
        joints_.push_back(std::move(joint));
    }

    // Floating chains: random forces push each link, and springs draw all links to the origin so that chains meet.
    void push_about(const std::array<Vector3f, kChainLinkCount>& push) {
        for (int i = 0; i < kChainLinkCount; ++i) {
            btRigidBody& body = *bodies_[static_cast<std::size_t>(i)];
            body.applyCentralForce(kWanderForce_n * bullet_vector(push[static_cast<std::size_t>(i)]) -
                                   kHoming_n_per_m * body.getWorldTransform().getOrigin());
        }
    }

    // Springs hold the four ends. The upper and the lower pair rotate in opposite directions: two and a half turns
    // relative to each other, then back and forth.
    void pull_braid(int frame, const std::array<Vector3f, kChainLinkCount>& push) {
        const float t = static_cast<float>(frame) / static_cast<float>(std::max(1, settings_.frames));
        const float turns = t < 0.3F ? 1.25F * t / 0.3F : 1.25F + 0.15F * std::sin(2.0F * kPi * 8.0F * (t - 0.3F));
        for (int chain = 0; chain < kChainCount; ++chain) {
            const int first = chain * kLinksPerChain;
            const float side = chain == 0 ? -1.0F : 1.0F;
            const float half = kLinksPerChain * end_m_;
            const float a = 2.0F * kPi * turns;
            hold(first + kLinksPerChain - 1, end_m_,
                 {side * kBraidOffset_m * std::cos(a), kBraidSlack * half, side * kBraidOffset_m * std::sin(a)});
            hold(first, -end_m_,
                 {side * kBraidOffset_m * std::cos(-a), -kBraidSlack * half, side * kBraidOffset_m * std::sin(-a)});
        }
        for (int i = 0; i < kChainLinkCount; ++i)
            bodies_[static_cast<std::size_t>(i)]->applyCentralForce(0.5F *
                                                                    bullet_vector(push[static_cast<std::size_t>(i)]));
    }

    void hold(int link, float end_m, const Vector3f& target_m) {
        btRigidBody& body = *bodies_[static_cast<std::size_t>(link)];
        const btVector3 arm = body.getWorldTransform().getBasis() * btVector3(end_m, 0, 0);
        const btVector3 offset = bullet_vector(target_m) - (body.getWorldTransform().getOrigin() + arm);
        body.applyForce(200.0F * offset - 8.0F * body.getVelocityInLocalPoint(arm), arm);
    }

    static constexpr btScalar kWanderForce_n = 4.0F, kHoming_n_per_m = 2.0F;

    ChainSettings settings_;
    btDefaultCollisionConfiguration configuration_;
    btCollisionDispatcher dispatcher_;
    btDbvtBroadphase broad_phase_;
    btSequentialImpulseConstraintSolver solver_;
    btDiscreteDynamicsWorld world_;
    btCompoundShape compound_;
    std::vector<std::unique_ptr<btConvexHullShape>> pieces_;
    std::vector<std::unique_ptr<btRigidBody>> bodies_;
    std::vector<std::unique_ptr<btConeTwistConstraint>> joints_;
    std::array<Wander, kChainLinkCount> wander_;
    std::mt19937 random_;
    float end_m_ = 0.0F;
};

// Two balanced chains under one root. Joint i lies between links i and i + 1; the root's joint between the chains.
collision::ArticulatedBody two_chains() {
    collision::ArticulatedBody body;
    const collision::ArticulatedBody one = collision::make_chain(kLinksPerChain);
    for (int i = 0; i < kChainLinkCount; ++i) body.bone_names.push_back("link " + std::to_string(i));
    std::array<std::int32_t, kChainCount> roots{};
    for (int chain = 0; chain < kChainCount; ++chain) {
        const auto base = static_cast<std::int32_t>(body.nodes.size());
        const auto number = [&](std::int32_t node) {
            return node < kLinksPerChain ? node + chain * kLinksPerChain
                                         : node - kLinksPerChain + kChainLinkCount + base;
        };
        for (const auto& node : one.nodes)
            body.nodes.push_back({number(node.child_a), number(node.child_b), node.joint + chain * kLinksPerChain});
        roots[static_cast<std::size_t>(chain)] = kChainLinkCount + static_cast<std::int32_t>(body.nodes.size()) - 1;
    }
    body.nodes.push_back({roots[0], roots[1], kLinksPerChain - 1});
    for (std::int32_t a = 0; a < kChainLinkCount; ++a)
        for (std::int32_t b = a + 1; b < kChainLinkCount; ++b) body.may_collide.emplace_back(a, b);
    return body;
}

}  // namespace

ChainLink make_chain_link(LinkShape shape, float aspect, float joint_gap) {
    const float half_thickness_m = kHalfLength_m / aspect;
    ChainLink link;
    link.half_length_m = kHalfLength_m;
    link.joint_gap_m = joint_gap * half_thickness_m;
    if (shape == LinkShape::convex) {
        const auto points = rings(half_thickness_m, [](float x, float) { return limb(x); });
        link.hull = collision::ConvexHull::from_points(points);
        link.pieces = {link.hull};
    } else {
        std::vector<Vector3f> all;
        for (const auto& piece : boat_pieces(half_thickness_m)) {
            link.pieces.push_back(collision::ConvexHull::from_points(piece));
            all.insert(all.end(), piece.begin(), piece.end());
        }
        link.hull = collision::ConvexHull::from_points(all);
    }
    // A tight box, built once: it is aligned with the axes of the link.
    collision::Aabb bounds;
    for (const Vector3f& corner : link.hull->corners_m()) bounds.include(corner);
    link.box = collision::obb_of(bounds);
    link.box.half_m *= 1.0F + 1e-6F;
    return link;
}

ChainRecording simulate_chains(const ChainSettings& settings) {
    ChainRecording recording{
        settings, make_chain_link(settings.shape, settings.aspect, settings.joint_gap), two_chains(), {}};
    ChainWorld world(settings, recording.link);
    // A braid hangs along an axis of the simulation. The world is rotated against it, so that no method benefits.
    Isometry3f world_from_simulation = Isometry3f::Identity();
    if (settings.motion == ChainMotion::braided)
        world_from_simulation.linear() =
            collision::rotation_between(Vector3f::UnitY(), Vector3f(1.0F, 1.5F, 0.8F)).toRotationMatrix();
    recording.world_from_link.resize(static_cast<std::size_t>(settings.frames));
    for (int frame = 0; frame < settings.frames; ++frame) {
        world.step(frame);
        for (int i = 0; i < kChainLinkCount; ++i)
            recording.world_from_link[static_cast<std::size_t>(frame)][static_cast<std::size_t>(i)] =
                world_from_simulation * world.world_from_link(i);
    }
    return recording;
}

void pose_chains(const ChainRecording& recording, int frame, collision::BodyPose& pose) {
    const auto& placed = recording.world_from_link[static_cast<std::size_t>(frame)];
    if (pose.shapes.size() != kChainLinkCount)
        pose.shapes.assign(kChainLinkCount, collision::HullInstance{recording.link.hull, Isometry3f::Identity()});
    pose.leaf_boxes.resize(kChainLinkCount);
    pose.joints_m.resize(kChainLinkCount);
    pose.bone_present.assign(kChainLinkCount, 1);
    const float end_m = recording.link.half_length_m + recording.link.joint_gap_m;
    for (std::size_t i = 0; i < kChainLinkCount; ++i) {
        std::get<collision::HullInstance>(pose.shapes[i]).world_from_hull = placed[i];
        pose.leaf_boxes[i] = collision::transformed(placed[i], recording.link.box);
        pose.joints_m[i] = placed[i] * Vector3f(end_m, 0, 0);
    }
    // Nothing joins the two chains, so the articulation between them is half-way between their middles.
    const auto middle = [&](std::size_t first) -> Vector3f {
        return 0.5F * (placed[first + kLinksPerChain / 2 - 1].translation() +
                       placed[first + kLinksPerChain / 2].translation());
    };
    pose.joints_m[kLinksPerChain - 1] = 0.5F * (middle(0) + middle(kLinksPerChain));
}

bool links_touch(const ChainRecording& recording, int frame, int link_a, int link_b) {
    const auto& placed = recording.world_from_link[static_cast<std::size_t>(frame)];
    collision::CollideCounts counts;
    collision::Contact contact;
    const auto meet = [&](const std::shared_ptr<const collision::ConvexHull>& a,
                          const std::shared_ptr<const collision::ConvexHull>& b) {
        return collision::closest(collision::HullInstance{a, placed[static_cast<std::size_t>(link_a)]},
                                  collision::HullInstance{b, placed[static_cast<std::size_t>(link_b)]}, 0.0F, contact,
                                  counts);
    };
    if (!meet(recording.link.hull, recording.link.hull)) return false;
    if (recording.link.pieces.size() == 1) return true;
    for (const auto& piece_a : recording.link.pieces)
        for (const auto& piece_b : recording.link.pieces)
            if (meet(piece_a, piece_b)) return true;
    return false;
}

}  // namespace glovebox::vr
