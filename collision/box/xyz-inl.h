// The coordinates of several vectors, one vector of lanes each. Compiled for each instruction set of the including
// file.
#if defined(GLOVEBOX_XYZ_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef GLOVEBOX_XYZ_INL_H
#undef GLOVEBOX_XYZ_INL_H
#else
#define GLOVEBOX_XYZ_INL_H
#endif

#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace glovebox::collision::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

template <class V>
struct Xyz {
    V x, y, z;
};

template <class V>
HWY_INLINE Xyz<V> operator+(const Xyz<V>& a, const Xyz<V>& b) {
    return {hn::Add(a.x, b.x), hn::Add(a.y, b.y), hn::Add(a.z, b.z)};
}
template <class V>
HWY_INLINE Xyz<V> operator-(const Xyz<V>& a, const Xyz<V>& b) {
    return {hn::Sub(a.x, b.x), hn::Sub(a.y, b.y), hn::Sub(a.z, b.z)};
}
template <class V>
HWY_INLINE Xyz<V> operator*(const Xyz<V>& a, V by) {
    return {hn::Mul(a.x, by), hn::Mul(a.y, by), hn::Mul(a.z, by)};
}
template <class V>
HWY_INLINE V Dot(const Xyz<V>& a, const Xyz<V>& b) {
    return hn::MulAdd(a.z, b.z, hn::MulAdd(a.y, b.y, hn::Mul(a.x, b.x)));
}
template <class V>
HWY_INLINE Xyz<V> Cross(const Xyz<V>& a, const Xyz<V>& b) {
    return {hn::NegMulAdd(a.z, b.y, hn::Mul(a.y, b.z)), hn::NegMulAdd(a.x, b.z, hn::Mul(a.z, b.x)),
            hn::NegMulAdd(a.y, b.x, hn::Mul(a.x, b.y))};
}
template <class M, class V>
HWY_INLINE Xyz<V> Choose(M mask, const Xyz<V>& yes, const Xyz<V>& no) {
    return {hn::IfThenElse(mask, yes.x, no.x), hn::IfThenElse(mask, yes.y, no.y), hn::IfThenElse(mask, yes.z, no.z)};
}

}  // namespace
}  // namespace glovebox::collision::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
