// What a hand touches, in C++: what README.md shows.
#include <cstdio>

#include "recordings/load.h"
#include "scenes/step.h"

int main(int argc, char** argv) {
    using namespace glovebox;
    auto take = argc > 1 ? recordings::load(argv[1]) : recordings::sample_table().front().make();
    const scenes::Scene scene = scenes::load_scene("table-and-ball");
    scenes::World world(scene);
    for (tracking::HandPair& hands : take.samples) {
        for (const tracking::Side side : tracking::kSides) fill_radii(take.profiles[side], hands[side]);
        for (const scenes::Event& event : step(scene, world, hands, 1.0 / take.rate_hz()).events)
            if (event.kind == scenes::EventKind::touch_begin)
                std::printf("%.2f s: touches %s\n", 1e-9 * static_cast<double>(event.time_ns),
                            scene.objects[static_cast<std::size_t>(event.object)].name.c_str());
    }
}
