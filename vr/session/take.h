// What the whole of a recording does in its scene, known before it has been played: where hands and the objects that
// they come near go, and who touches what from when to when.
//
// Found by replaying the recording once more, headless, with a world of its own: on a thread of its own for a window,
// at once for a picture. The session's frames do not wait for it.
#pragma once

#include <atomic>
#include <thread>
#include <unordered_map>
#include <vector>

#include "vr/session/session.h"
#include "vr/session/touches.h"

namespace glovebox::vr {

/// Small boxes that together hold every point that was added: a camera that sees all of them sees all of the points.
/// Memory grows with the way, not with the time.
class PointCloud {
  public:
    void add(const Eigen::Vector3f& point_m);  ///< what is not finite is left out
    void add(const collision::Obb& box);       ///< its eight corners
    bool empty() const { return cells_.empty(); }
    /// Corners of the small boxes. A point lies within 4 cm of one of them.
    std::vector<Eigen::Vector3f> corners_m() const;

  private:
    std::unordered_map<std::uint64_t, Eigen::AlignedBox3f> cells_;
};

/// So near to a hand, an object belongs into a picture of it: over a whole take, which comes nearer by itself, and in a
/// moment that says nothing of what comes.
inline constexpr float kNearInTake_m = 0.10F, kNearNow_m = 0.35F;

/// Adds the joints of the hands in sight and the boxes of the objects that one of them is near to. Of an object larger
/// than a picture (tables, rooms) nothing is added: hands are on it anyway.
void add_what_counts(const scenes::World& world, const tracking::HandPair& hands, float near_m, PointCloud& points);

struct TakeOverview {
    std::vector<Eigen::Vector3f> way_m;  ///< see PointCloud::corners_m
    /// Where to look from, horizontal, not normalised: the mean over the frames, those that touch count most.
    Eigen::Vector3f toward_eye = Eigen::Vector3f::Zero();
    std::vector<Touch> touches;          ///< of fingers, by their beginning
    tracking::PerSide<bool> has_hand{};  ///< that is ever in sight
};

/// From where a hand in this pose is seen best: its thumb's side, a little from the front. Horizontal; zero: no hand.
Eigen::Vector3f toward_eye_of(const tracking::HandPair& hands);

/// Replays all of it. `progress` 0..1. Gives up (with what it has) when `stop` asks for it.
TakeOverview watch_take(const scenes::Scene& scene, const recordings::FileSource& file,
                        const PipelineSettings& settings, const std::stop_token& stop = {},
                        std::atomic<float>* progress = nullptr);

/// The same in the background. What it was given must live longer.
class TakeWatcher {
  public:
    explicit TakeWatcher(const Session& session);
    /// Null until it is whole.
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
