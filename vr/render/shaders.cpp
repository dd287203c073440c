#include "vr/render/shaders.h"

#include "vr/render/hand_skeleton.h"

namespace glovebox::vr::shaders {
namespace {

const std::string kVersion = "#version 330 core\n";

const std::string kSkinVertex = "#define BONES " + std::to_string(kSkinBoneCount) + R"(
layout(location = 0) in vec3 rest_m;
layout(location = 1) in vec3 rest_normal;
layout(location = 2) in vec4 weights;
layout(location = 3) in uvec4 bones;
layout(location = 4) in float open;
vec3 turned(vec4 q, vec3 v) { return v + 2.0 * cross(q.xyz, cross(q.xyz, v) + q.w * v); }
)";

// Returns the source of a GLSL function `name`. It deforms the vertex by the SkinPose in uniforms that begin with
// `name`, and outputs the rotation for normals. The C++ twin is bent() of hand_skeleton.h.
std::string bend(const std::string& name) {
    const std::string turn = name + "_turn", shift = name + "_shift", along = name + "_along";
    return "uniform vec4 " + turn + "[BONES];\nuniform vec4 " + shift + "[BONES];\nuniform vec4 " + along +
           "[BONES];\nvec3 " + name + R"((out vec4 turn) {
    vec3 stretched = vec3(0.0);
    vec4 shift = vec4(0.0);
    turn = vec4(0.0);
    vec4 first = )" +
           turn + R"([bones.x];
    for (int i = 0; i < 4; ++i) {
        float weight = weights[i];
        if (weight <= 0.0) break;
        uint bone = bones[i];
        vec4 along = )" +
           along + R"([bone];
        float stretch = length(along.xyz);
        vec3 axis = along.xyz / stretch;
        stretched += weight * (rest_m + axis * ((stretch - 1.0) * (dot(axis, rest_m) + along.w)));
        vec4 of_bone = )" +
           turn + R"([bone];
        if (dot(first, of_bone) < 0.0) weight = -weight;
        turn += weight * of_bone;
        shift += weight * )" +
           shift + R"([bone];
    }
    float unit = inversesqrt(dot(turn, turn));
    turn *= unit;
    shift *= unit;
    return turned(turn, stretched) + 2.0 * (turn.w * shift.xyz - shift.w * turn.xyz + cross(turn.xyz, shift.xyz));
}
)";
}

const std::string kSkinning = kSkinVertex + bend("bent");

// Light: a key light from the viewer's upper left, ambient light of sky and ground, a cool fill light, a rim light.
// The shoulder compresses the largest channel and scales the whole colour; for each channel alone, it would make skin
// yellow.
const std::string kLight = R"(
uniform vec3 eye_m;
uniform vec3 to_light;
uniform mat4 shadow_from_world;
uniform sampler2DShadow shadow_map;
uniform int shadow_taps;
uniform vec3 shadow_scale;  // one step of the taps, as a share of the map; how far they reach, in metres; bias of depth
uniform int sphere_count;
uniform vec4 spheres[4];

// Offsets in texels of a shadow map of 1024 texels; if it covers 0.44 m, they span 3 mm. The 16 taps have all 16
// remainders modulo 4. So they average any pattern with a period of 4 texels, and a dither becomes an even grey, without
// stripes. The remainders of the first four taps are even. With bilinear filtering, they cover every texel of such a
// pattern, so they cannot mistake a dither for full light.
const vec2 kTaps[16] = vec2[16](
    vec2(6.0, 2.0), vec2(-4.0, 6.0), vec2(-6.0, -4.0), vec2(4.0, -4.0),
    vec2(1.0, 1.0), vec2(-1.0, -1.0), vec2(4.0, 1.0), vec2(-2.0, 3.0), vec2(-1.0, -4.0), vec2(1.0, 4.0),
    vec2(1.0, -5.0), vec2(-5.0, 1.0), vec2(-4.0, 3.0), vec2(5.0, -2.0), vec2(3.0, 6.0), vec2(-2.0, -7.0));

// Returns the fraction of the key light that arrives. Takes up to four outer taps first, and the others only if these differ.
float lit(vec3 p, vec3 n) {
    // The surface must not shade itself. A tap at distance r from the point finds it higher by r tan(a), where a is the
    // angle between normal and light. A step of r sin(a) along the normal is as much: r sin(a) (cos(a) + sin(a) tan(a)).
    float cosine = clamp(dot(n, to_light), 0.0, 1.0);
    float off_m = 0.0012 + shadow_scale.y * sqrt(1.0 - cosine * cosine);
    vec3 s = (shadow_from_world * vec4(p + n * off_m, 1.0)).xyz * 0.5 + 0.5;
    // The map ends behind the last caster; what lies deeper is in the shadow of all of them.
    if (any(lessThan(s, vec3(0.0))) || any(greaterThan(s.xy, vec2(1.0)))) return 1.0;
    s.z = min(s.z - shadow_scale.z, 1.0);
    float sum = 0.0;
    int outer = min(shadow_taps, 4);
    for (int i = 0; i < outer; ++i) sum += texture(shadow_map, vec3(s.xy + kTaps[i] * shadow_scale.x, s.z));
    int taps = sum > 0.0001 && sum < float(outer) - 0.0001 ? shadow_taps : outer;
    for (int i = outer; i < taps; ++i) sum += texture(shadow_map, vec3(s.xy + kTaps[i] * shadow_scale.x, s.z));
    return sum / float(taps);
}

// Returns the fraction of ambient light that the balls do not block. Each ball blocks R^2/d^2 times the cosine of its
// direction.
float past_spheres(vec3 p, vec3 n) {
    float open = 1.0;
    for (int i = 0; i < sphere_count; ++i) {
        vec3 to = spheres[i].xyz - p;
        float d2 = dot(to, to);
        float r2 = spheres[i].w * spheres[i].w;
        if (d2 > r2 * 1.0201) open *= 1.0 - clamp(r2 / d2, 0.0, 1.0) * clamp(dot(n, to) * inversesqrt(d2), 0.0, 1.0);
    }
    return open;
}

const vec3 kKey = vec3(1.0, 0.965, 0.925) * 0.80;
vec3 ambient(vec3 n) {
    return mix(vec3(0.90, 0.80, 0.72) * 0.34, vec3(0.96, 1.0, 1.05) * 0.50, 0.5 + 0.5 * n.y);
}
// Returns the fill light from the side opposite the key light, and the rim light.
vec3 trimmings(vec3 n, vec3 v) {
    vec3 fill_from = normalize(vec3(-to_light.x, 0.25, -to_light.z));
    return vec3(0.86, 0.94, 1.06) * 0.16 * max(dot(n, fill_from), 0.0) +
           vec3(0.16 * pow(1.0 - clamp(dot(n, v), 0.0, 1.0), 4.0));  // rounding must not make the base negative
}
float highlight(vec3 n, vec3 v, float exponent) {
    return pow(max(dot(n, normalize(v + to_light)), 0.0), exponent);
}
vec3 shoulder(vec3 c) {
    float m = max(c.r, max(c.g, c.b));
    if (m <= 0.75) return c;
    return c * ((0.75 + 0.25 * (1.0 - exp(-(m - 0.75) / 0.25))) / m);
}
vec3 square(vec3 c) { return c * c; }
)";

const std::string kBackground = R"(
vec3 background(vec3 ray) {
    float t = clamp((ray.y + 0.62) / 0.60, 0.0, 1.0);
    return mix(vec3(0.9059, 0.9176, 0.9294), vec3(0.9647, 0.9725, 0.9804), t);
}
)";

const std::string kSolidVertex = R"(
layout(location = 0) in vec3 object_m;
layout(location = 1) in vec3 object_normal;
uniform mat4 clip_from_world;
uniform mat4 world_from_object;
out vec3 world_m;
out vec3 normal;
void main() {
    vec4 p = world_from_object * vec4(object_m, 1.0);
    world_m = p.xyz;
    normal = mat3(world_from_object) * object_normal;
    gl_Position = clip_from_world * p;
}
)";

// Many bodies with one mesh. Each instance has its own position, rotation (a quaternion), size and colour.
const std::string kManyVertex = R"(
layout(location = 0) in vec3 object_m;
layout(location = 1) in vec3 object_normal;
layout(location = 2) in vec3 at_m;
layout(location = 3) in vec4 turn;
layout(location = 4) in vec3 size;
layout(location = 5) in vec3 color_of_body;
uniform mat4 clip_from_world;
out vec3 world_m;
out vec3 normal;
flat out vec3 albedo;
vec3 turned(vec3 v) { return v + 2.0 * cross(turn.xyz, cross(turn.xyz, v) + turn.w * v); }
void main() {
    world_m = at_m + turned(object_m * size);
    normal = turned(object_normal / size);
    albedo = color_of_body;
    gl_Position = clip_from_world * vec4(world_m, 1.0);
}
)";

const std::string kSolidFragment = R"(
in vec3 world_m;
in vec3 normal;
out vec4 color;
void main() {
    vec3 v = normalize(eye_m - world_m);
    vec3 n = normalize(normal);
    if (!gl_FrontFacing) n = -n;
    float open = past_spheres(world_m + n * 0.002, n);
    float facing = dot(n, to_light);
    float key = max((facing + 0.12) / 1.12, 0.0);
    // No shadow on faces at grazing light: they are dark anyway, and the shadow map's texels would appear as stripes.
    float grazed = smoothstep(0.02, 0.22, facing);
    if (grazed > 0.0) key *= mix(1.0, lit(world_m, n), grazed);
    vec3 c = square(albedo) * (ambient(n) * open + kKey * key + trimmings(n, v));
    c += kKey * (0.13 * highlight(n, v, 10.0) + 0.12 * highlight(n, v, 60.0)) * min(key * 2.0, 1.0);
    color = vec4(sqrt(shoulder(c)), 1.0);
}
)";

// Seen from below: the view is a square of the ground; the value is larger for points nearer to the ground.
const std::string kHeightFragment = R"(
in vec3 world_m;
uniform float ground_y_m;
out vec4 color;
void main() {
    float near = clamp(1.0 - (world_m.y - ground_y_m) / 0.12, 0.0, 1.0);
    color = vec4(near * near);
}
)";

}  // namespace

Source background() {
    return {kVersion + R"(
uniform mat4 world_from_clip;
out vec3 far_m;
out vec3 near_m;
void main() {
    vec2 p = vec2((gl_VertexID & 1) * 4 - 1, (gl_VertexID & 2) * 2 - 1);
    vec4 a = world_from_clip * vec4(p, 1.0, 1.0);
    vec4 b = world_from_clip * vec4(p, -1.0, 1.0);
    far_m = a.xyz / a.w;
    near_m = b.xyz / b.w;
    gl_Position = vec4(p, 0.99999, 1.0);
}
)",
            kVersion + kBackground + R"(
in vec3 far_m;
in vec3 near_m;
out vec4 color;
void main() { color = vec4(background(normalize(far_m - near_m)), 1.0); }
)"};
}

Source solid() {
    return {kVersion + kSolidVertex, kVersion + kLight + "uniform vec3 albedo;\n" + kSolidFragment};
}

Source many_solids() {
    return {kVersion + kManyVertex, kVersion + kLight + "flat in vec3 albedo;\n" + kSolidFragment};
}

Source table() {
    return {kVersion + kSolidVertex, kVersion + kLight + kBackground + R"(
in vec3 world_m;
in vec3 normal;
uniform vec3 albedo;
uniform vec2 focus_m;
uniform vec2 fade_m;
uniform float reach_m;
uniform float line_px;
uniform sampler2D contact_map;
uniform vec4 contact_square;
uniform float see_through;
out vec4 color;
float grid(vec2 p, float pitch, float width_px) {
    vec2 q = p / pitch;
    vec2 per_px = fwidth(q) + 1e-7;
    vec2 away = abs(fract(q - 0.5) - 0.5) / per_px;
    vec2 on = clamp(0.5 * width_px + 0.5 - away, 0.0, 1.0);
    float fine = 1.0 / max(per_px.x, per_px.y);
    return max(on.x, on.y) * smoothstep(2.5, 9.0, fine);
}
void main() {
    vec3 ray = world_m - eye_m;
    vec3 n = normalize(normal);
    float away = length(world_m.xz - focus_m);
    vec3 behind = background(normalize(ray));
    float shown = 1.0 - smoothstep(fade_m.x, fade_m.y, away);
    if (shown <= 0.0 && see_through > 0.5) discard;
    if (shown <= 0.0) { color = vec4(behind, 1.0); return; }
    float top = smoothstep(0.7, 0.9, n.y);
    float key = max(dot(n, to_light), 0.0) * mix(0.26, 1.0, lit(world_m, n));
    float open = past_spheres(world_m, n);
    vec2 uv = (world_m.xz - contact_square.xy) / contact_square.zw;
    open *= 1.0 - 0.62 * texture(contact_map, uv).r * top;
    // Normalised so that the open, lit table has exactly its colour.
    vec3 full = ambient(vec3(0.0, 1.0, 0.0)) + kKey * max(to_light.y, 0.0);
    vec3 c = square(albedo) * (ambient(n) * open + kKey * key) / full;
    float fine = 0.035 * grid(world_m.xz, 0.01, line_px) * (1.0 - smoothstep(0.29 * reach_m, 0.62 * reach_m, away));
    float coarse = 0.11 * grid(world_m.xz, 0.05, line_px);
    c *= 1.0 - top * max(fine, coarse);
    color = see_through > 0.5 ? shown * vec4(sqrt(c), 1.0) : vec4(mix(behind, sqrt(c), shown), 1.0);
}
)"};
}

Source skin() {
    return {kVersion + kSkinning + bend("solid") + R"(
uniform mat4 clip_from_world;
uniform float outline;
centroid out vec3 world_m;
centroid out vec3 normal;
centroid out vec3 at_rest_m;
centroid out vec3 normal_at_rest;
centroid out float openness;
centroid out float shown;
// Returns 0 where the outlined hand coincides with the solid hand, and 1 where they are more than 4.5 mm apart.
float apart(vec3 outline_m) {
    vec4 turn;
    return smoothstep(0.0015, 0.0045, distance(outline_m, solid(turn)));
}
void main() {
    vec4 turn;
    world_m = bent(turn);
    shown = outline > 0.5 ? apart(world_m) : 1.0;
    normal = turned(turn, rest_normal);
    at_rest_m = rest_m;
    normal_at_rest = rest_normal;
    openness = open;
    gl_Position = clip_from_world * vec4(world_m, 1.0);
}
)",
            kVersion + kLight + R"(
centroid in vec3 world_m;
centroid in vec3 normal;
centroid in vec3 at_rest_m;
centroid in vec3 normal_at_rest;
centroid in float openness;
centroid in float shown;
uniform vec3 albedo;
uniform float size;
uniform float flesh;
uniform float opacity;
uniform float outline;
uniform float line_px;
uniform mat4 nail_from_rest[5];
uniform vec4 nail_box[5];
out vec4 color;

// A superellipse on the back of each distal bone: 1 inside, an edge at its rim.
void nail(out float inside, out float edge) {
    inside = 0.0;
    edge = 0.0;
    for (int i = 0; i < 5; ++i) {
        vec3 q = (nail_from_rest[i] * vec4(at_rest_m, 1.0)).xyz;
        vec2 e = (vec2(q.x, -q.z) - nail_box[i].xy) / nail_box[i].zw;
        float up = (mat3(nail_from_rest[i]) * normal_at_rest).y;
        vec2 e2 = e * e;
        float r = sqrt(sqrt(dot(e2, e2)));
        if (r > 1.35 || up < 0.15 || q.y < 0.0) continue;
        float soft = 0.05 + 0.7 * fwidth(r);
        float back = smoothstep(0.15, 0.35, up);
        inside = max(inside, back * (1.0 - smoothstep(0.94 - soft, 0.94 + soft, r)));
        edge = max(edge, back * (1.0 - smoothstep(0.0, 0.10 + soft, abs(r - 1.0))));
    }
}

void main() {
    float alpha = opacity * shown * (1.0 - smoothstep(0.03 * size, 0.09 * size, at_rest_m.z));
    if (alpha < 0.01) discard;
    vec3 v = normalize(eye_m - world_m);
    vec3 n = normalize(normal);
    if (outline > 0.5) {
        // A line of constant width along the contour, and a faint tint inside it.
        float facing_us = abs(dot(n, v));
        float width = fwidth(facing_us) * line_px;
        color = vec4(albedo, alpha * mix(0.08, 1.0, 1.0 - smoothstep(0.5 * width, width, facing_us)));
        return;
    }
    float nail_in, nail_edge;
    nail(nail_in, nail_edge);
    vec3 base = mix(albedo, mix(vec3(0.97, 0.90, 0.87), albedo, 0.15), 0.55 * nail_in);
    base *= 1.0 - 0.16 * nail_edge;
    float facing = dot(n, to_light);
    float shadow = lit(world_m, n);
    float key = max((facing + 0.28) / 1.28, 0.0) * mix(1.0, shadow, smoothstep(-0.28, 0.15, facing));
    // Light that passed through flesh is red: near the terminator and in the penumbra of shadows.
    float terminator = exp(-facing * facing * 9.0);
    vec3 red = vec3(0.20, 0.06, 0.035) * 0.5 * flesh * terminator * openness;
    float open = openness * past_spheres(world_m, n);
    vec3 c = square(base) * (ambient(n) * open + kKey * key + trimmings(n, v) * (0.4 + 0.6 * open) + red);
    c += kKey * shadow * step(0.0, facing) *
         (0.10 * highlight(n, v, 14.0) + nail_in * 0.22 * highlight(n, v, 48.0)) * openness;
    color = vec4(sqrt(shoulder(c)), alpha);
}
)"};
}

Source solid_depth() {
    return {kVersion + kSolidVertex, kVersion + "void main() {}\n"};
}

Source many_depth() {
    return {kVersion + kManyVertex, kVersion + "void main() {}\n"};
}

Source skin_depth() {
    return {kVersion + kSkinning + R"(
uniform mat4 clip_from_world;
out float along_m;
void main() {
    along_m = rest_m.z;
    vec4 turn;
    gl_Position = clip_from_world * vec4(bent(turn), 1.0);
}
)",
            kVersion + R"(
in float along_m;
uniform float size;
void main() {
    ivec2 p = ivec2(gl_FragCoord.xy) & 3;
    int bayer[16] = int[16](0, 8, 2, 10, 12, 4, 14, 6, 3, 11, 1, 9, 15, 7, 13, 5);
    if (smoothstep(0.01 * size, 0.08 * size, along_m) > (float(bayer[p.y * 4 + p.x]) + 0.5) / 16.0) discard;
}
)"};
}

Source solid_height() {
    return {kVersion + kSolidVertex, kVersion + kHeightFragment};
}

Source many_height() {
    return {kVersion + kManyVertex, kVersion + kHeightFragment};
}

Source skin_height() {
    return {kVersion + kSkinning + R"(
uniform mat4 clip_from_world;
out vec3 world_m;
void main() {
    vec4 turn;
    world_m = bent(turn);
    gl_Position = clip_from_world * vec4(world_m, 1.0);
}
)",
            kVersion + kHeightFragment};
}

Source blur() {
    return {kVersion + R"(
out vec2 uv;
void main() {
    vec2 p = vec2((gl_VertexID & 1) * 4 - 1, (gl_VertexID & 2) * 2 - 1);
    uv = p * 0.5 + 0.5;
    gl_Position = vec4(p, 0.0, 1.0);
}
)",
            kVersion + R"(
in vec2 uv;
uniform sampler2D image;
uniform vec2 step_uv;
out vec4 color;
const float kWeights[5] = float[5](0.2042, 0.1802, 0.1238, 0.0663, 0.0276);
void main() {
    float sum = texture(image, uv).r * kWeights[0];
    for (int i = 1; i < 5; ++i)
        sum += kWeights[i] * (texture(image, uv + float(i) * step_uv).r + texture(image, uv - float(i) * step_uv).r);
    color = vec4(sum);
}
)"};
}

Source line() {
    return {kVersion + R"(
layout(location = 0) in vec3 a_m;
layout(location = 1) in vec3 b_m;
layout(location = 2) in vec4 rgba;
layout(location = 3) in float width;
layout(location = 4) in float behind;
uniform mat4 clip_from_world;
uniform vec2 viewport_px;
uniform float px;
uniform float reference_m;
uniform float hidden;
out vec4 tone;
out vec2 across;
void main() {
    vec4 a = clip_from_world * vec4(a_m, 1.0);
    vec4 b = clip_from_world * vec4(b_m, 1.0);
    // Clip at the near plane; otherwise the end behind the eye would be projected in front.
    float near = 1e-3;
    if (a.w < near && b.w < near) { gl_Position = vec4(2.0, 2.0, 2.0, 1.0); return; }
    if (a.w < near) a = mix(a, b, (near - a.w) / (b.w - a.w));
    if (b.w < near) b = mix(b, a, (near - b.w) / (a.w - b.w));
    vec2 a_px = a.xy / a.w * 0.5 * viewport_px;
    vec2 b_px = b.xy / b.w * 0.5 * viewport_px;
    vec2 dir = b_px - a_px;
    float len = length(dir);
    dir = len > 1e-4 ? dir / len : vec2(1.0, 0.0);
    int corner = int[6](0, 1, 2, 2, 1, 3)[gl_VertexID];
    bool at_b = corner > 1;
    float side = (corner & 1) == 1 ? 1.0 : -1.0;
    vec4 p = at_b ? b : a;
    float half_px = 0.5 * width * px * clamp(reference_m / p.w, 0.6, 1.5) * mix(1.0, 0.7, hidden);
    float reach = half_px + 1.0;
    vec2 shift = vec2(-dir.y, dir.x) * side * reach + dir * (at_b ? 0.5 : -0.5) * half_px;
    p.xy += shift / (0.5 * viewport_px) * p.w;
    p.z -= 0.00012 * p.w;
    tone = vec4(rgba.rgb, rgba.a * mix(1.0, behind, hidden));
    across = vec2(side * reach, half_px);
    gl_Position = p;
}
)",
            kVersion + R"(
in vec4 tone;
in vec2 across;
out vec4 color;
void main() {
    float cover = clamp(across.y + 0.5 - abs(across.x), 0.0, 1.0) * min(1.0, 2.0 * across.y + 0.2);
    float alpha = tone.a * cover;
    if (alpha < 0.004) discard;
    color = vec4(tone.rgb, alpha);
}
)"};
}

Source tint() {
    return {kVersion + R"(
layout(location = 0) in vec3 corner_m;
layout(location = 1) in vec4 rgba;
uniform mat4 clip_from_world;
out vec4 tone;
void main() {
    tone = rgba;
    gl_Position = clip_from_world * vec4(corner_m, 1.0);
}
)",
            kVersion + "in vec4 tone;\nout vec4 color;\nvoid main() { color = tone; }\n"};
}

Source mark() {
    return {kVersion + R"(
layout(location = 0) in vec3 center_m;
layout(location = 1) in vec3 axis;
uniform mat4 clip_from_world;
uniform float radius_m;
out vec2 at;
void main() {
    vec2 p = vec2((gl_VertexID & 1) * 2 - 1, (gl_VertexID & 2) - 1);
    vec3 side = normalize(abs(axis.y) < 0.9 ? cross(axis, vec3(0.0, 1.0, 0.0)) : cross(axis, vec3(1.0, 0.0, 0.0)));
    at = p;
    gl_Position = clip_from_world * vec4(center_m + radius_m * (p.x * side + p.y * cross(axis, side)), 1.0);
    gl_Position.z -= 0.00012 * gl_Position.w;
}
)",
            kVersion + R"(
in vec2 at;
uniform vec3 albedo;
uniform float opacity;
out vec4 color;
void main() {
    float r = length(at);
    float soft = fwidth(r);
    float alpha = (1.0 - smoothstep(1.0 - soft, 1.0, r)) * opacity;
    if (alpha < 0.01) discard;
    float ring = smoothstep(0.75 - soft, 0.75, r);
    color = vec4(mix(albedo, vec3(1.0), ring), alpha * mix(1.0, 0.9, ring));
}
)"};
}

Source arrow() {
    return {kVersion + R"(
layout(location = 0) in vec3 unit_m;
layout(location = 1) in vec3 unit_normal;
layout(location = 2) in vec3 from_m;
layout(location = 3) in vec3 axis;
layout(location = 4) in float length_m;
uniform mat4 clip_from_world;
uniform float head_m;
out vec3 world_m;
out vec3 normal;
void main() {
    vec3 side = normalize(abs(axis.y) < 0.9 ? cross(axis, vec3(0.0, 1.0, 0.0)) : cross(axis, vec3(1.0, 0.0, 0.0)));
    mat3 turn = mat3(side, cross(axis, side), axis);
    // Only the shaft is stretched: z <= 1 is the shaft, z > 1 the head.
    float z = unit_m.z <= 1.0 ? unit_m.z * (length_m - head_m) : length_m - head_m + (unit_m.z - 1.0) * head_m;
    world_m = from_m + turn * vec3(unit_m.xy, z);
    normal = turn * unit_normal;
    gl_Position = clip_from_world * vec4(world_m, 1.0);
    gl_Position.z -= 0.00006 * gl_Position.w;
}
)",
            kVersion + R"(
in vec3 world_m;
in vec3 normal;
uniform vec3 albedo;
uniform vec3 to_light;
uniform vec3 eye_m;
uniform float opacity;
out vec4 color;
void main() {
    vec3 n = normalize(normal);
    float light = 0.72 + 0.34 * max(dot(n, to_light), 0.0) + 0.08 * n.y;
    float rim = pow(1.0 - clamp(dot(n, normalize(eye_m - world_m)), 0.0, 1.0), 3.0);
    color = vec4(min(albedo * light + 0.10 * rim, 1.0), opacity);
}
)"};
}

Source copy() {
    return {blur().vertex, kVersion + R"(
in vec2 uv;
uniform sampler2D image;
out vec4 color;
void main() { color = vec4(texture(image, uv).rgb, 1.0); }
)"};
}

}  // namespace glovebox::vr::shaders
