// Refit methods: functions that update the boxes of an articulated body after its bones moved. All have one signature
// and are listed in one table.
//
// The table has the methods of the paper [Schmidl04] (brute, AABB+, AABB*, covariance, CAB) and newer ones. A method
// fills either the oriented or the axis-aligned boxes; `brute` fills neither and passes every pair to the exact test.
#pragma once

#include <span>
#include <string_view>

#include "collision/body/articulated_body.h"

namespace glovebox::collision {

/// The kind of boxes that a method fills.
enum class BoxKind : std::uint8_t {
    none,      ///< no boxes
    aligned,   ///< a tree of axis-aligned boxes
    oriented,  ///< a tree of oriented boxes
    flat,      ///< the leaves' oriented boxes side by side, tested with SIMD; no tree
};

/// The further test of a leaf, after its box in the tree was found to overlap.
enum class LeafTest : std::uint8_t {
    box,       ///< no further test
    oriented,  ///< the leaf's oriented box
    rounded,   ///< the rounded bone itself where it is a round cone, else its oriented box
};

/// An entry of the table of methods.
struct RefitMethod {
    std::string_view name;     ///< as in `--method cab`
    std::string_view summary;  ///< one line of help for the user
    BoxKind kind;
    LeafTest leaf;
    /// Fills `boxes` for the pose and returns the number of internal boxes computed (n_u). `boxes` is resized on first
    /// use; afterwards nothing is allocated. Bones that the pose lacks (BodyPose::has) are skipped: a parent takes the
    /// other child's box. Boxes of bones that did not move (pose.bone_moved) are neither computed nor counted.
    int (*refit)(const ArticulatedBody& body, const BodyPose& pose, BodyBoxes& boxes);
};

/// Returns all methods, the default ("cab") first.
std::span<const RefitMethod> refit_methods();

/// Returns the method of that name, or nullptr.
const RefitMethod* find_refit_method(std::string_view name);

}  // namespace glovebox::collision
