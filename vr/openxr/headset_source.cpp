#include "vr/openxr/headset_source.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <stdexcept>
#include <thread>

#include "vr/platform/platform.h"

namespace glovebox::vr {
namespace {

using openxr::Phase;
using tracking::SourceState;

constexpr std::int64_t kIdle_ns = 20'000'000;  // between polls while there is nothing to do
constexpr double kUsualRate_hz = 90.0;
constexpr int kMaxRefusedFrames = 100;  // consecutive failures
enum Counter : std::size_t { kSessionsLost, kRuntimesLost, kRecentred, kMissed };

std::string no_runtime(const std::string& trouble) {
    if (const char* const manifest = std::getenv("XR_RUNTIME_JSON"); manifest != nullptr && *manifest != '\0')
        return "XR_RUNTIME_JSON names '" + std::string(manifest) + "', " +
               (std::filesystem::exists(manifest) ? "and the runtime that it describes cannot be loaded"
                                                  : "and there is no such file") +
               " (" + trouble + "): correct the variable, or unset it to use the system's runtime";
    return "no OpenXR runtime answers (" + trouble +
           "): install and start one, for example Monado (monado.dev, or the package libopenxr1-monado where there is "
           "one) or SteamVR, or name its manifest in XR_RUNTIME_JSON";
}

}  // namespace

void Pacer::wait(double rate_hz) {
    const auto period_ns = static_cast<std::int64_t>(1e9 / rate_hz);
    const std::int64_t now = now_ns();
    if (next_ns_ == 0)
        next_ns_ = now;  // first call, or after a loss
    else if (now > next_ns_ + period_ns) {
        const std::int64_t late = (now - next_ns_) / period_ns;
        missed += static_cast<std::uint64_t>(late);
        next_ns_ += late * period_ns;
    }
    if (next_ns_ > now) std::this_thread::sleep_for(std::chrono::nanoseconds(next_ns_ - now));
    lateness.add(std::max<std::int64_t>(0, now_ns() - next_ns_));
    next_ns_ += period_ns;
}

HeadsetSource::HeadsetSource(openxr::HeadsetSettings settings, double rate_hz)
    : headset(settings), headless_(settings.headless), wanted_hz_(rate_hz) {
    facts_.kind = "headset";
    facts_.name = "Headset";
    facts_.device = "openxr";
    facts_.format = "live OpenXR";
    facts_.profiles = settings.profiles;
    status_.counters = {{"sessions_lost"}, {"runtimes_lost"}, {"recentrings"}, {"frames_missed"}};
    for (const tracking::Side side : {tracking::Side::left, tracking::Side::right}) raw_[side].side = side;
}

bool HeadsetSource::attach(double wait_s, const std::function<bool()>& go_on) {
    const std::int64_t start_ns = now_ns();
    bool said = false;
    for (;;) {
        headset.update(now_ns());
        const openxr::Status& status = headset.status();
        if (status.phase == Phase::closing || !go_on()) return false;
        follow_status(now_ns());
        if (status.attached > 0) return true;
        if (!status.missing.empty()) throw std::runtime_error(status.missing);
        if (!status.runtime_found) throw std::runtime_error(no_runtime(status.trouble));
        const double waited_s = 1e-9 * static_cast<double>(now_ns() - start_ns);
        if (waited_s > wait_s) {
            if (status.phase == Phase::no_runtime)
                throw std::runtime_error("the OpenXR runtime is there and does not start (" + status.trouble +
                                         "): start its service, or wait longer with --wait");
            const std::string after =
                " after " + std::to_string(static_cast<int>(wait_s)) + " s (" + status.trouble + "): ";
            throw std::runtime_error(status.headset.empty()
                                         ? "no headset" + after + "connect one, or wait longer with --wait"
                                         : status.headset + " is there and gives no session" + after +
                                               "end what else uses it, or do without pictures: --headless");
        }
        if (!said) std::fprintf(stderr, "glovebox: waiting for a headset (%s)\n", status.trouble.c_str());
        said = true;
        std::this_thread::sleep_for(std::chrono::nanoseconds(kIdle_ns));
    }
}

double HeadsetSource::rate_hz() const {
    if (wanted_hz_ > 0.0) return wanted_hz_;
    const auto display_hz = static_cast<double>(headset.status().refresh_hz);
    return display_hz > 1.0 && display_hz < 500.0 ? display_hz : kUsualRate_hz;
}

void HeadsetSource::follow_status(std::int64_t now_ns) {
    const openxr::Status& status = headset.status();
    SourceState state = status.phase == Phase::closing        ? SourceState::ended
                        : status.phase >= Phase::synchronized ? SourceState::live
                        : status.phase == Phase::idle         ? SourceState::silent
                                                              : SourceState::gone;
    if (headset.frames_refused() >= kMaxRefusedFrames) {
        state = SourceState::ended;
        status_.failure = "the runtime refuses every frame (" + status.trouble + ")";
    }
    if (state != status_.state) status_.since_ns = now_ns;
    status_.state = state;
    status_.counters[kSessionsLost].count = static_cast<std::uint64_t>(status.sessions_lost);
    status_.counters[kRuntimesLost].count = static_cast<std::uint64_t>(status.instances_lost);
    status_.counters[kRecentred].count = static_cast<std::uint64_t>(status.recentered);
    status_.counters[kMissed].count = pacer.missed;
    if (status.attached != std::exchange(named_, status.attached))
        facts_.device = "openxr " + status.runtime + ", " + status.headset;
    facts_.rate_hz = static_cast<double>(status.refresh_hz);
}

std::vector<tracking::SourceNotice> HeadsetSource::take_notices() {
    const openxr::Status& status = headset.status();
    std::vector<tracking::SourceNotice> notices;
    const auto counted = [&](int count, int& noticed, const char* what, bool is_trouble) {
        if (count != noticed) notices.push_back({what, is_trouble});
        noticed = count;
    };
    counted(status.sessions_lost, noticed_.sessions_lost, "session lost", true);
    counted(status.instances_lost, noticed_.instances_lost, "runtime lost", true);
    counted(status.recentered, noticed_.recentered, "recentred", false);
    if (const bool none = !status.no_picture.empty(); none != std::exchange(noticed_.no_picture, none) && none)
        notices.push_back({"no picture", true, "no picture in the headset: " + status.no_picture});
    if (status.phase == std::exchange(noticed_.phase, status.phase)) return notices;
    const bool lost = status.phase < Phase::idle;
    const std::string phase(openxr::name_of(status.phase));
    notices.push_back({phase, lost, "headset " + phase + (lost ? ", waiting for it: " + status.trouble : "")});
    return notices;
}

void HeadsetSource::wait(std::int64_t) {
    timing_.reset();
    headset.update(now_ns());
    follow_status(now_ns());
    if (status_.state == SourceState::ended) return;
    if (headset.running()) {
        if (headless_) pacer.wait(rate_hz());
        timing_ = headset.begin_frame(now_ns());
    }
    ready_ = true;
    if (before_sample) before_sample();
    if (!timing_) {
        // The session continues without hands, at a low rate, until the connection is back.
        pacer.restart();
        std::this_thread::sleep_for(std::chrono::nanoseconds(kIdle_ns));
        raw_.time_ns = now_ns();
        for (tracking::HandFrame& hand : raw_.hands) {
            hand.active = false;
            hand.times = {raw_.time_ns, raw_.time_ns, raw_.time_ns};
        }
        return;
    }
    frame_cpu_start_ns = thread_cpu_ns();
    headset.sample_hands(*timing_, now_ns(), raw_);
    const std::int64_t arrival_ns = now_ns();
    for (tracking::HandFrame& hand : raw_.hands) hand.times.arrival_ns = arrival_ns;
}

bool HeadsetSource::next(std::int64_t, tracking::SourceFrame& out) {
    if (!std::exchange(ready_, false) || paused_) return false;
    if (number_ == 0) start_ns_ = raw_.time_ns;
    out.raw = raw_;
    out.raw.time_ns -= start_ns_;
    for (tracking::HandFrame& hand : out.raw.hands) {
        hand.times.arrival_ns -= start_ns_;
        hand.times.common_ns -= start_ns_;
    }
    // Computed exactly as in a replay of the same samples, to the bit.
    out.dt_s = number_ == 0 ? 0.0 : 1e-9 * static_cast<double>(out.raw.time_ns) - 1e-9 * static_cast<double>(last_ns_);
    out.number = number_;
    out.starts_over = false;
    last_ns_ = out.raw.time_ns;
    ++number_;
    return true;
}

bool HeadsetSource::locate_between(tracking::HandPair& out) {
    if (!headset.locate_hands(between_, now_ns(), out)) return false;
    const std::int64_t arrival_ns = now_ns();
    out.time_ns -= start_ns_;
    for (tracking::HandFrame& hand : out.hands) {
        hand.times.common_ns -= start_ns_;
        hand.times.arrival_ns = arrival_ns - start_ns_;
    }
    return true;
}

void HeadsetSource::end_frame(std::span<const XrCompositionLayerBaseHeader* const> layers) {
    if (timing_) headset.end_frame(*timing_, layers);
}

void HeadsetSource::predict(tracking::HandPair& out) {
    headset.predict_hands(*timing_, raw_, out);
}

}  // namespace glovebox::vr
