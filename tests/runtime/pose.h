// The pose arithmetic that the runtime needs. `a_from_c = a_from_b * b_from_c`.
#pragma once

#include <openxr/openxr.h>

#include <cmath>

namespace glovebox::tests::runtime {

inline constexpr XrPosef kIdentityPose{{0, 0, 0, 1}, {0, 0, 0}};
inline constexpr float kRadiansPerDegree = 0.017453292519943295F;

inline XrVector3f operator+(XrVector3f a, XrVector3f b) {
    return {a.x + b.x, a.y + b.y, a.z + b.z};
}
inline XrVector3f operator-(XrVector3f a, XrVector3f b) {
    return {a.x - b.x, a.y - b.y, a.z - b.z};
}
inline XrVector3f operator*(float s, XrVector3f a) {
    return {s * a.x, s * a.y, s * a.z};
}
inline XrVector3f cross(XrVector3f a, XrVector3f b) {
    return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
inline float dot(XrVector3f a, XrVector3f b) {
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

inline XrQuaternionf operator*(XrQuaternionf a, XrQuaternionf b) {
    return {a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y, a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x,
            a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w, a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z};
}
inline XrQuaternionf conjugate(XrQuaternionf q) {
    return {-q.x, -q.y, -q.z, q.w};
}
inline XrQuaternionf normalized(XrQuaternionf q) {
    const float s = 1.0F / std::sqrt(q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w);
    return {s * q.x, s * q.y, s * q.z, s * q.w};
}
inline XrQuaternionf turn(XrVector3f unit_axis, float angle_rad) {
    const float s = std::sin(0.5F * angle_rad);
    return {s * unit_axis.x, s * unit_axis.y, s * unit_axis.z, std::cos(0.5F * angle_rad)};
}
inline XrQuaternionf yaw_pitch_roll(float yaw_deg, float pitch_deg, float roll_deg) {
    return turn({0, 1, 0}, yaw_deg * kRadiansPerDegree) * turn({1, 0, 0}, pitch_deg * kRadiansPerDegree) *
           turn({0, 0, 1}, roll_deg * kRadiansPerDegree);
}
inline XrVector3f rotate(XrQuaternionf q, XrVector3f v) {
    const XrVector3f u{q.x, q.y, q.z};
    const XrVector3f t = 2.0F * cross(u, v);
    return v + q.w * t + cross(u, t);
}
inline XrQuaternionf mix(XrQuaternionf a, XrQuaternionf b, float s) {
    const float sign = a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w < 0.0F ? -1.0F : 1.0F;
    const auto lerp = [s, sign](float u, float v) { return (1.0F - s) * u + s * sign * v; };
    return normalized({lerp(a.x, b.x), lerp(a.y, b.y), lerp(a.z, b.z), lerp(a.w, b.w)});
}

inline XrPosef operator*(const XrPosef& a, const XrPosef& b) {
    return {a.orientation * b.orientation, a.position + rotate(a.orientation, b.position)};
}
inline XrPosef inverse(const XrPosef& p) {
    const XrQuaternionf q = conjugate(p.orientation);
    return {q, rotate(q, -1.0F * p.position)};
}
inline XrVector3f operator*(const XrPosef& a, XrVector3f point) {
    return a.position + rotate(a.orientation, point);
}

/// Returns whether the norm is within 1 % of 1, as OpenXR requires.
inline bool is_unit(XrQuaternionf q) {
    return std::abs(std::sqrt(q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w) - 1.0F) <= 0.01F;
}

}  // namespace glovebox::tests::runtime
