// The boxes of meshes' trees that the hands' hierarchies are tested against: what a window draws of a descent.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "collision/query/descent_memory.h"
#include "vr/session/box_states.h"

namespace glovebox::vr {

/// One box of a mesh's tree that was tested, in world coordinates.
struct TestedBox {
    collision::Obb box;
    std::int32_t object = -1;
    int level = 0;                    ///< 0: those of the root node
    BoxState state = BoxState::idle;  ///< idle: ruled out. False alarm: overlapped. Touching: and a touch is inside it
};

/// Walks the hierarchies of a frame once more, as the step did, and keeps every box of a tree that is tested: the same
/// boxes of the hands against the same trees, objects where the picture has them. Not part of a frame's work; costs one
/// find_candidates() a hand. Memory is kept from call to call.
class TestedBoxes {
  public:
    /// Returns the boxes of one level, each once. Valid until the next call.
    std::span<const TestedBox> at_level(const scenes::Scene& scene, const scenes::World& world, int level);

  private:
    const std::vector<int>& levels_of(std::int32_t object, const std::shared_ptr<const collision::MeshTree>& tree);

    std::vector<TestedBox> boxes_;
    std::vector<collision::BoxTest> tests_;
    std::vector<collision::Candidate> candidates_;
    std::unique_ptr<collision::DescentMemory> memory_;
    struct TreeLevels {
        std::shared_ptr<const collision::MeshTree> tree;
        std::vector<int> of_node;
    };
    std::vector<TreeLevels> levels_;  // by object
};

}  // namespace glovebox::vr
