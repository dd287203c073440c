// Frames of hands that were found in documents or messages, and their conversion to samples.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "recordings/formats/landmarks.h"
#include "recordings/formats/point_order.h"
#include "recordings/formats/steamvr_bones.h"

namespace glovebox::recordings {

struct FoundHand {
    std::optional<tracking::Side> side;
    bool is_landmarks = false;  ///< 21 in MediaPipe's axes
    bool is_list = false;       ///< points without names, whose order is not known
    bool is_flat = false;       ///< 63 numbers without names: points, or all x, then all y, then all z
    /// A turn about the origin that is still to be applied, from a matrix by columns; its transpose, if the file's
    /// matrices are by rows.
    std::optional<Eigen::Matrix3f> turn;
    std::optional<bool> by_columns;  ///< the order of a matrix that placed the hand, if the matrix shows it
    LandmarkHand landmarks;
    tracking::HandFrame joints;
    std::optional<SteamVrHand> bones;  ///< 31, whose space is not known; `joints` are then those of model space
    bool empty() const { return is_landmarks ? landmarks.seen.none() : !joints.active; }
};

struct FoundTime {
    double value = 0.0;
    double ns_per_unit = 0.0;  ///< 0: to be guessed
    std::optional<std::int64_t> exact_ns;
};

struct FoundFrame {
    std::optional<FoundTime> time;
    std::optional<double> number;  ///< of the frame
    std::vector<FoundHand> hands;
    std::int64_t row = 0;  ///< set by FoundHands::take()
};

/// Pushes frames to an Assembly. The unit of time, the sides and the kind of the landmarks are decided from the first
/// frames, which are buffered until then.
class FoundHands {
  public:
    FoundHands(const Input& in, const ImportOptions& options, Assembly& out);
    /// Sets the time of a frame for files without times.
    void set_frame_time(double frame_ns) { frame_ns_ = frame_ns; }
    void take(FoundFrame frame);
    /// Call it after the last frame. Throws ImportError with `no_hand` if no frame had a hand.
    void finish(std::string_view no_hand);
    /// Pushes the frames that are buffered, for a file that is damaged after them.
    void push_buffered() {
        if (!settled_) release();
    }

  private:
    void settle();
    void settle_order();
    void settle_turns();
    void order_points(FoundFrame& frame) const;
    void release();
    bool goes_on(const FoundFrame& frame, std::int64_t time_ns) const;
    double count_of(const FoundFrame& frame, std::int64_t number);
    std::int64_t time_ns_of(const FoundFrame& frame, std::int64_t number, double count) const;

    const Input& in_;
    Assembly& out_;
    LandmarkTraits traits_;
    std::vector<FoundFrame> waiting_;
    std::size_t waiting_hands_ = 0;
    std::int64_t frames_ = 0, released_ = 0, left_out_ = 0;
    const PointOrder* order_ = nullptr;  // of hands that are lists
    std::optional<JointOrder> joint_order_;
    BoneSpace bone_space_ = BoneSpace::model;
    std::optional<double> frame_ns_;
    std::optional<bool> by_columns_;  // of matrices
    double unit_ns_ = 1e9, last_count_ = 0.0;
    bool has_numbers_ = false, coordinates_apart_ = false;
    bool settled_ = false, has_time_ = false, is_landmarks_ = false, any_hand_ = false;
};

}  // namespace glovebox::recordings
