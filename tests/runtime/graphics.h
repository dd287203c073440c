// The runtime's use of OpenGL or Vulkan: textures for swapchains, and reading back what the application drew.
//
// Separate so that the runtime builds without OpenGL (then only headless sessions can be created).
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "tests/runtime/runtime.h"

namespace glovebox::tests::runtime {

#ifdef HAND_RUNTIME_OPENGL
inline constexpr bool kHasOpenGl = true;
#else
inline constexpr bool kHasOpenGl = false;
#endif

#ifdef HAND_RUNTIME_EGL
inline constexpr bool kHasEgl = true;
#else
inline constexpr bool kHasEgl = false;
#endif

struct Swapchain : Object {
    std::int64_t format = 0;
    std::uint32_t width = 0, height = 0, layers = 1;
    std::vector<std::uint32_t> textures;
    std::deque<std::uint32_t> acquired;  ///< oldest first; only the first may be waited for
    bool waited = false, fixed = false;
    std::uint32_t next = 0;
    int last_released = -1;
};

struct Picture {
    int width = 0, height = 0;
    std::vector<std::uint8_t> rgba;  ///< sRGB, top row first
    const std::uint8_t* at(int x, int y) const { return &rgba[static_cast<std::size_t>(4 * (y * width + x))]; }
    std::uint8_t* at(int x, int y) { return &rgba[static_cast<std::size_t>(4 * (y * width + x))]; }
};

bool is_depth_format(std::int64_t format);

/// Reads the binding from the session's chain. Returns null and sets `fault` if there is none that works.
std::shared_ptr<Graphics> bind_graphics(const XrSessionCreateInfo& info, std::string& fault);

bool is_vulkan(const Graphics& graphics);
/// Returns the number by which the application knows a texture: OpenGL's, or a VkImage.
std::uint64_t number_of_texture(const Graphics& graphics, std::uint32_t texture);

/// Creates the textures of a swapchain; returns none if the format is not supported.
std::vector<std::uint32_t> make_textures(Graphics& graphics, const XrSwapchainCreateInfo& info, std::size_t count);
void drop_textures(Graphics& graphics, const std::vector<std::uint32_t>& textures);

/// Returns the part of a swapchain's last released image that a layer shows, as sRGB bytes.
Picture read_back(Graphics& graphics, const Swapchain& swapchain, const XrSwapchainSubImage& part);

void write_png(const std::string& path, const Picture& picture);

/// Returns one eye's view: the projection layer, with quad layers at their poses over it. No lens, no timewarp.
Picture compose(Graphics& graphics, std::size_t eye, const XrFrameEndInfo& frame);

}  // namespace glovebox::tests::runtime
