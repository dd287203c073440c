// A hand source that reads a data glove from a serial port, a pseudo-terminal, a pipe, a TCP connection or a file of
// packets.
//
// Each packet is a sample. If packets are waiting in the port when it is opened, all but the newest are skipped.
// Packets beyond a sustained rate of 4,000 per second are skipped too. Skipped packets are counted. While the glove is
// silent, the source returns fifty samples a second without a hand, so that the hand counts as lost and not as frozen.
// A port that disappears is opened again. The wrist is at `world_from_wrist`, or moved by a tracker.
#pragma once

#include <memory>
#include <optional>
#include <utility>

#include "tracking/glove/byte_stream.h"
#include "tracking/glove/protocol.h"
#include "tracking/glove/wrist_tracker.h"
#include "tracking/source.h"

namespace glovebox::tracking {

struct GloveSettings {
    std::string device;  ///< for ByteStream::open()
    std::string protocol = "opengloves";
    int baud = 115200;
    float max_analog = 4095.0F;  ///< raw sensor value of a closed finger
    Side side = Side::right;
    UserProfile user;
    std::filesystem::path wrist;                                         ///< device of a tracker; empty: none
    Eigen::Isometry3f world_from_wrist = Eigen::Isometry3f::Identity();  ///< without a tracker
    Eigen::Isometry3f world_from_tracker_space = Eigen::Isometry3f::Identity();
    std::int64_t silence_ns = 100'000'000;  ///< the hand is lost after this time without a packet
    /// For this long, the source tries to open a port that disappeared; then the source ends.
    std::int64_t retry_ns = 5'000'000'000;
};

class GloveSource final : public HandSource {
  public:
    /// Opens the wrist tracker, but not the glove. Throws DeviceError if the tracker cannot be opened, the protocol is
    /// unknown, or the user's calibration has another number of sensors than the protocol.
    explicit GloveSource(GloveSettings settings);
    /// Opens the glove's port. Call it when everything else is ready, because packets arrive from then on. Throws
    /// DeviceError if the port cannot be opened.
    void open();

    bool next(std::int64_t now_ns, SourceFrame& out) override;
    void wait(std::int64_t until_ns) override;
    const SourceFacts& facts() const override { return facts_; }
    const SourceStatus& status() const override { return status_; }
    std::vector<SourceNotice> take_notices() override { return std::exchange(notices_, {}); }
    void set_paused(bool paused) override { paused_ = paused; }
    std::span<const float> sensors() const override;
    void move_wrist(const Eigen::Vector3f& by_m, float turn_rad) override;
    std::int64_t start_ns() const override { return start_ns_; }

    const HandAngles& angles() const { return angles_; }  ///< angles of the newest packet
    bool has_packets() const { return packets() > 0; }
    std::uint64_t packets() const { return status_.counters[0].count; }
    std::uint64_t unreadable() const { return status_.counters[1].count; }
    double longest_gap_s() const { return longest_gap_s_; }  ///< longest time between packets, or since the last
    /// Returns ByteStream::writing_fd() of the open port, for sending to the glove; -1 while it is disconnected.
    int writing_fd() const { return stream_ ? stream_->writing_fd() : -1; }
    int times_opened() const { return times_opened_; }

    /// Reads pending input and decodes at most one packet; returns true if it did. For sources that use only the
    /// fingers of the glove.
    bool update(std::int64_t now_ns);

  private:
    enum Counter : std::size_t {
        kPackets,
        kUnreadable,
        kSkippedBacklog,
        kSilences,
        kUnplugged,
        kTrackerPoses,
        kTrackerUnreadable,
        kSkippedFlood
    };
    bool is_flooded(std::int64_t now_ns);
    bool next_packet(std::int64_t now_ns);
    void attach(std::int64_t now_ns);
    void find_port(std::int64_t now_ns);
    void handle_packet(std::int64_t now_ns);
    void fill(std::int64_t now_ns, bool with_hand, SourceFrame& out);
    void set_state(SourceState state, std::int64_t now_ns);

    GloveSettings settings_;
    SourceFacts facts_;
    SourceStatus status_;
    std::vector<SourceNotice> notices_;
    std::unique_ptr<GloveDecoder> decoder_;
    std::optional<ByteStream> stream_;
    WristTracker wrist_;
    LineAssembler lines_;
    std::array<char, 4096> buffer_{};
    std::string_view rest_;  // the part of buffer_ that is not decoded yet
    HandAngles angles_;
    bool reopens_ = false;     // a port or connection that is lost may come back; a file or pipe may not
    bool has_newest_ = false;  // the newest packet of a backlog is decoded and not yet returned
    bool paused_ = false;
    std::int64_t start_ns_ = 0, last_packet_ns_ = 0, last_frame_ns_ = 0, next_retry_ns_ = 0, number_ = 0;
    std::int64_t lost_since_ns_ = 0;  // when the port was lost; 0 once a packet has come since
    std::uint64_t discarded_ = 0;
    std::int64_t room_since_ns_ = 0;  // token bucket of the rate limit: last update, packets allowed
    double room_packets_ = 0.0;
    int times_opened_ = 0;
    double longest_gap_s_ = 0.0;
};

}  // namespace glovebox::tracking
