// A hand source that replays a recording, with speed, pause, loop and seek.
//
// The time step of a sample (SourceFrame::dt_s) is that of the recording, whatever the speed of the replay. If the
// computer is too slow, the replay slows down; no sample is skipped.
#pragma once

#include "recordings/recording.h"
#include "tracking/source.h"

namespace glovebox::recordings {

/// Speed of a replay. 1 is the recorded speed and 2 is twice that; 0 is as fast as possible.
struct ReplayRate {
    double factor = 1.0;
    bool is_max() const { return factor == 0.0; }
};

/// Parses "recorded", "max", "2x", "0.25x" or a plain number. Throws std::runtime_error otherwise.
ReplayRate parse_rate(std::string_view text);

/// Position and speed of a replay.
struct Transport {
    double position_s = 0.0;  ///< time since the first sample; samples up to here are due
    double speed = 0.0;       ///< 1 is the recorded speed; 0 is as fast as possible
    bool playing = true, loop = false;
};

/// A source that replays a recording.
class FileSource final : public tracking::HandSource {
  public:
    explicit FileSource(Recording recording, Transport transport = {});

    bool next(std::int64_t now_ns, tracking::SourceFrame& out) override;
    void wait(std::int64_t until_ns) override;
    const tracking::SourceFacts& facts() const override { return facts_; }
    const tracking::SourceStatus& status() const override { return status_; }
    void set_paused(bool paused) override;

    int frame_count() const { return static_cast<int>(recording.samples.size()); }
    double time_of(int frame) const;  ///< seconds since the first sample
    int frame_at(double time_s) const;
    /// Seeks: makes this sample the next one and sets the position to its time.
    void go_to(int frame);

    Recording recording;
    Transport transport;

  private:
    void pass_time(std::int64_t now_ns);
    void set_state(tracking::SourceState state, std::int64_t now_ns);

    tracking::SourceFacts facts_;
    tracking::SourceStatus status_;
    int next_ = 0;
    std::int64_t last_ns_ = 0;  // time of the last pass_time(); 0: never
};

}  // namespace glovebox::recordings
