// Search by touch: when was a bone near an object, when were two hands near each other, would two takes collide.
//
// Each answers as looking at every frame with the exact queries of collide.h does (the tests compare); the swept trees
// only say which frames need no look. Distances are signed as everywhere here: negative is penetrating, and touching
// counts as near.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "collision/query/collide.h"
#include "collision/survey/clips/swept_tree.h"

namespace glovebox::collision::clips {

/// A body's motion: its tree, and its frames for the exact tests. Poses may be in another frame than the tree's; then
/// `tree_from_pose` brings things from where poses and objects are to where the tree is.
struct SweptBody {
    SweptTreeView tree;
    PoseOfFrame pose_of;
    Eigen::Isometry3f tree_from_pose = Eigen::Isometry3f::Identity();
};

/// How much was looked at.
struct TouchCounts {
    std::int64_t nodes = 0;         ///< nodes visited
    std::int64_t bound_tests = 0;   ///< swept cones tested
    std::int64_t frames_posed = 0;  ///< frames whose bones were asked for
    std::int64_t exact_tests = 0;   ///< bones tested exactly
};

/// Frames first..last, all of them, in which a bone was within reach.
struct NearInterval {
    std::int32_t bone = -1;
    std::int32_t other = -1;  ///< object, or bone of the other body
    std::int32_t first = 0, last = 0;
    std::int32_t nearest_frame = 0;
    float distance_m = 0.0F;  ///< in nearest_frame; the first such frame
};

/// All intervals in which a bone of `bones` (bit i: bone i) is within `within_m` >= 0 of an object, sorted by (other,
/// bone, first). A frame without the bone ends an interval. Objects stand still, in the poses' frame.
std::vector<NearInterval> find_near(const SweptBody& body, std::span<const Shape> objects, float within_m,
                                    std::uint64_t bones, TouchCounts& counts);

/// A thing that moves as it was recorded, on the body's frames.
struct MovingObject {
    Shape shape;
    std::function<Eigen::Isometry3f(std::int32_t frame)> pose_from_object;  ///< where it is, in the poses' frame
};

/// The same for one object that moves; `other` of the answers is 0. Looks at where the object is in every frame once:
/// linear in the frames, at a small part of the cost of posing them.
std::vector<NearInterval> find_near(const SweptBody& body, const MovingObject& object, float within_m,
                                    std::uint64_t bones, TouchCounts& counts);

/// The same between two bodies that share their frames: the two hands of one recording. Both trees must have the same
/// number of frames, the same leaves and one common frame of reference. Throws std::invalid_argument otherwise.
std::vector<NearInterval> find_near(const SweptBody& a, const SweptBody& b, float within_m, std::uint64_t bones_a,
                                    std::uint64_t bones_b, TouchCounts& counts);

/// When the frames of a body are in force: frame i from begin_ns[i] until the next one begins, at most hold_ns later.
struct FrameTimes {
    std::span<const std::int64_t> begin_ns;  ///< not decreasing
    std::int64_t hold_ns = 100'000'000;      ///< as long as the guard holds a lost hand

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

/// The earliest meeting of two takes played together.
struct Clash {
    std::int32_t body_a, body_b;  ///< which of the bodies given
    std::int32_t frame_a, frame_b, bone_a, bone_b;
    std::int64_t at_ns;  ///< on a's clock: when both frames are first in force
    float distance_m;
};

/// Plays b with its clock put `offset_ns` later than a's. Do bones come within `within_m` of each other while both are
/// in force? All bodies of `a` (its two hands, say) against all of `b`; the poses share one frame of reference.
std::optional<Clash> find_clash(std::span<const TakeBody> a, std::span<const TakeBody> b, std::int64_t offset_ns,
                                float within_m, TouchCounts& counts);

/// The least shift (either way, the later one on a tie) to add to `offset_ns` so that there is no clash; 0 if there is
/// none anyway. Always exists: takes that do not share time do not clash.
std::int64_t least_clear_shift_ns(std::span<const TakeBody> a, std::span<const TakeBody> b, std::int64_t offset_ns,
                                  float within_m, TouchCounts& counts);

}  // namespace glovebox::collision::clips
