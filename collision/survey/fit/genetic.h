// The genetic box fit of [Ramirez09] as published, and two extensions: seeded, and with the split axis evolved.
//
// An individual has 4 x 16 bits. The paper calls it a quaternion but decodes it as an axis and an angle: x, y, z in
// [-1, 1), w in [0, 360) degrees. This code keeps that decoding and normalises the axis. The paper's worked example
// prints w' = 262.0129, but that is the value of the z allele (47698); the w allele (22935) gives 125.9857. A test
// shows this.
//
// The code departs from the paper where that is necessary. Fitness is 1 / (V + 1e-12 D^3), where D is the diagonal of
// the node, because 1 / V is infinite for a flat node. A zero axis means no rotation. The mutation probability is per
// bit (the text does not say). The offspring, 20 % of the population, come from pairs drawn by roulette. Individuals
// are evaluated on the corners of the hull, which does not change the volume.
#pragma once

#include <Eigen/Core>
#include <cstdint>
#include <span>
#include <vector>

#include "collision/mesh/fit/point_set.h"

namespace glovebox::collision {

struct Chromosome {
    std::uint64_t bits = 0;  ///< x (highest 16), y, z, w (lowest)
    std::uint8_t axis = 0;   ///< two bits that select the split axis: 0..2 is an axis of the box, 3 the longest
};

struct DecodedChromosome {
    Eigen::Vector3d axis;  ///< not normalised; each coordinate in [-1, 1)
    double angle_deg;      ///< [0, 360)
};
DecodedChromosome decode(const Chromosome& chromosome);
Eigen::Matrix3f rotation_of(const Chromosome& chromosome);

/// Returns the chromosome nearest to a right-handed frame, within 1e-4 rad.
Chromosome encode(const Eigen::Matrix3f& axes);

struct GeneticSettings {
    int population = 100;
    int generations = 150;
    double crossover = 0.8;     ///< probability of a one-point crossover per pair
    double mutation = 0.03;     ///< probability of each bit to be flipped
    double replaced = 0.2;      ///< fraction of the population that offspring replace, the worst first
    bool choose_split = false;  ///< also evolves the split axis; needs a SplitPreview
};

/// Input for evolving the split axis: the node's triangles, which are split at their mean centroid.
struct SplitPreview {
    std::span<const std::array<std::int32_t, 3>> triangles;  ///< indices of `all_points`
    const PointSet* all_points = nullptr;
};

struct GeneticRun {
    Chromosome best;
    Eigen::Matrix3f axes;
    double volume_m3;                  ///< volume of the best individual's box
    std::vector<double> best_fitness;  ///< per generation, the initial population first; never decreases
    std::int64_t evaluations = 0;
};

/// Evolves the frame of the smallest box around `points`. The initial population is `first`, completed with random
/// individuals. The same seed gives the same run on every machine.
/// With choose_split, the fitness is 1 / (sum of the volumes of the two halves' boxes in that frame).
GeneticRun evolve(const PointSet& points, std::span<const Chromosome> first, const GeneticSettings& settings,
                  std::uint64_t seed, const SplitPreview& preview = {});

}  // namespace glovebox::collision
