// A picture as a quad layer of an application's frames, with the OpenGL context that the application gave its session.
//
// OpenXR wants that context in no other thread than the one that ends a frame, so that it may be used there. What is
// touched of its state is put back.
#pragma once

#include <openxr/openxr.h>

#include <memory>
#include <string>

#include "vr/layer/overlay_picture.h"

namespace glovebox::vr::layer {

struct Next;

class OverlayQuad {
  public:
    /// `chain`: of XrSessionCreateInfo. Throws std::runtime_error where it has no OpenGL binding of X11: which graphics
    /// it has instead.
    OverlayQuad(const Next& next, XrSession session, const void* chain);
    ~OverlayQuad();  ///< calls nothing: the swapchain is the session's
    OverlayQuad(const OverlayQuad&) = delete;
    OverlayQuad& operator=(const OverlayQuad&) = delete;

    /// Puts the next kRowsAtOnce rows of the picture into an image of the swapchain, which is made with the first one.
    /// The same picture is to be given until it is shown(). Never waits: while the runtime has no image to give,
    /// XR_TIMEOUT_EXPIRED. Errors are the runtime's; XR_ERROR_SWAPCHAIN_FORMAT_UNSUPPORTED where it has no
    /// GL_SRGB8_ALPHA8.
    XrResult upload(const OverlayPicture& picture);
    /// The picture that is whole in the newest image; 0: none.
    std::uint64_t shown() const { return shown_; }

    /// The layer, up and to the left in `view`: it covers neither the middle nor where hands mostly are.
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
    std::uint32_t image_ = 0;  // acquired
    int rows_ = 0;             // that it has of the picture
};

}  // namespace glovebox::vr::layer
