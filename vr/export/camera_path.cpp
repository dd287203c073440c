#include "vr/export/camera_path.h"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <numbers>
#include <stdexcept>

#include "recordings/input.h"
#include "recordings/json.h"
#include "vr/session/session.h"

namespace glovebox::vr {
namespace {

using Eigen::Vector3f;
using tracking::Joint;
using tracking::Side;

float between(float a, float b, float share) {
    return a + share * (b - a);
}

Vector3f level(const Vector3f& v) {
    return {v.x(), 0.0F, v.z()};
}

struct Bounds {
    Vector3f low = Vector3f::Constant(1e9F), high = Vector3f::Constant(-1e9F);
    void add(const Vector3f& point, float round = 0.0F) {
        low = low.cwiseMin(point - Vector3f::Constant(round));
        high = high.cwiseMax(point + Vector3f::Constant(round));
    }
    bool any() const { return low.x() <= high.x(); }
};

}  // namespace

OrbitCamera camera_at(const std::vector<CameraKey>& keys, double time_s) {
    const auto next = std::ranges::upper_bound(keys, time_s, {}, &CameraKey::time_s);
    if (next == keys.begin()) return keys.front().camera;
    if (next == keys.end()) return keys.back().camera;
    const CameraKey &a = *(next - 1), &b = *next;
    const auto linear = static_cast<float>((time_s - a.time_s) / std::max(1e-9, b.time_s - a.time_s));
    const float share = linear * linear * (3.0F - 2.0F * linear);
    OrbitCamera camera = a.camera;
    constexpr float kTurn = 2.0F * std::numbers::pi_v<float>;
    camera.target_m += share * (b.camera.target_m - a.camera.target_m);
    camera.yaw_rad += share * std::remainder(b.camera.yaw_rad - a.camera.yaw_rad, kTurn);
    camera.elevation_rad = between(a.camera.elevation_rad, b.camera.elevation_rad, share);
    camera.distance_m = between(a.camera.distance_m, b.camera.distance_m, share);
    return camera;
}

std::string camera_path_text(const std::vector<CameraKey>& keys) {
    nlohmann::ordered_json json;
    json["keyframes"] = nlohmann::ordered_json::array();
    for (const CameraKey& key : keys) {
        const OrbitCamera& camera = key.camera;
        json["keyframes"].push_back({{"time_s", key.time_s},
                                     {"target_m", {camera.target_m.x(), camera.target_m.y(), camera.target_m.z()}},
                                     {"yaw_rad", camera.yaw_rad},
                                     {"elevation_rad", camera.elevation_rad},
                                     {"distance_m", camera.distance_m}});
    }
    return json.dump(2) + "\n";
}

std::vector<CameraKey> read_camera_path(const std::filesystem::path& path) {
    const auto refuse = [&path](const std::string& why) -> std::runtime_error {
        return std::runtime_error(path.string() + ": no camera path: " + why);
    };
    std::string text;
    {
        std::ifstream file(path, std::ios::binary);
        if (!file) throw std::runtime_error(path.string() + ": cannot be read");
        constexpr std::size_t kMostBytes = 1 << 20;
        text.resize(kMostBytes + 1);
        file.read(text.data(), static_cast<std::streamsize>(text.size()));
        text.resize(static_cast<std::size_t>(file.gcount()));
        if (text.size() > kMostBytes) throw refuse("larger than 1 MB");
    }
    constexpr int kDeepest = 16;
    nlohmann::json json;
    if (recordings::json_depth(text) <= kDeepest) json = nlohmann::json::parse(text, nullptr, false);
    if (!json.is_object() || !json.contains("keyframes") || !json["keyframes"].is_array() || json["keyframes"].empty())
        throw refuse(
            "it needs {\"keyframes\": [{\"time_s\", \"target_m\", \"yaw_rad\", \"elevation_rad\", "
            "\"distance_m\"}, ...]}");
    std::vector<CameraKey> keys;
    for (const auto& each : json["keyframes"]) {
        CameraKey key;
        const auto number = [&](const char* name, double otherwise) {
            if (!each.is_object() || !each.contains(name)) return otherwise;
            if (!each[name].is_number() || !std::isfinite(each[name].get<double>()))
                throw refuse(std::string(name) + " of keyframe " + std::to_string(keys.size() + 1) + " is no number");
            return each[name].get<double>();
        };
        key.time_s = number("time_s", 0.0);
        key.camera.yaw_rad = static_cast<float>(number("yaw_rad", 0.0));
        key.camera.elevation_rad = static_cast<float>(std::clamp(number("elevation_rad", 0.38), -1.5, 1.5));
        key.camera.distance_m = static_cast<float>(std::clamp(number("distance_m", 0.55), 0.05, 50.0));
        if (each.is_object() && each.contains("target_m")) {
            const auto& target = each["target_m"];
            if (!target.is_array() || target.size() != 3 || !target[0].is_number() || !target[1].is_number() ||
                !target[2].is_number())
                throw refuse("target_m of keyframe " + std::to_string(keys.size() + 1) + " is no three numbers");
            key.camera.target_m = {target[0].get<float>(), target[1].get<float>(), target[2].get<float>()};
        }
        keys.push_back(key);
    }
    std::ranges::stable_sort(keys, {}, &CameraKey::time_s);
    return keys;
}

OrbitCamera camera_of_take(const Session& session, double aspect) {
    const PipelineSettings& settings = session.pipeline.settings;
    const auto& samples = session.recording().samples;
    constexpr std::size_t kLooks = 400;
    const std::size_t step = std::max<std::size_t>(1, samples.size() / kLooks);
    Bounds seen;
    Vector3f toward_eye = Vector3f::Zero();
    std::vector<Bounds> objects(session.scene.objects.size());
    std::vector<Vector3f> points;
    for (std::size_t i = 0; i < samples.size(); i += step) {
        tracking::HandPair hands = samples[i];
        scenes::place(settings.placement, hands);
        for (const Side side : tracking::kSides) {
            const tracking::HandFrame& hand = hands[side];
            if (!settings.use_hand[side] || !hand.active) continue;
            for (const Joint joint : {Joint::wrist, Joint::thumb_tip, Joint::index_tip, Joint::middle_tip,
                                      Joint::ring_tip, Joint::little_tip})
                if (hand[joint].position_valid() && hand[joint].position_m.norm() < 100.0F) {
                    seen.add(hand[joint].position_m, 0.01F);
                    points.push_back(hand[joint].position_m);
                }
            Vector3f forward = level(hand[Joint::middle_proximal].position_m - hand[Joint::wrist].position_m);
            const Vector3f thumb_side =
                level(hand[Joint::index_proximal].position_m - hand[Joint::little_proximal].position_m);
            if (!forward.allFinite() || !thumb_side.allFinite()) continue;
            if (forward.norm() > 0.02F) forward.normalize();
            toward_eye +=
                0.6F * forward + 0.8F * (thumb_side.norm() > 0.015F ? thumb_side.normalized() : Vector3f::Zero());
        }
        for (std::size_t k = 0; k < objects.size(); ++k) {
            const scenes::SceneObject& object = session.scene.objects[k];
            const collision::Obb box = collision::bounding_box(collision::transformed(
                object.track ? object.track->at(hands.time_ns) : object.world_from_object, object.shape));
            objects[k].add(box.center_m, box.half_m.maxCoeff());
        }
    }
    OrbitCamera camera;
    camera.target_m = session.scene.anchor_m;
    if (!seen.any()) return camera;
    // Objects as large as a table are ground: they need not be seen whole.
    constexpr float kSmall_m = 0.35F, kNear_m = 0.15F;
    for (const Bounds& object : objects) {
        const bool near = ((object.low.array() - kNear_m) <= seen.high.array()).all() &&
                          ((object.high.array() + kNear_m) >= seen.low.array()).all();
        if (!near || (object.high - object.low).maxCoeff() > 2.0F * kSmall_m) continue;
        for (int i = 0; i < 8; ++i)
            points.emplace_back((i & 1) != 0 ? object.high.x() : object.low.x(),
                                (i & 2) != 0 ? object.high.y() : object.low.y(),
                                (i & 4) != 0 ? object.high.z() : object.low.z());
    }
    if (toward_eye.norm() > 0.05F) camera.yaw_rad = std::atan2(toward_eye.x(), toward_eye.z());
    camera.target_m = 0.5F * (seen.low + seen.high);
    camera.distance_m = 2.0F * (seen.high - seen.low).norm() + 0.3F;
    // What is seen is moved into the middle and made as large as fits, some times over, because nearer is larger.
    constexpr int kRounds = 8;
    constexpr float kFill = 0.80F;
    const float high = std::tan(0.5F * camera.vertical_view_rad), wide = high * static_cast<float>(aspect);
    const Vector3f back(std::cos(camera.elevation_rad) * std::sin(camera.yaw_rad), std::sin(camera.elevation_rad),
                        std::cos(camera.elevation_rad) * std::cos(camera.yaw_rad));
    const Vector3f right(std::cos(camera.yaw_rad), 0.0F, -std::sin(camera.yaw_rad)), up = back.cross(right);
    for (int round = 0; round < kRounds; ++round) {
        Eigen::AlignedBox2f picture;
        for (const Vector3f& point : points) {
            const Vector3f from = point - camera.target_m;
            const float depth_m = std::max(0.05F, camera.distance_m - from.dot(back));
            picture.extend(Eigen::Vector2f(from.dot(right) / (depth_m * wide), from.dot(up) / (depth_m * high)));
        }
        const Eigen::Vector2f middle = picture.center();
        camera.target_m += camera.distance_m * (middle.x() * wide * right + middle.y() * high * up);
        const float share = 0.5F * picture.sizes().maxCoeff() / kFill;
        camera.distance_m = std::clamp(camera.distance_m * std::clamp(share, 0.5F, 2.0F), 0.35F, 20.0F);
    }
    return camera;
}

}  // namespace glovebox::vr
