// The control flow of the descent on surface area (see descend() in point_set.h), shared by its SIMD and scalar
// versions.
#pragma once

#include <cstddef>

namespace glovebox::collision::kernels {

/// Box extents after each of six small rotations of a frame. Rotation 2 k is about the frame's axis k by a positive
/// angle, rotation 2 k + 1 by a negative one. `u` and `v` are the extents along axes k + 1 and k + 2. Two more lanes
/// fill a SIMD vector.
struct TurnSizes {
    static constexpr std::size_t kTurns = 6, kLanes = 8;
    alignas(32) float u[kLanes], v[kLanes];
};

/// Coefficients with which a lane of TurnSizes combines the projections p on the three axes, given the rotation's
/// cosine and sine:
/// u = cos p[k+1] +- sin p[k+2],  v = cos p[k+2] -+ sin p[k+1].
struct TurnLanes {
    float u_cos[3][TurnSizes::kLanes], u_sin[3][TurnSizes::kLanes];
    float v_cos[3][TurnSizes::kLanes], v_sin[3][TurnSizes::kLanes];
};
constexpr TurnLanes turn_lanes() {
    TurnLanes lanes{};
    for (std::size_t lane = 0; lane < TurnSizes::kLanes; ++lane) {
        const std::size_t k = lane < TurnSizes::kTurns ? lane / 2 : 2, i = (k + 1) % 3, j = (k + 2) % 3;
        const float sign = lane % 2 == 0 ? 1.0F : -1.0F;
        lanes.u_cos[i][lane] = lanes.v_cos[j][lane] = 1.0F;
        lanes.u_sin[j][lane] = sign;
        lanes.v_sin[i][lane] = -sign;
    }
    return lanes;
}
inline constexpr TurnLanes kTurnLanes = turn_lanes();

/// Rotates a frame in small steps as long as the area of its box shrinks. `p` are the projections on the three axes,
/// `axes` is the frame by column, and `size` the extents; all are rotated together. measure(step, sizes) measures the
/// six rotations of a step; turn(u, v, c, s) applies one.
template <class Measure, class Turn>
inline void descend_on(float* const p[3], float* axes, float* size, const float* cosines, const float* sines, int steps,
                       const Measure& measure, const Turn& turn) {
    // A rotation must reduce the area by more than rounding error could, or the descent might never end.
    constexpr float kMaxAreaRatio = 0.9999F;
    constexpr int kMaxRounds = 8;
    float area = size[0] * size[1] + (size[0] + size[1]) * size[2];
    for (int step = 0; step < steps; ++step) {
        for (int round = 0; round < kMaxRounds; ++round) {
            // All six rotations are measured before one is chosen, because six independent chains of arithmetic take
            // hardly longer than one.
            TurnSizes sizes;
            measure(step, sizes);
            std::size_t best = TurnSizes::kTurns;
            float best_area = kMaxAreaRatio * area;
            for (std::size_t t = 0; t < TurnSizes::kTurns; ++t) {
                const float turned_area = sizes.u[t] * sizes.v[t] + (sizes.u[t] + sizes.v[t]) * size[t / 2];
                if (!(turned_area < best_area)) continue;
                best_area = turned_area;
                best = t;
            }
            if (best == TurnSizes::kTurns) break;
            const std::size_t k = best / 2, i = (k + 1) % 3, j = (k + 2) % 3;
            const float c = cosines[step], s = best % 2 == 0 ? sines[step] : -sines[step];
            turn(p[i], p[j], c, s);
            for (std::size_t row = 0; row < 3; ++row) {
                const float a = axes[3 * i + row], b = axes[3 * j + row];
                axes[3 * i + row] = c * a + s * b;
                axes[3 * j + row] = c * b - s * a;
            }
            size[i] = sizes.u[best];
            size[j] = sizes.v[best];
            area = best_area;
        }
    }
}

}  // namespace glovebox::collision::kernels
