// Synthetic walkers, and the two workloads of the paper made from them: for tests, benches and the crowd.
//
// The paper's own motion capture is not public. What its tables depend on is how long clips are, how they bend and how
// often two of them are near each other; the parameters here were chosen so that the counts come near the published
// ones [Sung05, tables 1 and 2]. Everything is drawn from the seed alone and is the same on every machine.
#pragma once

#include <cstdint>
#include <random>
#include <vector>

#include "collision/survey/clips/clip.h"

namespace glovebox::collision::clips {

/// Draws that do not depend on the standard library at hand, as its distributions do.
class Dice {
  public:
    explicit Dice(std::uint64_t seed) : engine_(seed) {}
    double uniform(double low, double high);
    double normal();
    std::size_t below(std::size_t count);

  private:
    std::mt19937_64 engine_;
};

/// A person walking about: 1.4 m/s give or take a third, turning now and then, starting at the origin along +x.
Clip wandering(Dice& dice, int samples, double radius_m);

/// A person walking in circles of 1 to 3 m that drift slowly, as in the paper's figure 8.
Clip circling(Dice& dice, int samples, double radius_m);

/// Someone who stays where they are.
Clip standing(int samples, double radius_m);

/// 51 wandering clips of 63 samples on average, thirty a second.
std::vector<Clip> short_clips(Dice& dice, double radius_m);
/// 14 circling clips of 42 s on average.
std::vector<Clip> long_clips(Dice& dice, double radius_m);

struct ClipQuery {
    std::size_t a, b;  ///< clips by number
    ClipPlacement placed_a, placed_b;
};

/// Random pairs of different clips, one of them turned, moved by up to `spread_m` each way and shifted in time so that
/// the two share time with the given probability. Offsets are any real number, not whole samples.
std::vector<ClipQuery> random_queries(Dice& dice, const std::vector<Clip>& clips, int count, double spread_m,
                                      double share_time_probability);

}  // namespace glovebox::collision::clips
