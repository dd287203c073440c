// The control flow of the descent, shared by its SIMD and its scalar form.
#pragma once

#include <cstddef>

namespace glovebox::collision::kernels {

/// `p`: projections on the three axes; `axes`: the frame, column by column; `size`: extents. All are turned together.
/// `both_turns(u, v, c, s, sizes)` measures the extents along u and v after a turn by +s (sizes[0], [1]) and by -s
/// (sizes[2], [3]); `turn(u, v, c, s)` makes one.
template <class BothTurns, class Turn>
inline void descend_on(float* const p[3], float* axes, float* size, const float* cosines, const float* sines, int steps,
                       const BothTurns& both_turns, const Turn& turn) {
    // A turn has to win by more than rounding could pretend, or the descent would wander for ever.
    constexpr float kWorthwhile = 0.9999F;
    constexpr int kMostRounds = 8;
    float area = size[0] * size[1] + (size[0] + size[1]) * size[2];
    for (int step = 0; step < steps; ++step) {
        const float c = cosines[step], s = sines[step];
        for (int round = 0; round < kMostRounds; ++round) {
            // All six turns are measured before one is chosen: six chains of arithmetic that do not wait for each other
            // take hardly longer than one.
            float sizes[3][4];
            for (int k = 0; k < 3; ++k) both_turns(p[(k + 1) % 3], p[(k + 2) % 3], c, s, sizes[k]);
            int best = -1;
            float best_area = kWorthwhile * area;
            for (int k = 0; k < 3; ++k)
                for (int back = 0; back < 2; ++back) {
                    const float u = sizes[k][2 * back], v = sizes[k][2 * back + 1];
                    const float turned_area = u * v + (u + v) * size[k];
                    if (!(turned_area < best_area)) continue;
                    best_area = turned_area;
                    best = 2 * k + back;
                }
            if (best < 0) break;
            const int k = best / 2, i = (k + 1) % 3, j = (k + 2) % 3;
            const float signed_s = best % 2 == 0 ? s : -s;
            turn(p[i], p[j], c, signed_s);
            for (int row = 0; row < 3; ++row) {
                const float a = axes[3 * i + row], b = axes[3 * j + row];
                axes[3 * i + row] = c * a + signed_s * b;
                axes[3 * j + row] = c * b - signed_s * a;
            }
            size[i] = sizes[k][best % 2 == 0 ? 0 : 2];
            size[j] = sizes[k][best % 2 == 0 ? 1 : 3];
            area = best_area;
        }
    }
}

}  // namespace glovebox::collision::kernels
