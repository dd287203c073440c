#include "vr/layer/hand_replay.h"

#include <filesystem>
#include <stdexcept>

#include "recordings/load.h"
#include "vr/openxr/seat.h"

namespace glovebox::vr::layer {
namespace {

recordings::Recording open(const std::string& name) {
    if (std::filesystem::exists(name)) return recordings::load(name);
    std::string names;
    for (const recordings::SampleRow& row : recordings::sample_table()) {
        if (row.name == name) return row.make();
        names += (names.empty() ? "" : ", ") + std::string(row.name);
    }
    throw std::runtime_error(name + ": no such file, and no bundled recording of that name (" + names + ")");
}

}  // namespace

HandReplay::HandReplay(const std::string& name, bool loop) : recording_(open(name)), loop_(loop) {
    if (recording_.samples.empty()) throw std::runtime_error(name + ": holds no samples");
    const double rate_hz = recording_.rate_hz();
    length_ns_ = recording_.samples.back().time_ns +
                 (rate_hz > 0.0 ? static_cast<std::int64_t>(1e9 / rate_hz) : recordings::kMaxHold_ns);
    if (!recording_.in_scene) return;
    // Hands of a scene stand where `glovebox vr` has the scene.
    for (tracking::HandPair& sample : recording_.samples)
        for (tracking::HandFrame& hand : sample.hands)
            for (tracking::JointPose& joint : hand.joints) joint.position_m += openxr::kSceneInSeat_m;
}

tracking::HandFrame HandReplay::hand(tracking::Side side, XrTime asked, bool focused,
                                     recordings::HandMotion& motion) noexcept {
    XrTime start = start_.load(std::memory_order_relaxed);
    if (start == 0 && focused && start_.compare_exchange_strong(start, asked)) start = asked;
    tracking::HandFrame lost;
    lost.side = side;
    motion.known = false;
    if (start == 0) return lost;
    std::int64_t time_ns = asked - start;
    if (loop_ && time_ns >= 0) time_ns %= length_ns_;
    return recordings::hand_at(recording_.samples, side, time_ns, &motion);
}

std::string HandReplay::application() const {
    const auto found = recording_.meta.find("application");
    return found == recording_.meta.end() ? std::string() : found->second;
}

}  // namespace glovebox::vr::layer
