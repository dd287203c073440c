// A whole frame: a 20-bone hand against a ball, a table and a mesh of 10,000 triangles, every contact with normal and
// depth; and the same hand in a room of 62,000 triangles.
//
// Both sides have the same geometry: rounded bones (round cones and rounded boxes), or for all contenders hulls of 32
// points on the rounded bones. FCL has no round cones, so it is compared with hulls only. A contact is a pair of a bone
// and an object, or of a bone and a triangle of the mesh. All contenders get the same poses.
#include <btBulletCollisionCommon.h>
#include <fcl/broadphase/broadphase_dynamic_AABB_tree.h>
#include <fcl/geometry/bvh/BVH_model.h>
#include <fcl/geometry/shape/box.h>
#include <fcl/geometry/shape/convex.h>
#include <fcl/geometry/shape/sphere.h>
#include <fcl/narrowphase/collision.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <optional>
#include <thread>
#include <tuple>

#include "collision/box/convex_hull.h"
#include "collision/mesh/mesh_tree.h"
#include "collision/query/collide.h"
#include "collision/survey/tree/sample_meshes.h"
#include "scenes/hand_body.h"
#include "scenes/scene.h"
#include "tests/timing/peers/moving_hand.h"
#include "tests/timing/peers/peers.h"
#include "tests/timing/peers/plain.h"
#include "tracking/formatted.h"
#include "vr/platform/platform.h"

namespace glovebox::timing {
namespace {

using collision::Collider;
using collision::Mesh;
using Eigen::Vector3f;

constexpr const char* kMayHalt = "this user may not keep the processor awake (/dev/cpu_dma_latency)";
constexpr float kBallRadius_m = 0.04F;

// The objects' poses. The hand's fingers point along -z from the origin.
struct Stage {
    Eigen::Isometry3f world_from_ball = Eigen::Isometry3f::Identity(), world_from_table = world_from_ball,
                      world_from_mesh = world_from_ball;
    Vector3f table_half_m = {0.4F, 0.05F, 0.4F};
    std::shared_ptr<const collision::MeshTree> mesh;
};

Stage make_stage() {
    Stage stage;
    stage.world_from_ball.translation() = Vector3f(0.03F, 0.045F, -0.14F);
    stage.world_from_table.translation() = Vector3f(0.0F, -0.05F, -0.1F);
    stage.world_from_mesh.translation() = Vector3f(0.0F, -0.028F, -0.02F);  // the hand dips into the ring
    stage.world_from_mesh.linear() =
        Eigen::AngleAxisf(0.5F * static_cast<float>(M_PI), Vector3f::UnitX()).toRotationMatrix();
    Mesh torus = collision::torus(100, 50, {0.0, 0.1, 0.02, 0.5});
    for (Vector3f& vertex_m : torus.vertices_m) vertex_m *= 0.12F;
    stage.mesh = collision::MeshTree::build(std::move(torus));
    return stage;
}

std::vector<Collider> colliders_of(const Stage& stage) {
    std::vector<Collider> objects;
    const auto add = [&](collision::Shape shape) { objects.push_back({shape, collision::bounding_box(shape), ~0U}); };
    const Vector3f ball_m = stage.world_from_ball.translation();
    add(collision::RoundCone{ball_m, ball_m, kBallRadius_m, kBallRadius_m});
    add(collision::RoundedBox{{stage.world_from_table.translation(), Eigen::Matrix3f::Identity(), stage.table_half_m},
                              0.0F});
    add(collision::MeshInstance{stage.mesh, stage.world_from_mesh});
    return objects;
}

struct Tally {
    std::int64_t contacts = 0;
    double depth_m = 0.0;
    void add(double depth) {
        ++contacts;
        depth_m += depth;
    }
};

// ---- bones as hulls

// The corners of a box, as signs of its half extents.
const std::array<Vector3f, 8> kCornerSigns = [] {
    std::array<Vector3f, 8> signs;
    for (unsigned k = 0; k < 8; ++k)
        signs[k] = {(k & 1U) != 0 ? 1.0F : -1.0F, (k & 2U) != 0 ? 1.0F : -1.0F, (k & 4U) != 0 ? 1.0F : -1.0F};
    return signs;
}();

// Returns 32 points on the surface of a rounded bone: rings about the axis, or the corners of a bevelled box.
std::vector<Vector3f> corners_on(const collision::Shape& shape) {
    std::vector<Vector3f> points;
    const auto ring = [&](const Vector3f& middle, const Vector3f& u, const Vector3f& v, float radius, float turn) {
        for (int i = 0; i < 8; ++i) {
            const float angle = turn + 0.25F * static_cast<float>(M_PI) * static_cast<float>(i);
            points.emplace_back(middle + radius * (std::cos(angle) * u + std::sin(angle) * v));
        }
    };
    if (const auto* cone = std::get_if<collision::RoundCone>(&shape)) {
        const Vector3f along = (cone->b_m - cone->a_m).normalized(), u = along.unitOrthogonal(), v = along.cross(u);
        constexpr float kHalf = 0.70710678F;  // rings on the end balls, at 45 degrees
        ring(cone->a_m - kHalf * cone->radius_a_m * along, u, v, kHalf * cone->radius_a_m, 0.0F);
        ring(cone->a_m, u, v, cone->radius_a_m, 0.2F);
        ring(cone->b_m, u, v, cone->radius_b_m, 0.0F);
        ring(cone->b_m + kHalf * cone->radius_b_m * along, u, v, kHalf * cone->radius_b_m, 0.2F);
        return points;
    }
    const auto& box = std::get<collision::RoundedBox>(shape);
    for (const Vector3f& sign : kCornerSigns) {
        const Vector3f at = box.core.center_m + box.core.axes * sign.cwiseProduct(box.core.half_m);
        for (int k = 0; k < 3; ++k) points.emplace_back(at + box.radius_m * sign[k] * box.core.axes.col(k));
        points.emplace_back(at + box.radius_m * (box.core.axes * sign).normalized());
    }
    return points;
}

// ---- ours

enum class Bones { rounded, hulls };

class OurFrame {
  public:
    OurFrame(const MovingHand& hand, std::vector<Collider> objects, Bones bones = Bones::rounded)
        : hand_(&hand), objects_(std::move(objects)), pose_(hand.pose) {
        if (bones == Bones::rounded) return;
        for (std::size_t k = 0; k < hand.shape_in_bone.size(); ++k)
            pose_.shapes[k] =
                collision::HullInstance{collision::ConvexHull::from_points(corners_on(hand.shape_in_bone[k]))};
    }

    void run(std::size_t frame, Tally& tally) {
        find_candidates(frame);
        collision::find_all_contacts(pose_, objects_, candidates_, 0.0F, contacts_, counts_, &memory_);
        for (const collision::Contact& contact : contacts_) tally.add(double{contact.depth_m()});
    }
    /// Appends the contacts of a frame.
    void list(std::size_t frame, std::vector<Touch>& out) {
        Tally sink;
        run(frame, sink);
        for (const collision::Contact& contact : contacts_)
            out.push_back({contact.bone, contact.object, contact.triangle, -contact.distance_m});
    }
    /// Finds the deepest contact of each pair, as a step of the application does.
    void run_deepest(std::size_t frame, Tally& tally) {
        find_candidates(frame);
        collision::find_contacts(pose_, objects_, candidates_, 0.0F, 0.0F, contacts_, counts_, &memory_);
        for (const collision::Contact& contact : contacts_) tally.add(double{contact.depth_m()});
    }

  private:
    void find_candidates(std::size_t frame) {
        const collision::RefitMethod& cab = collision::refit_methods().front();
        place_shapes(frame);
        hand_->place_boxes(frame, pose_);
        cab.refit(scenes::hand_body(), pose_, boxes_);
        candidates_.clear();
        contacts_.clear();
        collision::find_candidates(cab, scenes::hand_body(), pose_, boxes_, objects_, 0.0F, candidates_, counts_, ~0U,
                                   &memory_);
    }

    void place_shapes(std::size_t frame) {
        if (!std::holds_alternative<collision::HullInstance>(pose_.shapes.front()))
            return hand_->place_shapes(frame, pose_);
        for (std::size_t k = 0; k < pose_.shapes.size(); ++k)
            std::get<collision::HullInstance>(pose_.shapes[k]).world_from_hull = hand_->world_from_bone[frame][k];
    }

    const MovingHand* hand_;
    std::vector<Collider> objects_;
    collision::BodyPose pose_;
    collision::BodyBoxes boxes_;
    std::vector<collision::Candidate> candidates_;
    std::vector<collision::Contact> contacts_;
    collision::CollideCounts counts_;
    collision::DescentMemory memory_{static_cast<std::size_t>(scenes::kHandBoneCount)};
};

// ---- FCL

class FclFrame {
  public:
    using Object = fcl::CollisionObject<double>;

    FclFrame(const MovingHand& hand, const Stage& stage) : hand_(&hand) {
        for (const collision::Shape& shape : hand.shape_in_bone) {
            const auto hull = collision::ConvexHull::from_points(corners_on(shape));
            auto vertices = std::make_shared<std::vector<fcl::Vector3d>>();
            for (const Vector3f& corner : hull->corners_m()) vertices->push_back(corner.cast<double>());
            auto faces = std::make_shared<std::vector<int>>();
            for (const auto& facet : hull->facets()) faces->insert(faces->end(), {3, facet[0], facet[1], facet[2]});
            bones_.push_back(std::make_unique<Object>(
                std::make_shared<fcl::Convex<double>>(vertices, static_cast<int>(hull->facets().size()), faces)));
        }
        const auto add = [&](std::shared_ptr<fcl::CollisionGeometry<double>> shape, const Eigen::Isometry3f& at) {
            shape->computeLocalAABB();
            objects_.push_back(std::make_unique<Object>(shape, fcl::Transform3d(at.matrix().cast<double>())));
            objects_.back()->computeAABB();
        };
        add(std::make_shared<fcl::Sphere<double>>(double{kBallRadius_m}), stage.world_from_ball);
        const Eigen::Vector3d size = 2.0 * stage.table_half_m.cast<double>();
        add(std::make_shared<fcl::Box<double>>(size), stage.world_from_table);
        auto model = std::make_shared<fcl::BVHModel<fcl::OBBRSS<double>>>();
        std::vector<fcl::Vector3d> vertices;
        std::vector<fcl::Triangle> triangles;
        for (const Vector3f& vertex : stage.mesh->mesh().vertices_m) vertices.push_back(vertex.cast<double>());
        for (const auto& triangle : stage.mesh->mesh().triangles)
            triangles.emplace_back(triangle[0], triangle[1], triangle[2]);
        model->beginModel();
        model->addSubModel(vertices, triangles);
        model->endModel();
        add(model, stage.world_from_mesh);
        for (const auto& object : objects_) static_.registerObject(object.get());
        static_.setup();
        request_.num_max_contacts = 100000;
        request_.enable_contact = true;
        request_.gjk_solver_type = fcl::GST_LIBCCD;
    }

    void run(std::size_t frame, Tally& tally) {
        struct Query {
            const fcl::CollisionRequest<double>* request;
            Tally* tally;
        } query = {&request_, &tally};
        for (std::size_t i = 0; i < bones_.size(); ++i) {
            bones_[i]->setTransform(fcl::Transform3d(hand_->world_from_bone[frame][i].matrix().cast<double>()));
            bones_[i]->computeAABB();
            static_.collide(bones_[i].get(), &query, [](Object* a, Object* b, void* data) {
                const auto* q = static_cast<Query*>(data);
                fcl::CollisionResult<double> result;
                fcl::collide(a, b, *q->request, result);
                for (std::size_t k = 0; k < result.numContacts(); ++k)
                    q->tally->add(result.getContact(k).penetration_depth);
                return false;
            });
        }
    }

  private:
    const MovingHand* hand_;
    std::vector<std::unique_ptr<Object>> bones_, objects_;
    fcl::DynamicAABBTreeCollisionManager<double> static_;
    fcl::CollisionRequest<double> request_;
};

// ---- Bullet

// Bullet is made for sizes from 5 cm to 10 m; a hand in metres is far below, so everything is scaled by twenty.
constexpr float kBulletPerMetre = 20.0F;

btVector3 bullet(const Vector3f& at_m) {
    return kBulletPerMetre * btVector3(at_m.x(), at_m.y(), at_m.z());
}
btTransform bullet(const Eigen::Isometry3f& pose) {
    const Eigen::Matrix3f& r = pose.linear();
    return btTransform(btMatrix3x3(r(0, 0), r(0, 1), r(0, 2), r(1, 0), r(1, 1), r(1, 2), r(2, 0), r(2, 1), r(2, 2)),
                       bullet(Vector3f(pose.translation())));
}

class BulletFrame {
  public:
    BulletFrame(const MovingHand& hand, const Stage& stage, Bones bones) : hand_(&hand) {
        for (const collision::Shape& shape : hand.shape_in_bone)
            bones_.push_back(
                add(bones == Bones::hulls ? hull(shape) : rounded(shape), Eigen::Isometry3f::Identity(), 1, 2));
        add(std::make_unique<btSphereShape>(kBulletPerMetre * kBallRadius_m), stage.world_from_ball, 2, 1);
        add(std::make_unique<btBoxShape>(bullet(stage.table_half_m)), stage.world_from_table, 2, 1);
        for (const auto& t : stage.mesh->mesh().triangles)
            triangles_.addTriangle(bullet(stage.mesh->mesh().vertices_m[t[0]]),
                                   bullet(stage.mesh->mesh().vertices_m[t[1]]),
                                   bullet(stage.mesh->mesh().vertices_m[t[2]]));
        auto mesh = std::make_unique<btBvhTriangleMeshShape>(&triangles_, true);
        mesh->setMargin(0.0F);
        add(std::move(mesh), stage.world_from_mesh, 2, 1);
    }
    ~BulletFrame() {
        for (const auto& object : objects_) world_.removeCollisionObject(object.get());
    }
    BulletFrame(const BulletFrame&) = delete;
    BulletFrame& operator=(const BulletFrame&) = delete;

    void run(std::size_t frame, Tally& tally) {
        for (std::size_t i = 0; i < bones_.size(); ++i)
            bones_[i]->setWorldTransform(bullet(hand_->world_from_bone[frame][i]));
        world_.performDiscreteCollisionDetection();
        for (int k = 0; k < dispatcher_.getNumManifolds(); ++k) {
            const btPersistentManifold& manifold = *dispatcher_.getManifoldByIndexInternal(k);
            for (int c = 0; c < manifold.getNumContacts(); ++c)
                if (manifold.getContactPoint(c).getDistance() <= 0.0F)
                    tally.add(-double{manifold.getContactPoint(c).getDistance() / kBulletPerMetre});
        }
    }

  private:
    static std::unique_ptr<btCollisionShape> hull(const collision::Shape& shape) {
        auto result = std::make_unique<btConvexHullShape>();
        for (const Vector3f& corner : corners_on(shape)) result->addPoint(bullet(corner), false);
        result->recalcLocalAabb();
        result->setMargin(0.0F);
        return result;
    }
    // A round cone is the hull of two balls, a rounded box of eight.
    static std::unique_ptr<btCollisionShape> rounded(const collision::Shape& shape) {
        std::vector<btVector3> centers;
        std::vector<btScalar> radii;
        const auto ball = [&](const Vector3f& at_m, float radius_m) {
            centers.push_back(bullet(at_m));
            radii.push_back(kBulletPerMetre * radius_m);
        };
        if (const auto* cone = std::get_if<collision::RoundCone>(&shape)) {
            ball(cone->a_m, cone->radius_a_m);
            ball(cone->b_m, cone->radius_b_m);
        } else {
            const auto& box = std::get<collision::RoundedBox>(shape);
            for (const Vector3f& sign : kCornerSigns)
                ball(box.core.center_m + box.core.axes * sign.cwiseProduct(box.core.half_m), box.radius_m);
        }
        return std::make_unique<btMultiSphereShape>(centers.data(), radii.data(), static_cast<int>(radii.size()));
    }

    btCollisionObject* add(std::unique_ptr<btCollisionShape> shape, const Eigen::Isometry3f& at, int group, int mask) {
        auto& object = objects_.emplace_back(std::make_unique<btCollisionObject>());
        object->setCollisionShape(shape.get());
        object->setWorldTransform(bullet(at));
        world_.addCollisionObject(object.get(), group, mask);
        shapes_.push_back(std::move(shape));
        return object.get();
    }

    const MovingHand* hand_;
    btDefaultCollisionConfiguration configuration_;
    btCollisionDispatcher dispatcher_{&configuration_};
    btDbvtBroadphase broadphase_;
    btCollisionWorld world_{&dispatcher_, &broadphase_, &configuration_};
    btTriangleMesh triangles_;
    std::vector<std::unique_ptr<btCollisionShape>> shapes_;
    std::vector<std::unique_ptr<btCollisionObject>> objects_;
    std::vector<btCollisionObject*> bones_;
};

// A refit of 750 cycles; 120 box tests of 12, about 20 nodes and 10 blocks of the mesh of 60, ten exact tests of 150.
// Memory accessed: bones, boxes, nodes of 128 bytes and blocks of 160. If all of it is cold, about 700 cache lines
// including the code must be fetched as well, at 20 cycles each if fetches overlap fully.
constexpr Floor kFrameFloor{5'500.0, 20'000.0, 12'000.0};

// ---- the libraries of peer_library.h

class LibraryFrame {
  public:
    LibraryFrame(const PeerLibrary& library, const MovingHand& hand, std::span<const Collider> objects, Bones bones)
        : name_(library.name) {
        std::vector<PlainShape> plain_bones, plain_objects;
        for (const collision::Shape& shape : hand.shape_in_bone)
            plain_bones.push_back(bones == Bones::hulls
                                      ? PlainShape(plain(*collision::ConvexHull::from_points(corners_on(shape))))
                                      : plain(shape));
        for (const Collider& object : objects) plain_objects.push_back(plain(object.shape));
        query_ = library.frame(plain_bones, plain_objects);
    }
    const std::string& name() const { return name_; }
    void add_frame(std::span<const Eigen::Isometry3f> world_from_bone) {
        auto& poses = frames_.emplace_back();
        for (const Eigen::Isometry3f& pose : world_from_bone) poses.push_back(plain(pose));
    }
    void run(std::size_t frame, Tally& tally) {
        touches_.clear();
        query_(frames_[frame], touches_);
        for (const Touch& touch : touches_) tally.add(double{touch.depth_m});
    }
    void list(std::size_t frame, std::vector<Touch>& out) { query_(frames_[frame], out); }

  private:
    std::string name_;
    FrameQuery query_;
    std::vector<std::vector<PlainPose>> frames_;
    std::vector<Touch> touches_;
};

std::vector<LibraryFrame> library_frames(const MovingHand& hand, std::span<const Collider> objects, Bones bones) {
    std::vector<LibraryFrame> result;
    for (const PeerLibrary& library : peer_libraries())
        if (library.frame != nullptr) result.emplace_back(library, hand, objects, bones);
    return result;
}

// Answers that differ: contacts that only one side found, and contacts with different depths.
struct Differences {
    std::int64_t only_ours = 0, only_theirs = 0, depths = 0;
    std::int64_t beyond = 0;  // depths that are not compared
    double largest_m = 0.0;   // difference of depths
    std::int64_t sum() const { return only_ours + only_theirs + depths; }
};

// Contacts shallower than this may be missing on one side, and depths may differ by this or by a hundredth.
constexpr float kDepthTolerance_m = 2e-5F;

// The radius of a bone: a contact at least this deep may have the bone's core beyond the triangle. There our depth is
// measured from the triangle's front, while Jolt's is the minimum translation to either side, so they are not compared.
float radius_of(const collision::Shape& bone) {
    if (const auto* cone = std::get_if<collision::RoundCone>(&bone))
        return std::min(cone->radius_a_m, cone->radius_b_m);
    return std::get<collision::RoundedBox>(bone).radius_m;
}

void compare(const MovingHand& hand, std::vector<Touch> ours, std::vector<Touch> theirs, Differences& result) {
    const auto key = [](const Touch& touch) { return std::tuple(touch.bone, touch.object, touch.triangle); };
    const auto by_key = [&](const Touch& a, const Touch& b) { return key(a) < key(b); };
    std::sort(ours.begin(), ours.end(), by_key);
    std::sort(theirs.begin(), theirs.end(), by_key);
    for (auto a = ours.begin(), b = theirs.begin(); a != ours.end() || b != theirs.end();) {
        if (b == theirs.end() || (a != ours.end() && by_key(*a, *b))) {
            result.only_ours += (a++)->depth_m > kDepthTolerance_m;
        } else if (a == ours.end() || by_key(*b, *a)) {
            result.only_theirs += (b++)->depth_m > kDepthTolerance_m;
        } else {
            const float by_m = std::abs(a->depth_m - b->depth_m);
            if (a->triangle >= 0 && a->depth_m >= radius_of(hand.shape_in_bone[static_cast<std::size_t>(a->bone)])) {
                ++result.beyond;
            } else {
                result.depths += by_m > std::max(kDepthTolerance_m, 0.01F * a->depth_m);
                result.largest_m = std::max(result.largest_m, double{by_m});
            }
            ++a, ++b;
        }
    }
}

std::string text_of(const Differences& differences) {
    return tracking::formatted(
        "%lld contacts only ours, %lld only theirs, %lld depths differ; the largest difference is "
        "%.3g mm; %lld depths beyond the surface not compared",
        static_cast<long long>(differences.only_ours), static_cast<long long>(differences.only_theirs),
        static_cast<long long>(differences.depths), 1e3 * differences.largest_m,
        static_cast<long long>(differences.beyond));
}

std::string tally_text(const Tally& tally, std::size_t frames) {
    return tracking::formatted("%.1f contacts a frame, %.2f mm deep on average",
                               static_cast<double>(tally.contacts) / static_cast<double>(frames),
                               tally.contacts > 0 ? 1e3 * tally.depth_m / static_cast<double>(tally.contacts) : 0.0);
}

// Races one geometry: in a tight loop, and with pauses.
void run_bones(Bones bones, const MovingHand& hand, const Stage& stage, const PeerOptions& options,
               PeerReport& report) {
    const std::string work =
        bones == Bones::rounded ? "whole frame, all bones rounded" : "whole frame, all bones hulls";
    const std::vector<Collider> objects = colliders_of(stage);
    OurFrame ours(hand, objects, bones);
    FclFrame fcl_frame(hand, stage);
    BulletFrame bullet_frame(hand, stage, bones);
    std::vector<LibraryFrame> libraries = library_frames(hand, objects, bones);
    for (LibraryFrame& library : libraries)
        for (const auto& world_from_bone : hand.world_from_bone) library.add_frame(world_from_bone);

    Tally sink;
    std::size_t first = 0, frames = hand.frames();  // of one run
    std::vector<Contender> contenders;
    std::string note = work + ": ";
    const auto add = [&](std::string name, double required, auto& frame) {
        Tally tally;
        for (std::size_t i = 0; i < hand.frames(); ++i) frame.run(i, tally);
        note += (contenders.empty() ? "" : "; ") + name + " " + tally_text(tally, hand.frames());
        contenders.push_back({std::move(name),
                              [&] {
                                  for (std::size_t i = first; i < first + frames; ++i) frame.run(i, sink);
                              },
                              required, tally.contacts});
    };
    add("glovebox", 0.0, ours);
    if (bones == Bones::hulls) add("FCL, DynamicAABBTree, libccd", 2.0, fcl_frame);
    add("Bullet, collision world", bones == Bones::hulls ? 2.0 : 4.0, bullet_frame);
    for (LibraryFrame& library : libraries) {
        add(library.name(), bones == Bones::hulls ? 2.0 : 3.0, library);
        Differences differences;
        for (std::size_t i = 0; i < hand.frames(); ++i) {
            std::vector<Touch> our_touches, their_touches;
            ours.list(i, our_touches);
            library.list(i, their_touches);
            compare(hand, std::move(our_touches), std::move(their_touches), differences);
        }
        contenders.back().differ = differences.sum();
        note += " (" + text_of(differences) + ")";
    }
    report.note(note);
    // Only pairs that barely touch may differ. Bullet keeps up to four points of a pair, some of them from earlier
    // frames, so its count is not compared.
    for (const Contender& contender : contenders)
        if (!contender.name.starts_with("Bullet") &&
            std::max(contender.differ, std::abs(contenders[0].contacts - contender.contacts)) >
                contenders[0].contacts / 50)
            report.disagree(work + ", contacts of " + contender.name);

    const auto pieces = static_cast<double>(hand.frames());
    report.add({work + ", tight loop", "frame", pieces, true, 0.0, kFrameFloor}, contenders,
               race(contenders, options.quick ? 2 : 7));

    // All contenders run the same frames in the same order.
    std::vector<Contender> sparse;
    frames = 1;
    for (const Contender& contender : contenders)
        sparse.push_back({contender.name,
                          [&, run = contender.run, next = std::size_t{0}]() mutable {
                              first = next = (next + 37) % hand.frames();
                              run();
                          },
                          contender.required});
    const int rounds = options.quick ? 3 : 150;
    report.add({work + ", 8 ms of sleep between", "frame", 1.0, true, 0.0, kFrameFloor}, sparse,
               race_sparsely(sparse, rounds, 0.008));
    if (const vr::KeepAwake awake; awake.in_force())
        report.add({work + ", 8 ms of sleep between, processor kept awake", "frame", 1.0, true, 0.0, kFrameFloor},
                   sparse, race_sparsely(sparse, rounds, 0.008));
    else
        report.note(work + ": " + kMayHalt);
}

}  // namespace

void run_frame(const PeerOptions& options, PeerReport& report) {
    const MovingHand hand = moving_hand(options.quick ? 8 : 128, 0.012F);
    const Stage stage = make_stage();
    for (const Bones bones : {Bones::rounded, Bones::hulls}) run_bones(bones, hand, stage, options, report);
}

// ---- the room

namespace {

// The refit, twenty bones against about 110 nodes and 40 blocks of 60 cycles, four to five exact tests of 150.
constexpr Floor kRoomFloor{10'500.0, 60'000.0, 25'000.0};

// Races every contact of the hand at all places, some frames at each, if a library takes part.
void race_room(std::vector<OurFrame>& ours, const std::vector<std::vector<Collider>>& places, const MovingHand& hand,
               const PeerOptions& options, PeerReport& report) {
    // The libraries' mesh stays where it is at the first place; the hand moves instead.
    const auto world_from_mesh = [&](std::size_t place) {
        return std::get<collision::MeshInstance>(places[place][0].shape).world_from_mesh;
    };
    std::vector<LibraryFrame> libraries = library_frames(hand, places.front(), Bones::rounded);
    if (libraries.empty()) return;
    struct Visit {
        std::size_t place, frame;
    };
    std::vector<Visit> visits;
    const std::size_t steps = options.quick ? 4 : 16;
    for (std::size_t place = 0; place < places.size(); ++place)
        for (std::size_t step = 0; step < steps; ++step) {
            visits.push_back({place, (7 * place + step) % hand.frames()});
            std::vector<Eigen::Isometry3f> poses = hand.world_from_bone[visits.back().frame];
            for (Eigen::Isometry3f& pose : poses) pose = world_from_mesh(0) * world_from_mesh(place).inverse() * pose;
            for (LibraryFrame& library : libraries) library.add_frame(poses);
        }

    Tally tally;
    std::vector<Contender> contenders = {{"glovebox", [&] {
                                              tally = {};
                                              for (const Visit& visit : visits)
                                                  ours[visit.place].run(visit.frame, tally);
                                          }}};
    for (LibraryFrame& library : libraries)
        contenders.push_back({library.name(), [&] {
                                  tally = {};
                                  for (std::size_t i = 0; i < visits.size(); ++i) library.run(i, tally);
                              }});
    const std::string work = "20 rounded bones in a room, every contact";
    std::string note = work + ": ";
    for (std::size_t k = 0; k < contenders.size(); ++k) {
        contenders[k].run();
        contenders[k].contacts = tally.contacts;
        note += (k == 0 ? "" : "; ") + contenders[k].name + " " + tally_text(tally, visits.size());
        if (k == 0) continue;
        Differences differences;
        for (std::size_t i = 0; i < visits.size(); ++i) {
            std::vector<Touch> our_touches, their_touches;
            ours[visits[i].place].list(visits[i].frame, our_touches);
            libraries[k - 1].list(i, their_touches);
            compare(hand, std::move(our_touches), std::move(their_touches), differences);
        }
        contenders[k].differ = differences.sum();
        note += " (" + text_of(differences) + ")";
        if (differences.sum() > contenders[0].contacts / 50)
            report.disagree(work + ", contacts of " + contenders[k].name);
    }
    report.note(note);
    report.add({work, "frame", static_cast<double>(visits.size()), true, 5.0, kRoomFloor}, contenders,
               race(contenders, 7));
}

// Loads a scan of a real room if available; otherwise makes a box of that size with a rough floor and furniture.
Mesh room_mesh(PeerReport& report) {
    const char* folder = std::getenv("GLOVEBOX_REAL_DATA");
    if (folder != nullptr) {
        const auto path = std::filesystem::path(folder) / "meshes" / "quest_living_room.ply";
        if (std::filesystem::exists(path)) return scenes::load_mesh(path, 1.0F);
    }
    report.note("room: GLOVEBOX_REAL_DATA has no scan of a room; a made one stands in");
    Mesh room = collision::torus(220, 141, {0.0, 0.2, 0.05, 0.0});
    for (Vector3f& vertex_m : room.vertices_m) vertex_m = 1.5F * vertex_m;
    return room;
}

}  // namespace

void run_room(const PeerOptions& options, PeerReport& report) {
    const MovingHand hand = moving_hand(options.quick ? 32 : 512, 0.0F);
    Mesh mesh = room_mesh(report);
    const auto triangles = static_cast<std::int64_t>(mesh.triangles.size());
    const auto tree = collision::MeshTree::build(std::move(mesh));
    // Surface exploration: the hand is put at points spread over the scan, palm down, up to 5 mm deep.
    std::vector<std::vector<Collider>> places;
    const int count = options.quick ? 4 : 64;
    for (int i = 0; i < count; ++i) {
        const auto triangle = static_cast<std::int32_t>(i * triangles / count + triangles / (2 * count));
        const collision::Triangle corners = collision::triangle_of(tree->mesh(), triangle);
        const Eigen::Vector3d normal = (corners[1] - corners[0]).cross(corners[2] - corners[0]);
        if (!(normal.norm() > 0.0)) continue;
        const Eigen::Quaterniond turn =
            Eigen::Quaterniond::FromTwoVectors(normal.normalized(), Eigen::Vector3d::UnitY());
        Eigen::Isometry3d world_from_mesh = Eigen::Isometry3d::Identity();
        world_from_mesh.linear() = turn.toRotationMatrix();
        world_from_mesh.translation() = Eigen::Vector3d(0.0, 0.005, -0.1) - turn * corners[0];
        const collision::Shape shape =
            collision::MeshInstance{tree, Eigen::Isometry3f(world_from_mesh.matrix().cast<float>())};
        places.push_back({{shape, collision::bounding_box(shape), ~0U}});
    }
    std::vector<OurFrame> frames;
    for (const auto& objects : places) frames.emplace_back(hand, objects);
    race_room(frames, places, hand, options, report);

    // The machine's own cost of accessing as much memory: a heavy frame executes and reads about a thousand lines of 64
    // bytes.
    struct Line {
        alignas(64) std::uint64_t number = 1;
    };
    const std::vector<Line> lines(1024);
    std::uint64_t read_sum = 0;

    // Other work of a program between frames: building trees of a mesh, which uses about two megabytes of memory and
    // all of a builder's code.
    const Mesh other_mesh = collision::torus(100, 50, {0.0, 0.1, 0.02, 0.5});
    const auto work_otherwise = [&](double seconds) {
        const double end_ns = now_ns() + 1e9 * seconds;
        while (now_ns() < end_ns) collision::MeshTree::build(other_mesh);
    };

    // Consecutive frames, as a hand moves: results remembered from the previous frame help as much as in real use.
    enum class Between { nothing, sleep, sleep_awake, other_work };
    struct Row {
        const char* name;
        std::size_t stride;
        Between between;
    };
    for (const Row& row :
         {Row{", tight loop", 1, Between::nothing}, Row{", tight loop, a hand five times as fast", 5, Between::nothing},
          Row{", 8 ms of sleep between", 1, Between::sleep},
          Row{", 8 ms of other work between", 1, Between::other_work},
          Row{", 8 ms of sleep between, processor kept awake", 1, Between::sleep_awake}}) {
        const bool sparse = row.between != Between::nothing;
        std::optional<vr::KeepAwake> awake;
        if (row.between == Between::sleep_awake && !awake.emplace().in_force()) {
            report.note(std::string("room: ") + kMayHalt);
            break;
        }
        std::vector<double> read_us;
        std::vector<double> took_us;
        Tally tally;
        std::int64_t visits = 0;
        const std::size_t steps = sparse ? (options.quick ? 2 : 6) : (options.quick ? 4 : 64);
        std::size_t first = 0;
        for (OurFrame& frame : frames) {
            first += 7;                                       // each place gets a different part of the motion
            frame.run_deepest(first % hand.frames(), tally);  // the hand arrives at this place
            for (std::size_t step = 1; step <= steps; ++step, ++visits) {
                const std::size_t at = (first + step * row.stride) % hand.frames();
                if (row.between == Between::other_work)
                    work_otherwise(0.008);
                else if (sparse)
                    std::this_thread::sleep_for(std::chrono::milliseconds(8));
                const double start_ns = now_ns();
                frame.run_deepest(at, tally);
                took_us.push_back(1e-3 * (now_ns() - start_ns));
                if (!sparse) continue;
                const double read_start_ns = now_ns();
                for (const Line& line : lines) read_sum += line.number;
                read_us.push_back(1e-3 * (now_ns() - read_start_ns));
            }
        }
        const double p50_us = median(took_us), p99_us = quantile(took_us, 0.99);
        report.add(
            {{"work",
              std::string("20 rounded bones in a room of ") + std::to_string(triangles) + " triangles" + row.name},
             {"unit", "us per frame"},
             {"p50", p50_us},
             {"p90", quantile(took_us, 0.9)},
             {"p99", p99_us},
             {"max", *std::max_element(took_us.begin(), took_us.end())},
             {"contacts", static_cast<double>(tally.contacts) / static_cast<double>(visits + std::ssize(frames))},
             {"asked", 20.0},
             {"holds", p99_us < 20.0 ? "yes" : "no"},
             {"cycles", 1e3 * p50_us * cycles_per_ns()},
             {"floor_cycles", kRoomFloor.cycles},
             {"floor_flops", kRoomFloor.flops},
             {"floor_bytes", kRoomFloor.bytes}});
        if (!sparse) continue;
        report.add({{"work", "to read " + std::to_string(lines.size()) + " lines in a row after each of those frames"},
                    {"unit", "us"},
                    {"p50", median(read_us)},
                    {"p90", quantile(read_us, 0.9)},
                    {"p99", quantile(read_us, 0.99)},
                    {"max", *std::max_element(read_us.begin(), read_us.end())}});
    }
    if (read_sum % lines.size() != 0) report.disagree("lines were read that are none");
}

}  // namespace glovebox::timing
