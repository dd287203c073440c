// Haptics beside a session: with a thread of its own where time runs as it does for people, without one where it does
// not.
//
// A paced replay or a live session gets the real thing. A replay as fast as possible has no milliseconds to keep, so
// the same loop is run tick by tick in the recording's time, between the frames: same forces, same commands,
// reproducible.
#pragma once

#include <memory>
#include <string>

#include "scenes/gather_surfaces.h"
#include "vr/haptics/thread.h"

namespace glovebox::vr {

enum class HapticMode : std::uint8_t { threaded, simulated };

class HapticSession {
  public:
    HapticSession(const OutputRow& row, const OutputOptions& options, HapticMode mode);
    /// The same with a device that is open already, or with something in front of it.
    HapticSession(const OutputRow& row, std::unique_ptr<HapticOutput> output, HapticMode mode);
    HapticSession(OutputSet set, HapticMode mode);
    ~HapticSession();

    /// After each step. In simulated mode runs the ticks up to the world's time. After stop() neither this nor
    /// service() makes any more forces.
    /// `hands` are those that the step saw, in the scene's frame.
    void frame(const scenes::Scene& scene, const scenes::World& world, const tracking::HandPair& hands,
               const scenes::FrameStamps& stamps, double dt_s);

    /// Frame thread, between frame() calls: hands over what the force loop has sent since.
    void service();

    /// Frame thread: asks for `level` (0 to 1) on every finger in place of what the scene makes felt, hand or no hand,
    /// to try a device. It takes the same way: governor, output, keeper. To be said again before the device's watchdog
    /// (0.1 s) is out, as with frames; once it is not, the scene is felt again.
    void request(float level);
    /// Frame thread: OutputOptions::connection has gone, and this one takes its place. Forces begin from zero.
    void reconnect(int connection);

    void set_paused(bool paused);
    void set_unfocused(bool unfocused);

    /// Sends the stop and completes what the output writes. False: that is not whole, and why has been said. The
    /// ledger, the governors and their logs may be read afterwards.
    bool stop();

    const DeadlineLedger& ledger() const;
    const tracking::PerSide<Governor>& governors() const;  ///< after stop(), or in simulated mode
    HapticMode mode() const { return mode_; }
    const std::string& output() const { return name_; }
    std::string scheduling() const;

  private:
    void run_ticks_until(std::int64_t time_ns);  // simulated

    std::string name_;
    HapticMode mode_;
    bool takes_motion_limit_;
    std::unique_ptr<HapticThread> thread_;  // threaded
    std::unique_ptr<HapticLoop> loop_;      // simulated, as all below
    std::unique_ptr<HapticOutput> output_;
    std::unique_ptr<scenes::HapticFrame> frame_;
    std::int64_t tick_ns_ = -1;
    bool paused_ = false, unfocused_ = false, stopped_ = false, whole_ = true;
};

}  // namespace glovebox::vr
