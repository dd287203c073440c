// A tree over the frames of a body's motion, with one swept round cone per bone and node.
//
// This is the idea of the MOBB tree (clip_tree.h) in three dimensions. The planar tree bounds a walker's discs by
// rectangles. This tree bounds every bone over an interval of frames by a round cone, whose end balls contain all
// positions of the bone's own end balls. A bone is the hull of its end balls, so the cone contains the bone in all
// these frames. The distance of the cone from an object is therefore a lower bound of the bone's distance.
//
// All bones share the topology: a node is an interval of frames, and it has one cone per bone. So a search traverses
// the tree once, with the set of bones that still qualify.
// Frames are instants; a frame is valid until the next one (see FrameTimes). Nothing here depends on recordings.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "collision/body/articulated_body.h"

namespace glovebox::collision::clips {

/// Fills the pose of a frame. Only `shapes` and `bone_present` of the requested bones are read (bit i is bone i). It is
/// called for frames in any order, from one thread.
using PoseOfFrame = std::function<void(std::int32_t frame, std::uint64_t bones, BodyPose& pose)>;
inline constexpr std::uint64_t kAllBones = ~std::uint64_t{0};

struct SweptNode {
    std::int32_t first, end;  ///< frames [first, end)
    std::int32_t second;      ///< index of the second child, 0 for leaves; the first child is the next node

    bool leaf() const { return second == 0; }
};

/// A non-owning view of a tree, in memory or in a mapped file.
struct SweptTreeView {
    std::int32_t bone_count = 0;
    std::span<const SweptNode> nodes;  ///< pre-order
    std::span<const Aabb> boxes;       ///< per node; contains all bones; empty (min > max) if no bone is present
    std::span<const RoundCone> cones;  ///< [node][bone]; radius_a < 0 if the bone is present in no frame
    /// If not nullptr, called before a node's cones are read, for files that are verified while they are read. May
    /// throw.
    const std::function<void(std::int32_t node)>* before_cones = nullptr;

    std::int32_t frame_count() const { return nodes.empty() ? 0 : nodes.front().end; }
    /// Returns a node's cones, by bone. Searches read cones only through this function.
    std::span<const RoundCone> cones_of(std::int32_t node) const {
        if (before_cones != nullptr) (*before_cones)(node);
        const auto per_node = static_cast<std::size_t>(bone_count);
        return cones.subspan(static_cast<std::size_t>(node) * per_node, per_node);
    }
};

/// True if the arrays form a tree over `frame_count` frames with all indices in range. Trees from files are checked by
/// it before a search.
bool well_formed(const SweptTreeView& view, std::int32_t frame_count);

class SweptTree {
  public:
    /// Frames per leaf; fewer frames make a tighter but larger tree. 16 frames are a fifth of a second, in which a hand
    /// moves by about its own width.
    static constexpr int kLeafFrames = 16;

    /// Builds the tree. Reads each frame once, in order. Linear cost. Throws std::invalid_argument if there are no
    /// frames, no bones or more than 64 bones, or if a shape of a present bone is not finite (the message names its
    /// frame and bone).
    static SweptTree build(std::int32_t bone_count, std::int32_t frame_count, const PoseOfFrame& pose_of,
                           int leaf_frames = kLeafFrames);

    SweptTreeView view() const { return {bone_count_, nodes_, boxes_, cones_}; }
    std::size_t memory_bytes() const;

  private:
    std::int32_t add_node(std::int32_t first, std::int32_t end, int leaf_frames, const PoseOfFrame& pose_of);
    void fill_leaf(std::int32_t node, const PoseOfFrame& pose_of);
    void fill_parent(std::int32_t node);

    std::int32_t bone_count_ = 0;
    std::vector<SweptNode> nodes_;
    std::vector<Aabb> boxes_;
    std::vector<RoundCone> cones_;
    BodyPose pose_;  // scratch of build()
};

/// Returns a round cone that contains the shape; exact for a round cone.
RoundCone enclosing_cone(const Shape& shape);

/// A ball at an end of a cone.
struct Ball {
    Eigen::Vector3f center_m;
    float radius_m;
};
/// Returns the smallest ball around two balls, enlarged for rounding. Cones are merged end by end with it.
Ball enclosing_ball(const Ball& a, const Ball& b);

}  // namespace glovebox::collision::clips
