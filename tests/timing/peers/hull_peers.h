// Convex hulls in the form that FCL, Bullet and libccd take, and their answers in our conventions.
#pragma once

#include <BulletCollision/CollisionShapes/btConvexHullShape.h>
#include <BulletCollision/NarrowPhaseCollision/btGjkEpaPenetrationDepthSolver.h>
#include <BulletCollision/NarrowPhaseCollision/btGjkPairDetector.h>
#include <BulletCollision/NarrowPhaseCollision/btPointCollector.h>
#include <BulletCollision/NarrowPhaseCollision/btVoronoiSimplexSolver.h>
#include <fcl/geometry/shape/convex.h>
#include <fcl/narrowphase/distance.h>

#include "collision/box/convex_hull.h"
#include "collision/survey/fit/random.h"
#if GLOVEBOX_HAS_CCD
#include <ccd/ccd.h>
#include <ccd/quat.h>
#endif

namespace glovebox::timing {

using collision::ConvexHull;
using Hull = std::shared_ptr<const ConvexHull>;

inline Hull ellipsoid(int points, collision::Random& random) {
    std::vector<Eigen::Vector3f> corners;
    while (corners.size() < static_cast<std::size_t>(points)) {
        const Eigen::Vector3d p(random.between(-1, 1), random.between(-1, 1), random.between(-1, 1));
        if (p.norm() > 1.0 || p.norm() < 0.1) continue;
        corners.push_back(p.normalized().cwiseProduct(Eigen::Vector3d(1.0, 0.7, 0.5)).cast<float>());
    }
    return ConvexHull::from_points(corners);
}

inline std::shared_ptr<fcl::Convex<double>> fcl_hull(const ConvexHull& hull) {
    auto vertices = std::make_shared<std::vector<fcl::Vector3d>>();
    for (const Eigen::Vector3f& corner : hull.corners_m()) vertices->push_back(corner.cast<double>());
    auto faces = std::make_shared<std::vector<int>>();
    for (const auto& facet : hull.facets()) {
        faces->push_back(3);
        faces->insert(faces->end(), facet.begin(), facet.end());
    }
    return std::make_shared<fcl::Convex<double>>(vertices, static_cast<int>(hull.facets().size()), faces);
}

class BulletPair {
  public:
    BulletPair(const ConvexHull& a, const ConvexHull& b) {
        for (const auto& [hull, shape] : {std::pair{&a, &a_}, {&b, &b_}}) {
            for (const Eigen::Vector3f& p : hull->corners_m()) shape->addPoint(btVector3(p.x(), p.y(), p.z()), false);
            shape->recalcLocalAabb();
            shape->setMargin(0);
        }
    }
    /// Returns the signed distance; `normal` receives the unit direction from a to b, or from b to a if they overlap.
    double distance(const Eigen::Isometry3f& a_from_b, Eigen::Vector3d& normal) {
        btGjkPairDetector detector(&a_, &b_, &simplex_, &depth_);
        btDiscreteCollisionDetectorInterface::ClosestPointInput input;
        input.m_transformA.setIdentity();
        const Eigen::Matrix3f& r = a_from_b.linear();
        input.m_transformB.setBasis(
            btMatrix3x3(r(0, 0), r(0, 1), r(0, 2), r(1, 0), r(1, 1), r(1, 2), r(2, 0), r(2, 1), r(2, 2)));
        input.m_transformB.setOrigin(
            btVector3(a_from_b.translation().x(), a_from_b.translation().y(), a_from_b.translation().z()));
        btPointCollector found;
        detector.getClosestPoints(input, found, nullptr);
        normal = {found.m_normalOnBInWorld.x(), found.m_normalOnBInWorld.y(), found.m_normalOnBInWorld.z()};
        return found.m_hasResult ? static_cast<double>(found.m_distance) : 1e30;
    }

  private:
    btConvexHullShape a_, b_;
    btVoronoiSimplexSolver simplex_;
    btGjkEpaPenetrationDepthSolver depth_;
};

/// Returns FCL's signed distance, computed with libccd's algorithms; `normal` is along its nearest points.
inline double fcl_distance(const fcl::Convex<double>& a, const fcl::Convex<double>& b,
                           const Eigen::Isometry3f& a_from_b, Eigen::Vector3d& normal) {
    fcl::DistanceRequest<double> request(true, true);
    request.gjk_solver_type = fcl::GST_LIBCCD;
    fcl::DistanceResult<double> result;
    const double distance =
        fcl::distance(&a, fcl::Transform3d::Identity(), &b, fcl::Transform3d(a_from_b.cast<double>()), request, result);
    normal = (result.nearest_points[1] - result.nearest_points[0]).stableNormalized();
    return distance;
}

#if GLOVEBOX_HAS_CCD
struct CcdHull {
    std::vector<Eigen::Vector3d> corners;
    Eigen::Isometry3d pose = Eigen::Isometry3d::Identity();

    explicit CcdHull(const ConvexHull& hull) {
        for (const Eigen::Vector3f& corner : hull.corners_m()) corners.push_back(corner.cast<double>());
    }
    static void support(const void* object, const ccd_vec3_t* direction, ccd_vec3_t* out) {
        const auto& hull = *static_cast<const CcdHull*>(object);
        const Eigen::Vector3d local =
            hull.pose.linear().transpose() * Eigen::Vector3d(direction->v[0], direction->v[1], direction->v[2]);
        const Eigen::Vector3d* best = hull.corners.data();
        double most = best->dot(local);
        for (const Eigen::Vector3d& corner : hull.corners) {
            const double along = corner.dot(local);
            if (along > most) {
                most = along;
                best = &corner;
            }
        }
        const Eigen::Vector3d at = hull.pose * *best;
        ccdVec3Set(out, at.x(), at.y(), at.z());
    }
};

inline ccd_t ccd_settings() {
    ccd_t ccd;
    CCD_INIT(&ccd);
    ccd.support1 = ccd.support2 = CcdHull::support;
    ccd.max_iterations = 100;
    ccd.epa_tolerance = 1e-6;
    return ccd;
}

/// Returns libccd's overlap test.
inline bool ccd_overlap(CcdHull& a, CcdHull& b, const Eigen::Isometry3f& a_from_b) {
    b.pose = a_from_b.cast<double>();
    const ccd_t ccd = ccd_settings();
    return ccdGJKIntersect(&a, &b, &ccd) != 0;
}

/// Returns libccd's penetration depth; 0 if the hulls are apart.
inline double ccd_depth(CcdHull& a, CcdHull& b, const Eigen::Isometry3f& a_from_b) {
    b.pose = a_from_b.cast<double>();
    const ccd_t ccd = ccd_settings();
    ccd_real_t depth = 0.0;
    ccd_vec3_t direction, position;
    return ccdGJKPenetration(&a, &b, &ccd, &depth, &direction, &position) == 0 ? depth : 0.0;
}
#endif

}  // namespace glovebox::timing
