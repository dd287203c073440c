#include "scenes/force/least_constraint.h"

#include <Eigen/Dense>
#include <array>
#include <limits>

namespace glovebox::scenes {
namespace {

using Eigen::Vector3d;

constexpr double kTolerance_m = 1e-10;
constexpr int kMaxRounds = 20;

// Computes the point nearest to the wish on the planes of `count` spaces; false if these are nearly parallel.
bool on_planes(const Vector3d& desired, const std::array<HalfSpace, 4>& spaces, const std::array<int, 3>& chosen,
               int count, Vector3d& out) {
    if (count == 0) {
        out = desired;
        return true;
    }
    // wish + N l with N^T (wish + N l) = -slack   =>   (N^T N) l = -slack - N^T wish
    Eigen::Matrix<double, 3, 3> normals = Eigen::Matrix3d::Zero();
    Vector3d right = Vector3d::Zero();
    for (int i = 0; i < count; ++i) {
        const HalfSpace& space = spaces[static_cast<std::size_t>(chosen[static_cast<std::size_t>(i)])];
        normals.col(i) = space.normal;
        right[i] = -space.slack_m - space.normal.dot(desired);
    }
    Eigen::Matrix3d gram = normals.transpose() * normals;
    for (int i = count; i < 3; ++i) gram(i, i) = 1.0;
    if (gram.determinant() < 1e-8) return false;
    out = desired + normals * (gram.inverse() * right);
    return true;
}

}  // namespace

Vector3d constrain(const Vector3d& desired_m, std::span<const HalfSpace> spaces) {
    std::array<HalfSpace, 4> working;
    int held = 0;
    Vector3d best = desired_m;
    for (int round = 0; round < kMaxRounds; ++round) {
        // Add the space that the current answer violates most.
        const HalfSpace* worst = nullptr;
        double worst_m = kTolerance_m;
        for (const HalfSpace& space : spaces) {
            const double broken_m = -space.slack_m - space.normal.dot(best);
            if (broken_m > worst_m) {
                worst_m = broken_m;
                worst = &space;
            }
        }
        if (worst == nullptr) return best;
        working[static_cast<std::size_t>(held++)] = *worst;

        // Solve for the working set by trying each subset that contains the new plane; keep the planes of the answer.
        const int newest = held - 1;
        double least = std::numeric_limits<double>::infinity();
        std::array<int, 3> kept{};
        int kept_count = 0;
        for (unsigned others = 0; others < (1U << newest); ++others) {
            std::array<int, 3> chosen{newest, 0, 0};
            int count = 1;
            for (int i = 0; i < newest && count <= 3; ++i)
                if ((others >> i & 1U) != 0U) {
                    if (count < 3) chosen[static_cast<std::size_t>(count)] = i;
                    ++count;
                }
            Vector3d candidate;
            if (count > 3 || !on_planes(desired_m, working, chosen, count, candidate)) continue;
            bool allowed = true;
            for (int i = 0; i < held && allowed; ++i) {
                const HalfSpace& space = working[static_cast<std::size_t>(i)];
                allowed = space.normal.dot(candidate) >= -space.slack_m - kTolerance_m;
            }
            const double distance = (candidate - desired_m).squaredNorm();
            if (!allowed || distance >= least) continue;
            least = distance;
            best = candidate;
            kept = chosen;
            kept_count = count;
        }
        if (kept_count == 0) return Vector3d::Zero();
        std::array<HalfSpace, 4> next;
        for (int i = 0; i < kept_count; ++i)
            next[static_cast<std::size_t>(i)] = working[static_cast<std::size_t>(kept[static_cast<std::size_t>(i)])];
        working = next;
        held = kept_count;
    }
    return Vector3d::Zero();
}

}  // namespace glovebox::scenes
