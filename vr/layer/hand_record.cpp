#include "vr/layer/hand_record.h"

#include "recordings/output.h"

namespace glovebox::vr::layer {
namespace {

using tracking::HandFrame;
using tracking::Side;

// Hands that are asked for this close to each other are one sample; one from this long ago may stand in for another.
constexpr XrTime kSame_ns = 2'000'000, kHeld_ns = 50'000'000;
constexpr int kSpins = 20'000;  // some 20 us: ten copies of a sample

recordings::LogHeader header_of(const std::string& application) {
    recordings::LogHeader header;
    header.meta = {{"device", "OpenXR application " + application}, {"application", application}, {"space", "local"}};
    return header;
}

Side other(Side side) {
    return side == Side::left ? Side::right : Side::left;
}

}  // namespace

HandRecord::HandRecord(const std::filesystem::path& path, const std::string& application)
    : log_(path, header_of(application)) {}

bool HandRecord::enter() noexcept {
    for (int spin = 0; busy_.test_and_set(std::memory_order_acquire); ++spin)
        if (spin == kSpins) {
            ++left_out_;
            return false;
        }
    return true;
}

void HandRecord::hand(const HandFrame& hand, XrTime asked, std::int64_t arrival_ns) noexcept {
    if (!enter()) return;
    if (first_ == 0) {
        first_ = asked;
        first_arrival_ns_ = arrival_ns;
    }
    const Side side = hand.side;
    const bool same = pending_time_ != 0 && asked - pending_time_ < kSame_ns && pending_time_ - asked < kSame_ns;
    if (pending_time_ != 0 && !same && asked > pending_time_) flush();
    if (pending_time_ == 0 && asked - first_ > last_flushed_ns_) {
        pending_time_ = asked;
        pending_.time_ns = asked - first_;
        has_ = {};
    }
    if (pending_time_ != 0 && (same || asked == pending_time_) && !has_[side]) {
        HandFrame& kept = pending_[side];
        kept = hand;
        kept.times = {asked, arrival_ns - first_arrival_ns_, pending_.time_ns};
        last_[side] = kept;
        has_[side] = true;
        if (has_[other(side)]) flush();
    }
    leave();
}

void HandRecord::felt(recordings::HapticRecord& record, std::int64_t arrival_ns) noexcept {
    if (first_ == 0) return;  // before the first sample there is no time in the log
    constexpr std::string_view kOutput = "application";
    kOutput.copy(record.output.data(), record.output.size() - 1);
    record.time_ns = arrival_ns - first_arrival_ns_;
    log_.haptic(record);
}

void HandRecord::vibration(Side side, float amplitude, std::int64_t arrival_ns) noexcept {
    if (!enter()) return;
    recordings::HapticRecord record;
    record.side = side;
    record.vibration = amplitude;
    felt(record, arrival_ns);
    leave();
}

void HandRecord::forces(Side side, const XrForceFeedbackCurlApplyLocationsMNDX& asked,
                        std::int64_t arrival_ns) noexcept {
    if (!enter()) return;
    for (std::uint32_t i = 0; i < asked.locationCount; ++i)
        held_[side][static_cast<std::size_t>(asked.locations[i].location)] = asked.locations[i].value;
    recordings::HapticRecord record;
    record.side = side;
    record.force = held_[side];
    felt(record, arrival_ns);
    leave();
}

void HandRecord::flush() noexcept {
    for (const Side side : tracking::kSides) {
        if (has_[side]) continue;
        pending_[side] = last_[side];
        pending_[side].side = side;
        pending_[side].source = tracking::Source::held;
        pending_[side].active = last_[side].active && pending_time_ - last_[side].times.device_ns < kHeld_ns;
    }
    log_.sample(pending_);
    last_flushed_ns_ = pending_.time_ns;
    pending_time_ = 0;
}

std::string HandRecord::trouble() {
    if (!log_.failed() || told_.exchange(true)) return {};
    return log_.status().error;
}

std::string HandRecord::finish() {
    if (pending_time_ != 0) flush();
    try {
        log_.close();
    } catch (const recordings::ExportError& error) {
        return told_.exchange(true) ? std::string() : error.what();
    }
    const recordings::LogStatus status = log_.status();
    if (status.samples_written == 0) return "no hand was located, so nothing was recorded";
    std::string text = "recorded " + std::to_string(status.samples_written) + " samples to " + status.path.string();
    const auto missing = static_cast<std::int64_t>(left_out_.load()) + status.dropped;
    if (missing > 0) text += "; " + std::to_string(missing) + " found no room and are missing";
    return text;
}

}  // namespace glovebox::vr::layer
