// `glovebox scenes | methods | formats | sources | outputs`: one name a line first, then what it is.
#include <algorithm>
#include <cstdio>

#include "collision/body/refit.h"
#include "recordings/format.h"
#include "scenes/scene.h"
#include "vr/cli/command.h"
#include "vr/haptics/output.h"
#include "vr/session/sources.h"

namespace glovebox::vr {
namespace {

template <class Row>
int print_rows(std::span<const Row> rows) {
    std::size_t width = 0;
    for (const Row& row : rows) width = std::max(width, row.name.size());
    for (const Row& row : rows)
        std::printf("%-*s  %.*s\n", static_cast<int>(width), std::string(row.name).c_str(),
                    static_cast<int>(row.summary.size()), row.summary.data());
    return kExitFine;
}

}  // namespace

std::function<int()> declare_scenes(CLI::App& app) {
    app.footer("Example:\n  glovebox scenes && glovebox replay hand.csv --scene held-ball");
    return [] { return print_rows(scenes::scene_table()); };
}
std::function<int()> declare_methods(CLI::App& app) {
    app.footer("Example:\n  glovebox methods && glovebox replay hand.csv --method aabb");
    return [] { return print_rows(collision::refit_methods()); };
}
std::function<int()> declare_formats(CLI::App& app) {
    app.footer("Example:\n  glovebox formats && glovebox convert flick flick.csv --as openxr-csv");
    return [] { return print_rows(recordings::format_table()); };
}

std::function<int()> declare_sources(CLI::App& app) {
    app.footer("Example:\n  glovebox sources && glovebox live /dev/ttyUSB0 --scene held-ball");
    return [] { return print_rows(source_table()); };
}
std::function<int()> declare_outputs(CLI::App& app) {
    app.footer("Example:\n  glovebox outputs && glovebox replay grasp --haptics log");
    return [] { return print_rows(output_table()); };
}

}  // namespace glovebox::vr
