#include "vr/render/hand_skin.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include "collision/mesh/hash.h"
#include "collision/mesh/tree_file.h"
#include "recordings/output.h"
#include "tracking/formatted.h"
#include "vr/platform/parallel.h"
#include "vr/render/hand_field.h"
#include "vr/render/surface_nets.h"

namespace glovebox::vr {
namespace {

using Eigen::Vector3f;

Vector3f gradient(const HandField& field, const Vector3f& p, float h) {
    const Vector3f g(field.distance_m(p + h * Vector3f::UnitX()) - field.distance_m(p - h * Vector3f::UnitX()),
                     field.distance_m(p + h * Vector3f::UnitY()) - field.distance_m(p - h * Vector3f::UnitY()),
                     field.distance_m(p + h * Vector3f::UnitZ()) - field.distance_m(p - h * Vector3f::UnitZ()));
    return g / (2.0F * h);
}

// Moves a point to the zero set by Newton's method, p - d grad / |grad|^2, by at most one cell.
Vector3f settled(const HandField& field, Vector3f p, float cell_m) {
    for (int i = 0; i < 2; ++i) {
        const Vector3f g = gradient(field, p, 0.4F * kMillimetre);
        const float g2 = g.squaredNorm();
        if (g2 < 1e-4F) return p;
        Vector3f step = -field.distance_m(p) / g2 * g;
        if (step.norm() > cell_m) step *= cell_m / step.norm();
        p += step;
    }
    return p;
}

// Estimates occlusion by five samples along the normal: where the field grows slower than the distance, it is occluded.
float openness(const HandField& field, const Vector3f& p, const Vector3f& normal) {
    constexpr float kTaps_mm[5] = {2.0F, 5.0F, 10.0F, 16.0F, 24.0F};
    float blocked = 0.0F;
    float weight = 1.0F;
    for (const float tap_mm : kTaps_mm) {
        const float t = tap_mm * kMillimetre;
        blocked += weight * std::max(0.0F, (t - field.distance_m(p + t * normal)) / t);
        weight *= 0.75F;
    }
    return std::clamp(1.0F - 0.42F * blocked, 0.0F, 1.0F);
}

using DenseWeights = std::array<float, kSkinBoneCount>;

bool spreads_wide(int bone) {
    return bone == 0 || bone == 1 || bone % 4 == 0;
}

DenseWeights bone_weights(const HandField& field, const Vector3f& p, float scale) {
    DenseWeights d;
    for (int b = 0; b < kSkinBoneCount; ++b) d[static_cast<std::size_t>(b)] = field.bone_distance_m(b, p);
    const float nearest = *std::ranges::min_element(d);
    DenseWeights w;
    float sum = 0.0F;
    for (std::size_t b = 0; b < w.size(); ++b) {
        const float x =
            (d[b] - nearest) / (2.2F * kMillimetre * scale) * (spreads_wide(static_cast<int>(b)) ? 0.55F : 1.0F);
        w[b] = 1.0F / (1.0F + x * x * x * x);
        if (w[b] < 0.002F) w[b] = 0.0F;
        sum += w[b];
    }
    for (float& weight : w) weight /= sum;
    return w;
}

// Each pass averages a value half with the mean of its neighbours.
void smooth(std::vector<DenseWeights>& weights, const std::vector<std::array<std::uint32_t, 3>>& triangles, int passes,
            int threads) {
    std::vector<std::uint32_t> first(weights.size() + 1, 0);
    for (const auto& t : triangles)
        for (const std::uint32_t v : t) first[v + 1] += 2;
    for (std::size_t i = 1; i < first.size(); ++i) first[i] += first[i - 1];
    std::vector<std::uint32_t> neighbours(first.back());
    std::vector<std::uint32_t> next(first.begin(), first.end() - 1);
    for (const auto& t : triangles)
        for (std::size_t i = 0; i < 3; ++i) {
            neighbours[next[t[i]]++] = t[(i + 1) % 3];
            neighbours[next[t[i]]++] = t[(i + 2) % 3];
        }
    std::vector<DenseWeights> smoothed(weights.size());
    for (int pass = 0; pass < passes; ++pass) {
        parallel_for(weights.size(), threads, [&](std::size_t begin, std::size_t end) {
            for (std::size_t v = begin; v < end; ++v) {
                DenseWeights mean{};
                const std::uint32_t count = first[v + 1] - first[v];
                for (std::uint32_t n = first[v]; n < first[v + 1]; ++n)
                    for (std::size_t b = 0; b < mean.size(); ++b) mean[b] += weights[neighbours[n]][b];
                for (std::size_t b = 0; b < mean.size(); ++b)
                    smoothed[v][b] =
                        count == 0 ? weights[v][b] : 0.5F * (weights[v][b] + mean[b] / static_cast<float>(count));
            }
        });
        weights.swap(smoothed);
    }
}

void keep_largest(const DenseWeights& dense, SkinVertex& vertex) {
    std::array<std::uint8_t, kSkinBoneCount> order;
    for (std::size_t b = 0; b < order.size(); ++b) order[b] = static_cast<std::uint8_t>(b);
    std::ranges::partial_sort(order, order.begin() + 4,
                              [&](std::uint8_t a, std::uint8_t b) { return dense[a] > dense[b]; });
    float sum = 0.0F;
    for (std::size_t i = 0; i < 4; ++i) sum += dense[order[i]];
    for (std::size_t i = 0; i < 4; ++i) {
        vertex.bones[i] = order[i];
        vertex.weights[i] = dense[order[i]] / sum;
    }
}

std::array<Nail, 5> nails_of(const HandSkeleton& skeleton, const BoneFrames& rest) {
    std::array<Nail, 5> nails;
    for (std::size_t f = 0; f < nails.size(); ++f) {
        Nail& nail = nails[f];
        nail.bone = f == 0 ? 3 : 4 * static_cast<int>(f) + 3;
        const BoneFrame& bone = rest[static_cast<std::size_t>(nail.bone)];
        nail.bone_from_rest = bone.world_from_bone.inverse();
        float radius_m = 0.93F * skeleton.radius_m[f == 0 ? 5 : 5 + 5 * f];
        Eigen::Vector2f tip_m(0.0F, bone.length_m);
        if (skeleton.shape) {
            const tracking::BoneShape& fitted = (*skeleton.shape)[static_cast<std::size_t>(nail.bone)];
            radius_m = fitted.to_radius_m;
            tip_m += Eigen::Vector2f(fitted.to_offset_m.x(), -fitted.to_offset_m.z());
        }
        nail.half_m = {0.78F * radius_m, 1.0F * radius_m};
        nail.center_m = {tip_m.x(), tip_m.y() - 0.14F * radius_m};
    }
    return nails;
}

}  // namespace

HandSkin build_skin(const HandSkeleton& skeleton, const SkinSettings& settings) {
    const HandField field(skeleton);
    SurfaceMesh surface = surface_nets([&field](const Vector3f& p) { return field.distance_m(p); }, field.bounds(),
                                       settings.cell_m, settings.threads);
    HandSkin skin;
    skin.triangles = std::move(surface.triangles);
    skin.vertices.resize(surface.vertices_m.size());
    skin.rest = rest_frames(skeleton, tracking::Side::right);
    skin.nails = nails_of(skeleton, skin.rest);
    skin.scale = skeleton.scale;

    std::vector<DenseWeights> weights(skin.vertices.size());
    parallel_for(skin.vertices.size(), settings.threads, [&](std::size_t begin, std::size_t end) {
        for (std::size_t v = begin; v < end; ++v) {
            SkinVertex& vertex = skin.vertices[v];
            vertex.position_m = settled(field, surface.vertices_m[v], settings.cell_m);
            vertex.normal = gradient(field, vertex.position_m, 0.9F * kMillimetre).normalized();
            vertex.open = openness(field, vertex.position_m, vertex.normal);
            weights[v] = bone_weights(field, vertex.position_m, skeleton.scale);
        }
    });
    const float cells = 4.5F * kMillimetre / settings.cell_m;
    // Fitted cones of the thumb and the palm overlap deeply. Without more smoothing, the skin folds between them.
    const float passes = (skeleton.shape ? 3.0F : 0.5F) * cells * cells;
    smooth(weights, skin.triangles, std::max(2, static_cast<int>(passes)), settings.threads);
    for (std::size_t v = 0; v < skin.vertices.size(); ++v) keep_largest(weights[v], skin.vertices[v]);
    return skin;
}

HandSkin mirrored(const HandSkin& skin) {
    HandSkin mirror = skin;
    mirror.side = skin.side == tracking::Side::right ? tracking::Side::left : tracking::Side::right;
    for (SkinVertex& vertex : mirror.vertices) {
        vertex.position_m.x() = -vertex.position_m.x();
        vertex.normal.x() = -vertex.normal.x();
    }
    for (auto& t : mirror.triangles) std::swap(t[1], t[2]);
    // A mirrored frame is not a rotation: its X axis is flipped back, which keeps Y (up) and Z (along).
    const Eigen::DiagonalMatrix<float, 3> flip(-1.0F, 1.0F, 1.0F);
    for (BoneFrame& frame : mirror.rest) {
        frame.world_from_bone.linear() = flip * frame.world_from_bone.linear() * flip;
        frame.world_from_bone.translation().x() = -frame.world_from_bone.translation().x();
    }
    for (Nail& nail : mirror.nails)
        nail.bone_from_rest = mirror.rest[static_cast<std::size_t>(nail.bone)].world_from_bone.inverse();
    return mirror;
}

namespace {

// The cache file: this tag, the counts, the arrays as in memory. It stays on one machine, so byte order does not
// matter.
constexpr char kTag[8] = {'g', 'l', 'v', 's', 'k', 'i', 'n', '3'};
constexpr std::uint32_t kMaxVertices = 1U << 20;

// Lengths are quantised to 0.1 mm, so that a profile fitted from one frame more gives the same hash.
std::uint64_t hash_of(const HandSkeleton& skeleton, const SkinSettings& settings) {
    std::vector<std::int32_t> tenths_mm;
    const auto mix = [&](float value_m) {
        tenths_mm.push_back(static_cast<std::int32_t>(std::lround(1e4F * value_m)));
    };
    for (const Vector3f& joint_m : skeleton.joint_m)
        for (const float coordinate_m : joint_m) mix(coordinate_m);
    for (const float radius_m : skeleton.radius_m) mix(radius_m);
    mix(settings.cell_m);
    if (skeleton.shape)
        for (const tracking::BoneShape& bone : *skeleton.shape)
            for (const float number : tracking::numbers_of(bone)) mix(number);
    return collision::hash_bytes(std::as_bytes(std::span(tenths_mm)));
}

struct CacheHeader {
    char tag[8];
    std::uint32_t vertices, triangles;
    std::uint64_t hash_of_arrays;
};

std::uint64_t hash_of_arrays(const HandSkin& skin) {
    return collision::hash_bytes(std::as_bytes(std::span(skin.triangles)),
                                 collision::hash_bytes(std::as_bytes(std::span(skin.vertices))));
}

// The hash detects damage, not forgery, so vertex and bone indices are validated.
bool is_sound(const HandSkin& skin) {
    return std::ranges::all_of(
               skin.triangles,
               [&](const auto& triangle) { return std::ranges::max(triangle) < skin.vertices.size(); }) &&
           std::ranges::all_of(skin.vertices, [](const SkinVertex& vertex) {
               return vertex.position_m.allFinite() && vertex.normal.allFinite() &&
                      std::ranges::max(vertex.bones) < kSkinBoneCount;
           });
}

// If the file cannot be written, the skin is built again next time.
void write_cache(const std::filesystem::path& path, const HandSkin& skin) {
    CacheHeader header{};
    std::memcpy(header.tag, kTag, sizeof kTag);
    header.vertices = static_cast<std::uint32_t>(skin.vertices.size());
    header.triangles = static_cast<std::uint32_t>(skin.triangles.size());
    header.hash_of_arrays = hash_of_arrays(skin);
    std::error_code ignored;
    std::filesystem::create_directories(path.parent_path(), ignored);
    try {
        recordings::Output out(path);
        out.write({reinterpret_cast<const char*>(&header), sizeof header});
        out.write({reinterpret_cast<const char*>(skin.vertices.data()), skin.vertices.size() * sizeof(SkinVertex)});
        out.write(
            {reinterpret_cast<const char*>(skin.triangles.data()), skin.triangles.size() * sizeof skin.triangles[0]});
        out.commit();
    } catch (const recordings::ExportError&) {
    }
}

}  // namespace

std::optional<HandSkin> read_cached_skin(const std::filesystem::path& path) {
    if (!std::filesystem::is_regular_file(path)) return {};
    std::ifstream in(path, std::ios::binary);
    CacheHeader header{};
    HandSkin skin;
    if (!in.read(reinterpret_cast<char*>(&header), sizeof header)) return {};
    if (std::memcmp(header.tag, kTag, sizeof kTag) != 0 || header.vertices > kMaxVertices ||
        header.triangles > 2 * kMaxVertices)
        return {};
    skin.vertices.resize(header.vertices);
    skin.triangles.resize(header.triangles);
    in.read(reinterpret_cast<char*>(skin.vertices.data()),
            static_cast<std::streamsize>(header.vertices * sizeof(SkinVertex)));
    in.read(reinterpret_cast<char*>(skin.triangles.data()),
            static_cast<std::streamsize>(header.triangles * sizeof skin.triangles[0]));
    if (!in || hash_of_arrays(skin) != header.hash_of_arrays || !is_sound(skin)) return {};
    return skin;
}

HandSkin cached_skin(const HandSkeleton& skeleton, const SkinSettings& settings, const std::filesystem::path& folder) {
    if (folder.empty() || !collision::fault_of_cache(folder).empty()) return build_skin(skeleton, settings);
    const std::string name =
        tracking::formatted("skin-%016llx", static_cast<unsigned long long>(hash_of(skeleton, settings)));
    HandSkin skin;
    if (std::optional<HandSkin> stored = read_cached_skin(folder / name)) {
        skin = std::move(*stored);
        skin.rest = rest_frames(skeleton, tracking::Side::right);
        skin.nails = nails_of(skeleton, skin.rest);
        skin.scale = skeleton.scale;
        return skin;
    }
    skin = build_skin(skeleton, settings);
    write_cache(folder / name, skin);
    return skin;
}

std::filesystem::path user_cache_folder() {
    if (const char* cache = std::getenv("XDG_CACHE_HOME"); cache != nullptr && cache[0] == '/')
        return std::filesystem::path(cache) / "glovebox";
    if (const char* home = std::getenv("HOME"); home != nullptr && home[0] == '/')
        return std::filesystem::path(home) / ".cache" / "glovebox";
    return {};
}

}  // namespace glovebox::vr
