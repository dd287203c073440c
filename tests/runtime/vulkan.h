// The runtime's use of Vulkan (XR_KHR_vulkan_enable2): images for swapchains, and reading back what the application
// drew. Builds without Vulkan's headers; then there is no such extension. Vulkan's loader is the application's.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "tests/runtime/graphics.h"

namespace glovebox::tests::runtime {

#ifdef HAND_RUNTIME_VULKAN
inline constexpr bool kHasVulkan = true;
#else
inline constexpr bool kHasVulkan = false;
#endif

/// A session's device. Swapchains know its images by small numbers, as they know OpenGL's textures.
class Vulkan {
  public:
    virtual ~Vulkan() = default;
    /// Creates images in the layout of a color or depth attachment; returns none if the format is not supported.
    virtual std::vector<std::uint32_t> make_images(const XrSwapchainCreateInfo& info, std::size_t count) = 0;
    virtual void drop_images(const std::vector<std::uint32_t>& images) = 0;
    virtual std::uint64_t handle_of(std::uint32_t image) const = 0;  ///< VkImage
    virtual Picture read_back(const Swapchain& swapchain, const XrSwapchainSubImage& part) = 0;
};

/// Reads the binding from the session's chain. Returns null if there is none, and sets `fault` if it does not work.
std::unique_ptr<Vulkan> bind_vulkan(const XrSessionCreateInfo& info, std::string& fault);

}  // namespace glovebox::tests::runtime
