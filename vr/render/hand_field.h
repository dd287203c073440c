// The hand's flesh at rest as a signed distance field: round cones over the bones, smoothly joined.
//
// Fingers are each blended with the palm and hardly with each other: this gives knuckle webs without gluing fingers.
// Small blends at the joints with broad pads between them look like fingers; the other way round like sausages.
#pragma once

#include <Eigen/Core>
#include <array>
#include <vector>

#include "vr/render/hand_skeleton.h"

namespace glovebox::vr {

/// Sphere swept from a to b, radius linear; distances as in [Quilez, rounded cone].
struct FieldCone {
    FieldCone(const Eigen::Vector3f& a_m, const Eigen::Vector3f& b_m, float radius_a_m, float radius_b_m);
    float distance_m(const Eigen::Vector3f& point_m) const;

  private:
    Eigen::Vector3f a_m_, span_m_;
    float radius_a_m_, radius_b_m_, span2_, slope_m_, flank2_, inverse_span2_;
};

class HandField {
  public:
    explicit HandField(const HandSkeleton& skeleton);

    /// Negative inside. In the wrist's rest frame, right hand.
    float distance_m(const Eigen::Vector3f& point_m) const;
    /// Distance to the flesh of one skin bone alone: what weights are made from.
    float bone_distance_m(int bone, const Eigen::Vector3f& point_m) const;
    /// Holds the whole surface with room round it.
    Eigen::AlignedBox3f bounds() const { return bounds_; }

  private:
    struct Part {
        FieldCone cone;
        float blend_m;  ///< width of the join to what came before it
    };
    struct Finger {
        std::vector<Part> parts;
        Eigen::Vector3f center_m;  ///< a ball round it, to skip it from afar
        float reach_m;
    };
    static float blended(const std::vector<Part>& parts, const Eigen::Vector3f& point_m);

    std::vector<Part> palm_;
    std::vector<FieldCone> forearm_;  ///< one: evaluated in a space squeezed along X, so its section is an ellipse
    std::array<Finger, 5> fingers_;   ///< thumb first
    std::vector<std::vector<FieldCone>> bones_;
    Eigen::AlignedBox3f bounds_;
    float scale_;
};

}  // namespace glovebox::vr
