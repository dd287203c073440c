// Refit methods: how the boxes of an articulated body follow its bones. Rows of one table with one signature.
//
// The paper's own [Schmidl04] (brute, AABB+, AABB*, covariance, CAB) and what came after. A method fills either the
// oriented or the axis-aligned boxes; `brute` fills neither and hands every pair to the exact test.
#pragma once

#include <span>
#include <string_view>

#include "collision/body/articulated_body.h"

namespace glovebox::collision {

enum class BoxKind : std::uint8_t {
    none,      ///< no boxes
    aligned,   ///< a tree of axis-aligned boxes
    oriented,  ///< a tree of oriented boxes
    flat,      ///< the leaves' oriented boxes side by side, tested with SIMD; no tree
};

/// What is asked of a leaf whose box in the tree overlaps.
enum class LeafTest : std::uint8_t {
    box,       ///< nothing more
    oriented,  ///< its oriented box
    rounded,   ///< the rounded bone itself where it is a round cone, else its oriented box
};

struct RefitMethod {
    std::string_view name;     ///< as in `--method cab`
    std::string_view summary;  ///< one line for a person choosing
    BoxKind kind;
    LeafTest leaf;
    /// Fills `boxes` for the pose. `boxes` is resized on first use and then reused: no allocation afterwards.
    /// Returns the number of internal boxes computed (n_u). Bones that the pose does not have (BodyPose::has) are
    /// skipped: a parent takes the other child's box. What did not move by pose.bone_moved is neither computed nor
    /// counted.
    int (*refit)(const ArticulatedBody& body, const BodyPose& pose, BodyBoxes& boxes);
};

/// All rows, the default ("cab") first.
std::span<const RefitMethod> refit_methods();

/// nullptr if there is no such row.
const RefitMethod* find_refit_method(std::string_view name);

}  // namespace glovebox::collision
