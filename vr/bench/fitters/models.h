// Meshes of the sizes in [Ramirez09], the methods of building their trees, and the path of one object round another.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "collision/mesh/build.h"
#include "collision/mesh/tree_query.h"
#include "vr/bench/bench.h"

namespace glovebox::vr {

struct BenchModel {
    std::string name;
    collision::Mesh mesh;                                 ///< one unit across, so that models differ only in shape
    double published_cv_m3 = 0.0, published_ga_m3 = 0.0;  ///< table 4; 0: the model is not from the paper
    double published_cv_s = 0.0, published_ga_s = 0.0;    ///< table 5
};
/// Returns the meshes that the user named, or else the four models of the paper.
std::vector<BenchModel> bench_models(const BenchOptions& options);
/// Returns the first mesh that the user named, or else `own`. For sections that use a single mesh.
BenchModel one_model(const BenchOptions& options, BenchModel own);

/// A fitter and a splitter. tree_methods() returns every fitter with the splitter of the paper, and the default fitter
/// with its own splitter.
struct TreeMethod {
    std::string name;
    const collision::Fitter* fitter;
    const collision::Splitter* splitter;
    /// If true, border triangles go to both halves, as in [Ramirez09].
    bool double_straddlers = false;
};
std::vector<TreeMethod> tree_methods();
std::size_t row_of(const std::vector<TreeMethod>& rows, std::string_view name);

/// Maximum number of triangles in a leaf. The paper does not state it; 4 to 8 is common practice.
constexpr int kBenchLeaf = 8;

struct BuiltTree {
    collision::BoxTree tree;
    double build_s = 0.0;
    /// Times of all builds, if the tree was built more than once.
    std::vector<double> builds_s = {};
};
BuiltTree build_timed(const collision::Mesh& mesh, const TreeMethod& method, int threads = 0);

/// Returns poses of `b` on a path once round `a`. The object `b` turns, and swings in and out so that it touches `a`
/// some of the time.
std::vector<Eigen::Isometry3f> path_round(const collision::Mesh& a, const collision::Mesh& b, int count);

struct PathCost {
    double box_tests = 0.0, triangle_tests = 0.0, us = 0.0;
    std::vector<double> rounds_us = {};
    std::size_t contacts = 0;
    int touching = 0;
};
/// Runs `query` for every contestant at every pose of the path, in rounds in which the contestants take turns. Returns
/// means over the path and medians over the rounds.
std::vector<PathCost> race_along(std::size_t contestants, std::size_t poses, int rounds,
                                 const std::function<void(std::size_t who, std::size_t pose, collision::TrianglePairs&,
                                                          collision::TreeQueryCounts&)>& query);

}  // namespace glovebox::vr
