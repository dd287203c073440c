// Signed distance field of a hand's surface in the rest pose, made of smoothly blended round cones along the bones.
//
// Each finger is blended with the palm but hardly with other fingers, which gives webs at the knuckles without joining
// the fingers. Blends are narrow at the joints and wide at the pads between them, because fingers would otherwise look
// like sausages.
#pragma once

#include <Eigen/Core>
#include <array>
#include <vector>

#include "vr/render/hand_skeleton.h"

namespace glovebox::vr {

inline constexpr float kMillimetre = 1e-3F;

/// A sphere swept from a to b with linearly changing radius; distances as in [Quilez, rounded cone].
struct FieldCone {
    FieldCone(const Eigen::Vector3f& a_m, const Eigen::Vector3f& b_m, float radius_a_m, float radius_b_m);
    float distance_m(const Eigen::Vector3f& point_m) const;

  private:
    Eigen::Vector3f a_m_, span_m_;
    float radius_a_m_, radius_b_m_, span2_, slope_m_, flank2_, inverse_span2_;
};

/// The field of a right hand, in the wrist's rest frame.
class HandField {
  public:
    explicit HandField(const HandSkeleton& skeleton);

    /// Returns the signed distance to the surface, negative inside.
    float distance_m(const Eigen::Vector3f& point_m) const;
    /// Returns the distance to the cones of a single skin bone, for computing skin weights.
    float bone_distance_m(int bone, const Eigen::Vector3f& point_m) const;
    /// Returns a box that contains the whole surface with a margin.
    Eigen::AlignedBox3f bounds() const { return bounds_; }

  private:
    struct Part {
        FieldCone cone;
        float blend_m;  ///< width of the blend with the parts before it
    };
    struct Finger {
        std::vector<Part> parts;
        Eigen::Vector3f center_m;  ///< centre of a bounding sphere of radius reach_m; distant queries skip the finger
        float reach_m;
    };
    void add_usual_hand(const HandSkeleton& skeleton);
    void add_fitted_hand(const HandSkeleton& skeleton);
    static float blended(const std::vector<Part>& parts, const Eigen::Vector3f& point_m);

    std::vector<Part> palm_;
    std::vector<FieldCone> forearm_;  ///< one cone, evaluated in a space scaled along X, so its section is an ellipse
    std::array<Finger, 5> fingers_;   ///< thumb first
    std::vector<std::vector<FieldCone>> bones_;
    Eigen::AlignedBox3f bounds_;
    float scale_;
};

}  // namespace glovebox::vr
