// Frames of hands that were found in documents or messages, and their conversion to samples.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "recordings/formats/landmarks.h"
#include "recordings/formats/point_order.h"

namespace glovebox::recordings {

struct FoundHand {
    std::optional<tracking::Side> side;
    bool is_landmarks = false;  ///< 21 in MediaPipe's axes
    bool is_list = false;       ///< points without names, whose order is not known
    LandmarkHand landmarks;
    tracking::HandFrame joints;
    bool empty() const { return is_landmarks ? landmarks.seen.none() : !joints.active; }
};

struct FoundTime {
    double value = 0.0;
    double ns_per_unit = 0.0;  ///< 0: to be guessed
    std::optional<std::int64_t> exact_ns;
};

struct FoundFrame {
    std::optional<FoundTime> time;
    std::vector<FoundHand> hands;
};

/// Pushes frames to an Assembly. The unit of time, the sides and the kind of the landmarks are decided from the first
/// frames, which are buffered until then.
class FoundHands {
  public:
    FoundHands(const Input& in, const ImportOptions& options, Assembly& out);
    void take(FoundFrame frame);
    /// Call it after the last frame. Throws ImportError with `no_hand` if no frame had a hand.
    void finish(std::string_view no_hand);

  private:
    void settle();
    void settle_order();
    void settle_axes();
    void order_points(FoundFrame& frame) const;
    void release();
    std::int64_t time_ns_of(const FoundFrame& frame, std::int64_t number) const;

    const Input& in_;
    const ImportOptions& options_;
    Assembly& out_;
    LandmarkTraits traits_;
    std::vector<FoundFrame> waiting_;
    std::int64_t frames_ = 0, released_ = 0;
    const PointOrder* order_ = nullptr;  // of hands that are lists
    std::optional<JointOrder> joint_order_;
    double unit_ns_ = 1e9;
    bool settled_ = false, mirrored_ = false, has_time_ = false, is_landmarks_ = false, any_hand_ = false;
};

}  // namespace glovebox::recordings
