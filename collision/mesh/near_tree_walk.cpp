// Bounds of a node's eight boxes and a block's four triangles by the register, and the walk that prunes by them.
// Registers of 128 bits: they are always awake, and a frame is over before wider ones are.
#include <algorithm>
#include <bit>
#include <cmath>

#include "collision/mesh/near_tree.h"

// Compiled once for every instruction set that Highway knows here and picked at run time.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "collision/mesh/near_tree_walk.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace glovebox::collision::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;
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
// Of length one, or shorter where there is next to nothing to go by.
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
// Squared, from the origin to where all is as far along each axis.
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
// No further than `most`, no nearer than `least`.
struct Gap {
    V least, most;
};
// And a direction, from the triangle to the shape, along which no corner of the triangle is higher than `high`.
struct GapAlong : Gap {
    Vec3 along;
    V high;
};

// What a rough bound needs of four triangles.
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
        // Where two edges are less than 6 degrees apart only edges are asked: the plane has lost digits, and a distance
        // to it may come out too small.
        flat = hn::Gt(hn::Mul(across2, hn::Mul(inverse_edge2[0], inverse_edge2[1])), All(1e-2F));
    }
    HWY_INLINE Vec3 Middle() const { return (corner[0] + corner[1] + corner[2]) * All(1.0F / 3.0F); }
    // The nearest point: of the face where the point is above it, else of an edge.
    HWY_INLINE Vec3 NearestTo(const Vec3& point) const {
        auto above = flat;
        Vec3 nearest = {};
        V least2 = {};
        for (std::size_t i = 0; i < 3; ++i) {
            const Vec3 from = point - corner[i];
            above = hn::And(above, hn::Ge(Dot(inward[i], from), All(0.0F)));
            const V t = hn::Min(hn::Max(hn::Mul(Dot(from, edge[i]), inverse_edge2[i]), All(0.0F)), All(1.0F));
            const Vec3 on_edge = PlusScaled(corner[i], edge[i], t), away = point - on_edge;
            const V distance2 = Dot(away, away);
            const auto nearer = hn::Lt(distance2, least2);
            nearest = i == 0 ? on_edge : Choose(nearer, on_edge, nearest);
            least2 = i == 0 ? distance2 : hn::Min(distance2, least2);
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

// ---- what the scalar bounds of near_tree.cpp say, whose comments hold here too
//
// Before the bound, a rough one: fewer operations, which tell most boxes and triangles that are far.

// The square of a distance, for comparing squares; nothing is as near as a negative one.
HWY_INLINE float SquareOf(float distance) {
    return distance < 0.0F ? -1.0F : distance * distance;
}

struct PointQuery {
    Vec3 point;

    explicit PointQuery(const Eigen::Vector3f& point_m) : point(All(point_m)) {}
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
    Vec3 a, b, along, low, high;
    V radius_a, radius_b, radius_max, inverse_length2, tilt, shrink;

    explicit ConeQuery(const RoundCone& cone)
        : a(All(cone.a_m)),
          b(All(cone.b_m)),
          along(All(Eigen::Vector3f(cone.b_m - cone.a_m))),
          low(Min(a, b)),
          high(Max(a, b)),
          radius_a(All(cone.radius_a_m)),
          radius_b(All(cone.radius_b_m)),
          radius_max(hn::Max(radius_a, radius_b)),
          inverse_length2(All(0.0F)),
          tilt(All(0.0F)),
          shrink(All(1.0F)) {
        const float length2 = (cone.b_m - cone.a_m).squaredNorm(), slope = cone.radius_b_m - cone.radius_a_m;
        if (!(length2 > std::numeric_limits<float>::min())) return;
        inverse_length2 = All(1.0F / length2);
        if (!(slope * slope < length2)) return;
        tilt = All(slope / length2);
        shrink = All(std::sqrt(1.0F - slope * slope / length2));
    }
    // Where on the axis it is nearest to a point, 0 at a and 1 at b.
    HWY_INLINE V NearestTo(const Vec3& point_from_a) const {
        return hn::Min(hn::Max(hn::Mul(Dot(point_from_a, along), inverse_length2), All(0.0F)), All(1.0F));
    }
    // Of a way to the axis, tilted to stand on the cone's side where it ends between the ends. A way that is not quite
    // across the axis would come out longer than 1.
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
        // To and fro between axis and triangle; each pair of points bounds the gap from above, its direction from
        // below.
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

struct CoreQuery {
    Vec3 center, axes[3], turn[3], half, reach;  // turn: |axes|; reach: of the core along the mesh's axes

    explicit CoreQuery(const Obb& core) : center(All(core.center_m)), half(All(core.half_m)) {
        for (int k = 0; k < 3; ++k) {
            axes[k] = All(Eigen::Vector3f(core.axes.col(k)));
            turn[k] = Abs(axes[k]);
        }
        reach = All(Eigen::Vector3f(core.axes.cwiseAbs() * core.half_m));
    }
    HWY_INLINE Vec3 InCore(const Vec3& v) const { return {Dot(axes[0], v), Dot(axes[1], v), Dot(axes[2], v)}; }
    HWY_INLINE V Rough(const Boxes& box) const {
        return Largest(Max(box.low - (center + reach), (center - reach) - box.high));
    }
    HWY_INLINE V RoughLimit(float reach_m) const { return All(reach_m); }
    HWY_INLINE V Bound(const Boxes& box) const {
        const Vec3 between = center - (box.low + box.high) * All(0.5F), size = (box.high - box.low) * All(0.5F);
        const Vec3 reach_of_box = {Dot(turn[0], size), Dot(turn[1], size), Dot(turn[2], size)};
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
    HWY_INLINE V LowAlong(const Vec3& direction) const {
        const Vec3 in_core = {Dot(axes[0], direction), Dot(axes[1], direction), Dot(axes[2], direction)};
        return hn::Sub(Dot(direction, center), Dot(Abs(in_core), half));
    }
    HWY_INLINE GapAlong Reach(const Triangles& in, V rough) const {
        // To and fro between box and triangle.
        const Vec3 minus_half = All(Eigen::Vector3f::Zero()) - half;
        Vec3 in_box = Max(Min(in.Middle(), half), minus_half), nearest = in.NearestTo(in_box);
        in_box = Max(Min(nearest, half), minus_half);
        nearest = in.NearestTo(in_box);
        in_box = Max(Min(nearest, half), minus_half);
        const Vec3 way = nearest - in_box, away = Direction(way);
        const V low = in.SpanAlong(away).low, by_way = hn::Sub(low, Dot(Abs(away), half));
        const Vec3 to_core = All(Eigen::Vector3f::Zero()) - (axes[0] * away.x + axes[1] * away.y + axes[2] * away.z);
        return {{hn::Max(rough, by_way), hn::Sqrt(Dot(way, way))}, to_core, hn::Sub(Dot(to_core, center), low)};
    }
};

// Do the two meet? The same without roots: how far apart along the axis that shows most of it.
struct MeetQuery : CoreQuery {
    // Of a triangle the mesh's axes are asked as well, so that whatever meets is met by all boxes round it: then the
    // answer is the same wherever a walk begins.
    struct FacesMet : Faces {
        V along_mesh;
    };

    using CoreQuery::CoreQuery;
    HWY_INLINE FacesMet Of(const Faces& faces) const {
        return {CoreQuery::Of(faces), Largest(Max(faces.Low() - (center + reach), (center - reach) - faces.High()))};
    }
    HWY_INLINE V Rough(const Boxes& box) const { return CoreQuery::Rough(box); }
    HWY_INLINE V Rough(const FacesMet& in) const {
        return hn::Max(hn::Max(Largest(AlongAxes(in)), in.along_mesh), AlongNormal(in));
    }
    HWY_INLINE Gap Reach(const Faces&, V rough) const { return {rough, rough}; }
    HWY_INLINE V Bound(const Boxes& box) const {
        const Vec3 between = center - (box.low + box.high) * All(0.5F), size = (box.high - box.low) * All(0.5F);
        const Vec3 reach_of_box = {Dot(turn[0], size), Dot(turn[1], size), Dot(turn[2], size)};
        return Largest(Max(Abs(between) - size - reach, Abs(InCore(between)) - half - reach_of_box));
    }
};

// Which boxes reach into one of the mesh's frame?
struct WithinQuery {
    Vec3 low, high;

    explicit WithinQuery(const Aabb& box) : low(All(box.min_m)), high(All(box.max_m)) {}
    HWY_INLINE V Rough(const Boxes& box) const { return Largest(Max(box.low - high, low - box.high)); }
    HWY_INLINE V RoughLimit(float reach) const { return All(reach); }
    HWY_INLINE V Bound(const Boxes& box) const { return Rough(box); }
};

// ---- a node, a block

HWY_INLINE V InSteps(const std::uint8_t* steps, float low_m, float step_m) {
    const Lanes d;
    const hn::Rebind<std::uint8_t, Lanes> bytes;
    const hn::Rebind<std::int32_t, Lanes> whole;
    const V number = hn::ConvertTo(d, hn::PromoteTo(whole, hn::LoadU(bytes, steps)));
    return hn::MulAdd(number, All(step_m), All(low_m));
}

HWY_INLINE Boxes LoadBoxes(const NearTree::Node& node, std::size_t from) {
    const auto low = [&](std::size_t k) {
        return InSteps(node.low_steps[k].data() + from, node.low_m[k], node.step_m[k]);
    };
    const auto high = [&](std::size_t k) {
        return InSteps(node.high_steps[k].data() + from, node.low_m[k], node.step_m[k]);
    };
    return {{low(0), low(1), low(2)}, {high(0), high(1), high(2)}};
}

HWY_INLINE Faces LoadFaces(const NearTree::Block& block, std::size_t from) {
    const Lanes d;
    const auto load = [&](std::size_t corner) {
        return Vec3{hn::LoadU(d, block.corner_m[corner][0] + from), hn::LoadU(d, block.corner_m[corner][1] + from),
                    hn::LoadU(d, block.corner_m[corner][2] + from)};
    };
    return {load(0), load(1), load(2)};
}

HWY_INLINE Boxes LoadBoxes(const NearRegion& region, std::size_t from) {
    const Lanes d;
    const auto load = [&](const float(&of)[3][NearRegion::kMost]) {
        return Vec3{hn::LoadU(d, of[0] + from), hn::LoadU(d, of[1] + from), hn::LoadU(d, of[2] + from)};
    };
    return {load(region.low_m), load(region.high_m)};
}

// Bounds to `bounds` of eight boxes, from entry `at` on of a region or all of a node, as far as they are within reach;
// returns the bits of those, and of what is not a number.
template <class Query, class Of>
HWY_INLINE unsigned BoundsOf(const Of& boxes, std::size_t at, const Query& query, float reach, float* bounds) {
    const Lanes d;
    const V limit = query.RoughLimit(reach);
    unsigned within = 0;
    for (std::size_t from = 0; from < NearTree::kWidth; from += hn::Lanes(d)) {
        const Boxes b = LoadBoxes(boxes, at + from);
        const auto near = hn::Not(hn::Gt(query.Rough(b), limit));
        if (hn::AllFalse(d, near)) continue;
        const V bound = query.Bound(b);
        hn::StoreU(bound, d, bounds + from);
        within |= BitsOf(hn::And(near, hn::Not(hn::Gt(bound, All(reach))))) << from;
    }
    return within;
}
// The same of four triangles.
template <class Query>
HWY_INLINE unsigned BoundsOf(const NearTree::Block& block, const Query& query, float reach, BlockBounds& bounds) {
    const Lanes d;
    unsigned within = 0;
    for (std::size_t from = 0; from < NearTree::kBlockTriangles; from += hn::Lanes(d)) {
        const auto faces = query.Of(LoadFaces(block, from));
        const V rough = query.Rough(faces);
        const auto near = hn::Not(hn::Gt(rough, All(reach)));
        if (hn::AllFalse(d, near)) continue;
        const Gap gap = query.Reach(Triangles(faces), rough);
        hn::StoreU(gap.least, d, bounds.least.data() + from);
        hn::StoreU(gap.most, d, bounds.most.data() + from);
        within |= BitsOf(hn::Not(hn::Gt(gap.least, All(reach)))) << from;
    }
    return within;
}

// ---- the walk

constexpr std::size_t kStackSize = NearTree::kMostWaiting + NearRegion::kMost;

struct Waiting {
    std::int32_t child;
    float bound;
};

// A triangle that may be the nearest: shown when the walk is over, unless something nearer has been found by then.
struct Pending {
    std::int32_t block;
    std::uint32_t lane;
    float least;
};
constexpr std::size_t kMostPending = 64;

template <class Query>
class Walk {
  public:
    Walk(const NearTree& tree, const NearRegion* region, const Query& query, float slack_m, double reach_m,
         MeshTreeCounts& counts, NearVisit visit)
        : tree_(tree),
          region_(region),
          query_(query),
          slack_m_(slack_m),
          reach_m_(reach_m),
          reach_(static_cast<float>(reach_m) + slack_m),
          counts_(counts),
          visit_(visit) {}

    // Only the nearest is wanted: any pair of points lowers the reach.
    void FindNearest() {
        Descend([&](std::int32_t number) {
            BlockBounds bounds;
            const unsigned within = BoundsOf(tree_.blocks()[static_cast<std::size_t>(number)], query_, reach_, bounds);
            for (unsigned bits = within; bits != 0; bits &= bits - 1)
                reach_ = std::min(reach_, bounds.most[static_cast<std::size_t>(std::countr_zero(bits))] + slack_m_);
            for (unsigned bits = within; bits != 0; bits &= bits - 1) {
                const auto lane = static_cast<std::uint32_t>(std::countr_zero(bits));
                if (bounds.least[lane] > reach_) continue;  // what is not a number stays
                if (pending_count_ == kMostPending) ShowPending();
                pending_[pending_count_++] = {number, lane, bounds.least[lane]};
            }
        });
        ShowPending();
    }
    void FindAll() {
        Descend([&](std::int32_t number) {
            BlockBounds bounds;
            for (unsigned within = BoundsOf(tree_.blocks()[static_cast<std::size_t>(number)], query_, reach_, bounds);
                 within != 0; within &= within - 1) {
                const auto lane = static_cast<std::uint32_t>(std::countr_zero(within));
                if (!(bounds.least[lane] > reach_)) Show(number, lane);
            }
        });
    }

    // True as soon as a triangle is within half the slack: then no box round it is without the whole.
    bool FindMet() {
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
    void FindBlocks(NearBlocks& kept) {
        kept.count = 0;
        Descend([&](std::int32_t number) {
            if (kept.count == NearBlocks::kMost) reach_ = -std::numeric_limits<float>::infinity();
            if (kept.count < NearBlocks::kMost) kept.block[static_cast<std::size_t>(kept.count++)] = number;
        });
        if (reach_ < 0.0F) kept.count = -1;
    }

  private:
    template <class Leaf>
    HWY_INLINE void Descend(const Leaf& leaf) {
        const NearTree::Node* const nodes = tree_.nodes().data();
        Waiting stack[kStackSize];
        std::size_t size = 0;
        alignas(16) float bounds[NearTree::kWidth];
        // Those children that may be within reach, the nearest on top.
        const auto push = [&](unsigned within, const std::int32_t* children, std::size_t bottom) {
            for (; within != 0; within &= within - 1) {
                const auto lane = static_cast<std::size_t>(std::countr_zero(within));
                const std::int32_t next = children[lane];
                std::size_t at = size++;
                for (; at > bottom && stack[at - 1].bound < bounds[lane]; --at) stack[at] = stack[at - 1];
                stack[at] = {next, bounds[lane]};
            }
        };
        const auto open = [&](std::int32_t number) {
            const NearTree::Node& node = nodes[number];
            counts_.box_tests += node.count;
            push(BoundsOf(node, 0, query_, reach_, bounds) & ((1U << node.count) - 1U), node.child.data(), size);
        };
        if (region_ == nullptr) stack[size++] = {0, -std::numeric_limits<float>::infinity()};
        for (std::size_t from = 0; region_ != nullptr && from < region_->count; from += NearTree::kWidth) {
            const std::size_t entries = std::min(NearTree::kWidth, region_->count - from);
            counts_.box_tests += static_cast<std::int64_t>(entries);
            push(BoundsOf(*region_, from, query_, reach_, bounds) & ((1U << entries) - 1U), region_->child + from, 0);
        }
        while (size > 0) {
            const Waiting next = stack[--size];
            if (next.bound > reach_) continue;
            if (next.child >= 0)
                open(next.child);
            else
                leaf(~next.child);
        }
    }
    void Show(std::int32_t number, std::uint32_t lane) {
        const NearTree::Block& block = tree_.blocks()[static_cast<std::size_t>(number)];
        if (block.triangle[lane] < 0) return;
        ++counts_.triangle_tests;
        visit_.call(visit_.context, block, lane, reach_m_);
        reach_ = std::min(reach_, static_cast<float>(reach_m_) + slack_m_);
    }
    void ShowPending() {
        for (std::size_t i = 0; i < pending_count_; ++i)
            if (!(pending_[i].least > reach_)) Show(pending_[i].block, pending_[i].lane);
        pending_count_ = 0;
    }

    const NearTree& tree_;
    const NearRegion* region_;
    const Query& query_;
    float slack_m_;
    double reach_m_;
    float reach_;  // of reach_m_ and of what has been found since. Bounds may be too large by their rounding: near the
                   // surface that must not cut the nearest triangle off.
    MeshTreeCounts& counts_;
    NearVisit visit_;
    std::size_t pending_count_ = 0;
    Pending pending_[kMostPending];
};

void NearestToPoint(const NearTree& tree, const Eigen::Vector3f& point, float slack_m, double reach_m,
                    MeshTreeCounts& counts, NearVisit visit) {
    const PointQuery query(point);
    Walk(tree, nullptr, query, slack_m, reach_m, counts, visit).FindNearest();
}
void NearestToCone(const NearTree& tree, const NearRegion* region, const RoundCone& cone, float slack_m, double reach_m,
                   MeshTreeCounts& counts, NearVisit visit) {
    const ConeQuery query(cone);
    Walk(tree, region, query, slack_m, reach_m, counts, visit).FindNearest();
}
void NearestToCore(const NearTree& tree, const NearRegion* region, const Obb& core, float slack_m, double reach_m,
                   MeshTreeCounts& counts, NearVisit visit) {
    const CoreQuery query(core);
    Walk(tree, region, query, slack_m, reach_m, counts, visit).FindNearest();
}
void AllNearCone(const NearTree& tree, const NearRegion* region, const RoundCone& cone, float slack_m, double reach_m,
                 MeshTreeCounts& counts, NearVisit visit) {
    const ConeQuery query(cone);
    Walk(tree, region, query, slack_m, reach_m, counts, visit).FindAll();
}
void AllNearCore(const NearTree& tree, const NearRegion* region, const Obb& core, float slack_m, double reach_m,
                 MeshTreeCounts& counts, NearVisit visit) {
    const CoreQuery query(core);
    Walk(tree, region, query, slack_m, reach_m, counts, visit).FindAll();
}
bool Meet(const NearTree& tree, const NearRegion* region, const Obb& box, float slack_m, MeshTreeCounts& counts) {
    const MeetQuery query(box);
    return Walk(tree, region, query, slack_m, 0.0, counts, {}).FindMet();
}

// ---- what is kept

void FindBlocks(const NearTree& tree, const NearRegion* region, const Aabb& around, float slack_m,
                MeshTreeCounts& counts, NearBlocks& kept) {
    const WithinQuery query(around);
    Walk(tree, region, query, slack_m, 0.0, counts, {}).FindBlocks(kept);
}

template <class Query>
HWY_INLINE void FindNear(const NearTree& tree, const NearBlocks& blocks, const Query& query, float slack_m,
                         double reach_m, float keep_m, NearTriangles& kept) {
    constexpr std::int32_t kRoom = 2 * NearTriangles::kMost, kLanes = NearTree::kBlockTriangles;
    struct Found {
        float least, along[3], high;
        std::int32_t at;
    };
    Found found[kRoom];
    std::int32_t count = 0;
    float reach = static_cast<float>(reach_m) + slack_m, dropped = std::numeric_limits<float>::infinity();
    const auto drop_far = [&] {
        std::int32_t left = 0;
        for (std::int32_t i = 0; i < count; ++i)
            if (!(found[i].least > reach + keep_m)) found[left++] = found[i];
        count = left;
    };
    // The nearest first; what there is no room for is known to be no nearer than the first of it.
    const auto sort_and_cut = [&] {
        for (std::int32_t i = 1; i < count; ++i) {
            const Found entry = found[i];
            std::int32_t at = i;
            for (; at > 0 && found[at - 1].least > entry.least; --at) found[at] = found[at - 1];
            found[at] = entry;
        }
        if (count <= NearTriangles::kMost) return;
        dropped = std::min(dropped, found[NearTriangles::kMost].least);
        count = NearTriangles::kMost;
    };
    const Lanes d;
    for (std::int32_t i = 0; i < blocks.count; ++i) {
        const std::int32_t number = blocks.block[static_cast<std::size_t>(i)];
        const NearTree::Block& block = tree.blocks()[static_cast<std::size_t>(number)];
        for (std::int32_t from = 0; from < kLanes; from += static_cast<std::int32_t>(hn::Lanes(d))) {
            const auto faces = query.Of(LoadFaces(block, static_cast<std::size_t>(from)));
            const V rough = query.Rough(faces);
            if (hn::AllTrue(d, hn::Gt(rough, All(reach + keep_m)))) continue;
            const GapAlong gap = query.Reach(Triangles(faces), rough);
            alignas(16) float values[6][4];
            hn::StoreU(gap.least, d, values[0]);
            hn::StoreU(gap.most, d, values[1]);
            hn::StoreU(gap.along.x, d, values[2]);
            hn::StoreU(gap.along.y, d, values[3]);
            hn::StoreU(gap.along.z, d, values[4]);
            hn::StoreU(gap.high, d, values[5]);
            for (std::size_t lane = 0; lane < hn::Lanes(d); ++lane) {
                const std::int32_t in_block = from + static_cast<std::int32_t>(lane);
                if (values[0][lane] > reach + keep_m || block.triangle[static_cast<std::size_t>(in_block)] < 0)
                    continue;
                reach = std::min(reach, values[1][lane] + slack_m);
                if (count == kRoom) drop_far();
                if (count == kRoom) sort_and_cut();
                found[count++] = {values[0][lane],
                                  {values[2][lane], values[3][lane], values[4][lane]},
                                  values[5][lane],
                                  kLanes * number + in_block};
            }
        }
    }
    drop_far();
    sort_and_cut();
    kept.count = count;
    kept.beyond_m = std::min(reach + keep_m, dropped);
    // What is not a number is as near as can be.
    kept.least_m = std::numeric_limits<float>::infinity();
    for (std::int32_t i = 0; i < count; ++i)
        if (!(found[i].least >= kept.least_m))
            kept.least_m = std::isnan(found[i].least) ? -std::numeric_limits<float>::infinity() : found[i].least;
    for (std::int32_t i = 0; i < (count + 3) / 4 * 4; ++i) {
        NearTriangles::Four& four = kept.fours[static_cast<std::size_t>(i / 4)];
        const auto lane = static_cast<std::size_t>(i % 4);
        const Found& entry = found[std::min(i, count - 1)];
        for (std::size_t k = 0; k < 3; ++k) four.along[k][lane] = entry.along[k];
        four.high[lane] = i < count ? entry.high : -std::numeric_limits<float>::infinity();
        four.at[lane] = entry.at;
    }
}

// Bounds first, then the triangle of the least, as long as one is within reach: seldom more are asked than are as near.
template <class Query>
HWY_INLINE bool ShowNear(const NearTree& tree, NearTriangles& kept, const Query& query, float slack_m, float moved_m,
                         double& reach_m, MeshTreeCounts& counts, NearVisit visit) {
    const Lanes d;
    alignas(16) float bounds[NearTriangles::kMost];
    for (std::size_t i = 0; i < static_cast<std::size_t>(kept.count); i += 4) {
        const NearTriangles::Four& four = kept.fours[i / 4];
        for (std::size_t from = 0; from < 4; from += hn::Lanes(d)) {
            const Vec3 along = {hn::LoadU(d, four.along[0] + from), hn::LoadU(d, four.along[1] + from),
                                hn::LoadU(d, four.along[2] + from)};
            const V bound = hn::Sub(query.LowAlong(along), hn::LoadU(d, four.high + from));
            // What is not a number, of a mesh as large as float, is asked.
            const V known = hn::IfThenElse(hn::Eq(bound, bound), bound, All(-std::numeric_limits<float>::infinity()));
            hn::StoreU(known, d, bounds + i + from);
        }
    }
    for (std::int32_t asked = 0; asked < kept.count; ++asked) {
        float* const least = std::min_element(bounds, bounds + kept.count);
        if (*least > static_cast<float>(reach_m) + slack_m) break;
        *least = std::numeric_limits<float>::infinity();
        const auto entry = static_cast<std::size_t>(least - bounds);
        NearTriangles::Four& four = kept.fours[entry / 4];
        const auto at = static_cast<std::size_t>(four.at[entry % 4]), lane = at % NearTree::kBlockTriangles;
        const NearTree::Block& block = tree.blocks()[at / NearTree::kBlockTriangles];
        ++counts.triangle_tests;
        const Eigen::Vector3f along = visit.call(visit.context, block, lane, reach_m);
        if (along.isZero(0.0F)) continue;
        const auto height = [&](std::size_t i) {
            const auto& corner_m = block.corner_m[i];
            return along.x() * corner_m[0][lane] + along.y() * corner_m[1][lane] + along.z() * corner_m[2][lane];
        };
        for (std::size_t k = 0; k < 3; ++k) four.along[k][entry % 4] = along[static_cast<Eigen::Index>(k)];
        four.high[entry % 4] = std::max({height(0), height(1), height(2)});
    }
    return kept.beyond_m - moved_m > static_cast<float>(reach_m) + slack_m;
}
bool ShowNearCone(const NearTree& tree, NearTriangles& kept, const RoundCone& cone, float slack_m, float moved_m,
                  double& reach_m, MeshTreeCounts& counts, NearVisit visit) {
    return ShowNear(tree, kept, ConeQuery(cone), slack_m, moved_m, reach_m, counts, visit);
}
bool ShowNearCore(const NearTree& tree, NearTriangles& kept, const Obb& core, float slack_m, float moved_m,
                  double& reach_m, MeshTreeCounts& counts, NearVisit visit) {
    return ShowNear(tree, kept, CoreQuery(core), slack_m, moved_m, reach_m, counts, visit);
}
void FindNearCone(const NearTree& tree, const NearBlocks& blocks, const RoundCone& cone, float slack_m, double reach_m,
                  float keep_m, NearTriangles& kept) {
    FindNear(tree, blocks, ConeQuery(cone), slack_m, reach_m, keep_m, kept);
}
void FindNearCore(const NearTree& tree, const NearBlocks& blocks, const Obb& core, float slack_m, double reach_m,
                  float keep_m, NearTriangles& kept) {
    FindNear(tree, blocks, CoreQuery(core), slack_m, reach_m, keep_m, kept);
}

// As many as there is room for: a bone tells in a few operations which four of them are far, and each that is a block
// already spares it the nodes above.
constexpr std::size_t kOpenTo = NearRegion::kMost - NearTree::kWidth + 1;

// The children that a box reaches, and theirs as long as there is room: first in, first opened.
void Gather(const NearTree& tree, const Aabb& box, MeshTreeCounts& counts, NearRegion& region) {
    const Vec3 low = All(box.min_m), high = All(box.max_m);
    const Lanes d;
    std::int32_t waiting[NearRegion::kMost + 1];  // nodes that may be opened, with their places in the region behind
    std::size_t place[NearRegion::kMost + 1], first = 0, last = 0;
    region.count = 0;
    const auto open = [&](const NearTree::Node& node, std::size_t free_place) {
        // The first child takes the place of its parent.
        counts.box_tests += node.count;
        bool took = free_place == NearRegion::kMost;
        alignas(16) float ends[6][NearTree::kWidth];
        unsigned within = 0;
        for (std::size_t from = 0; from < NearTree::kWidth; from += hn::Lanes(d)) {
            const Boxes b = LoadBoxes(node, from);
            const Vec3 gap = Max(b.low - high, low - b.high);
            within |= BitsOf(hn::Not(hn::Gt(Largest(gap), All(0.0F)))) << from;
            hn::StoreU(b.low.x, d, ends[0] + from);
            hn::StoreU(b.low.y, d, ends[1] + from);
            hn::StoreU(b.low.z, d, ends[2] + from);
            hn::StoreU(b.high.x, d, ends[3] + from);
            hn::StoreU(b.high.y, d, ends[4] + from);
            hn::StoreU(b.high.z, d, ends[5] + from);
        }
        for (within &= (1U << node.count) - 1U; within != 0; within &= within - 1) {
            const auto lane = static_cast<std::size_t>(std::countr_zero(within));
            const std::size_t at = took ? region.count++ : free_place;
            took = true;
            for (std::size_t k = 0; k < 3; ++k) {
                region.low_m[k][at] = ends[k][lane];
                region.high_m[k][at] = ends[3 + k][lane];
            }
            region.child[at] = node.child[lane];
            if (region.child[at] < 0 || last == NearRegion::kMost) continue;
            waiting[last] = region.child[at];
            place[last++] = at;
        }
        return took;
    };
    open(tree.nodes()[0], NearRegion::kMost);
    for (; first < last && region.count < kOpenTo; ++first)
        if (!open(tree.nodes()[static_cast<std::size_t>(waiting[first])], place[first])) {
            // Nothing of it is reached: what stood last takes its place.
            const std::size_t at = place[first], back = --region.count;
            for (std::size_t k = 0; k < 3; ++k) {
                region.low_m[k][at] = region.low_m[k][back];
                region.high_m[k][at] = region.high_m[k][back];
            }
            region.child[at] = region.child[back];
            for (std::size_t i = first + 1; i < last; ++i)
                if (place[i] == back) place[i] = at;
        }
    for (std::size_t at = region.count; at % NearTree::kWidth != 0; ++at)
        for (std::size_t k = 0; k < 3; ++k) region.low_m[k][at] = region.high_m[k][at] = 0.0F;
}

void NodePoint(const NearTree::Node& node, const Eigen::Vector3f& point, float* bounds) {
    BoundsOf(node, 0, PointQuery(point), std::numeric_limits<float>::infinity(), bounds);
}
void NodeCone(const NearTree::Node& node, const RoundCone& cone, float* bounds) {
    BoundsOf(node, 0, ConeQuery(cone), std::numeric_limits<float>::infinity(), bounds);
}
void NodeCore(const NearTree::Node& node, const Obb& core, float* bounds) {
    BoundsOf(node, 0, CoreQuery(core), std::numeric_limits<float>::infinity(), bounds);
}
void BlockPoint(const NearTree::Block& block, const Eigen::Vector3f& point, BlockBounds& bounds) {
    BoundsOf(block, PointQuery(point), std::numeric_limits<float>::infinity(), bounds);
}
void BlockCone(const NearTree::Block& block, const RoundCone& cone, BlockBounds& bounds) {
    BoundsOf(block, ConeQuery(cone), std::numeric_limits<float>::infinity(), bounds);
}
void BlockCore(const NearTree::Block& block, const Obb& core, BlockBounds& bounds) {
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
HWY_EXPORT(AllNearCone);
HWY_EXPORT(AllNearCore);
HWY_EXPORT(Meet);
HWY_EXPORT(Gather);
HWY_EXPORT(FindBlocks);
HWY_EXPORT(FindNearCone);
HWY_EXPORT(FindNearCore);
HWY_EXPORT(ShowNearCone);
HWY_EXPORT(ShowNearCore);
HWY_EXPORT(NodePoint);
HWY_EXPORT(NodeCone);
HWY_EXPORT(NodeCore);
HWY_EXPORT(BlockPoint);
HWY_EXPORT(BlockCone);
HWY_EXPORT(BlockCore);

// What float may lose of a bound: it is made of coordinates this large.
float slack_of(const NearTree& tree, float largest_m) {
    return 4e-6F * (tree.largest_m() + largest_m) + 1e-30F;
}
float size_of(const RoundCone& cone) {
    return cone.a_m.cwiseAbs().sum() + cone.b_m.cwiseAbs().sum() + std::abs(cone.radius_a_m) +
           std::abs(cone.radius_b_m);
}
float size_of(const Obb& box) {
    return box.axes.allFinite() ? box.center_m.cwiseAbs().sum() + box.half_m.cwiseAbs().sum()
                                : std::numeric_limits<float>::infinity();
}

}  // namespace

void find_nearest(const NearTree& tree, const Eigen::Vector3f& point_m, double reach_m, MeshTreeCounts& counts,
                  NearVisit visit) {
    const float size_m = point_m.cwiseAbs().sum();
    if (!std::isfinite(size_m)) return;
    HWY_DYNAMIC_DISPATCH(NearestToPoint)(tree, point_m, slack_of(tree, size_m), reach_m, counts, visit);
}
void find_nearest(const NearTree& tree, const NearRegion* region, const RoundCone& cone, double reach_m,
                  MeshTreeCounts& counts, NearVisit visit) {
    if (!std::isfinite(size_of(cone))) return;
    HWY_DYNAMIC_DISPATCH(NearestToCone)(tree, region, cone, slack_of(tree, size_of(cone)), reach_m, counts, visit);
}
void find_nearest(const NearTree& tree, const NearRegion* region, const Obb& core, double reach_m,
                  MeshTreeCounts& counts, NearVisit visit) {
    if (!std::isfinite(size_of(core))) return;
    HWY_DYNAMIC_DISPATCH(NearestToCore)(tree, region, core, slack_of(tree, size_of(core)), reach_m, counts, visit);
}
void find_all_near(const NearTree& tree, const NearRegion* region, const RoundCone& cone, double reach_m,
                   MeshTreeCounts& counts, NearVisit visit) {
    if (!std::isfinite(size_of(cone))) return;
    HWY_DYNAMIC_DISPATCH(AllNearCone)(tree, region, cone, slack_of(tree, size_of(cone)), reach_m, counts, visit);
}
void find_all_near(const NearTree& tree, const NearRegion* region, const Obb& core, double reach_m,
                   MeshTreeCounts& counts, NearVisit visit) {
    if (!std::isfinite(size_of(core))) return;
    HWY_DYNAMIC_DISPATCH(AllNearCore)(tree, region, core, slack_of(tree, size_of(core)), reach_m, counts, visit);
}

bool meets(const NearTree& tree, const NearRegion* region, const Obb& box, MeshTreeCounts& counts) {
    if (!std::isfinite(size_of(box))) return false;
    return HWY_DYNAMIC_DISPATCH(Meet)(tree, region, box, slack_of(tree, size_of(box)), counts);
}

float rounding_m(const NearTree& tree, const Aabb& box_m) {
    return slack_of(tree, box_m.min_m.cwiseAbs().sum() + box_m.max_m.cwiseAbs().sum());
}

void find_blocks(const NearTree& tree, const NearPlace* place, const Aabb& around_m, MeshTreeCounts& counts,
                 NearBlocks& kept) {
    kept.around_m = around_m;
    const NearRegion* const region =
        place != nullptr && room_in(place->around_m, around_m) >= 0.0F ? &place->region : nullptr;
    HWY_DYNAMIC_DISPATCH(FindBlocks)(tree, region, around_m, rounding_m(tree, around_m), counts, kept);
}

void find_near(const NearTree& tree, const NearBlocks& blocks, const RoundCone& cone, double reach_m, float keep_m,
               MeshTreeCounts& counts, NearTriangles& kept) {
    counts.box_tests += blocks.count;
    HWY_DYNAMIC_DISPATCH(FindNearCone)
    (tree, blocks, cone, slack_of(tree, size_of(cone)), reach_m, keep_m, kept);
}
void find_near(const NearTree& tree, const NearBlocks& blocks, const Obb& core, double reach_m, float keep_m,
               MeshTreeCounts& counts, NearTriangles& kept) {
    counts.box_tests += blocks.count;
    HWY_DYNAMIC_DISPATCH(FindNearCore)
    (tree, blocks, core, slack_of(tree, size_of(core)), reach_m, keep_m, kept);
}
namespace {
// Bounds of either kind are off by rounding.
bool far_by(const NearTriangles& kept, float moved_m, double reach_m, float slack_m) {
    return kept.count >= 0 &&
           std::min(kept.least_m, kept.beyond_m) - moved_m > static_cast<float>(reach_m) + 2.0F * slack_m;
}
}  // namespace
bool all_far(const NearTree& tree, const NearTriangles& kept, float moved_m, const RoundCone& cone, double reach_m) {
    return far_by(kept, moved_m, reach_m, slack_of(tree, size_of(cone)));
}
bool all_far(const NearTree& tree, const NearTriangles& kept, float moved_m, const Obb& core, double reach_m) {
    return far_by(kept, moved_m, reach_m, slack_of(tree, size_of(core)));
}
bool show_nearest(const NearTree& tree, NearTriangles& kept, float moved_m, const RoundCone& cone, double& reach_m,
                  MeshTreeCounts& counts, NearVisit visit) {
    const float slack_m = slack_of(tree, size_of(cone));
    return far_by(kept, moved_m, reach_m, slack_m) ||
           HWY_DYNAMIC_DISPATCH(ShowNearCone)(tree, kept, cone, slack_m, moved_m, reach_m, counts, visit);
}
bool show_nearest(const NearTree& tree, NearTriangles& kept, float moved_m, const Obb& core, double& reach_m,
                  MeshTreeCounts& counts, NearVisit visit) {
    const float slack_m = slack_of(tree, size_of(core));
    return far_by(kept, moved_m, reach_m, slack_m) ||
           HWY_DYNAMIC_DISPATCH(ShowNearCore)(tree, kept, core, slack_m, moved_m, reach_m, counts, visit);
}

NearRegion region_of(const NearTree& tree, const Aabb& box_m, MeshTreeCounts& counts) {
    NearRegion region;
    const float size_m = box_m.min_m.cwiseAbs().sum() + box_m.max_m.cwiseAbs().sum();
    Aabb grown = box_m;
    if (std::isfinite(size_m)) {
        grown.min_m.array() -= slack_of(tree, size_m);
        grown.max_m.array() += slack_of(tree, size_m);
    }
    HWY_DYNAMIC_DISPATCH(Gather)(tree, grown, counts, region);
    return region;
}

NodeBounds node_bounds(const NearTree::Node& node, const Eigen::Vector3f& point_m) {
    NodeBounds bounds;
    HWY_DYNAMIC_DISPATCH(NodePoint)(node, point_m, bounds.data());
    return bounds;
}
NodeBounds node_bounds(const NearTree::Node& node, const RoundCone& cone) {
    NodeBounds bounds;
    HWY_DYNAMIC_DISPATCH(NodeCone)(node, cone, bounds.data());
    return bounds;
}
NodeBounds node_bounds(const NearTree::Node& node, const Obb& core) {
    NodeBounds bounds;
    HWY_DYNAMIC_DISPATCH(NodeCore)(node, core, bounds.data());
    return bounds;
}
BlockBounds block_bounds(const NearTree::Block& block, const Eigen::Vector3f& point_m) {
    BlockBounds bounds;
    HWY_DYNAMIC_DISPATCH(BlockPoint)(block, point_m, bounds);
    return bounds;
}
BlockBounds block_bounds(const NearTree::Block& block, const RoundCone& cone) {
    BlockBounds bounds;
    HWY_DYNAMIC_DISPATCH(BlockCone)(block, cone, bounds);
    return bounds;
}
BlockBounds block_bounds(const NearTree::Block& block, const Obb& core) {
    BlockBounds bounds;
    HWY_DYNAMIC_DISPATCH(BlockCore)(block, core, bounds);
    return bounds;
}

}  // namespace glovebox::collision
#endif
