#include "vr/export/camera_path.h"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <numbers>
#include <stdexcept>

#include "recordings/input.h"
#include "recordings/json.h"

namespace glovebox::vr {
namespace {

float between(float a, float b, float share) {
    return a + share * (b - a);
}

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
        constexpr std::size_t kMaxBytes = 1 << 20;
        text.resize(kMaxBytes + 1);
        file.read(text.data(), static_cast<std::streamsize>(text.size()));
        text.resize(static_cast<std::size_t>(file.gcount()));
        if (text.size() > kMaxBytes) throw refuse("larger than 1 MB");
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

}  // namespace glovebox::vr
