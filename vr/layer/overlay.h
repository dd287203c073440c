// Overlay panel of `--see` over an OpenXR application. It shows a scene that is stepped with the application's hands,
// and the application's frame times. A separate thread steps the scene and draws. The application's threads copy hands
// and submit a new picture a few times a second.
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

/// The panel of one session.
class Overlay {
  public:
    struct Options {
        std::string scene;              ///< name or file
        std::filesystem::path picture;  ///< file for the last picture; empty: none
        std::uint32_t max_layers = 0;   ///< maximum number of layers that the runtime accepts in a frame
    };
    /// `chain` is `next` of XrSessionCreateInfo. Throws std::runtime_error if a panel cannot be shown with the
    /// session's graphics. Later errors are reported through `instance`, and the application continues without a panel.
    Overlay(const Instance& instance, XrSession session, const void* chain, Options options);
    ~Overlay();  ///< calls no OpenXR function
    Overlay(const Overlay&) = delete;
    Overlay& operator=(const Overlay&) = delete;

    /// Copies a hand that the application located, in LOCAL space. Any thread may call it; it does not lock or
    /// allocate.
    void hand(const tracking::HandFrame& hand, XrTime time) noexcept;
    /// Call when xrWaitFrame has returned.
    void waited(const XrFrameState& frame, std::int64_t now_ns) noexcept { ledger_.waited(frame, now_ns); }
    /// Calls the runtime's xrEndFrame for the application, and adds the quad layer if there is a picture. `view` is the
    /// VIEW space.
    XrResult end_frame(const XrFrameEndInfo* info, XrSpace view, std::int64_t now_ns);
    /// Stops the thread and saves the last picture. Call it before the session is destroyed.
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
    void disable(const std::string& why);
    bool prepare(const XrFrameEndInfo& info);

    const Instance& instance_;
    XrSession session_;
    Options options_;
    OverlayQuad quad_;
    FrameLedger ledger_;
    tracking::PerSide<Newest<Seen>> seen_;
    tracking::PerSide<std::atomic_flag> writing_;  // set while a thread is in hand()
    std::atomic<XrTime> displayed_{0};             // display time of the frame that ended last
    TripleBuffer<OverlayPicture> pictures_;
    const OverlayPicture* front_ = nullptr;  // in pictures_: shown, or being uploaded in parts
    std::unique_ptr<OverlayPicture> kept_;   // the last one shown; null if it is not to be saved
    std::atomic_flag ending_frame_;
    std::atomic<bool> disabled_{false}, ending_{false};
    bool reported_layers_ = false;
    std::thread thread_;
};

}  // namespace glovebox::vr::layer
