// Mesh against mesh: two tori of 69,696 triangles with spikes, dimples, wrinkles and a twist, near contact.
//
// 48 random rotations; the second torus approaches along a random direction until it has the given gap or depth
// relative to first touch. FCL uses its own trees of oriented boxes, in double; ODE uses OPCODE's quantized boxes in
// float, and its times include generating contact points. FCL must find as many pairs as we do.
#include <fcl/geometry/bvh/BVH_model.h>
#include <fcl/narrowphase/collision.h>

#include <algorithm>
#include <cmath>
#include <span>

#include "collision/mesh/mesh_tree.h"
#include "collision/query/mesh_pair.h"
#include "collision/survey/fit/random.h"
#include "collision/survey/tree/sample_meshes.h"
#include "tests/timing/peers/peers.h"
#include "tracking/formatted.h"
#if GLOVEBOX_HAS_ODE
#include <ode/ode.h>
#endif

namespace glovebox::timing {
namespace {

using collision::Mesh;
using collision::ObbTree;
using FclModel = fcl::BVHModel<fcl::OBB<double>>;

std::shared_ptr<FclModel> fcl_model(const Mesh& mesh) {
    std::vector<fcl::Vector3d> vertices;
    std::vector<fcl::Triangle> triangles;
    for (const auto& v : mesh.vertices_m) vertices.emplace_back(v.cast<double>());
    for (const auto& t : mesh.triangles) triangles.emplace_back(t[0], t[1], t[2]);
    auto model = std::make_shared<FclModel>();
    model->beginModel(static_cast<int>(triangles.size()), static_cast<int>(vertices.size()));
    model->addSubModel(vertices, triangles);
    model->endModel();
    return model;
}

struct Poses {
    const char* name;
    float gap_m;
    bool all;
    double asked_fcl;
    std::vector<Eigen::Isometry3f> a_from_b;
};

// Finds the positions where the second torus first touches, to 0.1 micrometres, for many rotations and directions.
std::vector<Poses> near_contact(const ObbTree& tree, int count) {
    std::vector<Poses> result = {{"first contact, 5 mm apart", 0.005F, false, 5.0, {}},
                                 {"first contact, 2 mm deep", -0.002F, false, 5.0, {}},
                                 {"first contact, 5 cm deep", -0.05F, false, 5.0, {}},
                                 {"all contacts, 2 mm deep", -0.002F, true, 4.0, {}},
                                 {"all contacts, 5 cm deep", -0.05F, true, 4.0, {}}};
    collision::Random random(5);
    const auto around_zero = [&] { return static_cast<float>(random.between(-1, 1)); };
    collision::PairQueryMemory memory;
    collision::TreeQueryCounts counts;
    for (int i = 0; i < count; ++i) {
        const Eigen::Quaternionf turn(around_zero(), around_zero(), around_zero(), around_zero());
        const Eigen::Vector3f from = Eigen::Vector3f(around_zero(), around_zero(), around_zero()).normalized();
        const auto pose_at = [&](float distance_m) {
            Eigen::Isometry3f pose = Eigen::Isometry3f::Identity();
            pose.linear() = turn.normalized().toRotationMatrix();
            pose.translation() = from * distance_m;
            return pose;
        };
        float touching_m = 4.0F;
        while (!touch(tree, tree, pose_at(touching_m), counts, memory)) touching_m -= 0.01F;
        float apart_m = touching_m + 0.01F;
        for (int k = 0; k < 17; ++k) {
            const float middle_m = 0.5F * (touching_m + apart_m);
            (touch(tree, tree, pose_at(middle_m), counts, memory) ? touching_m : apart_m) = middle_m;
        }
        for (Poses& poses : result) poses.a_from_b.push_back(pose_at(apart_m + poses.gap_m));
    }
    return result;
}

#if GLOVEBOX_HAS_ODE
// Two ODE shapes over one mesh. ODE's collider uses the poses set on the shapes.
class OdePair {
  public:
    explicit OdePair(const Mesh& mesh) : contacts_(65'000) {
        dInitODE2(0);
        for (const auto& v : mesh.vertices_m)
            for (int k = 0; k < 3; ++k) vertices_.push_back(v[k]);
        for (const auto& t : mesh.triangles)
            for (const std::uint32_t corner : t) indices_.push_back(corner);
        data_ = dGeomTriMeshDataCreate();
        dGeomTriMeshDataBuildSingle(data_, vertices_.data(), 3 * sizeof(float),
                                    static_cast<int>(mesh.vertices_m.size()), indices_.data(),
                                    static_cast<int>(indices_.size()), 3 * sizeof(dTriIndex));
        a_ = dCreateTriMesh(nullptr, data_, nullptr, nullptr, nullptr);
        b_ = dCreateTriMesh(nullptr, data_, nullptr, nullptr, nullptr);
    }
    ~OdePair() {
        dGeomDestroy(a_);
        dGeomDestroy(b_);
        dGeomTriMeshDataDestroy(data_);
        dCloseODE();
    }
    OdePair(const OdePair&) = delete;
    OdePair& operator=(const OdePair&) = delete;

    int collide(const Eigen::Isometry3f& a_from_b, bool all) {
        dMatrix3 rotation = {};
        for (int row = 0; row < 3; ++row)
            for (int k = 0; k < 3; ++k) rotation[4 * row + k] = static_cast<dReal>(a_from_b.linear()(row, k));
        const Eigen::Vector3f& at = a_from_b.translation();
        dGeomSetRotation(b_, rotation);
        dGeomSetPosition(b_, static_cast<dReal>(at.x()), static_cast<dReal>(at.y()), static_cast<dReal>(at.z()));
        const int flags = all ? static_cast<int>(contacts_.size()) : (1 | static_cast<int>(CONTACTS_UNIMPORTANT));
        return dCollide(a_, b_, flags, contacts_.data(), sizeof(dContactGeom));
    }

  private:
    std::vector<float> vertices_;
    std::vector<dTriIndex> indices_;
    dTriMeshDataID data_;
    dGeomID a_, b_;
    std::vector<dContactGeom> contacts_;
};
#endif

}  // namespace

void run_meshes(const PeerOptions& options, PeerReport& report) {
    const Mesh mesh = options.quick
                          ? collision::torus(44, 22, {.spikes = 0.5, .dimples = 0.15, .wrinkles = 0.03, .twist = 2.0})
                          : collision::spiky_torus();
    std::shared_ptr<const ObbTree> ours;
    std::shared_ptr<FclModel> theirs;
    std::vector<Contender> builders = {{"glovebox", [&] { ours = ObbTree::build(mesh); }},
                                       {"FCL OBB", [&] { theirs = fcl_model(mesh); }}};
#if GLOVEBOX_HAS_ODE
    std::unique_ptr<OdePair> ode;
    builders.push_back({"ODE (OPCODE)", [&] { ode = std::make_unique<OdePair>(mesh); }});
#endif
    const auto triangles = static_cast<double>(mesh.triangles.size());
    // Every level visits every triangle once: nine numbers read, about thirty operations (sums, sides), four per cycle.
    const double seen = triangles * std::log2(triangles);
    const Floor building{30.0 / 4.0 * seen, 30.0 * seen, 36.0 * seen};
    report.add({"build a tree of " + std::to_string(mesh.triangles.size()) + " triangles, to query it as a pair",
                "tree", 1.0, true, 0.0, building},
               builders, race(builders, options.quick ? 2 : 5));
    const double their_bytes = static_cast<double>(theirs->getNumBVs()) * static_cast<double>(sizeof(theirs->getBV(0)));
    report.add(nlohmann::ordered_json{{"work", "memory of a tree for pairs"},
                                      {"peer", "FCL OBB"},
                                      {"unit", "bytes/triangle"},
                                      {"ours", static_cast<double>(ours->memory_bytes()) / triangles},
                                      {"theirs", their_bytes / triangles},
                                      {"ratio", their_bytes / static_cast<double>(ours->memory_bytes())},
                                      {"lanes_filled", ours->lanes_filled()}});
    const auto for_bones = static_cast<double>(collision::MeshTree::build(mesh)->memory_bytes());
    report.add(nlohmann::ordered_json{{"work", "memory of a tree for bones"},
                                      {"peer", "FCL OBB"},
                                      {"unit", "bytes/triangle"},
                                      {"ours", for_bones / triangles},
                                      {"theirs", their_bytes / triangles},
                                      {"ratio", their_bytes / for_bones}});

    collision::PairQueryMemory memory;
    collision::TrianglePairs pairs;
    for (const Poses& poses : near_contact(*ours, options.quick ? 4 : 48)) {
        std::int64_t our_pairs = 0, their_pairs = 0, their_hits = 0, ode_hits = 0, our_hits = 0;
        collision::TreeQueryCounts counts;
        std::span<const Eigen::Isometry3f> of_run = poses.a_from_b;
        std::vector<Contender> contenders = {
            {"glovebox",
             [&] {
                 our_pairs = our_hits = 0;
                 counts = {};
                 for (const Eigen::Isometry3f& pose : of_run) {
                     if (!poses.all) {
                         our_hits += touch(*ours, *ours, pose, counts, memory) ? 1 : 0;
                         continue;
                     }
                     pairs.clear();
                     touching_triangles(*ours, *ours, pose, pairs, counts, memory);
                     our_pairs += static_cast<std::int64_t>(pairs.size());
                     our_hits += pairs.empty() ? 0 : 1;
                 }
             }},
            {"FCL OBB",
             [&] {
                 their_pairs = their_hits = 0;
                 for (const Eigen::Isometry3f& pose : of_run) {
                     fcl::CollisionRequest<double> request;
                     request.num_max_contacts = poses.all ? 1'000'000 : 1;
                     fcl::CollisionResult<double> result;
                     fcl::collide(theirs.get(), fcl::Transform3d::Identity(), theirs.get(),
                                  fcl::Transform3d(pose.cast<double>()), request, result);
                     their_pairs += static_cast<std::int64_t>(result.numContacts());
                     their_hits += result.isCollision() ? 1 : 0;
                 }
             }},
        };
#if GLOVEBOX_HAS_ODE
        contenders.push_back({"ODE (OPCODE)", [&] {
                                  ode_hits = 0;
                                  for (const Eigen::Isometry3f& pose : of_run)
                                      ode_hits += ode->collide(pose, poses.all) > 0 ? 1 : 0;
                              }});
#endif
        const auto rounds_ns = race(contenders, options.quick ? 3 : 15);
        const auto queries = static_cast<double>(poses.a_from_b.size());
        // One box against eight: 15 axes of about 170 SIMD operations, two per cycle, in vectors of eight; 160 bytes
        // of boxes. One triangle against four: about 150 operations; 144 bytes of vertices.
        const double boxes = static_cast<double>(counts.box_tests) / queries,
                     fours = static_cast<double>(counts.triangle_tests) / queries;
        const Floor floor{85.0 * boxes + 75.0 * fours, 8.0 * 228.0 * boxes + 4.0 * 150.0 * fours,
                          160.0 * boxes + 144.0 * fours};
        const std::string work = std::string("two meshes, ") + poses.name;
        for (std::size_t k = 1; k < contenders.size(); ++k) {  // one row per peer: required ratios differ
            const std::vector<Contender> pair = {contenders[0], contenders[k]};
            report.add({work, "query", queries, true, k == 1 ? poses.asked_fcl : 3.0, floor}, pair,
                       {rounds_ns[0], rounds_ns[k]});
        }
        report.note(
            std::string(poses.name) + ": " +
            tracking::formatted("%.3g tests of one box against eight and %.3g of one triangle against four in a query",
                                static_cast<double>(counts.box_tests) / queries,
                                static_cast<double>(counts.triangle_tests) / queries) +
            "; touching " + std::to_string(our_hits) + " (FCL " + std::to_string(their_hits) + ", ODE " +
            std::to_string(ode_hits) + ") of " + std::to_string(poses.a_from_b.size()) +
            (poses.all ? ", pairs " + std::to_string(our_pairs) + " (FCL " + std::to_string(their_pairs) + ")" : ""));
        // Their triangle test is in floating point: only pairs that touch within rounding may differ.
        if (our_hits != their_hits || (poses.all && std::abs(static_cast<double>(our_pairs - their_pairs)) >
                                                        1.0 + 1e-3 * static_cast<double>(our_pairs)))
            report.disagree(work);

        // A frame makes one query and then sleeps.
        std::vector<Contender> sparse;
        std::vector<std::size_t> next(contenders.size(), 0);
        for (std::size_t k = 0; k < contenders.size(); ++k)
            sparse.push_back({contenders[k].name, [&, k] {
                                  of_run = std::span(poses.a_from_b).subspan(next[k]++ % poses.a_from_b.size(), 1);
                                  contenders[k].run();
                              }});
        report.add({work + ", 8 ms of sleep between", "query", 1.0, true, 0.0, floor}, sparse,
                   race_sparsely(sparse, options.quick ? 2 : 48, 0.008));
    }
}

}  // namespace glovebox::timing
