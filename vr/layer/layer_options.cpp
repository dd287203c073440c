#include "vr/layer/layer_options.h"

#include <cstdlib>

namespace glovebox::vr::layer {
namespace {

std::string variable(const char* name) {
    const char* value = std::getenv(name);
    return value == nullptr ? std::string() : std::string(value);
}

}  // namespace

LayerOptions options_from_environment() {
    LayerOptions options;
    options.record = variable(kRecord);
    options.replay = variable(kReplay);
    const std::string loop = variable(kLoop);
    options.loop = !loop.empty() && loop != "0";
    for (const tracking::Side side : tracking::kSides) options.glove[side] = variable(kGlove[side]);
    options.baud = variable(kGloveBaud);
    options.max_analog = variable(kGloveMaxAnalog);
    options.profile = variable(kProfile);
    options.see = variable(kSee);
    options.see_picture = variable(kSeePicture);
    return options;
}

}  // namespace glovebox::vr::layer
