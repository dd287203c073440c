// Runs the force loop for a session: on its own thread in real time, or simulated between the frames.
//
// A paced replay or a live session uses the thread. A replay that runs as fast as possible executes the same loop
// between the frames, tick by tick in the recording's time. It gives the same forces and commands, and they are
// reproducible.
#pragma once

#include <atomic>
#include <memory>
#include <string>

#include "scenes/gather_surfaces.h"
#include "vr/haptics/thread.h"

namespace glovebox::vr {

enum class HapticMode : std::uint8_t { threaded, simulated };

/// The force loop and outputs of one session. All calls come from the frame thread.
class HapticSession {
  public:
    HapticSession(const OutputRow& row, const OutputOptions& options, HapticMode mode);
    /// Takes an output that is already open.
    HapticSession(const OutputRow& row, std::unique_ptr<HapticOutput> output, HapticMode mode);
    HapticSession(OutputSet set, HapticMode mode);
    ~HapticSession();

    /// Passes a frame to the force loop; call it after each step. `hands` is the step's input, in world space. In
    /// simulated mode, runs the ticks up to the world's time. After stop(), neither frame() nor service() renders
    /// forces.
    void frame(const scenes::Scene& scene, const scenes::World& world, const tracking::HandPair& hands,
               const scenes::FrameStamps& stamps, double dt_s);

    /// Passes hands that were located after the last frame() to the force loop; the world is as that frame left it. Has
    /// no effect in simulated mode. May run on another thread than frame(), never at the same time.
    void refresh(const scenes::Scene& scene, const scenes::World& world, const tracking::HandPair& hands,
                 const scenes::FrameStamps& stamps);
    std::uint64_t refreshed() const { return refreshed_.load(std::memory_order_relaxed); }  ///< calls of refresh()

    /// Runs HapticOutput::service(); call between frame() calls.
    void service();

    /// Requests `level` (0 to 1) on every finger instead of the scene's forces, with or without a hand, to test a
    /// device. The request passes through governor, output and keeper as usual. Repeat it within the device's watchdog
    /// time (0.1 s); otherwise the scene's forces return.
    void request(float level);
    /// Replaces OutputOptions::connection, which has been lost, by `connection`. Forces begin from zero.
    void reconnect(int connection);

    void set_paused(bool paused);
    void set_unfocused(bool unfocused);

    /// Sends a stop and completes the output's files. Returns false if the files are incomplete; the reason has then
    /// been printed. Ledger, governors and their logs may be read afterwards.
    bool stop();

    const DeadlineLedger& ledger() const;
    const tracking::PerSide<Governor>& governors() const;  ///< valid after stop(), and always in simulated mode
    HapticMode mode() const { return mode_; }
    const std::string& output() const { return name_; }
    std::string scheduling() const;

  private:
    void limit_motion(const tracking::HandPair& hands, const scenes::World& world, scenes::HapticFrame& out) const;
    void run_ticks_until(std::int64_t time_ns);  // simulated

    std::string name_;
    HapticMode mode_;
    bool takes_motion_limit_;
    std::unique_ptr<HapticThread> thread_;  // threaded, as the next three
    tracking::PerSide<scenes::HandState> moved_;
    std::int64_t refreshed_sample_ns_ = 0;  // sample of the last refresh() since the last frame(); 0: none
    std::int64_t framed_sample_ns_ = 0;     // sample of the last frame()
    std::atomic<std::uint64_t> refreshed_ = 0;
    std::unique_ptr<HapticLoop> loop_;  // simulated, as all below
    std::unique_ptr<HapticOutput> output_;
    std::unique_ptr<scenes::HapticFrame> frame_;
    std::int64_t tick_ns_ = -1;
    bool paused_ = false, unfocused_ = false, stopped_ = false, whole_ = true;
};

}  // namespace glovebox::vr
