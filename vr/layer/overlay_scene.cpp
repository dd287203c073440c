#include "vr/layer/overlay_scene.h"

#include <stdexcept>

#include "vr/platform/library.h"

namespace glovebox::vr::layer {

std::unique_ptr<OverlayScene> open_overlay_scene(const std::string& name_or_path) {
    const auto open =
        reinterpret_cast<OpenSceneFunction>(function_of_library_beside("libglovebox_layer_scene.so", kOpenSceneName));
    std::string why;
    std::unique_ptr<OverlayScene> scene(open(name_or_path.c_str(), why));
    if (scene == nullptr) throw std::runtime_error(why);
    return scene;
}

}  // namespace glovebox::vr::layer
