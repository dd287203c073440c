// The inner loops of point_set.h, in SIMD (point_set_simd.cpp, dispatched at run time) and in plain C++.
#pragma once

#include <cstddef>
#include <cstdint>

namespace glovebox::collision::kernels {

/// Points by component. `count` is a multiple of PointSet::kBlock and at least one block. Points from index `distinct`
/// on repeat the one before it.
struct Points {
    const float *x, *y, *z;
    std::size_t count, distinct;
};

/// Computes the interval low[k], high[k] of the points along column k of `axes` (9 floats, by column).
void ranges_simd(const Points& points, const float* axes, float* low, float* high);
void ranges_scalar(const Points& points, const float* axes, float* low, float* high);

/// Finds a large triangle. corners[0] is farthest from the first point, [1] is farthest from [0], and [2] is farthest
/// from the line through both. In a tie, the lowest index is used.
void triangle_simd(const Points& points, std::int32_t corners[3]);
void triangle_scalar(const Points& points, std::int32_t corners[3]);

/// Finds the lowest and the highest point along each fixed direction; in a tie, the lowest index.
void extremes_simd(const Points& points, int directions, std::int32_t* lowest, std::int32_t* highest);
void extremes_scalar(const Points& points, int directions, std::int32_t* lowest, std::int32_t* highest);

/// Runs the whole descent; see descend(). Rotates `axes` in place. `cosines` and `sines` are those of the steps, the
/// largest step first. `scratch` must have room for 3 * count floats.
void descend_simd(const Points& points, float* axes, const float* cosines, const float* sines, int steps,
                  float* scratch);
void descend_scalar(const Points& points, float* axes, const float* cosines, const float* sines, int steps,
                    float* scratch);

}  // namespace glovebox::collision::kernels
