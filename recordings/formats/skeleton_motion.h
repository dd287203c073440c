// Hands in animated skeletons (glTF, FBX). A skeleton is trees of nodes; each node has a pose relative to its parent.
// The joints are the nodes with a joint's name (joint_names.h). Only their positions are read, and orientations are
// computed from them, because programs differ in the axes of bones.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "recordings/formats/hand_arrays.h"

namespace glovebox::recordings {

struct SkeletonNode {
    std::string name;
    std::optional<std::size_t> parent;
};

/// The nodes that hands need.
struct HandNodes {
    std::vector<std::size_t> joints;  ///< the first node of each figure, joint and side; "Anna:LThumb" is of Anna
    std::vector<std::size_t> order;   ///< joints and their ancestors, parents first
};

/// Finds the joints of hands. Throws ImportError if nodes contain themselves or are nested more than 500 deep.
HandNodes find_hand_nodes(const Input& in, std::span<const SkeletonNode> nodes);

/// Returns the pose of a node relative to its parent.
using PoseAt = std::function<Eigen::Affine3d(std::size_t node, double time_s)>;

/// Reads one sample per time; `facts` gives the unit of lengths. Returns false, without a sample, if the joints are not
/// those of a hand. Throws ImportError if there are too many samples for the options' memory.
bool read_skeleton_motion(const Input& in, const ImportOptions& options, std::span<const SkeletonNode> nodes,
                          const HandNodes& hands, const std::vector<double>& times_s, const PoseAt& pose_at,
                          ArrayFacts facts, Assembly& out);

}  // namespace glovebox::recordings
