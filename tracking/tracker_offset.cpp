#include "tracking/tracker_offset.h"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <vector>

namespace glovebox::tracking {
namespace {

using Eigen::Isometry3d;
using Eigen::Matrix3d;
using Eigen::Vector3d;

constexpr double kStep_s = 0.01;      // sampling interval for both tracks
constexpr double kPairStep_s = 0.1;   // interval between the first instants of two pairs
constexpr double kPairApart_s = 0.4;  // long enough for the hand to turn, too short to turn back
constexpr double kMinTurn_rad = 0.1;  // pairs that turn less have no reliable axis
constexpr double kMinOverlap_s = 1.0;
constexpr std::size_t kMinPairs = 8;
constexpr double kSecondAxis = 0.05;  // minimum ratio of rotation about the second axis to the first

Vector3d rotation_vector(const Matrix3d& turn) {
    const Eigen::AngleAxisd angle_axis(turn);
    return angle_axis.angle() * angle_axis.axis();
}

Isometry3d pose_at(const RigidTrack& track, double time_s) {
    return track.at(static_cast<std::int64_t>(std::llround(1e9 * time_s))).cast<double>();
}

double end_s(const RigidTrack& track) {
    return 1e-9 * static_cast<double>(track.time_ns.back());
}

// Returns the angular speed on a regular grid from time 0. It does not depend on the offset or the world.
std::vector<double> turning_speeds(const RigidTrack& track, double until_s) {
    std::vector<double> speeds;
    Isometry3d before = pose_at(track, 0.0);
    for (double t = kStep_s; t <= until_s; t += kStep_s) {
        const Isometry3d now = pose_at(track, t);
        speeds.push_back(rotation_vector((before.inverse() * now).rotation()).norm() / kStep_s);
        before = now;
    }
    return speeds;
}

double agreement(const std::vector<double>& a, const std::vector<double>& b, int shift) {
    double ab = 0.0, aa = 0.0, bb = 0.0;
    for (std::size_t i = 0; i < a.size(); ++i) {
        const auto j = static_cast<std::ptrdiff_t>(i) + shift;
        if (j < 0 || j >= static_cast<std::ptrdiff_t>(b.size())) continue;
        const double x = a[i], y = b[static_cast<std::size_t>(j)];
        ab += x * y;
        aa += x * x;
        bb += y * y;
    }
    return aa > 0.0 && bb > 0.0 ? ab / std::sqrt(aa * bb) : 0.0;
}

double best_lag_s(const RigidTrack& wrist, const RigidTrack& tracker, double overlap_s, double max_lag_s) {
    const auto a = turning_speeds(wrist, overlap_s), b = turning_speeds(tracker, overlap_s);
    int best = 0;
    double most = agreement(a, b, 0);
    for (int shift = -static_cast<int>(max_lag_s / kStep_s); shift <= static_cast<int>(max_lag_s / kStep_s); ++shift)
        if (const double here = agreement(a, b, shift); here > most + 1e-9) {
            most = here;
            best = shift;
        }
    return kStep_s * best;
}

struct Pair {
    Isometry3d wrist, tracker;  // A and B
};

}  // namespace

std::optional<TrackerOffset> fit_tracker_offset(const RigidTrack& wrist, const RigidTrack& tracker, double max_lag_s) {
    if (wrist.time_ns.empty() || tracker.time_ns.empty()) return std::nullopt;
    const double overlap_s = std::min(end_s(wrist), end_s(tracker));
    if (overlap_s < kMinOverlap_s) return std::nullopt;
    TrackerOffset result;
    result.lag_s = best_lag_s(wrist, tracker, overlap_s, max_lag_s);

    std::vector<Pair> pairs;
    const double from_s = std::max(0.0, -result.lag_s), to_s = overlap_s - std::max(0.0, result.lag_s);
    for (double t = from_s; t + kPairApart_s <= to_s; t += kPairStep_s) {
        const auto moved = [t](const RigidTrack& track, double lag_s) {
            return pose_at(track, t + lag_s).inverse() * pose_at(track, t + lag_s + kPairApart_s);
        };
        const Pair pair = {moved(wrist, 0.0), moved(tracker, result.lag_s)};
        if (rotation_vector(pair.wrist.rotation()).norm() > kMinTurn_rad) pairs.push_back(pair);
    }
    if (pairs.size() < kMinPairs) return std::nullopt;

    // tracker = world * X with X = tracker_from_wrist^-1, so A X = X B with X = wrist_from_tracker: log A = R_X log B.
    Matrix3d moment = Matrix3d::Zero(), spread = Matrix3d::Zero();
    for (const Pair& pair : pairs) {
        const Vector3d a = rotation_vector(pair.wrist.rotation()), b = rotation_vector(pair.tracker.rotation());
        moment += a * b.transpose();
        spread += a * a.transpose();
    }
    const Vector3d axes = Eigen::SelfAdjointEigenSolver<Matrix3d>(spread).eigenvalues();
    if (axes[1] < kSecondAxis * kSecondAxis * axes[2]) return std::nullopt;
    result.turned_rad = static_cast<float>(std::sqrt(axes[1] / static_cast<double>(pairs.size())));
    const Eigen::JacobiSVD<Matrix3d> svd(moment, Eigen::ComputeFullU | Eigen::ComputeFullV);
    Matrix3d mirror = Matrix3d::Identity();
    mirror(2, 2) = (svd.matrixU() * svd.matrixV().transpose()).determinant();
    const Matrix3d turn = svd.matrixU() * mirror * svd.matrixV().transpose();

    // Then (R_A - I) t_X = R_X t_B - t_A.
    Eigen::MatrixXd left(3 * static_cast<Eigen::Index>(pairs.size()), 3);
    Eigen::VectorXd right(left.rows());
    for (std::size_t i = 0; i < pairs.size(); ++i) {
        const auto row = 3 * static_cast<Eigen::Index>(i);
        left.middleRows<3>(row) = pairs[i].wrist.rotation() - Matrix3d::Identity();
        right.segment<3>(row) = turn * pairs[i].tracker.translation() - pairs[i].wrist.translation();
    }
    Isometry3d wrist_from_tracker = Isometry3d::Identity();
    wrist_from_tracker.linear() = turn;
    wrist_from_tracker.translation() = left.colPivHouseholderQr().solve(right);

    double off_m = 0.0, off_rad = 0.0;
    for (const Pair& pair : pairs) {
        const Isometry3d expected = wrist_from_tracker * pair.tracker * wrist_from_tracker.inverse();
        off_m += (expected.translation() - pair.wrist.translation()).squaredNorm();
        off_rad += rotation_vector(expected.rotation().transpose() * pair.wrist.rotation()).squaredNorm();
    }
    const auto root_mean = [&pairs](double sum) {
        return static_cast<float>(std::sqrt(sum / static_cast<double>(pairs.size())));
    };
    result.residual_m = root_mean(off_m);
    result.residual_rad = root_mean(off_rad);
    result.pairs = pairs.size();
    result.tracker_from_wrist = wrist_from_tracker.inverse().cast<float>();
    return result;
}

}  // namespace glovebox::tracking
