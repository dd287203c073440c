// Compares building and querying trees of oriented boxes with FCL, interleaved in one process.
//
//   glovebox_build_peers [--quick] [--json]
//
// Two tori of 69,696 triangles with spikes, dimples, wrinkles and a twist; leaves of one triangle on both sides; one
// thread. Box tests are counted by our traversal for both FCL's tree and ours, so that only the trees differ.
// Query times are each library's own. Both must find the same contacts.
#include <fcl/geometry/bvh/BVH_model.h>
#include <fcl/narrowphase/collision.h>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <nlohmann/json.hpp>
#include <string>

#include "collision/mesh/build.h"
#include "collision/mesh/tree_query.h"
#include "collision/mesh/wide_tree.h"
#include "collision/survey/fit/random.h"
#include "collision/survey/tree/sample_meshes.h"

namespace glovebox {
namespace {

using collision::BoxTree;
using collision::Mesh;
using FclModel = fcl::BVHModel<fcl::OBB<double>>;

// Returns the thread's processor time, so that other load on the machine does not count.
double now_us() {
    std::timespec now{};
    ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return 1e6 * static_cast<double>(now.tv_sec) + 1e-3 * static_cast<double>(now.tv_nsec);
}

double median(std::vector<double> values) {
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    std::nth_element(values.begin(), middle, values.end());
    return *middle;
}

struct FclMesh {
    std::vector<fcl::Vector3d> vertices;
    std::vector<fcl::Triangle> triangles;
};

std::shared_ptr<FclModel> build_fcl(const FclMesh& mesh) {
    auto model = std::make_shared<FclModel>();
    model->beginModel(static_cast<int>(mesh.triangles.size()), static_cast<int>(mesh.vertices.size()));
    model->addSubModel(mesh.vertices, mesh.triangles);
    model->endModel();
    return model;
}

BoxTree converted(const FclModel& model) {
    BoxTree tree;
    for (int i = 0; i < model.getNumBVs(); ++i) {
        const auto& node = model.getBV(i);
        BoxTree::Node& ours = tree.nodes.emplace_back();
        ours.box = {node.bv.To.cast<float>(), node.bv.axis.cast<float>(), node.bv.extent.cast<float>()};
        // FCL's extents are exact in double; rounded to float they need a small margin.
        ours.box.half_m.array() += 4e-7F;
        ours.first = node.isLeaf() ? static_cast<std::int32_t>(tree.order.size()) : node.leftChild();
        ours.count = node.isLeaf() ? 1 : 0;
        if (node.isLeaf()) tree.order.push_back(node.primitiveId());
    }
    return tree;
}

struct Poses {
    std::string name;
    std::vector<Eigen::Isometry3f> a_from_b;
};

// Random rotations; the second torus approaches along a random direction until it is `gap` from first touch.
std::vector<Poses> near_contact(const Mesh& mesh, const BoxTree& tree, int count) {
    std::vector<Poses> result = {{"5 mm apart", {}}, {"touching, 2 mm deep", {}}, {"5 cm deep", {}}};
    constexpr std::array kGaps_m = {0.005, -0.002, -0.05};
    collision::Random random(5);
    const collision::MeshAndTree torus{mesh, tree};
    for (int i = 0; i < count; ++i) {
        Eigen::Quaterniond turn(random.between(-1, 1), random.between(-1, 1), random.between(-1, 1),
                                random.between(-1, 1));
        turn.normalize();
        const Eigen::Vector3d from =
            Eigen::Vector3d(random.between(-1, 1), random.between(-1, 1), random.between(-1, 1)).normalized();
        const auto pose_at = [&](double distance_m) {
            Eigen::Isometry3f pose = Eigen::Isometry3f::Identity();
            pose.linear() = turn.toRotationMatrix().cast<float>();
            pose.translation() = (from * distance_m).cast<float>();
            return pose;
        };
        collision::TreeQueryCounts counts;
        double touching_m = 4.0;
        while (!collision::touch(torus, torus, pose_at(touching_m), counts)) touching_m -= 0.01;
        double apart_m = touching_m + 0.01;
        for (int k = 0; k < 20; ++k) {
            const double middle_m = 0.5 * (touching_m + apart_m);
            (collision::touch(torus, torus, pose_at(middle_m), counts) ? touching_m : apart_m) = middle_m;
        }
        for (std::size_t g = 0; g < kGaps_m.size(); ++g) result[g].a_from_b.push_back(pose_at(apart_m + kGaps_m[g]));
    }
    return result;
}

nlohmann::ordered_json row(const std::string& work, const std::string& unit, const std::vector<double>& ours,
                           const std::vector<double>& theirs) {
    std::vector<double> ratios;
    for (std::size_t i = 0; i < ours.size(); ++i) ratios.push_back(theirs[i] / ours[i]);
    const auto [low, high] = std::minmax_element(ratios.begin(), ratios.end());
    return {{"work", work},         {"peer", "FCL OBB"},        {"unit", unit},
            {"ours", median(ours)}, {"theirs", median(theirs)}, {"ratio", median(theirs) / median(ours)},
            {"ratio_min", *low},    {"ratio_max", *high}};
}

std::vector<nlohmann::ordered_json> run(bool quick, bool& agree) {
    const Mesh mesh = quick ? collision::torus(66, 33, {.spikes = 0.5, .dimples = 0.15, .wrinkles = 0.03, .twist = 2.0})
                            : collision::spiky_torus();
    FclMesh fcl_mesh;
    for (const auto& v : mesh.vertices_m) fcl_mesh.vertices.emplace_back(v.cast<double>());
    for (const auto& t : mesh.triangles) fcl_mesh.triangles.emplace_back(t[0], t[1], t[2]);

    std::vector<nlohmann::ordered_json> rows;
    collision::BuildSettings settings;
    settings.max_leaf_triangles = 1;
    settings.threads = 1;
    BoxTree ours;
    std::shared_ptr<FclModel> theirs;
    std::vector<double> our_ms, their_ms;
    for (int round = 0; round < (quick ? 2 : 9); ++round) {
        double start_us = now_us();
        ours = collision::build_tree(mesh, settings);
        our_ms.push_back(1e-3 * (now_us() - start_us));
        start_us = now_us();
        theirs = build_fcl(fcl_mesh);
        their_ms.push_back(1e-3 * (now_us() - start_us));
    }
    rows.push_back(row("build, " + std::to_string(mesh.triangles.size()) + " triangles", "ms", our_ms, their_ms));

    const BoxTree fcl_tree = converted(*theirs);
    settings.max_leaf_triangles = 4;
    const collision::WideTree wide(collision::build_tree(mesh, settings), collision::WideLayout::eight_quantised);
    for (const Poses& poses : near_contact(mesh, ours, quick ? 6 : 48)) {
        for (const bool all : {false, true}) {
            std::vector<double> tests, their_tests, wide_us, their_us;
            for (const Eigen::Isometry3f& pose : poses.a_from_b) {
                collision::TrianglePairs pairs, their_pairs, wide_pairs;
                collision::TreeQueryCounts counts, their_counts, wide_counts;
                const auto query = [&](const BoxTree& tree, collision::TrianglePairs& found,
                                       collision::TreeQueryCounts& counted) {
                    if (all)
                        collision::touching_triangles({mesh, tree}, {mesh, tree}, pose, found, counted);
                    else
                        collision::touch(collision::MeshAndTree{mesh, tree}, {mesh, tree}, pose, counted);
                };
                query(ours, pairs, counts);
                query(fcl_tree, their_pairs, their_counts);
                agree = agree && pairs.size() == their_pairs.size();
                tests.push_back(static_cast<double>(counts.box_tests));
                their_tests.push_back(static_cast<double>(their_counts.box_tests));

                double start_us = now_us();
                bool touching = false;
                if (all) {
                    collision::touching_triangles(collision::MeshAndWideTree{mesh, wide}, {mesh, wide}, pose,
                                                  wide_pairs, wide_counts);
                    touching = !wide_pairs.empty();
                } else {
                    touching =
                        collision::touch(collision::MeshAndWideTree{mesh, wide}, {mesh, wide}, pose, wide_counts);
                }
                wide_us.push_back(now_us() - start_us);
                fcl::CollisionRequest<double> request;
                request.num_max_contacts = all ? 1000000 : 1;
                fcl::CollisionResult<double> result;
                start_us = now_us();
                fcl::collide(theirs.get(), fcl::Transform3d::Identity(), theirs.get(),
                             fcl::Transform3d(pose.cast<double>()), request, result);
                their_us.push_back(now_us() - start_us);
                // FCL's triangle test differs from ours: only pairs that touch within rounding may differ.
                agree = agree && touching == result.isCollision();
            }
            const std::string work = std::string(all ? "all contacts, " : "first contact, ") + poses.name;
            // Means, not medians: the total cost of all queries.
            const auto sum = [](const std::vector<double>& v) {
                double s = 0.0;
                for (const double x : v) s += x;
                return s;
            };
            const double n = static_cast<double>(tests.size());
            auto counted = row(work + ", same traversal", "box tests", tests, their_tests);
            counted["ours"] = sum(tests) / n;
            counted["theirs"] = sum(their_tests) / n;
            counted["ratio"] = sum(their_tests) / sum(tests);
            rows.push_back(counted);
            auto timed = row(work + ", wide-8 quantised", "us", wide_us, their_us);
            timed["ours"] = sum(wide_us) / n;
            timed["theirs"] = sum(their_us) / n;
            timed["ratio"] = sum(their_us) / sum(wide_us);
            rows.push_back(timed);
        }
    }
    return rows;
}

}  // namespace
}  // namespace glovebox

int main(int count, char** arguments) {
    bool quick = false, json = false;
    for (int i = 1; i < count; ++i) {
        quick = quick || std::strcmp(arguments[i], "--quick") == 0;
        json = json || std::strcmp(arguments[i], "--json") == 0;
    }
    bool agree = true;
    const auto rows = glovebox::run(quick, agree);
    if (json) std::printf("%s\n", nlohmann::ordered_json(rows).dump(2).c_str());
    for (const auto& row : rows) {
        if (json) break;
        std::printf("%-62s %9.4g %9.4g %-9s %6.2f x (%.2f - %.2f)\n", row["work"].get<std::string>().c_str(),
                    row["ours"].get<double>(), row["theirs"].get<double>(), row["unit"].get<std::string>().c_str(),
                    row["ratio"].get<double>(), row["ratio_min"].get<double>(), row["ratio_max"].get<double>());
    }
    if (!agree) std::fprintf(stderr, "the contacts differ\n");
    return agree ? 0 : 3;
}
