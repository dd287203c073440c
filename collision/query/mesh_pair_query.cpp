// The queries of mesh_pair.h: one traversal, compiled for several instruction sets.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "collision/query/mesh_pair_query.cpp"
#include <hwy/foreach_target.h>
// The order matters: foreach_target must come first.
#include <hwy/highway.h>

#include "collision/mesh/obb_tree-inl.h"

#include <bit>

#include "collision/query/mesh_pair.h"
#include "collision/query/triangle_pair.h"

HWY_BEFORE_NAMESPACE();
namespace glovebox::collision::HWY_NAMESPACE {
namespace {

using Waiting = PairQueryMemory::Waiting;
constexpr std::size_t kLanes = ObbTree::kWidth;
constexpr std::size_t kTriangles = ObbTree::kBlockTriangles;

HWY_INLINE float AreaOf(const Eigen::Vector3f& half) {
    return half.x() * half.y() + half.y() * half.z() + half.z() * half.x();
}

template <class Visit>
class Traversal {
  public:
    Traversal(const ObbTree& a, const ObbTree& b, const Eigen::Isometry3f& a_from_b, TreeQueryCounts& counts,
              PairQueryMemory& memory, Visit& visit)
        : a_(a),
          b_(b),
          exact_(a_from_b.cast<double>()),
          a_from_b_(a_from_b),
          b_from_a_(a_from_b.inverse(Eigen::Isometry)),
          counts_(counts),
          memory_(memory),
          visit_(visit) {
        // Bound of all coordinates of both meshes in either frame, during and after the transform.
        const float reach_m = 3.0F * (a.largest_m() + b.largest_m() + a_from_b.translation().cwiseAbs().maxCoeff());
        lost_m_ = 6e-7F * reach_m;  // five roundings, with a margin
    }

    /// visit(triangle of a, triangle of b) returns true to stop. Returns true if it did.
    template <bool kDeepestFirst>
    bool run() {
        auto& waiting = memory_.waiting;
        waiting.clear();
        Waiting start;
        start.box = transformed(a_from_b_, b_.root_box());
        start.opened = start.other = 0;
        start.opened_is_a = true;
        waiting.push_back(start);
        while (!waiting.empty()) {
            if (open_last<kDeepestFirst>()) return true;
        }
        return false;
    }

  private:
    // Replaces the last pair by the children of the opened node that the other side's box overlaps. Pairs of two blocks
    // are decided at once.
    template <bool kDeepestFirst>
    HWY_INLINE bool open_last() {
        const Waiting& last = memory_.waiting.back();
        const ObbTree& opened = last.opened_is_a ? a_ : b_;
        const ObbTree::Node& node = opened.nodes()[static_cast<std::size_t>(last.opened)];
        alignas(32) float area_m2[kLanes], deep_m[kLanes];
        ++counts_.box_tests;
        std::uint32_t met = OverlapChildren<kDeepestFirst>(last.box, node, 4.0F * lost_m_, area_m2, deep_m);
        const Waiting pair = last;
        memory_.waiting.pop_back();
        const float other_area_m2 = AreaOf(pair.box.half_m);
        const Eigen::Isometry3f& other_from_opened = pair.opened_is_a ? b_from_a_ : a_from_b_;
        Eigen::Matrix3f axes_in_other;  // the children share their axes
        bool has_axes = false;
        const auto first_waiting = static_cast<std::ptrdiff_t>(memory_.waiting.size());
        std::array<float, kLanes> depth{};
        for (; met != 0; met &= met - 1) {
            const auto lane = static_cast<std::size_t>(std::countr_zero(met));
            const std::int32_t child = node.child[lane];
            if (child < 0 && pair.other < 0) {
                const std::int32_t of_a = pair.opened_is_a ? ~child : ~pair.other,
                                   of_b = pair.opened_is_a ? ~pair.other : ~child;
                if (decide(a_.blocks()[static_cast<std::size_t>(of_a)], b_.blocks()[static_cast<std::size_t>(of_b)]))
                    return true;
                continue;
            }
            Waiting& next = memory_.waiting.emplace_back();
            if constexpr (kDeepestFirst)
                depth[memory_.waiting.size() - 1 - static_cast<std::size_t>(first_waiting)] = deep_m[lane];
            if (child >= 0 && (pair.other < 0 || area_m2[lane] >= other_area_m2)) {
                next = {pair.box, child, pair.other, pair.opened_is_a};
            } else {
                if (!has_axes) axes_in_other = other_from_opened.linear() * axes_of(node);
                has_axes = true;
                next.box = opened.box_of(node, lane, axes_in_other);
                next.box.center_m += other_from_opened.translation();
                next.opened = pair.other;
                next.other = child;
                next.opened_is_a = !pair.opened_is_a;
            }
        }
        if constexpr (kDeepestFirst) {  // the deepest last, because pairs are taken from the back
            const auto begin = memory_.waiting.begin() + first_waiting;
            const std::size_t count = memory_.waiting.size() - static_cast<std::size_t>(first_waiting);
            for (std::size_t i = 1; i < count; ++i)
                for (std::size_t j = i; j > 0 && depth[j] < depth[j - 1]; --j) {
                    std::swap(depth[j], depth[j - 1]);
                    std::swap(begin[static_cast<std::ptrdiff_t>(j)], begin[static_cast<std::ptrdiff_t>(j) - 1]);
                }
        }
        return false;
    }

    // Tests eight pairs at once: two transformed triangles of b against up to four of a. A pair is excluded if one
    // triangle lies on one side of the other's plane by more than the rounding error. The rest is decided exactly.
    bool decide(const ObbTree::Block& leaf_a, const ObbTree::Block& leaf_b) {
        const hn::CappedTag<float, kTriangles> d4;
        using Vec4 = hn::Vec<decltype(d4)>;
        alignas(16) float moved[9][kTriangles];
        const auto turn = [&](std::size_t row, Eigen::Index column) {
            return hn::Set(d4, a_from_b_.linear()(static_cast<Eigen::Index>(row), column));
        };
        const auto shift = [&](std::size_t row) {
            return hn::Set(d4, a_from_b_.translation()[static_cast<Eigen::Index>(row)]);
        };
        for (std::size_t at = 0; at < kTriangles; at += hn::Lanes(d4)) {
            for (std::size_t c = 0; c < 3; ++c) {
                const Vec4 x = hn::LoadU(d4, leaf_b.corner_m[c][0] + at), y = hn::LoadU(d4, leaf_b.corner_m[c][1] + at),
                           z = hn::LoadU(d4, leaf_b.corner_m[c][2] + at);
                for (std::size_t k = 0; k < 3; ++k)
                    hn::StoreU(
                        hn::MulAdd(turn(k, 2), z, hn::MulAdd(turn(k, 1), y, hn::MulAdd(turn(k, 0), x, shift(k)))), d4,
                        moved[3 * c + k] + at);
            }
        }
        for (std::size_t j = 0; j < kTriangles && leaf_b.triangle[j] >= 0; ++j) {
            Sides of_a, of_b;
            std::uint32_t open = not_apart(leaf_a, moved, j, of_a, of_b);
            counts_.triangle_tests += 1;
            for (; open != 0; open &= open - 1) {
                const auto i = static_cast<std::size_t>(std::countr_zero(open));
                if (leaf_a.triangle[i] < 0) continue;
                const Triangle a = corners_of(leaf_a, i), b = in_a(corners_of(leaf_b, j));
                if (!(of_a.all_known(i) && of_b.all_known(i) ? triangles_touch(a, of_a.of(i), b, of_b.of(i))
                                                             : triangles_touch(a, b)))
                    continue;
                if (visit_(leaf_a.triangle[i], leaf_b.triangle[j])) return true;
            }
        }
        return false;
    }

    // On which side of the other triangle's plane the corners certainly are: a bit for each triangle of the block.
    struct Sides {
        std::uint32_t above[3] = {}, below[3] = {};

        bool all_known(std::size_t i) const {
            return ((above[0] | below[0]) & (above[1] | below[1]) & (above[2] | below[2]) & (1U << i)) != 0;
        }
        std::array<int, 3> of(std::size_t i) const {
            std::array<int, 3> signs{};
            for (std::size_t c = 0; c < 3; ++c) signs[c] = (below[c] >> i & 1U) != 0 ? 1 : -1;
            return signs;
        }
    };

    HWY_INLINE std::uint32_t not_apart(const ObbTree::Block& leaf_a, const float moved[9][kTriangles], std::size_t j,
                                       Sides& of_a, Sides& of_b) const {
        const hn::CappedTag<float, kTriangles> d;
        using Vec = hn::Vec<decltype(d)>;
        std::uint32_t result = 0;
        for (std::size_t at = 0; at < kTriangles; at += hn::Lanes(d)) {
            Vec a[3][3], b[3][3];
            for (std::size_t c = 0; c < 3; ++c)
                for (std::size_t k = 0; k < 3; ++k) {
                    a[c][k] = hn::LoadU(d, leaf_a.corner_m[c][k] + at);
                    b[c][k] = hn::Set(d, moved[3 * c + k][j]);
                }
            hn::Mask<decltype(d)> above_a[3], below_a[3], above_b[3], below_b[3];
            auto apart = on_one_side(d, a, b, above_a, below_a);
            if (hn::AllTrue(d, apart)) continue;
            apart = hn::Or(apart, on_one_side(d, b, a, above_b, below_b));
            if (hn::AllTrue(d, apart)) continue;
            const auto bits_of = [&](hn::Mask<decltype(d)> mask) {
                std::uint8_t bits[8] = {};
                hn::StoreMaskBits(d, mask, bits);
                return (std::uint32_t{bits[0]} & ((1U << hn::Lanes(d)) - 1U)) << at;
            };
            result |= bits_of(hn::Not(apart));
            for (std::size_t c = 0; c < 3; ++c) {
                of_b.above[c] |= bits_of(above_a[c]);
                of_b.below[c] |= bits_of(below_a[c]);
                of_a.above[c] |= bits_of(above_b[c]);
                of_a.below[c] |= bits_of(below_b[c]);
            }
        }
        return result;
    }

    // Returns pairs with all corners of q certainly on one side of the plane of p. With e1, e2 the edges of p and d the
    // vector from p's first corner to one of q, |error of e1 x e2 . d| <= |e1||e2| (3 l + 16 u |d|) + 4 l (|e1| + |e2|)
    // |d| in the sum norm, where every corner is off by at most l and u is half an ulp of one.
    template <class D, class Vec>
    HWY_INLINE hn::Mask<D> on_one_side(D d, const Vec (&p)[3][3], const Vec (&q)[3][3], hn::Mask<D> (&above)[3],
                                       hn::Mask<D> (&below)[3]) const {
        Vec e1[3], e2[3], n[3];
        for (std::size_t k = 0; k < 3; ++k) {
            e1[k] = hn::Sub(p[1][k], p[0][k]);
            e2[k] = hn::Sub(p[2][k], p[0][k]);
        }
        for (std::size_t k = 0; k < 3; ++k) {
            const std::size_t k1 = (k + 1) % 3, k2 = (k + 2) % 3;
            n[k] = hn::MulSub(e1[k1], e2[k2], hn::Mul(e1[k2], e2[k1]));
        }
        const auto sum_of = [](const Vec(&v)[3]) {
            return hn::Add(hn::Add(hn::Abs(v[0]), hn::Abs(v[1])), hn::Abs(v[2]));
        };
        const Vec length1 = sum_of(e1), length2 = sum_of(e2), product = hn::Mul(length1, length2);
        const Vec fixed = hn::Mul(product, hn::Set(d, 3.0F * lost_m_));
        const Vec by_length =
            hn::MulAdd(product, hn::Set(d, 1e-6F), hn::Mul(hn::Add(length1, length2), hn::Set(d, 4.0F * lost_m_)));
        for (std::size_t c = 0; c < 3; ++c) {
            Vec from[3];
            for (std::size_t k = 0; k < 3; ++k) from[k] = hn::Sub(q[c][k], p[0][k]);
            const Vec side = hn::MulAdd(n[2], from[2], hn::MulAdd(n[1], from[1], hn::Mul(n[0], from[0])));
            const Vec error = hn::MulAdd(by_length, sum_of(from), fixed);
            above[c] = hn::Gt(side, error);
            below[c] = hn::Lt(side, hn::Neg(error));
        }
        return hn::Or(hn::And(above[0], hn::And(above[1], above[2])), hn::And(below[0], hn::And(below[1], below[2])));
    }

    static Triangle corners_of(const ObbTree::Block& leaf, std::size_t lane) {
        Triangle triangle;
        for (std::size_t c = 0; c < 3; ++c)
            for (std::size_t k = 0; k < 3; ++k)
                triangle[c][static_cast<int>(k)] = static_cast<double>(leaf.corner_m[c][k][lane]);
        return triangle;
    }
    Triangle in_a(const Triangle& b) const { return {exact_ * b[0], exact_ * b[1], exact_ * b[2]}; }

    const ObbTree &a_, &b_;
    const Eigen::Isometry3d exact_;
    const Eigen::Isometry3f a_from_b_, b_from_a_;
    TreeQueryCounts& counts_;
    PairQueryMemory& memory_;
    Visit& visit_;
    float lost_m_ = 0.0F;
};

void AllTouching(const ObbTree& a, const ObbTree& b, const Eigen::Isometry3f& a_from_b, TrianglePairs& pairs,
                 TreeQueryCounts& counts, PairQueryMemory& memory) {
    auto keep = [&](std::int32_t ta, std::int32_t tb) {
        pairs.emplace_back(ta, tb);
        return false;
    };
    Traversal traversal(a, b, a_from_b, counts, memory, keep);
    traversal.template run<false>();
}

bool AnyTouching(const ObbTree& a, const ObbTree& b, const Eigen::Isometry3f& a_from_b, TreeQueryCounts& counts,
                 PairQueryMemory& memory) {
    auto stop = [](std::int32_t, std::int32_t) { return true; };
    Traversal traversal(a, b, a_from_b, counts, memory, stop);
    return traversal.template run<true>();
}

}  // namespace
}  // namespace glovebox::collision::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace glovebox::collision {

HWY_EXPORT(AllTouching);
HWY_EXPORT(AnyTouching);

void touching_triangles(const ObbTree& a, const ObbTree& b, const Eigen::Isometry3f& a_from_b, TrianglePairs& pairs,
                        TreeQueryCounts& counts, PairQueryMemory& memory) {
    HWY_DYNAMIC_DISPATCH(AllTouching)(a, b, a_from_b, pairs, counts, memory);
}

bool touch(const ObbTree& a, const ObbTree& b, const Eigen::Isometry3f& a_from_b, TreeQueryCounts& counts,
           PairQueryMemory& memory) {
    return HWY_DYNAMIC_DISPATCH(AnyTouching)(a, b, a_from_b, counts, memory);
}

}  // namespace glovebox::collision
#endif
