// Reads the latest pose from a wrist tracker that sends lines of text. A line has a time, a position in metres and a
// quaternion w, x, y, z, separated by commas as in a wrist file.
#pragma once

#include <Eigen/Geometry>
#include <filesystem>
#include <optional>

#include "tracking/glove/byte_stream.h"
#include "tracking/glove/opengloves.h"

namespace glovebox::tracking {

class WristTracker {
  public:
    /// Opens the tracker; an empty `device` means no tracker. Throws DeviceError if it cannot be opened.
    explicit WristTracker(const std::filesystem::path& device, int baud = 115200);

    bool is_there() const { return stream_.has_value(); }
    /// Reads pending input, at most 64 blocks of 4 KiB per call. Poses get the time `now_ns`; the time in the line is
    /// ignored.
    void update(std::int64_t now_ns);
    /// Returns true if the latest pose holds: it is at most silence_ns old, or a file's, whose last pose stays.
    bool tracked(std::int64_t now_ns, std::int64_t silence_ns) const {
        return poses_ > 0 && (is_file_ || now_ns - last_ns_ <= silence_ns);
    }
    /// Returns the latest pose; the identity before the first.
    const Eigen::Isometry3f& world_from_tracker() const { return world_from_tracker_; }
    std::uint64_t poses() const { return poses_; }
    std::uint64_t unreadable() const { return unreadable_; }  ///< lines that are not a pose or have no unit quaternion

  private:
    void take(std::string_view line, std::int64_t now_ns);

    std::optional<ByteStream> stream_;
    bool is_file_ = false;
    LineAssembler lines_;
    Eigen::Isometry3f world_from_tracker_ = Eigen::Isometry3f::Identity();
    std::uint64_t poses_ = 0, unreadable_ = 0;
    std::int64_t last_ns_ = 0;
};

}  // namespace glovebox::tracking
