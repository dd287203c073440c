// Synthetic walkers and the two workloads of [Sung05] made from them, for tests, benchmarks and the crowd.
//
// The paper's motion-capture data is not public. Its tables depend on the length of clips, their curvature and how
// often two walkers are near each other. The parameters here are chosen so that the counts come near the published ones
// [Sung05, tables 1 and 2]. Clips depend on the seed alone and are the same on every machine.
#pragma once

#include <cstdint>
#include <random>
#include <vector>

#include "collision/survey/clips/clip.h"

namespace glovebox::collision::clips {

/// A random generator whose draws are the same with every standard library; the standard distributions differ.
class Dice {
  public:
    explicit Dice(std::uint64_t seed) : engine_(seed) {}
    double uniform(double low, double high);
    double normal();
    std::size_t below(std::size_t count);

  private:
    std::mt19937_64 engine_;
};

/// Returns a person who walks about, starting at the origin along +x: at 1.4 m/s give or take a third, with occasional
/// turns.
Clip wandering(Dice& dice, int samples, double radius_m);

/// Returns a person who walks in circles of 1 to 3 m that drift slowly, as in the paper's figure 8.
Clip circling(Dice& dice, int samples, double radius_m);

/// Returns a person who stands still.
Clip standing(int samples, double radius_m);

/// Returns 51 wandering clips of 63 samples on average, thirty per second.
std::vector<Clip> short_clips(Dice& dice, double radius_m);
/// Returns 14 circling clips of 42 s on average.
std::vector<Clip> long_clips(Dice& dice, double radius_m);

struct ClipQuery {
    std::size_t a, b;  ///< indices of the clips
    ClipPlacement placed_a, placed_b;
};

/// Returns random pairs of different clips. One clip of each pair is rotated, moved by up to `spread_m` in each
/// direction and shifted in time, such that the two share time with the given probability. Time shifts are arbitrary,
/// not whole samples.
std::vector<ClipQuery> random_queries(Dice& dice, const std::vector<Clip>& clips, int count, double spread_m,
                                      double share_time_probability);

}  // namespace glovebox::collision::clips
