#include "scenes/force/finger.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace glovebox::scenes {
namespace {

using Eigen::Vector3d;

constexpr double kLowPass_hz = 150.0;    // of the damping's velocity: trackers' noise above it only buzzes
constexpr double kFullDamping_m = 3e-4;  // damping fades in over this depth, so that touching starts without a step
constexpr double kTextureForce_n = 1.0;  // a texture is as strong as the material says at this normal force

double material_stiffness(const Material& material, const ForceSettings& settings, double dt_s) {
    if (!settings.limit_stiffness) return static_cast<double>(material.stiffness_n_per_m);
    const double passive = passive_stiffness_n_per_m(settings.device_damping_n_s_per_m, 0.0, dt_s);
    return std::min(static_cast<double>(material.stiffness_n_per_m), 0.9 * passive);
}

// B must leave room beside K: b > K T / 2 + B.
double material_damping(const Material& material, double stiffness, const ForceSettings& settings, double dt_s) {
    const double room = settings.device_damping_n_s_per_m - 0.5 * stiffness * dt_s;
    return std::clamp(0.9 * room, 0.0, static_cast<double>(material.damping_n_s_per_m));
}

double texture_n(const Material& material, double travelled_m, double normal_n) {
    if (material.texture_n <= 0.0F || material.texture_period_m <= 0.0F) return 0.0;
    const double phase = travelled_m / static_cast<double>(material.texture_period_m);
    const double pressed = std::min(1.0, normal_n / kTextureForce_n);
    return pressed * static_cast<double>(material.texture_n) * std::sin(2.0 * std::numbers::pi * phase);
}

double impact_n(const Material& material, double speed_m_s, double age_s) {
    return static_cast<double>(material.impact_n_s_per_m) * speed_m_s *
           std::exp(-age_s / static_cast<double>(material.impact_decay_s)) *
           std::sin(2.0 * std::numbers::pi * static_cast<double>(material.impact_hz) * age_s);
}

}  // namespace

FingerForce render(FingerLoop& loop, const FingertipSurfaces& surfaces, const Vector3d& finger_m, double age_s,
                   double fade, double dt_s, const ForceSettings& settings) {
    FingerForce out;
    if (!surfaces.valid || !finger_m.allFinite() || !(dt_s > 0.0) || !(fade > 0.0)) {
        const PassivityObserver observer = loop.observer;
        loop = {};
        loop.observer = observer;
        loop.observer.interrupt();
        return out;
    }

    const auto count = static_cast<std::size_t>(std::clamp(surfaces.count, 0, kMostPieces));
    std::array<SurfacePiece, kMostPieces> pieces;
    std::array<Friction, kMostPieces> friction;
    for (std::size_t i = 0; i < count; ++i) {
        pieces[i] = moved(surfaces.pieces[i], age_s);
        friction[i] = {static_cast<double>(surfaces.materials[i].friction_static),
                       static_cast<double>(surfaces.materials[i].friction_dynamic)};
    }

    const bool touched = loop.proxy.touching;
    const ProxyMove move = move_proxy(loop.proxy, {pieces.data(), count}, {friction.data(), count}, finger_m,
                                      static_cast<double>(surfaces.radius_m));
    out.armed = loop.proxy.armed;
    out.proxy_m = loop.proxy.armed ? loop.proxy.center_m : finger_m;
    const Vector3d before_m = loop.started ? loop.finger_m : finger_m;
    loop.finger_m = finger_m;
    loop.started = true;
    loop.impact_age_s += dt_s;
    if (move.piece < 0) {
        loop.stretch_m = loop.stretch_speed_m_s = 0.0;
        loop.observer.pass(Vector3d::Zero(), finger_m, dt_s, settings.device_damping_n_s_per_m);
        return out;
    }

    const auto pushing = static_cast<std::size_t>(move.piece);
    const Material& material = surfaces.materials[pushing];
    const Vector3d surface_m_s = pieces[pushing].velocity_m_s.cast<double>();
    out.touching = true;
    out.sticking = loop.proxy.sticking;
    out.normal = move.normal;

    // Spring, and damping of the stretch's change along the normal. Together they never pull.
    const double stiffness = material_stiffness(material, settings, dt_s);
    const double damping = material_damping(material, stiffness, settings, dt_s);
    const Vector3d stretch_m = loop.proxy.center_m - finger_m;
    const double depth_m = std::max(0.0, stretch_m.dot(move.normal));
    const double smooth = 1.0 - std::exp(-2.0 * std::numbers::pi * kLowPass_hz * dt_s);
    const double change_m_s = touched ? (depth_m - loop.stretch_m) / dt_s : 0.0;
    loop.stretch_speed_m_s += smooth * (change_m_s - loop.stretch_speed_m_s);
    loop.stretch_m = depth_m;
    const double damping_n = damping * loop.stretch_speed_m_s * std::min(1.0, depth_m / kFullDamping_m);
    Vector3d force_n = stiffness * stretch_m;
    force_n += std::max(-force_n.dot(move.normal), damping_n) * move.normal;
    if (const double strength = force_n.norm(); strength > settings.most_force_n)
        force_n *= settings.most_force_n / strength;
    force_n *= fade;

    // What surfaces that move by themselves do is work of the scene, so energy is counted relative to them.
    const Vector3d finger_on_surface_m = loop.observer.finger_m + (finger_m - before_m) - surface_m_s * dt_s;
    out.force_n = !settings.observe_passivity
                      ? force_n
                      : loop.observer.pass(force_n, finger_on_surface_m, dt_s, settings.device_damping_n_s_per_m);
    out.normal_n = std::max(0.0, out.force_n.dot(move.normal));

    if (!touched) {
        loop.impact_speed_m_s = std::max(0.0, -((finger_m - before_m) / dt_s - surface_m_s).dot(move.normal));
        loop.impact_age_s = 0.0;
    }
    out.vibration_n = fade * (texture_n(material, loop.proxy.travelled_m, out.normal_n) +
                              impact_n(material, loop.impact_speed_m_s, loop.impact_age_s));
    return out;
}

}  // namespace glovebox::scenes
