// The queries of mesh_pair.h: one traversal, compiled for several instruction sets.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "collision/query/mesh_pair_query.cpp"
#include <hwy/foreach_target.h>
// The order matters: foreach_target must come first.
#include <hwy/highway.h>

#include "collision/mesh/obb_tree-inl.h"

#include <bit>

#include <hwy/cache_control.h>

#include "collision/query/mesh_pair.h"
#include "collision/query/triangle_pair.h"

HWY_BEFORE_NAMESPACE();
namespace glovebox::collision::HWY_NAMESPACE {
namespace {

using Waiting = PairQueryMemory::Waiting;
constexpr std::size_t kLanes = ObbTree::kWidth;
constexpr std::size_t kTriangles = ObbTree::kBlockTriangles;

template <class Record>
HWY_INLINE void Fetch(const Record& record) {
    for (std::size_t at = 0; at < sizeof(Record); at += 64) hwy::Prefetch(reinterpret_cast<const char*>(&record) + at);
}

// A pose: four columns of four floats.
struct Move {
    Turn turn;
    Vec4 shift;

    HWY_INLINE explicit Move(const float* columns)
        : turn{{Vec4::From(columns), Vec4::From(columns + 4), Vec4::From(columns + 8)}},
          shift(Vec4::From(columns + 12)) {}
};

// The box that waits, in registers.
struct ClosedBox {
    Vec4 center, axes[3];
    float half_m[3];

    HWY_INLINE explicit ClosedBox(const Waiting& from)
        : center(Vec4::From(from.center_m)),
          axes{Vec4::From(from.axes[0]), Vec4::From(from.axes[1]), Vec4::From(from.axes[2])},
          half_m{from.half_m[0], from.half_m[1], from.half_m[2]} {}
    // The box of a node's child in another frame; `turn` is the rotation from the node's frame.
    HWY_INLINE ClosedBox(const ObbTree::Node& node, std::size_t child, const Turn& turn, Vec4 shift, float lost_m)
        : axes{turn.column[0], turn.column[1], turn.column[2]} {
        float middle_m[3];
        for (std::size_t k = 0; k < 3; ++k) {
            const float half_step_m = 0.5F * node.step_m[k];
            const auto low = static_cast<int>(node.low_steps[k][child]),
                       high = static_cast<int>(node.high_steps[k][child]);
            middle_m[k] = node.low_m[k] + half_step_m * static_cast<float>(low + high);
            half_m[k] = half_step_m * static_cast<float>(high - low) + lost_m;
        }
        center = turn * middle_m + shift;
    }
    HWY_INLINE void To(Waiting& into) const {
        center.To(into.center_m);
        for (int j = 0; j < 3; ++j) axes[j].To(into.axes[j]);
        for (int k = 0; k < 3; ++k) into.half_m[k] = half_m[k];
    }
    HWY_INLINE float area_m2() const { return half_m[0] * half_m[1] + half_m[1] * half_m[2] + half_m[2] * half_m[0]; }
};

// Planes of four triangles: a point is above if normal . point > offset + error.
struct Planes {
    alignas(16) float normal[3][ObbTree::kBlockTriangles], offset[ObbTree::kBlockTriangles],
        error[ObbTree::kBlockTriangles];
};

template <class Visit>
class Traversal {
  public:
    Traversal(const ObbTree& a, const ObbTree& b, const Eigen::Isometry3f& a_from_b, TreeQueryCounts& counts,
              PairQueryMemory& memory, Visit& visit)
        : a_(a),
          b_(b),
          exact_(a_from_b.cast<double>()),
          a_from_b_(a_from_b),
          b_from_a_(exact_.inverse(Eigen::Affine).cast<float>()),
          a_from_b_move_(a_from_b_.data()),
          b_from_a_move_(b_from_a_.data()),
          counts_(counts),
          memory_(memory),
          visit_(visit) {
        // Bound of all coordinates of both meshes in either frame, during and after the transform.
        const float reach_m = 3.0F * (a.largest_m() + b.largest_m() + a_from_b.translation().cwiseAbs().maxCoeff());
        lost_m_ = 6e-7F * reach_m;  // five roundings, with a margin
        // A stored box is rounded in a product and a sum of numbers up to twice the largest coordinate, and in a
        // rotation.
        lost_a_m_ = 1e-6F * a.largest_m() + std::numeric_limits<float>::min();
        lost_b_m_ = 1e-6F * b.largest_m() + std::numeric_limits<float>::min();
    }

    /// visit(triangle of a, triangle of b) returns true to stop. Returns true if it did.
    template <bool kDeepestFirst>
    bool run() {
        auto& waiting = memory_.waiting;
        waiting.clear();
        const Obb box = transformed(a_from_b_, b_.root_box());
        Waiting& start = waiting.emplace_back();
        for (int k = 0; k < 3; ++k) {
            start.center_m[k] = box.center_m[k];
            start.half_m[k] = box.half_m[k];
            for (int j = 0; j < 3; ++j) start.axes[j][k] = box.axes(k, j);
        }
        start.opened = start.other = 0;
        start.opened_is_a = true;
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
        const bool opened_is_a = last.opened_is_a;
        const std::int32_t other = last.other;
        const ObbTree& opened = opened_is_a ? a_ : b_;
        const ObbTree::Node& node = opened.nodes()[static_cast<std::size_t>(last.opened)];
        alignas(32) float area_m2[kLanes], deep_m[kLanes];
        ++counts_.box_tests;
        std::uint32_t met = OverlapChildren<kDeepestFirst>(BoxView(last.center_m, last.axes, last.half_m), node,
                                                           4.0F * lost_m_, area_m2, deep_m);
        const ClosedBox box(last);
        memory_.waiting.pop_back();
        if (other < 0)
            for (std::uint32_t left = met; left != 0; left &= left - 1) {
                const std::int32_t child = node.child[static_cast<std::size_t>(std::countr_zero(left))];
                if (child < 0) Fetch(opened.blocks()[static_cast<std::size_t>(~child)]);
            }
        // The children that wait, the deepest last, as pairs are taken from the back.
        std::array<std::uint8_t, kLanes> order;
        std::size_t count = 0;
        for (; met != 0; met &= met - 1) {
            const auto lane = static_cast<std::size_t>(std::countr_zero(met));
            const std::int32_t child = node.child[lane];
            if (child < 0 && other < 0) {
                const std::int32_t of_a = opened_is_a ? ~child : ~other, of_b = opened_is_a ? ~other : ~child;
                if (decide(a_.blocks()[static_cast<std::size_t>(of_a)], b_.blocks()[static_cast<std::size_t>(of_b)]))
                    return true;
                continue;
            }
            if (child < 0)
                Fetch(opened.blocks()[static_cast<std::size_t>(~child)]);
            else
                Fetch(opened.nodes()[static_cast<std::size_t>(child)]);
            std::size_t at = count++;
            if constexpr (kDeepestFirst)
                for (; at > 0 && deep_m[lane] < deep_m[order[at - 1]]; --at) order[at] = order[at - 1];
            order[at] = static_cast<std::uint8_t>(lane);
        }
        if (count == 0) return false;
        const float box_area_m2 = box.area_m2();
        const Move& other_from_opened = opened_is_a ? b_from_a_move_ : a_from_b_move_;
        const float lost_m = opened_is_a ? lost_a_m_ : lost_b_m_;
        Turn other_from_node = other_from_opened.turn;  // set at first use: the children share their axes
        bool has_turn = false;
        for (std::size_t i = 0; i < count; ++i) {
            const std::size_t lane = order[i];
            const std::int32_t child = node.child[lane];
            Waiting& next = memory_.waiting.emplace_back();
            if (child >= 0 && (other < 0 || area_m2[lane] >= box_area_m2)) {
                box.To(next);
                next.opened = child;
                next.other = other;
                next.opened_is_a = opened_is_a;
            } else {
                if (!has_turn) {
                    const Turn turn = TurnOf(node, true);
                    for (int j = 0; j < 3; ++j) other_from_node.column[j] = other_from_opened.turn * turn.column[j];
                    has_turn = true;
                }
                ClosedBox(node, lane, other_from_node, other_from_opened.shift, lost_m).To(next);
                next.opened = other;
                next.other = child;
                next.opened_is_a = !opened_is_a;
            }
        }
        return false;
    }

    // Tests a transformed triangle of b against up to four of a at once. A pair is excluded if one triangle lies on one
    // side of the other's plane by more than the rounding error. The rest is decided exactly.
    bool decide(const ObbTree::Block& leaf_a, const ObbTree::Block& leaf_b) {
        alignas(16) Corners b_in_a, a_in_b;
        Planes planes_a, planes_b;
        move(leaf_b, a_from_b_, b_in_a);
        set_planes(leaf_a, planes_a);
        bool has_b = false;
        for (std::size_t j = 0; j < kTriangles && leaf_b.triangle[j] >= 0; ++j) {
            ++counts_.triangle_tests;
            Sides of_a, of_b;
            std::uint32_t open = kAllTriangles & ~sides_of<false>(planes_a, b_in_a, j, of_b);
            if (open == 0) continue;
            if (!has_b) {
                move(leaf_a, b_from_a_, a_in_b);
                set_planes(leaf_b, planes_b);
                has_b = true;
            }
            for (open &= ~sides_of<true>(planes_b, a_in_b, j, of_a); open != 0; open &= open - 1) {
                const auto i = static_cast<std::size_t>(std::countr_zero(open));
                if (leaf_a.triangle[i] < 0) break;
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

    // The corners of a block in the other mesh's frame: [corner][coordinate][triangle].
    using Corners = float[3][3][kTriangles];
    using Tag = hn::CappedTag<float, kTriangles>;
    using V = hn::Vec<Tag>;
    static constexpr std::uint32_t kAllTriangles = (1U << kTriangles) - 1U;

    HWY_INLINE static void move(const ObbTree::Block& leaf, const Eigen::Isometry3f& pose, Corners& moved) {
        const Tag d;
        const float* const columns = pose.matrix().data();
        for (std::size_t at = 0; at < kTriangles; at += hn::Lanes(d))
            for (std::size_t c = 0; c < 3; ++c) {
                const auto& corner = leaf.corner_m[c];
                const V x = hn::LoadU(d, corner[0] + at), y = hn::LoadU(d, corner[1] + at),
                        z = hn::LoadU(d, corner[2] + at);
                for (std::size_t k = 0; k < 3; ++k) {
                    const auto entry = [&](std::size_t column) { return hn::Set(d, columns[4 * column + k]); };
                    const V sum = hn::MulAdd(entry(2), z, hn::MulAdd(entry(1), y, hn::MulAdd(entry(0), x, entry(3))));
                    hn::StoreU(sum, d, moved[c][k] + at);
                }
            }
    }

    // Sets the planes of four triangles, and bounds of the error of a corner's height above them. With e1, e2 the
    // edges, |e1 x e2| <= |e1||e2| in the sum norm. Every coordinate of the corner is off by at most l = lost_m_, which
    // is ten roundings of the largest coordinate; the normal's roundings and those of both products add less than 2 l.
    HWY_INLINE void set_planes(const ObbTree::Block& leaf, Planes& planes) const {
        const Tag d;
        for (std::size_t at = 0; at < kTriangles; at += hn::Lanes(d)) {
            V p[3], e1[3], e2[3], n[3];
            for (std::size_t k = 0; k < 3; ++k) {
                p[k] = hn::LoadU(d, leaf.corner_m[0][k] + at);
                e1[k] = hn::Sub(hn::LoadU(d, leaf.corner_m[1][k] + at), p[k]);
                e2[k] = hn::Sub(hn::LoadU(d, leaf.corner_m[2][k] + at), p[k]);
            }
            for (std::size_t k = 0; k < 3; ++k) {
                const std::size_t k1 = (k + 1) % 3, k2 = (k + 2) % 3;
                n[k] = hn::MulSub(e1[k1], e2[k2], hn::Mul(e1[k2], e2[k1]));
                hn::StoreU(n[k], d, planes.normal[k] + at);
            }
            const auto sum_of = [](const V(&v)[3]) {
                return hn::Add(hn::Add(hn::Abs(v[0]), hn::Abs(v[1])), hn::Abs(v[2]));
            };
            hn::StoreU(hn::MulAdd(n[2], p[2], hn::MulAdd(n[1], p[1], hn::Mul(n[0], p[0]))), d, planes.offset + at);
            hn::StoreU(hn::MulAdd(hn::Mul(sum_of(e1), sum_of(e2)), hn::Set(d, 3.0F * lost_m_),
                                  hn::Set(d, std::numeric_limits<float>::min())),
                       d, planes.error + at);
        }
    }

    // Returns the triangles whose plane has all corners of triangle j certainly on one side; if kOnePlane, those that
    // have all corners certainly on one side of the plane of triangle j.
    template <bool kOnePlane>
    HWY_INLINE static std::uint32_t sides_of(const Planes& planes, const Corners& corners, std::size_t j,
                                             Sides& sides) {
        const Tag d;
        std::uint32_t apart = 0;
        for (std::size_t at = 0; at < kTriangles; at += hn::Lanes(d)) {
            const auto of_plane = [&](const float* row) {
                return kOnePlane ? hn::Set(d, row[j]) : hn::LoadU(d, row + at);
            };
            const auto of_corner = [&](const float* row) {
                return kOnePlane ? hn::LoadU(d, row + at) : hn::Set(d, row[j]);
            };
            const V x = of_plane(planes.normal[0]), y = of_plane(planes.normal[1]), z = of_plane(planes.normal[2]);
            const V offset = of_plane(planes.offset), error = of_plane(planes.error);
            const V high = hn::Add(offset, error), low = hn::Sub(offset, error);
            std::uint32_t above = kAllTriangles, below = kAllTriangles;
            for (std::size_t c = 0; c < 3; ++c) {
                const V height =
                    hn::MulAdd(z, of_corner(corners[c][2]),
                               hn::MulAdd(y, of_corner(corners[c][1]), hn::Mul(x, of_corner(corners[c][0]))));
                const std::uint32_t is_above = bits_of(hn::Gt(height, high)), is_below = bits_of(hn::Lt(height, low));
                sides.above[c] |= is_above << at;
                sides.below[c] |= is_below << at;
                above &= is_above;
                below &= is_below;
            }
            apart |= (above | below) << at;
        }
        return apart;
    }
    HWY_INLINE static std::uint32_t bits_of(hn::Mask<Tag> mask) {
        std::uint8_t bits[8] = {};
        hn::StoreMaskBits(Tag(), mask, bits);
        return std::uint32_t{bits[0]} & ((1U << hn::Lanes(Tag())) - 1U);
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
    const Move a_from_b_move_, b_from_a_move_;
    TreeQueryCounts& counts_;
    PairQueryMemory& memory_;
    Visit& visit_;
    float lost_m_ = 0.0F, lost_a_m_ = 0.0F, lost_b_m_ = 0.0F;
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
