// What `--see` shows over an application: a scene that is stepped with the application's hands, and the application's
// frame times. A thread of its own steps the scene and draws; the application's threads copy hands and hand over a
// picture a few times a second.
#pragma once

#include <openxr/openxr.h>

#include <atomic>
#include <filesystem>
#include <memory>
#include <string>
#include <thread>

#include "recordings/log/schema.h"
#include "vr/haptics/triple_buffer.h"
#include "vr/layer/frame_ledger.h"
#include "vr/layer/newest.h"
#include "vr/layer/overlay_picture.h"
#include "vr/layer/overlay_quad.h"

namespace glovebox::vr::layer {

struct Instance;

/// Of one session.
class Overlay {
  public:
    struct Asked {
        std::string scene;              ///< name or file
        std::filesystem::path picture;  ///< where the last picture is kept; empty: nowhere
        std::uint32_t max_layers = 0;   ///< of the runtime's frames
    };
    /// `chain`: of XrSessionCreateInfo. Throws std::runtime_error where the session's graphics cannot show a panel.
    /// Whatever else goes wrong the instance says, and the application goes on without a panel.
    Overlay(const Instance& instance, XrSession session, const void* chain, Asked asked);
    ~Overlay();  ///< calls no function of OpenXR
    Overlay(const Overlay&) = delete;
    Overlay& operator=(const Overlay&) = delete;

    /// A hand as the application was given it, in LOCAL. From any thread; no memory, no lock.
    void hand(const tracking::HandFrame& hand, XrTime time) noexcept;
    /// xrWaitFrame has returned.
    void waited(const XrFrameState& frame, std::int64_t now_ns) noexcept { ledger_.waited(frame, now_ns); }
    /// The application's xrEndFrame, with the quad where there is a picture. `view`: the space of the head.
    XrResult end_frame(const XrFrameEndInfo* info, XrSpace view, std::int64_t now_ns);
    /// Before the session is destroyed.
    void close();

  private:
    struct Seen {
        recordings::JointBlob joints;
        XrTime time;
        bool active;
    };
    void run() noexcept;
    void run_scene();
    void stop();
    bool read(tracking::Side side, XrTime displayed, tracking::HandFrame& out) const noexcept;
    void give_up(const std::string& why);
    bool prepare(const XrFrameEndInfo& info);

    const Instance& instance_;
    XrSession session_;
    Asked asked_;
    OverlayQuad quad_;
    FrameLedger ledger_;
    tracking::PerSide<Newest<Seen>> seen_;
    tracking::PerSide<std::atomic_flag> writing_;  // a hand
    std::atomic<XrTime> displayed_{0};             // of the frame that ended last
    TripleBuffer<OverlayPicture> pictures_;
    const OverlayPicture* front_ = nullptr;  // in pictures_: is shown, or goes to the runtime piece by piece
    std::unique_ptr<OverlayPicture> kept_;   // the last one shown; null: not asked for
    std::atomic_flag ending_frame_;
    std::atomic<bool> gave_up_{false}, ending_{false};
    bool told_layers_ = false;
    std::thread thread_;
};

}  // namespace glovebox::vr::layer
