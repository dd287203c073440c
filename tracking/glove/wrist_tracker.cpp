#include "tracking/glove/wrist_tracker.h"

#include <charconv>
#include <cmath>

namespace glovebox::tracking {
namespace {

constexpr int kMaxReads = 64;  // reads per update(), so that a flood cannot block it

}  // namespace

WristTracker::WristTracker(const std::filesystem::path& device, int baud) {
    if (device.empty()) return;
    stream_.emplace(ByteStream::open(device, baud));
    std::error_code none;
    is_file_ = std::filesystem::is_regular_file(device, none);
}

void WristTracker::update(std::int64_t now_ns) {
    if (!stream_) return;
    std::array<char, 4096> buffer{};
    for (int i = 0; i < kMaxReads && !stream_->at_end(); ++i) {
        const std::string_view bytes = stream_->read(buffer.data(), buffer.size(), 0);
        if (bytes.empty()) return;
        lines_.add(bytes, [&](std::string_view line) { take(line, now_ns); });
    }
}

void WristTracker::take(std::string_view line, std::int64_t now_ns) {
    std::array<float, 8> v{};
    const char* at = line.data();
    const char* const end = at + line.size();
    const auto blank = [&] { return at != end && (*at == ' ' || *at == '\t'); };
    for (std::size_t i = 0; i < v.size(); ++i) {
        while (blank()) ++at;
        const auto [rest, error] = std::from_chars(at, end, v[i]);
        at = rest;
        while (blank()) ++at;
        if (error != std::errc() || (i + 1 < v.size() && (at == end || *at != ','))) {
            ++unreadable_;
            return;
        }
        if (i + 1 < v.size()) ++at;
    }
    const Eigen::Quaternionf turn(v[4], v[5], v[6], v[7]);
    const Eigen::Vector3f at_m(v[1], v[2], v[3]);
    if (!at_m.allFinite() || !(std::abs(turn.norm() - 1.0F) < 0.01F)) {
        ++unreadable_;
        return;
    }
    world_from_tracker_ = Eigen::Translation3f(at_m) * turn.normalized();
    last_ns_ = now_ns;
    ++poses_;
}

}  // namespace glovebox::tracking
