// From a headset to its frame and back, against the runtime of the environment: what our own code asks of the allocator
// and how often it locks a mutex, once warm. Prints "frames N touching N allocations N locks N".
#include <cstdio>

#include "scenes/scene.h"
#include "tests/watch_memory.h"
#include "vr/openxr/headset_source.h"
#include "vr/platform/platform.h"
#include "vr/session/pipeline.h"

#ifdef GLOVEBOX_OTHER_ALLOCATOR
int main() {
    std::puts("not watched: a sanitizer brings its own allocator");
}
#else
int main() {
    using namespace glovebox;
    constexpr int kWarmFrames = 200, kWatchedFrames = 100;
    vr::openxr::HeadsetSettings with;
    with.headless = true;
    vr::HeadsetSource source(with, 500.0);
    if (!source.attach(5.0, [] { return true; })) return 1;
    const scenes::Scene scene = scenes::load_scene("table-and-ball");
    vr::PipelineSettings settings;
    settings.profiles = source.facts().profiles;
    vr::Pipeline pipeline(scene, settings, vr::now_ns);
    int touching = 0, frames = 0;
    tracking::SourceFrame frame;
    const auto run = [&](int count) {
        for (int i = 0; i < count; ++i) {
            source.wait(vr::now_ns() + 20'000'000);
            if (source.next(vr::now_ns(), frame)) {
                touching += pipeline.frame(frame.raw, frame.dt_s).counts.touching > 0 ? 1 : 0;
                pipeline.close_frame();
                ++frames;
            }
            source.end_frame({});
        }
    };
    run(kWarmFrames);
    touching = frames = 0;
    tests::is_own_call();
    tests::only_own = true;
    tests::is_own_call();  // the unwinder asks for memory the first time
    tests::locked = 0;
    const std::uint64_t allocations = tests::allocations_during([&] { run(kWatchedFrames); });
    std::printf("frames %d touching %d allocations %llu locks %llu\n", frames, touching,
                static_cast<unsigned long long>(allocations), static_cast<unsigned long long>(tests::locked.load()));
    return 0;
}
#endif
