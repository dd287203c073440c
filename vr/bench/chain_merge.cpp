// The parent box of section 3.2.1 [Schmidl04]: equations 1 to 4, evaluated in double from the children's boxes, beside
// every box that the refit method "cab" makes of the chains and of one joint.
#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "collision/body/refit.h"
#include "vr/bench/chains.h"
#include "vr/bench/measure.h"
#include "vr/export/figure.h"

namespace glovebox::vr {
namespace {

using collision::Obb;
using Eigen::Vector3d;

// Largest differences between refitted boxes and the equations. Half lengths stand for the paper's lengths.
struct MergeErrors {
    std::int64_t boxes = 0, along_e = 0, along_child = 0, parallel = 0, opposite = 0, open = 0;
    std::int64_t other_axes = 0;  // parallel children, and the axes are not those of the thicker one
    std::int64_t outside = 0;     // a child's corner is outside
    double not_unit = 0.0, axis_1_deg = 0.0, axis_2_deg = 0.0, axis_3_deg = 0.0, extents = 0.0;
};

// A child's longest axis from the joint outwards. `open`: the paper does not tell which axis or which sign, because two
// extents are equal or the joint is level with the centre.
struct Limb {
    Vector3d along;
    double thickness_m;  // the largest extent but for the longest
    bool open;
};
Limb limb_of(const Obb& box, const Vector3d& joint_m) {
    std::array<int, 3> order = {0, 1, 2};
    std::ranges::sort(order, [&](int a, int b) { return box.half_m[a] > box.half_m[b]; });
    const double longest_m = double{box.half_m[order[0]]}, next_m = double{box.half_m[order[1]]};
    const Vector3d unit = box.axes.col(order[0]).cast<double>();
    const double from_joint_m = unit.dot(box.center_m.cast<double>() - joint_m);
    return {(from_joint_m < 0.0 ? -longest_m : longest_m) * unit, next_m,
            next_m > (1.0 - 1e-4) * longest_m || std::abs(from_joint_m) < 2e-3 * longest_m};
}

// Between the lines of two vectors: the sign of a box's axis means nothing.
double angle_between_deg(const Vector3d& a, const Vector3d& b) {
    return std::atan2(a.cross(b).norm(), std::abs(a.dot(b))) * 180.0 / std::numbers::pi;
}

// Equation 4 along the box's own axes.
void compare_extents(const Obb& box, const Obb& a, const Obb& b, MergeErrors& errors) {
    const Eigen::Matrix3d axes = box.axes.cast<double>();
    const Vector3d center_m = box.center_m.cast<double>(), half_m = box.half_m.cast<double>();
    Vector3d low = Vector3d::Constant(1e30), high = -low;
    bool outside = false;
    for (const Obb* child : {&a, &b})
        for (int corner = 0; corner < 8; ++corner) {
            const Eigen::Array3d sign(corner & 1 ? 1 : -1, corner & 2 ? 1 : -1, corner & 4 ? 1 : -1);
            const Vector3d corner_m =
                child->center_m.cast<double>() +
                child->axes.cast<double>() * (sign * child->half_m.cast<double>().array()).matrix();
            low = low.cwiseMin(axes.transpose() * corner_m);
            high = high.cwiseMax(axes.transpose() * corner_m);
            outside = outside || ((axes.transpose() * (corner_m - center_m)).cwiseAbs().array() > half_m.array()).any();
        }
    errors.outside += outside ? 1 : 0;
    const Vector3d extents_m = 0.5 * (high - low), middle_m = axes * (0.5 * (low + high));
    errors.extents = std::max({errors.extents, (extents_m - half_m).cwiseAbs().maxCoeff() / half_m.maxCoeff(),
                               (middle_m - center_m).cwiseAbs().maxCoeff() / half_m.maxCoeff()});
}

void compare_box(const Obb& box, const Obb& a, const Obb& b, const Vector3d& joint_m, MergeErrors& errors) {
    ++errors.boxes;
    const Eigen::Matrix3d axes = box.axes.cast<double>();
    errors.not_unit =
        std::max(errors.not_unit, (axes.transpose() * axes - Eigen::Matrix3d::Identity()).cwiseAbs().maxCoeff());
    compare_extents(box, a, b, errors);

    // The text's tolerance on the cosine, 1 - 1e-5, as a squared sine.
    constexpr double kParallelSine2 = 2e-5 - 1e-10;
    const Limb limb_a = limb_of(a, joint_m), limb_b = limb_of(b, joint_m);
    const Vector3d normal = limb_a.along.cross(limb_b.along);
    const double sine2 = normal.squaredNorm() / (limb_a.along.squaredNorm() * limb_b.along.squaredNorm());
    if (limb_a.open || limb_b.open || std::abs(sine2 - kParallelSine2) < 0.02 * kParallelSine2) {
        ++errors.open;
        return;
    }
    if (sine2 < kParallelSine2) {
        ++errors.parallel;
        errors.opposite += limb_a.along.dot(limb_b.along) < 0.0 ? 1 : 0;
        const double thickest_m = std::max(limb_a.thickness_m, limb_b.thickness_m);
        const auto has_axes_of = [&](const Obb& child, const Limb& limb) {
            return limb.thickness_m > (1.0 - 1e-5) * thickest_m &&
                   (child.axes - box.axes).cwiseAbs().maxCoeff() < 1e-6F;
        };
        errors.other_axes += has_axes_of(a, limb_a) || has_axes_of(b, limb_b) ? 0 : 1;
        return;
    }
    const std::array candidates = {Vector3d(limb_a.along - limb_b.along), limb_a.along, limb_b.along};
    const auto longest = std::ranges::max_element(candidates, {}, [](const Vector3d& v) { return v.squaredNorm(); });
    ++(longest == candidates.begin() ? errors.along_e : errors.along_child);
    // Candidates that are equally long to float are equally right.
    const Vector3d* major = &*longest;
    for (const Vector3d& candidate : candidates)
        if (candidate.norm() > (1.0 - 1e-5) * longest->norm() &&
            angle_between_deg(candidate, axes.col(0)) < angle_between_deg(*major, axes.col(0)))
            major = &candidate;
    errors.axis_1_deg = std::max(errors.axis_1_deg, angle_between_deg(*major, axes.col(0)));
    errors.axis_2_deg = std::max(errors.axis_2_deg, angle_between_deg(normal, axes.col(1)));
    errors.axis_3_deg = std::max(errors.axis_3_deg, angle_between_deg(major->cross(normal), axes.col(2)));
}

void compare_boxes(const collision::ArticulatedBody& body, const collision::BodyPose& pose, collision::BodyBoxes& boxes,
                   MergeErrors& errors) {
    collision::find_refit_method("cab")->refit(body, pose, boxes);
    const auto at = [&](std::int32_t node) -> const Obb& { return boxes.obb[static_cast<std::size_t>(node)]; };
    for (std::size_t i = 0; i < body.nodes.size(); ++i) {
        const collision::HierarchyNode& node = body.nodes[i];
        compare_box(at(body.bone_count() + static_cast<std::int32_t>(i)), at(node.child_a), at(node.child_b),
                    pose.joints_m[static_cast<std::size_t>(node.joint)].cast<double>(), errors);
    }
}

// Two links of table 1, bent at their joint by 0 to 0.5 degrees, or folded by as little short of 180 degrees.
MergeErrors errors_of_one_joint(bool folded) {
    const ChainLink link = make_chain_link(LinkShape::convex, 3.0F);
    const collision::ArticulatedBody body = collision::make_chain(2);
    const Eigen::Vector3f joint_m(link.half_length_m + link.joint_gap_m, 0, 0);
    MergeErrors errors;
    collision::BodyBoxes boxes;
    for (int hundredths = 0; hundredths <= 50; ++hundredths) {
        const double bend_deg = folded ? 180.0 - 0.01 * hundredths : 0.01 * hundredths;
        Eigen::Isometry3f second = Eigen::Isometry3f::Identity();
        second.translate(joint_m);
        second.rotate(Eigen::AngleAxisf(static_cast<float>(bend_deg * std::numbers::pi / 180.0),
                                        Eigen::Vector3f(0, 1, 1).normalized()));
        second.translate(joint_m);
        collision::BodyPose pose;
        for (const Eigen::Isometry3f& place : {Eigen::Isometry3f(Eigen::Isometry3f::Identity()), second}) {
            pose.shapes.emplace_back(collision::HullInstance{link.hull, place});
            pose.leaf_boxes.push_back(collision::transformed(place, link.box));
            pose.bone_present.push_back(1);
        }
        pose.joints_m = {joint_m};
        compare_boxes(body, pose, boxes, errors);
    }
    return errors;
}

}  // namespace

void compare_merges(const BenchOptions& options, BenchResult& result) {
    const int frames = options.frames > 0 ? options.frames : options.quick ? 500 : 5000;
    std::vector<std::pair<std::string, MergeErrors>> sources;
    for (std::size_t t = 0; t < chain_tables().size(); ++t) {
        const ChainTable& table = chain_tables()[t];
        const ChainRecording recording = record(table, frames, table.settings.joint_gap);
        MergeErrors& errors = sources.emplace_back("table " + std::to_string(t + 1), MergeErrors{}).second;
        collision::BodyPose pose;
        collision::BodyBoxes boxes;
        for (int frame = 0; frame < frames; ++frame) {
            pose_chains(recording, frame, pose);
            compare_boxes(recording.body, pose, boxes, errors);
        }
    }
    sources.emplace_back("one joint, straight", errors_of_one_joint(false));
    sources.emplace_back("one joint, folded", errors_of_one_joint(true));

    for (const auto& [name, errors] : sources)
        result.rows.push_back({{"boxes of", name},
                               {"boxes", errors.boxes},
                               {"along E", errors.along_e},
                               {"along a child", errors.along_child},
                               {"parallel", errors.parallel},
                               {"parallel, opposite", errors.opposite},
                               {"left open", errors.open},
                               {"not orthonormal by", errors.not_unit},
                               {"A1, degrees", errors.axis_1_deg},
                               {"A2, degrees", errors.axis_2_deg},
                               {"A3, degrees", errors.axis_3_deg},
                               {"extents, centre", errors.extents},
                               {"children outside", errors.outside}});
    const auto claim = [&](const char* what, const char* published, Threshold threshold, const auto& value_of) {
        std::vector<Measured> measured;
        for (const auto& [name, errors] : sources)
            if (const double value = value_of(errors); !std::isnan(value)) measured.push_back(exact(value, name));
        result.claims.push_back(judge({what, published, std::move(threshold)}, measured));
    };
    const auto only_if = [](std::int64_t boxes, double value) { return boxes > 0 ? value : std::nan(""); };
    claim(
        "a box has three unit axes, perpendicular to each other (section 3.1): largest entry of A^T A - I after a "
        "refit, in float",
        "\"three unit vector axes\"", at_most(2e-6), [](const MergeErrors& e) { return e.not_unit; });
    claim("the first axis is along the longest of a1, a2 and E = a1 - a2 (equation 1): largest angle", "the definition",
          at_most(0.01, " degrees"),
          [&](const MergeErrors& e) { return only_if(e.along_e + e.along_child, e.axis_1_deg); });
    claim("the second axis is along a1 x a2 (equation 2): largest angle", "the definition", at_most(0.05, " degrees"),
          [&](const MergeErrors& e) { return only_if(e.along_e + e.along_child, e.axis_2_deg); });
    claim("the third axis is A1 x A2 (equation 3): largest angle", "the definition", at_most(0.05, " degrees"),
          [&](const MergeErrors& e) { return only_if(e.along_e + e.along_child, e.axis_3_deg); });
    claim("parallel limbs take all axes of the thicker child: boxes that do not", "tolerance 1 - 1e-5",
          exactly(0, " boxes"),
          [&](const MergeErrors& e) { return only_if(e.parallel, static_cast<double>(e.other_axes)); });
    claim(
        "extents and centre are those of the children's projections (equation 4): largest difference, by the box's "
        "half length",
        "the definition", at_most(1e-4), [](const MergeErrors& e) { return e.extents; });
    claim("a box encloses both of its children: boxes with a child's corner outside", "\"find the extents\"",
          exactly(0, " boxes"), [](const MergeErrors& e) { return static_cast<double>(e.outside); });
    std::int64_t opposite = 0;
    for (const auto& [name, errors] : sources) {
        opposite += errors.opposite;
        result.check_failed = result.check_failed || errors.other_axes > 0 || errors.outside > 0;
    }
    result.notes.push_back(
        "The text's test for parallel limbs, a dot product above 1 - 1e-5, misses straight limbs, whose axes point "
        "away from the joint and so are opposite: " +
        std::to_string(opposite) + " boxes here. Ours takes either sign.");
}

}  // namespace glovebox::vr
