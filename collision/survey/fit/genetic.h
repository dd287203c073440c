// The genetic fit of [Ramirez09], exactly as published, and its two extensions: seeded, and choosing the split axis.
//
// An individual is 4 x 16 bits. The paper calls it a quaternion and decodes it as an axis and an angle: x, y, z in
// [-1, 1), w in [0, 360) degrees. We keep its decoding and normalise the axis. Its worked example prints w' = 262.0129,
// which is what the z allele (47698) gives; the w allele (22935) gives 125.9857, and a test says so.
//
// Departures, each forced: fitness is 1 / (V + 1e-12 D^3) because 1 / V is infinite for a flat node (D: its diagonal);
// a zero axis is no turn; the mutation probability is per bit (the text does not say); the offspring number, 20 % of
// the population, comes from pairs drawn by roulette. Individuals are evaluated on the corners of the hull, which
// changes no volume.
#pragma once

#include <Eigen/Core>
#include <cstdint>
#include <span>
#include <vector>

#include "collision/mesh/fit/point_set.h"

namespace glovebox::collision {

struct Chromosome {
    std::uint64_t bits = 0;  ///< x (highest 16), y, z, w (lowest)
    std::uint8_t axis = 0;   ///< allele of the split axis, two bits: 0..2 an axis of the box, 3 the longest
};

struct DecodedChromosome {
    Eigen::Vector3d axis;  ///< not normalised; each in [-1, 1)
    double angle_deg;      ///< [0, 360)
};
DecodedChromosome decode(const Chromosome& chromosome);
Eigen::Matrix3f rotation_of(const Chromosome& chromosome);

/// The nearest chromosome to a right-handed frame: within 1e-4 rad of it.
Chromosome encode(const Eigen::Matrix3f& axes);

struct GeneticSettings {
    int population = 100;
    int generations = 150;
    double crossover = 0.8;     ///< probability that a pair is crossed, at one point
    double mutation = 0.03;     ///< probability that a bit is flipped
    double replaced = 0.2;      ///< part of the population that makes room for offspring, the worst first
    bool choose_split = false;  ///< evolve the split axis too; needs a preview
};

/// Where a node would be split, for the fitter that evolves that too: its triangles and their mean centroid.
struct SplitPreview {
    std::span<const std::array<std::int32_t, 3>> triangles;  ///< of point numbers of `all_points`
    const PointSet* all_points = nullptr;
};

struct GeneticRun {
    Chromosome best;
    Eigen::Matrix3f axes;
    double volume_m3;                  ///< of the best individual's box
    std::vector<double> best_fitness;  ///< of every generation, the initial population first; never falls
    std::int64_t evaluations = 0;
};

/// Evolves the frame of the smallest box round `points`. `first` are individuals to start with; the rest of the initial
/// population is drawn at random. The same seed gives the same run on every machine.
/// With choose_split the fitness is 1 / (sum of the volumes of both halves' boxes in that frame).
GeneticRun evolve(const PointSet& points, std::span<const Chromosome> first, const GeneticSettings& settings,
                  std::uint64_t seed, const SplitPreview& preview = {});

}  // namespace glovebox::collision
