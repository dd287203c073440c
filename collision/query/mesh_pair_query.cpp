// The queries of mesh_pair.h: one traversal, compiled for every instruction set that may be met.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "collision/query/mesh_pair_query.cpp"
#include <hwy/foreach_target.h>
// The order matters: foreach_target must come first.
#include <hwy/highway.h>

#include <bit>
#include <cmath>

#include "collision/query/mesh_pair.h"
#include "collision/query/triangle_pair.h"

HWY_BEFORE_NAMESPACE();
namespace glovebox::collision::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using Waiting = PairQueryMemory::Waiting;
constexpr std::size_t kLanes = WideBoxes::kLanes;
constexpr std::size_t kTriangles = PairTree::kLeafTriangles;

// A rigid motion as plain numbers, rotation column by column.
struct Motion {
    float r[9], t[3];

    explicit Motion(const Eigen::Isometry3f& pose) {
        for (int k = 0; k < 3; ++k) {
            t[k] = pose.translation()[k];
            for (int row = 0; row < 3; ++row) r[3 * k + row] = pose.linear()(row, k);
        }
    }
    HWY_INLINE void turn(const float in[3], float out[3]) const {
        for (int k = 0; k < 3; ++k) out[k] = r[k] * in[0] + r[3 + k] * in[1] + r[6 + k] * in[2];
    }
    /// A box told in the target's frame, its half extents grown by what float may have lost.
    HWY_INLINE void move(const float in[15], float pad_m, float out[15]) const {
        turn(in, out);
        for (int k = 0; k < 3; ++k) out[k] += t[k];
        for (int k = 0; k < 3; ++k) turn(in + 3 + 3 * k, out + 3 + 3 * k);
        for (int k = 0; k < 3; ++k) out[12 + k] = in[12 + k] + pad_m;
    }
};

HWY_INLINE float AreaOf(const float* half) {
    return half[0] * half[1] + half[1] * half[2] + half[2] * half[0];
}

HWY_INLINE void BoxOf(const WideBoxes& boxes, std::size_t lane, float out[15]) {
    for (std::size_t k = 0; k < 3; ++k) out[k] = boxes.center[k][lane];
    for (std::size_t k = 0; k < 9; ++k) out[3 + k] = boxes.axes[k][lane];
    for (std::size_t k = 0; k < 3; ++k) out[12 + k] = boxes.half[k][lane];
}

// The 15-axis test of box.h against eight children. `deep` receives for each lane how far the boxes overlap along the
// face axis where they do so least: positive numbers, the larger the deeper.
template <bool kWithDepth>
HWY_INLINE std::uint32_t MeetChildren(const float box[15], const WideBoxes& children, float* deep) {
    const hn::CappedTag<float, kLanes> d;
    using Vec = hn::Vec<decltype(d)>;
    const Vec eps = hn::Set(d, 1e-6F);
    std::uint32_t result = 0;
    for (std::size_t at = 0; at < kLanes; at += hn::Lanes(d)) {
        const Vec dx = hn::Sub(hn::LoadU(d, children.center[0] + at), hn::Set(d, box[0]));
        const Vec dy = hn::Sub(hn::LoadU(d, children.center[1] + at), hn::Set(d, box[1]));
        const Vec dz = hn::Sub(hn::LoadU(d, children.center[2] + at), hn::Set(d, box[2]));
        Vec r[3][3], abs_r[3][3], t[3], ha[3], hb[3];
        for (std::size_t j = 0; j < 3; ++j) hb[j] = hn::LoadU(d, children.half[j] + at);
        for (std::size_t i = 0; i < 3; ++i) {
            const Vec ax = hn::Set(d, box[3 + 3 * i]), ay = hn::Set(d, box[4 + 3 * i]), az = hn::Set(d, box[5 + 3 * i]);
            t[i] = hn::MulAdd(az, dz, hn::MulAdd(ay, dy, hn::Mul(ax, dx)));
            ha[i] = hn::Set(d, box[12 + i]);
            for (std::size_t j = 0; j < 3; ++j) {
                r[i][j] = hn::MulAdd(az, hn::LoadU(d, children.axes[3 * j + 2] + at),
                                     hn::MulAdd(ay, hn::LoadU(d, children.axes[3 * j + 1] + at),
                                                hn::Mul(ax, hn::LoadU(d, children.axes[3 * j] + at))));
                abs_r[i][j] = hn::Add(hn::Abs(r[i][j]), eps);
            }
        }
        // Slack: how far the intervals overlap. All comparisons fail for NaN.
        Vec slack = hn::Zero(d);
        for (std::size_t i = 0; i < 3; ++i) {
            const Vec radius =
                hn::MulAdd(abs_r[i][2], hb[2], hn::MulAdd(abs_r[i][1], hb[1], hn::MulAdd(abs_r[i][0], hb[0], ha[i])));
            const Vec along = hn::Sub(radius, hn::Abs(t[i]));
            slack = i == 0 ? along : hn::Min(slack, along);
        }
        auto together = hn::Ge(slack, hn::Zero(d));
        for (std::size_t j = 0; j < 3; ++j) {
            const Vec radius =
                hn::MulAdd(abs_r[2][j], ha[2], hn::MulAdd(abs_r[1][j], ha[1], hn::MulAdd(abs_r[0][j], ha[0], hb[j])));
            const Vec along =
                hn::Sub(radius, hn::Abs(hn::MulAdd(t[2], r[2][j], hn::MulAdd(t[1], r[1][j], hn::Mul(t[0], r[0][j])))));
            together = hn::And(together, hn::Ge(along, hn::Zero(d)));
            if constexpr (kWithDepth) slack = hn::Min(slack, along);
        }
        if (hn::AllFalse(d, together)) continue;
        for (std::size_t i = 0; i < 3; ++i) {
            const std::size_t i1 = (i + 1) % 3, i2 = (i + 2) % 3;
            for (std::size_t j = 0; j < 3; ++j) {
                const std::size_t j1 = (j + 1) % 3, j2 = (j + 2) % 3;
                const Vec radius = hn::MulAdd(
                    ha[i1], abs_r[i2][j],
                    hn::MulAdd(ha[i2], abs_r[i1][j], hn::MulAdd(hb[j1], abs_r[i][j2], hn::Mul(hb[j2], abs_r[i][j1]))));
                const Vec along = hn::MulSub(t[i2], r[i1][j], hn::Mul(t[i1], r[i2][j]));
                together = hn::And(together, hn::Le(hn::Abs(along), radius));
            }
        }
        if constexpr (kWithDepth) hn::StoreU(slack, d, deep + at);
        std::uint8_t bits[8] = {};
        hn::StoreMaskBits(d, together, bits);
        result |= (bits[0] & ((1U << hn::Lanes(d)) - 1U)) << at;
    }
    return result;
}

template <class Visit>
class Traversal {
  public:
    Traversal(const PairTree& a, const PairTree& b, const Eigen::Isometry3f& a_from_b, TreeQueryCounts& counts,
              PairQueryMemory& memory, Visit& visit)
        : a_(a),
          b_(b),
          pose_(a_from_b),
          exact_(a_from_b.cast<double>()),
          a_from_b_(a_from_b),
          b_from_a_(a_from_b.inverse(Eigen::Isometry)),
          counts_(counts),
          memory_(memory),
          visit_(visit) {
        // No coordinate of either mesh is larger, in either frame, on the way or after it.
        const float reach_m = a.root_box().center_m.cwiseAbs().maxCoeff() + a.root_box().half_m.sum() +
                              b.root_box().center_m.cwiseAbs().maxCoeff() * 1.75F + b.root_box().half_m.sum() +
                              a_from_b.translation().cwiseAbs().maxCoeff() * 1.75F;
        lost_m_ = 6e-7F * reach_m;  // five roundings, with room to spare
    }

    /// visit(triangle of a, triangle of b) returns true to stop; true if it did.
    template <bool kDeepestFirst>
    bool run() {
        auto& waiting = memory_.waiting;
        waiting.clear();
        Waiting start;
        std::array<float, 15> root{};
        const Obb& box = b_.root_box();
        for (std::size_t k = 0; k < 3; ++k) {
            const auto i = static_cast<int>(k);
            root[k] = box.center_m[i];
            root[12 + k] = box.half_m[i];
            for (std::size_t row = 0; row < 3; ++row) root[3 + 3 * k + row] = box.axes(static_cast<int>(row), i);
        }
        a_from_b_.move(root.data(), lost_m_, start.box);
        start.opened = start.other = 0;
        start.opened_is_a = true;
        waiting.push_back(start);
        while (!waiting.empty()) {
            const Waiting pair = waiting.back();
            waiting.pop_back();
            if (open<kDeepestFirst>(pair)) return true;
        }
        return false;
    }

  private:
    // Children of the opened node that the other side's box meets: each waits for its turn, or is decided now where
    // both are leaves.
    template <bool kDeepestFirst>
    HWY_INLINE bool open(const Waiting& pair) {
        const PairTree::Node& node = (pair.opened_is_a ? a_ : b_).nodes()[static_cast<std::size_t>(pair.opened)];
        alignas(32) float deep[kLanes];
        ++counts_.box_tests;
        std::uint32_t met = MeetChildren<kDeepestFirst>(pair.box, node.boxes, deep);
        if (met == 0) return false;
        const float other_area = AreaOf(pair.box + 12);
        const auto first_waiting = static_cast<std::ptrdiff_t>(memory_.waiting.size());
        std::array<float, kLanes> depth{};
        for (; met != 0; met &= met - 1) {
            const auto lane = static_cast<std::size_t>(std::countr_zero(met));
            const std::int32_t child = node.child[lane];
            if (child < 0 && pair.other < 0) {
                const std::int32_t leaf_a = pair.opened_is_a ? ~child : ~pair.other,
                                   leaf_b = pair.opened_is_a ? ~pair.other : ~child;
                if (decide(a_.leaves()[static_cast<std::size_t>(leaf_a)],
                           b_.leaves()[static_cast<std::size_t>(leaf_b)]))
                    return true;
                continue;
            }
            Waiting& next = memory_.waiting.emplace_back();
            if constexpr (kDeepestFirst)
                depth[memory_.waiting.size() - 1 - static_cast<std::size_t>(first_waiting)] = deep[lane];
            float half[3];
            for (std::size_t k = 0; k < 3; ++k) half[k] = node.boxes.half[k][lane];
            const bool open_child = child >= 0 && (pair.other < 0 || AreaOf(half) >= other_area);
            if (open_child) {
                std::copy(std::begin(pair.box), std::end(pair.box), std::begin(next.box));
                next.opened = child;
                next.other = pair.other;
                next.opened_is_a = pair.opened_is_a;
            } else {
                float box[15];
                BoxOf(node.boxes, lane, box);
                (pair.opened_is_a ? b_from_a_ : a_from_b_).move(box, lost_m_, next.box);
                next.opened = pair.other;
                next.other = child;
                next.opened_is_a = !pair.opened_is_a;
            }
        }
        if constexpr (kDeepestFirst) {  // the deepest last, since it is taken from the back
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

    // Eight pairs at a time: two triangles of b, moved, against up to four of a. Pairs of which one lies on one side of
    // the other's plane, by more than rounding may have done, are out; the rest is decided exactly.
    bool decide(const PairTree::Leaf& leaf_a, const PairTree::Leaf& leaf_b) {
        const hn::CappedTag<float, kTriangles> d4;
        using Vec4 = hn::Vec<decltype(d4)>;
        alignas(16) float moved[9][kTriangles];
        for (std::size_t at = 0; at < kTriangles; at += hn::Lanes(d4)) {
            for (std::size_t c = 0; c < 3; ++c) {
                const Vec4 x = hn::LoadU(d4, leaf_b.corners[3 * c] + at),
                           y = hn::LoadU(d4, leaf_b.corners[3 * c + 1] + at),
                           z = hn::LoadU(d4, leaf_b.corners[3 * c + 2] + at);
                for (std::size_t k = 0; k < 3; ++k)
                    hn::StoreU(
                        hn::MulAdd(hn::Set(d4, a_from_b_.r[6 + k]), z,
                                   hn::MulAdd(hn::Set(d4, a_from_b_.r[3 + k]), y,
                                              hn::MulAdd(hn::Set(d4, a_from_b_.r[k]), x, hn::Set(d4, a_from_b_.t[k])))),
                        d4, moved[3 * c + k] + at);
            }
        }
        for (std::size_t j = 0; j < kTriangles && leaf_b.triangle[j] >= 0; ++j) {
            std::uint32_t open = not_apart(leaf_a, moved, j);
            counts_.triangle_tests += 1;
            for (; open != 0; open &= open - 1) {
                const auto i = static_cast<std::size_t>(std::countr_zero(open));
                if (leaf_a.triangle[i] < 0) continue;
                if (!triangles_touch(corners_of(leaf_a, i), in_a(corners_of(leaf_b, j)))) continue;
                if (visit_(leaf_a.triangle[i], leaf_b.triangle[j])) return true;
            }
        }
        return false;
    }

    HWY_INLINE std::uint32_t not_apart(const PairTree::Leaf& leaf_a, const float moved[9][kTriangles],
                                       std::size_t j) const {
        const hn::CappedTag<float, kTriangles> d;
        using Vec = hn::Vec<decltype(d)>;
        std::uint32_t result = 0;
        for (std::size_t at = 0; at < kTriangles; at += hn::Lanes(d)) {
            Vec a[3][3], b[3][3];
            for (std::size_t c = 0; c < 3; ++c)
                for (std::size_t k = 0; k < 3; ++k) {
                    a[c][k] = hn::LoadU(d, leaf_a.corners[3 * c + k] + at);
                    b[c][k] = hn::Set(d, moved[3 * c + k][j]);
                }
            auto apart = on_one_side(d, a, b);
            if (!hn::AllTrue(d, apart)) apart = hn::Or(apart, on_one_side(d, b, a));
            std::uint8_t bits[8] = {};
            hn::StoreMaskBits(d, apart, bits);
            result |= (~static_cast<std::uint32_t>(bits[0]) & ((1U << hn::Lanes(d)) - 1U)) << at;
        }
        return result;
    }

    // All corners of q certainly on one side of the plane of p. With e1, e2 the edges of p and d a corner of q from p's
    // first, |error of e1 x e2 . d| <= |e1||e2| (3 l + 16 u |d|) + 4 l (|e1| + |e2|) |d| in the sum norm, where every
    // corner is off by at most l and u is half an ulp of one.
    template <class D, class Vec>
    HWY_INLINE hn::Mask<D> on_one_side(D d, const Vec (&p)[3][3], const Vec (&q)[3][3]) const {
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
        Vec least = hn::Zero(d), most = hn::Zero(d);
        for (std::size_t c = 0; c < 3; ++c) {
            Vec from[3];
            for (std::size_t k = 0; k < 3; ++k) from[k] = hn::Sub(q[c][k], p[0][k]);
            const Vec side = hn::MulAdd(n[2], from[2], hn::MulAdd(n[1], from[1], hn::Mul(n[0], from[0])));
            const Vec error = hn::MulAdd(by_length, sum_of(from), fixed);
            const Vec low = hn::Sub(side, error), high = hn::Add(side, error);
            least = c == 0 ? low : hn::Min(least, low);
            most = c == 0 ? high : hn::Max(most, high);
        }
        return hn::Or(hn::Gt(least, hn::Zero(d)), hn::Lt(most, hn::Zero(d)));
    }

    static Triangle corners_of(const PairTree::Leaf& leaf, std::size_t lane) {
        Triangle triangle;
        for (std::size_t c = 0; c < 3; ++c)
            for (std::size_t k = 0; k < 3; ++k)
                triangle[c][static_cast<int>(k)] = static_cast<double>(leaf.corners[3 * c + k][lane]);
        return triangle;
    }
    Triangle in_a(const Triangle& b) const { return {exact_ * b[0], exact_ * b[1], exact_ * b[2]}; }

    const PairTree &a_, &b_;
    const Eigen::Isometry3f& pose_;
    const Eigen::Isometry3d exact_;
    const Motion a_from_b_, b_from_a_;
    TreeQueryCounts& counts_;
    PairQueryMemory& memory_;
    Visit& visit_;
    float lost_m_ = 0.0F;
};

void AllTouching(const PairTree& a, const PairTree& b, const Eigen::Isometry3f& a_from_b, TrianglePairs& pairs,
                 TreeQueryCounts& counts, PairQueryMemory& memory) {
    auto keep = [&](std::int32_t ta, std::int32_t tb) {
        pairs.emplace_back(ta, tb);
        return false;
    };
    Traversal traversal(a, b, a_from_b, counts, memory, keep);
    traversal.template run<false>();
}

bool AnyTouching(const PairTree& a, const PairTree& b, const Eigen::Isometry3f& a_from_b, TreeQueryCounts& counts,
                 PairQueryMemory& memory) {
    auto stop = [](std::int32_t, std::int32_t) { return true; };
    Traversal traversal(a, b, a_from_b, counts, memory, stop);
    return traversal.template run<true>();
}

}  // namespace glovebox::collision::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace glovebox::collision {

HWY_EXPORT(AllTouching);
HWY_EXPORT(AnyTouching);

void touching_triangles(const PairTree& a, const PairTree& b, const Eigen::Isometry3f& a_from_b, TrianglePairs& pairs,
                        TreeQueryCounts& counts, PairQueryMemory& memory) {
    HWY_DYNAMIC_DISPATCH(AllTouching)(a, b, a_from_b, pairs, counts, memory);
}

bool touch(const PairTree& a, const PairTree& b, const Eigen::Isometry3f& a_from_b, TreeQueryCounts& counts,
           PairQueryMemory& memory) {
    return HWY_DYNAMIC_DISPATCH(AnyTouching)(a, b, a_from_b, counts, memory);
}

}  // namespace glovebox::collision
#endif
