// Which of the 26 joints a BVH joint's name means: one table for all vendors.
#pragma once

#include <optional>
#include <string_view>

#include "tracking/hand_frame.h"

namespace glovebox::recordings {

struct NamedJoint {
    std::optional<tracking::Side> side;  ///< nothing: the file has one hand and does not say which
    tracking::Joint joint = tracking::Joint::wrist;
};

/// Nothing if the name is not one of a hand's joints.
///   hand suits (Noitom, Rokoko, Mixamo)  RightHand, RightInHandIndex, RightHandIndex1..4, RightHandThumb1..4
///   CMU-derived                          rhand, metacarpal1.r, finger2-1.r..finger5-3.r, rthumb, finger1-2.r
///   game engines                         hand_r, index_metacarpal_r, index_01_r..index_03_r
///   hand only (ManipNet)                 WRIST, THUMB_CMC_AA, THUMB_MCP_FE, INDEX_MCP, INDEX_PIP_FE ...
/// Upper and lower case and prefixes such as "mixamorig:" do not matter.
std::optional<NamedJoint> joint_of_bvh_name(std::string_view name);

}  // namespace glovebox::recordings
