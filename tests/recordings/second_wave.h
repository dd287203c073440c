// Real recordings that are newer than the readers: some are read, some are refused. Tests on all real files pass them
// over, saying so; a test of their own looks at what is made of each.
#pragma once

#include <algorithm>
#include <array>
#include <cstdio>
#include <string_view>

namespace glovebox::recordings {

inline constexpr std::array<std::string_view, 10> kSecondWave = {"mediapipe_long.csv",
                                                                 "mediapipe_signify.csv",
                                                                 "mediapipe_wide_handnumber_made.csv",
                                                                 "openxr26_monado_fingers_train0_cut.csv",
                                                                 "ammarkov_102_01cc.bvh",
                                                                 "bvh_inches_pybvhml_3.bvh",
                                                                 "rokoko_DEFAULT.fbx",
                                                                 "libras_cyberglove_0.csv",
                                                                 "aria_wrist_palm.csv",
                                                                 "dexretargeting_human_joint_right.pkl"};

inline bool is_second_wave(std::string_view file_name) {
    return std::ranges::find(kSecondWave, file_name) != kSecondWave.end();
}

/// The same; says so.
inline bool passed_over(std::string_view file_name) {
    if (!is_second_wave(file_name)) return false;
    std::printf("passed over, newer than the readers: %.*s\n", static_cast<int>(file_name.size()), file_name.data());
    return true;
}

}  // namespace glovebox::recordings
