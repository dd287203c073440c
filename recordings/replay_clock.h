// When each sample of a recording is due: the clock changes with --rate, the data never.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "recordings/recording.h"

namespace glovebox::recordings {

/// 1 is as recorded, 2 twice as fast; 0 is as fast as it goes.
struct ReplayRate {
    double factor = 1.0;
    bool is_max() const { return factor == 0.0; }
};

/// "recorded", "max", "2x", "0.25x" or a bare number. Throws std::runtime_error otherwise.
ReplayRate parse_rate(std::string_view text);

/// Position in a recording as time goes by. Knows no clock itself: time is an argument, so that a replay can be tested
/// and repeated. Samples are never skipped, merged or invented; a slow consumer gets several at once.
class ReplayClock {
  public:
    /// The samples must outlive the clock.
    ReplayClock(std::span<const tracking::HandPair> samples, ReplayRate rate, bool loop);

    /// Time has passed: how many samples have become due. With rate max it is always 1 until the end.
    std::size_t advance(double wall_dt_s);
    /// The sample that is due next and everything after it; call take() for each that advance() announced.
    const tracking::HandPair& take();
    /// No more samples will come.
    bool finished() const { return !loop_ && next_ == samples_.size(); }

    void seek(double time_s);
    void set_rate(ReplayRate rate) { rate_ = rate; }
    double time_s() const { return time_s_; }
    std::size_t next() const { return next_; }
    std::int64_t loops() const { return loops_; }

  private:
    double stamp_s(std::size_t i) const { return 1e-9 * static_cast<double>(samples_[i].time_ns); }

    std::span<const tracking::HandPair> samples_;
    ReplayRate rate_;
    bool loop_ = false;
    std::size_t next_ = 0, due_ = 0;
    double time_s_ = 0.0;
    std::int64_t loops_ = 0;
};

}  // namespace glovebox::recordings
