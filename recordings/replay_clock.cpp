#include "recordings/replay_clock.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <stdexcept>

#include "recordings/parse.h"

namespace glovebox::recordings {

ReplayRate parse_rate(std::string_view text) {
    if (text == "recorded") return {1.0};
    if (text == "max") return {0.0};
    double factor = 0.0;
    const std::string_view number = text.ends_with('x') ? text.substr(0, text.size() - 1) : text;
    if (!parse_number(number, factor) || !(factor > 0.0 && factor <= 1000.0))
        throw std::runtime_error("--rate " + std::string(text) +
                                 ": recorded, max or a number from 0 to 1000 is expected");
    return {factor};
}

ReplayClock::ReplayClock(std::span<const tracking::HandPair> samples, ReplayRate rate, bool loop)
    : samples_(samples), rate_(rate), loop_(loop && !samples.empty()) {}

std::size_t ReplayClock::advance(double wall_dt_s) {
    if (samples_.empty()) return 0;
    if (rate_.is_max()) {
        if (next_ == samples_.size() && !loop_) return 0;
        due_ = 1;
        return due_;
    }
    time_s_ += rate_.factor * std::max(0.0, wall_dt_s);
    // A loop begins again one median step after its last sample would end; a single sample is due once a second.
    std::size_t count = 0;
    for (std::size_t i = next_; i < samples_.size() && stamp_s(i) <= time_s_; ++i) ++count;
    due_ = count;
    if (count == 0 && next_ == samples_.size() && loop_) {
        const double length_s = stamp_s(samples_.size() - 1);
        const double pause_s = samples_.size() > 1 ? length_s / static_cast<double>(samples_.size() - 1) : 1.0;
        if (time_s_ >= length_s + pause_s) {
            time_s_ = std::fmod(time_s_, length_s + pause_s);
            next_ = 0;
            ++loops_;
            return advance(0.0);
        }
    }
    return count;
}

const tracking::HandPair& ReplayClock::take() {
    assert(due_ > 0);
    if (next_ == samples_.size()) {  // only with rate max in a loop
        next_ = 0;
        ++loops_;
    }
    --due_;
    const tracking::HandPair& sample = samples_[next_++];
    if (rate_.is_max()) time_s_ = 1e-9 * static_cast<double>(sample.time_ns);
    return sample;
}

void ReplayClock::seek(double time_s) {
    time_s_ = std::max(0.0, time_s);
    due_ = 0;
    const auto time_ns = std::llround(1e9 * time_s_);
    const auto after = std::partition_point(samples_.begin(), samples_.end(),
                                            [time_ns](const tracking::HandPair& s) { return s.time_ns < time_ns; });
    next_ = static_cast<std::size_t>(after - samples_.begin());
}

}  // namespace glovebox::recordings
