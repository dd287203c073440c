// What a bone meets between two frames among the objects that no one pushes: thin plates, walls, edges, whether they
// rest or move as recorded.
//
// What counts is how a bone moves as seen from the object. One that moves less than its own radius in a frame cannot
// pass anything unseen. One that moves further is swept from where it was to where it is (collision/query/sweep.h), in
// pieces that follow the way to a quarter of a millimetre, so that a touch or a hover that begins and ends between two
// frames is told with the point and the normal of the side that it came from. Objects that can be pushed are met in
// sub-steps instead (interact.h), because they move meanwhile.
#pragma once

#include <span>
#include <vector>

#include "collision/query/collide.h"

namespace glovebox::scenes {

/// How an object that follows a track moved since the frame before: evenly, as between two samples of the track.
struct ObjectWay {
    Eigen::Isometry3f world_from_object_t0 = Eigen::Isometry3f::Identity();
    Eigen::Isometry3f world_from_object_t1 = Eigen::Isometry3f::Identity();
    float turn_rad = 0.0F;
    float most_m = 0.0F;  ///< no point of its box, nor any within reach_m of that, moved further; 0: it stood

    Eigen::Isometry3f world_from_object(float share) const;
};

/// The furthest that an object may turn in a frame; more is a jump. Four times what a wrist does in a frame of 90 Hz.
constexpr float kLongestTurn_rad = 1.0F;

/// An object whose middle moved further than a sweep may go (collision::kLongestSweep_m), that turned further than
/// kLongestTurn_rad, or that went to nowhere, jumped: it then counts as one that stood where it is now.
ObjectWay way_between(const Eigen::Isometry3f& world_from_object_t0, const Eigen::Isometry3f& world_from_object_t1,
                      const collision::Obb& box_in_object, float reach_m);

/// Where a bone first came within reach of an object in its path.
struct SweptContact {
    collision::Contact contact;  ///< in the world, where bone and object were then
    float share;                 ///< of the way since the frame before, 0 to 1
};

/// Where a bone, a round cone, is at a share of the way from the frame before to now.
collision::Shape between(const collision::Shape& before, const collision::Shape& now, float share);

/// How far a bone's ends move.
float way_m(const collision::Shape& before, const collision::Shape& now);

/// How far a bone may move without being able to pass a surface unseen: its radius.
float unseen_m(const collision::Shape& bone);

/// Of each candidate whose bone moves further than unseen_m(), as seen from the object: the first place within reach_m.
/// `ways` has one for each object, or is empty where all of them stand. A bone that is in reach
/// at the start counts only if it goes further in; one that is in reach at the end and did not come out at another side
/// is left to `contacts`, those of now, which say how deep it went. Appends to `out`. A dozen exact queries a
/// candidate, no allocation beyond out's.
void find_swept(const collision::BodyPose& before, const collision::BodyPose& now,
                std::span<const collision::Collider> objects, std::span<const ObjectWay> ways,
                std::span<const collision::Candidate> candidates, std::span<const collision::Contact> contacts,
                float reach_m, std::vector<SweptContact>& out);

}  // namespace glovebox::scenes
