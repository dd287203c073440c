#pragma once

#include <algorithm>
#include <vector>

namespace glovebox::tracking {

/// Returns the middle value, or of an even count the upper of the two middle ones; reorders the values, which must not
/// be empty.
inline float median(std::vector<float>& values) {
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    std::nth_element(values.begin(), middle, values.end());
    return *middle;
}

}  // namespace glovebox::tracking
