#include "vr/ui/icon.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>

#include "vr/render/palette.h"

namespace glovebox::vr {
namespace {

using Eigen::Vector2f;

// Shapes are in a unit square, y down. Distances are negative inside.
const Vector2f kFingerBase{0.09F, 0.11F}, kFingerTip{0.365F, 0.385F}, kBall{0.62F, 0.64F}, kTouch{0.457F, 0.477F};
constexpr float kFingerRadius = 0.13F, kBallRadius = 0.24F, kBoxLine = 0.035F;

float to_rectangle(const Vector2f& at, const Vector2f& half, float corner_radius) {
    const Vector2f beyond = at.cwiseAbs() - half + Vector2f::Constant(corner_radius);
    return beyond.cwiseMax(0.0F).norm() + std::min(beyond.maxCoeff(), 0.0F) - corner_radius;
}

float to_finger(const Vector2f& at) {
    const Vector2f along = kFingerTip - kFingerBase;
    const float share = std::clamp((at - kFingerBase).dot(along) / along.squaredNorm(), 0.0F, 1.0F);
    return (at - kFingerBase - share * along).norm() - kFingerRadius;
}

float to_box(const Vector2f& at) {
    const Vector2f along = kFingerTip - kFingerBase, axis = along.normalized();
    const Vector2f from_middle = at - 0.5F * (kFingerBase + kFingerTip);
    const Vector2f local{from_middle.dot(axis), axis.x() * from_middle.y() - axis.y() * from_middle.x()};
    const Vector2f half{0.5F * along.norm() + kFingerRadius, kFingerRadius};
    return std::abs(to_rectangle(local, half, 0.0F)) - 0.5F * kBoxLine;
}

struct Layer {
    float distance;
    std::uint32_t rgb;
};

}  // namespace

std::vector<std::uint8_t> icon_rgba(int size) {
    std::vector<std::uint8_t> pixels;
    pixels.reserve(static_cast<std::size_t>(size) * static_cast<std::size_t>(size) * 4);
    const float pixel = 1.0F / static_cast<float>(size);
    for (int y = 0; y < size; ++y)
        for (int x = 0; x < size; ++x) {
            const Vector2f at = pixel * Vector2f(static_cast<float>(x) + 0.5F, static_cast<float>(y) + 0.5F);
            const auto covered = [&](float distance) { return std::clamp(0.5F - distance / pixel, 0.0F, 1.0F); };
            const float card = to_rectangle(at - Vector2f::Constant(0.5F), Vector2f::Constant(0.48F), 0.2F);
            const Layer layers[] = {{(at - kBall).norm() - kBallRadius, 0x8FC1B6},
                                    {to_finger(at), 0xDFC8B9},
                                    {to_box(at), palette::kTouching},
                                    {(at - kTouch).norm() - 0.065F, 0xFFFFFF},
                                    {(at - kTouch).norm() - 0.045F, palette::kTouching}};
            Eigen::Array3f color{0xF6, 0xF8, 0xFA};
            for (const Layer& layer : layers) {
                const Eigen::Array3f own{static_cast<float>(layer.rgb >> 16 & 0xFFU),
                                         static_cast<float>(layer.rgb >> 8 & 0xFFU),
                                         static_cast<float>(layer.rgb & 0xFFU)};
                color += covered(layer.distance) * (own - color);
            }
            for (const float channel : color) pixels.push_back(static_cast<std::uint8_t>(std::lround(channel)));
            pixels.push_back(static_cast<std::uint8_t>(std::lround(255.0F * covered(card))));
        }
    return pixels;
}

}  // namespace glovebox::vr
