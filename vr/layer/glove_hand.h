// A glove in an application's hand: its newest pose for the application, the application's forces for the glove.
//
// A thread of its own reads the port a thousand times a second and tells the glove what to hold, through the governor
// and the keeper (vr/haptics): the glove lets go when the application ends, crashes, hangs or looks away.
#pragma once

#include <array>
#include <atomic>
#include <functional>
#include <memory>
#include <string>
#include <thread>

#include "recordings/log/schema.h"
#include "tracking/glove/glove_source.h"
#include "vr/layer/asked_for.h"
#include "vr/layer/newest.h"

namespace glovebox::vr::layer {

class GloveHand {
  public:
    /// `say` gets a line for people when the glove goes or comes back, on the glove's thread. Throws
    /// std::runtime_error where the glove is not there or an option is wrong.
    GloveHand(const AskedFor& asked, tracking::Side side, std::function<void(const std::string&)> say);
    ~GloveHand();  ///< the glove has let go then
    GloveHand(const GloveHand&) = delete;
    GloveHand& operator=(const GloveHand&) = delete;

    /// The hand as the glove has it, in LOCAL: a wrist before the seat. False: the glove is silent or gone. From any
    /// thread; no memory, no lock.
    bool hand(tracking::HandFrame& out) const noexcept;
    /// Where the glove's wrist lies in what a headset tracks there, hand or controller: of the wearer's profile.
    const Eigen::Isometry3f& tracker_from_wrist() const { return tracker_from_wrist_; }

    bool takes_forces() const { return takes_forces_; }
    /// What the application asks for, 0 to 1 of a finger's range of motion closed off; thumb is 0. It holds until the
    /// next one, for as long as the application lives.
    void hold(std::size_t finger, float share) noexcept { held_[finger].store(share, std::memory_order_relaxed); }
    void let_go() noexcept {
        for (std::size_t f = 0; f < held_.size(); ++f) hold(f, 0.0F);
    }
    /// The application has called: it lives. `focused`: the person's attention is on it.
    void lives(std::int64_t now_ns, bool focused) noexcept {
        lived_ns_.store(now_ns, std::memory_order_relaxed);
        focused_.store(focused, std::memory_order_relaxed);
    }

  private:
    GloveHand(tracking::GloveSettings settings, std::function<void(const std::string&)> say);
    struct Shown {
        recordings::JointBlob joints;
        bool active;
    };
    void run();
    void show(const tracking::HandFrame& hand);

    tracking::Side side_;
    std::function<void(const std::string&)> say_;
    Eigen::Isometry3f tracker_from_wrist_;
    tracking::GloveSource source_;
    bool takes_forces_ = false;
    Newest<Shown> shown_;
    std::array<std::atomic<float>, tracking::kFingerCount> held_{};
    std::atomic<std::int64_t> lived_ns_{0};
    std::atomic<bool> focused_{false}, ending_{false};
    std::thread thread_;
};

}  // namespace glovebox::vr::layer
