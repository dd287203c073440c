// Shows a picture as a quad layer of an application's frames, with the graphics API of the application's session.
#pragma once

#include <openxr/openxr.h>

#include <array>
#include <memory>
#include <string>

#include "vr/layer/overlay_graphics.h"

namespace glovebox::vr::layer {

/// The quad layer of one session.
class OverlayQuad {
  public:
    /// `chain`: `next` of XrSessionCreateInfo. Throws std::runtime_error if it has neither an OpenGL binding for X11
    /// nor a Vulkan binding; the message names the graphics that it has instead.
    OverlayQuad(const Next& next, XrSession session, const void* chain);
    ~OverlayQuad();  ///< calls no OpenXR function; the session owns the swapchain
    OverlayQuad(const OverlayQuad&) = delete;
    OverlayQuad& operator=(const OverlayQuad&) = delete;

    /// Copies the next slice of the picture to a swapchain image; the first call creates the swapchain. Pass
    /// the same picture until shown() returns its number. Never waits: returns XR_TIMEOUT_EXPIRED while the
    /// runtime has no free image. Returns the runtime's errors, and XR_ERROR_SWAPCHAIN_FORMAT_UNSUPPORTED if it has no
    /// 8-bit sRGB with alpha.
    XrResult upload(const OverlayPicture& picture);
    /// Returns the number of the last picture that was uploaded completely; 0: none.
    std::uint64_t shown() const { return shown_; }

    /// Returns the composition layer. Its position in `view` is above and to the left, away from the centre and from
    /// most hand positions.
    XrCompositionLayerQuad layer(XrSpace view) const;

    /// Destroys the swapchain.
    void close();

  private:
    XrResult make();

    const Next& next_;
    XrSession session_;
    std::unique_ptr<OverlayGraphics> graphics_;
    XrSwapchain swapchain_ = XR_NULL_HANDLE;
    std::uint64_t shown_ = 0;
    bool acquired_ = false, waited_ = false;
    std::uint32_t image_ = 0;                                    // the acquired image
    std::size_t slice_ = 0;                                      // the first slice that was not compared yet
    std::array<std::uint64_t, OverlayPicture::kSlices> held_{};  // hashes of the slices that were copied; 0: none
};

}  // namespace glovebox::vr::layer
