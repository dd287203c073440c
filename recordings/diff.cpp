#include "recordings/diff.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "recordings/parse.h"
#include "tracking/formatted.h"

namespace glovebox::recordings {
namespace {

using tracking::formatted;
using tracking::HandFrame;

std::optional<std::string> joint_difference(const tracking::JointPose& a, const tracking::JointPose& b,
                                            const DiffSettings& settings) {
    if (a.flags != b.flags)
        return "has the validity bits " + std::to_string(a.flags) + " and " + std::to_string(b.flags);
    if (a.position_valid()) {
        if (a.position_m.allFinite() != b.position_m.allFinite()) return std::string("is finite in one only");
        const float apart_m = (a.position_m - b.position_m).norm();
        if (a.position_m.allFinite() && apart_m > settings.position_m)
            return "is " + formatted("%.4g mm", 1e3 * static_cast<double>(apart_m)) + " apart";
    }
    if (a.orientation_valid() && a.orientation.coeffs() != b.orientation.coeffs()) {
        const float angle_rad = a.orientation.angularDistance(b.orientation);
        // At a tolerance of zero, any different bit counts, also the sign of a quaternion.
        const bool counts = settings.angle_rad == 0.0F
                                ? a.orientation.coeffs().allFinite() || b.orientation.coeffs().allFinite()
                                : angle_rad > settings.angle_rad;
        if (counts) return "is turned by " + formatted("%.4g degrees", 57.29578 * static_cast<double>(angle_rad));
    }
    const bool same_radius =
        std::isnan(a.radius_m) ? std::isnan(b.radius_m) : std::abs(a.radius_m - b.radius_m) <= settings.position_m;
    // Some formats have no radii, so one that is missing differs only at zero tolerance.
    const bool both_known = a.radius_m > 0.0F && b.radius_m > 0.0F;
    if (!same_radius && (both_known || settings.position_m == 0.0F)) return std::string("has another radius");
    return std::nullopt;
}

std::optional<std::string> hand_difference(const HandFrame& a, const HandFrame& b, const DiffSettings& settings) {
    if (a.active != b.active) return std::string("is in one only");
    if (!a.active) return std::nullopt;
    for (std::size_t j = 0; j < tracking::kJointCount; ++j)
        if (auto what = joint_difference(a.joints[j], b.joints[j], settings))
            return std::string(name_of(static_cast<tracking::Joint>(j))) + " " + *what;
    // Formats for other programs keep neither of these, so they are compared only at zero tolerance.
    const bool exact = settings.position_m == 0.0F && settings.angle_rad == 0.0F && settings.time_ns == 0;
    if (exact && a.source != b.source)
        return "comes from " + std::string(name_of(a.source)) + " and " + std::string(name_of(b.source));
    if (exact && a.times.device_ns != b.times.device_ns) return std::string("has another time of its device");
    return std::nullopt;
}

}  // namespace

std::optional<Difference> first_difference(const Recording& a, const Recording& b, const DiffSettings& settings) {
    const std::size_t common = std::min(a.samples.size(), b.samples.size());
    for (std::size_t i = 0; i < common; ++i) {
        const std::int64_t apart_ns = a.samples[i].time_ns - b.samples[i].time_ns;
        if (std::abs(apart_ns) > settings.time_ns)
            return Difference{i, "times are " + formatted("%.6g ms", 1e-6 * static_cast<double>(apart_ns)) + " apart"};
        for (std::size_t side = 0; side < 2; ++side)
            if (auto what = hand_difference(a.samples[i].hands[side], b.samples[i].hands[side], settings))
                return Difference{i, std::string(name_of(static_cast<tracking::Side>(side))) + " " + *what};
    }
    if (a.samples.size() != b.samples.size())
        return Difference{common, "one has " + counted(a.samples.size(), "sample") + ", the other " +
                                      std::to_string(b.samples.size())};
    // Compare the state hashes if both logs have them: the same hands may have touched another scene.
    for (std::size_t i = 0; i < std::min(a.state_hashes.size(), b.state_hashes.size()); ++i)
        if (a.state_hashes[i] != 0 && b.state_hashes[i] != 0 && a.state_hashes[i] != b.state_hashes[i])
            return Difference{i, "the state hashes of its frame are not the same"};
    return std::nullopt;
}

}  // namespace glovebox::recordings
