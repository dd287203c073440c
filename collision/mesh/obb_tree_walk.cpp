// Bounds of a node's eight boxes and a block's four triangles by SIMD, and the traversal that prunes by them. A query
// is rotated into the frame of each node that it opens, where the eight boxes are axis-aligned. Uses 128-bit vectors: a
// traversal is over before wider ones have powered up.
#include <algorithm>
#include <bit>
#include <cmath>

#include "collision/mesh/advance.h"
#include "collision/mesh/block_triangle.h"
#include "collision/mesh/bone_memory.h"
#include "collision/mesh/obb_tree.h"
#include "collision/query/bone.h"

// Compiled once for every instruction set that Highway knows here and picked at run time.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "collision/mesh/obb_tree_walk.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "collision/mesh/obb_tree-inl.h"

HWY_BEFORE_NAMESPACE();
namespace glovebox::collision::HWY_NAMESPACE {
namespace {

using Lanes = hn::CappedTag<float, 4>;
using V = hn::Vec<Lanes>;

struct Vec3 {
    V x, y, z;
};

HWY_INLINE V All(float value) {
    return hn::Set(Lanes(), value);
}
HWY_INLINE Vec3 All(const Eigen::Vector3f& v) {
    return {All(v.x()), All(v.y()), All(v.z())};
}
HWY_INLINE Vec3 All(Vec4 v) {
    alignas(16) float lane[4];
    v.To(lane);
    return {All(lane[0]), All(lane[1]), All(lane[2])};
}
HWY_INLINE Vec3 operator+(const Vec3& a, const Vec3& b) {
    return {hn::Add(a.x, b.x), hn::Add(a.y, b.y), hn::Add(a.z, b.z)};
}
HWY_INLINE Vec3 operator-(const Vec3& a, const Vec3& b) {
    return {hn::Sub(a.x, b.x), hn::Sub(a.y, b.y), hn::Sub(a.z, b.z)};
}
HWY_INLINE Vec3 operator*(const Vec3& a, V by) {
    return {hn::Mul(a.x, by), hn::Mul(a.y, by), hn::Mul(a.z, by)};
}
HWY_INLINE Vec3 Abs(const Vec3& a) {
    return {hn::Abs(a.x), hn::Abs(a.y), hn::Abs(a.z)};
}
HWY_INLINE Vec3 Min(const Vec3& a, const Vec3& b) {
    return {hn::Min(a.x, b.x), hn::Min(a.y, b.y), hn::Min(a.z, b.z)};
}
HWY_INLINE Vec3 Max(const Vec3& a, const Vec3& b) {
    return {hn::Max(a.x, b.x), hn::Max(a.y, b.y), hn::Max(a.z, b.z)};
}
HWY_INLINE Vec3 PlusScaled(const Vec3& a, const Vec3& b, V by) {
    return {hn::MulAdd(b.x, by, a.x), hn::MulAdd(b.y, by, a.y), hn::MulAdd(b.z, by, a.z)};
}
HWY_INLINE V Dot(const Vec3& a, const Vec3& b) {
    return hn::MulAdd(a.z, b.z, hn::MulAdd(a.y, b.y, hn::Mul(a.x, b.x)));
}
HWY_INLINE Vec3 Cross(const Vec3& a, const Vec3& b) {
    return {hn::NegMulAdd(a.z, b.y, hn::Mul(a.y, b.z)), hn::NegMulAdd(a.x, b.z, hn::Mul(a.z, b.x)),
            hn::NegMulAdd(a.y, b.x, hn::Mul(a.x, b.y))};
}
HWY_INLINE Vec3 Choose(hn::Mask<Lanes> mask, const Vec3& yes, const Vec3& no) {
    return {hn::IfThenElse(mask, yes.x, no.x), hn::IfThenElse(mask, yes.y, no.y), hn::IfThenElse(mask, yes.z, no.z)};
}
// Returns a unit vector, or a shorter one if the input is almost zero.
HWY_INLINE Vec3 Direction(const Vec3& v) {
    return v * hn::Div(All(1.0F), hn::Sqrt(hn::Max(Dot(v, v), All(1e-36F))));
}
HWY_INLINE V Largest(const Vec3& a) {
    return hn::Max(hn::Max(a.x, a.y), a.z);
}
HWY_INLINE unsigned BitsOf(hn::Mask<Lanes> mask) {
    alignas(8) std::uint8_t bytes[8] = {};
    hn::StoreMaskBits(Lanes(), mask, bytes);
    return bytes[0];
}
// Returns the squared distance of two boxes from their gaps along each axis.
HWY_INLINE V SquaredOf(const Vec3& gap) {
    const Vec3 out = Max(gap, All(Eigen::Vector3f::Zero()));
    return Dot(out, out);
}
HWY_INLINE V DistanceOf(const Vec3& gap) {
    return hn::Sqrt(SquaredOf(gap));
}

struct Boxes {
    Vec3 low, high;
};
struct Span {
    V low, high;
};
// Bounds of a distance.
struct Gap {
    V least, most;
};
// The bounds, and a direction from the triangle to the shape along which no corner of the triangle is higher than
// `high`.
struct GapAlong : Gap {
    Vec3 along;
    V high;
};
// The data of four triangles that a rough bound needs.
struct Faces {
    Vec3 corner[3], edge[3], across;

    HWY_INLINE Faces(const Vec3& p0, const Vec3& p1, const Vec3& p2)
        : corner{p0, p1, p2}, edge{p1 - p0, p2 - p1, p0 - p2}, across(Cross(edge[0], edge[1])) {}
    HWY_INLINE Vec3 Low() const { return Min(Min(corner[0], corner[1]), corner[2]); }
    HWY_INLINE Vec3 High() const { return Max(Max(corner[0], corner[1]), corner[2]); }
    HWY_INLINE Vec3 Normal() const { return Direction(across); }
    HWY_INLINE Span SpanAlong(const Vec3& along) const {
        const V a = Dot(corner[0], along), b = Dot(corner[1], along), c = Dot(corner[2], along);
        return {hn::Min(hn::Min(a, b), c), hn::Max(hn::Max(a, b), c)};
    }
};

class Triangles : public Faces {
  public:
    HWY_INLINE explicit Triangles(const Faces& faces) : Faces(faces) {
        for (std::size_t i = 0; i < 3; ++i) {
            inverse_edge2[i] = Inverse(Dot(edge[i], edge[i]));
            inward[i] = Cross(across, edge[i]);
        }
        const V across2 = Dot(across, across);
        inverse_across2 = Inverse(across2);
        // If two edges are less than 6 degrees apart, only edges are tested: the plane is inaccurate, and a distance to
        // it may be too small.
        flat = hn::Gt(hn::Mul(across2, hn::Mul(inverse_edge2[0], inverse_edge2[1])), All(1e-2F));
    }
    HWY_INLINE Vec3 Middle() const { return (corner[0] + corner[1] + corner[2]) * All(1.0F / 3.0F); }
    // Returns the nearest point: on the face if the point is above it, else on an edge.
    HWY_INLINE Vec3 NearestTo(const Vec3& point) const {
        auto above = flat;
        Vec3 nearest = {};
        V min2 = {};
        for (std::size_t i = 0; i < 3; ++i) {
            const Vec3 from = point - corner[i];
            above = hn::And(above, hn::Ge(Dot(inward[i], from), All(0.0F)));
            const V t = hn::Min(hn::Max(hn::Mul(Dot(from, edge[i]), inverse_edge2[i]), All(0.0F)), All(1.0F));
            const Vec3 on_edge = PlusScaled(corner[i], edge[i], t), away = point - on_edge;
            const V distance2 = Dot(away, away);
            const auto nearer = hn::Lt(distance2, min2);
            nearest = i == 0 ? on_edge : Choose(nearer, on_edge, nearest);
            min2 = i == 0 ? distance2 : hn::Min(distance2, min2);
        }
        const V height = hn::Mul(Dot(across, point - corner[0]), inverse_across2);
        return Choose(above, PlusScaled(point, across, hn::Neg(height)), nearest);
    }

  private:
    HWY_INLINE static V Inverse(V value) { return hn::Div(All(1.0F), hn::Max(value, All(1e-36F))); }

    Vec3 inward[3];
    V inverse_edge2[3], inverse_across2;
    hn::Mask<Lanes> flat;
};

// ---- the bounds of obb_tree_scalar.cpp, whose comments apply here too
//
// A rough bound comes first: it takes fewer operations and excludes most boxes and triangles that are far.

// Returns a square for comparing squared distances; -1 for a negative distance, below every square.
HWY_INLINE float SquareOf(float distance) {
    return distance < 0.0F ? -1.0F : distance * distance;
}

struct PointQuery {
    Eigen::Vector3f own;
    Vec3 point;

    HWY_INLINE explicit PointQuery(const Eigen::Vector3f& point_m) : own(point_m), point(All(point_m)) {}
    HWY_INLINE PointQuery In(const Turn& turn) const {
        PointQuery turned = *this;
        turned.point = All(turn * own.data());
        return turned;
    }
    HWY_INLINE V Rough(const Boxes& b) const { return SquaredOf(Max(b.low - point, point - b.high)); }
    HWY_INLINE V RoughLimit(float reach) const { return All(SquareOf(reach)); }
    HWY_INLINE V Bound(const Boxes& b) const { return DistanceOf(Max(b.low - point, point - b.high)); }
    HWY_INLINE Faces Of(const Faces& faces) const { return faces; }
    HWY_INLINE V Rough(const Faces& t) const { return DistanceOf(Max(t.Low() - point, point - t.High())); }
    HWY_INLINE Gap Reach(const Triangles& t, V rough) const {
        const Vec3 between = point - t.NearestTo(point);
        const V most = hn::Sqrt(Dot(between, between));
        const Vec3 away = Direction(between);
        return {hn::Max(rough, hn::Sub(Dot(away, point), t.SpanAlong(away).high)), most};
    }
};

struct ConeQuery {
    RoundCone own;
    float own_inverse_length2 = 0.0F, own_tilt = 0.0F, own_shrink = 1.0F;
    Vec3 a, b, along, low, high;
    V radius_a, radius_b, radius_max, inverse_length2, tilt, shrink;

    explicit ConeQuery(const RoundCone& cone) : own(cone) {
        const float length2 = (cone.b_m - cone.a_m).squaredNorm(), slope = cone.radius_b_m - cone.radius_a_m;
        if (length2 > std::numeric_limits<float>::min()) {
            own_inverse_length2 = 1.0F / length2;
            if (slope * slope < length2) {
                own_tilt = slope / length2;
                own_shrink = std::sqrt(1.0F - slope * slope / length2);
            }
        }
        Spread();
    }
    HWY_INLINE ConeQuery In(const Turn& turn) const {
        ConeQuery turned = *this;
        turned.Put(All(turn * own.a_m.data()), All(turn * own.b_m.data()));
        return turned;
    }
    HWY_INLINE void Put(const Vec3& at_a, const Vec3& at_b) {
        a = at_a;
        b = at_b;
        along = b - a;
        low = Min(a, b);
        high = Max(a, b);
    }
    HWY_INLINE void Spread() {
        Put(All(own.a_m), All(own.b_m));
        radius_a = All(own.radius_a_m);
        radius_b = All(own.radius_b_m);
        radius_max = hn::Max(radius_a, radius_b);
        inverse_length2 = All(own_inverse_length2);
        tilt = All(own_tilt);
        shrink = All(own_shrink);
    }
    // Returns the parameter of the axis point nearest to a point, 0 at a and 1 at b.
    HWY_INLINE V NearestTo(const Vec3& point_from_a) const {
        return hn::Min(hn::Max(hn::Mul(Dot(point_from_a, along), inverse_length2), All(0.0F)), All(1.0F));
    }
    // Returns the direction of a vector to the axis. If the vector ends between the ends of the axis, the direction is
    // tilted to the normal of the cone's side. Without the division a vector not quite across the axis would give a
    // result longer than 1.
    HWY_INLINE Vec3 DirectionOf(const Vec3& way, V s) const {
        const auto between = hn::And(hn::Gt(s, All(0.0F)), hn::Lt(s, All(1.0F)));
        const Vec3 away = PlusScaled(Direction(way) * hn::IfThenElse(between, shrink, All(1.0F)), along,
                                     hn::IfThenElseZero(between, tilt));
        return away * hn::Div(All(1.0F), hn::Sqrt(hn::Max(Dot(away, away), All(1.0F))));
    }
    HWY_INLINE V LowAlong(const Vec3& direction) const {
        return hn::Min(hn::Sub(Dot(direction, a), radius_a), hn::Sub(Dot(direction, b), radius_b));
    }
    HWY_INLINE V LowAgainst(const Vec3& direction) const {
        return hn::Neg(hn::Max(hn::Add(Dot(direction, a), radius_a), hn::Add(Dot(direction, b), radius_b)));
    }
    HWY_INLINE V Rough(const Boxes& box) const { return SquaredOf(Max(box.low - high, low - box.high)); }
    HWY_INLINE V RoughLimit(float reach) const { return All(SquareOf(reach + hn::GetLane(radius_max))); }
    HWY_INLINE V Bound(const Boxes& box) const {
        const V by_axes = hn::Sub(DistanceOf(Max(box.low - high, low - box.high)), radius_max);
        const Vec3 middle = (box.low + box.high) * All(0.5F), half = (box.high - box.low) * All(0.5F);
        const V s = NearestTo(middle - a);
        const Vec3 away = DirectionOf(PlusScaled(a - middle, along, s), s);
        return hn::Max(by_axes, hn::Sub(hn::Sub(LowAlong(away), Dot(away, middle)), Dot(half, Abs(away))));
    }
    HWY_INLINE Faces Of(const Faces& faces) const { return faces; }
    HWY_INLINE V Rough(const Faces& t) const {
        const Vec3 normal = t.Normal();
        const Span across = t.SpanAlong(normal);
        const V by_plane = hn::Max(hn::Sub(LowAlong(normal), across.high), hn::Add(across.low, LowAgainst(normal)));
        return hn::Max(hn::Sub(DistanceOf(Max(t.Low() - high, low - t.High())), radius_max), by_plane);
    }
    HWY_INLINE GapAlong Reach(const Triangles& t, V rough) const {
        // Alternating projection between axis and triangle; each pair of points bounds the gap from above, its
        // direction from below.
        V s = NearestTo(t.Middle() - a);
        Vec3 nearest = t.NearestTo(PlusScaled(a, along, s));
        s = NearestTo(nearest - a);
        nearest = t.NearestTo(PlusScaled(a, along, s));
        const Vec3 way = PlusScaled(a, along, s) - nearest;
        const V radius = hn::MulAdd(s, hn::Sub(radius_b, radius_a), radius_a);
        const V most = hn::Sub(hn::Sqrt(Dot(way, way)), radius);
        const Vec3 away = DirectionOf(way, s);
        const V top = t.SpanAlong(away).high;
        return {{hn::Max(rough, hn::Sub(LowAlong(away), top)), most}, away, top};
    }
};

// Bounds are times: the least time that the cone needs to come near.
struct MotionQuery : ConeQuery {
    MovingCone moving;
    float near_m;
    Vec3 speed_a, speed_b;

    MotionQuery(const MovingCone& bone, float so_near_m) : ConeQuery(bone.now), moving(bone), near_m(so_near_m) {
        SpreadSpeeds();
    }
    HWY_INLINE MotionQuery(const ConeQuery& turned_cone, const MovingCone& bone, float so_near_m)
        : ConeQuery(turned_cone), moving(bone), near_m(so_near_m) {
        SpreadSpeeds();
    }
    HWY_INLINE MotionQuery In(const Turn& turn) const {
        MotionQuery turned(ConeQuery::In(turn), moving, near_m);
        turned.speed_a = All(turn * moving.speed_a_m.data());
        turned.speed_b = All(turn * moving.speed_b_m.data());
        return turned;
    }
    HWY_INLINE void SpreadSpeeds() {
        speed_a = All(moving.speed_a_m);
        speed_b = All(moving.speed_b_m);
    }
    HWY_INLINE V RoughLimit(float reach) const { return All(reach); }
    // Returns the least time until an end at distance `gap` beyond a plane, receding at `away_speed`, reaches it.
    HWY_INLINE static V TimeTo(V gap, V away_speed, float change) {
        const V far = hn::Max(gap, All(0.0F)), speed = hn::Max(hn::Neg(away_speed), All(0.0F));
        const V root = hn::Add(speed, hn::Sqrt(hn::MulAdd(speed, speed, hn::Mul(far, All(2.0F * change)))));
        return hn::Div(hn::Add(far, far), hn::Max(root, All(1e-30F)));
    }
    // Returns the least time until the cone reaches a plane that it is beyond.
    HWY_INLINE V TimeAlong(const Vec3& away, V top) const {
        const V height = hn::Add(top, All(near_m));
        return hn::Min(TimeTo(hn::Sub(hn::Sub(Dot(away, a), radius_a), height), Dot(away, speed_a), moving.change_a_m),
                       TimeTo(hn::Sub(hn::Sub(Dot(away, b), radius_b), height), Dot(away, speed_b), moving.change_b_m));
    }
    // True if the cone certainly does not reach the plane before `until`. Computed without a square root.
    HWY_INLINE hn::Mask<Lanes> IsFree(const Vec3& away, V top, V until) const {
        const V height = hn::Add(top, All(near_m)), half_until2 = hn::Mul(All(0.5F), hn::Mul(until, until));
        const auto left = [&](const Vec3& end, V radius, const Vec3& speed, float change) {
            const V way = hn::MulAdd(hn::Min(Dot(away, speed), All(0.0F)), until, hn::Sub(Dot(away, end), radius));
            return hn::NegMulAdd(All(change), half_until2, hn::Sub(way, height));
        };
        return hn::Gt(
            hn::Min(left(a, radius_a, speed_a, moving.change_a_m), left(b, radius_b, speed_b, moving.change_b_m)),
            All(0.0F));
    }
    // Returns the direction from the box to the cone.
    HWY_INLINE Vec3 DirectionFrom(const Boxes& box) const {
        const Vec3 point = PlusScaled(a, along, NearestTo((box.low + box.high) * All(0.5F) - a));
        return Direction(point - Min(Max(point, box.low), box.high));
    }
    HWY_INLINE static V TopOf(const Boxes& box, const Vec3& away) {
        const Vec3 middle = (box.low + box.high) * All(0.5F), half = (box.high - box.low) * All(0.5F);
        return hn::Add(Dot(away, middle), Dot(Abs(away), half));
    }
    HWY_INLINE V Bound(const Boxes& box) const {
        const Vec3 away = DirectionFrom(box);
        return TimeAlong(away, TopOf(box, away));
    }
    HWY_INLINE hn::Mask<Lanes> MayBeWithin(const Boxes& box, V limit) const {
        const Vec3 away = DirectionFrom(box);
        return hn::Not(IsFree(away, TopOf(box, away), limit));
    }
    HWY_INLINE V Rough(const Faces&) const { return All(0.0F); }
    HWY_INLINE hn::Mask<Lanes> MayBeWithin(const Faces& t, V /*rough*/, V limit) const {
        const Vec3 normal = t.Normal();
        const Span across = t.SpanAlong(normal);
        const Vec3 other = All(Eigen::Vector3f::Zero()) - normal;
        return hn::Not(hn::Or(IsFree(normal, across.high, limit), IsFree(other, hn::Neg(across.low), limit)));
    }
    // Returns 0 if the bone may be near enough to touch the triangle. Also returns 0 if the gap along the direction
    // found is not most of the distance, which would cause many short steps.
    HWY_INLINE Gap Reach(const Triangles& t, V /*rough*/) const {
        const GapAlong gap = ConeQuery::Reach(t, All(-std::numeric_limits<float>::infinity()));
        const auto good = hn::Gt(gap.least, hn::Max(hn::Mul(gap.most, All(0.8F)), All(2.0F * near_m)));
        const V time = hn::IfThenElseZero(good, TimeAlong(gap.along, gap.high));
        return {time, time};
    }
};

struct CoreQuery {
    Obb own;
    Vec3 center, axes[3], abs_axes[3], half, reach;  // abs_axes: |axes|; reach: of the core along the frame's axes

    HWY_INLINE explicit CoreQuery(const Obb& core) : own(core) { Spread(); }
    HWY_INLINE CoreQuery In(const Turn& turn) const {
        CoreQuery turned = *this;
        turned.center = All(turn * own.center_m.data());
        Vec4 extent;
        for (int k = 0; k < 3; ++k) {
            const Vec4 axis = turn * (own.axes.data() + 3 * k), by_half = Abs(axis) * own.half_m.data()[k];
            turned.axes[k] = All(axis);
            turned.abs_axes[k] = Abs(turned.axes[k]);
            extent = k == 0 ? by_half : extent + by_half;
        }
        turned.reach = All(extent);
        return turned;
    }
    HWY_INLINE void Spread() {
        center = All(own.center_m);
        half = All(own.half_m);
        for (int k = 0; k < 3; ++k) {
            axes[k] = All(Eigen::Vector3f(own.axes.col(k)));
            abs_axes[k] = Abs(axes[k]);
        }
        reach =
            abs_axes[0] * All(own.half_m.x()) + abs_axes[1] * All(own.half_m.y()) + abs_axes[2] * All(own.half_m.z());
    }
    HWY_INLINE Vec3 InCore(const Vec3& v) const { return {Dot(axes[0], v), Dot(axes[1], v), Dot(axes[2], v)}; }
    HWY_INLINE V Rough(const Boxes& box) const {
        return Largest(Max(box.low - (center + reach), (center - reach) - box.high));
    }
    HWY_INLINE V RoughLimit(float reach_m) const { return All(reach_m); }
    HWY_INLINE V Bound(const Boxes& box) const {
        const Vec3 between = center - (box.low + box.high) * All(0.5F), size = (box.high - box.low) * All(0.5F);
        const Vec3 reach_of_box = {Dot(abs_axes[0], size), Dot(abs_axes[1], size), Dot(abs_axes[2], size)};
        return hn::Max(DistanceOf(Abs(between) - size - reach), DistanceOf(Abs(InCore(between)) - half - reach_of_box));
    }
    HWY_INLINE Faces Of(const Faces& faces) const {
        return {InCore(faces.corner[0] - center), InCore(faces.corner[1] - center), InCore(faces.corner[2] - center)};
    }
    HWY_INLINE V AlongNormal(const Faces& in) const {
        const Vec3 normal = in.Normal();
        const Span across = in.SpanAlong(normal);
        const V radius = Dot(Abs(normal), half);
        return hn::Max(hn::Sub(across.low, radius), hn::Neg(hn::Add(across.high, radius)));
    }
    HWY_INLINE Vec3 AlongAxes(const Faces& in) const {
        return Max(in.Low(), All(Eigen::Vector3f::Zero()) - in.High()) - half;
    }
    HWY_INLINE V Rough(const Faces& in) const { return hn::Max(DistanceOf(AlongAxes(in)), AlongNormal(in)); }
    HWY_INLINE Gap Reach(const Triangles& in, V rough) const {
        // Alternating projection between box and triangle.
        const Vec3 minus_half = All(Eigen::Vector3f::Zero()) - half;
        Vec3 in_box = Max(Min(in.Middle(), half), minus_half), nearest = in.NearestTo(in_box);
        in_box = Max(Min(nearest, half), minus_half);
        nearest = in.NearestTo(in_box);
        in_box = Max(Min(nearest, half), minus_half);
        const Vec3 way = nearest - in_box, away = Direction(way);
        const V by_direction = hn::Sub(in.SpanAlong(away).low, Dot(Abs(away), half));
        return {hn::Max(rough, by_direction), hn::Sqrt(Dot(way, way))};
    }
};

// Tests whether a core and the tree meet. For boxes and triangles alike, tests the axes of the core and of the mesh;
// for triangles also those across their planes. So if a triangle meets the core, every box around it does, and the
// result depends on the triangles alone.
struct OverlapQuery : CoreQuery {
    Vec3 mesh_axes[3], abs_mesh_axes[3];  // in the frame of the node; |mesh_axes|
    Vec3 reach_in_mesh;
    struct FacesHit : Faces {
        V along_mesh;
    };

    explicit OverlapQuery(const Obb& core) : CoreQuery(core), reach_in_mesh(reach) {}
    HWY_INLINE OverlapQuery(const CoreQuery& in_node, const Turn& turn, const Vec3& of_core)
        : CoreQuery(in_node), reach_in_mesh(of_core) {
        for (int k = 0; k < 3; ++k) {
            mesh_axes[k] = All(turn.column[k]);
            abs_mesh_axes[k] = Abs(mesh_axes[k]);
        }
    }
    HWY_INLINE OverlapQuery In(const Turn& turn) const { return {CoreQuery::In(turn), turn, reach}; }
    HWY_INLINE FacesHit Of(const Faces& faces) const {
        return {CoreQuery::Of(faces), Largest(Max(faces.Low() - (center + reach), (center - reach) - faces.High()))};
    }
    HWY_INLINE V Rough(const Boxes& box) const { return Bound(box); }
    HWY_INLINE V Rough(const FacesHit& in) const {
        return hn::Max(hn::Max(Largest(AlongAxes(in)), in.along_mesh), AlongNormal(in));
    }
    HWY_INLINE Gap Reach(const Faces&, V rough) const { return {rough, rough}; }
    HWY_INLINE V Bound(const Boxes& box) const {
        const Vec3 between = center - (box.low + box.high) * All(0.5F), size = (box.high - box.low) * All(0.5F);
        const Vec3 along_core = Abs(InCore(between)) - half - Along(abs_axes, size);
        const Vec3 along_mesh = Abs(Along(mesh_axes, between)) - reach_in_mesh - Along(abs_mesh_axes, size);
        return Largest(Max(along_core, along_mesh));
    }
    HWY_INLINE static Vec3 Along(const Vec3 (&of)[3], const Vec3& v) {
        return {Dot(of[0], v), Dot(of[1], v), Dot(of[2], v)};
    }
};

// ---- bounds of a node and of a block

HWY_INLINE V InSteps(const std::uint8_t* steps, float low_m, float step_m) {
    const Lanes d;
    const hn::Rebind<std::uint8_t, Lanes> bytes;
    const hn::Rebind<std::int32_t, Lanes> whole;
    const V number = hn::ConvertTo(d, hn::PromoteTo(whole, hn::LoadU(bytes, steps)));
    return hn::MulAdd(number, All(step_m), All(low_m));
}

HWY_INLINE Boxes LoadBoxes(const ObbTree::Node& node, std::size_t from) {
    const auto low = [&](std::size_t k) {
        return InSteps(node.low_steps[k].data() + from, node.low_m[k], node.step_m[k]);
    };
    const auto high = [&](std::size_t k) {
        return InSteps(node.high_steps[k].data() + from, node.low_m[k], node.step_m[k]);
    };
    return {{low(0), low(1), low(2)}, {high(0), high(1), high(2)}};
}

HWY_INLINE Faces LoadFaces(const ObbTree::Block& block, std::size_t from) {
    const Lanes d;
    const auto load = [&](std::size_t corner) {
        return Vec3{hn::LoadU(d, block.corner_m[corner][0] + from), hn::LoadU(d, block.corner_m[corner][1] + from),
                    hn::LoadU(d, block.corner_m[corner][2] + from)};
    };
    return {load(0), load(1), load(2)};
}

template <class Query>
HWY_INLINE hn::Mask<Lanes> MayBeWithin(const Query& query, const Boxes& boxes, V limit) {
    return hn::Not(hn::Gt(query.Rough(boxes), limit));
}
HWY_INLINE hn::Mask<Lanes> MayBeWithin(const MotionQuery& query, const Boxes& boxes, V limit) {
    return query.MayBeWithin(boxes, limit);
}
template <class Query, class FacesOf>
HWY_INLINE hn::Mask<Lanes> MayBeWithin(const Query&, const FacesOf&, V rough, V reach) {
    return hn::Not(hn::Gt(rough, reach));
}
HWY_INLINE hn::Mask<Lanes> MayBeWithin(const MotionQuery& query, const Faces& faces, V rough, V reach) {
    return query.MayBeWithin(faces, rough, reach);
}

// Writes bounds of a node's boxes to `bounds` as far as they are within reach; returns the mask of those and of
// NaN.
template <class Query>
HWY_INLINE unsigned BoundsOf(const ObbTree::Node& node, const Query& query, float reach, float* bounds) {
    const Lanes d;
    const Query in_node = query.In(TurnOf(node));
    const V limit = in_node.RoughLimit(reach);
    unsigned within = 0;
    for (std::size_t from = 0; from < ObbTree::kWidth; from += hn::Lanes(d)) {
        const Boxes b = LoadBoxes(node, from);
        const auto near = MayBeWithin(in_node, b, limit);
        if (hn::AllFalse(d, near)) continue;
        const V bound = in_node.Bound(b);
        hn::StoreU(bound, d, bounds + from);
        within |= BitsOf(hn::And(near, hn::Not(hn::Gt(bound, All(reach))))) << from;
    }
    return within;
}
// Does the same for four triangles.
template <class Query>
HWY_INLINE unsigned BoundsOf(const ObbTree::Block& block, const Query& query, float reach, BlockBounds& bounds) {
    const Lanes d;
    unsigned within = 0;
    for (std::size_t from = 0; from < ObbTree::kBlockTriangles; from += hn::Lanes(d)) {
        const auto faces = query.Of(LoadFaces(block, from));
        const V rough = query.Rough(faces);
        if (hn::AllFalse(d, MayBeWithin(query, faces, rough, All(reach)))) continue;
        const Gap gap = query.Reach(Triangles(faces), rough);
        hn::StoreU(gap.least, d, bounds.least.data() + from);
        hn::StoreU(gap.most, d, bounds.most.data() + from);
        within |= BitsOf(hn::Not(hn::Gt(gap.least, All(reach)))) << from;
    }
    return within;
}

// ---- the traversal

struct Waiting {
    std::int32_t child;
    float bound;
};

// A triangle that may be the nearest: visited at the end, unless something nearer has been found by then.
struct Pending {
    std::int32_t block;
    std::uint32_t lane;
    float least;
};
constexpr std::size_t kMaxPending = 64;

// More than nearly every bone reaches; larger lists are processed in pieces.
constexpr std::size_t kMaxPartsAtOnce = 32;

template <class Query>
class Walk {
  public:
    Walk(const ObbTree& tree, std::span<const TreePart> parts, const Query& query, float slack_m, double reach_m,
         MeshTreeCounts& counts, NearVisit visit)
        : tree_(tree),
          parts_(parts),
          query_(query),
          slack_m_(slack_m),
          reach_m_(reach_m),
          reach_(static_cast<float>(reach_m) + slack_m),
          counts_(counts),
          visit_(visit) {}

    // Finds the nearest triangle: every pair of points lowers the reach.
    void FindNearest() {
        Descend([&](std::int32_t number) {
            BlockBounds bounds;
            const unsigned within = BoundsOf(tree_.blocks()[static_cast<std::size_t>(number)], query_, reach_, bounds);
            for (unsigned bits = within; bits != 0; bits &= bits - 1)
                reach_ = std::min(reach_, bounds.most[static_cast<std::size_t>(std::countr_zero(bits))] + slack_m_);
            for (unsigned bits = within; bits != 0; bits &= bits - 1) {
                const auto lane = static_cast<std::uint32_t>(std::countr_zero(bits));
                if (bounds.least[lane] > reach_) continue;  // NaN stays
                if (pending_count_ == kMaxPending) VisitPending();
                pending_[pending_count_++] = {number, lane, bounds.least[lane]};
            }
        });
        VisitPending();
    }
    // Finds the least bound of a time. Visits a triangle itself only if its bound cannot be distinguished from
    // touching. Returns the least of the bounds and of the reaches that visits left.
    float FindFirst() {
        Descend([&](std::int32_t number) {
            BlockBounds bounds;
            for (unsigned within = BoundsOf(tree_.blocks()[static_cast<std::size_t>(number)], query_, reach_, bounds);
                 within != 0; within &= within - 1) {
                const auto lane = static_cast<std::uint32_t>(std::countr_zero(within));
                if (bounds.least[lane] > 0.0F)
                    reach_ = std::min(reach_, bounds.least[lane]);
                else
                    Visit(number, lane);
            }
        });
        return reach_;
    }
    void FindAll() {
        Descend([&](std::int32_t number) {
            BlockBounds bounds;
            for (unsigned within = BoundsOf(tree_.blocks()[static_cast<std::size_t>(number)], query_, reach_, bounds);
                 within != 0; within &= within - 1) {
                const auto lane = static_cast<std::uint32_t>(std::countr_zero(within));
                if (!(bounds.least[lane] > reach_)) Visit(number, lane);
            }
        });
    }
    // Keeps triangles within reach and at most keep_m farther than the nearest, each with its best separating
    // direction. False if that is too much: of a fine mesh a walk is as fast.
    bool Keep(float keep_m, NearTriangles& kept) {
        const float limit = reach_;
        float near = reach_;  // the nearest is no further
        found_count_ = 0;
        Descend([&](std::int32_t number) {
            const Lanes d;
            const ObbTree::Block& block = tree_.blocks()[static_cast<std::size_t>(number)];
            for (std::size_t from = 0; from < ObbTree::kBlockTriangles; from += hn::Lanes(d)) {
                const auto faces = query_.Of(LoadFaces(block, from));
                const V rough = query_.Rough(faces);
                if (hn::AllTrue(d, hn::Gt(rough, All(reach_)))) continue;
                const GapAlong gap = query_.Reach(Triangles(faces), rough);
                alignas(16) float values[6][4];
                hn::StoreU(gap.least, d, values[0]);
                hn::StoreU(gap.most, d, values[1]);
                hn::StoreU(gap.along.x, d, values[2]);
                hn::StoreU(gap.along.y, d, values[3]);
                hn::StoreU(gap.along.z, d, values[4]);
                hn::StoreU(gap.high, d, values[5]);
                for (std::size_t lane = 0; lane < hn::Lanes(d); ++lane) {
                    if (values[0][lane] > reach_ || block.triangle[from + lane] < 0) continue;
                    near = std::min(near, values[1][lane] + slack_m_);
                    reach_ = std::min(limit, near + keep_m);
                    if (found_count_ == kRoom) DropFar();
                    if (found_count_ == kRoom) {
                        reach_ = -std::numeric_limits<float>::infinity();
                        return;
                    }
                    found_[found_count_++] = {values[0][lane],
                                              {values[2][lane], values[3][lane], values[4][lane]},
                                              values[5][lane],
                                              static_cast<std::int32_t>(ObbTree::kBlockTriangles) * number +
                                                  static_cast<std::int32_t>(from + lane)};
                }
            }
        });
        kept.count = -1;
        if (reach_ < 0.0F && found_count_ == kRoom) return false;
        DropFar();
        kept.count = found_count_;
        kept.beyond_m = reach_ - slack_m_;
        for (std::int32_t i = 0; i < (found_count_ + 3) / 4 * 4; ++i) {
            NearTriangles::Four& four = kept.fours[static_cast<std::size_t>(i / 4)];
            const auto lane = static_cast<std::size_t>(i % 4);
            const Found& entry = found_[std::min(i, found_count_ - 1)];
            for (std::size_t k = 0; k < 3; ++k) four.along[k][lane] = entry.along[k];
            four.high[lane] = i < found_count_ ? entry.high : -std::numeric_limits<float>::infinity();
            four.at[lane] = entry.at;
        }
        return true;
    }

    // Returns true as soon as a triangle is within half the slack: then every box around it is within the whole slack.
    bool FindOverlap() {
        bool met = false;
        Descend([&](std::int32_t number) {
            BlockBounds bounds;
            met = BoundsOf(tree_.blocks()[static_cast<std::size_t>(number)], query_, 0.5F * slack_m_, bounds) != 0;
            if (!met) return;
            ++counts_.triangle_tests;
            reach_ = -std::numeric_limits<float>::infinity();
        });
        return met;
    }

  private:
    template <class Leaf>
    HWY_INLINE void Descend(const Leaf& leaf) {
        // All parts wait in one stack, the whole tree's nearest child on top. The boxes of other parts have been tested
        // in the descent: to test them again takes longer than what it excludes.
        Waiting stack[ObbTree::kMaxWaiting + kMaxPartsAtOnce * ObbTree::kWidth];
        std::span<const TreePart> left = parts_;
        while (!left.empty()) {
            std::size_t size = 0;
            for (const TreePart& part : left.first(std::min(left.size(), kMaxPartsAtOnce))) {
                const ObbTree::Node& node = tree_.nodes()[static_cast<std::size_t>(part.node)];
                if (part.node == 0)
                    Open(node, part.children, stack, 0, size);
                else
                    for (unsigned bits = part.children & ((1U << node.count) - 1U); bits != 0; bits &= bits - 1)
                        stack[size++] = {node.child[static_cast<std::size_t>(std::countr_zero(bits))],
                                         -std::numeric_limits<float>::infinity()};
            }
            left = left.subspan(std::min(left.size(), kMaxPartsAtOnce));
            while (size > 0) {
                const Waiting next = stack[--size];
                if (next.bound > reach_) continue;
                if (next.child >= 0)
                    Open(tree_.nodes()[static_cast<std::size_t>(next.child)], 0xFF, stack, size, size);
                else
                    leaf(~next.child);
            }
        }
    }
    // Pushes the children that may be within reach, the nearest on top.
    HWY_INLINE void Open(const ObbTree::Node& node, unsigned wanted, Waiting* stack, std::size_t bottom,
                         std::size_t& size) {
        alignas(16) float bounds[ObbTree::kWidth];
        wanted &= (1U << node.count) - 1U;
        counts_.box_tests += std::popcount(wanted);
        for (unsigned within = BoundsOf(node, query_, reach_, bounds) & wanted; within != 0; within &= within - 1) {
            const auto lane = static_cast<std::size_t>(std::countr_zero(within));
            std::size_t at = size++;
            for (; at > bottom && stack[at - 1].bound < bounds[lane]; --at) stack[at] = stack[at - 1];
            stack[at] = {node.child[lane], bounds[lane]};
        }
    }
    void Visit(std::int32_t number, std::uint32_t lane) {
        const ObbTree::Block& block = tree_.blocks()[static_cast<std::size_t>(number)];
        if (block.triangle[lane] < 0) return;
        ++counts_.triangle_tests;
        visit_.call(visit_.context, block, lane, reach_m_);
        reach_ = std::min(reach_, static_cast<float>(reach_m_) + slack_m_);
    }
    void VisitPending() {
        for (std::size_t i = 0; i < pending_count_; ++i)
            if (!(pending_[i].least > reach_)) Visit(pending_[i].block, pending_[i].lane);
        pending_count_ = 0;
    }

    // Drops found triangles that are beyond the reach by now.
    void DropFar() {
        std::int32_t left = 0;
        for (std::int32_t i = 0; i < found_count_; ++i)
            if (!(found_[i].least > reach_)) found_[left++] = found_[i];
        found_count_ = left;
    }

    const ObbTree& tree_;
    std::span<const TreePart> parts_;
    const Query& query_;
    float slack_m_;
    double reach_m_;
    float reach_;  // the least of reach_m_ and what was found since, plus slack_m_, so that rounding of
                   // bounds does not exclude the nearest triangle near the surface
    MeshTreeCounts& counts_;
    NearVisit visit_;
    std::size_t pending_count_ = 0;
    Pending pending_[kMaxPending];

    struct Found {
        float least, along[3], high;
        std::int32_t at;
    };
    static constexpr std::int32_t kRoom = NearTriangles::kMax;
    Found found_[kRoom];
    std::int32_t found_count_ = 0;
};

// Computes all bounds, then tests the triangle with the smallest one exactly, as long as a bound is within reach.
// Returns false if triangles other than the cached ones may be as near.
bool VisitCached(const ObbTree& tree, const ConeQuery& query, float slack_m, float moved_m, double& reach_m,
                 MeshTreeCounts& counts, NearVisit visit, BoneMemory& memory) {
    NearTriangles& kept = memory.triangles;
    const Lanes d;
    alignas(16) float bounds[NearTriangles::kMax];
    for (std::size_t i = 0; i < static_cast<std::size_t>(kept.count); i += 4) {
        const NearTriangles::Four& four = kept.fours[i / 4];
        for (std::size_t from = 0; from < 4; from += hn::Lanes(d)) {
            const Vec3 along = {hn::LoadU(d, four.along[0] + from), hn::LoadU(d, four.along[1] + from),
                                hn::LoadU(d, four.along[2] + from)};
            const V bound = hn::Sub(query.LowAlong(along), hn::LoadU(d, four.high + from));
            // A bound that is NaN (a mesh as large as float's range) excludes nothing: its triangle is tested.
            const V known = hn::IfThenElse(hn::Eq(bound, bound), bound, All(-std::numeric_limits<float>::infinity()));
            hn::StoreU(known, d, bounds + i + from);
        }
    }
    for (std::int32_t visited = 0; visited < kept.count; ++visited) {
        float* const least = std::min_element(bounds, bounds + kept.count);
        if (*least > static_cast<float>(reach_m) + slack_m) break;
        *least = std::numeric_limits<float>::infinity();
        const auto entry = static_cast<std::size_t>(least - bounds);
        NearTriangles::Four& four = kept.fours[entry / 4];
        const auto at = static_cast<std::size_t>(four.at[entry % 4]), lane = at % ObbTree::kBlockTriangles;
        const ObbTree::Block& block = tree.blocks()[at / ObbTree::kBlockTriangles];
        ++counts.triangle_tests;
        memory.along.setZero();
        visit.call(visit.context, block, lane, reach_m);
        const Eigen::Vector3f along = memory.along;
        if (along.x() == 0.0F && along.y() == 0.0F && along.z() == 0.0F) continue;
        float high = -std::numeric_limits<float>::infinity();
        for (const auto& corner_m : block.corner_m)
            high = std::max(
                high, along.x() * corner_m[0][lane] + along.y() * corner_m[1][lane] + along.z() * corner_m[2][lane]);
        for (std::size_t k = 0; k < 3; ++k) four.along[k][entry % 4] = along[static_cast<Eigen::Index>(k)];
        four.high[entry % 4] = high;
    }
    return kept.beyond_m - moved_m > static_cast<float>(reach_m) + slack_m;
}

// Fills the cache only where that pays: not if the bone moves fast, or if other triangles are so near that the cache
// would have to be filled again in the next frame.
constexpr float kKeep_m = 0.005F, kFast_m = 0.001F;
constexpr int kWalksBetween = 8, kWalksWhereMuchIsNear = 90;

void CachedCone(const ObbTree& tree, std::span<const TreePart> parts, const RoundCone& cone, float slack_m,
                float moved_m, double reach_m, MeshTreeCounts& counts, NearVisit visit, BoneMemory& memory) {
    const ConeQuery query(cone);
    NearTriangles& kept = memory.triangles;
    double reach = reach_m;
    if (kept.count >= 0 && moved_m < kept.beyond_m &&
        VisitCached(tree, query, slack_m, moved_m, reach, counts, visit, memory))
        return;
    const bool fast = moved_m > kFast_m && kept.count < 0;
    kept.count = -1;
    memory.cone = cone;
    if (fast || memory.walks_left > 0) {
        memory.walks_left = std::max(fast ? memory.turn : 0, memory.walks_left - 1);
        Walk(tree, parts, query, slack_m, reach, counts, visit).FindNearest();
        return;
    }
    reach = reach_m;
    if (!Walk(tree, parts, query, slack_m, reach_m, counts, visit).Keep(kKeep_m, kept)) {
        memory.walks_left = kWalksWhereMuchIsNear + memory.turn;
        Walk(tree, parts, query, slack_m, reach, counts, visit).FindNearest();
    } else if (!VisitCached(tree, query, slack_m, 0.0F, reach, counts, visit, memory)) {
        kept.count = -1;
        memory.walks_left = kWalksBetween;
        Walk(tree, parts, query, slack_m, reach, counts, visit).FindNearest();
    } else if (kept.beyond_m - static_cast<float>(reach) < kFast_m) {
        memory.walks_left = kWalksBetween;
    }
}

void NearestToPoint(const ObbTree& tree, const Eigen::Vector3f& point, float slack_m, double reach_m,
                    MeshTreeCounts& counts, NearVisit visit) {
    const PointQuery query(point);
    Walk(tree, kWholeTree, query, slack_m, reach_m, counts, visit).FindNearest();
}
void NearestToCone(const ObbTree& tree, std::span<const TreePart> parts, const RoundCone& cone, float slack_m,
                   double reach_m, MeshTreeCounts& counts, NearVisit visit) {
    const ConeQuery query(cone);
    Walk(tree, parts, query, slack_m, reach_m, counts, visit).FindNearest();
}
void NearestToCore(const ObbTree& tree, std::span<const TreePart> parts, const Obb& core, float slack_m, double reach_m,
                   MeshTreeCounts& counts, NearVisit visit) {
    const CoreQuery query(core);
    Walk(tree, parts, query, slack_m, reach_m, counts, visit).FindNearest();
}
float FirstHit(const ObbTree& tree, const MovingCone& bone, float near_m, double until, MeshTreeCounts& counts,
               NearVisit visit) {
    const MotionQuery query(bone, near_m);
    return Walk(tree, kWholeTree, query, 0.0F, until, counts, visit).FindFirst();
}
void AllNearCone(const ObbTree& tree, std::span<const TreePart> parts, const RoundCone& cone, float slack_m,
                 double reach_m, MeshTreeCounts& counts, NearVisit visit) {
    const ConeQuery query(cone);
    Walk(tree, parts, query, slack_m, reach_m, counts, visit).FindAll();
}
void AllNearCore(const ObbTree& tree, std::span<const TreePart> parts, const Obb& core, float slack_m, double reach_m,
                 MeshTreeCounts& counts, NearVisit visit) {
    const CoreQuery query(core);
    Walk(tree, parts, query, slack_m, reach_m, counts, visit).FindAll();
}

bool Meet(const ObbTree& tree, const Obb& box, float slack_m, MeshTreeCounts& counts) {
    const OverlapQuery query(box);
    return Walk(tree, kWholeTree, query, slack_m, 0.0, counts, {}).FindOverlap();
}

void NodePoint(const ObbTree::Node& node, const Eigen::Vector3f& point, float* bounds) {
    BoundsOf(node, PointQuery(point), std::numeric_limits<float>::infinity(), bounds);
}
void NodeCone(const ObbTree::Node& node, const RoundCone& cone, float* bounds) {
    BoundsOf(node, ConeQuery(cone), std::numeric_limits<float>::infinity(), bounds);
}
void NodeCore(const ObbTree::Node& node, const Obb& core, float* bounds) {
    BoundsOf(node, CoreQuery(core), std::numeric_limits<float>::infinity(), bounds);
}
void BlockPoint(const ObbTree::Block& block, const Eigen::Vector3f& point, BlockBounds& bounds) {
    BoundsOf(block, PointQuery(point), std::numeric_limits<float>::infinity(), bounds);
}
void BlockCone(const ObbTree::Block& block, const RoundCone& cone, BlockBounds& bounds) {
    BoundsOf(block, ConeQuery(cone), std::numeric_limits<float>::infinity(), bounds);
}
void BlockCore(const ObbTree::Block& block, const Obb& core, BlockBounds& bounds) {
    BoundsOf(block, CoreQuery(core), std::numeric_limits<float>::infinity(), bounds);
}

}  // namespace
}  // namespace glovebox::collision::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace glovebox::collision {
namespace {

HWY_EXPORT(NearestToPoint);
HWY_EXPORT(NearestToCone);
HWY_EXPORT(NearestToCore);
HWY_EXPORT(FirstHit);
HWY_EXPORT(CachedCone);
HWY_EXPORT(AllNearCone);
HWY_EXPORT(AllNearCore);
HWY_EXPORT(Meet);
HWY_EXPORT(NodePoint);
HWY_EXPORT(NodeCone);
HWY_EXPORT(NodeCore);
HWY_EXPORT(BlockPoint);
HWY_EXPORT(BlockCone);
HWY_EXPORT(BlockCore);

float size_of(const RoundCone& cone) {
    return cone.a_m.cwiseAbs().sum() + cone.b_m.cwiseAbs().sum() + std::abs(cone.radius_a_m) +
           std::abs(cone.radius_b_m);
}
float size_of(const Obb& box) {
    return box.axes.allFinite() ? box.center_m.cwiseAbs().sum() + box.half_m.cwiseAbs().sum()
                                : std::numeric_limits<float>::infinity();
}

}  // namespace

void find_nearest(const ObbTree& tree, const Eigen::Vector3f& point_m, double reach_m, MeshTreeCounts& counts,
                  NearVisit visit) {
    const float size_m = point_m.cwiseAbs().sum();
    if (!std::isfinite(size_m)) return;
    HWY_DYNAMIC_DISPATCH(NearestToPoint)(tree, point_m, rounding_m(tree, size_m), reach_m, counts, visit);
}
void find_nearest(const ObbTree& tree, std::span<const TreePart> parts, const RoundCone& cone, double reach_m,
                  MeshTreeCounts& counts, NearVisit visit) {
    const float size_m = size_of(cone);
    if (!std::isfinite(size_m)) return;
    HWY_DYNAMIC_DISPATCH(NearestToCone)(tree, parts, cone, rounding_m(tree, size_m), reach_m, counts, visit);
}
void find_nearest(const ObbTree& tree, std::span<const TreePart> parts, const Obb& core, double reach_m,
                  MeshTreeCounts& counts, NearVisit visit) {
    const float size_m = size_of(core);
    if (!std::isfinite(size_m)) return;
    HWY_DYNAMIC_DISPATCH(NearestToCore)(tree, parts, core, rounding_m(tree, size_m), reach_m, counts, visit);
}
namespace {

// How far any point of the shape has moved, at most; infinite for another shape.
float moved_m(const BoneMemory& memory, const RoundCone& cone) {
    if (memory.cone.radius_a_m != cone.radius_a_m || memory.cone.radius_b_m != cone.radius_b_m)
        return std::numeric_limits<float>::infinity();
    const float a2 = (memory.cone.a_m - cone.a_m).squaredNorm(), b2 = (memory.cone.b_m - cone.b_m).squaredNorm();
    return 1.0001F * std::sqrt(std::max(a2, b2));
}

}  // namespace

void find_nearest(const ObbTree& tree, std::span<const TreePart> parts, const RoundCone& cone, double reach_m,
                  MeshTreeCounts& counts, NearVisit visit, BoneMemory& memory) {
    const float size_m = size_of(cone);
    if (!std::isfinite(size_m)) return;
    HWY_DYNAMIC_DISPATCH(CachedCone)
    (tree, parts, cone, rounding_m(tree, size_m), moved_m(memory, cone), reach_m, counts, visit, memory);
}
float time_to_go(float distance_m, float speed_m, float change_m) {
    if (!(distance_m > 0.0F)) return 0.0F;
    const float speed = std::max(0.0F, speed_m);
    return 2.0F * distance_m / (speed + std::sqrt(speed * speed + 2.0F * change_m * distance_m));
}

float free_time(const ObbTree& tree, const MovingCone& bone, float gap_m, float until, MeshTreeCounts& counts) {
    const RoundCone& cone = bone.now;
    const float size_m = size_of(cone);
    if (!std::isfinite(size_m + bone.speed_a_m.sum() + bone.speed_b_m.sum())) return until;
    const float half_gap_m = 0.5F * gap_m;
    const RoundSegment segment = round_segment(cone);
    auto visit = [&](const ObbTree::Block& block, std::size_t lane, double& reach) {
        const SegmentTriangle found = closest(segment, triangle_at(block, lane));
        if (found.gap <= double{gap_m}) {
            reach = -std::numeric_limits<double>::infinity();
            return;
        }
        const Eigen::Vector3d away = (found.on_axis - found.on_triangle).normalized();
        const auto time_of = [&](const Eigen::Vector3d& end_m, double radius_m, const Eigen::Vector3f& speed_m,
                                 float change_m) {
            const double left_m = away.dot(end_m - found.on_triangle) - radius_m;
            return double{
                time_to_go(static_cast<float>(left_m) - half_gap_m, -away.cast<float>().dot(speed_m), change_m)};
        };
        reach = std::min({reach, time_of(segment.a, segment.radius_a, bone.speed_a_m, bone.change_a_m),
                          time_of(segment.b, segment.radius_b, bone.speed_b_m, bone.change_b_m)});
    };
    return std::max(0.0F, HWY_DYNAMIC_DISPATCH(FirstHit)(tree, bone, half_gap_m + rounding_m(tree, size_m),
                                                         double{until}, counts, NearVisit::of(visit)));
}
void find_all_near(const ObbTree& tree, std::span<const TreePart> parts, const RoundCone& cone, double reach_m,
                   MeshTreeCounts& counts, NearVisit visit) {
    const float size_m = size_of(cone);
    if (!std::isfinite(size_m)) return;
    HWY_DYNAMIC_DISPATCH(AllNearCone)(tree, parts, cone, rounding_m(tree, size_m), reach_m, counts, visit);
}
void find_all_near(const ObbTree& tree, std::span<const TreePart> parts, const Obb& core, double reach_m,
                   MeshTreeCounts& counts, NearVisit visit) {
    const float size_m = size_of(core);
    if (!std::isfinite(size_m)) return;
    HWY_DYNAMIC_DISPATCH(AllNearCore)(tree, parts, core, rounding_m(tree, size_m), reach_m, counts, visit);
}

bool meets(const ObbTree& tree, const Obb& box, MeshTreeCounts& counts) {
    const float size_m = size_of(box);
    return std::isfinite(size_m) && HWY_DYNAMIC_DISPATCH(Meet)(tree, box, rounding_m(tree, size_m), counts);
}

NodeBounds node_bounds(const ObbTree::Node& node, const Eigen::Vector3f& point_m) {
    NodeBounds bounds;
    HWY_DYNAMIC_DISPATCH(NodePoint)(node, point_m, bounds.data());
    return bounds;
}
NodeBounds node_bounds(const ObbTree::Node& node, const RoundCone& cone) {
    NodeBounds bounds;
    HWY_DYNAMIC_DISPATCH(NodeCone)(node, cone, bounds.data());
    return bounds;
}
NodeBounds node_bounds(const ObbTree::Node& node, const Obb& core) {
    NodeBounds bounds;
    HWY_DYNAMIC_DISPATCH(NodeCore)(node, core, bounds.data());
    return bounds;
}
BlockBounds block_bounds(const ObbTree::Block& block, const Eigen::Vector3f& point_m) {
    BlockBounds bounds;
    HWY_DYNAMIC_DISPATCH(BlockPoint)(block, point_m, bounds);
    return bounds;
}
BlockBounds block_bounds(const ObbTree::Block& block, const RoundCone& cone) {
    BlockBounds bounds;
    HWY_DYNAMIC_DISPATCH(BlockCone)(block, cone, bounds);
    return bounds;
}
BlockBounds block_bounds(const ObbTree::Block& block, const Obb& core) {
    BlockBounds bounds;
    HWY_DYNAMIC_DISPATCH(BlockCore)(block, core, bounds);
    return bounds;
}

}  // namespace glovebox::collision
#endif
