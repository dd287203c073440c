// `glovebox info LOG`: what a recording holds.
#include <cstdio>

#include "vr/cli/command.h"
#include "vr/load_replay.h"

namespace glovebox::vr {
namespace {

int print_info(const std::string& path) {
    const recordings::Recording recording = open_recording(path);
    std::printf(
        "file          %s\nformat        %s\nsamples       %zu\nduration      %.3f s\nrate          %.2f Hz\n"
        "longest gap   %.0f ms\n",
        recording.path.c_str(), recording.format.c_str(), recording.samples.size(), recording.duration_s(),
        recording.rate_hz(), 1e3 * recording.longest_gap_s());
    for (const tracking::Side side : {tracking::Side::left, tracking::Side::right}) {
        std::size_t present = 0;
        for (const auto& sample : recording.samples) present += sample[side].active ? 1 : 0;
        if (present == 0) continue;
        const auto& profile = recording.profiles[static_cast<std::size_t>(side)];
        std::printf("%-5s hand    in %zu samples, %.2f times the default hand (%s)\n",
                    std::string(tracking::name_of(side)).c_str(), present, static_cast<double>(profile.scale),
                    profile.origin.c_str());
    }
    for (const std::string& note : recording.notes) std::printf("note          %s\n", note.c_str());
    return kExitFine;
}

}  // namespace

std::function<int()> declare_info(CLI::App& app) {
    const auto path = std::make_shared<std::string>();
    app.add_option("LOG", *path, "recording of hands")->required();
    app.footer("Example:\n  glovebox info hand.csv");
    return [path] { return print_info(*path); };
}

}  // namespace glovebox::vr
