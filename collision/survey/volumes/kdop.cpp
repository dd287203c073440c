#include "collision/survey/volumes/kdop.h"

#include <algorithm>
#include <cassert>
#include <vector>

namespace glovebox::collision {
namespace {

template <int K>
std::array<Eigen::Vector3f, K / 2> make_directions() {
    static_assert(K == 8 || K == 14 || K == 18 || K == 26);
    const std::array<Eigen::Vector3f, 3> axes = {Eigen::Vector3f(1, 0, 0), {0, 1, 0}, {0, 0, 1}};
    const std::array<Eigen::Vector3f, 4> diagonals = {Eigen::Vector3f(1, 1, 1), {1, 1, -1}, {1, -1, 1}, {1, -1, -1}};
    const std::array<Eigen::Vector3f, 6> edges = {
        Eigen::Vector3f(1, 1, 0), {1, -1, 0}, {1, 0, 1}, {1, 0, -1}, {0, 1, 1}, {0, 1, -1}};
    std::array<Eigen::Vector3f, K / 2> all;
    std::size_t count = 0;
    const auto add = [&](const auto& set) {
        for (const Eigen::Vector3f& direction : set) all[count++] = direction.normalized();
    };
    if (K != 8) add(axes);
    if (K != 18) add(diagonals);
    if (K >= 18) add(edges);
    assert(count == K / 2);
    return all;
}

template <int K>
Eigen::Vector3d half_space(std::size_t i) {
    const auto& directions = kdop_directions<K>();
    return i < K / 2 ? directions[i].template cast<double>()
                     : Eigen::Vector3d(-directions[i - K / 2].template cast<double>());
}

/// Finds the facets of the convex hull of the K unit directions by testing all triples: a facet has all others on one
/// side. A facet with more than three corners yields all its triples; any of them is suitable.
template <int K>
std::vector<std::array<std::size_t, 3>> make_cones() {
    std::vector<std::array<std::size_t, 3>> cones;
    for (std::size_t i = 0; i < K; ++i)
        for (std::size_t j = i + 1; j < K; ++j)
            for (std::size_t k = j + 1; k < K; ++k) {
                const Eigen::Vector3d a = half_space<K>(i), b = half_space<K>(j), c = half_space<K>(k);
                Eigen::Vector3d normal = (b - a).cross(c - a);
                if (normal.norm() < 1e-6) continue;
                if (normal.dot(a) < 0.0) normal = -normal;
                if (normal.dot(a) < 1e-6) continue;  // through the origin: no facet
                bool outermost = true;
                for (std::size_t m = 0; m < K && outermost; ++m) outermost = normal.dot(half_space<K>(m) - a) < 1e-6;
                if (outermost) cones.push_back({i, j, k});
            }
    return cones;
}

}  // namespace

template <int K>
const std::array<Eigen::Vector3f, K / 2>& kdop_directions() {
    static const auto directions = make_directions<K>();
    return directions;
}

template <int K>
Kdop<K> KdopVolume<K>::fit(std::span<const Eigen::Vector3f> points) {
    const auto& directions = kdop_directions<K>();
    Kdop<K> dop;
    float reach_m = 0.0F;
    for (const Eigen::Vector3f& point : points) reach_m = std::max(reach_m, point.cwiseAbs().sum());
    for (std::size_t i = 0; i < K / 2; ++i) {
        float low_m = std::numeric_limits<float>::infinity(), high_m = -low_m;
        for (const Eigen::Vector3f& point : points) {
            const float along_m = directions[i].dot(point);
            low_m = std::min(low_m, along_m);
            high_m = std::max(high_m, along_m);
        }
        dop.low_m[i] = low_m - padding_m(reach_m);
        dop.high_m[i] = high_m + padding_m(reach_m);
    }
    return dop;
}

template <int K>
KdopVolume<K>::Motion::Motion(const Eigen::Isometry3f& target_from_body) {
    if (!target_from_body.matrix().allFinite()) return;  // in no cone
    static const auto cones = make_cones<K>();
    const Eigen::Matrix3d body_from_target = target_from_body.linear().cast<double>().transpose();
    for (std::size_t i = 0; i < K; ++i) {
        const Eigen::Vector3d wanted = body_from_target * half_space<K>(i);
        double best = -1.0;
        for (const auto& cone : cones) {
            Eigen::Matrix3d corners;
            corners << half_space<K>(cone[0]), half_space<K>(cone[1]), half_space<K>(cone[2]);
            const Eigen::Vector3d weights = corners.inverse() * wanted;
            if (weights.minCoeff() <= best) continue;
            best = weights.minCoeff();
            for (int k = 0; k < 3; ++k) {
                const auto at = static_cast<std::size_t>(k);
                terms_[i].from[at] = cone[at];
                terms_[i].weight[at] = static_cast<float>(std::max(0.0, weights[k]));
            }
            // Inside a cone, up to rounding: a neighbouring cone would be no better.
            if (best > 1e-9) break;
        }
        assert(best > -1e-6);
    }
    for (std::size_t i = 0; i < K / 2; ++i) shift_m_[i] = kdop_directions<K>()[i].dot(target_from_body.translation());
}

template <int K>
float KdopVolume<K>::volume_m3(const Type& a) {
    // Corners are points where three planes meet inside all slabs. Each facet is then triangulated from its middle, and
    // the volumes of the pyramids to an inner point are added.
    const auto height = [&](std::size_t i) { return i < K / 2 ? double{a.high_m[i]} : -double{a.low_m[i - K / 2]}; };
    double size = 1e-9;
    for (std::size_t i = 0; i < K; ++i) size = std::max(size, std::abs(height(i)));
    std::vector<Eigen::Vector3d> corners;
    for (std::size_t i = 0; i < K; ++i)
        for (std::size_t j = i + 1; j < K; ++j)
            for (std::size_t k = j + 1; k < K; ++k) {
                Eigen::Matrix3d planes;
                planes << half_space<K>(i).transpose(), half_space<K>(j).transpose(), half_space<K>(k).transpose();
                if (std::abs(planes.determinant()) < 1e-6) continue;
                const Eigen::Vector3d corner = planes.inverse() * Eigen::Vector3d(height(i), height(j), height(k));
                bool inside = true;
                for (std::size_t m = 0; m < K && inside; ++m)
                    inside = half_space<K>(m).dot(corner) <= height(m) + 1e-7 * size;
                if (inside) corners.push_back(corner);
            }
    if (corners.empty()) return 0.0F;
    Eigen::Vector3d middle = Eigen::Vector3d::Zero();
    for (const auto& corner : corners) middle += corner / static_cast<double>(corners.size());

    double volume = 0.0;
    for (std::size_t i = 0; i < K; ++i) {
        const Eigen::Vector3d normal = half_space<K>(i), u = normal.unitOrthogonal(), v = normal.cross(u);
        std::vector<Eigen::Vector3d> face;
        Eigen::Vector3d face_middle = Eigen::Vector3d::Zero();
        for (const auto& corner : corners)
            if (normal.dot(corner) >= height(i) - 2e-7 * size) face.push_back(corner), face_middle += corner;
        if (face.size() < 3) continue;
        face_middle /= static_cast<double>(face.size());
        const auto angle = [&](const Eigen::Vector3d& p) {
            return std::atan2(v.dot(p - face_middle), u.dot(p - face_middle));
        };
        std::sort(face.begin(), face.end(), [&](const auto& p, const auto& q) { return angle(p) < angle(q); });
        for (std::size_t k = 0; k < face.size(); ++k)
            volume +=
                std::abs((face[k] - middle).dot((face[(k + 1) % face.size()] - middle).cross(face_middle - middle))) /
                6.0;
    }
    return static_cast<float>(volume);
}

template struct KdopVolume<8>;
template struct KdopVolume<14>;
template struct KdopVolume<18>;
template struct KdopVolume<26>;
template const std::array<Eigen::Vector3f, 4>& kdop_directions<8>();
template const std::array<Eigen::Vector3f, 7>& kdop_directions<14>();
template const std::array<Eigen::Vector3f, 9>& kdop_directions<18>();
template const std::array<Eigen::Vector3f, 13>& kdop_directions<26>();

}  // namespace glovebox::collision
