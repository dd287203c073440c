// The 21 landmarks of a hand in Meta's files (Aria's hand tracking and the UmeTrack model), in the order of those
// files.
#pragma once

#include <array>

#include "tracking/hand_frame.h"

namespace glovebox::recordings {

inline constexpr std::array kMetaLandmarks = {tracking::Joint::thumb_tip,
                                              tracking::Joint::index_tip,
                                              tracking::Joint::middle_tip,
                                              tracking::Joint::ring_tip,
                                              tracking::Joint::little_tip,
                                              tracking::Joint::wrist,
                                              tracking::Joint::thumb_proximal,
                                              tracking::Joint::thumb_distal,
                                              tracking::Joint::index_proximal,
                                              tracking::Joint::index_intermediate,
                                              tracking::Joint::index_distal,
                                              tracking::Joint::middle_proximal,
                                              tracking::Joint::middle_intermediate,
                                              tracking::Joint::middle_distal,
                                              tracking::Joint::ring_proximal,
                                              tracking::Joint::ring_intermediate,
                                              tracking::Joint::ring_distal,
                                              tracking::Joint::little_proximal,
                                              tracking::Joint::little_intermediate,
                                              tracking::Joint::little_distal,
                                              tracking::Joint::palm};

}  // namespace glovebox::recordings
