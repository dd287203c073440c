// Shows a picture as a quad layer of an application's frames, using the OpenGL context of the application's session.
//
// OpenXR requires that no other thread has this context current during xrEndFrame, so the layer may use the context
// there. The layer restores all OpenGL state that it changes.
#pragma once

#include <openxr/openxr.h>

#include <memory>
#include <string>

#include "vr/layer/overlay_picture.h"

namespace glovebox::vr::layer {

struct Next;

class OverlayQuad {
  public:
    /// `chain` is `next` of XrSessionCreateInfo. Throws std::runtime_error if the chain has no OpenGL binding for X11;
    /// the message names the binding that it has instead.
    OverlayQuad(const Next& next, XrSession session, const void* chain);
    ~OverlayQuad();  ///< calls no OpenXR function; the session owns the swapchain
    OverlayQuad(const OverlayQuad&) = delete;
    OverlayQuad& operator=(const OverlayQuad&) = delete;

    /// Copies the next kRowsAtOnce rows of the picture to a swapchain image; the first call creates the swapchain. Pass
    /// the same picture until shown() returns its number. Never waits, but returns XR_TIMEOUT_EXPIRED while the runtime
    /// has no free image. Returns the runtime's errors, and XR_ERROR_SWAPCHAIN_FORMAT_UNSUPPORTED if the runtime does
    /// not support GL_SRGB8_ALPHA8.
    XrResult upload(const OverlayPicture& picture);
    /// Returns the number of the last picture that was uploaded completely; 0: none.
    std::uint64_t shown() const { return shown_; }

    /// Returns the composition layer. Its position in `view` is above and to the left, away from the centre and from
    /// most hand positions.
    XrCompositionLayerQuad layer(XrSpace view) const;

    /// Destroys the swapchain.
    void close();

  private:
    static constexpr int kRowsAtOnce = 40;  // 100 kB
    static_assert(OverlayPicture::kHeight_px % kRowsAtOnce == 0);
    struct OpenGl;
    XrResult make();

    const Next& next_;
    XrSession session_;
    std::unique_ptr<OpenGl> gl_;
    XrSwapchain swapchain_ = XR_NULL_HANDLE;
    std::uint64_t shown_ = 0;
    bool acquired_ = false, waited_ = false;
    std::uint32_t image_ = 0;  // the acquired image
    int rows_ = 0;             // rows of the picture that it holds
};

}  // namespace glovebox::vr::layer
