// A whole frame: a 20-bone hand against a ball, a table and a mesh of 10,000 triangles, every contact with normal and
// depth; and the same hand in a room of 62,000 triangles, for which no peer is timed.
//
// The peers' bones are hulls of 32 points on our rounded bones, since not all peers have round cones. A contact is a
// pair of a bone and an object, or of a bone and a triangle of the mesh. All contenders get the same poses.
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

#include "collision/box/convex_hull.h"
#include "collision/mesh/mesh_tree.h"
#include "collision/query/collide.h"
#include "collision/survey/tree/sample_meshes.h"
#include "scenes/hand_body.h"
#include "scenes/scene.h"
#include "tests/timing/peers/moving_hand.h"
#include "tests/timing/peers/peers.h"
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
    stage.world_from_mesh.translation() = Vector3f(0.0F, -0.046F, -0.05F);
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
    for (int corner = 0; corner < 8; ++corner) {
        const Vector3f sign((corner & 1) != 0 ? 1.0F : -1.0F, (corner & 2) != 0 ? 1.0F : -1.0F,
                            (corner & 4) != 0 ? 1.0F : -1.0F);
        const Vector3f at = box.core.center_m + box.core.axes * sign.cwiseProduct(box.core.half_m);
        for (int k = 0; k < 3; ++k) points.emplace_back(at + box.radius_m * sign[k] * box.core.axes.col(k));
        points.emplace_back(at + box.radius_m * (box.core.axes * sign).normalized());
    }
    return points;
}

// ---- ours

class OurFrame {
  public:
    enum class Bones { rounded, hulls };
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
    BulletFrame(const MovingHand& hand, const Stage& stage) : hand_(&hand) {
        for (const collision::Shape& shape : hand.shape_in_bone) {
            auto hull = std::make_unique<btConvexHullShape>();
            for (const Vector3f& corner : corners_on(shape)) hull->addPoint(bullet(corner), false);
            hull->recalcLocalAabb();
            hull->setMargin(0.0F);
            bones_.push_back(add(std::move(hull), Eigen::Isometry3f::Identity(), 1, 2));
        }
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

std::string tally_text(const Tally& tally, std::size_t frames) {
    std::array<char, 80> text{};
    std::snprintf(text.data(), text.size(), "%.1f contacts a frame, %.2f mm deep on average",
                  static_cast<double>(tally.contacts) / static_cast<double>(frames),
                  tally.contacts > 0 ? 1e3 * tally.depth_m / static_cast<double>(tally.contacts) : 0.0);
    return text.data();
}

template <class Frame>
Tally tally_of(Frame& frame, std::size_t frames) {
    Tally tally;
    for (std::size_t i = 0; i < frames; ++i) frame.run(i, tally);
    return tally;
}

}  // namespace

void run_frame(const PeerOptions& options, PeerReport& report) {
    const MovingHand hand = moving_hand(options.quick ? 8 : 128, 0.012F);
    const Stage stage = make_stage();
    OurFrame ours(hand, colliders_of(stage)), our_hulls(hand, colliders_of(stage), OurFrame::Bones::hulls);
    FclFrame fcl_frame(hand, stage);
    BulletFrame bullet_frame(hand, stage);
    const Tally our_tally = tally_of(ours, hand.frames()), our_hull_tally = tally_of(our_hulls, hand.frames()),
                fcl_tally = tally_of(fcl_frame, hand.frames()), bullet_tally = tally_of(bullet_frame, hand.frames());
    report.note("whole frame: glovebox " + tally_text(our_tally, hand.frames()) + ", with hulls " +
                tally_text(our_hull_tally, hand.frames()) + "; FCL " + tally_text(fcl_tally, hand.frames()) +
                "; Bullet " + tally_text(bullet_tally, hand.frames()));
    // Hulls are inside the rounded bones, so we may only find more contacts. Bullet counts points, up to four a pair,
    // some of them kept from earlier frames, so its count is not compared.
    if (our_tally.contacts < fcl_tally.contacts) report.disagree("fewer contacts than FCL");
    // With the same hulls, only pairs that barely touch may differ.
    if (std::abs(our_hull_tally.contacts - fcl_tally.contacts) > fcl_tally.contacts / 50)
        report.disagree("other contacts of hulls than FCL");

    Tally sink;
    const auto all = [&](auto& frame) {
        for (std::size_t i = 0; i < hand.frames(); ++i) frame.run(i, sink);
    };
    const std::vector<Contender> tight = {{"glovebox", [&] { all(ours); }},
                                          {"FCL, DynamicAABBTree, libccd", [&] { all(fcl_frame); }},
                                          {"Bullet, collision world", [&] { all(bullet_frame); }}};
    const auto frames = static_cast<double>(hand.frames());
    const auto add = [&](const char* work, std::span<const Contender> contenders, double pieces,
                         const std::vector<std::vector<double>>& rounds_ns,
                         const std::array<double, 2>& required = {8.0, 4.0}) {
        // One row per peer, because the required ratios differ.
        for (std::size_t k = 1; k < contenders.size(); ++k) {
            const std::vector<Contender> pair = {contenders[0], contenders[k]};
            report.add({work, "frame", pieces, true, required[k - 1], kFrameFloor}, pair, {rounds_ns[0], rounds_ns[k]});
        }
    };
    add("whole frame, our bones rounded, tight loop", tight, frames, race(tight, options.quick ? 2 : 7));
    const std::vector<Contender> hulls = {{"glovebox", [&] { all(our_hulls); }}, tight[1], tight[2]};
    add("whole frame, all bones hulls, tight loop", hulls, frames, race(hulls, options.quick ? 2 : 7), {2.0, 2.0});

    std::size_t next = 0;
    const auto one = [&](auto& frame) { frame.run(next = (next + 37) % hand.frames(), sink); };
    const std::vector<Contender> sparse = {{"glovebox", [&] { one(ours); }},
                                           {"FCL, DynamicAABBTree, libccd", [&] { one(fcl_frame); }},
                                           {"Bullet, collision world", [&] { one(bullet_frame); }}};
    const int rounds = options.quick ? 3 : 150;
    add("whole frame, 8 ms of sleep between", sparse, 1.0, race_sparsely(sparse, rounds, 0.008));
    if (const vr::KeepAwake awake; awake.in_force())
        add("whole frame, 8 ms of sleep between, processor kept awake", sparse, 1.0,
            race_sparsely(sparse, rounds, 0.008));
    else
        report.note(std::string("whole frame: ") + kMayHalt);
}

// ---- the room

namespace {

// The refit, twenty bones against about 110 nodes and 40 blocks of 60 cycles, four to five exact tests of 150.
constexpr Floor kRoomFloor{10'500.0, 60'000.0, 25'000.0};

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
