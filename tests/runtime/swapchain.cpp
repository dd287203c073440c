#include <algorithm>
#include <span>

#include "tests/runtime/functions.h"
#include "tests/runtime/graphics.h"

namespace glovebox::tests::runtime {
namespace {

// Values from OpenGL's headers, in the order in which the runtime prefers them.
constexpr std::int64_t kSrgb8Alpha8 = 0x8C43, kRgba8 = 0x8058, kDepth32f = 0x8CAC, kDepth24 = 0x81A6,
                       kDepth24Stencil8 = 0x88F0;
constexpr std::array<std::int64_t, 5> kFormats{kSrgb8Alpha8, kRgba8, kDepth32f, kDepth24, kDepth24Stencil8};
// VK_FORMAT_R8G8B8A8_SRGB, ..._UNORM, VK_FORMAT_D32_SFLOAT
constexpr std::int64_t kVulkanDepth32f = 126;
constexpr std::array<std::int64_t, 3> kVulkanFormats{43, 37, kVulkanDepth32f};
constexpr std::size_t kImages = 3;

std::span<const std::int64_t> formats_of(const Session& session) {
    if (session.graphics == nullptr) return {};
    if (is_vulkan(*session.graphics)) return kVulkanFormats;
    return kFormats;
}

Session& session_of(const Swapchain& swapchain) {
    return *runtime().find<Session>(swapchain.parent);
}

}  // namespace

bool is_depth_format(std::int64_t format) {
    return format == kDepth32f || format == kDepth24 || format == kDepth24Stencil8 || format == kVulkanDepth32f;
}

XrResult get_opengl_graphics_requirements(XrInstance handle, XrSystemId system, void* untyped) {
    Instance* instance = nullptr;
    if (const XrResult result = look_up(handle, instance); result < 0) return result;
    if (system != 1) return refuse(XR_ERROR_SYSTEM_INVALID, "no such system");
    // The layout of XrGraphicsRequirementsOpenGLKHR, whose header needs OpenGL's.
    struct Requirements {
        XrStructureType type;
        void* next;
        XrVersion min, max;
    };
    auto* out = static_cast<Requirements*>(untyped);
    GLOVEBOX_REQUIRE_TYPE(out, XR_TYPE_GRAPHICS_REQUIREMENTS_OPENGL_KHR);
    out->min = XR_MAKE_VERSION(3, 3, 0);
    out->max = XR_MAKE_VERSION(4, 6, 0);
    instance->graphics_requirements_asked = true;
    return XR_SUCCESS;
}

XrResult enumerate_swapchain_formats(XrSession handle, std::uint32_t capacity, std::uint32_t* count,
                                     std::int64_t* out) {
    Session* session = nullptr;
    if (const XrResult result = look_up(handle, session); result < 0) return result;
    const auto formats = formats_of(*session);
    return fill(capacity, count, formats.size(), [&](std::size_t i) { out[i] = formats[i]; });
}

XrResult create_swapchain(XrSession handle, const XrSwapchainCreateInfo* info, XrSwapchain* out) {
    Session* session = nullptr;
    if (const XrResult result = look_up(handle, session); result < 0) return result;
    GLOVEBOX_REQUIRE_TYPE(info, XR_TYPE_SWAPCHAIN_CREATE_INFO);
    if (session->graphics == nullptr)
        return refuse(XR_ERROR_FEATURE_UNSUPPORTED, "a headless session has no swapchains");
    if (const auto formats = formats_of(*session); std::ranges::find(formats, info->format) == formats.end())
        return refuse(XR_ERROR_SWAPCHAIN_FORMAT_UNSUPPORTED, "not one of the listed formats");
    if (info->sampleCount != 1) return refuse(XR_ERROR_FEATURE_UNSUPPORTED, "one sample a pixel");
    if (info->faceCount != 1 || info->arraySize < 1 || info->arraySize > 2 || info->mipCount != 1)
        return refuse(XR_ERROR_FEATURE_UNSUPPORTED, "plain images only, one or two layers");
    if (info->width == 0 || info->height == 0 || info->width > 4096 || info->height > 4096)
        return refuse(XR_ERROR_VALIDATION_FAILURE, "size of the swapchain");
    const auto is_swapchain = [](const auto& entry) { return dynamic_cast<Swapchain*>(entry.second.get()) != nullptr; };
    const auto& objects = runtime().objects;
    if (std::count_if(objects.begin(), objects.end(), is_swapchain) >= runtime().script.most_swapchains)
        return XR_ERROR_OUT_OF_MEMORY;
    const bool is_static = (info->createFlags & XR_SWAPCHAIN_CREATE_STATIC_IMAGE_BIT) != 0;
    // Takes milliseconds. Other threads may call meanwhile; OpenXR forbids that they destroy the session.
    runtime().mutex.unlock();
    std::vector<std::uint32_t> textures = make_textures(*session->graphics, *info, is_static ? 1 : kImages);
    runtime().mutex.lock();
    if (textures.empty()) return refuse(XR_ERROR_RUNTIME_FAILURE, "the textures could not be made");
    Swapchain& swapchain = runtime().make<Swapchain>(session->handle);
    swapchain.format = info->format;
    swapchain.width = info->width;
    swapchain.height = info->height;
    swapchain.layers = info->arraySize;
    swapchain.textures = std::move(textures);
    swapchain.fixed = is_static;
    *out = handle_of<XrSwapchain>(swapchain);
    return XR_SUCCESS;
}

XrResult destroy_swapchain(XrSwapchain handle) {
    auto* swapchain = runtime().find<Swapchain>(number_of(handle));
    if (swapchain == nullptr) return refuse(XR_ERROR_HANDLE_INVALID, "no such swapchain");
    drop_textures(*session_of(*swapchain).graphics, swapchain->textures);
    runtime().destroy(swapchain->handle);
    return XR_SUCCESS;
}

XrResult enumerate_swapchain_images(XrSwapchain handle, std::uint32_t capacity, std::uint32_t* count,
                                    XrSwapchainImageBaseHeader* untyped) {
    Swapchain* swapchain = nullptr;
    if (const XrResult result = look_up(handle, swapchain); result < 0) return result;
    const Graphics& graphics = *session_of(*swapchain).graphics;
    const XrStructureType type =
        is_vulkan(graphics) ? XR_TYPE_SWAPCHAIN_IMAGE_VULKAN_KHR : XR_TYPE_SWAPCHAIN_IMAGE_OPENGL_KHR;
    struct Image {  // XrSwapchainImageOpenGLKHR, whose last four bytes are unused, or XrSwapchainImageVulkanKHR
        XrStructureType type;
        void* next;
        std::uint64_t image;
    };
    auto* out = reinterpret_cast<Image*>(untyped);
    for (std::uint32_t i = 0; out != nullptr && i < std::min<std::size_t>(capacity, swapchain->textures.size()); ++i)
        if (out[i].type != type) return refuse(XR_ERROR_VALIDATION_FAILURE, "an image of another graphics API");
    return fill(capacity, count, swapchain->textures.size(),
                [&](std::size_t i) { out[i].image = number_of_texture(graphics, swapchain->textures[i]); });
}

XrResult acquire_swapchain_image(XrSwapchain handle, const XrSwapchainImageAcquireInfo* info, std::uint32_t* out) {
    Swapchain* swapchain = nullptr;
    if (const XrResult result = look_up(handle, swapchain); result < 0) return result;
    if (info != nullptr) GLOVEBOX_REQUIRE_TYPE(info, XR_TYPE_SWAPCHAIN_IMAGE_ACQUIRE_INFO);
    if (swapchain->acquired.size() == swapchain->textures.size())
        return refuse(XR_ERROR_CALL_ORDER_INVALID, "every image is acquired already");
    if (swapchain->fixed && swapchain->last_released >= 0)
        return refuse(XR_ERROR_CALL_ORDER_INVALID, "a static image is acquired once");
    *out = swapchain->next;
    swapchain->acquired.push_back(swapchain->next);
    swapchain->next = (swapchain->next + 1) % static_cast<std::uint32_t>(swapchain->textures.size());
    return XR_SUCCESS;
}

XrResult wait_swapchain_image(XrSwapchain handle, const XrSwapchainImageWaitInfo* info) {
    Swapchain* swapchain = nullptr;
    if (const XrResult result = look_up(handle, swapchain); result < 0) return result;
    GLOVEBOX_REQUIRE_TYPE(info, XR_TYPE_SWAPCHAIN_IMAGE_WAIT_INFO);
    if (swapchain->acquired.empty()) return refuse(XR_ERROR_CALL_ORDER_INVALID, "waiting for an image not acquired");
    if (swapchain->waited) return refuse(XR_ERROR_CALL_ORDER_INVALID, "waiting twice without releasing");
    if (runtime().late_images > 0 && (runtime().late_width == 0 || runtime().late_width == swapchain->width)) {
        --runtime().late_images;
        runtime().write_log("late image");
        return XR_TIMEOUT_EXPIRED;
    }
    swapchain->waited = true;
    return XR_SUCCESS;
}

XrResult release_swapchain_image(XrSwapchain handle, const XrSwapchainImageReleaseInfo* info) {
    Swapchain* swapchain = nullptr;
    if (const XrResult result = look_up(handle, swapchain); result < 0) return result;
    if (info != nullptr) GLOVEBOX_REQUIRE_TYPE(info, XR_TYPE_SWAPCHAIN_IMAGE_RELEASE_INFO);
    if (!swapchain->waited) return refuse(XR_ERROR_CALL_ORDER_INVALID, "releasing an image that was not waited for");
    swapchain->last_released = static_cast<int>(swapchain->acquired.front());
    swapchain->acquired.pop_front();
    swapchain->waited = false;
    return XR_SUCCESS;
}

}  // namespace glovebox::tests::runtime
