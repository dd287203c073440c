// Finds when a bone in a recording is near an object or the other hand, either with an index or by a replay of every
// frame.
//
// Objects stay at their initial poses or follow their recorded motion. A search does not simulate dynamics, so a ball
// that an earlier touch would have pushed away is at its initial pose.
#pragma once

#include <string>
#include <vector>

#include "vr/clips/take_index.h"

namespace glovebox::vr {

/// An interval of frames in which a bone was within a distance of an object, or of a bone of the other hand.
struct Meeting {
    tracking::Side side = tracking::Side::right;
    int bone = -1;
    int other = -1;  ///< object of the scene, or bone of the right hand if two hands meet
    int first = 0, last = 0, nearest_frame = 0;
    float distance_m = 0.0F;  ///< minimum, signed

    bool operator==(const Meeting&) const = default;
};

/// A query for bones near objects.
struct NearQuestion {
    const scenes::Scene* scene = nullptr;
    std::vector<int> objects;  ///< indices into the scene
    float within_m = 0.0F;
    tracking::PerSide<bool> hands = {true, true};
    std::uint64_t bones = ~std::uint64_t{0};  ///< bit i: bone i of the hand
};

/// Returns the index of the object with this name. Throws std::runtime_error, which lists the names, if there is none.
/// Also throws if the recorded motion of the object has not been loaded (load_tracks()).
int find_object(const scenes::Scene& scene, const std::string& name);

/// Returns a bit mask of bones. `name` is "all", a finger ("index") or a bone ("index tip"). Throws std::runtime_error,
/// which lists the names, for any other text.
std::uint64_t bones_named(const std::string& name);

/// Find all meetings, with an index or by a replay. Both functions return the same meetings, sorted by (side, other,
/// bone, first).
std::vector<Meeting> find_meetings(const TakeIndex& take, const NearQuestion& question,
                                   collision::clips::TouchCounts& counts);
std::vector<Meeting> replay_meetings(recordings::Recording recording, const NearQuestion& question);

/// Find all meetings of the left hand with the right, with an index or by a replay. In the results, `side` is left and
/// `other` is a bone of the right hand.
std::vector<Meeting> find_hand_meetings(const TakeIndex& take, float within_m, std::uint64_t bones,
                                        collision::clips::TouchCounts& counts);
std::vector<Meeting> replay_hand_meetings(recordings::Recording recording, float within_m, std::uint64_t bones);

/// Both hands of a recording at their recorded positions, with times from 0 at the first frame.
struct PlayedTake {
    std::vector<std::int64_t> begin_ns;
    std::vector<collision::clips::TakeBody> bodies;
    std::vector<tracking::Side> sides;  ///< side of each body
};
/// Returns both hands. The result refers to the index. Do not move the PlayedTake.
std::unique_ptr<PlayedTake> played(const TakeIndex& take);

}  // namespace glovebox::vr
