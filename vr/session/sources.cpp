#include "vr/session/sources.h"

#include <array>

namespace glovebox::vr {
namespace {

constexpr std::array kSources = {
    SourceRow{"file", "a recording, at its own time or another: glovebox replay LOG", "replay"},
    SourceRow{"synthetic", "a bundled recording, made by a script: glovebox replay NAME", "replay"},
    SourceRow{"headset", "both hands of an OpenXR headset: glovebox vr", "vr"},
    SourceRow{"glove", "a glove on a serial port, pty, pipe, connection or file: glovebox live DEVICE", "live"},
    SourceRow{"glove+headset", "fingers from a glove, wrist from the headset: glovebox vr --glove DEVICE", "vr"},
};

}  // namespace

std::span<const SourceRow> source_table() {
    return kSources;
}

}  // namespace glovebox::vr
