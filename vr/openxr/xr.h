// Small helpers for OpenXR's C interface.
#pragma once

#include <openxr/openxr.h>

#include <string>

namespace glovebox::vr::openxr {

/// Returns an OpenXR structure with its type set and everything else zero.
template <typename T>
T made(XrStructureType type) {
    T out{};
    out.type = type;
    return out;
}

/// Returns the name of a result, such as "XR_ERROR_RUNTIME_UNAVAILABLE".
std::string text_of(XrResult result);

inline constexpr XrPosef kIdentityPose{{0, 0, 0, 1}, {0, 0, 0}};

}  // namespace glovebox::vr::openxr
