// Mesh against mesh: two tori of 69,696 triangles with spikes, dimples, wrinkles and a twist, near contact.
//
// 48 random rotations; the second torus approaches along a random direction until it has the given gap or depth
// relative to first touch. FCL uses its own trees of oriented boxes, in double; ODE uses OPCODE's quantized boxes in
// float, and its times include generating contact points. FCL must find as many pairs as we do.
#include <fcl/geometry/bvh/BVH_model.h>
#include <fcl/narrowphase/collision.h>

#include <algorithm>
#include <cmath>
#include <deque>
#include <span>

#include "collision/mesh/mesh_tree.h"
#include "collision/query/mesh_pair.h"
#include "collision/survey/fit/random.h"
#include "collision/survey/tree/sample_meshes.h"
#include "tests/timing/peers/peers.h"
#include "tests/timing/peers/plain.h"
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
    const PlainMesh plain_mesh = plain(mesh);
    std::vector<std::pair<std::string, MeshQuery>> queries;  // of the libraries
    for (const PeerLibrary& library : peer_libraries()) {
        if (library.meshes == nullptr) continue;
        queries.emplace_back(library.name, nullptr);
        builders.push_back({queries.back().first, [&, prepare = library.meshes, at = queries.size() - 1] {
                                queries[at].second = prepare(plain_mesh);
                            }});
    }
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
               builders, race_all_threads(builders, kMinRounds));
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
        collision::TreeQueryCounts counts;
        std::span<const Eigen::Isometry3f> of_run = poses.a_from_b;
        // Pairs of triangles at each pose, by contender; at most one unless all are asked for. ODE counts points.
        std::deque<std::vector<std::int64_t>> found;
        std::vector<Contender> contenders;
        const auto add = [&](std::string name, double required, auto count_pairs) {
            std::vector<std::int64_t>& pairs_at = found.emplace_back(poses.a_from_b.size());
            contenders.push_back({std::move(name),
                                  [&, count_pairs] {
                                      for (const Eigen::Isometry3f& pose : of_run) {
                                          const auto at = static_cast<std::size_t>(&pose - poses.a_from_b.data());
                                          pairs_at[at] = count_pairs(at);
                                      }
                                  },
                                  required});
        };
        add("glovebox", 0.0, [&](std::size_t at) -> std::int64_t {
            if (!poses.all) return touch(*ours, *ours, poses.a_from_b[at], counts, memory) ? 1 : 0;
            pairs.clear();
            touching_triangles(*ours, *ours, poses.a_from_b[at], pairs, counts, memory);
            return static_cast<std::int64_t>(pairs.size());
        });
        add("FCL OBB", poses.asked_fcl, [&](std::size_t at) {
            fcl::CollisionRequest<double> request;
            request.num_max_contacts = poses.all ? 1'000'000 : 1;
            fcl::CollisionResult<double> result;
            fcl::collide(theirs.get(), fcl::Transform3d::Identity(), theirs.get(),
                         fcl::Transform3d(poses.a_from_b[at].cast<double>()), request, result);
            return static_cast<std::int64_t>(result.numContacts());
        });
#if GLOVEBOX_HAS_ODE
        add("ODE (OPCODE)", 3.0,
            [&](std::size_t at) { return std::int64_t{ode->collide(poses.a_from_b[at], poses.all)}; });
#endif
        std::vector<PlainPose> plain_poses;
        for (const Eigen::Isometry3f& pose : poses.a_from_b) plain_poses.push_back(plain(pose));
        for (const auto& [name, query] : queries)
            add(name, 4.0, [&, &query = query](std::size_t at) { return query(plain_poses[at], poses.all); });

        const std::string work = std::string("two meshes, ") + poses.name;
        contenders[0].run();
        const auto count = static_cast<double>(poses.a_from_b.size());
        // One box against eight: 15 axes of about 170 SIMD operations, two per cycle, in vectors of eight; 160 bytes
        // of boxes. One triangle against four: about 150 operations; 144 bytes of vertices.
        const double boxes = static_cast<double>(counts.box_tests) / count,
                     fours = static_cast<double>(counts.triangle_tests) / count;
        const Floor floor{85.0 * boxes + 75.0 * fours, 8.0 * 228.0 * boxes + 4.0 * 150.0 * fours,
                          160.0 * boxes + 144.0 * fours};
        report.note(
            std::string(poses.name) + ": " +
            tracking::formatted("%.3g tests of one box against eight and %.3g of one triangle against four in a query",
                                boxes, fours));
        const auto rounds_ns = race(contenders, options.quick ? 3 : 15);
        for (std::size_t k = 0; k < contenders.size(); ++k) {
            contenders[k].contacts = contenders[k].differ = 0;
            // Their triangle tests are in floating point: only pairs that touch within rounding may differ. ODE's
            // points are not pairs of triangles, so only touching or not is compared.
            const bool hits_only = contenders[k].name.starts_with("ODE");
            for (std::size_t at = 0; at < poses.a_from_b.size(); ++at) {
                const std::int64_t n = found[k][at], our_n = found[0][at];
                contenders[k].contacts += n;
                contenders[k].differ += hits_only ? (n > 0) != (our_n > 0) : std::abs(n - our_n);
            }
            if (static_cast<double>(contenders[k].differ) >
                (poses.all ? 1.0 + 1e-3 * static_cast<double>(contenders[0].contacts) : 0.0))
                report.disagree(work + ", " + contenders[k].name);
        }
        report.add({work, "query", count, true, 0.0, floor}, contenders, rounds_ns);

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
