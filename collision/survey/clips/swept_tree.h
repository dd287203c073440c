// A body's motion as swept round cones: one tree over time, one cone per bone and node.
//
// The MOBB idea in three dimensions. Where the planar tree bounds a walker's discs by rectangles, this one bounds every
// bone over a stretch of frames by the round cone whose end balls hold all positions of the bone's own end balls. A
// bone is the hull of its two end balls, so the node's cone holds the whole bone in all of its frames, and the exact
// queries of this library turn into lower bounds: as far as the cone is from an object, the bone was never nearer.
//
// All bones share the topology: a node is a stretch of frames, and each bone's cones on it are a tree of their own. So
// a search goes down once, with the set of bones still in question.
// Frames are instants; a frame is in force until the next one (see FrameTimes). Nothing here knows recordings.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "collision/body/articulated_body.h"

namespace glovebox::collision::clips {

/// Fills the pose of a frame: `shapes` and `bone_present` of the bones asked for (bit i: bone i) are read here, nothing
/// else. Called in any order, from one thread.
using PoseOfFrame = std::function<void(std::int32_t frame, std::uint64_t bones, BodyPose& pose)>;
inline constexpr std::uint64_t kAllBones = ~std::uint64_t{0};

struct SweptNode {
    std::int32_t first, end;  ///< frames [first, end)
    std::int32_t second;      ///< second child; 0 for leaves. The first child is the next node

    bool leaf() const { return second == 0; }
};

/// A tree wherever its arrays live: in memory or in a mapped file.
struct SweptTreeView {
    std::int32_t bone_count = 0;
    std::span<const SweptNode> nodes;  ///< pre-order
    std::span<const Aabb> boxes;       ///< per node, round all bones; empty (min > max) where no bone is present
    std::span<const RoundCone> cones;  ///< [node][bone]; radius_a < 0 where the bone is present in no frame
    /// Called before a node's cones are looked at, where they lie in a file that is checked as it is read. May throw.
    const std::function<void(std::int32_t node)>* before_cones = nullptr;

    std::int32_t frame_count() const { return nodes.empty() ? 0 : nodes.front().end; }
    /// A node's cones, by bone. The one way in which a search comes to them.
    std::span<const RoundCone> cones_of(std::int32_t node) const {
        if (before_cones != nullptr) (*before_cones)(node);
        const auto per_node = static_cast<std::size_t>(bone_count);
        return cones.subspan(static_cast<std::size_t>(node) * per_node, per_node);
    }
};

/// Are the arrays a tree over `frame_count` frames, every index in range? What a file must pass before it is searched.
bool well_formed(const SweptTreeView& view, std::int32_t frame_count);

class SweptTree {
  public:
    /// Frames a leaf: fewer make a tighter and larger index. 16 frames are a fifth of a second, in which a hand moves
    /// about its own width.
    static constexpr int kLeafFrames = 16;

    /// Reads each frame once, in order. Linear cost. Throws std::invalid_argument: no frames, no bones or more than 64,
    /// a shape that is present and not finite, with its frame and bone.
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

/// A round cone that holds the shape; exact for a round cone.
RoundCone enclosing_cone(const Shape& shape);

/// The smallest ball round two, grown by rounding. Ends of cones are merged with it.
struct Ball {
    Eigen::Vector3f center_m;
    float radius_m;
};
Ball enclosing_ball(const Ball& a, const Ball& b);

}  // namespace glovebox::collision::clips
