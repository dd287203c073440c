#include "vr/session/finite.h"

#include <algorithm>
#include <cmath>

namespace glovebox::vr {
namespace {

bool is_finite(const tracking::HandFrame& hand) {
    return std::all_of(hand.joints.begin(), hand.joints.end(), [](const tracking::JointPose& joint) {
        return (!joint.position_valid() || joint.position_m.allFinite()) &&
               (!joint.orientation_valid() || joint.orientation.coeffs().allFinite()) && std::isfinite(joint.radius_m);
    });
}

bool is_finite(const collision::Contact& contact) {
    return std::isfinite(contact.distance_m) && contact.on_object_m.allFinite() && contact.normal.allFinite();
}

bool is_finite(const scenes::Event& event) {
    return std::isfinite(event.distance_m) && std::isfinite(event.impulse_n_s) && event.point_m.allFinite() &&
           event.normal.allFinite() && event.relative_velocity_m_s.allFinite();
}

template <class Range>
bool all_finite(const Range& range) {
    return std::all_of(range.begin(), range.end(), [](const auto& each) { return is_finite(each); });
}

}  // namespace

std::string not_finite_in(const Pipeline& pipeline) {
    const scenes::World& world = pipeline.world;
    for (const tracking::HandFrame& hand : pipeline.hands.hands)
        if (hand.active && !is_finite(hand)) return "the " + std::string(tracking::name_of(hand.side)) + " hand";
    for (const scenes::HandState& hand : world.hands)
        if (hand.present && !all_finite(hand.contacts)) return "a contact";
    if (!all_finite(pipeline.report.events)) return "an event";
    for (const Eigen::Isometry3f& pose : world.world_from_object)
        if (!pose.matrix().allFinite()) return "an object's pose";
    return {};
}

}  // namespace glovebox::vr
