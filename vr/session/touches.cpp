#include "vr/session/touches.h"

#include <algorithm>

#include "scenes/hand_body.h"

namespace glovebox::vr {
namespace {

constexpr std::array<const char*, Touches::kParts> kPartNames = {"thumb", "index", "middle", "ring", "little", "palm"};

}  // namespace

void Touches::end(FingerTouch& touch, std::int64_t time_ns) const {
    const double length_s = 1e-9 * static_cast<double>(time_ns - touch.since_ns);
    touch.total_s += length_s;
    touch.longest_s = std::max(touch.longest_s, length_s);
    touch.bones = 0;
}

void Touches::add(const scenes::World& world, const scenes::StepReport& report) {
    const auto at = [this](tracking::Side side, int bone, int object) -> FingerTouch& {
        const int finger = scenes::finger_of_bone(bone);
        const std::size_t part = finger < 0 ? kParts - 1 : static_cast<std::size_t>(finger);
        return touches_[(static_cast<std::size_t>(side) * kParts + part) * objects_ + static_cast<std::size_t>(object)];
    };
    for (const scenes::Event& event : report.events) {
        if (event.object < 0) continue;
        if (event.kind == scenes::EventKind::touch_begin) {
            FingerTouch& touch = at(event.side, event.bone, event.object);
            if (touch.bones++ > 0) continue;
            ++touch.count;
            touch.since_ns = event.time_ns;
        } else if (event.kind == scenes::EventKind::touch_end) {
            FingerTouch& touch = at(event.side, event.bone, event.object);
            if (touch.bones == 1) end(touch, event.time_ns);
            if (touch.bones > 1) --touch.bones;
        }
    }
    for (const tracking::Side side : {tracking::Side::left, tracking::Side::right})
        for (const collision::Contact& contact : world.hands[side].contacts) {
            FingerTouch& touch = at(side, contact.bone, contact.object);
            if (touch.bones > 0) touch.deepest_m = std::max(touch.deepest_m, contact.depth_m());
        }
}

void Touches::restart(std::int64_t time_ns) {
    for (FingerTouch& touch : touches_)
        if (touch.bones > 0) end(touch, time_ns);
}

nlohmann::ordered_json Touches::json(const scenes::Scene& scene, std::int64_t time_ns) const {
    auto rows = nlohmann::ordered_json::array();
    for (const tracking::Side side : {tracking::Side::left, tracking::Side::right})
        for (std::size_t part = 0; part < kParts; ++part)
            for (std::size_t object = 0; object < objects_; ++object) {
                FingerTouch touch = of(side, part, object);
                if (touch.count == 0) continue;
                if (touch.bones > 0) end(touch, time_ns);
                rows.push_back({{"hand", tracking::name_of(side)},
                                {"finger", kPartNames[part]},
                                {"object", scene.objects[object].name},
                                {"count", touch.count},
                                {"total_s", touch.total_s},
                                {"longest_s", touch.longest_s},
                                {"deepest_m", touch.deepest_m}});
            }
    return rows;
}

}  // namespace glovebox::vr
