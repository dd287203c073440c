#include "vr/contact_haptics.h"

#include <algorithm>
#include <cmath>

namespace glovebox::vr {

std::array<HapticCommand, 2> ContactHaptics::after_step(const scenes::Scene& scene, const scenes::World& world,
                                                        std::span<const scenes::Event> events, std::int64_t now_ns,
                                                        double dt_s) {
    const float fade = std::exp(-fade_per_s * static_cast<float>(dt_s));
    for (auto& hand : burst)
        for (float& finger : hand) finger = finger * fade < 0.01F ? 0.0F : finger * fade;
    for (const scenes::Event& event : events) {
        const int finger = scenes::finger_of_bone(event.bone);
        if (event.kind != scenes::EventKind::touch_begin || finger < 0) continue;
        const float strength = event.relative_velocity_m_s.norm() / full_speed_m_s;
        float& felt = burst[static_cast<std::size_t>(event.side)][static_cast<std::size_t>(finger)];
        felt = std::max(felt, std::clamp(strength, weakest_burst, 1.0F));
    }
    std::array<HapticCommand, 2> commands;
    for (std::size_t side = 0; side < commands.size(); ++side) {
        HapticCommand& command = commands[side];
        command.time_ns = now_ns;
        command.side = static_cast<tracking::Side>(side);
        command.stop = !world.hands[side].present;
        if (command.stop) {
            burst[side].fill(0.0F);
            continue;
        }
        for (std::size_t finger = 0; finger < command.fingers.size(); ++finger)
            command.fingers[finger].vibration = burst[side][finger];
        for (const collision::Contact& contact : world.hands[side].contacts) {
            const int finger = scenes::finger_of_bone(contact.bone);
            if (finger < 0 || contact.distance_m > 0.0F) continue;
            const auto& material = scene.objects[static_cast<std::size_t>(contact.object)].material;
            const float force = contact.depth_m() * material.stiffness_n_per_m / limits.most_force_n;
            float& held = command.fingers[static_cast<std::size_t>(finger)].force;
            held = std::clamp(force, held, 1.0F);
        }
    }
    return commands;
}

}  // namespace glovebox::vr
