// Computes an overview of a whole recording before it is played: the space that hands and nearby objects occupy, and
// all touches.
//
// The recording is replayed headless with a separate world: on its own thread for a window, synchronously for a
// picture. The session's frames do not wait for it.
#pragma once

#include <atomic>
#include <span>
#include <thread>
#include <unordered_map>
#include <vector>

#include "vr/session/session.h"
#include "vr/session/touches.h"

namespace glovebox::vr {

/// Small boxes that together contain every added point, so a camera that sees all boxes sees all points. Memory grows
/// with the space that the points cover, not with their number.
class PointCloud {
  public:
    void add(const Eigen::Vector3f& point_m);  ///< ignores points that are not finite or beyond 1 km
    void add(const collision::Obb& box);       ///< adds the box's eight corners
    bool empty() const { return cells_.empty(); }
    /// Returns the corners of the small boxes. Each point lies within 4 cm of one of them.
    std::vector<Eigen::Vector3f> corners_m() const;

  private:
    std::unordered_map<std::uint64_t, Eigen::AlignedBox3f> cells_;
};

/// Objects at most this far from a hand are included in the picture's frame. kNearInTake_m is for a whole recording.
/// kNearNow_m is for a single moment; it is larger because later motion is unknown.
inline constexpr float kNearInTake_m = 0.10F, kNearNow_m = 0.35F;

/// Adds the joints of the tracked hands to `points`, and the boxes of objects within `near_m` of a joint. Objects of
/// 0.6 m or more (tables, rooms) are left out.
void add_visible(const scenes::World& world, const tracking::HandPair& hands, float near_m, PointCloud& points);

/// A moment of a recording: the joints of the tracked hands, and the boxes of the objects that may hide them.
struct TakeMoment {
    std::vector<Eigen::Vector3f> joints_m;
    std::vector<collision::Obb> objects;
};

/// Returns the share of the moments' joints and objects that another object hides from the eye; joints weigh more.
float hidden_share(std::span<const TakeMoment> moments, const Eigen::Vector3f& eye_m);

/// Overview of a recording in a scene.
struct TakeOverview {
    std::vector<Eigen::Vector3f> corners_m;  ///< world points that bound hands and objects: PointCloud::corners_m()
    /// Direction toward the best camera position: horizontal, not normalised, summed over the frames. Frames with a
    /// touch count more.
    Eigen::Vector3f toward_eye = Eigen::Vector3f::Zero();
    std::vector<TakeMoment> moments;     ///< some frames with a touch, evenly spaced
    std::vector<Touch> touches;          ///< by finger, sorted by begin
    tracking::PerSide<bool> has_hand{};  ///< sides that are tracked in at least one frame
};

/// Returns the horizontal direction toward the best camera position for hands in this pose: from the thumb's side, a
/// little from the front. The direction is not normalised; it is zero if no hand is tracked.
Eigen::Vector3f toward_eye_of(const tracking::HandPair& hands);

/// Replays the whole recording. Meanwhile `progress` rises from 0 to 1. If `stop` is requested, returns the result so
/// far.
TakeOverview watch_take(const scenes::Scene& scene, const recordings::FileSource& file,
                        const PipelineSettings& settings, const std::stop_token& stop = {},
                        std::atomic<float>* progress = nullptr);

/// Runs watch_take() on its own thread. The session must outlive it; its destructor stops the replay.
class TakeWatcher {
  public:
    explicit TakeWatcher(const Session& session);
    /// Returns the overview; null until it is complete.
    const TakeOverview* take() const { return whole_.load() ? &take_ : nullptr; }
    float progress() const { return progress_.load(); }
    void wait();

  private:
    TakeOverview take_;
    std::atomic<bool> whole_ = false;
    std::atomic<float> progress_ = 0.0F;
    std::jthread thread_;  // last: joined before the others go
};

}  // namespace glovebox::vr
