// A million random pairs of all other kinds: boxes, triangles, rounded bones, meshes. Do FCL and libccd agree with
// us? If not, who is right?
//
//   glovebox_shape_oracles [--pairs N]
//
// A quarter of the pairs each: overlap of oriented boxes (FCL's box test; libccd); distance and overlap of triangles
// (FCL's triangle distance; libccd); capsules and round cones (FCL's capsules; libccd); overlap of two meshes (FCL's
// OBB trees), with a rounded bone against every triangle of one. Disagreements are decided: shapes reported apart need
// a separating plane, meshes a test of every pair of triangles by exact predicates. Pairs that touch within 1e-6 of the
// size may differ. Exits with 3 if a peer is right and we are not.
#include <fcl/geometry/bvh/BVH_model.h>
#include <fcl/geometry/shape/capsule.h>
#include <fcl/math/bv/OBB.h>
#include <fcl/narrowphase/collision.h>
#include <fcl/narrowphase/detail/primitive_shape_algorithm/capsule_capsule.h>
#include <fcl/narrowphase/detail/primitive_shape_algorithm/triangle_distance.h>
#if GLOVEBOX_HAS_CCD
#include <ccd/ccd.h>
#endif

#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>

#include "collision/box/box.h"
#include "collision/mesh/mesh_tree.h"
#include "collision/query/bone.h"
#include "collision/query/convex.h"
#include "collision/query/mesh_pair.h"
#include "collision/query/triangle_pair.h"
#include "collision/survey/fit/random.h"
#include "collision/survey/tree/sample_meshes.h"

namespace glovebox::timing {
namespace {

using collision::ConvexCore;
using collision::Obb;
using collision::RoundSegment;
using collision::Triangle;
using Eigen::Isometry3f;
using Eigen::Vector3d;
using Eigen::Vector3f;

constexpr double kTouching = 1e-6;  // for shapes about one unit large

struct Tally {
    const char* work;
    const char* peer;
    std::int64_t queries = 0, met = 0, same = 0, touching = 0, peer_wrong = 0, ours_wrong = 0;

    /// `proof` is called if the two differ, and returns whether we are right.
    void add(bool meets, bool agree, bool near, const std::function<bool()>& proof) {
        ++queries;
        met += meets ? 1 : 0;
        if (agree)
            ++same;
        else if (near)
            ++touching;
        else
            ++(proof() ? peer_wrong : ours_wrong);
    }
    void print() const {
        std::printf(
            "%-34s %-22s %9lld asked (%lld %% meet) %9lld the same %7lld touching within 1e-6 %7lld theirs wrong %4lld "
            "ours wrong\n",
            work, peer, static_cast<long long>(queries),
            static_cast<long long>(100 * met / std::max<std::int64_t>(1, queries)), static_cast<long long>(same),
            static_cast<long long>(touching), static_cast<long long>(peer_wrong), static_cast<long long>(ours_wrong));
    }
};

class Shapes {
  public:
    float any(double by = 1.0) { return static_cast<float>(random_.between(-by, by)); }
    float between(double low, double high) { return static_cast<float>(random_.between(low, high)); }
    Vector3f point(double by = 1.0) { return {any(by), any(by), any(by)}; }
    Eigen::Matrix3f turn() { return Eigen::Quaternionf(any(), any(), any(), any()).normalized().toRotationMatrix(); }
    Isometry3f pose(double by) {
        Isometry3f pose = Isometry3f::Identity();
        pose.linear() = turn();
        pose.translation() = point(by);
        return pose;
    }
    // Sizes from slivers to cubes.
    Obb box() { return {point(1.2), turn(), {between(0.02, 1.0), between(0.02, 1.0), between(0.02, 1.0)}}; }
    Triangle triangle() {
        const Vector3d at = point(0.35).cast<double>();
        return {at + point(0.7).cast<double>(), at + point(0.7).cast<double>(), at + point(0.7).cast<double>()};
    }

  private:
    collision::Random random_{17};
};

// ---- libccd, for anything with a support function

#if GLOVEBOX_HAS_CCD
struct CcdShape {
    const ConvexCore& core;
    static void support(const void* object, const ccd_vec3_t* direction, ccd_vec3_t* out) {
        const Vector3d d(direction->v[0], direction->v[1], direction->v[2]);
        const Vector3d at = static_cast<const CcdShape*>(object)->core.support(d);
        ccdVec3Set(out, at.x(), at.y(), at.z());
    }
    static void center(const void* object, ccd_vec3_t* out) {
        const Vector3d& at = static_cast<const CcdShape*>(object)->core.middle();
        ccdVec3Set(out, at.x(), at.y(), at.z());
    }
};
bool ccd_meets(const ConvexCore& a, const ConvexCore& b) {
    ccd_t ccd;
    CCD_INIT(&ccd);
    ccd.support1 = ccd.support2 = CcdShape::support;
    ccd.center1 = ccd.center2 = CcdShape::center;
    ccd.max_iterations = 200;
    ccd.mpr_tolerance = 1e-9;
    const CcdShape shape_a{a}, shape_b{b};
    return ccdMPRIntersect(&shape_a, &shape_b, &ccd) != 0;
}
#endif

// If apart, a plane must separate them; if overlapping, the plane across the direction of least overlap must not.
bool proved(const ConvexCore& a, const ConvexCore& b, const collision::ConvexPair& pair) {
    return (pair.normal.dot(b.support(-pair.normal) - a.support(pair.normal)) > 0.0) == (pair.distance > 0.0);
}

void boxes(Shapes& shapes, std::int64_t pairs, Tally& fcl_tally, Tally& ccd_tally) {
    for (std::int64_t i = 0; i < pairs; ++i) {
        const Obb a = shapes.box(), b = shapes.box();
        const bool ours = overlap(a, b);
        const ConvexCore core_a(a), core_b(b);
        const auto exact = [&] { return closest(core_a, core_b); };
        const auto near = [&] { return std::abs(exact().distance) < kTouching; };
        const auto right = [&] { return (exact().distance <= 0.0) == ours && proved(core_a, core_b, exact()); };
        const auto converted = [](const Obb& box) {
            return fcl::OBB<double>(box.axes.cast<double>(), box.center_m.cast<double>(), box.half_m.cast<double>());
        };
        const bool theirs = converted(a).overlap(converted(b));
        fcl_tally.add(ours, ours == theirs, ours != theirs && near(), right);
#if GLOVEBOX_HAS_CCD
        const bool of_ccd = ccd_meets(core_a, core_b);
        ccd_tally.add(ours, ours == of_ccd, ours != of_ccd && near(), right);
#else
        static_cast<void>(ccd_tally);
#endif
    }
}

void triangles(Shapes& shapes, std::int64_t pairs, Tally& distance_tally, Tally& ccd_tally) {
    for (std::int64_t i = 0; i < pairs; ++i) {
        const Triangle a = shapes.triangle(), b = shapes.triangle();
        const double ours = collision::distance_m(a, b);
        const bool touches = collision::triangles_touch(a, b);
        Vector3d p, q;
        const double theirs =
            fcl::detail::TriangleDistance<double>::triDistance(a[0], a[1], a[2], b[0], b[1], b[2], p, q);
        const ConvexCore core_a(a), core_b(b);
        const auto right = [&] {
            const collision::TriangleGap gap = collision::closest(a, b);
            if (touches || gap.distance_m == 0.0) return touches && gap.distance_m == 0.0;
            const Vector3d normal = (gap.on_b - gap.on_a).normalized();
            return std::abs(normal.dot(core_b.support(-normal) - core_a.support(normal)) - ours) < 1e-9;
        };
        distance_tally.add(touches, std::abs(ours - theirs) < kTouching && touches == (ours == 0.0), false, right);
#if GLOVEBOX_HAS_CCD
        const bool of_ccd = ccd_meets(core_a, core_b);
        ccd_tally.add(touches, touches == of_ccd, ours < kTouching && ours > 0.0, right);
#else
        static_cast<void>(ccd_tally);
#endif
    }
}

void bones(Shapes& shapes, std::int64_t pairs, Tally& capsule_tally, Tally& ccd_tally) {
    for (std::int64_t i = 0; i < pairs; ++i) {
        const bool capsules = i % 2 == 0;
        const auto bone = [&] {
            const Vector3d a = shapes.point(0.6).cast<double>();
            const double radius = double{shapes.between(0.02, 0.4)};
            return RoundSegment{a, a + shapes.point(0.8).cast<double>(), radius,
                                capsules ? radius : double{shapes.between(0.02, 0.4)}};
        };
        const RoundSegment a = bone(), b = bone();
        const collision::ConvexPair ours = closest(a, b);
        const ConvexCore core_a(a), core_b(b);
        const auto right = [&] { return proved(core_a, core_b, ours); };
        if (capsules) {
            // If cores are apart, FCL's closed form is their distance minus the radii; crossing cores have no depth.
            const auto placed = [](const RoundSegment& s, fcl::Transform3d& pose) {
                const Vector3d along = s.b - s.a;
                pose = fcl::Transform3d::Identity();
                pose.linear() = Eigen::Quaterniond::FromTwoVectors(Vector3d::UnitZ(), along).toRotationMatrix();
                pose.translation() = 0.5 * (s.a + s.b);
                return fcl::Capsule<double>(s.radius_a, along.norm());
            };
            fcl::Transform3d pose_a, pose_b;
            const fcl::Capsule<double> fcl_a = placed(a, pose_a), fcl_b = placed(b, pose_b);
            double theirs = 0.0;
            Vector3d p, q;
            fcl::detail::capsuleCapsuleDistance<double>(fcl_a, pose_a, fcl_b, pose_b, &theirs, &p, &q);
            const double expected = ours.distance;
            capsule_tally.add(ours.distance <= 0.0, std::abs(expected - theirs) < 1e-5, false, right);
        }
#if GLOVEBOX_HAS_CCD
        const bool meets = ours.distance <= 0.0, of_ccd = ccd_meets(core_a, core_b);
        ccd_tally.add(meets, meets == of_ccd, std::abs(ours.distance) < 1e-5, right);
#else
        static_cast<void>(ccd_tally);
#endif
    }
}

using FclModel = fcl::BVHModel<fcl::OBB<double>>;
std::shared_ptr<FclModel> fcl_model(const collision::Mesh& mesh) {
    auto model = std::make_shared<FclModel>();
    std::vector<fcl::Vector3d> vertices;
    std::vector<fcl::Triangle> faces;
    for (const Vector3f& v : mesh.vertices_m) vertices.push_back(v.cast<double>());
    for (const auto& t : mesh.triangles) faces.emplace_back(t[0], t[1], t[2]);
    model->beginModel();
    model->addSubModel(vertices, faces);
    model->endModel();
    return model;
}

// Tests every triangle of one against every triangle of the other.
bool brute_touch(const collision::Mesh& a, const collision::Mesh& b, const Isometry3f& a_from_b) {
    const Eigen::Isometry3d pose = a_from_b.cast<double>();
    for (int j = 0; j < static_cast<int>(b.triangles.size()); ++j) {
        const Triangle t = triangle_of(b, j);
        const Triangle moved = {pose * t[0], pose * t[1], pose * t[2]};
        for (int i = 0; i < static_cast<int>(a.triangles.size()); ++i)
            if (collision::triangles_touch(triangle_of(a, i), moved)) return true;
    }
    return false;
}

void meshes(Shapes& shapes, std::int64_t pairs, Tally& pair_tally, Tally& bone_tally) {
    const std::vector<collision::Mesh> kinds = {
        collision::torus(16, 8),
        collision::torus(20, 10, {.spikes = 0.5, .dimples = 0.15, .wrinkles = 0.03, .twist = 2.0}),
        collision::box_mesh({0.8F, 0.1F, 0.4F}), collision::icosahedron(), collision::soup(80, 0.5, 5)};
    std::vector<std::shared_ptr<const collision::ObbTree>> ours;
    std::vector<std::shared_ptr<const collision::MeshTree>> trees;
    std::vector<std::shared_ptr<FclModel>> theirs;
    for (const collision::Mesh& mesh : kinds) {
        ours.push_back(collision::ObbTree::build(mesh));
        trees.push_back(collision::MeshTree::build(mesh));
        theirs.push_back(fcl_model(mesh));
    }
    collision::PairQueryMemory memory;
    for (std::int64_t i = 0; i < pairs; ++i) {
        const auto a = static_cast<std::size_t>(i) % kinds.size(), b = static_cast<std::size_t>(i / 5) % kinds.size();
        const Isometry3f pose = shapes.pose(1.6);
        collision::TreeQueryCounts counts;
        const bool touches = touch(*ours[a], *ours[b], pose, counts, memory);
        fcl::CollisionRequest<double> request;
        fcl::CollisionResult<double> result;
        fcl::collide(theirs[a].get(), fcl::Transform3d::Identity(), theirs[b].get(),
                     fcl::Transform3d(pose.cast<double>()), request, result);
        pair_tally.add(touches, touches == result.isCollision(), false,
                       [&] { return brute_touch(kinds[a], kinds[b], pose) == touches; });

        // A bone: its gap by the tree against the least closed-form gap over all triangles, and FCL on a few.
        const Vector3f at = shapes.point(1.4);
        const collision::RoundCone cone{at, at + shapes.point(0.2), shapes.between(0.01, 0.1),
                                        shapes.between(0.01, 0.1)};
        collision::MeshTreeCounts tree_counts;
        const collision::MeshHit hit = trees[a]->nearest(cone, 10.0F, tree_counts);
        if (trees[a]->closed() && hit.distance_m <= -std::min(cone.radius_a_m, cone.radius_b_m)) continue;
        if (trees[a]->contains(cone.a_m, tree_counts)) continue;  // depth is tested elsewhere
        double least = 1e300;
        for (int t = 0; t < static_cast<int>(kinds[a].triangles.size()); ++t)
            least = std::min(least, closest(round_segment(cone), triangle_of(kinds[a], t)).gap);
        bone_tally.add(hit.distance_m <= 0.0F, std::abs(least - double{hit.distance_m}) < 2e-6, false,
                       [] { return false; });
    }
}

int run(std::int64_t pairs) {
    Shapes shapes;
    std::array<Tally, 8> tallies = {{{"boxes, yes or no", "FCL"},
                                     {"boxes, yes or no", "libccd (MPR)"},
                                     {"triangles, distance", "FCL"},
                                     {"triangles, yes or no", "libccd (MPR)"},
                                     {"capsules, signed distance", "FCL, closed form"},
                                     {"capsules and cones, yes or no", "libccd (MPR)"},
                                     {"two meshes, yes or no", "FCL, OBB trees"},
                                     {"bone and mesh, distance", "every triangle"}}};
    const std::int64_t quarter = std::max<std::int64_t>(1, pairs / 4);
    boxes(shapes, quarter, tallies[0], tallies[1]);
    triangles(shapes, quarter, tallies[2], tallies[3]);
    bones(shapes, quarter, tallies[4], tallies[5]);
    meshes(shapes, quarter, tallies[6], tallies[7]);
    std::int64_t wrong = 0;
    for (const Tally& tally : tallies) {
        tally.print();
        wrong += tally.ours_wrong;
        // If all pairs met, or none, nothing would be tested.
        if (tally.queries > 1000 &&
            (tally.met < tally.queries / 100 || tally.met > tally.queries - tally.queries / 100))
            ++wrong;
    }
    return wrong > 0 ? 3 : 0;
}

}  // namespace
}  // namespace glovebox::timing

int main(int count, char** words) {
    std::int64_t pairs = 1'000'000;
    for (int i = 1; i < count; ++i)
        if (std::strcmp(words[i], "--pairs") == 0 && i + 1 < count) pairs = std::atoll(words[++i]);
    return glovebox::timing::run(pairs);
}
