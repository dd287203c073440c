#include "collision/survey/fit/fitters.h"

#include <algorithm>

namespace glovebox::collision {
namespace {

const std::array kFitters = {
    default_fitter(),
    Fitter{"vertex-covariance", "covariance of the vertices: fastest to explain, misled by dense patches",
           fit_vertex_covariance},
    Fitter{"triangle-covariance", "covariance of the surface: immune to tessellation, not to interior triangles",
           fit_triangle_covariance},
    Fitter{"hull-covariance", "covariance of the convex hull's surface, as the OBBTree paper advises",
           fit_hull_surface},
    Fitter{"hull-descent", "hull covariance, then descent on area: tightest of the deterministic fitters",
           fit_hull_descent},
    Fitter{"dito-14", "extreme points of 7 directions, best of up to 21 frames", fit_dito14},
    Fitter{"dito-26", "the same with 13 directions", fit_dito26},
    Fitter{"genetic", "the genetic fit as published: volume, 100 individuals, 150 generations", fit_genetic, 64},
    Fitter{"genetic-seeded", "the same, started from covariance, DiTO and the mesh's own axes", fit_genetic_seeded, 64},
    Fitter{"genetic-split", "the genetic fit that also chooses the axis of the split", fit_genetic_split, 64},
    Fitter{"aligned", "the mesh's own axes: an AABB tree, for comparison", fit_aligned},
};

}  // namespace

std::span<const Fitter> fitters() {
    return kFitters;
}

const Fitter* find_fitter(std::string_view name) {
    const auto row = std::ranges::find(kFitters, name, &Fitter::name);
    return row == kFitters.end() ? nullptr : &*row;
}

FittedBox fit_aligned(const FitInput& input) {
    return {enclose(input.points, Eigen::Matrix3f::Identity())};
}

}  // namespace glovebox::collision
