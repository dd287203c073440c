// Bounds of the distance, or of the time, between a query and a node's eight boxes or a block's four triangles. A query
// is rotated into the frame of the node, where the boxes are axis-aligned. Compiled for each instruction set of the
// including file; obb_tree_scalar.cpp computes the same one at a time, and its comments apply here too.
//
// A rough bound comes first: it takes fewer operations and excludes most boxes and triangles that are far.
#if defined(GLOVEBOX_QUERY_BOUNDS_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef GLOVEBOX_QUERY_BOUNDS_INL_H
#undef GLOVEBOX_QUERY_BOUNDS_INL_H
#else
#define GLOVEBOX_QUERY_BOUNDS_INL_H
#endif

#include <hwy/highway.h>

#include <cmath>
#include <limits>

#include "collision/mesh/advance.h"
#include "collision/mesh/obb_tree-inl.h"
#include "collision/mesh/triangles-inl.h"

HWY_BEFORE_NAMESPACE();
namespace glovebox::collision::HWY_NAMESPACE {
namespace {

struct Boxes {
    Vec3 low, high;
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

}  // namespace
}  // namespace glovebox::collision::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
