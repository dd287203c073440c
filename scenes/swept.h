// What a fast bone meets between two frames among the objects that stay where they are: thin plates, walls, edges.
//
// A bone that moves less than its own radius in a frame cannot pass anything unseen. One that moves further is swept
// from where it was to where it is (collision/sweep.h), a quarter of a metre at a time, so that a touch or a hover that
// begins and ends between two frames is told with the point and the normal of the side that it came from. Objects that
// can be pushed are met in sub-steps instead (interact.h), because they move meanwhile.
#pragma once

#include <span>
#include <vector>

#include "collision/collide.h"

namespace glovebox::scenes {

/// Where a bone first came within reach of an object on its way.
struct SweptContact {
    collision::Contact contact;
    float share;  ///< of the way since the frame before, 0 to 1
};

/// Where a bone is at a share of the way from the frame before to now.
collision::Shape between(const collision::Shape& before, const collision::Shape& now, float share);

/// How far a bone's ends (a palm's middle) move.
float way_m(const collision::Shape& before, const collision::Shape& now);

/// How far a bone may move without being able to pass a surface unseen: its radius; half the thickness of a palm.
float unseen_m(const collision::Shape& bone);

/// Of each candidate whose bone moves further than unseen_m(): the first place within reach_m. A bone that is in reach
/// at the start counts only if it goes further in; one that is in reach at the end and did not come out at another side
/// is left to `contacts`, those of now, which say how deep it went. Appends to `out`. A dozen exact queries a
/// candidate, no allocation beyond out's.
void find_swept(const collision::BodyPose& before, const collision::BodyPose& now,
                std::span<const collision::Collider> objects, std::span<const collision::Candidate> candidates,
                std::span<const collision::Contact> contacts, float reach_m, std::vector<SweptContact>& out);

}  // namespace glovebox::scenes
