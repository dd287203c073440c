// One joint between two links: the angle between CAB's first axis and the principal axis, and the effect of footnote 1
// [Schmidl04, sec. 3.2.1, figure 1b].
#include <cmath>
#include <numbers>

#include "collision/box/merge.h"
#include "collision/survey/refit/paper_methods.h"
#include "vr/bench/chains.h"
#include "vr/bench/measure.h"
#include "vr/bench/plot.h"

namespace glovebox::vr {
namespace {

using collision::Obb;
using Eigen::Vector3f;

Vector3f longest_axis(const Obb& box) {
    Eigen::Index longest = 0;
    box.half_m.maxCoeff(&longest);
    return box.axes.col(longest);
}

double angle_deg(const Vector3f& a, const Vector3f& b) {
    return std::acos(std::min(1.0, double{std::abs(a.dot(b))})) * 180.0 / std::numbers::pi;
}

}  // namespace

void bend_one_joint(const BenchOptions& options, BenchResult& result) {
    const ChainLink link = make_chain_link(LinkShape::convex, 3.0F);
    const float end_m = link.half_length_m + link.joint_gap_m;
    Plot volume = plot_of("chains_volume_by_angle", "Volume of the merged box over the two links' own, 3:1",
                          "bend of the joint, degrees", "times");
    Plot error = plot_of("chains_axis_by_angle", "Figure 1b: angle between CAB's and the principal axis, 3:1",
                         "bend of the joint, degrees", "degrees");
    std::vector<double> errors_deg, footnote_over_cab;
    for (int bend_deg = 0; bend_deg <= 150; bend_deg += 2) {
        // The joint bends about (0, 1, 1), out of the links' symmetry planes, as joints usually do.
        Eigen::Isometry3f second = Eigen::Isometry3f::Identity();
        const float bend = static_cast<float>(bend_deg) * std::numbers::pi_v<float> / 180.0F;
        second.linear() = Eigen::AngleAxisf(bend, Vector3f(0, 1, 1).normalized()).toRotationMatrix();
        second.translation() = Vector3f(end_m, 0, 0) + second.linear() * Vector3f(end_m, 0, 0);
        const Obb a = link.box, b = collision::transformed(second, link.box);
        const Vector3f joint_m(end_m, 0, 0);
        const Obb cab = collision::merge_cab(a, b, joint_m), footnote = collision::merge_cab_footnote(a, b, joint_m),
                  covariance = collision::merge_covariance(a, b);
        const double own = double{a.volume_m3()} + double{b.volume_m3()};
        collision::Aabb both = collision::aabb_of(a);
        const collision::Aabb other = collision::aabb_of(b);
        both.include(other.min_m);
        both.include(other.max_m);
        // The first axis of CAB is its major one; parallel limbs take a child's axes in the child's order.
        const double error_deg =
            angle_deg(bend_deg == 0 ? longest_axis(cab) : Vector3f(cab.axes.col(0)), longest_axis(covariance));
        const std::pair<const char*, double> volumes[] = {
            {"CAB", double{cab.volume_m3()} / own},
            {"footnote 1", double{footnote.volume_m3()} / own},
            {"CAB++", double{collision::merge_cab_best(a, b, joint_m).volume_m3()} / own},
            {"covariance", double{covariance.volume_m3()} / own},
            {"two-box merge", double{collision::merge_rotations(a, b).volume_m3()} / own},
            {"AABB", double{collision::obb_of(both).volume_m3()} / own}};
        for (const auto& [name, times] : volumes) add_point(volume, name, bend_deg, times);
        add_point(error, "CAB", bend_deg, error_deg);
        errors_deg.push_back(error_deg);
        if (volumes[1].second != volumes[0].second) footnote_over_cab.push_back(volumes[1].second / volumes[0].second);
        if (bend_deg % 10 != 0) continue;
        result.rows.push_back({{"bend of the joint, degrees", bend_deg}, {"axis against PCA, degrees", error_deg}});
        for (const auto& [name, times] : volumes) result.rows.back()["volume, " + std::string(name)] = times;
    }
    draw_if_requested(result, options, volume);
    draw_if_requested(result, options, error);
    result.claims.push_back(
        judge({"CAB's first axis is a very good approximation of the axis of major variation (figure 1b; "
               "spread: bends of 0 to 150 degrees)",
               "\"a very good approximation\"", at_most(10, " degrees")},
              median_of(errors_deg)));
    result.claims.push_back(
        judge({"the bisector of footnote 1 gives a slightly larger box (spread: bends at which it differs)",
               "\"slightly larger\"", more_than(1, "x")},
              footnote_over_cab.empty() ? exact(std::nan("")) : median_of(footnote_over_cab)));
}

}  // namespace glovebox::vr
