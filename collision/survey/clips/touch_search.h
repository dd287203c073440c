// Searches recorded motion by touch: finds the frames in which a bone was near an object or another hand, and clashes
// of two recordings.
//
// Each result equals that of testing every frame with the exact queries of collide.h (tests compare them); the swept
// trees only exclude frames. Distances are signed; they are negative if penetrating. Touching counts as near.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "collision/query/collide.h"
#include "collision/survey/clips/swept_tree.h"

namespace glovebox::collision::clips {

/// A body's motion: its tree, and its poses for the exact tests. `tree_from_pose` transforms poses and objects to the
/// tree's frame of reference, if that differs from theirs.
struct SweptBody {
    SweptTreeView tree;
    PoseOfFrame pose_of;
    Eigen::Isometry3f tree_from_pose = Eigen::Isometry3f::Identity();
};

/// Counts of the work done by a search.
struct TouchCounts {
    std::int64_t nodes = 0;         ///< nodes visited
    std::int64_t bound_tests = 0;   ///< swept cones tested
    std::int64_t frames_posed = 0;  ///< frames whose bones were requested
    std::int64_t exact_tests = 0;   ///< bones tested exactly
};

/// The frames first..last, in all of which a bone was within reach.
struct NearInterval {
    std::int32_t bone = -1;
    std::int32_t other = -1;  ///< index of the object, or of the bone of the second body
    std::int32_t first = 0, last = 0;
    std::int32_t nearest_frame = 0;
    float distance_m = 0.0F;  ///< in nearest_frame, the first frame with the least distance
};

/// Returns all intervals in which a bone of `bones` (bit i is bone i) is within `within_m` >= 0 of an object, sorted by
/// (other, bone, first). A frame without the bone ends an interval. Objects do not move; they are in the poses' frame
/// of reference.
std::vector<NearInterval> find_near(const SweptBody& body, std::span<const Shape> objects, float within_m,
                                    std::uint64_t bones, TouchCounts& counts);

/// An object whose recorded motion has the same frames as the body.
struct MovingObject {
    Shape shape;
    std::function<Eigen::Isometry3f(std::int32_t frame)> pose_from_object;  ///< its pose in a frame
};

/// Does the same for one moving object; `other` of the results is 0. Reads the object's pose once in every frame, so it
/// is linear in the frames. That costs a small fraction of computing the body's poses.
std::vector<NearInterval> find_near(const SweptBody& body, const MovingObject& object, float within_m,
                                    std::uint64_t bones, TouchCounts& counts);

/// Does the same between two bodies that share their frames, such as the two hands of one recording. Both trees must
/// have the same number of frames, the same leaves and one common frame of reference. Throws std::invalid_argument
/// otherwise.
std::vector<NearInterval> find_near(const SweptBody& a, const SweptBody& b, float within_m, std::uint64_t bones_a,
                                    std::uint64_t bones_b, TouchCounts& counts);

/// Validity of a body's frames. Frame i is valid from begin_ns[i] until the next frame begins, but at most for hold_ns.
struct FrameTimes {
    std::span<const std::int64_t> begin_ns;  ///< not decreasing
    std::int64_t hold_ns = 100'000'000;      ///< as long as the tracking guard holds a lost hand

    std::int64_t end_ns(std::int32_t frame) const {
        const auto i = static_cast<std::size_t>(frame);
        const std::int64_t longest = begin_ns[i] + hold_ns;
        return i + 1 < begin_ns.size() && begin_ns[i + 1] < longest ? begin_ns[i + 1] : longest;
    }
};

struct TakeBody {
    SweptBody body;
    FrameTimes times;
};

/// The earliest contact of two recordings played together.
struct Clash {
    std::int32_t body_a, body_b;  ///< indices of the bodies passed in
    std::int32_t frame_a, frame_b, bone_a, bone_b;
    std::int64_t at_ns;  ///< first time at which both frames are valid, on a's clock
    float distance_m;
};

/// Returns the earliest clash if b's recording starts `offset_ns` later than a's: two bones within `within_m` while
/// both of their frames are valid. Tests all bodies of `a` (such as its two hands) against all of `b`. The poses of all
/// bodies share one frame of reference.
std::optional<Clash> find_clash(std::span<const TakeBody> a, std::span<const TakeBody> b, std::int64_t offset_ns,
                                float within_m, TouchCounts& counts);

/// Returns the smallest shift to add to `offset_ns` so that there is no clash; 0 if there is no clash as it is. The
/// shift may be in either direction; in a tie, it is the later one. It always exists, because recordings that share no
/// time do not clash.
std::int64_t min_clear_shift_ns(std::span<const TakeBody> a, std::span<const TakeBody> b, std::int64_t offset_ns,
                                float within_m, TouchCounts& counts);

}  // namespace glovebox::collision::clips
