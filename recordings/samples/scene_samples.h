// A scripted recording for each of the scenes that want a hand of their own: keys, cup, peg, wheel, desk, textures,
// crate.
//
// Each is made for its scene's own coordinates (scenes/scene_table.cpp), which are repeated in scene_samples.cpp: the
// two folders do not know each other.
#pragma once

#include "recordings/recording.h"

namespace glovebox::recordings {

Recording make_type();     ///< keyboard: one finger types eight keys
Recording make_lift();     ///< cup-to-grasp: grasped, lifted, set down
Recording make_insert();   ///< peg-in-hole: a peg is put into its hole
Recording make_turn();     ///< valve: a hand wheel is turned, twice
Recording make_explore();  ///< room-scan: a finger feels its way over a desk
Recording make_stroke();   ///< texture-board: a fingertip over four plates, slowly and fast
Recording make_carry();    ///< two-hands: two palms lift a crate

}  // namespace glovebox::recordings
