// A glove as a hand of an OpenXR application: passes the glove's pose to the application, and the application's forces
// to the glove.
//
// A separate thread reads the port at 1 kHz and sends the forces through the governor and the keeper (vr/haptics). The
// glove is released when the application ends, crashes, hangs or loses the focus.
#pragma once

#include <array>
#include <atomic>
#include <functional>
#include <memory>
#include <string>
#include <thread>

#include "recordings/log/schema.h"
#include "tracking/glove/glove_source.h"
#include "vr/layer/layer_options.h"
#include "vr/layer/newest.h"

namespace glovebox::vr::layer {

/// Owns the glove and its thread.
class GloveHand {
  public:
    /// Opens the glove. When the glove disconnects or returns, `say` is called with a message, on the glove's thread.
    /// Throws std::runtime_error if the glove is not connected or an option is wrong.
    GloveHand(const LayerOptions& options, tracking::Side side, std::function<void(const std::string&)> print_message);
    ~GloveHand();  ///< releases the glove
    GloveHand(const GloveHand&) = delete;
    GloveHand& operator=(const GloveHand&) = delete;

    /// Writes the glove's newest hand to `out`, in LOCAL, with the wrist at a fixed place in front of the user. Returns
    /// false if the glove is silent or disconnected. Thread-safe; does not allocate or lock.
    bool hand(tracking::HandFrame& out) const noexcept;
    /// Returns the wrist's pose in the frame of the headset's tracked hand or controller, from the wearer's profile.
    const Eigen::Isometry3f& tracker_from_wrist() const { return tracker_from_wrist_; }

    bool takes_forces() const { return takes_forces_; }
    /// Sets the blocked fraction (0 to 1) of a finger's range of motion; finger 0 is the thumb. The fraction stays in
    /// force until the next call, as long as the application is alive.
    void hold(std::size_t finger, float share) noexcept { held_[finger].store(share, std::memory_order_relaxed); }
    void let_go() noexcept {
        for (std::size_t f = 0; f < held_.size(); ++f) hold(f, 0.0F);
    }
    /// Records that the application is alive; call it whenever the application calls a function. `focused` tells
    /// whether the application's session has the focus.
    void lives(std::int64_t now_ns, bool focused) noexcept {
        lived_ns_.store(now_ns, std::memory_order_relaxed);
        focused_.store(focused, std::memory_order_relaxed);
    }

  private:
    GloveHand(tracking::GloveSettings settings, std::function<void(const std::string&)> print_message);
    struct Shown {
        recordings::JointBlob joints;
        bool active;
    };
    void run();
    void show(const tracking::HandFrame& hand);

    tracking::Side side_;
    std::function<void(const std::string&)> print_message_;
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
