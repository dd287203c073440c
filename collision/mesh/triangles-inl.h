// Four triangles, one per lane: extents along directions, and the points nearest to given points. Compiled for each
// instruction set of the including file.
#if defined(GLOVEBOX_TRIANGLES_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef GLOVEBOX_TRIANGLES_INL_H
#undef GLOVEBOX_TRIANGLES_INL_H
#else
#define GLOVEBOX_TRIANGLES_INL_H
#endif

#include <hwy/highway.h>

#include "collision/mesh/lanes-inl.h"

HWY_BEFORE_NAMESPACE();
namespace glovebox::collision::HWY_NAMESPACE {
namespace {

struct Span {
    V low, high;
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

}  // namespace
}  // namespace glovebox::collision::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
