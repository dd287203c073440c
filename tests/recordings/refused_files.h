// Real files that hold no hand recording, or one in an unsupported form, and the error message expected for each.
#pragma once

#include <algorithm>
#include <array>
#include <string_view>

namespace glovebox::recordings {

struct Refusal {
    std::string_view file, says;
};
inline constexpr std::array<Refusal, 4> kRefused = {{
    {"mediapipe_signify.csv", "no z"},
    {"ammarkov_102_01cc.bvh", "too few"},
    {"aria_wrist_palm.csv", "no fingers"},
    {"dexretargeting_human_joint_right.pkl", "never opened"},
}};

inline const Refusal* refusal_of(std::string_view file_name) {
    const auto found = std::ranges::find(kRefused, file_name, &Refusal::file);
    return found == kRefused.end() ? nullptr : &*found;
}

}  // namespace glovebox::recordings
