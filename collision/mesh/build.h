// Building a box tree from the top down: fit a box, split its triangles, go on with both halves.
//
// Threaded with oneTBB where both halves are large; the result does not depend on the number of threads. Source:
// [Gottschalk96]; the doubling of straddling triangles follows [Ramirez09].
#pragma once

#include <cstdint>
#include <functional>

#include "collision/mesh/box_tree.h"
#include "collision/mesh/fit/fitter.h"
#include "collision/mesh/fit/splitter.h"

namespace glovebox::collision {

struct BuildSettings {
    const Fitter* fitter = &default_fitter();
    const Splitter* splitter = &splitters().front();
    int max_leaf_triangles = 4;  ///< kept in every case: what no plane can part is parted by number
    /// A triangle that reaches across the plane goes to both sides, as in [Ramirez09]: tighter leaves, more of them,
    /// and contacts found twice. A node that would not shrink by it is parted by centroids, and so is one whose tree
    /// would come to more than eight entries a triangle.
    bool double_straddlers = false;
    std::uint64_t seed = 1;  ///< for fitters that search by chance
    int threads = 0;         ///< 0, or more than the machine has: as many as it has
    /// Called now and then, from one thread at a time, with triangles placed in leaves so far and in all.
    std::function<void(std::int64_t done, std::int64_t total)> progress;
};

/// Throws what check(mesh) throws. 70,000 triangles in leaves of one take about 0.1 s with the default rows.
BoxTree build_tree(const Mesh& mesh, const BuildSettings& settings = {});

}  // namespace glovebox::collision
