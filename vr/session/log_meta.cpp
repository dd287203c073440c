#include "vr/session/log_meta.h"

#include <array>
#include <sstream>

#include "recordings/input.h"
#include "recordings/log/log_reader.h"
#include "scenes/scene_hash.h"
#include "tracking/formatted.h"

namespace glovebox::vr {
namespace {

using tracking::formatted;

// Formats twelve numbers by rows, with nine digits, which restore every float exactly.
std::string text_of(const Eigen::Isometry3f& pose) {
    std::string text;
    for (int row = 0; row < 3; ++row)
        for (int column = 0; column < 4; ++column)
            text += formatted("%s%.9g", text.empty() ? "" : " ", double{pose(row, column)});
    return text;
}

std::optional<Eigen::Isometry3f> pose_of(const std::string& text) {
    std::istringstream in(text);
    Eigen::Isometry3f pose = Eigen::Isometry3f::Identity();
    for (int row = 0; row < 3; ++row)
        for (int column = 0; column < 4; ++column)
            if (!(in >> pose(row, column))) return {};
    return pose;
}

constexpr std::array<std::pair<scenes::Placement, const char*>, 3> kKinds = {{{scenes::Placement::recorded, "recorded"},
                                                                              {scenes::Placement::fingertips, "moved"},
                                                                              {scenes::Placement::wrist, "wrist"}}};

std::string value_of(const LogMeta& meta, const char* key) {
    const auto found = meta.find(key);
    return found == meta.end() ? std::string() : found->second;
}

}  // namespace

std::string hash_text(const scenes::Scene& scene) {
    return formatted("%016llx", static_cast<unsigned long long>(scenes::hash_of(scene)));
}

LogMeta meta_of(const scenes::HandPlacement& placement) {
    LogMeta meta = {{"placement.scene_from_recording", text_of(placement.scene_from_recording)},
                    {"placement.scene_from_wrist", text_of(placement.scene_from_wrist)},
                    {"placement.wrist", std::string(tracking::name_of(placement.side))},
                    {"placement.note", placement.note}};
    for (const auto& [kind, name] : kKinds)
        if (kind == placement.kind) meta["placement.kind"] = name;
    return meta;
}

std::string recorded_scene(const std::filesystem::path& path) {
    if (path.empty() || !std::filesystem::is_regular_file(path)) return {};
    const recordings::Input in(path);
    if (!recordings::is_glove_log(in.head(), in.size())) return {};
    return value_of(recordings::LogReader(path).meta(), "scene");
}

std::optional<scenes::HandPlacement> recorded_placement(const LogMeta& meta, const scenes::Scene& scene) {
    const bool same_scene = value_of(meta, "scene_hash") == hash_text(scene);
    if (!same_scene && value_of(meta, "placement.for_scene") != "no") return {};
    const auto from_recording = pose_of(value_of(meta, "placement.scene_from_recording"));
    const auto from_wrist = pose_of(value_of(meta, "placement.scene_from_wrist"));
    if (!from_recording || !from_wrist) return {};
    scenes::HandPlacement placement;
    for (const auto& [kind, name] : kKinds)
        if (value_of(meta, "placement.kind") == name) placement.kind = kind;
    placement.scene_from_recording = *from_recording;
    placement.scene_from_wrist = *from_wrist;
    placement.side = value_of(meta, "placement.wrist") == "left" ? tracking::Side::left : tracking::Side::right;
    placement.note = value_of(meta, "placement.note") + ", as recorded";
    return placement;
}

std::string scene_difference(const recordings::Recording& recording, const scenes::Scene& scene) {
    const std::string recorded = value_of(recording.meta, "scene_hash");
    if (recorded.empty() || recorded == hash_text(scene)) return {};
    return "Recorded in another scene (" + value_of(recording.meta, "scene") + " with hash " + recorded +
           ", here it is " + hash_text(scene) + "): what was touched then is not what is touched now.";
}

scenes::HandPlacement placement_of(const recordings::Recording& recording, const scenes::Scene& scene) {
    if (auto recorded = recorded_placement(recording.meta, scene)) return *recorded;
    return recording.in_scene ? scenes::HandPlacement{} : scenes::find_placement(scene, recording.samples);
}

}  // namespace glovebox::vr
