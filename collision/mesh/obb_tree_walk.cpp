// The traversal of a mesh's tree that prunes by the bounds of query_bounds-inl.h.
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

#include "collision/mesh/query_bounds-inl.h"

HWY_BEFORE_NAMESPACE();
namespace glovebox::collision::HWY_NAMESPACE {
namespace {

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
