#include "vr/layer/overlay_quad.h"

#include <algorithm>
#include <array>
#include <stdexcept>
#include <vector>

#include "vr/layer/instance.h"

namespace glovebox::vr::layer {
namespace {

// Graphics APIs that an application may use and the panel does not know.
struct Graphics {
    XrStructureType binding;
    const char* name;
};
constexpr std::array kOthers = {
    Graphics{XR_TYPE_GRAPHICS_BINDING_OPENGL_XCB_KHR, "OpenGL on XCB"},
    Graphics{XR_TYPE_GRAPHICS_BINDING_OPENGL_WAYLAND_KHR, "OpenGL on Wayland"},
    Graphics{XR_TYPE_GRAPHICS_BINDING_EGL_MNDX, "OpenGL with EGL"},
    Graphics{XR_TYPE_GRAPHICS_BINDING_VULKAN_KHR, "Vulkan, which this build lacks"},
    Graphics{XR_TYPE_GRAPHICS_BINDING_OPENGL_WIN32_KHR, "OpenGL on Windows"},
    Graphics{XR_TYPE_GRAPHICS_BINDING_OPENGL_ES_ANDROID_KHR, "OpenGL ES"},
    Graphics{XR_TYPE_GRAPHICS_BINDING_D3D11_KHR, "Direct3D 11"},
    Graphics{XR_TYPE_GRAPHICS_BINDING_D3D12_KHR, "Direct3D 12"},
};

const char* graphics_of(const void* chain) {
    for (const Graphics& each : kOthers)
        if (in_chain<XrBaseInStructure>(chain, each.binding) != nullptr) return each.name;
    return "no graphics that the panel knows";
}

class InUse {
  public:
    explicit InUse(OverlayGraphics& graphics) : graphics_(graphics), fits_(graphics.begin()) {}
    ~InUse() {
        if (fits_) graphics_.end();
    }
    InUse(const InUse&) = delete;
    InUse& operator=(const InUse&) = delete;
    bool fits() const { return fits_; }

  private:
    OverlayGraphics& graphics_;
    bool fits_;
};

}  // namespace

OverlayQuad::OverlayQuad(const Next& next, XrSession session, const void* chain)
    : next_(next), session_(session), graphics_(opengl_graphics(chain)) {
    if (graphics_ == nullptr) graphics_ = vulkan_graphics(chain);
    if (graphics_ == nullptr)
        throw std::runtime_error(std::string("the panel needs OpenGL on X11 or Vulkan, and the application has ") +
                                 graphics_of(chain));
}

OverlayQuad::~OverlayQuad() = default;

XrResult OverlayQuad::make() {
    std::uint32_t count = 0;
    XrResult result = next_.enumerate_swapchain_formats(session_, 0, &count, nullptr);
    if (result < 0) return result;
    std::vector<std::int64_t> formats(count);
    result = next_.enumerate_swapchain_formats(session_, count, &count, formats.data());
    if (result < 0) return result;
    // The picture is sRGB. Every runtime for PCs that we know has this format.
    if (std::ranges::find(formats, graphics_->format()) == formats.end()) return XR_ERROR_SWAPCHAIN_FORMAT_UNSUPPORTED;
    XrSwapchainCreateInfo info{};
    info.type = XR_TYPE_SWAPCHAIN_CREATE_INFO;
    info.usageFlags = graphics_->usage();
    info.format = graphics_->format();
    info.width = OverlayPicture::kWidth_px;
    info.height = OverlayPicture::kHeight_px;
    info.sampleCount = info.faceCount = info.arraySize = info.mipCount = 1;
    result = next_.create_swapchain(session_, &info, &swapchain_);
    if (result < 0) {
        swapchain_ = XR_NULL_HANDLE;
        return result;
    }
    return graphics_->take_images(next_, swapchain_);
}

XrResult OverlayQuad::upload(const OverlayPicture& picture) {
    const InUse use(*graphics_);
    if (!use.fits()) return XR_ERROR_GRAPHICS_DEVICE_INVALID;
    if (swapchain_ == XR_NULL_HANDLE)
        if (const XrResult result = make(); result < 0) return result;
    if (!acquired_) {
        if (!graphics_->is_ready()) return XR_TIMEOUT_EXPIRED;
        const XrResult result = next_.acquire_swapchain_image(swapchain_, nullptr, &image_);
        if (result < 0) return result;
        acquired_ = true;
    }
    if (!waited_) {
        const XrSwapchainImageWaitInfo at_once{XR_TYPE_SWAPCHAIN_IMAGE_WAIT_INFO, nullptr, 0};
        const XrResult waited = next_.wait_swapchain_image(swapchain_, &at_once);
        if (waited != XR_SUCCESS) return waited;
        waited_ = true;
        slice_ = 0;
        if (!graphics_->keeps_slices()) held_ = {};
    }
    const auto is_left = [&] {
        while (slice_ < held_.size() && held_[slice_] == picture.hashes[slice_]) ++slice_;
        return slice_ < held_.size();
    };
    if (is_left()) {
        graphics_->copy_slice(picture, image_, slice_);
        held_[slice_] = picture.hashes[slice_];
    }
    if (is_left()) return XR_SUCCESS;
    const bool is_finished = graphics_->finish(image_);
    acquired_ = waited_ = false;
    if (const XrResult result = next_.release_swapchain_image(swapchain_, nullptr); result < 0) return result;
    if (!is_finished) return XR_ERROR_GRAPHICS_DEVICE_INVALID;
    shown_ = picture.number;
    return XR_SUCCESS;
}

XrCompositionLayerQuad OverlayQuad::layer(XrSpace view) const {
    XrCompositionLayerQuad quad{};
    quad.type = XR_TYPE_COMPOSITION_LAYER_QUAD;
    quad.space = view;
    quad.eyeVisibility = XR_EYE_VISIBILITY_BOTH;
    quad.subImage.swapchain = swapchain_;
    quad.subImage.imageRect = {{0, 0}, {OverlayPicture::kWidth_px, OverlayPicture::kHeight_px}};
    quad.pose = {{0.0F, 0.0F, 0.0F, 1.0F}, {-0.40F, 0.30F, -1.0F}};
    quad.size = {0.64F, 0.64F * OverlayPicture::kHeight_px / OverlayPicture::kWidth_px};
    return quad;
}

void OverlayQuad::close() {
    if (swapchain_ != XR_NULL_HANDLE) next_.destroy_swapchain(swapchain_);
    swapchain_ = XR_NULL_HANDLE;
    graphics_->close();
}

}  // namespace glovebox::vr::layer
