#include "vr/bench/real_data.h"

#include <array>

namespace glovebox::vr {
namespace {

struct RealFile {
    std::string_view bench, below_folder;
};
constexpr std::array kRealFiles = {
    RealFile{"clips", "logs/hololens2_duke_203503978.csv"},
    RealFile{"clips", "logs/leap_wave.json.lz"},
    RealFile{"frame", "logs/openxr26_monado_fingers_train2.csv"},
    RealFile{"frame", "logs/hololens2_duke_203503978.csv"},
    RealFile{"frame", "logs/manus_metaglove_bbt_L15.csv"},
    RealFile{"frame", "meshes/ycb_mustard_bottle.obj"},
    RealFile{"frame", "meshes/quest_living_room.ply"},
    RealFile{"skin", "hot3d/umetrack_hand_pose_trajectory.jsonl"},
    RealFile{"skin", "hot3d/quest3/umetrack_hand_pose_trajectory.jsonl"},
    RealFile{"skin", "hot3d"},
};

}  // namespace

std::string add_real_data(std::string_view bench, const std::filesystem::path& folder, BenchOptions& options) {
    std::string missing;
    if (!options.files.empty()) return missing;
    for (const RealFile& file : kRealFiles) {
        if (file.bench != bench) continue;
        const std::filesystem::path path = folder / file.below_folder;
        if (!folder.empty() && std::filesystem::exists(path))
            options.files.push_back(path.string());
        else
            missing += (missing.empty() ? "" : ", ") + path.filename().string();
    }
    if (missing.empty()) return missing;
    return "Without real data that this page shows otherwise: " + missing +
           (folder.empty() ? "; no folder was named (--data, GLOVEBOX_REAL_DATA)" : "; not in the folder of --data");
}

}  // namespace glovebox::vr
