#include "recordings/file_source.h"

#include <algorithm>
#include <chrono>
#include <stdexcept>
#include <thread>

#include "recordings/parse.h"

namespace glovebox::recordings {
namespace {

using tracking::Side;
using tracking::SourceState;

// Longest backlog that is caught up with after a slow frame or a stopped process.
constexpr double kMaxBacklog_s = 0.25;

}  // namespace

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

FileSource::FileSource(Recording the_recording, Transport the_transport)
    : recording(std::move(the_recording)), transport(the_transport) {
    facts_.kind = recording.in_scene ? "synthetic" : "file";
    facts_.name = recording.path;
    facts_.device = "replay of " + recording.path;
    facts_.format = recording.format;
    facts_.is_live = false;
    facts_.can_wait = true;
    facts_.has = {recording.has(Side::left), recording.has(Side::right)};
    facts_.profiles = recording.profiles;
    facts_.rate_hz = recording.rate_hz();
    status_.state = SourceState::live;
}

double FileSource::time_of(int frame) const {
    if (recording.samples.empty()) return 0.0;
    return 1e-9 * static_cast<double>(recording.samples[static_cast<std::size_t>(frame)].time_ns -
                                      recording.samples.front().time_ns);
}

int FileSource::frame_at(double time_s) const {
    int low = 0, high = frame_count() - 1;
    while (low < high) {
        const int middle = (low + high + 1) / 2;
        if (time_of(middle) <= time_s)
            low = middle;
        else
            high = middle - 1;
    }
    return low;
}

void FileSource::go_to(int frame) {
    next_ = std::clamp(frame, 0, frame_count());
    transport.position_s = next_ < frame_count() ? time_of(next_) : recording.duration_s();
}

void FileSource::set_paused(bool paused) {
    transport.playing = !paused;
}

void FileSource::set_state(SourceState state, std::int64_t now_ns) {
    if (state == status_.state) return;
    status_.state = state;
    status_.since_ns = now_ns;
}

void FileSource::pass_time(std::int64_t now_ns) {
    const double elapsed_s = last_ns_ == 0 ? 0.0 : 1e-9 * static_cast<double>(now_ns - last_ns_);
    last_ns_ = now_ns;
    if (!transport.playing) return;
    transport.position_s += transport.speed * elapsed_s;
    if (next_ < frame_count())
        transport.position_s = std::min(transport.position_s, time_of(next_) + transport.speed * kMaxBacklog_s);
}

bool FileSource::next(std::int64_t now_ns, tracking::SourceFrame& out) {
    const bool paced = transport.speed > 0.0;
    if (paced) pass_time(now_ns);
    out.starts_over = false;
    const bool at_end = next_ == frame_count();
    if (at_end && (!paced || transport.position_s > recording.duration_s()) && transport.loop && transport.playing &&
        frame_count() > 0) {
        go_to(0);
        out.starts_over = true;
    }
    set_state(next_ == frame_count() && !transport.loop ? SourceState::ended
              : transport.playing                       ? SourceState::live
                                                        : SourceState::paused,
              now_ns);
    if (next_ == frame_count() || !transport.playing) return false;
    if (paced && time_of(next_) > transport.position_s) return false;
    out.raw = recording.samples[static_cast<std::size_t>(next_)];
    out.dt_s = next_ == 0 ? 0.0 : time_of(next_) - time_of(next_ - 1);
    out.number = next_;
    ++next_;
    if (!paced) transport.position_s = time_of(next_ - 1);
    if (next_ == frame_count() && !transport.loop) set_state(SourceState::ended, now_ns);
    return true;
}

void FileSource::wait(std::int64_t until_ns) {
    using Clock = std::chrono::steady_clock;
    if (transport.speed <= 0.0 || ended()) return;
    const auto until = Clock::time_point(std::chrono::nanoseconds(until_ns));
    double left_s = next_ < frame_count() ? (time_of(next_) - transport.position_s) / transport.speed
                                          : (recording.duration_s() - transport.position_s) / transport.speed;
    if (!transport.playing) left_s = 1.0;
    // The position is that at last_ns_.
    const auto due = Clock::time_point(std::chrono::nanoseconds(last_ns_)) +
                     std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::duration<double>(left_s));
    std::this_thread::sleep_until(std::min(until, due));
}

}  // namespace glovebox::recordings
