#include "collision/query/mesh_depth.h"

#include <algorithm>
#include <cmath>
#include <queue>

#include "collision/mesh/mesh_triangle.h"
#include "collision/query/triangle_pair.h"

namespace glovebox::collision {
namespace {

using Eigen::Isometry3d;
using Eigen::Vector3d;

// ---- apart: both trees at once, nearest boxes first

struct BoxD {
    Vector3d center, half;
    Eigen::Matrix3d axes;

    explicit BoxD(const Obb& box)
        : center(box.center_m.cast<double>()), half(box.half_m.cast<double>()), axes(box.axes.cast<double>()) {}
    BoxD in(const Isometry3d& pose) const {
        BoxD moved = *this;
        moved.center = pose * center;
        moved.axes = pose.linear() * axes;
        return moved;
    }
};

// Returns a lower bound of the boxes' distance: the gap along one box's axes.
double gap_along(const BoxD& a, const BoxD& b) {
    const Vector3d apart = (a.axes.transpose() * (b.center - a.center)).cwiseAbs() - a.half -
                           (a.axes.transpose() * b.axes).cwiseAbs() * b.half;
    return apart.cwiseMax(0.0).norm();
}
double gap(const BoxD& a, const BoxD& b) {
    return std::max(gap_along(a, b), gap_along(b, a)) * (1.0 - 1e-6);
}

// A node of the tree, or ~index of a block, and its box.
struct Subtree {
    std::int32_t number;
    Obb box;
};
template <class Visit>
void for_parts(const MeshTree& tree, std::int32_t node, const Visit& visit) {
    const ObbTree::Node& parent = tree.tree().nodes()[static_cast<std::size_t>(node)];
    for (std::size_t child = 0; child < static_cast<std::size_t>(parent.count); ++child)
        visit(Subtree{parent.child[child], tree.tree().box_of(parent, child)});
}
Subtree whole(const MeshTree& tree) {
    return {0, tree.root_box()};
}
template <class Visit>
void for_triangles(const MeshTree& tree, std::int32_t block, const Visit& visit) {
    for (const std::int32_t number : tree.tree().blocks()[static_cast<std::size_t>(~block)].triangle)
        if (number >= 0) visit(triangle_of(tree.mesh(), number));
}

struct Ball {
    Vector3d middle;
    double radius_m = 0.0;

    explicit Ball(const Triangle& t) : middle((t[0] + t[1] + t[2]) / 3.0) {
        for (const Vector3d& corner : t) radius_m = std::max(radius_m, (corner - middle).squaredNorm());
        radius_m = std::sqrt(radius_m);
    }
    double gap(const Ball& other) const { return (other.middle - middle).norm() - radius_m - other.radius_m; }
};

TriangleGap nearest_surfaces(const MeshTree& a, const MeshTree& b, const Isometry3d& a_from_b) {
    struct Waiting {
        double bound;
        Subtree a, b;
        bool operator<(const Waiting& other) const { return bound > other.bound; }
    };
    TriangleGap best;
    best.distance_m = std::numeric_limits<double>::infinity();
    std::priority_queue<Waiting> waiting;
    const auto push = [&](const Subtree& of_a, const Subtree& of_b) {
        const double bound = gap(BoxD(of_a.box), BoxD(of_b.box).in(a_from_b));
        if (bound < best.distance_m) waiting.push({bound, of_a, of_b});
    };
    push(whole(a), whole(b));
    while (!waiting.empty() && waiting.top().bound < best.distance_m) {
        const Waiting next = waiting.top();
        waiting.pop();
        if (next.a.number < 0 && next.b.number < 0) {
            // Bounding spheres of the triangles exclude most pairs.
            for_triangles(b, next.b.number, [&](const Triangle& in_b) {
                const Triangle of_b = transformed(a_from_b, in_b);
                const Ball ball_b(of_b);
                for_triangles(a, next.a.number, [&](const Triangle& of_a) {
                    if (Ball(of_a).gap(ball_b) * (1.0 - 1e-6) >= best.distance_m) return;
                    const TriangleGap found = closest(of_a, of_b);
                    if (found.distance_m < best.distance_m) best = found;
                });
            });
            continue;
        }
        const auto size2 = [](const Subtree& part) { return part.box.half_m.squaredNorm(); };
        if (next.b.number < 0 || (next.a.number >= 0 && size2(next.a) > size2(next.b)))
            for_parts(a, next.a.number, [&](const Subtree& part) { push(part, next.b); });
        else
            for_parts(b, next.b.number, [&](const Subtree& part) { push(next.a, part); });
    }
    return best;
}

const Triangle kNone = {Vector3d::Zero(), Vector3d::Zero(), Vector3d::Zero()};

// ---- overlapping: the deepest point of one solid beneath the other's surface

struct Deepest {
    double depth = 0.0, at_most = 0.0;
    Vector3d at = Vector3d::Zero(), nearest = Vector3d::Zero(), outward = Vector3d::UnitY();  // in the host's frame
};

class DeepestSearch {
  public:
    /// Searches for points deeper than known_m. The surfaces are apart_m apart, so a point inside the other mesh that
    /// does not meet its surface is at least that deep.
    DeepestSearch(const MeshTree& guest, const MeshTree& host, const Isometry3d& host_from_guest, double apart_m,
                  double known_m, double tolerance_m, int max_queries, int& queries)
        : guest_(guest),
          host_(host),
          host_from_guest_(host_from_guest),
          guest_from_host_(host_from_guest.inverse(Eigen::Isometry)),
          min_m_(apart_m * (1.0 - 1e-6)),
          known_m_(known_m),
          tolerance_m_(tolerance_m),
          max_queries_(max_queries),
          queries_(queries) {}

    Deepest run(bool interior) {
        start_at_triangles();
        if (interior) start_at_cells();
        while (!waiting_.empty() && waiting_.top().bound > tolerance_reached_m()) {
            if (queries_ >= max_queries_) {
                best_.at_most = waiting_.top().bound;
                return best_;
            }
            const Piece piece = waiting_.top();
            waiting_.pop();
            piece.kind == Kind::cell ? open_cell(piece) : open_triangle(piece);
        }
        best_.at_most = std::max(best_.depth, waiting_.empty() ? 0.0 : waiting_.top().bound);
        return best_;
    }

  private:
    enum class Kind : std::uint8_t { node, triangle, cell };
    struct Piece {
        double bound;  // upper bound of the depth in this piece
        Kind kind;
        std::int32_t node = 0;
        Triangle corners = kNone;  // of a triangle; of a cell: centre and half extents
        Vector3d of_host =
            Vector3d::Zero();  // points of the surfaces that are nearby, from which the queries of the parts start
        Vector3d of_guest = Vector3d::Zero();  // in the guest's frame; for cells
        bool operator<(const Piece& other) const { return bound < other.bound; }
    };

    double deepest_m() const { return std::max(best_.depth, known_m_); }
    double tolerance_reached_m() const {
        return deepest_m() > 0.0 ? deepest_m() + tolerance_m_ : std::max(min_m_, tolerance_m_);
    }

    // Runs a query with a known surface point; ignores everything farther away.
    MeshTree::SurfacePoint surface_of(const MeshTree& tree, const Vector3d& at, const Vector3d* known) {
        ++queries_;
        MeshTreeCounts ignored;
        if (known == nullptr) return tree.nearest_surface(at, ignored);
        return tree.nearest_surface(at, ignored, (1.0 + 1e-6) * (*known - at).squaredNorm());
    }
    // Returns the depth beneath the host's surface at a point of the host's frame.
    double depth_at(const Vector3d& at, bool counts, const Piece* whole, Vector3d& nearest) {
        const MeshTree::SurfacePoint surface = surface_of(host_, at, whole == nullptr ? nullptr : &whole->of_host);
        nearest = surface.nearest_m;
        if (counts && -surface.distance_m > best_.depth)
            best_ = {-surface.distance_m, 0.0, at, surface.nearest_m, surface.outward};
        return -surface.distance_m;
    }
    // A point is at most as far from the surface as from one point of it, and a corner of the piece is farthest from
    // that point. For nearly uniform depth this bound is tighter than the radius: its error is quadratic in the piece's
    // size.
    void push(Piece piece, const Piece* whole, double depth, double radius_m, double furthest_m) {
        piece.bound = std::min(depth + radius_m, furthest_m);
        if (whole != nullptr) piece.bound = std::min(piece.bound, whole->bound);
        if (piece.bound > std::max(deepest_m(), min_m_)) waiting_.push(piece);
    }
    static double furthest_of(const BoxD& box, const Vector3d& from) {
        return ((box.axes.transpose() * (box.center - from)).cwiseAbs() + box.half).norm();
    }

    void start_at_triangles() { add_node(0, BoxD(guest_.root_box()), nullptr); }
    void add_node(std::int32_t node, const BoxD& box_in_guest, const Piece* whole) {
        const BoxD box = box_in_guest.in(host_from_guest_);
        Piece piece{0.0, Kind::node, node};
        const double depth = depth_at(box.center, false, whole, piece.of_host);
        push(piece, whole, depth, box.half.norm(), furthest_of(box, piece.of_host));
    }
    void open_triangle(const Piece& piece) {
        if (piece.kind == Kind::triangle) {
            // Bisects the longest edge, so that pieces stay compact.
            const Triangle& t = piece.corners;
            std::size_t longest = 0;
            for (std::size_t i = 1; i < 3; ++i)
                if ((t[(i + 1) % 3] - t[i]).squaredNorm() > (t[(longest + 1) % 3] - t[longest]).squaredNorm())
                    longest = i;
            const Vector3d &p = t[longest], &q = t[(longest + 1) % 3], &r = t[(longest + 2) % 3];
            const Vector3d middle = 0.5 * (p + q);
            add_triangle({p, middle, r}, piece);
            add_triangle({middle, q, r}, piece);
            return;
        }
        if (piece.node < 0) {
            for_triangles(guest_, piece.node, [&](const Triangle& triangle) {
                add_triangle(transformed(host_from_guest_, triangle), piece);
            });
            return;
        }
        for_parts(guest_, piece.node, [&](const Subtree& part) { add_node(part.number, BoxD(part.box), &piece); });
    }
    void add_triangle(const Triangle& corners, const Piece& whole) {
        const Vector3d middle = (corners[0] + corners[1] + corners[2]) / 3.0;
        Piece piece{0.0, Kind::triangle, 0, corners};
        const double depth = depth_at(middle, true, &whole, piece.of_host);
        double radius_m = 0.0, furthest_m = 0.0;
        for (const Vector3d& corner : corners) {
            radius_m = std::max(radius_m, (corner - middle).norm());
            furthest_m = std::max(furthest_m, (corner - piece.of_host).norm());
        }
        push(piece, &whole, depth, radius_m, furthest_m);
    }

    // The deepest point lies on the guest's surface, where the triangles find it, or is a local maximum of the distance
    // to the host's surface: any ascent ends at one of the two [Lieutier04]. A local maximum has nearest surface points
    // on every side. So if it lies in a cell of radius r, whose centre c is D beneath the surface point p, another
    // surface point lies within D + 2r of c on the side away from p. An empty ball that covers all of that side
    // excludes this.
    bool may_have_summit(const Vector3d& c, double D, double r, const Vector3d& p) {
        if (D <= 2.0 * r) return true;
        const double t = 4.0 * (D * r + r * r) / (D - r);  // twice the value that an infinite plane requires
        const Vector3d at = c + t / D * (c - p);
        const double empty_m = -surface_of(host_, at, &p).distance_m;
        return empty_m <= 0.0 ||
               empty_m * empty_m <= (1.0 + 1e-9) * ((D + 2.0 * r) * (D + 2.0 * r) + 2.0 * t * r + t * t);
    }

    // The host's box contains every point beneath its surface.
    void start_at_cells() {
        const BoxD box(host_.root_box());
        cell_axes_ = box.axes;
        add_cell(box.center, box.half, nullptr);
    }
    void add_cell(const Vector3d& middle, const Vector3d& half, const Piece* whole) {
        BoxD box(host_.root_box());
        box.center = middle;
        box.half = half;
        const double radius_m = half.norm();
        const MeshTree::SurfacePoint guest =
            surface_of(guest_, guest_from_host_ * middle, whole == nullptr ? nullptr : &whole->of_guest);
        if (guest.distance_m > radius_m) return;
        Piece piece{0.0, Kind::cell, 0, {middle, half, Vector3d::Zero()}};
        piece.of_guest = guest.nearest_m;
        const double depth = depth_at(middle, guest.distance_m <= 0.0, whole, piece.of_host);
        const double furthest_m = furthest_of(box, piece.of_host);
        if (std::min(depth + radius_m, furthest_m) <= deepest_m() ||
            !may_have_summit(middle, depth, radius_m, piece.of_host))
            return;
        push(piece, whole, depth, radius_m, furthest_m);
    }
    void open_cell(const Piece& piece) {
        Vector3d half = piece.corners[1];
        int longest = 0;
        half.maxCoeff(&longest);
        half[longest] *= 0.5;
        const Vector3d step = cell_axes_.col(longest) * half[longest];
        add_cell(piece.corners[0] - step, half, &piece);
        add_cell(piece.corners[0] + step, half, &piece);
    }

    const MeshTree &guest_, &host_;
    Isometry3d host_from_guest_, guest_from_host_;
    double min_m_, known_m_, tolerance_m_;
    int max_queries_;
    int& queries_;
    Deepest best_;
    Eigen::Matrix3d cell_axes_;
    std::priority_queue<Piece> waiting_;
};

double size_of(const MeshTree& tree) {
    return 2.0 * double{tree.root_box().half_m.norm()};
}

Vector3d unit_or_up(const Vector3d& v) {
    const double length = v.norm();
    return length > 0.0 ? Vector3d(v / length) : Vector3d(Vector3d::UnitY());
}

}  // namespace

MeshSeparation separation(const MeshTree& a, const MeshTree& b, const Eigen::Isometry3f& a_from_b,
                          const MeshDepthSettings& settings) {
    MeshSeparation result;
    if (!a_from_b.matrix().allFinite()) {
        result.distance_m = std::numeric_limits<float>::infinity();
        result.normal = Eigen::Vector3f::UnitY();
        result.on_a = result.on_b = Eigen::Vector3f::Zero();
        return result;
    }
    const Isometry3d pose = a_from_b.cast<double>(), inverse = pose.inverse(Eigen::Isometry);
    // If a corner is inside the other mesh, the distance of the surfaces is not needed.
    const auto corner_is_in = [](const MeshTree& guest, const MeshTree& host, const Isometry3d& host_from_guest) {
        MeshTreeCounts ignored;
        const Vector3d corner = guest.mesh().vertices_m[guest.mesh().triangles[0][0]].cast<double>();
        return host.closed() && host.nearest_surface(host_from_guest * corner, ignored).distance_m < 0.0;
    };
    const bool overlap = corner_is_in(a, b, inverse) || corner_is_in(b, a, pose);
    TriangleGap apart{0.0, Vector3d::Zero(), Vector3d::Zero()};
    if (!overlap) apart = nearest_surfaces(a, b, pose);
    const double tolerance_m = double{settings.tolerance} * std::min(size_of(a), size_of(b));
    Deepest in_b, in_a;
    // The depth beneath a surface is at most the size of its mesh.
    if (apart.distance_m < std::max(size_of(a), size_of(b))) {
        const bool both = a.closed() && b.closed();
        if (b.closed())
            in_b = DeepestSearch(a, b, inverse, apart.distance_m, 0.0, tolerance_m, settings.max_queries / 2,
                                 result.queries)
                       .run(both);
        if (a.closed())
            in_a = DeepestSearch(b, a, pose, apart.distance_m, in_b.depth, tolerance_m, settings.max_queries,
                                 result.queries)
                       .run(both);
    }
    const bool is_a = in_b.depth >= in_a.depth;  // true if the deepest point is beneath b's surface
    const Deepest& deepest = is_a ? in_b : in_a;
    if (deepest.depth > 0.0) {
        const Isometry3d a_from_host = is_a ? pose : Isometry3d::Identity();
        const Vector3d at = a_from_host * deepest.at, nearest = a_from_host * deepest.nearest;
        const Vector3d out = unit_or_up(nearest - at);  // out of the host
        result.distance_m = static_cast<float>(-deepest.depth);
        result.max_depth_m = static_cast<float>(std::max(in_a.at_most, in_b.at_most));
        result.normal = (is_a ? Vector3d(-out) : out).cast<float>();
        result.on_a = (is_a ? at : nearest).cast<float>();
        result.on_b = (is_a ? nearest : at).cast<float>();
        return result;
    }
    if (overlap) apart = nearest_surfaces(a, b, pose);  // overlap by less than the tolerance
    result.distance_m = static_cast<float>(apart.distance_m);
    result.normal = unit_or_up(apart.on_b - apart.on_a).cast<float>();
    result.on_a = apart.on_a.cast<float>();
    result.on_b = apart.on_b.cast<float>();
    return result;
}

}  // namespace glovebox::collision
