// Builds a box tree top-down: fits a box, splits its triangles, and repeats this for both halves.
//
// Uses threads (oneTBB) where both halves are large; the result does not depend on the number of threads. The method is
// that of [Gottschalk96]; duplication of straddling triangles follows [Ramirez09].
#pragma once

#include <cstdint>
#include <functional>

#include "collision/mesh/box_tree.h"
#include "collision/mesh/fit/fitter.h"
#include "collision/mesh/fit/splitter.h"

namespace glovebox::collision {

/// Options of build_tree().
struct BuildSettings {
    const Fitter* fitter = &default_fitter();         ///< chooses the axes of each box
    const Splitter* splitter = &splitters().front();  ///< divides the triangles of a node between its two children
    int max_leaf_triangles = 4;  ///< never exceeded: triangles that no plane separates are halved by count
    /// If true, a triangle that crosses the splitting plane goes to both sides, as in [Ramirez09]. Leaves become
    /// tighter but more numerous, and contacts are found twice. A node is split by centroids instead if its children
    /// would be no smaller with duplicates, or if its subtree would store each triangle more than eight times on
    /// average.
    bool double_straddlers = false;
    std::uint64_t seed = 1;  ///< for fitters with random search
    int threads = 0;         ///< 0 means one per hardware thread, which is also the maximum
    /// Called occasionally, from one thread at a time, with the numbers of triangles in finished leaves and in total.
    std::function<void(std::int64_t done, std::int64_t total)> progress;
};

/// Builds the tree. Throws std::invalid_argument if check(mesh) finds the mesh unusable. A mesh of 70,000 triangles
/// with one per leaf takes about 0.1 s with the default fitter and splitter.
BoxTree build_tree(const Mesh& mesh, const BuildSettings& settings = {});

}  // namespace glovebox::collision
