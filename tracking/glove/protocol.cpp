#include "tracking/glove/protocol.h"

#include <algorithm>
#include <array>

#include "tracking/glove/guided_poses.h"

namespace glovebox::tracking {
namespace {

constexpr std::array kProtocols = {
    GloveProtocol{"opengloves", "OpenGloves and LucidGloves, alpha encoding: a line of letters and numbers",
                  kOpenGlovesSensors, make_opengloves_decoder},
};

}  // namespace

std::span<const GloveProtocol> glove_protocols() {
    return kProtocols;
}

const GloveProtocol* find_glove_protocol(std::string_view name) {
    const auto entry = std::ranges::find(kProtocols, name, &GloveProtocol::name);
    return entry == kProtocols.end() ? nullptr : &*entry;
}

}  // namespace glovebox::tracking
