#include "vr/openxr/glove_on_headset.h"

#include "tracking/forward_kinematics.h"

namespace glovebox::vr {

using tracking::Joint;
using tracking::SourceState;

GloveOnHeadset::GloveOnHeadset(std::unique_ptr<HeadsetSource> headset, tracking::GloveSettings glove)
    : headset_(std::move(headset)), side_(glove.side), user_(glove.user[glove.side]), glove_(std::move(glove)) {
    facts_ = headset_->facts();
    facts_.kind = "glove+headset";
    facts_.format = glove_.facts().format + " and OpenXR";
    const auto side = static_cast<std::size_t>(side_);
    facts_.profiles[side] = glove_.facts().profiles[side];
    facts_.calibration[side] = glove_.facts().calibration[side];
    status_.counters = headset_->status().counters;
    headset_counters_ = status_.counters.size();
    for (const tracking::SourceCounter& counter : glove_.status().counters) status_.counters.push_back(counter);
    status_.counters.push_back({"wrist_lost"});
    glove_.open();
}

void GloveOnHeadset::follow_status() {
    facts_.device = headset_->facts().device + "; " + glove_.facts().device;
    facts_.rate_hz = headset_->facts().rate_hz;
    const tracking::SourceStatus &headset = headset_->status(), &glove = glove_.status();
    for (std::size_t i = 0; i < headset.counters.size(); ++i) status_.counters[i] = headset.counters[i];
    for (std::size_t i = 0; i < glove.counters.size(); ++i) status_.counters[headset_counters_ + i] = glove.counters[i];
    // The headset's end is the session's; whichever of the two is worse off is what a person should know.
    const bool glove_is_off = glove.state != SourceState::live && headset.state == SourceState::live;
    status_.state = glove_is_off && glove.state != SourceState::ended ? glove.state
                    : glove_is_off                                    ? SourceState::gone
                                                                      : headset.state;
}

std::vector<tracking::SourceNotice> GloveOnHeadset::take_notices() {
    std::vector<tracking::SourceNotice> notices = headset_->take_notices();
    for (tracking::SourceNotice& notice : glove_.take_notices()) {
        notice.what = "glove " + notice.what;
        notices.push_back(std::move(notice));
    }
    return notices;
}

bool GloveOnHeadset::next(std::int64_t now_ns, tracking::SourceFrame& out) {
    while (glove_.update(now_ns)) continue;
    const bool given = headset_->next(now_ns, out);
    follow_status();
    if (!given) return false;
    tracking::HandFrame& hand = out.raw[side_];
    const tracking::JointPose wrist = hand[Joint::wrist];
    const bool has_wrist = hand.active && wrist.position_valid() && wrist.orientation_valid();
    if (had_wrist_ && !has_wrist) ++status_.counters.back().count;
    had_wrist_ = has_wrist;
    if (!has_wrist || glove_.status().state != SourceState::live) {
        hand.active = false;
        return true;
    }
    const tracking::SampleTimes times = hand.times;
    const Eigen::Isometry3f seat_from_wrist =
        Eigen::Translation3f(wrist.position_m) * wrist.orientation * user_.tracker_from_wrist;
    hand = tracking::pose_from_angles(facts_.profiles[side_], glove_.angles(), seat_from_wrist, side_);
    hand.source = tracking::Source::glove;
    hand.times = times;
    return true;
}

}  // namespace glovebox::vr
