// The inner loops of point_set.h, once in SIMD (point_set_simd.cpp, dispatched at run time) and once in plain C++.
#pragma once

#include <cstddef>
#include <cstdint>

namespace glovebox::collision::kernels {

/// Points by component; `count` is a multiple of PointSet::kBlock and at least one block. Behind the first `distinct`
/// there are only repetitions of the last of them.
struct Points {
    const float *x, *y, *z;
    std::size_t count, distinct;
};

/// low[k], high[k] of axes column k (axes: 9 floats, column by column).
void ranges_simd(const Points& points, const float* axes, float* low, float* high);
void ranges_scalar(const Points& points, const float* axes, float* low, float* high);

/// A large triangle among the points: `corners[0]` is furthest from the first point, [1] furthest from [0], [2]
/// furthest from the line through both. Ties: the lowest number.
void triangle_simd(const Points& points, std::int32_t corners[3]);
void triangle_scalar(const Points& points, std::int32_t corners[3]);

/// Number of the first lowest and highest point along each fixed direction.
void extremes_simd(const Points& points, int directions, std::int32_t* lowest, std::int32_t* highest);
void extremes_scalar(const Points& points, int directions, std::int32_t* lowest, std::int32_t* highest);

/// The whole descent; see descend(). `axes` is turned in place; `cosines` and `sines` of the steps, widest first;
/// `scratch`: room for 3 * count floats.
void descend_simd(const Points& points, float* axes, const float* cosines, const float* sines, int steps,
                  float* scratch);
void descend_scalar(const Points& points, float* axes, const float* cosines, const float* sines, int steps,
                    float* scratch);

}  // namespace glovebox::collision::kernels
