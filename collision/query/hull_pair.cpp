// The queries of hull_pair.h. Only the scans for support points are compiled for several instruction sets. The rest
// calls code for the baseline set, which a processor runs at a third of its speed while the upper halves of its 512-bit
// vectors are in use.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "collision/query/hull_pair.cpp"
#include <hwy/foreach_target.h>
// The order matters: foreach_target must come first.
#include <hwy/highway.h>

#include <bit>
#include <limits>

#include "collision/query/convex.h"
#include "collision/query/hull_pair.h"

HWY_BEFORE_NAMESPACE();
namespace glovebox::collision::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

// Returns the number of the corner farthest along a direction.
std::int32_t FurthestCorner(const ConvexHull& hull, const Eigen::Vector3f& along_it) {
    const hn::CappedTag<float, ConvexHull::kColumnPadding> d;
    using Vec = hn::Vec<decltype(d)>;
    const std::size_t lanes = hn::Lanes(d), end = hull.columns(0).size();
    const float *xs = hull.columns(0).data(), *ys = hull.columns(1).data(), *zs = hull.columns(2).data();
    const Vec dx = hn::Set(d, along_it.x()), dy = hn::Set(d, along_it.y()), dz = hn::Set(d, along_it.z());
    const auto along = [&](std::size_t at) {
        return hn::MulAdd(hn::LoadU(d, zs + at), dz,
                          hn::MulAdd(hn::LoadU(d, ys + at), dy, hn::Mul(hn::LoadU(d, xs + at), dx)));
    };
    Vec best = along(0), block = hn::Zero(d);
    for (std::size_t at = lanes; at < end; at += lanes) {
        const Vec value = along(at);
        const auto better = hn::Gt(value, best);
        best = hn::Max(best, value);
        block = hn::IfThenElse(better, hn::Set(d, static_cast<float>(at)), block);
    }
    std::uint8_t bits[8] = {};
    hn::StoreMaskBits(d, hn::Eq(best, hn::MaxOfLanes(d, best)), bits);
    alignas(64) float blocks[ConvexHull::kColumnPadding];
    hn::Store(block, d, blocks);
    const auto lane = static_cast<std::size_t>(std::countr_zero(static_cast<std::uint32_t>(bits[0]) | 0x100U));
    if (lane >= lanes) return 0;  // NaN
    const auto corner = static_cast<std::int32_t>(blocks[lane]) + static_cast<std::int32_t>(lane);
    return corner < static_cast<std::int32_t>(hull.corners_m().size()) ? corner : 0;  // the padding repeats corner 0
}

std::array<std::int32_t, 2> FurthestCorners(const ConvexHull& a, const Eigen::Vector3f& along_a, const ConvexHull& b,
                                            const Eigen::Vector3f& along_b) {
    return {FurthestCorner(a, along_a), FurthestCorner(b, along_b)};
}

}  // namespace
}  // namespace glovebox::collision::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace glovebox::collision {

HWY_EXPORT(FurthestCorner);
HWY_EXPORT(FurthestCorners);

std::int32_t furthest_corner(const ConvexHull& hull, const Eigen::Vector3f& direction) {
    return HWY_DYNAMIC_DISPATCH(FurthestCorner)(hull, direction);
}

namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;

struct Hulls {
    const ConvexHull &a, &b;
    Matrix3d turn;
    Vector3d shift;
    float from_a[9];  // rows of the rotation's transpose, to bring directions to b's frame

    Hulls(const ConvexHull& hull_a, const ConvexHull& hull_b, const Eigen::Isometry3f& a_from_b)
        : a(hull_a), b(hull_b), turn(a_from_b.linear().cast<double>()), shift(a_from_b.translation().cast<double>()) {
        for (int row = 0; row < 3; ++row)
            for (int k = 0; k < 3; ++k) from_a[3 * row + k] = a_from_b.linear()(k, row);
    }
    SupportPoint made_of(std::int32_t corner_a, std::int32_t corner_b) const {
        SupportPoint point;
        point.a = a.corners_m()[static_cast<std::size_t>(corner_a)].cast<double>();
        point.w = point.a - (turn * b.corners_m()[static_cast<std::size_t>(corner_b)].cast<double>() + shift);
        point.corner_a = corner_a;
        point.corner_b = corner_b;
        return point;
    }
    std::array<std::int32_t, 2> furthest(const Vector3d& direction) const {
        const float x = static_cast<float>(direction.x()), y = static_cast<float>(direction.y()),
                    z = static_cast<float>(direction.z());
        const float bx = from_a[0] * x + from_a[1] * y + from_a[2] * z,
                    by = from_a[3] * x + from_a[4] * y + from_a[5] * z,
                    bz = from_a[6] * x + from_a[7] * y + from_a[8] * z;
        return HWY_DYNAMIC_DISPATCH(FurthestCorners)(a, {x, y, z}, b, {-bx, -by, -bz});
    }
    SupportPoint support(const Vector3d& direction) const {
        const auto [corner_a, corner_b] = furthest(direction);
        return made_of(corner_a, corner_b);
    }
};

void remember(const SupportPoint* points, int count, HullPairMemory& memory) {
    memory.count = count;
    for (std::size_t i = 0; i < static_cast<std::size_t>(count); ++i) {
        memory.corners_a[i] = points[i].corner_a;
        memory.corners_b[i] = points[i].corner_b;
    }
}

// Restores the corners of the last result in the new pose, as far as they are corners of these hulls.
void recall(const Hulls& hulls, const HullPairMemory& memory, Simplex& simplex) {
    const auto count_a = static_cast<std::int32_t>(hulls.a.corners_m().size()),
               count_b = static_cast<std::int32_t>(hulls.b.corners_m().size());
    for (std::size_t i = 0; i < static_cast<std::size_t>(std::clamp(memory.count, 0, 4)); ++i) {
        const std::int32_t corner_a = memory.corners_a[i], corner_b = memory.corners_b[i];
        if (corner_a < 0 || corner_a >= count_a || corner_b < 0 || corner_b >= count_b) continue;
        simplex.push(hulls.made_of(corner_a, corner_b));
    }
}

// Returns false if touching, flat or without progress; convex.h then computes the result.
bool closest_hulls(const ConvexHull& a, const ConvexHull& b, const Eigen::Isometry3f& a_from_b, HullPairMemory& memory,
                   ConvexPair& pair) {
    const Hulls hulls(a, b, a_from_b);
    const double size = a.radius_m() + b.radius_m();
    Simplex simplex;
    recall(hulls, memory, simplex);
    if (simplex.count == 0) {
        const Vector3d between = hulls.turn * b.middle_m().cast<double>() + hulls.shift - a.middle_m().cast<double>();
        simplex.push(hulls.support(between.squaredNorm() > 0.0 ? between : Vector3d(Vector3d::UnitX())));
    }
    double best2 = std::numeric_limits<double>::infinity();
    for (int iteration = 0; iteration < 64; ++iteration) {
        if (reduce(simplex)) {
            ExpandingPolytope polytope(size, 1e-6 * size);
            if (!polytope.start(simplex.points)) return false;
            pair = polytope.expand([hulls](const Vector3d& direction) { return hulls.support(direction); });
            if (polytope.tetrahedron(simplex.points)) remember(simplex.points.data(), 4, memory);
            return pair.distance < 0.0;
        }
        const Vector3d v = simplex.nearest();
        const double distance2 = v.squaredNorm();
        if (!(distance2 > 1e-18 * size * size && distance2 < std::numeric_limits<double>::infinity())) return false;
        const auto [corner_a, corner_b] = hulls.furthest(-v);
        bool nearest = distance2 >= best2;  // no more progress is possible
        for (std::size_t i = 0; i < static_cast<std::size_t>(simplex.count); ++i)
            nearest = nearest || (simplex.points[i].corner_a == corner_a && simplex.points[i].corner_b == corner_b);
        if (!nearest) {
            best2 = distance2;
            const SupportPoint point = hulls.made_of(corner_a, corner_b);
            nearest = distance2 - v.dot(point.w) <= 1e-9 * distance2;
            if (!nearest) simplex.push(point);
        }
        if (nearest) {
            pair = pair_at(simplex, v);
            remember(simplex.points.data(), simplex.count, memory);
            return true;
        }
    }
    return false;
}

}  // namespace

ConvexPair closest(const ConvexHull& a, const ConvexHull& b, const Eigen::Isometry3f& a_from_b,
                   HullPairMemory& memory) {
    ConvexPair pair;
    if (closest_hulls(a, b, a_from_b, memory, pair)) return pair;
    memory.count = 0;
    if (a_from_b.matrix().allFinite())
        return closest(ConvexCore(a, Eigen::Isometry3d::Identity()), ConvexCore(b, a_from_b.cast<double>()));
    return infinitely_far();
}

}  // namespace glovebox::collision
#endif
