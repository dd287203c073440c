#include "vr/bench/fitters/models.h"
#include "collision/survey/fit/fitters.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "collision/survey/tree/sample_meshes.h"
#include "scenes/scene.h"
#include "vr/bench/measure.h"
#include "vr/platform/mesh_process.h"

namespace glovebox::vr {
namespace {

using collision::BuildSettings;
using collision::Fitter;
using collision::Mesh;

Eigen::Vector3f middle_of(const Mesh& mesh) {
    Eigen::Vector3f low = mesh.vertices_m.front(), high = low;
    for (const auto& v : mesh.vertices_m) {
        low = low.cwiseMin(v);
        high = high.cwiseMax(v);
    }
    return 0.5F * (low + high);
}
float radius_of(const Mesh& mesh) {
    float radius_m = 0.0F;
    const Eigen::Vector3f middle_m = middle_of(mesh);
    for (const auto& v : mesh.vertices_m) radius_m = std::max(radius_m, (v - middle_m).norm());
    return radius_m;
}

// Moves a user's mesh, which may be anywhere, to the origin, as bending and its rounding error require.
Mesh centred(Mesh mesh) {
    const Eigen::Vector3f middle_m = middle_of(mesh);
    for (auto& v : mesh.vertices_m) v -= middle_m;
    return mesh;
}

// Scales a mesh uniformly to one unit across, so that models differ in shape only.
Mesh unit_sized(Mesh mesh) {
    const float scale = 0.5F / radius_of(mesh);
    for (auto& v : mesh.vertices_m) v *= scale;
    return mesh;
}

}  // namespace

std::vector<BenchModel> bench_models(const BenchOptions& options) {
    std::vector<BenchModel> result;
    if (!options.files.empty()) {
        for (const std::string& file : options.files)
            result.push_back({std::filesystem::path(file).stem().string(), load_mesh_apart(file, 1.0F)});
        for (BenchModel& model : result) model.mesh = unit_sized(centred(std::move(model.mesh)));
        return result;
    }
    if (!options.quick)
        result.push_back({"bone (tibia)", collision::bone_like(), 3.462805, 0.043980143, 0.722060, 3070.33});
    if (!options.quick)
        result.push_back({"figure (jacky)", collision::figure_like(), 0.008262, 0.000997286, 0.207357, 1036.32});
    result.push_back({"icosahedron", collision::icosahedron(), 0.581234, 0.420012357, 0.196426, 3.204});
    if (!options.quick)
        result.push_back(
            {"parts (prosthesis)", collision::prosthesis_like(), 0.000023, 0.000013521, 0.335531, 1657.01});
    else
        result.push_back({"small torus", collision::torus(20, 12)});
    for (BenchModel& model : result) model.mesh = unit_sized(std::move(model.mesh));
    return result;
}

BenchModel one_model(const BenchOptions& options, BenchModel own) {
    return options.files.empty() ? std::move(own) : bench_models(options).front();
}

std::vector<TreeMethod> tree_methods() {
    const auto* mean = collision::find_splitter("mean");
    std::vector<TreeMethod> result;
    for (const Fitter& fitter : collision::fitters()) result.push_back({std::string(fitter.name), &fitter, mean});
    result.push_back({"descent, area split", &collision::fitters().front(), collision::find_splitter("area")});
    return result;
}

std::size_t row_of(const std::vector<TreeMethod>& rows, std::string_view name) {
    return static_cast<std::size_t>(std::ranges::find(rows, name, &TreeMethod::name) - rows.begin());
}

BuiltTree build_timed(const Mesh& mesh, const TreeMethod& method, int threads) {
    BuildSettings settings;
    settings.fitter = method.fitter;
    settings.splitter = method.splitter;
    settings.max_leaf_triangles = kBenchLeaf;
    settings.double_straddlers = method.double_straddlers;
    settings.threads = threads;
    BuiltTree built;
    built.build_s = wall_seconds([&] { built.tree = collision::build_tree(mesh, settings); });
    return built;
}

std::vector<Eigen::Isometry3f> path_round(const Mesh& a, const Mesh& b, int count) {
    std::vector<Eigen::Isometry3f> poses;
    const float far_m = 0.55F * (radius_of(a) + radius_of(b));
    for (int i = 0; i < count; ++i) {
        const float turn = 2.0F * std::numbers::pi_v<float> * static_cast<float>(i) / static_cast<float>(count);
        const float reach_m = far_m * (0.7F + 0.4F * std::cos(5.0F * turn));
        Eigen::Isometry3f pose = Eigen::Isometry3f::Identity();
        pose.translate(middle_of(a) +
                       reach_m * Eigen::Vector3f(std::cos(turn), 0.6F * std::sin(2.0F * turn), std::sin(turn)));
        pose.rotate(Eigen::AngleAxisf(3.0F * turn, Eigen::Vector3f(1.0F, 2.0F, 0.5F).normalized()));
        pose.translate(-middle_of(b));
        poses.push_back(pose);
    }
    return poses;
}

std::vector<PathCost> race_along(std::size_t contestants, std::size_t poses, int rounds,
                                 const std::function<void(std::size_t who, std::size_t pose, collision::TrianglePairs&,
                                                          collision::TreeQueryCounts&)>& query) {
    std::vector<PathCost> costs(contestants);
    std::vector<std::vector<double>> us(contestants);
    collision::TrianglePairs pairs;
    for (int round = 0; round < rounds; ++round)
        for (std::size_t who = 0; who < contestants; ++who) {
            collision::TreeQueryCounts counts;
            PathCost cost;
            const double total_s = thread_seconds([&] {
                for (std::size_t pose = 0; pose < poses; ++pose) {
                    pairs.clear();
                    query(who, pose, pairs, counts);
                    cost.contacts += pairs.size();
                    cost.touching += pairs.empty() ? 0 : 1;
                }
            });
            us[who].push_back(1e6 * total_s / static_cast<double>(poses));
            cost.box_tests = static_cast<double>(counts.box_tests) / static_cast<double>(poses);
            cost.triangle_tests = static_cast<double>(counts.triangle_tests) / static_cast<double>(poses);
            costs[who] = cost;
        }
    for (std::size_t who = 0; who < contestants; ++who) {
        costs[who].us = median(us[who]);
        costs[who].rounds_us = std::move(us[who]);
    }
    return costs;
}

}  // namespace glovebox::vr
