// Composes an eye's layers in software, as a compositor without a lens would.
#include <algorithm>
#include <array>
#include <cmath>

#include "tests/runtime/functions.h"
#include "tests/runtime/graphics.h"

namespace glovebox::tests::runtime {
namespace {

void blend(std::uint8_t* under, const std::uint8_t* over, XrCompositionLayerFlags flags) {
    const bool with_alpha = (flags & XR_COMPOSITION_LAYER_BLEND_TEXTURE_SOURCE_ALPHA_BIT) != 0;
    const bool straight = (flags & XR_COMPOSITION_LAYER_UNPREMULTIPLIED_ALPHA_BIT) != 0;
    const float alpha = with_alpha ? static_cast<float>(over[3]) / 255.0F : 1.0F;
    for (int c = 0; c < 3; ++c) {
        const float added = static_cast<float>(over[c]) * (with_alpha && straight ? alpha : 1.0F);
        under[c] = static_cast<std::uint8_t>(std::min(255.0F, added + (1.0F - alpha) * static_cast<float>(under[c])));
    }
    under[3] = 255;
}

// The room as a passthrough camera shows it: pink, which occurs in no picture of ours.
constexpr std::array<std::uint8_t, 4> kRoom{220, 30, 200, 255};

void show_room_behind(Picture& eye, XrCompositionLayerFlags flags) {
    for (int y = 0; y < eye.height; ++y)
        for (int x = 0; x < eye.width; ++x) {
            std::array<std::uint8_t, 4> pixel = kRoom;
            blend(pixel.data(), eye.at(x, y), flags);
            std::copy(pixel.begin(), pixel.end(), eye.at(x, y));
        }
}

// Intersects every pixel's ray with the quad's plane. The quad is visible only from its front (+Z).
void draw_quad(Picture& eye, const XrPosef& quad_from_eye, const XrFovf& fov, const XrCompositionLayerQuad& quad,
               const Picture& texture) {
    const float left = std::tan(fov.angleLeft), right = std::tan(fov.angleRight);
    const float up = std::tan(fov.angleUp), down = std::tan(fov.angleDown);
    const XrVector3f from = quad_from_eye.position;
    if (from.z <= 0.0F) return;
    for (int y = 0; y < eye.height; ++y) {
        for (int x = 0; x < eye.width; ++x) {
            const float s = (static_cast<float>(x) + 0.5F) / static_cast<float>(eye.width);
            const float t = (static_cast<float>(y) + 0.5F) / static_cast<float>(eye.height);
            const XrVector3f ray =
                rotate(quad_from_eye.orientation, {left + s * (right - left), up + t * (down - up), -1.0F});
            if (ray.z >= 0.0F) continue;
            const XrVector3f hit = from + (-from.z / ray.z) * ray;
            const float u = hit.x / quad.size.width + 0.5F, v = 0.5F - hit.y / quad.size.height;
            if (u < 0.0F || u >= 1.0F || v < 0.0F || v >= 1.0F) continue;
            blend(eye.at(x, y),
                  texture.at(static_cast<int>(u * static_cast<float>(texture.width)),
                             static_cast<int>(v * static_cast<float>(texture.height))),
                  quad.layerFlags);
        }
    }
}

Swapchain& swapchain_of(const XrSwapchainSubImage& part) {
    return *runtime().find<Swapchain>(number_of(part.swapchain));
}

}  // namespace

Picture compose(Graphics& graphics, std::size_t eye, const XrFrameEndInfo& frame) {
    Picture picture;
    XrPosef stage_from_view = stage_from_eye(eye);
    XrFovf fov = eye_fov(eye);
    for (std::uint32_t i = 0; i < frame.layerCount; ++i) {
        const XrCompositionLayerBaseHeader* layer = frame.layers[i];
        XrSpaceLocationFlags flags = 0;
        const XrPosef stage_from_layer =
            stage_from_space(*runtime().find<Space>(number_of(layer->space)), frame.displayTime, flags);
        if (layer->type == XR_TYPE_COMPOSITION_LAYER_PROJECTION) {
            const auto& view = reinterpret_cast<const XrCompositionLayerProjection*>(layer)->views[eye];
            picture = read_back(graphics, swapchain_of(view.subImage), view.subImage);
            if (frame.environmentBlendMode == XR_ENVIRONMENT_BLEND_MODE_ALPHA_BLEND)
                show_room_behind(picture, layer->layerFlags);
            stage_from_view = stage_from_layer * view.pose;
            fov = view.fov;
        } else {
            const auto& quad = *reinterpret_cast<const XrCompositionLayerQuad*>(layer);
            if (quad.eyeVisibility == (eye == 0 ? XR_EYE_VISIBILITY_RIGHT : XR_EYE_VISIBILITY_LEFT)) continue;
            if (picture.rgba.empty()) {
                picture.width = runtime().script.eye_size.width;
                picture.height = runtime().script.eye_size.height;
                picture.rgba.assign(static_cast<std::size_t>(4 * picture.width * picture.height), 0);
            }
            draw_quad(picture, inverse(stage_from_layer * quad.pose) * stage_from_view, fov, quad,
                      read_back(graphics, swapchain_of(quad.subImage), quad.subImage));
        }
    }
    return picture;
}

}  // namespace glovebox::tests::runtime
