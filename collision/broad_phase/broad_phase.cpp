#include "collision/broad_phase/broad_phase.h"

#include "collision/broad_phase/rows.h"

namespace glovebox::collision {

std::span<const BroadPhase> broad_phases() {
    static const std::array rows = {
        sorted_grid(),
        dynamic_tree(),
        sweep_and_prune(),
        hierarchical_grid_by_center(),
        hierarchical_grid_by_overlap(),
        octree(),
        loose_octree(),
        kd_tree(),
        grid_of_trees(),
        grid_of_sweeps(),
        brute_force(),
    };
    return rows;
}

const BroadPhase* find_broad_phase(std::string_view name) {
    for (const BroadPhase& row : broad_phases())
        if (row.name == name) return &row;
    return nullptr;
}

}  // namespace glovebox::collision
