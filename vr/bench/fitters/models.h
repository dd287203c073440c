// Meshes of the sizes of [Ramirez09], the ways of building their trees, and the path of one object round another.
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
    collision::Mesh mesh;                                 ///< one unit across, so that models differ in shape alone
    double published_cv_m3 = 0.0, published_ga_m3 = 0.0;  ///< table 4; 0: the model is not the paper's
    double published_cv_s = 0.0, published_ga_s = 0.0;    ///< table 5
};
/// The paper's four, or the meshes that the user named.
std::vector<BenchModel> bench_models(const BenchOptions& options);
/// The first mesh that the user named, else `own`: for sections that look at one.
BenchModel one_model(const BenchOptions& options, BenchModel own);

/// A fitter and a splitter. Every fitter with the paper's split, and our default with its own.
struct TreeMethod {
    std::string name;
    const collision::Fitter* fitter;
    const collision::Splitter* splitter;
};
std::vector<TreeMethod> tree_methods();
std::size_t row_of(const std::vector<TreeMethod>& rows, std::string_view name);

constexpr int kBenchLeaf = 8;  ///< triangles; the paper does not say; 4 to 8 is good practice

struct BuiltTree {
    collision::BoxTree tree;
    double build_s = 0.0;
    std::vector<double> builds_s = {};  ///< where it was built more than once
};
BuiltTree build_timed(const collision::Mesh& mesh, const TreeMethod& method, int threads = 0);

/// The second object travels once round the first, turning, and swings in and out so that it touches some of the time.
std::vector<Eigen::Isometry3f> path_round(const collision::Mesh& a, const collision::Mesh& b, int count);

struct PathCost {
    double box_tests = 0.0, triangle_tests = 0.0, us = 0.0;
    std::vector<double> rounds_us = {};
    std::size_t contacts = 0;
    int touching = 0;
};
/// Asks every contestant for every touching pair at every pose of the path: means over the path; medians over rounds in
/// which the contestants take turns.
std::vector<PathCost> race_along(std::size_t contestants, std::size_t poses, int rounds,
                                 const std::function<void(std::size_t who, std::size_t pose, collision::TrianglePairs&,
                                                          collision::TreeQueryCounts&)>& query);

}  // namespace glovebox::vr
