// The scene that the hands of an application touch, in a library of its own.
//
// The libraries that a scene needs (meshes, dynamics) are loaded into the application only where a scene is asked for.
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
    std::int32_t part = 0;          ///< tracking::kHandPartNames
    std::array<char, 24> object{};  ///< its name, cut off where it is longer
    double duration_s = 0.0;
    float depth_m = 0.0F;    ///< now; 0: it has ended
    float deepest_m = 0.0F;  ///< since it began
    bool goes_on = false;
};

struct SceneFacts {
    static constexpr std::size_t kMaxTouches = 5;
    std::array<char, 40> scene{};
    std::uint64_t frames = 0;
    tracking::PerSide<bool> hands = {};             ///< seen in the last frame
    std::array<OverlayTouch, kMaxTouches> touches;  ///< those that go on, the newest first, then those that have ended
    std::size_t touch_count = 0;
    std::size_t touching = 0;  ///< touches that go on, shown or not
    struct Cost {
        std::string_view stage;  ///< scenes::name_of(); empty: not there
        double p50_us = 0.0, p99_us = 0.0;
    };
    std::array<Cost, 6> stages{};  ///< of a frame, since the session began
};

class OverlayScene {
  public:
    virtual ~OverlayScene() = default;
    /// Steps the scene. Hands are in LOCAL; the scene stands where `glovebox vr` has it. No allocation once warm.
    virtual void frame(const tracking::HandPair& hands, double dt_s) = 0;
    virtual void facts(SceneFacts& out) const = 0;
};

/// Loads the library that lies beside this one, and a scene by name or path. Throws std::runtime_error with one line.
std::unique_ptr<OverlayScene> open_overlay_scene(const std::string& name_or_path);

/// What that library has: returns null with the reason in `why`.
inline constexpr const char* kOpenSceneName = "glovebox_open_overlay_scene";
using OpenSceneFunction = OverlayScene* (*)(const char* name_or_path, std::string& why);

}  // namespace glovebox::vr::layer
