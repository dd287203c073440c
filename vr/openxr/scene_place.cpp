#include "vr/openxr/scene_place.h"

#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <nlohmann/json.hpp>
#include <numbers>
#include <sstream>
#include <stdexcept>

#include "recordings/output.h"
#include "recordings/parse.h"
#include "vr/openxr/seat.h"

namespace glovebox::vr {
namespace {

using openxr::SeatPlace;

constexpr float kFurthest_m = 100.0F;

SeatPlace place_of_scene(bool in_stage, const Eigen::Isometry3f& space_from_scene) {
    return {in_stage, space_from_scene * Eigen::Translation3f(-openxr::kSceneInSeat_m)};
}

SeatPlace place_of_json(const nlohmann::json& json) {
    const nlohmann::json& scene = json.at("scene");
    const auto at = scene.at("position_m").get<std::array<float, 3>>();
    const auto q = scene.at("quaternion_xyzw").get<std::array<float, 4>>();
    const Eigen::Quaternionf turn(q[3], q[0], q[1], q[2]);
    const Eigen::Vector3f at_m(at[0], at[1], at[2]);
    if (!(at_m.cwiseAbs().maxCoeff() <= kFurthest_m) || !(std::abs(turn.norm() - 1.0F) < 0.01F))
        throw std::invalid_argument("the scene has no place that can be");
    const std::string space = scene.at("space");
    if (space != "stage" && space != "local") throw std::invalid_argument("the space '" + space + "' is not known");
    return place_of_scene(space == "stage", Eigen::Translation3f(at_m) * turn.normalized());
}

}  // namespace

std::filesystem::path headset_settings_file() {
    const char* const config = std::getenv("XDG_CONFIG_HOME");
    const char* const home = std::getenv("HOME");
    std::filesystem::path folder;
    if (config != nullptr && *config == '/')
        folder = config;
    else if (home != nullptr && *home == '/')
        folder = std::filesystem::path(home) / ".config";
    return folder.empty() ? folder : folder / "glovebox" / "headset.json";
}

std::optional<SeatPlace> remembered_place(const std::filesystem::path& file) {
    std::ifstream in(file);
    if (file.empty() || !in) return {};
    try {
        return place_of_json(nlohmann::json::parse(in));
    } catch (const std::exception& error) {
        std::fprintf(stderr, "glovebox: %s is not used (%s): remove it, or place the scene again\n", file.c_str(),
                     error.what());
        return {};
    }
}

void remember_place(const SeatPlace& place, const std::filesystem::path& file) {
    if (file.empty()) return;
    const Eigen::Isometry3f space_from_scene = place.space_from_seat * Eigen::Translation3f(openxr::kSceneInSeat_m);
    const Eigen::Vector3f at = space_from_scene.translation();
    const Eigen::Quaternionf q(space_from_scene.linear());
    const nlohmann::ordered_json json = {{"glovebox_headset", 1},
                                         {"scene",
                                          {{"space", place.in_stage ? "stage" : "local"},
                                           {"position_m", {at.x(), at.y(), at.z()}},
                                           {"quaternion_xyzw", {q.x(), q.y(), q.z(), q.w()}}}}};
    try {
        std::filesystem::create_directories(file.parent_path());
        recordings::Output out(file);
        out.write(json.dump(1) + "\n");
        out.commit();
    } catch (const std::exception& error) {
        std::fprintf(stderr, "glovebox: the scene's place is not remembered: %s\n", error.what());
    }
}

SeatPlace parse_place(const std::string& text) {
    std::istringstream in(text);
    std::array<float, 4> numbers{};
    std::size_t count = 0;
    for (std::string word; std::getline(in, word, ','); ++count) {
        if (count == numbers.size()) throw std::invalid_argument("more than four numbers");
        if (!recordings::parse_number(word, numbers[count]))
            throw std::invalid_argument("'" + word + "' is not a number");
        if (!(std::abs(numbers[count]) <= (count < 3 ? kFurthest_m : 360.0F)))
            throw std::invalid_argument("'" + word + "' is too far");
    }
    if (count < 3) throw std::invalid_argument("fewer than three numbers");
    const Eigen::AngleAxisf turn(numbers[3] * std::numbers::pi_v<float> / 180.0F, Eigen::Vector3f::UnitY());
    return place_of_scene(false, Eigen::Translation3f(numbers[0], numbers[1], numbers[2]) * turn);
}

}  // namespace glovebox::vr
