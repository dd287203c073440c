#include "tracking/glove/glove_source.h"

#include <algorithm>
#include <chrono>
#include <thread>

namespace glovebox::tracking {
namespace {

constexpr int kMaxBacklogReads = 64;
constexpr std::int64_t kRetryEvery_ns = 500'000'000;  // interval of attempts to reopen a lost port
constexpr std::int64_t kLostEvery_ns = 20'000'000;    // interval of samples without a hand
constexpr std::int64_t kNanosecondsPerMs = 1'000'000;
// The rate limit is four times that of the fastest glove, with bursts of a quarter of a second, as from a USB buffer.
// Without a limit, a connection that sends at full speed fills the disk at 90 MB/s.
constexpr double kMaxPacketsPerSecond = 4000.0, kMaxPacketsAtOnce = 1000.0;
constexpr int kMaxSkippedAtOnce = 2000;

std::int64_t steady_ns() {
    return std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::steady_clock::now().time_since_epoch())
        .count();
}

}  // namespace

GloveSource::GloveSource(GloveSettings settings)
    : settings_(std::move(settings)), wrist_(settings_.wrist, settings_.baud) {
    const GloveProtocol* protocol = find_glove_protocol(settings_.protocol);
    if (protocol == nullptr) throw DeviceError("no glove speaks '" + settings_.protocol + "' here");
    const std::size_t sensors = settings_.user[settings_.side].sensors.size();
    if (sensors != 0 && sensors != protocol->sensor_count)
        throw DeviceError("the profile is calibrated for " + std::to_string(sensors) + " sensors; this glove (" +
                          settings_.protocol + ") has " + std::to_string(protocol->sensor_count));
    decoder_ = protocol->make(settings_.max_analog);
    facts_.kind = "glove";
    facts_.name = settings_.device;
    facts_.device = settings_.protocol + " " + settings_.device;
    facts_.format = "live " + settings_.protocol;
    facts_.has = {settings_.side == Side::left, settings_.side == Side::right};
    for (const Side side : {Side::left, Side::right}) {
        facts_.profiles[side] = settings_.user[side].hand.value_or(default_profile());
        facts_.calibration[side] = settings_.user[side].sensors;
    }
    status_.counters = {{"packets"},   {"unreadable"},    {"skipped_backlog"},    {"silences"},
                        {"unplugged"}, {"tracker_poses"}, {"tracker_unreadable"}, {"skipped_flood"}};
    // Only ports and connections have a backlog: a pipe begins with its reader, and a file is read from its start.
    reopens_ = settings_.device.starts_with("tcp:") || std::filesystem::is_character_file(settings_.device);
    facts_.can_wait = !reopens_;
}

void GloveSource::open() {
    attach(steady_ns());
}

void GloveSource::attach(std::int64_t now_ns) {
    stream_.emplace(ByteStream::open(settings_.device, settings_.baud));
    ++times_opened_;
    rest_ = {};
    status_.since_ns = now_ns;
    if (!reopens_) return;
    std::uint64_t old = 0;
    for (int i = 0; i < kMaxBacklogReads && !stream_->at_end(); ++i) {
        const std::string_view bytes = stream_->read(buffer_.data(), buffer_.size(), 0);
        if (bytes.empty()) break;
        lines_.add(bytes, [&](std::string_view line) { old += decoder_->decode(line) ? 1U : 0U; });
    }
    if (old == 0) return;
    has_newest_ = true;
    status_.counters[kSkippedBacklog].count += old - 1;
}

void GloveSource::set_state(SourceState state, std::int64_t now_ns) {
    if (state == status_.state) return;
    if (state == SourceState::silent) ++status_.counters[kSilences].count;
    if (state == SourceState::gone) ++status_.counters[kUnplugged].count;
    const bool is_first = status_.state == SourceState::waiting && last_packet_ns_ == now_ns && number_ == 0;
    if (!is_first && state != SourceState::waiting) {
        const bool is_trouble = state == SourceState::silent || state == SourceState::gone;
        const std::string what = state == SourceState::gone ? "unplugged" : std::string(name_of(state));
        notices_.push_back({what, is_trouble, is_trouble ? settings_.device + ": " + what : std::string()});
    }
    status_.state = state;
    status_.since_ns = now_ns;
}

void GloveSource::find_port(std::int64_t now_ns) {
    if (!reopens_ || now_ns - lost_since_ns_ > settings_.retry_ns) return set_state(SourceState::ended, now_ns);
    if (now_ns < next_retry_ns_) return;
    next_retry_ns_ = now_ns + kRetryEvery_ns;
    try {
        attach(now_ns);
        status_.state = SourceState::waiting;
    } catch (const DeviceError&) {
        // The next look tries again; the state and the counter already show the loss.
    }
}

void GloveSource::handle_packet(std::int64_t now_ns) {
    if (last_packet_ns_ != 0)
        longest_gap_s_ = std::max(longest_gap_s_, 1e-9 * static_cast<double>(now_ns - last_packet_ns_));
    last_packet_ns_ = now_ns;
    lost_since_ns_ = 0;
    ++status_.counters[kPackets].count;
    angles_ = decoder_->angles(settings_.user[settings_.side]);
    set_state(SourceState::live, now_ns);
}

// Applies the rate limit (a token bucket) to a live port; files and pipes are read at any rate.
bool GloveSource::is_flooded(std::int64_t now_ns) {
    if (facts_.can_wait) return false;
    const double passed_s = 1e-9 * static_cast<double>(now_ns - room_since_ns_);
    room_packets_ = std::min(room_packets_ + kMaxPacketsPerSecond * passed_s, kMaxPacketsAtOnce);
    room_since_ns_ = now_ns;
    if (room_packets_ < 1.0) return true;
    room_packets_ -= 1.0;
    return false;
}

// Decodes the next packet of the pending input.
bool GloveSource::next_packet(std::int64_t now_ns) {
    if (has_newest_) {
        has_newest_ = false;
        handle_packet(now_ns);
        return true;
    }
    for (int skipped = 0;;) {
        if (rest_.empty() && stream_) rest_ = stream_->read(buffer_.data(), buffer_.size(), 0);
        if (rest_.empty()) return false;
        bool is_packet = false;
        while (!rest_.empty() && !is_packet) {
            lines_.add(rest_.substr(0, 1), [&](std::string_view line) {
                is_packet = decoder_->decode(line);
                if (!is_packet) ++status_.counters[kUnreadable].count;
            });
            rest_.remove_prefix(1);
        }
        status_.counters[kUnreadable].count += lines_.discarded() - discarded_;
        discarded_ = lines_.discarded();
        if (!is_packet) continue;
        if (is_flooded(now_ns)) {
            ++status_.counters[kSkippedFlood].count;
            if (++skipped == kMaxSkippedAtOnce) return false;  // so that a flood cannot block the session
            continue;
        }
        handle_packet(now_ns);
        return true;
    }
}

bool GloveSource::update(std::int64_t now_ns) {
    if (status_.state == SourceState::ended) return false;
    wrist_.update(now_ns);
    status_.counters[kTrackerPoses].count = wrist_.poses();
    status_.counters[kTrackerUnreadable].count = wrist_.unreadable();
    if (!stream_ && status_.state == SourceState::gone) find_port(now_ns);
    if (next_packet(now_ns)) return true;
    if (stream_ && stream_->at_end()) {
        stream_.reset();
        next_retry_ns_ = now_ns + kRetryEvery_ns;
        // A port that opens and sends nothing has not come back.
        if (lost_since_ns_ != 0) {
            status_.state = SourceState::gone;
            return false;
        }
        lost_since_ns_ = now_ns;
        set_state(reopens_ ? SourceState::gone : SourceState::ended, now_ns);
    }
    const std::int64_t quiet_ns = now_ns - last_packet_ns_;
    if (last_packet_ns_ != 0) longest_gap_s_ = std::max(longest_gap_s_, 1e-9 * static_cast<double>(quiet_ns));
    if (status_.state == SourceState::live && quiet_ns > settings_.silence_ns) set_state(SourceState::silent, now_ns);
    return false;
}

void GloveSource::fill(std::int64_t now_ns, bool with_hand, SourceFrame& out) {
    if (number_ == 0) start_ns_ = now_ns;
    const std::int64_t time_ns = now_ns - start_ns_;
    out.raw.time_ns = time_ns;
    for (const Side side : {Side::left, Side::right}) {
        out.raw[side].side = side;
        out.raw[side].active = false;
        out.raw[side].times = {time_ns, time_ns, time_ns};
    }
    if (with_hand) {
        const Side side = settings_.side;
        const Eigen::Isometry3f world_from_wrist = wrist_.is_there() ? settings_.world_from_tracker_space *
                                                                           wrist_.world_from_tracker() *
                                                                           settings_.user[side].tracker_from_wrist
                                                                     : settings_.world_from_wrist;
        const SampleTimes times = out.raw[side].times;
        out.raw[side] = pose_from_angles(facts_.profiles[side], angles_, world_from_wrist, side);
        out.raw[side].source = Source::glove;
        out.raw[side].times = times;
    }
    out.number = number_;
    // The same expression as in a replay, so that the result is bit-identical.
    out.dt_s = number_ == 0 ? 0.0 : 1e-9 * static_cast<double>(time_ns) - 1e-9 * static_cast<double>(last_frame_ns_);
    out.starts_over = false;
    last_frame_ns_ = time_ns;
    ++number_;
}

bool GloveSource::next(std::int64_t now_ns, SourceFrame& out) {
    bool packet = update(now_ns);
    while (paused_ && packet) packet = update(now_ns);
    if (paused_) return false;
    if (packet) {
        fill(now_ns, !wrist_.is_there() || wrist_.tracked(now_ns, settings_.silence_ns), out);
        return true;
    }
    // While the glove is silent or unplugged, emit samples without a hand.
    const bool lost = number_ > 0 && (status_.state == SourceState::silent || status_.state == SourceState::gone ||
                                      (status_.state == SourceState::waiting && last_packet_ns_ != 0));
    if (!lost || now_ns - start_ns_ - last_frame_ns_ < kLostEvery_ns) return false;
    fill(now_ns, false, out);
    return true;
}

void GloveSource::wait(std::int64_t until_ns) {
    if (!rest_.empty() || has_newest_ || ended()) return;
    const std::int64_t left_ns = std::min(until_ns - steady_ns(), kLostEvery_ns);
    if (left_ns <= 0) return;
    if (stream_ && !stream_->at_end())
        rest_ = stream_->read(buffer_.data(), buffer_.size(), static_cast<int>(left_ns / kNanosecondsPerMs));
    else
        std::this_thread::sleep_for(std::chrono::nanoseconds(left_ns));
}

std::span<const float> GloveSource::sensors() const {
    return status_.state == SourceState::live ? decoder_->sensors() : std::span<const float>{};
}

void GloveSource::move_wrist(const Eigen::Vector3f& by_m, float turn_rad) {
    settings_.world_from_wrist.translation() += by_m;
    settings_.world_from_wrist.rotate(Eigen::AngleAxisf(turn_rad, Eigen::Vector3f::UnitY()));
}

}  // namespace glovebox::tracking
