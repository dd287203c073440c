#include "vr/bench/recorded_clips.h"

#include <algorithm>
#include <filesystem>

#include "recordings/load.h"
#include "tracking/guard.h"
#include "tracking/hand_profile.h"

namespace glovebox::vr {
namespace {

using collision::clips::Clip;
using collision::clips::ClipSample;
using collision::clips::TimedDisc;

void add_clips(const std::string& name, const recordings::Recording& recording, std::vector<RecordedClip>& clips) {
    for (const tracking::Side side : tracking::kSides) {
        if (!recording.has(side)) continue;
        tracking::Guard guard;
        std::vector<TimedDisc> discs;
        for (const tracking::HandPair& sample : recording.samples) {
            tracking::HandFrame hand;
            guard.pass(sample[side], hand);
            const double time_s = 1e-9 * static_cast<double>(hand.times.common_ns);
            if (!hand.active || !hand[tracking::Joint::wrist].position_valid()) continue;
            if (!discs.empty() && time_s <= discs.back().time_s) continue;
            tracking::fill_radii(recording.profiles[side], hand);
            discs.push_back({time_s, disc_of_hand(hand)});
        }
        if (discs.size() < 2) continue;
        clips.push_back(
            {name + ' ' + std::string(name_of(side)), collision::clips::clip_from_timed(discs, kRecordedStep_s)});
    }
}

}  // namespace

ClipSample disc_of_hand(const tracking::HandFrame& hand) {
    const auto on_floor = [](const tracking::JointPose& joint) -> Eigen::Vector2d {
        return {double{joint.position_m.x()}, double{joint.position_m.z()}};
    };
    ClipSample disc{on_floor(hand[tracking::Joint::wrist]), 0.0};
    for (const tracking::JointPose& joint : hand.joints)
        if (joint.position_valid())
            disc.radius_m = std::max(disc.radius_m, (on_floor(joint) - disc.center_m).norm() + double{joint.radius_m});
    return disc;
}

std::vector<RecordedClip> recorded_clips(const BenchOptions& options) {
    std::vector<RecordedClip> clips;
    for (const recordings::SampleRow& sample : recordings::sample_table()) {
        add_clips(std::string(sample.name), sample.make(), clips);
        if (options.quick && clips.size() >= 2) break;
    }
    for (const std::string& file : options.files)
        add_clips(std::filesystem::path(file).filename().string(), recordings::load(file), clips);
    return clips;
}

std::vector<Clip> cut_into(const Clip& clip, std::size_t samples) {
    std::vector<Clip> pieces;
    for (std::size_t begin = 0; begin < clip.samples.size(); begin += samples) {
        const std::size_t end = std::min(begin + samples, clip.samples.size());
        if (begin > 0 && end - begin < samples / 2) break;
        const auto from = clip.samples.begin();
        pieces.push_back(
            {{from + static_cast<std::ptrdiff_t>(begin), from + static_cast<std::ptrdiff_t>(end)}, clip.dt_s});
    }
    return pieces;
}

}  // namespace glovebox::vr
