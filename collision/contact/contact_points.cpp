#include "collision/contact/contact_points.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <numbers>
#include <optional>
#include <utility>

#include "collision/box/convex_hull.h"
#include "collision/mesh/mesh_tree.h"
#include "collision/query/bone.h"
#include "collision/query/descent.h"

namespace glovebox::collision {
namespace {

using Eigen::Vector3d;

// Limits below which two contact points count as one, from the bone's radius and size.
struct MergeTolerance {
    float apart_m;  // half the radius
    float tie_m;    // gaps that differ by less are equal: a flat stretch
};

// The sine of the bone's slope up to which its end or corner is a contact point although the gap is smaller further in.
constexpr double kSteep = 0.17;  // ten degrees

// True if the gap at an end of the cone decreases towards the other end. The normal points from the cone to the object.
bool falls_inward(const Vector3d& normal, const Vector3d& inward, double radius_growth_m) {
    return -normal.dot(inward) - radius_growth_m < -kSteep * inward.norm();
}

void merge(const Contact& contact, const MergeTolerance& same, ContactPoints& out) {
    for (std::size_t i = 0; i < out.count; ++i) {
        Contact& known = out.points[i];
        if (known.normal.dot(contact.normal) < kSameNormalCos) continue;
        if ((known.on_object_m - contact.on_object_m).norm() > same.apart_m) continue;
        if (contact.distance_m < known.distance_m) known = contact;
        return;
    }
    if (out.count < ContactPoints::kMax) {
        out.points[out.count++] = contact;
        return;
    }
    Contact* shallowest =
        std::max_element(out.points.begin(), out.points.end(),
                         [](const Contact& a, const Contact& b) { return a.distance_m < b.distance_m; });
    if (contact.distance_m < shallowest->distance_m) *shallowest = contact;
}

template <class Visit>
void for_corners(const Obb& box, const Visit& visit) {
    for (int i = 0; i < 8; ++i) {
        const Eigen::Vector3f signs((i & 1) != 0 ? 1.0F : -1.0F, (i & 2) != 0 ? 1.0F : -1.0F,
                                    (i & 4) != 0 ? 1.0F : -1.0F);
        visit(Eigen::Vector3f(box.center_m + box.axes * signs.cwiseProduct(box.half_m)));
    }
}

// ---- the triangles of a mesh, a hull or a box, in its own frame

using Facet = std::array<std::int32_t, 3>;
constexpr std::array<Facet, 12> kBoxFacets = {{{0, 2, 1},
                                               {1, 2, 3},
                                               {4, 5, 6},
                                               {5, 7, 6},
                                               {0, 1, 4},
                                               {1, 5, 4},
                                               {2, 6, 3},
                                               {3, 6, 7},
                                               {0, 4, 2},
                                               {2, 4, 6},
                                               {1, 3, 5},
                                               {3, 7, 5}}};

class Surface {
  public:
    explicit Surface(const MeshTree& tree) : tree_(&tree) {}
    explicit Surface(const ConvexHull& hull) : corners_(hull.corners_m()), facets_(hull.facets()) {}
    Surface(std::span<const Eigen::Vector3f> box_corners, std::span<const Facet> box_facets)
        : corners_(box_corners), facets_(box_facets) {}

    bool has_facets() const { return tree_ != nullptr || !facets_.empty(); }
    bool closed() const { return tree_ == nullptr || tree_->closed(); }
    bool is_mesh() const { return tree_ != nullptr; }

    Triangle triangle(std::int32_t number) const {
        if (tree_ != nullptr) return triangle_of(tree_->mesh(), number);
        const Facet& facet = facets_[static_cast<std::size_t>(number)];
        const auto corner = [&](std::size_t i) {
            return Vector3d(corners_[static_cast<std::size_t>(facet[i])].cast<double>());
        };
        return {corner(0), corner(1), corner(2)};
    }
    Vector3d outward(std::int32_t number) const {
        if (tree_ != nullptr) return tree_->surface().outward(tree_->mesh(), number, TriangleFeature::face);
        const Triangle t = triangle(number);
        return (t[1] - t[0]).cross(t[2] - t[0]);
    }
    // 1 if corners are counter-clockwise seen from outside, -1 if clockwise.
    double winding() const { return tree_ != nullptr && tree_->surface().faces_inwards() ? -1.0 : 1.0; }
    // Calls visit(point) for points whose hull contains the surface; for a hull or a box, its corners.
    template <class Visit>
    void for_bounds(const Visit& visit) const {
        if (tree_ != nullptr)
            for_corners(tree_->root_box(),
                        [&](const Eigen::Vector3f& corner) { visit(Vector3d(corner.cast<double>())); });
        for (const Eigen::Vector3f& corner : corners_) visit(Vector3d(corner.cast<double>()));
    }
    // Corners of a hull or a box.
    std::span<const Eigen::Vector3f> corners() const { return corners_; }
    // Calls visit(unit normal, facet).
    template <class Visit>
    void for_facets(const Visit& visit) const {
        for (std::size_t i = 0; i < facets_.size(); ++i) {
            const Triangle t = triangle(static_cast<std::int32_t>(i));
            visit(Vector3d((t[1] - t[0]).cross(t[2] - t[0]).normalized()), t);
        }
    }
    // Returns the triangle across an edge; -1: none.
    std::int32_t neighbor(std::int32_t number, std::size_t edge) const {
        if (tree_ != nullptr) return tree_->surface().neighbor(number, static_cast<int>(edge));
        const Facet& facet = facets_[static_cast<std::size_t>(number)];
        for (std::size_t other = 0; other < facets_.size(); ++other)
            for (std::size_t i = 0; i < 3; ++i)
                if (facets_[other][i] == facet[(edge + 1) % 3] && facets_[other][(i + 1) % 3] == facet[edge])
                    return static_cast<std::int32_t>(other);
        return -1;
    }

    // Calls visit(number, triangle) for triangles whose boxes meet the box; visit returns false to end.
    template <class Visit>
    void near(const Vector3d& low_m, const Vector3d& high_m, CollideCounts& counts, const Visit& visit) const {
        const auto show = [&](std::int32_t number) {
            const Triangle t = triangle(number);
            const bool outside = (t[0].cwiseMin(t[1]).cwiseMin(t[2]).array() > high_m.array()).any() ||
                                 (t[0].cwiseMax(t[1]).cwiseMax(t[2]).array() < low_m.array()).any();
            return outside || visit(number, t);
        };
        if (tree_ == nullptr) {
            for (std::size_t i = 0; i < facets_.size(); ++i)
                if (!show(static_cast<std::int32_t>(i))) return;
            return;
        }
        const ObbTree& tree = tree_->tree();
        // No mesh is larger; infinite boxes are not allowed.
        constexpr double kFar_m = 1e18;
        const Vector3d low = low_m.cwiseMax(-kFar_m), high = high_m.cwiseMin(kFar_m);
        Obb region;
        region.center_m = (0.5 * (low + high)).cast<float>();
        region.half_m = (0.5 * (high - low)).cast<float>();
        const float lost_m = rounding_m(tree, region.center_m.cwiseAbs().sum() + region.half_m.sum());
        std::array<float, ObbTree::kWidth> area_m2;
        std::array<std::int32_t, ObbTree::kMaxWaiting> waiting;
        std::size_t size = 0;
        waiting[size++] = 0;
        while (size > 0) {
            const std::int32_t next = waiting[--size];
            if (next >= 0) {
                const ObbTree::Node& node = tree.nodes()[static_cast<std::size_t>(next)];
                counts.n_v += node.count;
                for (std::uint32_t met = overlap_children(region, node, lost_m, area_m2); met != 0; met &= met - 1)
                    waiting[size++] = node.child[static_cast<std::size_t>(std::countr_zero(met))];
                continue;
            }
            for (const std::int32_t number : tree.blocks()[static_cast<std::size_t>(~next)].triangle)
                if (number < 0 || !show(number)) {
                    if (number >= 0) return;
                    break;
                }
        }
    }

  private:
    const MeshTree* tree_ = nullptr;
    std::span<const Eigen::Vector3f> corners_;
    std::span<const Facet> facets_;
};

// A shape that has facets, and its pose.
struct Solid {
    Surface surface;
    Eigen::Isometry3f world_from_solid;
    double radius_m;  // the solid includes everything within this distance
};
using BoxCorners = std::array<Eigen::Vector3f, 8>;

std::optional<Solid> solid_of(const Shape& shape, BoxCorners& store) {
    std::optional<Solid> solid;
    if (const auto* mesh = std::get_if<MeshInstance>(&shape))
        solid = Solid{Surface(*mesh->tree), mesh->world_from_mesh, 0.0};
    if (const auto* hull = std::get_if<HullInstance>(&shape))
        solid = Solid{Surface(*hull->hull), hull->world_from_hull, 0.0};
    if (const auto* box = std::get_if<RoundedBox>(&shape)) {
        std::size_t corner = 0;
        for_corners({Eigen::Vector3f::Zero(), Eigen::Matrix3f::Identity(), box->core.half_m},
                    [&](const Eigen::Vector3f& at) { store[corner++] = at; });
        Eigen::Isometry3f world_from_box = Eigen::Isometry3f::Identity();
        world_from_box.linear() = box->core.axes;
        world_from_box.translation() = box->core.center_m;
        solid = Solid{Surface(store, kBoxFacets), world_from_box, double{box->radius_m}};
    }
    if (solid && !solid->surface.has_facets()) solid.reset();  // a flat hull
    return solid;
}

Contact turned(Contact contact) {
    std::swap(contact.on_body_m, contact.on_object_m);
    contact.normal = -contact.normal;
    contact.triangle = -1;
    return contact;
}

// ---- round cone against the triangles near it, in the triangles' frame

class NearSurface {
  public:
    NearSurface(const Surface& surface, const RoundSegment& cone, double reach_m, double flat_m)
        : surface_(surface),
          cone_(cone),
          reach_m_(reach_m),
          flat_m_(flat_m),
          size_m_((cone.b - cone.a).norm() + std::max(cone.radius_a, cone.radius_b)),
          tiny_m_(1e-6 * size_m_),
          is_ball_(cone.a == cone.b) {}

    /// Calls visit(s, core, its distance, its nearest point, triangle) for every place on the bone's core at which the
    /// surface is locally nearest and within reach. The place must be an end of the bone, or the gap along the bone
    /// must have a minimum there or be flat. Edges between triangles of a smooth surface add no places.
    template <class Visit>
    void visit_nearest(CollideCounts& counts, const Visit& visit) const {
        const double fat_m = std::max(cone_.radius_a, cone_.radius_b) + reach_m_;
        const Vector3d low_m = (cone_.a.cwiseMin(cone_.b).array() - fat_m).matrix();
        const Vector3d high_m = (cone_.a.cwiseMax(cone_.b).array() + fat_m).matrix();
        surface_.near(low_m, high_m, counts, [&](std::int32_t number, const Triangle& triangle) {
            if (!may_be_reached(triangle)) return true;
            ++counts.n_p;
            const SegmentTriangle nearest = closest(cone_, triangle);
            if (!(nearest.gap <= reach_m_)) return true;
            consider(nearest.s, nearest.on_triangle, number, triangle, counts, visit);
            if (is_ball_) return true;
            for (const double end : {0.0, 1.0})
                consider(end, closest_on_triangle(at(end), triangle).point, number, triangle, counts, visit);
            double low = 0.0, high = 1.0;
            if (!over(triangle, low, high)) return true;
            for (const double s : {low, high})
                consider(s, closest_on_triangle(at(s), triangle).point, number, triangle, counts, visit);
            return true;
        });
    }

  private:
    Vector3d at(double s) const { return s == 1.0 ? cone_.b : Vector3d(cone_.a + s * (cone_.b - cone_.a)); }

    // Excludes most triangles by their bounding spheres.
    bool may_be_reached(const Triangle& triangle) const {
        const Vector3d middle = (triangle[0] + triangle[1] + triangle[2]) / 3.0, along = cone_.b - cone_.a;
        double round2 = 0.0;
        for (const Vector3d& corner : triangle) round2 = std::max(round2, (corner - middle).squaredNorm());
        const double s = is_ball_ ? 0.0 : std::clamp(along.dot(middle - cone_.a) / along.squaredNorm(), 0.0, 1.0);
        const double far_m = (1.0 + 1e-9) * (std::sqrt(round2) + std::max(cone_.radius_a, cone_.radius_b) + reach_m_);
        return !((middle - cone_.a - s * along).squaredNorm() > far_m * far_m);
    }

    // Computes the part of the core that is straight above or below the triangle.
    bool over(const Triangle& triangle, double& low, double& high) const {
        const Vector3d normal = (triangle[1] - triangle[0]).cross(triangle[2] - triangle[0]);
        for (std::size_t i = 0; i < 3; ++i) {
            const Vector3d inward = normal.cross(triangle[(i + 1) % 3] - triangle[i]);
            const double from = inward.dot(cone_.a - triangle[i]), rate = inward.dot(cone_.b - cone_.a);
            if (rate > 0.0)
                low = std::max(low, -from / rate);
            else if (rate < 0.0)
                high = std::min(high, -from / rate);
            else if (from < 0.0)
                return false;
        }
        return low <= high;
    }

    template <class Visit>
    void consider(double s, const Vector3d& on_surface, std::int32_t number, const Triangle& triangle,
                  CollideCounts& counts, const Visit& visit) const {
        const Vector3d core = at(s);
        const double distance = (on_surface - core).norm();
        const double gap = distance - (cone_.radius_a + s * (cone_.radius_b - cone_.radius_a));
        if (!(gap <= reach_m_) || !(distance > 1e-9 * size_m_)) return;
        if (!is_ball_) {
            const Vector3d normal = (on_surface - core) / distance, along = cone_.b - cone_.a;
            const double growth_m = cone_.radius_b - cone_.radius_a;
            if (s == 0.0   ? falls_inward(normal, along, growth_m)
                : s == 1.0 ? falls_inward(normal, -along, -growth_m)
                           : std::abs(normal.dot(along) + growth_m) > flat_m_)  // change of the gap along the bone
                return;
        }
        if (is_locally_nearest(core, on_surface, distance, number, triangle, counts))
            visit(s, core, distance, on_surface, number);
    }

    // False if another triangle that contains this point is nearer elsewhere: then the point is merely a triangle's
    // border.
    bool is_locally_nearest(const Vector3d& core, const Vector3d& on_surface, double distance, std::int32_t number,
                            const Triangle& triangle, CollideCounts& counts) const {
        const auto is_nearer = [&](const Triangle& other) {
            const Vector3d nearest = closest_on_triangle(core, other).point;
            return (nearest - core).norm() < distance - 1e-3 * tiny_m_ &&
                   (closest_on_triangle(on_surface, other).point - on_surface).norm() <= tiny_m_;
        };
        int edges = 0;
        bool alone = false;
        for (std::size_t i = 0; i < 3; ++i) {
            const Vector3d &from = triangle[i], &to = triangle[(i + 1) % 3];
            if (to != from && (to - from).cross(on_surface - from).norm() > tiny_m_ * (to - from).norm()) continue;
            ++edges;
            const std::int32_t other = surface_.neighbor(number, i);
            if (other < 0)
                alone = true;
            else if (is_nearer(surface_.triangle(other)))
                return false;
        }
        if (edges < 2 && !alone) return true;
        // A corner belongs to more triangles than those across its edges, and a border edge may lie on another
        // triangle.
        bool nearest = true;
        surface_.near((on_surface.array() - tiny_m_).matrix(), (on_surface.array() + tiny_m_).matrix(), counts,
                      [&](std::int32_t other, const Triangle& corners) {
                          nearest = other == number || !is_nearer(corners);
                          return nearest;
                      });
        return nearest;
    }

    const Surface& surface_;
    RoundSegment cone_;
    double reach_m_, flat_m_, size_m_, tiny_m_;
    bool is_ball_;
};

// Calls emit(contact) for the contact points of the cone on the solid.
template <class Emit>
void clip_to_side(const RoundCone& bone, const Solid& object, float max_distance_m, const MergeTolerance& same,
                  CollideCounts& counts, const Emit& emit) {
    const Eigen::Isometry3f solid_from_world = object.world_from_solid.inverse(Eigen::Isometry);
    RoundSegment segment =
        round_segment({solid_from_world * bone.a_m, solid_from_world * bone.b_m, bone.radius_a_m, bone.radius_b_m});
    segment.radius_a += object.radius_m;
    segment.radius_b += object.radius_m;
    struct Place {  // uninitialised: hundreds of them are on the stack, few are used
        double s;
        std::int32_t triangle;
        float distance_m;
        Eigen::Vector3f normal, on_body_m, on_object_m;
    };
    // Enough for a bone across a finely cut surface; if there are more, the surface is searched again.
    constexpr std::size_t kMaxPlaces = 512;
    std::array<Place, kMaxPlaces> kept;
    std::size_t place_count = 0;
    bool looked = false;
    const NearSurface surface(object.surface, segment, double{max_distance_m}, double{same.tie_m});
    const auto look = [&](const auto& visit) {
        surface.visit_nearest(counts, [&](double s, const Vector3d& core, double distance, const Vector3d& on_surface,
                                          std::int32_t triangle) {
            const Vector3d normal = (on_surface - core) / distance;
            if (object.surface.closed() && normal.dot(object.surface.outward(triangle).normalized()) > 1e-6)
                return;  // seen from inside
            const double radius_m = segment.radius_a + s * (segment.radius_b - segment.radius_a);
            const Eigen::Isometry3f& world = object.world_from_solid;
            visit(Place{s, object.surface.is_mesh() ? triangle : -1, static_cast<float>(distance - radius_m),
                        world.linear() * normal.cast<float>(),
                        world * Vector3d(core + (radius_m - object.radius_m) * normal).cast<float>(),
                        world * Vector3d(on_surface - object.radius_m * normal).cast<float>()});
        });
    };
    const auto for_places = [&](const auto& visit) {
        if (looked && place_count <= kMaxPlaces) {
            for (std::size_t i = 0; i < place_count; ++i) visit(kept[i]);
            return;
        }
        place_count = 0;
        look([&](const Place& place) {
            if (place_count < kMaxPlaces) kept[place_count] = place;
            ++place_count;
            visit(place);
        });
        looked = true;
    };
    // A normal direction of the surface, and the contact points of the bone with it. The deepest place gives the first
    // direction, the deepest place without a direction the next. So the order of the triangles does not matter.
    struct Rest {
        Place deepest, first, last;
    };
    std::array<Rest, ContactPoints::kMax> rests;
    std::size_t rest_count = 0;
    const auto rest_of = [&](const Place& place) -> Rest* {
        for (std::size_t i = 0; i < rest_count; ++i)
            if (rests[i].deepest.normal.dot(place.normal) >= kSameNormalCos) return &rests[i];
        return nullptr;
    };
    while (rest_count < rests.size()) {
        std::optional<Place> deepest;
        for_places([&](const Place& place) {
            if (rest_of(place) != nullptr) return;
            if (!deepest || place.distance_m < deepest->distance_m) deepest = place;
        });
        if (!deepest) break;
        rests[rest_count++] = {*deepest, *deepest, *deepest};
    }
    for_places([&](const Place& place) {
        Rest* rest = rest_of(place);
        if (rest == nullptr) return;
        if (place.s < rest->first.s) rest->first = place;
        if (place.s > rest->last.s) rest->last = place;
    });
    for (std::size_t i = 0; i < rest_count; ++i) {
        const auto& [deepest, first, last] = rests[i];
        const auto emit_place = [&](const Place& place) {
            emit({-1, -1, place.triangle, place.distance_m, place.normal, place.on_body_m, place.on_object_m});
        };
        // On a flat stretch any place may be the deepest: its ends are enough.
        const float ends_m = std::min(first.distance_m, last.distance_m);
        if (deepest.distance_m < ends_m - 0.1F * same.tie_m) emit_place(deepest);
        emit_place(first);
        emit_place(last);
    }
}

// ---- a flat side of one solid over the sharp edges and tips of another solid, in the other's frame

// A convex polygon of the bone's core, and the direction to the object along which heights are measured.
struct Side {
    Vector3d direction, outward;
    std::array<Vector3d, 4> corners;
    std::size_t count = 0;

    double height_m(const Vector3d& at) const { return outward.dot(at - corners[0]) / outward.dot(direction); }
};

// The points that support the side, however it is triangulated: the farthest in sixteen directions, and tips between
// them.
class Outline {
  public:
    Outline(const Vector3d& direction, double tiny_m)
        : u_(direction.unitOrthogonal()), v_(direction.cross(u_)), tiny_m_(tiny_m) {}

    void add(const Vector3d& on_core, double height_m) {
        for (std::size_t k = 0; k < kDirections; ++k) {
            // An irregular angle: sides and edges are unlikely to be perpendicular to any direction.
            const double turn = 0.137 + 2.0 * std::numbers::pi * static_cast<double>(k) / double{kDirections};
            const double along = std::cos(turn) * u_.dot(on_core) + std::sin(turn) * v_.dot(on_core);
            // Prefers the top of a wall to its foot.
            if (along > along_[k] + tiny_m_ || (along > along_[k] - tiny_m_ && height_m < points_[k].height_m)) {
                along_[k] = along;
                points_[k] = {on_core, height_m};
            }
        }
    }
    void add_tip(const Vector3d& on_core, double height_m) {
        add(on_core, height_m);
        if (tip_count_ < kMaxTips) tips_[tip_count_] = {on_core, height_m};
        ++tip_count_;
    }
    /// Calls visit(on_core, height_m) for the farthest points, then for tips, each time the one farthest from all
    /// before, up to the capacity of a manifold. If there are more than kMaxTips tips, only the farthest points are
    /// visited.
    template <class Visit>
    void visit(double apart_m, const Visit& visit) const {
        std::array<Vector3d, kDirections> taken;
        std::size_t count = 0;
        const auto room_at = [&](const Vector3d& on_core) {
            double room_m = std::numeric_limits<double>::infinity();
            for (std::size_t i = 0; i < count; ++i) room_m = std::min(room_m, (on_core - taken[i]).norm());
            return room_m;
        };
        const auto take = [&](const Point& point) {
            visit(point.on_core, point.height_m);
            if (room_at(point.on_core) > apart_m) taken[count++] = point.on_core;
        };
        for (std::size_t k = 0; k < kDirections; ++k)
            if (std::isfinite(along_[k])) take(points_[k]);
        while (tip_count_ <= kMaxTips && count < ContactPoints::kMax) {
            double largest_m = -std::numeric_limits<double>::infinity();
            const Point* next = nullptr;
            for (std::size_t i = 0; i < tip_count_; ++i) {
                const Vector3d& at = tips_[i].on_core;
                const double room_m = room_at(at);
                // In a regular grid many tips are equally far: takes the one farthest along an irregular direction.
                const double askew_m = room_m + 1e-3 * (u_.dot(at) + 0.3 * v_.dot(at));
                if (!(room_m > apart_m) || !(askew_m > largest_m)) continue;
                largest_m = askew_m;
                next = &tips_[i];
            }
            if (next == nullptr) return;
            take(*next);
        }
    }

  private:
    static constexpr std::size_t kDirections = 16, kMaxTips = 128;
    struct Point {
        Vector3d on_core;
        double height_m;  // of the object's core beyond the side
    };
    Vector3d u_, v_;
    double tiny_m_;
    std::array<Point, kDirections> points_;
    std::array<double, kDirections> along_ = [] {
        std::array<double, kDirections> none;
        none.fill(-std::numeric_limits<double>::infinity());
        return none;
    }();
    std::array<Point, kMaxTips> tips_;
    std::size_t tip_count_ = 0;
};

bool is_within_ten_degrees(const Vector3d& a, const Vector3d& b) {
    const double along = a.dot(b), cosine = double{kSameNormalCos};
    return along > 0.0 && along * along >= cosine * cosine * a.squaredNorm() * b.squaredNorm();
}

// Clips a segment to the part that is under the side and at most high_m high.
bool clip(const Side& side, double high_m, Vector3d& p, Vector3d& q) {
    double low = 0.0, high = 1.0;
    const auto keep = [&](double at_p, double at_q) {  // keeps the part where the value is not negative
        if (at_p < 0.0 && at_q < 0.0) return false;
        if (at_p < 0.0) low = std::max(low, at_p / (at_p - at_q));
        if (at_q < 0.0) high = std::min(high, at_p / (at_p - at_q));
        return low <= high;
    };
    for (std::size_t i = 0; i < side.count; ++i) {
        const Vector3d& corner = side.corners[i];
        const Vector3d inward = side.direction.cross(side.corners[(i + 1) % side.count] - corner);
        if (!keep(inward.dot(p - corner), inward.dot(q - corner))) return false;
    }
    if (!keep(high_m - side.height_m(p), high_m - side.height_m(q))) return false;
    const Vector3d from = p, along = q - p;
    p = from + low * along;
    q = from + high * along;
    return true;
}

// True if the whole surface falls away steeply from this corner of a triangle. Only the triangle of the lowest number
// at the corner reports it.
bool is_tip(const Surface& surface, const Vector3d& f, std::int32_t number, std::size_t corner, const Vector3d& at,
            double slack_m, CollideCounts& counts) {
    const auto falls = [&](const Triangle& t) {
        bool has_it = false, all = true;
        for (const Vector3d& to : t) {
            const double length = (to - at).norm();
            has_it = has_it || length <= slack_m;
            all = all && (length <= slack_m || f.dot(to - at) > kSteep * length);
        }
        return has_it && all;
    };
    // The triangles across its edges exclude most corners.
    for (const std::size_t edge : {corner, (corner + 2) % 3})
        if (const std::int32_t other = surface.neighbor(number, edge);
            other >= 0 && (other < number || !falls(surface.triangle(other))))
            return false;
    bool tip = true;
    surface.near((at.array() - slack_m).matrix(), (at.array() + slack_m).matrix(), counts,
                 [&](std::int32_t other, const Triangle& t) {
                     if ((closest_on_triangle(at, t).point - at).norm() <= slack_m) tip = other >= number && falls(t);
                     return tip;
                 });
    return tip;
}

// Range of heights of supporting points beneath the side; for smooth parts of the object, only the lowest level.
struct Heights {
    double low_m, high_m, smooth_m = -std::numeric_limits<double>::infinity();
};

// Calls add(point, height) for sharp edges of the object under the side and for the side's corners over the object, and
// add_tip() for tips of the object.
template <class Add, class AddTip>
void outline_of(const Side& side, const Surface& surface, const Heights& heights, bool with_corners,
                CollideCounts& counts, const Add& add, const AddTip& add_tip) {
    const Vector3d& f = side.direction;
    const double low_m = heights.low_m, high_m = heights.high_m, smooth_m = heights.smooth_m;
    Aabb bounds;
    for (std::size_t i = 0; i < side.count; ++i)
        for (const double height_m : {low_m, high_m})
            bounds.include(Vector3d(side.corners[i] + height_m * f).cast<float>());
    const double slack_m = 1e-6 * double{(bounds.max_m - bounds.min_m).norm()};
    const auto carry = [&](const Vector3d& at, const auto& found) {
        const double height_m = side.height_m(at);
        if (height_m >= low_m && height_m <= high_m + slack_m) found(at - height_m * f, height_m);
    };
    surface.near(
        (bounds.min_m.cast<double>().array() - slack_m).matrix(),
        (bounds.max_m.cast<double>().array() + slack_m).matrix(), counts, [&](std::int32_t number, const Triangle& t) {
            ++counts.n_p;
            const Vector3d outward = surface.outward(number);
            const bool faces = is_within_ten_degrees(outward, -f);
            std::array<int, 3> steep;  // 1: up along the edge, -1: down, 0: neither
            for (std::size_t i = 0; i < 3; ++i) {
                const Vector3d to_next = t[(i + 1) % 3] - t[i], along = surface.winding() * to_next;
                const double rise = f.dot(to_next), steep_rise = kSteep * to_next.norm();
                steep[i] = rise > steep_rise ? 1 : rise < -steep_rise ? -1 : 0;
                if (steep[i] != 0) continue;
                // At a supporting edge the surface supports the side as well, or falls away from it.
                const auto carries_or_falls = [&](const Vector3d& out, const Vector3d& edge) {
                    return is_within_ten_degrees(out, -f) || f.dot(out.cross(edge)) >= 0.0;
                };
                bool sharp = carries_or_falls(outward, along), level = faces;
                if (const std::int32_t other = surface.neighbor(number, i); other >= 0) {
                    if (other < number) continue;  // the other triangle handles this edge
                    const Vector3d beyond = surface.outward(other);
                    const bool carries_beyond = is_within_ten_degrees(beyond, -f);
                    const bool at_wall = beyond.cross(outward).dot(along) > 0.0;  // the support ends here too
                    sharp = !is_within_ten_degrees(outward, beyond) &&
                            (at_wall ? faces != carries_beyond : sharp && carries_or_falls(beyond, -along));
                    level = level || carries_beyond;
                }
                const double reach_m = sharp ? high_m : smooth_m;
                if (!(sharp || level) || !(reach_m >= low_m)) continue;
                Vector3d p = t[i], q = t[(i + 1) % 3];
                if (!clip(side, reach_m, p, q)) continue;
                carry(p, add);
                carry(q, add);
            }
            // The tip of a hull is the deepest point, so only meshes are searched.
            for (std::size_t i = 0; surface.is_mesh() && i < 3; ++i) {
                if (steep[i] <= 0 || steep[(i + 2) % 3] >= 0 || f.dot(outward) >= 0.0) continue;
                Vector3d p = t[i], q = t[i];
                if (clip(side, high_m, p, q) && side.height_m(p) >= low_m &&
                    is_tip(surface, f, number, i, t[i], slack_m, counts))
                    carry(t[i], add_tip);
            }
            const double corner_m = with_corners ? high_m : smooth_m;
            if (!faces || !(corner_m >= low_m)) return true;
            for (std::size_t k = 0; k < side.count; ++k) {
                const Vector3d& corner = side.corners[k];
                bool over = true;
                for (std::size_t i = 0; i < 3; ++i)
                    over = over && surface.winding() * f.dot((t[i] - corner).cross(t[(i + 1) % 3] - corner)) <= 0.0;
                const double height_m = outward.dot(t[0] - corner) / outward.dot(f);
                if (over && height_m <= corner_m + slack_m) carry(corner + height_m * f, add);
            }
            return true;
        });
}

// Returns a box around the part of the solid at most depth_m behind its foremost point in a direction of the target's
// frame; for a mesh, around all of it.
Aabb front_of(const Surface& surface, const Eigen::Isometry3d& target_from_solid, const Vector3d& direction,
              double depth_m) {
    Aabb bounds;
    const auto include = [&](const Vector3d& point) { bounds.include((target_from_solid * point).cast<float>()); };
    if (surface.is_mesh()) {
        surface.for_bounds(include);
        return bounds;
    }
    const Vector3d way = target_from_solid.linear().transpose() * direction;
    double from_m = -std::numeric_limits<double>::infinity();
    surface.for_bounds([&](const Vector3d& corner) { from_m = std::max(from_m, way.dot(corner)); });
    from_m -= depth_m;
    surface.for_facets([&](const Vector3d&, const Triangle& t) {
        for (std::size_t i = 0; i < 3; ++i) {
            const Vector3d &p = t[i], &q = t[(i + 1) % 3];
            const double at_p = way.dot(p) - from_m, at_q = way.dot(q) - from_m;
            if (at_p >= 0.0) include(p);
            if ((at_p < 0.0) != (at_q < 0.0)) include(p + at_p / (at_p - at_q) * (q - p));
        }
    });
    return bounds;
}

// Limits of the gaps between two facing surfaces that count as contact; negative if they overlap.
struct Gaps {
    double low_m, high_m;
    double near_cos;  // between a side's normal and the deepest point's
    bool with_corners, with_smooth;
};

// All coplanar or parallel facets of a solid with the same outward direction.
struct Flat {
    Vector3d outward = Vector3d::Zero();  // unit, in the solid's frame; zero: there is none
    double area_m2 = 0.0;

    bool is_there() const { return !outward.isZero(); }
    bool holds(const Vector3d& facet_outward) const { return facet_outward.dot(outward) >= 1.0 - 1e-6; }
};

// The facets of a solid that may support another solid in front of it; for a mesh, those near the other solid.
class Facets {
  public:
    Facets(const Solid& solid, const Solid& other, const Eigen::Vector3f& normal, const Gaps& gaps) : solid_(solid) {
        if (!solid.surface.is_mesh()) return;
        const Aabb bounds = front_of(
            other.surface, (solid.world_from_solid.inverse(Eigen::Isometry) * other.world_from_solid).cast<double>(),
            -in_solid(normal), gaps.high_m - gaps.low_m);
        const double reach_m = std::max(std::abs(gaps.low_m), std::abs(gaps.high_m)) + other.radius_m;
        low_m_ = (bounds.min_m.cast<double>().array() - reach_m).matrix();
        high_m_ = (bounds.max_m.cast<double>().array() + reach_m).matrix();
    }
    const Solid& solid() const { return solid_; }
    Eigen::Vector3f normal_of(const Flat& flat) const {
        return solid_.world_from_solid.linear() * flat.outward.cast<float>();
    }

    /// Calls visit(unit normal, facet).
    template <class Visit>
    void visit(CollideCounts& counts, const Visit& visit) const {
        if (!solid_.surface.is_mesh()) {
            solid_.surface.for_facets(visit);
            return;
        }
        solid_.surface.near(low_m_, high_m_, counts, [&](std::int32_t number, const Triangle& t) {
            visit(Vector3d(solid_.surface.outward(number).normalized()), t);
            return true;
        });
    }
    /// Returns the flat part whose normal is nearest to the given one, if it is within near_cos.
    Flat towards(const Eigen::Vector3f& normal, double near_cos, bool with_area, CollideCounts& counts) const {
        const Vector3d way = in_solid(normal);
        Flat flat;
        visit(counts, [&](const Vector3d& outward, const Triangle&) {
            if (!(outward.dot(way) > near_cos)) return;
            near_cos = outward.dot(way);
            flat.outward = outward;
        });
        if (flat.is_there() && with_area)
            visit(counts, [&](const Vector3d& outward, const Triangle& t) {
                if (flat.holds(outward)) flat.area_m2 += 0.5 * (t[1] - t[0]).cross(t[2] - t[0]).norm();
            });
        return flat;
    }

  private:
    Vector3d in_solid(const Eigen::Vector3f& normal) const {
        return (solid_.world_from_solid.linear().transpose() * normal).cast<double>();
    }

    const Solid& solid_;
    Vector3d low_m_, high_m_;  // for a mesh
};

// Calls emit(contact) for the parts of the object under a side of the bone, along the normal.
template <class Emit>
void clip_under_side(const Facets& facets, const Flat& flat, const Solid& object, const Eigen::Vector3f& normal,
                     const Gaps& gaps, const MergeTolerance& same, CollideCounts& counts, const Emit& emit) {
    const Solid& bone = facets.solid();
    const Eigen::Isometry3d object_from_bone =
        (object.world_from_solid.inverse(Eigen::Isometry) * bone.world_from_solid).cast<double>();
    const double radii_m = bone.radius_m + object.radius_m;
    Heights heights{gaps.low_m + radii_m, gaps.high_m + radii_m};
    Side side;
    side.direction = (object.world_from_solid.linear().transpose() * normal).cast<double>();
    side.outward = object_from_bone.linear() * flat.outward;
    const auto for_side = [&](const auto& visit) {
        facets.visit(counts, [&](const Vector3d& outward, const Triangle& t) {
            if (flat.holds(outward))
                visit(Triangle{object_from_bone * t[0], object_from_bone * t[1], object_from_bone * t[2]});
        });
    };
    std::array<Triangle, 2> halves;
    std::size_t facet_count = 0;
    if (!bone.surface.is_mesh())
        for_side([&](const Triangle& t) {
            if (facet_count < 2) halves[facet_count] = t;
            ++facet_count;
        });
    const auto for_outline = [&](const auto& add, const auto& add_tip) {
        const auto add_side = [&] {
            outline_of(side, object.surface, heights, gaps.with_corners, counts, add, add_tip);
        };
        if (facet_count == 2) {
            // A rectangle is processed once: the corners that its halves do not share are opposite.
            const auto missing = [](const Triangle& t, const Triangle& in) {
                std::size_t i = 0;
                while (i < 2 && std::find(in.begin(), in.end(), t[i]) != in.end()) ++i;
                return i;
            };
            const std::size_t i = missing(halves[0], halves[1]);
            side.corners = {halves[0][i], halves[0][(i + 1) % 3], halves[1][missing(halves[1], halves[0])],
                            halves[0][(i + 2) % 3]};
            side.count = 4;
            add_side();
        } else {
            for_side([&](const Triangle& t) {
                std::copy(t.begin(), t.end(), side.corners.begin());
                side.count = 3;
                add_side();
            });
        }
    };
    if (gaps.with_smooth) {
        heights.smooth_m = heights.high_m;
        double lowest_m = heights.high_m;
        const auto lower = [&](const Vector3d&, double height_m) { lowest_m = std::min(lowest_m, height_m); };
        for_outline(lower, lower);
        heights.smooth_m = std::min(lowest_m + double{same.tie_m}, heights.high_m);
    }
    Outline outline(side.direction, 1e-3 * double{same.tie_m});
    for_outline([&](const Vector3d& on_core, double height_m) { outline.add(on_core, height_m); },
                [&](const Vector3d& on_core, double height_m) { outline.add_tip(on_core, height_m); });
    outline.visit(double{same.apart_m}, [&](const Vector3d& on_core, double height_m) {
        const Eigen::Isometry3f& world = object.world_from_solid;
        Contact contact;
        contact.distance_m = static_cast<float>(height_m - radii_m);
        contact.normal = world.linear() * side.direction.cast<float>();
        contact.on_body_m = world * Vector3d(on_core + bone.radius_m * side.direction).cast<float>();
        contact.on_object_m = world * Vector3d(on_core + (height_m - object.radius_m) * side.direction).cast<float>();
        emit(contact);
    });
}

// Calls visit(normal) for up to three other directions in which the mesh faces the bone, such as the wall beside a
// table. The direction with the deepest overlap with a triangle's plane comes first.
template <class Visit>
void for_other_normals(const Solid& bone, const Solid& mesh, const Eigen::Vector3f& normal, const Gaps& gaps,
                       CollideCounts& counts, const Visit& visit) {
    const Eigen::Isometry3d mesh_from_bone =
        (mesh.world_from_solid.inverse(Eigen::Isometry) * bone.world_from_solid).cast<double>();
    Aabb bounds;
    bone.surface.for_bounds([&](const Vector3d& corner) { bounds.include((mesh_from_bone * corner).cast<float>()); });
    const Vector3d low_m = (bounds.min_m.cast<double>().array() - gaps.high_m).matrix(),
                   high_m = (bounds.max_m.cast<double>().array() + gaps.high_m).matrix();
    const Vector3d middle = 0.5 * (low_m + high_m);
    const double round_m = 0.5 * (bounds.max_m - bounds.min_m).cast<double>().norm();
    std::array<Vector3d, 4> known = {(mesh.world_from_solid.linear().transpose() * normal).cast<double>()};
    for (std::size_t count = 1; count < known.size(); ++count) {
        double smallest_m = gaps.high_m;
        Vector3d next = Vector3d::Zero();
        mesh.surface.near(low_m, high_m, counts, [&](std::int32_t number, const Triangle& t) {
            ++counts.n_p;
            const Vector3d outward = mesh.surface.outward(number).normalized();
            for (std::size_t i = 0; i < count; ++i)
                if (-outward.dot(known[i]) >= double{kSameNormalCos}) return true;
            if (outward.dot(middle - t[0]) - round_m > smallest_m) return true;
            const Vector3d in_bone = mesh_from_bone.linear().transpose() * outward;
            const double plane_m = outward.dot(t[0] - mesh_from_bone.translation());
            double gap_m = std::numeric_limits<double>::infinity();
            for (const Eigen::Vector3f& corner : bone.surface.corners()) {
                gap_m = std::min(gap_m, in_bone.dot(corner.cast<double>()) - plane_m);
                if (gap_m < gaps.low_m) return true;
            }
            if (!(gap_m <= smallest_m) || outward.isZero()) return true;
            // Is the part of the bone at this distance near the triangle?
            Aabb triangle;
            for (const Vector3d& corner : t) triangle.include(corner.cast<float>());
            const Aabb front = front_of(bone.surface, mesh_from_bone, -outward, gaps.high_m - gap_m);
            const float reach_m = static_cast<float>(std::max(std::abs(gap_m), gaps.high_m));
            if ((front.min_m.array() > triangle.max_m.array() + reach_m).any() ||
                (front.max_m.array() < triangle.min_m.array() - reach_m).any())
                return true;
            smallest_m = gap_m;
            next = -outward;
            return true;
        });
        if (next.isZero()) return;
        known[count] = next;
        visit(Eigen::Vector3f(mesh.world_from_solid.linear() * next.cast<float>()));
    }
}

// ---- the bone's ends and corners against any shape

bool core_is_inside(const Shape& bone, const Contact& deepest) {
    if (const auto* cone = std::get_if<RoundCone>(&bone))
        return deepest.distance_m <= -std::min(cone->radius_a_m, cone->radius_b_m);
    if (const auto* box = std::get_if<RoundedBox>(&bone)) return deepest.distance_m <= -box->radius_m;
    return true;
}

// Returns the length that scales the merging of points; for a bone without a radius, a tenth of its size.
float radius_of(const Shape& bone) {
    if (const auto* cone = std::get_if<RoundCone>(&bone)) return std::max(cone->radius_a_m, cone->radius_b_m);
    if (const auto* box = std::get_if<RoundedBox>(&bone))
        return std::max(box->radius_m, 0.1F * box->core.half_m.norm());
    if (const auto* hull = std::get_if<HullInstance>(&bone)) return 0.1F * static_cast<float>(hull->hull->radius_m());
    return 0.1F * std::get<MeshInstance>(bone).tree->root_box().half_m.norm();
}

// The deepest point of a mesh is searched to a depth tolerance, so on a round mesh its normal may be off by 25 degrees.
constexpr double kNearOfMeshCos = 0.906;

// Returns the tolerance of the depth search for meshes.
double step_of(const Shape& a, const Shape& b) {
    const float a_m = bounding_box(a).half_m.norm(), b_m = bounding_box(b).half_m.norm();
    return 1e-3 * double{std::min(a_m, b_m)} + 2e-4 * double{std::max(a_m, b_m)};
}

// Calls emit(contact) for all contact points except the deepest. If one shape is a mesh, it is the object. `of_mesh`:
// that mesh is really the bone, or both shapes are meshes.
template <class Emit>
void rest(const Shape& bone, const Shape& object, const Contact& deepest, float max_distance_m, bool of_mesh,
          const MergeTolerance& same, CollideCounts& counts, const Emit& emit) {
    const auto* cone = std::get_if<RoundCone>(&bone);
    const auto* box = std::get_if<RoundedBox>(&bone);
    const auto* object_cone = std::get_if<RoundCone>(&object);
    const auto emit_turned = [&](const Contact& contact) { emit(turned(contact)); };
    const auto rest_of_ball = [&](const RoundCone& ball, const Shape& on, const auto& found) {
        Contact contact;
        if (closest(ball, on, max_distance_m, contact, counts)) found(contact);
    };
    const auto rest_of_ends = [&](const RoundCone& of, const Shape& on, const auto& found) {
        const Vector3d along = (of.b_m - of.a_m).cast<double>();
        const double growth_m = double{of.radius_b_m} - double{of.radius_a_m};
        rest_of_ball({of.a_m, of.a_m, of.radius_a_m, of.radius_a_m}, on, [&](const Contact& contact) {
            if (!falls_inward(contact.normal.cast<double>(), along, growth_m)) found(contact);
        });
        rest_of_ball({of.b_m, of.b_m, of.radius_b_m, of.radius_b_m}, on, [&](const Contact& contact) {
            if (!falls_inward(contact.normal.cast<double>(), -along, -growth_m)) found(contact);
        });
    };
    BoxCorners bone_corners, object_corners;
    const std::optional<Solid> bone_solid = solid_of(bone, bone_corners),
                               object_solid = solid_of(object, object_corners);
    if (cone != nullptr && !core_is_inside(bone, deepest)) {
        if (object_solid) {
            clip_to_side(*cone, *object_solid, max_distance_m, same, counts, emit);
        } else {
            rest_of_ends(*cone, object, emit);
        }
    }
    if (object_cone != nullptr && !core_is_inside(object, deepest)) {
        if (bone_solid) {
            clip_to_side(*object_cone, *bone_solid, max_distance_m, same, counts, emit_turned);
        } else {
            rest_of_ends(*object_cone, bone, emit_turned);
        }
    }
    if (box != nullptr && !core_is_inside(bone, deepest))
        for_corners(box->core, [&](const Eigen::Vector3f& corner_m) {
            const RoundCone ball{corner_m, corner_m, box->radius_m, box->radius_m};
            const Eigen::Vector3f inward = box->core.axes.transpose() * (box->core.center_m - corner_m);
            const auto emit_corner = [&](const Contact& contact) {
                const Eigen::Vector3f normal = box->core.axes.transpose() * contact.normal;
                const Eigen::Array3f falls = normal.array() * inward.array().sign();
                if (falls.maxCoeff() <= static_cast<float>(kSteep)) emit(contact);
            };
            if (std::holds_alternative<MeshInstance>(object))
                clip_to_side(ball, *object_solid, max_distance_m, same, counts, emit_corner);
            else
                rest_of_ball(ball, object, emit_corner);
        });
    if (!bone_solid || !object_solid) return;
    // A box without a radius is treated as a hull.
    const bool sharp = box == nullptr || box->radius_m == 0.0F, hits_mesh = object_solid->surface.is_mesh(),
               meshes = bone_solid->surface.is_mesh();
    if (!sharp && core_is_inside(bone, deepest)) return;
    // A point farther beneath a side than the deepest point belongs to another side. For meshes the depth search has a
    // tolerance relative to the size.
    const double depth_m = double{deepest.distance_m} - 0.02 * std::abs(double{deepest.distance_m});
    const Gaps gaps{depth_m - 2.0 * double{same.tie_m} - (of_mesh ? step_of(bone, object) : 0.0),
                    double{max_distance_m}, of_mesh ? kNearOfMeshCos : double{kSameNormalCos},
                    sharp && !meshes && (box == nullptr || core_is_inside(bone, deepest)), of_mesh};
    const auto clip_along = [&](const Eigen::Vector3f& normal) {
        const Facets over(*bone_solid, *object_solid, normal, gaps);
        Flat side = over.towards(normal, gaps.near_cos, meshes, counts);
        if (side.is_there() && !meshes) {
            clip_under_side(over, side, *object_solid, over.normal_of(side), gaps, same, counts, emit);
            return;
        }
        // A solid that stands on an edge does so on a side of the other solid.
        if (!sharp) return;
        const Facets under(*object_solid, *bone_solid, -normal, gaps);
        Flat below = under.towards(-normal, gaps.near_cos, meshes, counts);
        // Two meshes: both sides are used, and the larger one determines the normal.
        const bool is_side_larger = side.area_m2 > below.area_m2;
        const Eigen::Vector3f along = is_side_larger ? over.normal_of(side) : Eigen::Vector3f(-under.normal_of(below));
        if (meshes && is_side_larger) below = under.towards(-along, gaps.near_cos, meshes, counts);
        if (meshes && !is_side_larger) side = over.towards(along, gaps.near_cos, meshes, counts);
        if (side.is_there()) clip_under_side(over, side, *object_solid, along, gaps, same, counts, emit);
        if (below.is_there()) clip_under_side(under, below, *bone_solid, -along, gaps, same, counts, emit_turned);
    };
    clip_along(deepest.normal);
    if (sharp && hits_mesh && !meshes)
        for_other_normals(*bone_solid, *object_solid, deepest.normal, gaps, counts, clip_along);
}

}  // namespace

ContactPoints contact_points(const Shape& bone, const Shape& object, float max_distance_m, CollideCounts& counts) {
    Contact deepest;
    if (!closest(bone, object, max_distance_m, deepest, counts)) return {};
    return contact_points(bone, object, deepest, max_distance_m, counts);
}

ContactPoints contact_points(const Shape& bone, const Shape& object, const Contact& deepest, float max_distance_m,
                             CollideCounts& counts) {
    ContactPoints out;
    const float radius_m = radius_of(bone);
    const MergeTolerance same{0.5F * radius_m, 1e-3F * radius_m};
    const auto emit = [&](const Contact& contact) { merge(contact, same, out); };
    const bool of_mesh = std::holds_alternative<MeshInstance>(bone);
    if (of_mesh && !std::holds_alternative<MeshInstance>(object))
        rest(object, bone, turned(deepest), max_distance_m, of_mesh, same, counts,
             [&](const Contact& contact) { emit(turned(contact)); });
    else
        rest(bone, object, deepest, max_distance_m, of_mesh, same, counts, emit);
    // Adds the deepest point, unless a point on a flat stretch is as deep. In a mesh it comes from a search with a
    // tolerance.
    const bool searched = of_mesh && deepest.distance_m < 0.0F;
    const float same_cos = searched ? static_cast<float>(kNearOfMeshCos) : kSameNormalCos;
    const float tie_m = 0.1F * same.tie_m + (searched ? static_cast<float>(step_of(bone, object)) : 0.0F);
    bool tied = false;
    for (const Contact& known : out.all())
        tied = tied || (known.normal.dot(deepest.normal) >= same_cos && known.distance_m <= deepest.distance_m + tie_m);
    if (!tied) merge(deepest, same, out);
    std::sort(out.points.begin(), out.points.begin() + static_cast<std::ptrdiff_t>(out.count),
              [](const Contact& a, const Contact& b) { return a.distance_m < b.distance_m; });
    return out;
}

void find_contact_points(const BodyPose& pose, std::span<const Collider> objects, std::span<const Contact> contacts,
                         float touch_m, std::vector<Contact>& out, CollideCounts& counts) {
    for (const Contact& contact : contacts) {
        if (!(contact.distance_m <= touch_m)) continue;
        const ContactPoints found =
            contact_points(pose.shapes[static_cast<std::size_t>(contact.bone)],
                           objects[static_cast<std::size_t>(contact.object)].shape, contact, touch_m, counts);
        for (Contact point : found.all()) {
            if (out.size() == out.capacity()) return;
            point.bone = contact.bone;
            point.object = contact.object;
            out.push_back(point);
        }
    }
}

}  // namespace glovebox::collision
