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
    LayerOptions asked;
    asked.record = variable(kRecord);
    asked.replay = variable(kReplay);
    const std::string loop = variable(kLoop);
    asked.loop = !loop.empty() && loop != "0";
    for (const tracking::Side side : tracking::kSides) asked.glove[side] = variable(kGlove[side]);
    asked.baud = variable(kGloveBaud);
    asked.max_analog = variable(kGloveMaxAnalog);
    asked.profile = variable(kProfile);
    asked.see = variable(kSee);
    asked.see_picture = variable(kSeePicture);
    return asked;
}

}  // namespace glovebox::vr::layer
