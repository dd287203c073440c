// What is needed of OpenGL: textures for swapchains, and looking at what the application drew.
//
// Kept apart so that the runtime builds without OpenGL (then only headless sessions can be made).
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
    std::deque<std::uint32_t> acquired;  ///< oldest first; the first may be waited
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

/// From the binding in the session's chain; null with `fault` said if there is none that works.
std::shared_ptr<Graphics> bind_graphics(const XrSessionCreateInfo& info, std::string& fault);

/// Textures for a swapchain; empty if the format cannot be made.
std::vector<std::uint32_t> make_textures(Graphics& graphics, const XrSwapchainCreateInfo& info, std::size_t count);
void drop_textures(Graphics& graphics, const std::vector<std::uint32_t>& textures);

/// The part of a swapchain's last released image that a layer shows, as sRGB bytes.
Picture read_back(Graphics& graphics, const Swapchain& swapchain, const XrSwapchainSubImage& part);

void write_png(const std::string& path, const Picture& picture);

/// What one eye sees: the projection layer, and quad layers over it where they are in the world. No lens, no timewarp.
Picture compose(Graphics& graphics, std::size_t eye, const XrFrameEndInfo& frame);

}  // namespace glovebox::tests::runtime
