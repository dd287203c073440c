// Where the code of a frame lies: side by side, so that one loop can ask for all of it at once (warm_up.h).
//
// A display's frame finds caches and address tables cold. Code that is called in turn is then fetched line after line,
// each as long as memory takes; asked for together they come together. Functions that every frame runs carry one of
// these marks: a linker puts what carries the same one into one section, and names where it begins and ends. Where
// there is no such linker the marks say nothing and warm_up() asks for data alone.
// Templates and inline functions cannot carry them: those are inlined by force, or stay where they are.
#pragma once

#if defined(__ELF__) && (defined(__GNUC__) || defined(__clang__))
#define GLOVEBOX_HAS_FRAME_CODE 1
/// Of plain functions: of every frame; of frames with objects that are no meshes; of box tests; of what is asked of a
/// mesh; of the exact answer for a cone or a palm that is near one; and of what a bone looks anew with.
#define GLOVEBOX_FRAME_CODE __attribute__((section("glovebox_frame")))
#define GLOVEBOX_SOLID_CODE __attribute__((section("glovebox_solid")))
#define GLOVEBOX_MEET_CODE __attribute__((section("glovebox_meet")))
#define GLOVEBOX_MESH_CODE __attribute__((section("glovebox_mesh")))
#define GLOVEBOX_CONE_CODE __attribute__((section("glovebox_cone")))
#define GLOVEBOX_CORE_CODE __attribute__((section("glovebox_core")))
#define GLOVEBOX_ANEW_CODE __attribute__((section("glovebox_anew")))
/// Of functions that Highway compiles for each instruction set: each set has its own, since only one is run. Of every
/// frame; of box tests; of walks down a large mesh, of what is remembered of it instead, and of what a bone looks anew
/// with.
#define GLOVEBOX_FRAME_CODE_LANES GLOVEBOX_LANES_SECTION("glovebox_frame_")
#define GLOVEBOX_MEET_CODE_LANES GLOVEBOX_LANES_SECTION("glovebox_meet_")
#define GLOVEBOX_WALK_CODE_LANES GLOVEBOX_LANES_SECTION("glovebox_walk_")
#define GLOVEBOX_KEPT_CODE_LANES GLOVEBOX_LANES_SECTION("glovebox_kept_")
#define GLOVEBOX_ANEW_CODE_LANES GLOVEBOX_LANES_SECTION("glovebox_anew_")
#define GLOVEBOX_ANEW_CORE_CODE_LANES GLOVEBOX_LANES_SECTION("glovebox_anew_core_")
#define GLOVEBOX_LANES_SECTION(NAME) __attribute__((section(NAME HWY_STR(HWY_NAMESPACE))))
/// Of the few variables that such functions read first.
#define GLOVEBOX_FRAME_DATA __attribute__((section("glovebox_frame_data")))
/// Takes the inline functions that it calls in, which would lie elsewhere.
#define GLOVEBOX_FLAT __attribute__((flatten))
/// Of what frames seldom run: kept out of the code round it.
#define GLOVEBOX_RARE __attribute__((noinline))
#else
#define GLOVEBOX_HAS_FRAME_CODE 0
#define GLOVEBOX_FRAME_CODE
#define GLOVEBOX_SOLID_CODE
#define GLOVEBOX_MEET_CODE
#define GLOVEBOX_MESH_CODE
#define GLOVEBOX_CONE_CODE
#define GLOVEBOX_CORE_CODE
#define GLOVEBOX_ANEW_CODE
#define GLOVEBOX_FRAME_CODE_LANES
#define GLOVEBOX_MEET_CODE_LANES
#define GLOVEBOX_WALK_CODE_LANES
#define GLOVEBOX_KEPT_CODE_LANES
#define GLOVEBOX_ANEW_CODE_LANES
#define GLOVEBOX_ANEW_CORE_CODE_LANES
#define GLOVEBOX_FRAME_DATA
#define GLOVEBOX_FLAT
#define GLOVEBOX_RARE
#endif

namespace glovebox::collision {

/// What not every frame near a remembered mesh runs is not asked for ahead, but by the frame itself, as soon as it
/// knows that it will run it: still all at once.
void ask_for_meet_code();
void ask_for_cone_code();
void ask_for_core_code();
void ask_for_anew_code(bool of_a_core);

}  // namespace glovebox::collision
