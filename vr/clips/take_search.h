// Questions about takes, answered from their indices, and the same answered by replaying every frame.
//
// Objects stand where the scene starts them, or move as they were recorded: a search knows nothing of a ball that an
// earlier touch has pushed away.
#pragma once

#include <string>
#include <vector>

#include "vr/clips/take_index.h"

namespace glovebox::vr {

/// A stretch of frames in which a bone was within reach of an object, or of a bone of the other hand.
struct Meeting {
    tracking::Side side = tracking::Side::right;
    int bone = -1;
    int other = -1;  ///< object of the scene; bone of the right hand where two hands meet
    int first = 0, last = 0, nearest_frame = 0;
    float distance_m = 0.0F;  ///< least, signed

    bool operator==(const Meeting&) const = default;
};

struct NearQuestion {
    const scenes::Scene* scene = nullptr;
    std::vector<int> objects;  ///< indices into the scene
    float within_m = 0.0F;
    tracking::PerSide<bool> hands = {true, true};
    std::uint64_t bones = ~std::uint64_t{0};  ///< bit i: bone i of the hand
};

/// Number of a scene's object. Throws std::runtime_error naming those there are; also for an object that moves as
/// recorded and whose motion no one loaded.
int find_object(const scenes::Scene& scene, const std::string& name);

/// Bit mask of bones: "all", a finger ("index") or a bone ("index tip"). Throws std::runtime_error naming them.
std::uint64_t bones_named(const std::string& name);

/// Sorted by (side, other, bone, first).
std::vector<Meeting> find_meetings(const TakeIndex& take, const NearQuestion& question,
                                   collision::clips::TouchCounts& counts);
std::vector<Meeting> replay_meetings(recordings::Recording recording, const NearQuestion& question);

/// Left hand against right. `side` of the answers is left, `other` a bone of the right.
std::vector<Meeting> find_hand_meetings(const TakeIndex& take, float within_m, std::uint64_t bones,
                                        collision::clips::TouchCounts& counts);
std::vector<Meeting> replay_hand_meetings(recordings::Recording recording, float within_m, std::uint64_t bones);

/// Both hands of a take, where they were recorded, with their clock from 0 at the first frame.
struct PlayedTake {
    std::vector<std::int64_t> begin_ns;
    std::vector<collision::clips::TakeBody> bodies;
    std::vector<tracking::Side> sides;  ///< of the bodies
};
/// Refers to the index; do not move the result.
std::unique_ptr<PlayedTake> played(const TakeIndex& take);

}  // namespace glovebox::vr
