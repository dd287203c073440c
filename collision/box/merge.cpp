#include "collision/box/merge.h"

#include <cmath>
#include <limits>

#include "collision/box/box_fit.h"

namespace glovebox::collision {
namespace {

using Eigen::Matrix3f;
using Eigen::Vector3f;

// 1 - (1 - 1e-5)^2: the paper's tolerance on the cosine as a squared sine, which float can resolve.
constexpr float kParallelSine2 = 1.99999e-5F;

int major_axis(const Obb& box) {
    int k = box.half_m[1] > box.half_m[0] ? 1 : 0;
    if (box.half_m[2] > box.half_m[k]) k = 2;
    return k;
}

float thickness(const Obb& box, int major) {
    return std::max(box.half_m[(major + 1) % 3], box.half_m[(major + 2) % 3]);
}

// True if the joint is so nearly level with the centre that the sign of (c - p) . u is noise.
bool beside(const Vector3f& from_joint, const Vector3f& u, float half) {
    return std::abs(from_joint.dot(u)) < 1e-3F * half;
}

// Returns the box from low to high along the axes, relative to `origin_m`, padded for rounding.
Obb boxed(const Matrix3f& axes, const Vector3f& origin_m, const Vector3f& low, const Vector3f& high) {
    Obb box;
    box.axes = axes;
    box.center_m = origin_m + axes * (0.5F * (low + high));
    box.half_m = 0.5F * (high - low);
    constexpr float kEps = std::numeric_limits<float>::epsilon();
    box.half_m.array() += 4.0F * kEps * box.center_m.cwiseAbs().maxCoeff() + 8.0F * kEps * box.half_m.sum();
    return box;
}

const Obb& thicker(const Obb& a, const Obb& b) {
    return thickness(b, major_axis(b)) > thickness(a, major_axis(a)) ? b : a;
}

bool beyond_measure(const Obb& a, const Obb& b) {
    return a.half_m.cwiseMax(b.half_m).squaredNorm() > kLongest_m2;
}

// The children's major axes as limbs: they point away from the joint and are half as long as the boxes.
struct Limbs {
    Vector3f va, vb;
    Vector3f normal;  // of their plane, with the length of the sine between them
    bool parallel;
};

Limbs limbs_of(const Obb& a, const Obb& b, const Vector3f& joint_m) {
    const int ka = major_axis(a), kb = major_axis(b);
    Vector3f ua = a.axes.col(ka), ub = b.axes.col(kb);
    const float la = a.half_m[ka], lb = b.half_m[kb];

    // Axes that point away from the joint.
    const Vector3f pa = a.center_m - joint_m, pb = b.center_m - joint_m;
    if (pa.dot(ua) < 0.0F) ua = -ua;
    if (pb.dot(ub) < 0.0F) ub = -ub;
    if (beside(pa, ua, la) || beside(pb, ub, lb)) {
        // Joint-free signs that move the two far tips farthest apart:
        //   maximise  s2 P - s1 Q - s1 s2 W,   P = hb d.ub,  Q = ha d.ua,  W = ha hb ua.ub.
        const Vector3f d = b.center_m - a.center_m;
        const float p = lb * d.dot(ub), q = la * d.dot(ua), w = la * lb * ua.dot(ub);
        const bool positive_b = std::abs(q + w) + p >= std::abs(q - w) - p;
        const float sb = positive_b ? 1.0F : -1.0F;
        const float sa = q + sb * w > 0.0F ? -1.0F : 1.0F;
        if (beside(pa, ua, la)) ua *= sa;
        if (beside(pb, ub, lb)) ub *= sb;
    }
    const Vector3f n = ua.cross(ub);
    return {la * ua, lb * ub, n, !(n.squaredNorm() >= kParallelSine2)};
}

// Computes the frame with first axis `along` and second axis as near to `towards` as possible. Returns false if there
// is none.
bool frame_of(const Vector3f& along, const Vector3f& towards, Matrix3f& axes) {
    const float length2 = along.squaredNorm();
    if (!(length2 > std::numeric_limits<float>::min())) return false;
    axes.col(0) = along / std::sqrt(length2);
    const Vector3f across = towards - axes.col(0) * axes.col(0).dot(towards);
    if (!(across.squaredNorm() > 1e-6F * towards.squaredNorm())) return false;
    // Orthogonalised again: a vector nearly along the first axis has lost digits.
    const Vector3f side = across.normalized();
    axes.col(1) = (side - axes.col(0) * axes.col(0).dot(side)).normalized();
    axes.col(2) = axes.col(0).cross(axes.col(1));
    return true;
}

void keep_smaller(Obb& best, const Matrix3f& axes, const Obb& a, const Obb& b) {
    const Obb box = enclose(axes, a, b);
    if (box.area_m2() < best.area_m2()) best = box;
}

}  // namespace

Obb enclose(const Matrix3f& axes, const Obb& a, const Obb& b) {
    // r_i = sum_k h_k |A_i . u_k|;  relative to c_a:  lo = min(-ra, t - rb), hi = max(ra, t + rb),  t = A^T (c_b - c_a)
    const Vector3f ra = (axes.transpose() * a.axes).cwiseAbs() * a.half_m;
    const Vector3f rb = (axes.transpose() * b.axes).cwiseAbs() * b.half_m;
    const Vector3f t = axes.transpose() * (b.center_m - a.center_m);
    return boxed(axes, a.center_m, (-ra).cwiseMin(t - rb), ra.cwiseMax(t + rb));
}

Obb enclose(const Matrix3f& axes, std::span<const Obb> boxes, std::span<const std::int32_t> members) {
    const auto at = [&](std::int32_t member) -> const Obb& { return boxes[static_cast<std::size_t>(member)]; };
    const Vector3f origin_m = at(members.front()).center_m;
    Vector3f low = Vector3f::Zero(), high = Vector3f::Zero();
    for (const std::int32_t member : members) {
        const Obb& box = at(member);
        const Vector3f radius = (axes.transpose() * box.axes).cwiseAbs() * box.half_m;
        const Vector3f t = axes.transpose() * (box.center_m - origin_m);
        low = low.cwiseMin(t - radius);
        high = high.cwiseMax(t + radius);
    }
    return boxed(axes, origin_m, low, high);
}

Obb merge_cab(const Obb& a, const Obb& b, const Vector3f& joint_m) {
    const Limbs limbs = limbs_of(a, b, joint_m);
    if (limbs.parallel) return enclose(thicker(a, b).axes, a, b);

    // Half lengths give the same selection and directions as full lengths, as long as E is made of them too.
    const Vector3f e = limbs.va - limbs.vb;
    Vector3f m = e;  // [Schmidl04, eq. 1]
    if (limbs.va.squaredNorm() > m.squaredNorm()) m = limbs.va;
    if (limbs.vb.squaredNorm() > m.squaredNorm()) m = limbs.vb;
    const float length2 = m.squaredNorm();
    if (!(length2 > std::numeric_limits<float>::min() && length2 < kLongest_m2))
        return enclose(thicker(a, b).axes, a, b);
    Matrix3f axes;
    axes.col(0) = m / std::sqrt(length2);
    axes.col(1) =
        (limbs.normal - axes.col(0) * axes.col(0).dot(limbs.normal)).normalized();  // eq. 2, perpendicular again
    axes.col(2) = axes.col(0).cross(axes.col(1));                                   // eq. 3
    return enclose(axes, a, b);                                                     // eq. 4
}

Obb merge_cab_children(const Obb& a, const Obb& b, const Vector3f& joint_m) {
    Obb best = merge_cab(a, b, joint_m);
    keep_smaller(best, a.axes, a, b);
    keep_smaller(best, b.axes, a, b);
    return best;
}

Obb merge_cab_best(const Obb& a, const Obb& b, const Vector3f& joint_m) {
    Obb best = merge_cab_children(a, b, joint_m);
    const Limbs limbs = limbs_of(a, b, joint_m);
    const Vector3f e = limbs.va - limbs.vb;
    Matrix3f axes;
    for (const Obb* child : {&a, &b})
        for (int i = 0; i < 3; ++i)
            if (frame_of(e, child->axes.col(i), axes)) keep_smaller(best, axes, a, b);
    if (limbs.parallel) return best;
    for (const Vector3f& along : {e, limbs.va, limbs.vb})
        if (frame_of(along, limbs.normal, axes)) keep_smaller(best, axes, a, b);
    return best;
}

Obb merge_covariance(const Obb& a, const Obb& b) {
    if (beyond_measure(a, b)) return enclose(thicker(a, b).axes, a, b);
    const Matrix3f x = a.axes * a.half_m.asDiagonal(), y = b.axes * b.half_m.asDiagonal();
    const Vector3f d = b.center_m - a.center_m;
    const Matrix3f covariance = 0.5F * (x * x.transpose() + y * y.transpose()) + 0.25F * d * d.transpose();
    return enclose(principal_axes(covariance.cast<double>()), a, b);
}

Obb merge_rotations(const Obb& a, const Obb& b) {
    if (beyond_measure(a, b)) return enclose(thicker(a, b).axes, a, b);
    const Vector3f d = b.center_m - a.center_m;
    const float reach_a = 2.0F * a.half_m.maxCoeff(), reach_b = 2.0F * b.half_m.maxCoeff();
    if (d.norm() > 0.5F * (reach_a + reach_b)) {
        // The corners' covariance without its part along the line of centres: two eigenvectors across the line remain.
        const Vector3f along = d.normalized();
        const Matrix3f x = a.axes * a.half_m.asDiagonal(), y = b.axes * b.half_m.asDiagonal();
        const Matrix3f across = Matrix3f::Identity() - along * along.transpose();
        const Matrix3f covariance = across * (x * x.transpose() + y * y.transpose()) * across;
        const Vector3f side = along.unitOrthogonal(), other = along.cross(side);
        const float xx = side.dot(covariance * side), yy = other.dot(covariance * other),
                    xy = side.dot(covariance * other);
        const float angle = 0.5F * std::atan2(2.0F * xy, xx - yy);
        Matrix3f axes;
        axes.col(0) = along;
        axes.col(1) = (std::cos(angle) * side + std::sin(angle) * other).normalized();
        axes.col(2) = along.cross(axes.col(1));
        return enclose(axes, a, b);
    }
    const Eigen::Quaternionf qa(a.axes);
    Eigen::Quaternionf qb(b.axes);
    if (qa.dot(qb) < 0.0F) qb.coeffs() = -qb.coeffs();
    return enclose(Eigen::Quaternionf(qa.coeffs() + qb.coeffs()).normalized().toRotationMatrix(), a, b);
}

}  // namespace glovebox::collision
