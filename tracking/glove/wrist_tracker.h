// The newest pose of a tracker that writes lines as in a wrist file: time, position in metres, quaternion w x y z.
#pragma once

#include <Eigen/Geometry>
#include <filesystem>
#include <optional>

#include "tracking/glove/byte_stream.h"
#include "tracking/glove/opengloves.h"

namespace glovebox::tracking {

class WristTracker {
  public:
    /// An empty name: there is none. Throws DeviceError.
    explicit WristTracker(const std::filesystem::path& device, int baud = 115200);

    bool is_there() const { return stream_.has_value(); }
    /// Takes all that has come, but no more than a flood's share.
    void update(std::int64_t now_ns);
    const Eigen::Isometry3f& world_from_tracker() const { return world_from_tracker_; }  ///< identity before the first
    std::uint64_t poses() const { return poses_; }
    std::uint64_t unreadable() const { return unreadable_; }  ///< lines that are no pose, or no rotation
    std::int64_t last_ns() const { return last_ns_; }         ///< when the newest pose came; 0: none has

  private:
    void take(std::string_view line, std::int64_t now_ns);

    std::optional<ByteStream> stream_;
    LineAssembler lines_;
    Eigen::Isometry3f world_from_tracker_ = Eigen::Isometry3f::Identity();
    std::uint64_t poses_ = 0, unreadable_ = 0;
    std::int64_t last_ns_ = 0;
};

}  // namespace glovebox::tracking
