#include "scenes/hand_shape_fit.h"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace glovebox::scenes {
namespace {

using Eigen::Vector3d;
using Eigen::Vector3f;
using tracking::HandFrame;
using tracking::Joint;

constexpr std::array<int, 5> kPalmBones = {0, 4, 8, 12, 16};
constexpr std::size_t kMinPoints = 8;
constexpr double kMinRadius_m = 0.001, kMaxRadius_m = 0.04;

// The skin hardly determines an end that is hidden in a neighbouring cone, so it stays near its usual place.
double max_move_m(int bone) {
    return is_of_palm(bone) || bone == 1 ? 0.025 : 0.01;
}

// The fitted parameters: ends and radii.
using Unknowns = Eigen::Matrix<double, 8, 1>;

Eigen::Quaternionf axes_of_bone(const HandFrame& frame, int bone) {
    return frame[is_of_palm(bone) ? Joint::wrist : ends_of_bone(bone).from].orientation;
}

// Returns the signed distance of a point to the cone, computed in their common plane: to the side or to an end ball.
double signed_distance(const Unknowns& cone, const Vector3d& point) {
    const Vector3d a = cone.head<3>(), axis = cone.segment<3>(3) - a;
    const double radius_a = cone[6], radius_b = cone[7], length2 = axis.squaredNorm();
    const double taper = radius_a - radius_b;
    // One sphere contains the other: the larger is the whole solid.
    if (length2 <= taper * taper)
        return radius_a >= radius_b ? (point - a).norm() - radius_a : (point - a - axis).norm() - radius_b;
    const double length = std::sqrt(length2);
    const Vector3d from_a = point - a;
    const double along = from_a.dot(axis) / length;
    const double aside = std::sqrt(std::max(0.0, from_a.squaredNorm() - along * along));
    // The side's normal leans towards the thinner end by the cone's half angle.
    const double sine = taper / length, cosine = std::sqrt(1.0 - sine * sine);
    const double foot = along - aside * sine / cosine;  // where the normal through the point meets the axis
    if (foot <= 0.0) return from_a.norm() - radius_a;
    if (foot >= length) return (point - a - axis).norm() - radius_b;
    return aside * cosine + along * sine - radius_a;
}

// Moves ends that are too far from their usual place back to the limit, and limits the radii.
Unknowns near_usual(Unknowns cone, const Unknowns& usual, double max_m) {
    for (const int end : {0, 3}) {
        const Vector3d moved = cone.segment<3>(end) - usual.segment<3>(end);
        if (const double by_m = moved.norm(); by_m > max_m)
            cone.segment<3>(end) = usual.segment<3>(end) + max_m / by_m * moved;
    }
    cone.tail<2>() = cone.tail<2>().cwiseMax(kMinRadius_m).cwiseMin(kMaxRadius_m);
    return cone;
}

// Fits by least squares of the distances, with a weak spring to the prior: the skin does not determine an end that is
// hidden in a neighbouring cone.
Unknowns fit_cone(const std::vector<Vector3d>& points, const Unknowns& prior, Unknowns cone, double max_m) {
    const double spring = 0.02 * static_cast<double>(points.size());
    const auto cost_of = [&](const Unknowns& at) {
        double sum = spring * 1e-2 * (at - prior).squaredNorm();
        for (const Vector3d& point : points) sum += std::pow(signed_distance(at, point), 2.0);
        return sum;
    };
    double cost = cost_of(cone), damping = 1e-3;
    for (int round = 0; round < 60; ++round) {
        Eigen::Matrix<double, 8, 8> normal = Eigen::Matrix<double, 8, 8>::Identity() * spring * 1e-2;
        Unknowns slope = spring * 1e-2 * (cone - prior);
        for (const Vector3d& point : points) {
            constexpr double kStep_m = 1e-6;
            const double here = signed_distance(cone, point);
            Unknowns gradient;
            for (int k = 0; k < 8; ++k) {
                Unknowns moved = cone;
                moved[k] += kStep_m;
                gradient[k] = (signed_distance(moved, point) - here) / kStep_m;
            }
            normal += gradient * gradient.transpose();
            slope += here * gradient;
        }
        Eigen::Matrix<double, 8, 8> damped = normal;
        damped.diagonal() *= 1.0 + damping;
        Unknowns next = cone - damped.ldlt().solve(slope);
        next = near_usual(next, prior, max_m);
        const double there = cost_of(next);
        if (!(there < cost)) {
            if ((damping *= 8.0) > 1e6) break;
            continue;
        }
        const bool settled = cost - there < 1e-9 * cost;
        cone = next;
        cost = there;
        damping = std::max(1e-9, damping / 4.0);
        if (settled) break;
    }
    return cone;
}

Unknowns unknowns_of(const collision::RoundCone& cone) {
    Unknowns unknowns;
    unknowns << cone.a_m.cast<double>(), cone.b_m.cast<double>(), double{cone.radius_a_m}, double{cone.radius_b_m};
    return unknowns;
}

BoneShape shape_of(const Unknowns& cone, const HandFrame& rest, int bone) {
    const auto [from, to] = ends_of_bone(bone);
    const Eigen::Quaternionf axes = axes_of_bone(rest, bone).conjugate();
    return {axes * (cone.head<3>().cast<float>() - rest[from].position_m),
            axes * (cone.segment<3>(3).cast<float>() - rest[to].position_m), static_cast<float>(cone[6]),
            static_cast<float>(cone[7])};
}

}  // namespace

double signed_distance(const collision::RoundCone& cone, const Vector3f& point_m) {
    return signed_distance(unknowns_of(cone), point_m.cast<double>());
}

HandShape usual_shape(const HandFrame& frame) {
    collision::BodyPose pose;
    pose_hand(frame, pose);
    HandShape shape;
    for (int bone = 0; bone < kHandBoneCount; ++bone) {
        const auto i = static_cast<std::size_t>(bone);
        if (pose.bone_present[i] == 0) continue;
        shape[i] = shape_of(unknowns_of(std::get<collision::RoundCone>(pose.shapes[i])), frame, bone);
    }
    return shape;
}

HandShape fit_hand_shape(const HandFrame& rest, std::span<const SkinPoint> skin) {
    HandShape shape = usual_shape(rest);
    std::array<std::vector<Vector3d>, kHandBoneCount> points;
    for (const SkinPoint& point : skin)
        points[static_cast<std::size_t>(is_of_palm(point.bone) ? 0 : point.bone)].push_back(
            point.position_m.cast<double>());

    for (int bone = 1; bone < kHandBoneCount; ++bone) {
        const std::vector<Vector3d>& own = points[static_cast<std::size_t>(bone)];
        if (is_of_palm(bone) || own.size() < kMinPoints) continue;
        const Unknowns start = unknowns_of(cone_of(shape, rest, bone));
        shape[static_cast<std::size_t>(bone)] = shape_of(fit_cone(own, start, start, max_move_m(bone)), rest, bone);
    }

    const std::vector<Vector3d>& palm = points[0];
    if (palm.size() < kPalmBones.size() * kMinPoints) return shape;
    std::array<Unknowns, kPalmBones.size()> cones, starts;
    for (std::size_t k = 0; k < cones.size(); ++k) starts[k] = unknowns_of(cone_of(shape, rest, kPalmBones[k]));
    cones = starts;
    for (int round = 0; round < 30; ++round) {
        std::array<std::vector<Vector3d>, kPalmBones.size()> nearest;
        for (const Vector3d& point : palm) {
            std::size_t best = 0;
            double least = std::numeric_limits<double>::infinity();
            for (std::size_t k = 0; k < cones.size(); ++k)
                if (const double distance = signed_distance(cones[k], point); distance < least) {
                    least = distance;
                    best = k;
                }
            nearest[best].push_back(point);
        }
        for (std::size_t k = 0; k < cones.size(); ++k)
            if (nearest[k].size() >= kMinPoints)
                cones[k] = fit_cone(nearest[k], starts[k], cones[k], max_move_m(kPalmBones[k]));
    }
    for (std::size_t k = 0; k < cones.size(); ++k)
        shape[static_cast<std::size_t>(kPalmBones[k])] = shape_of(cones[k], rest, kPalmBones[k]);
    return shape;
}

bool covers_skin_of(int bone, int cone) {
    const bool of_palm = is_of_palm(bone);
    if (is_of_palm(cone)) return true;
    return of_palm ? cone == 1 : finger_of_bone(cone) == finger_of_bone(bone);
}

namespace {

using HandCones = std::array<collision::RoundCone, kHandBoneCount>;
constexpr int kRefinedPower = 6;

// The distance of a point to the nearest cone that covers it.
struct NearestCone {
    double distance_m = std::numeric_limits<double>::infinity();
    int cone = 0;
};
NearestCone nearest_cone(const HandCones& cones, int bone, const Vector3f& point_m) {
    NearestCone nearest;
    for (int cone = 0; cone < kHandBoneCount; ++cone) {
        if (!covers_skin_of(bone, cone)) continue;
        const double distance_m = scenes::signed_distance(cones[static_cast<std::size_t>(cone)], point_m);
        if (distance_m < nearest.distance_m) nearest = {distance_m, cone};
    }
    return nearest;
}

// Returns one of the eight numbers of a bone's shape: offsets of the ends, then radii.
float& unknown_of(BoneShape& bone, int k) {
    if (k < 3) return bone.from_offset_m[k];
    if (k < 6) return bone.to_offset_m[k - 3];
    return k == 6 ? bone.from_radius_m : bone.to_radius_m;
}

Unknowns unknowns_of(BoneShape bone) {
    Unknowns unknowns;
    for (int k = 0; k < 8; ++k) unknowns[k] = double{unknown_of(bone, k)};
    return unknowns;
}

// The fit of all bones together: cost and the steps of one bone at a time.
class Refinement {
  public:
    Refinement(const HandShape& start, std::span<const int> bones, std::span<const PosedSkin> poses)
        : shape_(start), usual_(usual_shape(poses.front().hand)), bones_(bones), poses_(poses), cost_(cost_of(start)) {
        damping_.fill(1e-2);
    }
    const HandShape& shape() const { return shape_; }

    void improve(int bone) {
        Eigen::Matrix<double, 8, 8> normal = 1e-9 * Eigen::Matrix<double, 8, 8>::Identity();
        Unknowns slope = Unknowns::Zero();
        add_points(bone, normal, slope);
        double& damping = damping_[static_cast<std::size_t>(bone)];
        constexpr int kMaxTries = 4;
        for (int i = 0; i < kMaxTries; ++i) {
            Eigen::Matrix<double, 8, 8> damped = normal;
            damped.diagonal() *= 1.0 + damping;
            damped.diagonal().array() += 1e-6;
            // Newton's step of a power is that of the squares divided by the power less one.
            const Unknowns step = damped.ldlt().solve(slope) / (kRefinedPower - 1);
            HandShape next = shape_;
            BoneShape& own = next[static_cast<std::size_t>(bone)];
            const Unknowns wanted = near_usual(unknowns_of(own) - step,
                                               unknowns_of(usual_[static_cast<std::size_t>(bone)]), max_move_m(bone));
            for (int k = 0; k < 8; ++k) unknown_of(own, k) = static_cast<float>(wanted[k]);
            if (const double there = cost_of(next); there < cost_) {
                shape_ = next;
                cost_ = there;
                damping = std::max(1e-6, damping / 4.0);
                return;
            }
            damping = std::min(1e6, damping * 8.0);
        }
    }

  private:
    static HandCones cones_of(const HandShape& shape, const HandFrame& hand) {
        HandCones cones;
        for (int bone = 0; bone < kHandBoneCount; ++bone)
            cones[static_cast<std::size_t>(bone)] = cone_of(shape, hand, bone);
        return cones;
    }

    // The sum of the distances' powers, in millimetres.
    double cost_of(const HandShape& shape) const {
        double sum = 0.0;
        for (const PosedSkin& pose : poses_) {
            const HandCones cones = cones_of(shape, pose.hand);
            for (std::size_t i = 0; i < bones_.size(); ++i)
                if (bones_[i] >= 0)
                    sum += std::pow(1e3 * nearest_cone(cones, bones_[i], pose.points_m[i]).distance_m, kRefinedPower);
        }
        return sum;
    }

    // Adds the weighted squares of the points whose nearest cone is that of `bone`.
    void add_points(int bone, Eigen::Matrix<double, 8, 8>& normal, Unknowns& slope) const {
        constexpr float kStep_m = 1e-5F;
        for (const PosedSkin& pose : poses_) {
            const HandCones cones = cones_of(shape_, pose.hand);
            std::array<collision::RoundCone, 8> moved;
            for (int k = 0; k < 8; ++k) {
                HandShape other = shape_;
                unknown_of(other[static_cast<std::size_t>(bone)], k) += kStep_m;
                moved[static_cast<std::size_t>(k)] = cone_of(other, pose.hand, bone);
            }
            for (std::size_t i = 0; i < bones_.size(); ++i) {
                if (bones_[i] < 0) continue;
                const NearestCone nearest = nearest_cone(cones, bones_[i], pose.points_m[i]);
                if (nearest.cone != bone) continue;
                Unknowns gradient;
                for (int k = 0; k < 8; ++k)
                    gradient[k] = (scenes::signed_distance(moved[static_cast<std::size_t>(k)], pose.points_m[i]) -
                                   nearest.distance_m) /
                                  static_cast<double>(kStep_m);
                const double weight = std::pow(1e3 * std::abs(nearest.distance_m) + 1e-3, kRefinedPower - 2);
                normal += weight * gradient * gradient.transpose();
                slope += weight * nearest.distance_m * gradient;
            }
        }
    }

    HandShape shape_, usual_;
    std::span<const int> bones_;
    std::span<const PosedSkin> poses_;
    std::array<double, kHandBoneCount> damping_;
    double cost_;
};

}  // namespace

double distance_to_cover(const HandShape& shape, const HandFrame& frame, int bone, const Vector3f& point_m) {
    double least_m = std::numeric_limits<double>::infinity();
    for (int cone = 0; cone < kHandBoneCount; ++cone)
        if (covers_skin_of(bone, cone))
            least_m = std::min(least_m, signed_distance(cone_of(shape, frame, cone), point_m));
    return least_m;
}

HandShape refine_hand_shape(const HandShape& start, std::span<const int> bones, std::span<const PosedSkin> poses) {
    constexpr int kRounds = 14;
    if (poses.empty()) return start;
    Refinement refinement(start, bones, poses);
    for (int round = 0; round < kRounds; ++round)
        for (int bone = 0; bone < kHandBoneCount; ++bone) refinement.improve(bone);
    return refinement.shape();
}

}  // namespace glovebox::scenes
