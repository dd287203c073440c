// Whether three.js is installed, which the page of `digest` contains.
#pragma once

#include <stdexcept>

#include "vr/export/digest.h"

namespace glovebox::vr {

inline bool has_three() {
    try {
        return !read_three_js().empty();
    } catch (const std::runtime_error&) {
        return false;
    }
}

}  // namespace glovebox::vr
