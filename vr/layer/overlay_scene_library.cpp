// libglovebox_layer_scene.so: steps a scene for the API layer (overlay_scene.h).
#include <algorithm>
#include <exception>

#include "vr/layer/overlay_scene.h"
#include "vr/openxr/seat.h"
#include "vr/platform/platform.h"
#include "vr/session/pipeline.h"
#include "vr/session/touch_tracker.h"

namespace glovebox::vr::layer {
namespace {

using scenes::Stage;

// Places the scene as `glovebox vr` does.
PipelineSettings settings_from_seat() {
    PipelineSettings settings;
    settings.placement.kind = scenes::Placement::fingertips;
    settings.placement.scene_from_recording.translation() = -openxr::kSceneInSeat_m;
    return settings;
}

template <std::size_t kSize>
void copy(const std::string& from, std::array<char, kSize>& to) {
    to = {};
    from.copy(to.data(), kSize - 1);
}

class SteppedScene final : public OverlayScene {
  public:
    explicit SteppedScene(const std::string& name)
        : scene_(scenes::load_scene(name)), pipeline_(scene_, settings_from_seat(), now_ns), touches_(scene_) {
        ended_.reserve(2 * SceneFacts::kMaxTouches);
    }

    void frame(const tracking::HandPair& hands, double dt_s) override {
        pipeline_.frame(hands, dt_s);
        pipeline_.close_frame();
        for (const Touch& touch : touches_.add(pipeline_.world, pipeline_.report)) {
            if (ended_.size() == SceneFacts::kMaxTouches) ended_.pop_back();
            ended_.insert(ended_.begin(), touch);
        }
    }

    void facts(SceneFacts& out) const override {
        out = {};
        copy(scene_.name, out.scene);
        out.frames = pipeline_.frames;
        for (const tracking::Side side : tracking::kSides) out.hands[side] = pipeline_.world.hands[side].present;
        for (const tracking::Side side : tracking::kSides)
            for (int part = 0; part < tracking::kHandPartCount; ++part)
                for (std::size_t object = 0; object < scene_.objects.size(); ++object)
                    if (const auto touch = touches_.now(side, part, static_cast<int>(object))) add_open(*touch, out);
        for (const Touch& touch : ended_)
            if (out.touch_count < out.touches.size()) out.touches[out.touch_count++] = shown(touch);
        // No haptics stage: the panel has no haptic output.
        constexpr std::array<Stage, 6> kStages = {Stage::ingest, Stage::refit, Stage::test,
                                                  Stage::exact,  Stage::step,  Stage::total};
        for (std::size_t i = 0; i < kStages.size(); ++i) {
            const DurationHistogram& cost = pipeline_.stats[kStages[i]];
            out.stages[i] = {scenes::name_of(kStages[i]), cost.percentile_us(0.5), cost.percentile_us(0.99)};
        }
    }

  private:
    OverlayTouch shown(const Touch& touch) const {
        OverlayTouch out;
        out.side = touch.side;
        out.part = touch.part;
        copy(scene_.objects[static_cast<std::size_t>(touch.object)].name, out.object);
        out.duration_s = touch.duration_s();
        out.deepest_m = touch.deepest_m;
        return out;
    }
    // Inserts an ongoing touch, sorted by duration, so that the newest comes first.
    void add_open(const Touch& touch, SceneFacts& out) const {
        OverlayTouch open = shown(touch);
        open.continues = true;
        for (const collision::Contact& contact : pipeline_.world.hands[touch.side].contacts)
            if (contact.object == touch.object && scenes::part_of_bone(contact.bone) == touch.part)
                open.depth_m = std::max(open.depth_m, contact.depth_m());
        ++out.touching;
        const auto end = out.touches.begin() + static_cast<std::ptrdiff_t>(out.touch_count);
        const auto at = std::find_if(out.touches.begin(), end,
                                     [&](const OverlayTouch& each) { return open.duration_s < each.duration_s; });
        if (at == out.touches.end()) return;
        if (out.touch_count < out.touches.size()) ++out.touch_count;
        std::move_backward(at, out.touches.begin() + static_cast<std::ptrdiff_t>(out.touch_count) - 1,
                           out.touches.begin() + static_cast<std::ptrdiff_t>(out.touch_count));
        *at = open;
    }

    scenes::Scene scene_;
    Pipeline pipeline_;
    TouchTracker touches_;
    std::vector<Touch> ended_;  // the newest first
};

}  // namespace
}  // namespace glovebox::vr::layer

using glovebox::vr::layer::OverlayScene;

extern "C" __attribute__((visibility("default"))) OverlayScene* glovebox_open_overlay_scene(const char* name_or_path,
                                                                                            std::string& why);
extern "C" __attribute__((visibility("default"))) OverlayScene* glovebox_open_overlay_scene(const char* name_or_path,
                                                                                            std::string& why) {
    try {
        return new glovebox::vr::layer::SteppedScene(name_or_path);
    } catch (const std::exception& error) {
        why = error.what();
        return nullptr;
    }
}
