// A glove as a source of hands: on a serial port, a pseudo-terminal, a pipe, a connection or in a file of packets.
//
// Each packet is a sample. What had piled up in the port before we came is skipped to the newest packet and counted. So
// is what comes faster than 4,000 a second for long.
// While a glove that was heard is silent the hand is lost, not frozen: samples without a hand go on, fifty a second. A
// port that goes away is looked for again. The wrist stands where `world_from_wrist` says, or a tracker moves it.
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
    std::string device;  ///< as ByteStream::open() takes it
    std::string protocol = "opengloves";
    int baud = 115200;
    float max_analog = 4095.0F;  ///< what a sensor says when its finger is closed
    Side side = Side::right;
    UserProfile user;
    std::filesystem::path wrist;                                         ///< device of a tracker; empty: none
    Eigen::Isometry3f world_from_wrist = Eigen::Isometry3f::Identity();  ///< without a tracker
    Eigen::Isometry3f world_from_tracker_space = Eigen::Isometry3f::Identity();
    std::int64_t silence_ns = 100'000'000;       ///< without a packet for so long the hand is lost
    std::int64_t look_again_ns = 5'000'000'000;  ///< for a port that went away; then the source has ended
};

class GloveSource final : public HandSource {
  public:
    /// Throws DeviceError where the tracker cannot be opened or the user's calibration is for another glove.
    explicit GloveSource(GloveSettings settings);
    /// Opens the glove's port: last of all, because packets come from now on. Throws DeviceError.
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

    const HandAngles& angles() const { return angles_; }  ///< of the newest packet
    bool heard() const { return packets() > 0; }
    std::uint64_t packets() const { return status_.counters[0].count; }
    std::uint64_t unreadable() const { return status_.counters[1].count; }
    double longest_gap_s() const { return longest_gap_s_; }  ///< between two packets, or since the last
    const GloveDecoder& decoder() const { return *decoder_; }
    /// For what is sent to the glove: ByteStream::writing_fd() of the open port; -1 while it is gone.
    int writing_fd() const { return stream_ ? stream_->writing_fd() : -1; }
    int times_opened() const { return times_opened_; }

    /// For sources that take the fingers only: reads what has come; true where a packet has come since the last call.
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
    void look_for_port(std::int64_t now_ns);
    void heard_packet(std::int64_t now_ns);
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
    std::string_view rest_;  // of the buffer: not decoded yet
    HandAngles angles_;
    bool comes_back_ = false;  // a port that goes away may come back; a file and a pipe may not
    bool has_newest_ = false;  // of a backlog: decoded, not given
    bool paused_ = false;
    std::int64_t start_ns_ = 0, last_packet_ns_ = 0, last_frame_ns_ = 0, next_look_ns_ = 0, number_ = 0;
    std::int64_t gone_since_ns_ = 0;  // 0: it was heard since
    std::uint64_t discarded_ = 0;
    std::int64_t room_since_ns_ = 0;  // packets that the rate allows, and since when
    double room_packets_ = 0.0;
    int times_opened_ = 0;
    double longest_gap_s_ = 0.0;
};

}  // namespace glovebox::tracking
