// Writes a hand model and poses in HOT3D's format: fingers lie along x and bend about -z, four joints of 20 mm each.
#pragma once

#include <sstream>
#include <string>

namespace glovebox::recordings {

inline std::string umetrack_profile() {
    std::ostringstream rest, axes, landmarks, bones, weights;
    for (int j = 0; j < 22; ++j) {
        const int finger = j / 4, k = j % 4;
        rest << (j ? "," : "") << "[" << (finger < 5 ? 80 + 20 * k : 0) << ",0," << (finger < 5 ? 40 - 20 * finger : 0)
             << "]";
        axes << (j ? "," : "") << "[0,0,-1]";
    }
    const auto landmark = [&](double x, double z, int bone) {
        const bool first = landmarks.str().empty();
        landmarks << (first ? "" : ",") << "[" << x << ",0," << z << "]";
        bones << (first ? "" : ",") << "[" << bone << ".0,0.0,0.0]";
        weights << (first ? "" : ",") << "[1,0,0]";
    };
    for (int f = 0; f < 5; ++f) landmark(160, 40 - 20 * f, 4 + 3 * f);  // tips
    landmark(0, 0, 1);                                                  // wrist
    for (int k = 2; k <= 3; ++k) landmark(80 + 20 * k, 40, 1 + k);      // thumb
    for (int f = 1; f < 5; ++f)
        for (int k = 1; k <= 3; ++k) landmark(80 + 20 * k, 40 - 20 * f, k == 1 ? 1 : k + 3 * f);
    landmark(50, 0, 1);  // palm
    return "{\"hand_model\":{\"joint_rest_positions\":[" + rest.str() + "],\"joint_rotation_axes\":[" + axes.str() +
           "],\"landmark_rest_positions\":[" + landmarks.str() + "],\"landmark_rest_bone_indices\":[" + bones.str() +
           "],\"landmark_rest_bone_weights\":[" + weights.str() + "]}}";
}

/// Writes both hands: `bend_rad` in the third joint of the index finger, the wrist at (1, 2, 3).
inline std::string umetrack_poses(int frames, double bend_rad) {
    std::ostringstream text;
    for (int i = 0; i < frames; ++i) {
        text << "{\"timestamp_ns\": " << 1'000'000'000LL + 33'000'000LL * i << ", \"hand_poses\": {";
        for (const char* side : {"0", "1"}) {
            text << (side[0] == '1' ? ", " : "") << "\"" << side
                 << "\": {\"wrist_xform\": {\"t_xyz\": [1, 2, 3], \"q_wxyz\": [1, 0, 0, 0]}, \"joint_angles\": [";
            for (int j = 0; j < 22; ++j) text << (j ? ", " : "") << (j == 6 ? bend_rad : 0.0);
            text << "], \"hand_confidence\": 1.0}";
        }
        text << "}}\n";
    }
    return text.str();
}

}  // namespace glovebox::recordings
