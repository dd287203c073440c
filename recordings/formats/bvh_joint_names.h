// Maps BVH joint names to the 26 joints of a hand, with one table for all vendors.
#pragma once

#include <optional>
#include <string_view>

#include "tracking/hand_frame.h"

namespace glovebox::recordings {

struct NamedJoint {
    std::optional<tracking::Side> side;  ///< empty if the name does not contain a side
    tracking::Joint joint = tracking::Joint::wrist;
    /// The name is of the second of a thumb's three bones, such as leftThumbIntermediate (Unity, VRM 0) and
    /// leftThumbMedial (Rokoko). The proximal one of the same skeleton is then the metacarpal.
    bool is_thumb_middle = false;
};

/// Returns the joint of a BVH name, or nothing if it is not a joint of a hand. Known naming schemes:
///   hand suits (Noitom, Rokoko, Mixamo)  RightHand, RightInHandIndex, RightHandIndex1..4, RightHandThumb1..4
///   CMU-derived                          rhand, metacarpal1.r, finger2-1.r..finger5-3.r, rthumb, finger1-2.r
///   game engines                         hand_r, index_metacarpal_r, index_01_r..index_03_r
///   hand only (ManipNet)                 WRIST, THUMB_CMC_AA, THUMB_MCP_FE, INDEX_MCP, INDEX_PIP_FE ...
/// Case and prefixes such as "mixamorig:" are ignored.
std::optional<NamedJoint> joint_of_bvh_name(std::string_view name);

}  // namespace glovebox::recordings
