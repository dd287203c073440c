// Scripted recordings for seven built-in scenes: keys, cup, peg, wheel, desk, textures, crate.
//
// Each recording uses the coordinates of its scene. scene_samples.cpp repeats those coordinates from
// scenes/scene_table.cpp, because neither folder includes the other.
#pragma once

#include "recordings/recording.h"

namespace glovebox::recordings {

Recording make_type();     ///< keyboard: one finger types eight keys
Recording make_lift();     ///< cup-to-grasp: grasped, lifted, set down
Recording make_insert();   ///< peg-in-hole: a peg is inserted into its hole
Recording make_turn();     ///< valve: a hand wheel is turned, twice
Recording make_explore();  ///< room-scan: a finger explores a desk by touch
Recording make_stroke();   ///< texture-board: a fingertip over four plates, slowly and fast
Recording make_carry();    ///< two-hands: two palms lift a crate
Recording make_fetch();    ///< out-of-reach: distance grabs of a ball and a cup

}  // namespace glovebox::recordings
