#include "vr/layer/layer_options.h"

#include <cstdlib>

namespace glovebox::vr::layer {
namespace {

std::string variable(const char* name) {
    const char* value = std::getenv(name);
    return value == nullptr ? std::string() : std::string(value);
}

bool is_on(const char* name) {
    const std::string value = variable(name);
    return !value.empty() && value != "0";
}

}  // namespace

LayerOptions options_from_environment() {
    LayerOptions options;
    options.record = variable(kRecord);
    options.replay = variable(kReplay);
    options.is_temporary = is_on(kTemporary);
    options.loop = is_on(kLoop);
    for (const tracking::Side side : tracking::kSides) options.glove[side] = variable(kGlove[side]);
    options.baud = variable(kGloveBaud);
    options.max_analog = variable(kGloveMaxAnalog);
    options.profile = variable(kProfile);
    options.see = variable(kSee);
    options.see_picture = variable(kSeePicture);
    return options;
}

}  // namespace glovebox::vr::layer
