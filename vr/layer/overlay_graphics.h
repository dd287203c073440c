// Copies pictures into a swapchain's images with the graphics API of an application's session.
#pragma once

#include <openxr/openxr.h>

#include <memory>

#include "vr/layer/overlay_picture.h"

namespace glovebox::vr::layer {

struct Next;

/// One graphics API. Use it in xrEndFrame only: there the application lets the runtime use its context or queue. A
/// picture is copied in slices, at most one a frame.
class OverlayGraphics {
  public:
    virtual ~OverlayGraphics() = default;  ///< calls no function of the API
    /// Call before all other functions and those of the swapchain: makes the application's context current and sets the
    /// state that they need. Returns false if the API cannot be used now.
    virtual bool begin() = 0;
    virtual void end() = 0;  ///< restores what begin() has changed
    /// Format of the swapchain, 8-bit sRGB with alpha.
    virtual std::int64_t format() const = 0;
    virtual XrSwapchainUsageFlags usage() const = 0;
    virtual XrResult take_images(const Next& next, XrSwapchain swapchain) = 0;
    /// Returns whether the previous copy has left the memory that the next one uses.
    virtual bool is_ready() = 0;
    /// Returns whether slices of the last picture are kept for the next one, whatever its image. The contents of an
    /// image itself are not kept: OpenXR does not promise it.
    virtual bool keeps_slices() const = 0;
    /// Copies a slice of a picture for an image that was acquired and waited for.
    virtual void copy_slice(const OverlayPicture& picture, std::uint32_t image, std::size_t slice) = 0;
    /// Ends the copy; the image may be released afterwards. Returns false if the device refuses it.
    virtual bool finish(std::uint32_t image) = 0;
    /// Frees what the API has allocated. Call it before the session is destroyed.
    virtual void close() = 0;
};

/// `chain`: `next` of XrSessionCreateInfo. Return null if it has no binding of that API. vulkan_graphics() throws
/// std::runtime_error if the device's functions or memory cannot be had, and returns null in a build without Vulkan.
std::unique_ptr<OverlayGraphics> opengl_graphics(const void* chain);
std::unique_ptr<OverlayGraphics> vulkan_graphics(const void* chain);

}  // namespace glovebox::vr::layer
