#include "tracking/source.h"

namespace glovebox::tracking {

std::string_view name_of(SourceState state) {
    constexpr std::array<std::string_view, 6> kStateNames = {"waiting", "live", "paused", "silent", "gone", "ended"};
    return kStateNames[static_cast<std::size_t>(state)];
}

}  // namespace glovebox::tracking
