#include "collision/body/refit_lanes.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>

#include "collision/box/merge.h"

// Compiled once for every instruction set that Highway knows here and picked at run time.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "collision/body/refit_lanes.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "collision/box/xyz-inl.h"

HWY_BEFORE_NAMESPACE();
namespace glovebox::collision::HWY_NAMESPACE {
namespace {

template <class V>
struct LaneBox {
    Xyz<V> center, axes[3];
    V half[3];
};

// Negates the vector where the sign bit is set.
template <class V>
HWY_INLINE Xyz<V> Turned(const Xyz<V>& a, V sign) {
    return {hn::Xor(a.x, sign), hn::Xor(a.y, sign), hn::Xor(a.z, sign)};
}
template <class V>
struct Major {
    Xyz<V> axis;
    V half, thickness;  // the largest half extent, and the second largest
};
template <class V>
HWY_INLINE Major<V> MajorOf(const LaneBox<V>& box) {
    const V h0 = box.half[0], h1 = box.half[1], h2 = box.half[2];
    const auto second = hn::Gt(h1, h0), third = hn::And(hn::Gt(h2, h0), hn::Gt(h2, h1));
    const V larger = hn::Max(h0, h1);
    return {Choose(third, box.axes[2], Choose(second, box.axes[1], box.axes[0])), hn::Max(larger, h2),
            hn::Max(hn::Min(h0, h1), hn::Min(larger, h2))};
}

// Projections on a direction of any length: of the axes of two boxes, and of the vector between their centres.
template <class V>
struct Shares {
    V a[3], b[3], between;
};
template <class V>
HWY_INLINE Shares<V> SharesOf(const Xyz<V>& direction, const LaneBox<V>& a, const LaneBox<V>& b,
                              const Xyz<V>& between) {
    return {{Dot(direction, a.axes[0]), Dot(direction, a.axes[1]), Dot(direction, a.axes[2])},
            {Dot(direction, b.axes[0]), Dot(direction, b.axes[1]), Dot(direction, b.axes[2])},
            Dot(direction, between)};
}
// Returns the projections on the first direction minus `much` times the other direction.
template <class V>
HWY_INLINE Shares<V> Less(const Shares<V>& s, const Shares<V>& other, V much) {
    return {{hn::NegMulAdd(other.a[0], much, s.a[0]), hn::NegMulAdd(other.a[1], much, s.a[1]),
             hn::NegMulAdd(other.a[2], much, s.a[2])},
            {hn::NegMulAdd(other.b[0], much, s.b[0]), hn::NegMulAdd(other.b[1], much, s.b[1]),
             hn::NegMulAdd(other.b[2], much, s.b[2])},
            hn::NegMulAdd(other.between, much, s.between)};
}
// Computes the extent of both boxes along the direction: its half length, and the offset of its middle from the centre
// of a. `scale` makes the direction a unit vector.
template <class D, class V>
HWY_INLINE void Extent(D d, const Shares<V>& s, const LaneBox<V>& a, const LaneBox<V>& b, V scale, V& shift, V& half) {
    const auto reach = [](const V(&share)[3], const V(&halves)[3]) {
        const V r01 = hn::MulAdd(hn::Abs(share[1]), halves[1], hn::Mul(hn::Abs(share[0]), halves[0]));
        return hn::MulAdd(hn::Abs(share[2]), halves[2], r01);
    };
    const V ra = reach(s.a, a.half), rb = reach(s.b, b.half);
    const V minus_low = hn::Max(ra, hn::Sub(rb, s.between)), high = hn::Max(ra, hn::Add(s.between, rb));
    const V half_scale = hn::Mul(hn::Set(d, 0.5F), scale);
    shift = hn::Mul(half_scale, hn::Sub(high, minus_low));
    half = hn::Mul(half_scale, hn::Add(high, minus_low));
}

// Does the same as merge_cab() of merge.cpp (see the comments there), with every branch replaced by a selection.
template <class D, class V = hn::Vec<D>>
HWY_INLINE LaneBox<V> MergeCab(D d, const LaneBox<V>& a, const LaneBox<V>& b, const Xyz<V>& joint) {
    const V zero = hn::Zero(d);
    Major<V> ma = MajorOf(a), mb = MajorOf(b);
    const Xyz<V> between = b.center - a.center;

    // Axes that point away from the joint.
    const V away_a = Dot(a.center - joint, ma.axis), away_b = Dot(b.center - joint, mb.axis);
    V sign_a = hn::And(away_a, hn::SignBit(d)), sign_b = hn::And(away_b, hn::SignBit(d));
    const V near = hn::Set(d, 1e-3F);
    const auto beside_a = hn::Lt(hn::Abs(away_a), hn::Mul(near, ma.half));
    const auto beside_b = hn::Lt(hn::Abs(away_b), hn::Mul(near, mb.half));
    if (!hn::AllFalse(d, hn::Or(beside_a, beside_b))) {
        // The scalar code orients the axes away from the joint before it computes the joint-free signs.
        const Xyz<V> ua = Turned(ma.axis, sign_a), ub = Turned(mb.axis, sign_b);
        const V p = hn::Mul(mb.half, Dot(between, ub)), q = hn::Mul(ma.half, Dot(between, ua));
        const V w = hn::Mul(hn::Mul(ma.half, mb.half), Dot(ua, ub));
        const auto positive_b = hn::Ge(hn::Add(hn::Abs(hn::Add(q, w)), p), hn::Sub(hn::Abs(hn::Sub(q, w)), p));
        const auto turn_a = hn::Gt(hn::Add(q, hn::IfThenElse(positive_b, w, hn::Neg(w))), zero);
        const V flip = hn::SignBit(d);
        sign_a = hn::Xor(sign_a, hn::IfThenElseZero(hn::And(beside_a, turn_a), flip));
        sign_b = hn::Xor(sign_b, hn::IfThenElseZero(hn::AndNot(positive_b, beside_b), flip));
    }
    // a_1 and a_2, scaled by half lengths: selection and direction are unchanged.
    const Xyz<V> va = Turned(ma.axis * ma.half, sign_a), vb = Turned(mb.axis * mb.half, sign_b);

    const Xyz<V> n = Cross(ma.axis, mb.axis);  // its sign does not affect the box
    const V one = hn::Set(d, 1.0F), sine2 = Dot(n, n);
    const Xyz<V> e = va - vb;
    const V length2_a = Dot(va, va), length2_b = Dot(vb, vb), length2_e = Dot(e, e);
    const V length2_limb = hn::Max(length2_a, length2_b), length2 = hn::Max(length2_e, length2_limb);
    const Xyz<V> limb = Choose(hn::Gt(length2_b, length2_a), vb, va);
    const Xyz<V> m = Choose(hn::Gt(length2_limb, length2_e), limb, e);  // [Schmidl04, eq. 1]

    // The frame before normalisation: m; n orthogonalised against m (eq. 2; removes less than 3e-5 of n); their cross
    // product (eq. 3; the part of n along m does not matter). Extents are measured along these vectors and scaled at
    // the end, so that nothing waits for the square roots: a group of merges takes as long as its longest dependency
    // chain.
    Xyz<V> frame[3] = {m, n, Cross(m, n)};
    V lean = hn::Mul(Dot(m, n), hn::Div(one, length2)), scale[3];
    scale[0] = hn::Div(one, hn::Sqrt(length2));
    scale[1] = hn::Div(one, hn::Sqrt(sine2));
    scale[2] = hn::Mul(scale[0], scale[1]);

    // Parallel, without length or too large: the frame of the thicker child.
    const auto proper = hn::And(hn::Ge(sine2, hn::Set(d, 1.99999e-5F)),
                                hn::And(hn::Gt(length2, hn::Set(d, std::numeric_limits<float>::min())),
                                        hn::Lt(length2, hn::Set(d, kLongest_m2))));
    if (!hn::AllTrue(d, proper)) {
        const auto thicker_b = hn::Gt(mb.thickness, ma.thickness);
        lean = hn::IfThenElseZero(proper, lean);
        for (int i = 0; i < 3; ++i) {
            frame[i] = Choose(proper, frame[i], Choose(thicker_b, b.axes[i], a.axes[i]));
            scale[i] = hn::IfThenElse(proper, scale[i], one);
        }
    }

    // Same as enclose() of merge.cpp (eq. 4).
    LaneBox<V> out;
    V shift[3];
    const Shares<V> first = SharesOf(frame[0], a, b, between);
    Extent(d, first, a, b, scale[0], shift[0], out.half[0]);
    Extent(d, Less(SharesOf(frame[1], a, b, between), first, lean), a, b, scale[1], shift[1], out.half[1]);
    Extent(d, SharesOf(frame[2], a, b, between), a, b, scale[2], shift[2], out.half[2]);
    const Xyz<V> upright = {hn::NegMulAdd(frame[0].x, lean, frame[1].x), hn::NegMulAdd(frame[0].y, lean, frame[1].y),
                            hn::NegMulAdd(frame[0].z, lean, frame[1].z)};
    out.axes[0] = frame[0] * scale[0];
    out.axes[1] = upright * scale[1];
    out.axes[2] = frame[2] * scale[2];
    const auto& axes = out.axes;
    const auto moved = [&](V from, V x, V y, V z) {
        return hn::MulAdd(z, shift[2], hn::MulAdd(y, shift[1], hn::MulAdd(x, shift[0], from)));
    };
    out.center = {moved(a.center.x, axes[0].x, axes[1].x, axes[2].x),
                  moved(a.center.y, axes[0].y, axes[1].y, axes[2].y),
                  moved(a.center.z, axes[0].z, axes[1].z, axes[2].z)};
    // enclose() pads by 4 eps of the new centre and 8 of the size; the new centre is at most as far as a's plus the
    // size.
    constexpr float kEps = std::numeric_limits<float>::epsilon();
    const V reach = hn::Max(hn::Max(hn::Abs(a.center.x), hn::Abs(a.center.y)), hn::Abs(a.center.z));
    const V size = hn::Add(hn::Add(out.half[0], out.half[1]), out.half[2]);
    const V pad = hn::MulAdd(hn::Set(d, 12.0F * kEps), size, hn::Mul(hn::Set(d, 4.0F * kEps), reach));
    for (V& half : out.half) half = hn::Add(half, pad);
    return out;
}

#if HWY_TARGET == HWY_SCALAR

// Without SIMD: one by one.
bool PlaceBones(const RigidBones& bones, const Eigen::Isometry3f* world_from_bone, Obb* boxes,
                Eigen::Vector3f* joints_m) {
    bool finite = true;
    for (std::size_t bone = 0; bone < bones.box_in_bone.size(); ++bone) {
        boxes[bone] = transformed(world_from_bone[bone], bones.box_in_bone[bone]);
        finite = finite && all_finite(boxes[bone]);
    }
    for (std::size_t joint = 0; joint < bones.joint_in_bone.size(); ++joint)
        if (bones.bone_of_joint[joint] >= 0)
            joints_m[joint] = world_from_bone[bones.bone_of_joint[joint]] * bones.joint_in_bone[joint];
    return finite;
}

void RefitLevels(const ArticulatedBody& body, const RefitPlan& plan, std::span<const Eigen::Vector3f> joints_m,
                 std::span<const std::uint8_t> wanted, std::span<Obb> boxes) {
    const auto bones = static_cast<std::size_t>(body.bone_count());
    const auto at = [&](std::int32_t node) -> Obb& { return boxes[static_cast<std::size_t>(node)]; };
    for (const RefitPlan::Group& group : plan.groups())
        for (std::size_t lane = 0; lane < static_cast<std::size_t>(group.count); ++lane) {
            const auto number = static_cast<std::size_t>(group.node[lane]);
            if (!wanted.empty() && wanted[number] == 0) continue;
            const HierarchyNode& node = body.nodes[number - bones];
            at(group.node[lane]) =
                merge_cab(at(node.child_a), at(node.child_b), joints_m[static_cast<std::size_t>(node.joint)]);
        }
}

#else

// ---- four boxes at a time, in their original memory layout

using Four = hn::FixedTag<float, 4>;
using V4 = hn::Vec<Four>;

HWY_INLINE void Transpose(V4& v0, V4& v1, V4& v2, V4& v3) {
    const Four d;
    const V4 t0 = hn::InterleaveLower(d, v0, v1), t1 = hn::InterleaveLower(d, v2, v3);
    const V4 t2 = hn::InterleaveUpper(d, v0, v1), t3 = hn::InterleaveUpper(d, v2, v3);
    v0 = hn::ConcatLowerLower(d, t1, t0);
    v1 = hn::ConcatUpperUpper(d, t1, t0);
    v2 = hn::ConcatLowerLower(d, t3, t2);
    v3 = hn::ConcatUpperUpper(d, t3, t2);
}

// Gathers one number from each of four places, in registers. Four single stores followed by one wide load would stall
// until the stores have completed.
HWY_INLINE V4 FourFloats(const float* const (&from)[4], std::size_t at) {
    const Four d;
    return hn::ConcatUpperLower(d, hn::OddEven(hn::Set(d, from[3][at]), hn::Set(d, from[2][at])),
                                hn::OddEven(hn::Set(d, from[1][at]), hn::Set(d, from[0][at])));
}

// An Obb is fifteen contiguous floats: centre, axes by column, half extents. They are moved as three quads, a pair and
// a single float, loaded as they were stored: a load that spans two stores waits for both to reach the cache.
static_assert(sizeof(Obb) == 15 * sizeof(float) && offsetof(Obb, axes) == 3 * sizeof(float) &&
              offsetof(Obb, half_m) == 12 * sizeof(float));

HWY_INLINE LaneBox<V4> LoadFour(const float* const (&from)[4]) {
    const Four d;
    const hn::FixedTag<float, 2> two;
    V4 q[3][4];
    for (std::size_t k = 0; k < 3; ++k) {
        for (std::size_t lane = 0; lane < 4; ++lane) q[k][lane] = hn::LoadU(d, from[lane] + 4 * k);
        Transpose(q[k][0], q[k][1], q[k][2], q[k][3]);
    }
    const V4 low = hn::Combine(d, hn::LoadU(two, from[1] + 12), hn::LoadU(two, from[0] + 12));
    const V4 high = hn::Combine(d, hn::LoadU(two, from[3] + 12), hn::LoadU(two, from[2] + 12));
    return {{q[0][0], q[0][1], q[0][2]},
            {{q[0][3], q[1][0], q[1][1]}, {q[1][2], q[1][3], q[2][0]}, {q[2][1], q[2][2], q[2][3]}},
            {hn::ConcatEven(d, high, low), hn::ConcatOdd(d, high, low), FourFloats(from, 14)}};
}

HWY_INLINE void StoreFour(const LaneBox<V4>& box, float* const (&to)[4], int count) {
    const Four d;
    const hn::FixedTag<float, 2> two;
    V4 q[4][4] = {{box.center.x, box.center.y, box.center.z, box.axes[0].x},
                  {box.axes[0].y, box.axes[0].z, box.axes[1].x, box.axes[1].y},
                  {box.axes[1].z, box.axes[2].x, box.axes[2].y, box.axes[2].z},
                  {box.half[0], box.half[1], box.half[2], box.half[2]}};
    for (std::size_t k = 0; k < 4; ++k) Transpose(q[k][0], q[k][1], q[k][2], q[k][3]);
    for (int lane = 0; lane < count; ++lane) {
        for (std::size_t k = 0; k < 3; ++k) hn::StoreU(q[k][lane], d, to[lane] + 4 * k);
        hn::StoreU(hn::LowerHalf(two, q[3][lane]), two, to[lane] + 12);
        to[lane][14] = hn::GetLane(hn::UpperHalf(two, q[3][lane]));
    }
}

// Places leaf boxes and joints of rigid bones; a vector is a column of the pose times one number of the box. Returns
// false if one of the boxes may not be finite: a value that is not finite makes the sum so.
bool PlaceBones(const RigidBones& bones, const Eigen::Isometry3f* world_from_bone, Obb* boxes,
                Eigen::Vector3f* joints_m) {
    const Four d;
    const hn::FixedTag<float, 2> two;
    const auto turned = [&](const V4(&pose)[4], const float* v) {
        return hn::MulAdd(pose[2], hn::Set(d, v[2]),
                          hn::MulAdd(pose[1], hn::Set(d, v[1]), hn::Mul(pose[0], hn::Set(d, v[0]))));
    };
    const auto load = [&](std::size_t bone, V4(&pose)[4]) {
        for (std::size_t k = 0; k < 4; ++k) pose[k] = hn::LoadU(d, world_from_bone[bone].data() + 4 * k);
    };
    V4 pose[4], sum = hn::Zero(d);
    // Read once: as far as the compiler knows, the stores below might change the bones.
    const std::size_t bone_count = bones.box_in_bone.size(), joint_count = bones.joint_in_bone.size();
    const Obb* const box_in_bone = bones.box_in_bone.data();
    for (std::size_t bone = 0; bone < bone_count; ++bone) {
        const float* from = box_in_bone[bone].center_m.data();
        float* to = boxes[bone].center_m.data();
        load(bone, pose);
        const V4 center = hn::Add(turned(pose, from), pose[3]), x = turned(pose, from + 3), y = turned(pose, from + 6),
                 z = turned(pose, from + 9);
        // The next store overwrites the last value of each store.
        hn::StoreU(center, d, to);
        hn::StoreU(x, d, to + 3);
        hn::StoreU(y, d, to + 6);
        hn::StoreU(z, d, to + 9);
        std::memcpy(to + 12, from + 12, 3 * sizeof(float));
        sum = hn::Add(sum, hn::Add(hn::Add(center, x), hn::Add(y, z)));
    }
    const std::int32_t* const bone_of_joint = bones.bone_of_joint.data();
    const Eigen::Vector3f* const joint_in_bone = bones.joint_in_bone.data();
    for (std::size_t joint = 0; joint < joint_count; ++joint) {
        if (bone_of_joint[joint] < 0) continue;
        load(static_cast<std::size_t>(bone_of_joint[joint]), pose);
        const V4 at = hn::Add(turned(pose, joint_in_bone[joint].data()), pose[3]);
        hn::StoreU(hn::LowerHalf(two, at), two, joints_m[joint].data());
        joints_m[joint].z() = hn::GetLane(hn::UpperHalf(two, at));
    }
    // The last row of a pose is ignored.
    return hn::AllTrue(d, hn::Or(hn::IsFinite(sum), hn::Not(hn::FirstN(d, 3))));
}

void RefitLevels(const ArticulatedBody&, const RefitPlan& plan, std::span<const Eigen::Vector3f> joints_m,
                 std::span<const std::uint8_t> wanted, std::span<Obb> boxes) {
    static_assert(sizeof(Eigen::Vector3f) == 3 * sizeof(float));
    float* const of_boxes = boxes.empty() ? nullptr : boxes.front().center_m.data();
    const float* const of_joints = joints_m.empty() ? nullptr : joints_m.front().data();
    for (const RefitPlan::Group& group : plan.groups()) {
        const float *a[4], *b[4], *joint[4];
        float* out[4];
        bool any = wanted.empty();
        for (std::size_t lane = 0; lane < 4; ++lane) {
            any = any || wanted[static_cast<std::size_t>(group.node[lane])] != 0;
            a[lane] = of_boxes + group.box_a[lane];
            b[lane] = of_boxes + group.box_b[lane];
            out[lane] = of_boxes + group.box[lane];
            joint[lane] = of_joints + group.joint[lane];
        }
        if (!any) continue;
        const Xyz<V4> joints = {FourFloats(joint, 0), FourFloats(joint, 1), FourFloats(joint, 2)};
        StoreFour(MergeCab(Four(), LoadFour(a), LoadFour(b), joints), out, group.count);
    }
}

#endif

// ---- one body per lane

using Wide = hn::CappedTag<float, 16>;
using VW = hn::Vec<Wide>;

constexpr std::size_t kBatchBlock = 16;  // bodies; see BodyBatch
struct Columns {
    float* values;
    float* at(std::size_t node, std::size_t number) const { return values + (15 * node + number) * kBatchBlock; }
};

HWY_INLINE LaneBox<VW> LoadColumns(const Columns& columns, std::size_t node, std::size_t lane) {
    const Wide d;
    const auto at = [&](std::size_t number) { return hn::LoadU(d, columns.at(node, number) + lane); };
    return {{at(0), at(1), at(2)},
            {{at(3), at(4), at(5)}, {at(6), at(7), at(8)}, {at(9), at(10), at(11)}},
            {at(12), at(13), at(14)}};
}

HWY_INLINE void StoreColumns(const LaneBox<VW>& box, const Columns& columns, std::size_t node, std::size_t lane) {
    const Wide d;
    const auto put = [&](std::size_t number, VW value) { hn::StoreU(value, d, columns.at(node, number) + lane); };
    put(0, box.center.x);
    put(1, box.center.y);
    put(2, box.center.z);
    for (std::size_t k = 0; k < 3; ++k) {
        put(3 + 3 * k, box.axes[k].x);
        put(4 + 3 * k, box.axes[k].y);
        put(5 + 3 * k, box.axes[k].z);
        put(12 + k, box.half[k]);
    }
}

// Rigid poses of one bone, one body per lane: columns of the rotation, then the translation.
struct LanePose {
    Xyz<VW> columns[4];
};

#if HWY_TARGET == HWY_SCALAR || HWY_HAVE_SCALABLE

HWY_INLINE LanePose LoadPoses(const Eigen::Isometry3f* const* poses, std::size_t bone) {
    const Wide d;
    constexpr std::size_t kMax = 16;
    alignas(64) float rows[12][kMax];
    for (std::size_t lane = 0; lane < hn::Lanes(d); ++lane)
        for (std::size_t k = 0; k < 12; ++k) rows[k][lane] = poses[lane][bone].data()[4 * (k / 3) + k % 3];
    LanePose pose;
    for (std::size_t k = 0; k < 4; ++k)
        pose.columns[k] = {hn::LoadU(d, rows[3 * k]), hn::LoadU(d, rows[3 * k + 1]), hn::LoadU(d, rows[3 * k + 2])};
    return pose;
}

#else

// Joins quads of lanes into one vector.
template <std::size_t kLanes>
HWY_INLINE hn::Vec<hn::FixedTag<float, kLanes>> Join(const V4* quads) {
    if constexpr (kLanes == 4) {
        return quads[0];
    } else {
        const hn::FixedTag<float, kLanes> d;
        return hn::Combine(d, Join<kLanes / 2>(quads + kLanes / 8), Join<kLanes / 2>(quads));
    }
}

// A block of four lanes holds every fourth pose, so that the transposition needs no other block.
HWY_INLINE LanePose LoadPoses(const Eigen::Isometry3f* const* poses, std::size_t bone) {
    constexpr std::size_t kLanes = HWY_LANES(float) < 16 ? HWY_LANES(float) : 16;
    const Four four;
    const Wide d;
    const hn::Repartition<std::uint64_t, Wide> pairs;
    LanePose pose;
    for (std::size_t column = 0; column < 4; ++column) {
        VW of[4];
        for (std::size_t k = 0; k < 4; ++k) {
            V4 quads[kLanes / 4];
            for (std::size_t quad = 0; quad < kLanes / 4; ++quad)
                quads[quad] = hn::LoadU(four, poses[4 * quad + k][bone].data() + 4 * column);
            of[k] = Join<kLanes>(quads);
        }
        const auto xy01 = hn::BitCast(pairs, hn::InterleaveLower(d, of[0], of[1])),
                   xy23 = hn::BitCast(pairs, hn::InterleaveLower(d, of[2], of[3])),
                   zw01 = hn::BitCast(pairs, hn::InterleaveUpper(d, of[0], of[1])),
                   zw23 = hn::BitCast(pairs, hn::InterleaveUpper(d, of[2], of[3]));
        pose.columns[column] = {hn::BitCast(d, hn::InterleaveLower(pairs, xy01, xy23)),
                                hn::BitCast(d, hn::InterleaveUpper(pairs, xy01, xy23)),
                                hn::BitCast(d, hn::InterleaveLower(pairs, zw01, zw23))};
    }
    return pose;
}

#endif

HWY_INLINE Xyz<VW> Turned(const LanePose& pose, const Eigen::Vector3f& v) {
    const Wide d;
    const VW x = hn::Set(d, v.x()), y = hn::Set(d, v.y()), z = hn::Set(d, v.z());
    const auto sum = [&](VW a, VW b, VW c) { return hn::MulAdd(c, z, hn::MulAdd(b, y, hn::Mul(a, x))); };
    return {sum(pose.columns[0].x, pose.columns[1].x, pose.columns[2].x),
            sum(pose.columns[0].y, pose.columns[1].y, pose.columns[2].y),
            sum(pose.columns[0].z, pose.columns[1].z, pose.columns[2].z)};
}
HWY_INLINE Xyz<VW> Moved(const LanePose& pose, const Eigen::Vector3f& v) {
    const Xyz<VW> turned = Turned(pose, v);
    return {hn::Add(turned.x, pose.columns[3].x), hn::Add(turned.y, pose.columns[3].y),
            hn::Add(turned.z, pose.columns[3].z)};
}

// Refits `bodies` bodies. `joints`: room for 3 x 16 floats per articulation. Returns false if a pose may not be finite.
bool RefitBodies(const ArticulatedBody& body, const RigidBones& bones, std::span<const std::int32_t> by_bone,
                 const Eigen::Isometry3f* const* poses, std::size_t bodies, float* values, float* joints) {
    const Wide d;
    const std::size_t lanes = hn::Lanes(d), bone_count = bones.box_in_bone.size();
    const std::size_t per_block = 15 * kBatchBlock * static_cast<std::size_t>(body.node_count());
    VW sums[4] = {hn::Zero(d), hn::Zero(d), hn::Zero(d), hn::Zero(d)};
    for (std::size_t first = 0; first < bodies; first += lanes) {
        const Columns columns{values + first / kBatchBlock * per_block};
        const std::size_t lane = first % kBatchBlock;
        // Lanes without a body repeat the last one.
        const Eigen::Isometry3f* rows[16];
        for (std::size_t k = 0; k < lanes; ++k) rows[k] = poses[std::min(first + k, bodies - 1)];
        std::size_t next = 0;
        for (std::size_t bone = 0; bone < bone_count; ++bone) {
            const LanePose pose = LoadPoses(rows, bone);
            for (std::size_t k = 0; k < 4; ++k) {
                const Xyz<VW>& column = pose.columns[k];
                sums[k] = hn::Add(sums[k], hn::Add(hn::Add(column.x, column.y), column.z));
            }
            const Obb& box = bones.box_in_bone[bone];
            LaneBox<VW> placed = {Moved(pose, box.center_m), {}, {}};
            for (int k = 0; k < 3; ++k) {
                placed.axes[k] = Turned(pose, box.axes.col(k));
                placed.half[k] = hn::Set(d, box.half_m[k]);
            }
            StoreColumns(placed, columns, bone, lane);
            for (; next < by_bone.size(); ++next) {
                const auto joint = static_cast<std::size_t>(by_bone[next]);
                if (bones.bone_of_joint[joint] != static_cast<std::int32_t>(bone)) break;
                const Xyz<VW> at = Moved(pose, bones.joint_in_bone[joint]);
                hn::StoreU(at.x, d, joints + 48 * joint);
                hn::StoreU(at.y, d, joints + 48 * joint + 16);
                hn::StoreU(at.z, d, joints + 48 * joint + 32);
            }
        }
        for (std::size_t i = 0; i < body.nodes.size(); ++i) {
            const HierarchyNode& node = body.nodes[i];
            const float* joint = joints + 48 * static_cast<std::size_t>(node.joint);
            const Xyz<VW> joint_m = {hn::LoadU(d, joint), hn::LoadU(d, joint + 16), hn::LoadU(d, joint + 32)};
            const auto a = LoadColumns(columns, static_cast<std::size_t>(node.child_a), lane);
            const auto b = LoadColumns(columns, static_cast<std::size_t>(node.child_b), lane);
            StoreColumns(MergeCab(d, a, b, joint_m), columns, bone_count + i, lane);
        }
    }
    return hn::AllTrue(d, hn::IsFinite(hn::Add(hn::Add(sums[0], sums[1]), hn::Add(sums[2], sums[3]))));
}

int BatchLanes() {
    return static_cast<int>(hn::Lanes(Wide()));
}

}  // namespace
}  // namespace glovebox::collision::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace glovebox::collision {
namespace {

HWY_EXPORT(RefitLevels);
HWY_EXPORT(RefitBodies);
HWY_EXPORT(PlaceBones);
HWY_EXPORT(BatchLanes);

// Repeats the merges of refit_cab_rigid() where bones may be missing because they are not finite.
void refit_with_gaps(const ArticulatedBody& body, BodyBoxes& boxes) {
    const auto bones = static_cast<std::size_t>(body.bone_count());
    for (std::size_t i = 0; i < bones; ++i) boxes.present[i] = all_finite(boxes.obb[i]) ? 1 : 0;
    for (std::size_t i = 0; i < body.nodes.size(); ++i) {
        const HierarchyNode& node = body.nodes[i];
        const auto a = static_cast<std::size_t>(node.child_a), b = static_cast<std::size_t>(node.child_b);
        const bool has_a = boxes.present[a] != 0, has_b = boxes.present[b] != 0;
        boxes.present[bones + i] = has_a || has_b ? 1 : 0;
        boxes.obb[bones + i] =
            has_a && has_b ? merge_cab(boxes.obb[a], boxes.obb[b], boxes.joints_m[static_cast<std::size_t>(node.joint)])
                           : boxes.obb[has_a ? a : b];
    }
}

// Returns the floats in the boxes of sixteen bodies.
std::size_t floats_per_block(const ArticulatedBody& body) {
    return std::size_t{15 * 16} * static_cast<std::size_t>(body.node_count());
}

}  // namespace

void refit_cab_lanes(const ArticulatedBody& body, const RefitPlan& plan, std::span<const Eigen::Vector3f> joints_m,
                     std::span<const std::uint8_t> wanted, std::span<Obb> boxes) {
    assert(boxes.size() == static_cast<std::size_t>(body.node_count()));
    HWY_DYNAMIC_DISPATCH(RefitLevels)(body, plan, joints_m, wanted, boxes);
}

void refit_cab_rigid(const ArticulatedBody& body, const RigidBones& bones, const Eigen::Isometry3f* world_from_bone,
                     BodyBoxes& boxes) {
    const auto nodes = static_cast<std::size_t>(body.node_count());
    assert(bones.box_in_bone.size() == static_cast<std::size_t>(body.bone_count()));
    boxes.obb.resize(nodes);
    boxes.present.assign(nodes, 1);
    boxes.joints_m.resize(bones.joint_in_bone.size());
    boxes.plan.follow(body);
    if (HWY_DYNAMIC_DISPATCH(PlaceBones)(bones, world_from_bone, boxes.obb.data(), boxes.joints_m.data()))
        HWY_DYNAMIC_DISPATCH(RefitLevels)(body, boxes.plan, boxes.joints_m, {}, boxes.obb);
    else
        refit_with_gaps(body, boxes);
}

BodyBatch::BodyBatch(const ArticulatedBody& body, RigidBones bones, int bodies)
    : body_(&body), bones_(std::move(bones)), bodies_(bodies) {
    assert(bones_.box_in_bone.size() == static_cast<std::size_t>(body.bone_count()));
    for (std::size_t joint = 0; joint < bones_.bone_of_joint.size(); ++joint)
        if (bones_.bone_of_joint[joint] >= 0) joints_.push_back(static_cast<std::int32_t>(joint));
    std::ranges::stable_sort(joints_, {},
                             [&](std::int32_t joint) { return bones_.bone_of_joint[static_cast<std::size_t>(joint)]; });
    // The joints of the bodies in progress follow the boxes.
    const std::size_t blocks = (static_cast<std::size_t>(bodies) + 15) / 16;
    values_.resize(blocks * floats_per_block(body) + 48 * bones_.joint_in_bone.size() + 16);
    first_ = (64 - reinterpret_cast<std::uintptr_t>(values_.data()) % 64) % 64 / sizeof(float);
    // Allocates now, so that no refit does.
    const std::vector<Eigen::Isometry3f> at_rest(bones_.box_in_bone.size(), Eigen::Isometry3f::Identity());
    refit_cab_rigid(body, bones_, at_rest.data(), one_);
}

void BodyBatch::refit(std::span<const Eigen::Isometry3f* const> poses) {
    assert(poses.size() == static_cast<std::size_t>(bodies_));
    if (poses.empty()) return;
    float* boxes = values_.data() + first_;
    float* joints = boxes + (poses.size() + 15) / 16 * floats_per_block(*body_);
    if (HWY_DYNAMIC_DISPATCH(RefitBodies)(*body_, bones_, joints_, poses.data(), poses.size(), boxes, joints)) return;
    // Refits bodies with bones that are not finite one by one.
    for (int body = 0; body < bodies_; ++body) {
        const Eigen::Isometry3f* const world_from_bone = poses[static_cast<std::size_t>(body)];
        const auto finite = [](const Eigen::Isometry3f& pose) {
            return std::isfinite(pose.linear().sum() + pose.translation().sum());
        };
        if (std::all_of(world_from_bone, world_from_bone + body_->bone_count(), finite)) continue;
        refit_cab_rigid(*body_, bones_, world_from_bone, one_);
        for (int node = 0; node < body_->node_count(); ++node)
            put(body, node, one_.obb[static_cast<std::size_t>(node)]);
    }
}

std::size_t BodyBatch::place_of(int body, int node) const {
    return first_ + static_cast<std::size_t>(body / 16) * floats_per_block(*body_) +
           static_cast<std::size_t>(15 * 16 * node + body % 16);
}

void BodyBatch::put(int body, int node, const Obb& box) {
    float* const values = values_.data() + place_of(body, node);
    const auto at = [&](int number) -> float& { return values[16 * number]; };
    for (int k = 0; k < 3; ++k) {
        at(k) = box.center_m[k];
        at(12 + k) = box.half_m[k];
        for (int row = 0; row < 3; ++row) at(3 + 3 * k + row) = box.axes(row, k);
    }
}

Obb BodyBatch::box(int body, int node) const {
    const float* const values = values_.data() + place_of(body, node);
    const auto at = [&](int number) { return values[16 * number]; };
    Obb box;
    for (int k = 0; k < 3; ++k) {
        box.center_m[k] = at(k);
        box.half_m[k] = at(12 + k);
        for (int row = 0; row < 3; ++row) box.axes(row, k) = at(3 + 3 * k + row);
    }
    return box;
}

int batch_lanes() {
    return HWY_DYNAMIC_DISPATCH(BatchLanes)();
}

}  // namespace glovebox::collision
#endif
