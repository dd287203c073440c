// Interface to the scene that an application's hands touch. The scene itself is in a separate shared library.
//
// Therefore the libraries that a scene needs (meshes, dynamics) are loaded into the application only if a scene is
// shown.
#pragma once

#include <array>
#include <memory>
#include <string>
#include <string_view>

#include "tracking/hand_frame.h"

namespace glovebox::vr::layer {

/// A touch of a finger or the palm, as in `glovebox touches`.
struct OverlayTouch {
    tracking::Side side = tracking::Side::right;
    std::int32_t part = 0;          ///< index into tracking::kHandPartNames
    std::array<char, 24> object{};  ///< name, truncated to fit
    double duration_s = 0.0;
    float depth_m = 0.0F;    ///< present penetration depth; 0 after the touch has ended
    float deepest_m = 0.0F;  ///< maximum since the touch began
    bool continues = false;
};

struct SceneFacts {
    static constexpr std::size_t kMaxTouches = 5;
    std::array<char, 40> scene{};
    std::uint64_t frames = 0;
    tracking::PerSide<bool> hands = {};  ///< present in the last frame
    /// Ongoing touches, then ended ones, both sorted from newest to oldest.
    std::array<OverlayTouch, kMaxTouches> touches;
    std::size_t touch_count = 0;
    std::size_t touching = 0;  ///< ongoing touches, including those not in `touches`
    struct Cost {
        std::string_view stage;  ///< scenes::name_of(); empty: unused entry
        double p50_us = 0.0, p99_us = 0.0;
    };
    std::array<Cost, 6> stages{};  ///< time per frame, over all frames of the session
};

class OverlayScene {
  public:
    virtual ~OverlayScene() = default;
    /// Steps the scene. Hands are in LOCAL space; the scene is placed as in `glovebox vr`. Does not allocate after the
    /// first frames.
    virtual void frame(const tracking::HandPair& hands, double dt_s) = 0;
    virtual void facts(SceneFacts& out) const = 0;
};

/// Loads the scene library from the folder of this library, and opens a scene. Throws std::runtime_error with a
/// one-line message.
std::unique_ptr<OverlayScene> open_overlay_scene(const std::string& name_or_path);

/// Name and type of the function that the scene library exports. The caller owns the scene that it returns. On failure
/// it returns null and writes the reason to `why`.
inline constexpr const char* kOpenSceneName = "glovebox_open_overlay_scene";
using OpenSceneFunction = OverlayScene* (*)(const char* name_or_path, std::string& why);

}  // namespace glovebox::vr::layer
