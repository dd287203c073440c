#include "tracking/hand_frame.h"

#include <array>

namespace glovebox::tracking {
namespace {

constexpr std::array<std::string_view, kJointCount> kJointNames = {"palm",
                                                                   "wrist",
                                                                   "thumb_metacarpal",
                                                                   "thumb_proximal",
                                                                   "thumb_distal",
                                                                   "thumb_tip",
                                                                   "index_metacarpal",
                                                                   "index_proximal",
                                                                   "index_intermediate",
                                                                   "index_distal",
                                                                   "index_tip",
                                                                   "middle_metacarpal",
                                                                   "middle_proximal",
                                                                   "middle_intermediate",
                                                                   "middle_distal",
                                                                   "middle_tip",
                                                                   "ring_metacarpal",
                                                                   "ring_proximal",
                                                                   "ring_intermediate",
                                                                   "ring_distal",
                                                                   "ring_tip",
                                                                   "little_metacarpal",
                                                                   "little_proximal",
                                                                   "little_intermediate",
                                                                   "little_distal",
                                                                   "little_tip"};
constexpr std::array<std::string_view, 6> kSourceNames = {"live",      "glove", "replay",
                                                          "synthetic", "held",  "extrapolated"};

}  // namespace

Joint parent_of(Joint joint) {
    switch (joint) {
        case Joint::palm:
        case Joint::wrist:
            return joint;
        case Joint::thumb_metacarpal:
        case Joint::index_metacarpal:
        case Joint::middle_metacarpal:
        case Joint::ring_metacarpal:
        case Joint::little_metacarpal:
            return Joint::wrist;
        default:
            return static_cast<Joint>(static_cast<int>(joint) - 1);
    }
}

std::string_view name_of(Joint joint) {
    return kJointNames[static_cast<std::size_t>(joint)];
}
std::string_view name_of(Side side) {
    return side == Side::left ? "left" : "right";
}
std::string_view name_of(Source source) {
    return kSourceNames[static_cast<std::size_t>(source)];
}

}  // namespace glovebox::tracking
