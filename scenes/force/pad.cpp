#include "scenes/force/pad.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace glovebox::scenes {
namespace {

using Eigen::Vector3d;

constexpr double kLowPass_hz = 150.0;    // for the damping's velocity: tracker noise above it only buzzes
constexpr double kFullDamping_m = 3e-4;  // damping fades in over this depth, so that touching starts without a step
constexpr double kRingsFor = 12.0;       // decay times after which an impact ends: exp(-12) is 6e-6
constexpr double kTextureForce_n = 1.0;  // normal force at which a texture has the material's amplitude

double texture_n(const Material& material, double travelled_m, double normal_n) {
    if (material.texture_n <= 0.0F || material.texture_period_m <= 0.0F) return 0.0;
    const double phase = travelled_m / static_cast<double>(material.texture_period_m);
    const double pressed = std::min(1.0, normal_n / kTextureForce_n);
    return pressed * static_cast<double>(material.texture_n) * std::sin(2.0 * std::numbers::pi * phase);
}

// Returns the envelope of an impact's vibration.
double loudness_n(const Strike& strike, double age_s) {
    const auto decay_s = static_cast<double>(strike.material.impact_decay_s);
    if (!(strike.speed_m_s > 0.0F) || age_s > kRingsFor * decay_s) return 0.0;
    return static_cast<double>(strike.material.impact_n_s_per_m * strike.speed_m_s) * std::exp(-age_s / decay_s);
}

double impact_n(const Strike& strike, double age_s) {
    return loudness_n(strike, age_s) *
           std::sin(2.0 * std::numbers::pi * static_cast<double>(strike.material.impact_hz) * age_s);
}

// Moves the proxy among the pieces, extrapolated with their velocities.
ProxyMove move_among(const PadSurfaces& surfaces, const Vector3d& pad_m, double age_s, PadLoop& loop) {
    const auto count = static_cast<std::size_t>(std::clamp(surfaces.count, 0, kMaxPieces));
    const std::span<const SurfacePiece> pieces(surfaces.pieces.data(), count);
    std::array<Friction, kMaxPieces> friction;
    for (std::size_t i = 0; i < count; ++i)
        friction[i] = {static_cast<double>(surfaces.materials[i].friction_static),
                       static_cast<double>(surfaces.materials[i].friction_dynamic)};
    const auto radius_m = static_cast<double>(surfaces.radius_m);
    if (std::any_of(pieces.begin(), pieces.end(), [](const auto& piece) { return piece.velocity_m_s.any(); })) {
        std::array<SurfacePiece, kMaxPieces> carried;
        for (std::size_t i = 0; i < count; ++i) carried[i] = moved(pieces[i], age_s);
        return move_proxy(loop.proxy, {carried.data(), count}, {friction.data(), count}, pad_m, radius_m);
    }
    if (loop.near.begun())
        loop.near.carry_on(pieces);
    else
        loop.near.begin(pieces, loop.proxy.armed ? loop.proxy.center_m : pad_m);
    return move_proxy(loop.proxy, loop.near, {friction.data(), count}, pad_m, radius_m);
}

// Returns true if a proxy in free air cannot reach a surface: a gap shrinks by at most the motion of both sides.
bool is_clear(const PadSurfaces& surfaces, const Vector3d& pad_m, double age_s, const Proxy& proxy) {
    constexpr double kRounding_m = 1e-4;
    const double moved_m =
        (pad_m - surfaces.center_m.cast<double>()).norm() + static_cast<double>(surfaces.fastest_m_s) * std::abs(age_s);
    return surfaces.count == 0 || (!proxy.touching && static_cast<double>(surfaces.clear_m) - moved_m >
                                                          (pad_m - proxy.center_m).norm() + kRounding_m);
}

}  // namespace

void PadLoop::strike(const Strike& how) {
    if (!(loudness_n(how, 0.0) > loudness_n(impact, impact_age_s))) return;
    impact = how;
    impact_age_s = 0.0;
}

PadTouch follow(PadLoop& loop, const PadSurfaces& surfaces, const Vector3d& pad_m, double age_s, double dt_s,
                bool fresh) {
    PadTouch out;
    if (fresh) loop.near.forget();
    if (!surfaces.valid || !pad_m.allFinite() || !(dt_s > 0.0)) {
        loop.interrupt();
        return out;
    }
    const bool touched = loop.proxy.touching;
    const ProxyMove move = is_clear(surfaces, pad_m, age_s, loop.proxy)
                               ? move_proxy(loop.proxy, {}, {}, pad_m, static_cast<double>(surfaces.radius_m))
                               : move_among(surfaces, pad_m, age_s, loop);
    out.valid = true;
    out.armed = loop.proxy.armed;
    out.proxy_m = loop.proxy.armed ? loop.proxy.center_m : pad_m;
    out.pad_m = pad_m;
    if (loop.started) out.moved_m = pad_m - loop.pad_m;
    loop.pad_m = pad_m;
    loop.started = true;
    if (move.piece < 0) return out;

    const auto pushing = static_cast<std::size_t>(move.piece);
    out.touching = true;
    out.began = !touched;
    out.sticking = loop.proxy.sticking;
    out.normal = move.normal;
    out.surface_m_s = surfaces.pieces[pushing].velocity_m_s.cast<double>();
    out.depth_m = std::max(0.0, (out.proxy_m - pad_m).dot(move.normal));
    out.material = surfaces.materials[pushing];
    return out;
}

PadForce push(PadLoop& loop, const PadTouch& touch, double share, double fade, double dt_s,
              const ForceSettings& settings) {
    PadForce out;
    if (!touch.valid) return out;
    if (!(fade > 0.0)) {
        loop.interrupt();
        return out;
    }
    out.armed = touch.armed;
    out.proxy_m = touch.proxy_m;
    loop.impact_age_s += dt_s;
    if (!touch.touching) {
        out.vibration_n = fade * impact_n(loop.impact, loop.impact_age_s);
        loop.stretch_m = loop.stretch_speed_m_s = 0.0;
        return out;
    }
    out.touching = true;
    out.sticking = touch.sticking;
    out.normal = touch.normal;
    out.surface_m_s = touch.surface_m_s;

    // Spring force plus damping of the stretch rate along the normal. Their sum never pulls.
    const Material& material = touch.material;
    const double stiffness = std::min(static_cast<double>(material.stiffness_n_per_m), settings.max_stiffness_n_per_m);
    const double damping = std::min(static_cast<double>(material.damping_n_s_per_m), settings.max_damping_n_s_per_m);
    const double smooth = 1.0 - std::exp(-2.0 * std::numbers::pi * kLowPass_hz * dt_s);
    const double change_m_s = touch.began ? 0.0 : (touch.depth_m - loop.stretch_m) / dt_s;
    loop.stretch_speed_m_s += smooth * (change_m_s - loop.stretch_speed_m_s);
    loop.stretch_m = touch.depth_m;
    const double damping_n = damping * loop.stretch_speed_m_s * std::min(1.0, touch.depth_m / kFullDamping_m);
    Vector3d force_n = stiffness * (touch.proxy_m - touch.pad_m);
    force_n += std::max(-force_n.dot(touch.normal), damping_n) * touch.normal;
    if (const double strength = force_n.norm(); strength > settings.max_force_n)
        force_n *= settings.max_force_n / strength;
    force_n *= share * fade;

    out.force_n = force_n;
    out.normal_n = std::max(0.0, out.force_n.dot(touch.normal));

    if (touch.began) {
        const double into_m_s = -(touch.moved_m / dt_s - touch.surface_m_s).dot(touch.normal);
        loop.strike({static_cast<float>(std::max(0.0, into_m_s)), material});
    }
    out.vibration_n =
        fade * (texture_n(material, loop.proxy.travelled_m, out.normal_n) + impact_n(loop.impact, loop.impact_age_s));
    return out;
}

}  // namespace glovebox::scenes
