#include "collision/box/convex_hull.h"

#include <algorithm>
#include <cstdio>
#include <stdexcept>
#include <string>

#include "collision/box/box_fit.h"

extern "C" {
#include <libqhull_r/qhull_ra.h>
}

namespace glovebox::collision {
namespace {

// Qhull also reports errors as text, which is discarded: its exit code is enough.
#ifdef _WIN32
constexpr const char* kNullFile = "NUL";
#else
constexpr const char* kNullFile = "/dev/null";
#endif
struct NullFile {
    std::FILE* file = std::fopen(kNullFile, "w");
    ~NullFile() {
        if (file != nullptr) std::fclose(file);
    }
    NullFile() = default;
    NullFile(const NullFile&) = delete;
    NullFile& operator=(const NullFile&) = delete;
};

std::vector<std::int32_t> distinct_points(std::span<const Eigen::Vector3f> points) {
    std::vector<std::int32_t> order(points.size());
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = static_cast<std::int32_t>(i);
    const auto key = [&](std::int32_t i) {
        const auto& p = points[static_cast<std::size_t>(i)];
        return std::array{p.x(), p.y(), p.z()};
    };
    std::stable_sort(order.begin(), order.end(), [&](auto a, auto b) { return key(a) < key(b); });
    order.erase(std::unique(order.begin(), order.end(), [&](auto a, auto b) { return key(a) == key(b); }), order.end());
    std::sort(order.begin(), order.end());
    return order;
}

}  // namespace

HullSurface hull_surface(std::span<const Eigen::Vector3f> points) {
    HullSurface hull;
    if (points.size() >= 4) {
        // Relative to the first point and scaled to unit size, so that Qhull's tolerances mean the same for every mesh.
        const Eigen::Vector3d origin = points[0].cast<double>();
        double size = 0.0;
        for (const auto& point : points) size = std::max(size, (point.cast<double>() - origin).cwiseAbs().maxCoeff());
        std::vector<double> coordinates;
        coordinates.reserve(3 * points.size());
        for (const auto& point : points)
            for (int k = 0; k < 3; ++k)
                coordinates.push_back((double{point[k]} - origin[k]) / (size > 0.0 ? size : 1.0));

        const NullFile nowhere;
        qhT qh_memory;
        qhT* qh = &qh_memory;
        qh_zero(qh, nowhere.file);
        std::string options = "qhull Qt Pp";
        const int failed = qh_new_qhull(qh, 3, static_cast<int>(points.size()), coordinates.data(), False,
                                        options.data(), nowhere.file, nowhere.file);
        if (failed == 0) {
            std::vector<std::int32_t> corner_of(points.size(), -1);
            facetT* facet;
            FORALLfacets {
                std::array<std::int32_t, 3> corners{};
                std::size_t count = 0;
                setT* ordered = qh_facet3vertex(qh, facet);
                vertexT *vertex, **vertexp;
                FOREACHvertex_(ordered) {
                    const auto id = static_cast<std::size_t>(qh_pointid(qh, vertex->point));
                    if (corner_of[id] < 0) {
                        corner_of[id] = static_cast<std::int32_t>(hull.from.size());
                        hull.from.push_back(static_cast<std::int32_t>(id));
                    }
                    if (count < 3) corners[count] = corner_of[id];
                    ++count;
                }
                qh_settempfree(qh, &ordered);
                if (count == 3) hull.facets.push_back(corners);
            }
        }
        qh_freeqhull(qh, qh_ALL);
        int still = 0, total = 0;
        qh_memfreeshort(qh, &still, &total);
    }
    if (hull.facets.empty()) hull.from = distinct_points(points);

    // Qhull's orientation flag can differ between merged facets, so every facet is oriented outwards here.
    Eigen::Vector3d middle = Eigen::Vector3d::Zero();
    for (const std::int32_t i : hull.from) middle += points[static_cast<std::size_t>(i)].cast<double>();
    if (!hull.from.empty()) middle /= static_cast<double>(hull.from.size());
    for (auto& facet : hull.facets) {
        const auto at = [&](std::size_t k) -> Eigen::Vector3d {
            return points[static_cast<std::size_t>(hull.from[static_cast<std::size_t>(facet[k])])].cast<double>();
        };
        if ((at(1) - at(0)).cross(at(2) - at(0)).dot(at(0) - middle) < 0.0) std::swap(facet[1], facet[2]);
    }
    return hull;
}

std::shared_ptr<const ConvexHull> ConvexHull::from_points(std::span<const Eigen::Vector3f> points_m) {
    if (points_m.empty()) throw std::invalid_argument("convex hull: no points");
    for (std::size_t i = 0; i < points_m.size(); ++i)
        if (!points_m[i].allFinite())
            throw std::invalid_argument("convex hull: point " + std::to_string(i) + " is not finite");

    HullSurface surface = hull_surface(points_m);
    auto hull = std::make_shared<ConvexHull>();
    Eigen::Vector3d middle = Eigen::Vector3d::Zero();
    for (const std::int32_t i : surface.from) {
        const Eigen::Vector3f& corner = points_m[static_cast<std::size_t>(i)];
        hull->corners_m_.push_back(corner);
        middle += corner.cast<double>();
    }
    hull->middle_m_ = (middle / static_cast<double>(surface.from.size())).cast<float>();
    for (const Eigen::Vector3f& corner : hull->corners_m_)
        hull->radius_m_ = std::max(hull->radius_m_, (corner - hull->middle_m_).cast<double>().norm());
    const std::size_t padded = (hull->corners_m_.size() + kColumnPadding - 1) / kColumnPadding * kColumnPadding;
    for (int k = 0; k < 3; ++k) {
        std::vector<float>& column = hull->columns_[static_cast<std::size_t>(k)];
        column.reserve(padded);
        for (const Eigen::Vector3f& corner : hull->corners_m_) column.push_back(corner[k]);
        column.resize(padded, column.front());
    }
    hull->facets_ = std::move(surface.facets);
    const SurfaceCovariance covariance = surface_covariance(hull->corners_m_, hull->facets_);
    hull->box_ = covariance.area_m2 > 0.0 ? enclose(principal_axes(covariance.covariance), hull->corners_m_)
                                          : fit_hull_covariance(hull->corners_m_, {});
    return hull;
}

}  // namespace glovebox::collision
