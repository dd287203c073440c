// Asks for what the next frame will read, before it does.
//
// After 8 ms of sleep or of other work a frame waits for memory most of its time, one line after the other. What it
// needs in any case is known: the code of refit, box tests and exact tests, the body's arrays and the roots of the
// meshes. warm_up() asks for all of that at once and does not wait. Of meshes that are remembered, what only some
// frames need is asked for by find_candidates(), when it knows. Answers do not change. Costs a prefetch a cache line,
// 700 to 1,500 of them: worth it once before the first use after a pause, a waste in a loop that does nothing else.
#pragma once

#include <cstddef>
#include <span>

#include "collision/query/collide.h"

namespace glovebox::collision {

/// Of the objects, the first 32. A memory is that of find_candidates() and find_contacts(): with it the walk down a
/// large mesh is seldom needed, and not asked for. It is told that what comes next comes after a pause (`woken`).
void warm_up(const ArticulatedBody& body, const BodyPose& pose, const BodyBoxes& boxes,
             std::span<const Collider> objects, BodyMemory* memory = nullptr);

/// The same for what the caller itself will read first, such as the poses of the frame.
void ask_for(const void* from, std::size_t bytes);

/// Bytes of code that warm_up() asks for on this machine in any case; near a large mesh it asks for more. 0 where the
/// linker does not tell.
std::size_t frame_code_bytes();

}  // namespace glovebox::collision
