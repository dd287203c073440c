#include "collision/survey/fit/genetic.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <numbers>

#include "collision/mesh/fit/dito.h"
#include "collision/survey/fit/fitters.h"
#include "collision/survey/fit/random.h"

namespace glovebox::collision {
namespace {

struct Individual {
    Chromosome genes;
    double fitness = 0.0;
};

// Computes the fitness of a frame.
class Fitness {
  public:
    Fitness(const PointSet& points, const SplitPreview& preview) : points_(points), preview_(preview) {
        const double diagonal_m = double{ranges_along(points, Eigen::Matrix3f::Identity()).size_m().norm()};
        flat_m3_ = std::max(1e-12 * diagonal_m * diagonal_m * diagonal_m, 1e-300);
        if (preview_.all_points != nullptr) prepare_preview();
    }

    double operator()(const Chromosome& genes) {
        const Eigen::Matrix3f axes = rotation_of(genes);
        const double volume_m3 = preview_.all_points == nullptr ? double{ranges_along(points_, axes).volume_m3()}
                                                                : halves_m3(axes, genes.axis);
        return 1.0 / (volume_m3 + flat_m3_);
    }

  private:
    void prepare_preview() {
        centroids_.reserve(preview_.triangles.size());
        for (const auto& triangle : preview_.triangles) {
            Eigen::Vector3f sum = Eigen::Vector3f::Zero();
            for (const std::int32_t i : triangle) sum += preview_.all_points->local_m(static_cast<std::size_t>(i));
            centroids_.push_back(sum / 3.0F);
            mean_ += (sum / 3.0F).cast<double>();
        }
        mean_ /= static_cast<double>(preview_.triangles.size());
    }

    // Returns the volume of both halves' boxes in the frame of the whole, split at the mean of the centroids.
    double halves_m3(const Eigen::Matrix3f& axes, std::uint8_t allele) const {
        const Ranges whole = ranges_along(points_, axes);
        int axis = allele;
        if (allele > 2) whole.size_m().maxCoeff(&axis);
        const Eigen::Vector3f direction = axes.col(axis);
        const float at_m = static_cast<float>(mean_.dot(direction.cast<double>()));
        Eigen::Vector3f low[2], high[2];
        for (int side = 0; side < 2; ++side) {
            low[side].setConstant(std::numeric_limits<float>::max());
            high[side].setConstant(std::numeric_limits<float>::lowest());
        }
        bool used[2] = {false, false};
        const Eigen::Matrix3f frame_from_mesh = axes.transpose();
        for (std::size_t t = 0; t < centroids_.size(); ++t) {
            const int side = centroids_[t].dot(direction) < at_m ? 0 : 1;
            used[side] = true;
            for (const std::int32_t i : preview_.triangles[t]) {
                const Eigen::Vector3f p = frame_from_mesh * preview_.all_points->local_m(static_cast<std::size_t>(i));
                low[side] = low[side].cwiseMin(p);
                high[side] = high[side].cwiseMax(p);
            }
        }
        double sum_m3 = 0.0;
        for (int side = 0; side < 2; ++side)
            if (used[side]) sum_m3 += double{(high[side] - low[side]).prod()};
        return sum_m3;
    }

    const PointSet& points_;
    const SplitPreview preview_;
    std::vector<Eigen::Vector3f> centroids_;
    Eigen::Vector3d mean_ = Eigen::Vector3d::Zero();
    double flat_m3_ = 0.0;
};

// Crosses two individuals at a bit. Bits are numbered from the highest of x down to the split axis: 64 or 66 of them.
void cross(Chromosome& a, Chromosome& b, int point) {
    const std::uint64_t tail = point >= 64 ? 0 : ~std::uint64_t{0} >> point;
    const std::uint64_t swapped = (a.bits ^ b.bits) & tail;
    a.bits ^= swapped;
    b.bits ^= swapped;
    std::swap(a.axis, b.axis);
}

void mutate(Chromosome& genes, int bits, double probability, Random& random) {
    // The distance to the next flipped bit is geometric: two draws per individual instead of one per bit.
    const double log_stay = std::log1p(-probability);
    for (double at = std::floor(std::log(1.0 - random.unit()) / log_stay); at < bits;
         at += 1.0 + std::floor(std::log(1.0 - random.unit()) / log_stay)) {
        const int bit = static_cast<int>(at);
        if (bit < 64)
            genes.bits ^= std::uint64_t{1} << (63 - bit);
        else
            genes.axis = static_cast<std::uint8_t>(genes.axis ^ (1U << (65 - bit)));
    }
}

bool fitter_than(const Individual& a, const Individual& b) {
    return a.fitness > b.fitness;
}

const Individual& spin(std::span<const Individual> population, std::span<const double> wheel, Random& random) {
    const double at = random.unit() * wheel.back();
    const auto found = std::upper_bound(wheel.begin(), wheel.end(), at);
    const auto index = std::min(static_cast<std::size_t>(found - wheel.begin()), population.size() - 1);
    return population[index];
}

}  // namespace

DecodedChromosome decode(const Chromosome& chromosome) {
    const auto allele = [&](int number) {
        return static_cast<double>((chromosome.bits >> (16 * (3 - number))) & 0xFFFFU);
    };
    // x' = -1 + 2 x / 2^16,  w' = 360 w / 2^16      [Ramirez09, sec. 3.1]
    return {{-1.0 + allele(0) * 2.0 / 65536.0, -1.0 + allele(1) * 2.0 / 65536.0, -1.0 + allele(2) * 2.0 / 65536.0},
            allele(3) * 360.0 / 65536.0};
}

Eigen::Matrix3f rotation_of(const Chromosome& chromosome) {
    const DecodedChromosome decoded = decode(chromosome);
    const double length = decoded.axis.norm();
    if (length == 0.0) return Eigen::Matrix3f::Identity();
    return Eigen::AngleAxisd(decoded.angle_deg * std::numbers::pi / 180.0, decoded.axis / length)
        .toRotationMatrix()
        .cast<float>();
}

Chromosome encode(const Eigen::Matrix3f& axes) {
    const Eigen::AngleAxisd turn(axes.cast<double>());
    const auto allele = [](double value) {
        return static_cast<std::uint64_t>(std::clamp(std::lround(value), 0L, 65535L));
    };
    // The axis is scaled to the cube's surface, where the grid of directions is finest.
    const Eigen::Vector3d axis = turn.axis() / std::max(turn.axis().cwiseAbs().maxCoeff(), 1e-12);
    double angle_deg = turn.angle() * 180.0 / std::numbers::pi;
    if (angle_deg < 0.0) angle_deg += 360.0;
    Chromosome genes;
    for (int k = 0; k < 3; ++k) genes.bits = genes.bits << 16 | allele((axis[k] + 1.0) * 32768.0);
    genes.bits = genes.bits << 16 | allele(angle_deg * 65536.0 / 360.0);
    genes.axis = 3;
    return genes;
}

GeneticRun evolve(const PointSet& points, std::span<const Chromosome> first, const GeneticSettings& settings,
                  std::uint64_t seed, const SplitPreview& preview) {
    Random random(seed);
    Fitness fitness(points, settings.choose_split ? preview : SplitPreview{});
    const int bits = settings.choose_split ? 66 : 64;
    const auto size = static_cast<std::size_t>(std::max(settings.population, 2));
    const auto offspring_count =
        std::min(size, static_cast<std::size_t>(std::max(0.0, settings.replaced) * static_cast<double>(size)));

    GeneticRun run;
    std::vector<Individual> population(size);
    for (std::size_t i = 0; i < size; ++i) {
        Individual& individual = population[i];
        individual.genes = i < first.size() ? first[i] : Chromosome{random.next(), 3};
        if (settings.choose_split && i >= first.size())
            individual.genes.axis = static_cast<std::uint8_t>(random.next() >> 62);
        individual.fitness = fitness(individual.genes);
    }
    run.evaluations = static_cast<std::int64_t>(size);
    std::stable_sort(population.begin(), population.end(), fitter_than);
    run.best_fitness.push_back(population.front().fitness);

    std::vector<Individual> offspring;
    std::vector<double> wheel(size);
    for (int generation = 0; generation < settings.generations; ++generation) {
        double sum = 0.0;
        for (std::size_t i = 0; i < size; ++i) wheel[i] = sum += population[i].fitness;

        offspring.clear();
        while (offspring.size() < offspring_count) {
            Chromosome a = spin(population, wheel, random).genes, b = spin(population, wheel, random).genes;
            if (random.unit() < settings.crossover) cross(a, b, 1 + static_cast<int>(random.unit() * (bits - 1)));
            for (Chromosome* child : {&a, &b}) {
                if (offspring.size() == offspring_count) break;
                mutate(*child, bits, settings.mutation, random);
                offspring.push_back({*child, fitness(*child)});
            }
        }
        run.evaluations += static_cast<std::int64_t>(offspring.size());
        std::copy(offspring.begin(), offspring.end(), population.end() - static_cast<std::ptrdiff_t>(offspring.size()));
        std::stable_sort(population.begin(), population.end(), fitter_than);
        run.best_fitness.push_back(population.front().fitness);
    }
    run.best = population.front().genes;
    run.axes = rotation_of(run.best);
    run.volume_m3 = double{ranges_along(points, run.axes).volume_m3()};
    return run;
}

FittedBox fit_genetic(const FitInput& input) {
    return {enclose(input.points, evolve(hull_corners(input), {}, {}, input.seed).axes)};
}

FittedBox fit_genetic_seeded(const FitInput& input) {
    const PointSet corners = hull_corners(input);
    const Eigen::Matrix3f starts[] = {fit_hull_surface(input).box.axes, fit_triangle_covariance(input).box.axes,
                                      fit_dito14(input).box.axes, Eigen::Matrix3f::Identity()};
    std::vector<Chromosome> first;
    for (const Eigen::Matrix3f& axes : starts) first.push_back(encode(axes));
    Eigen::Matrix3f best = evolve(corners, first, {}, input.seed).axes;
    // A chromosome stores a starting frame only to 1e-4 rad, which matters for an exactly flat node.
    for (const Eigen::Matrix3f& axes : starts)
        if (ranges_along(corners, axes).volume_m3() < ranges_along(corners, best).volume_m3()) best = axes;
    return {enclose(input.points, best)};
}

FittedBox fit_genetic_split(const FitInput& input) {
    GeneticSettings settings;
    settings.choose_split = true;
    const GeneticRun run = evolve(hull_corners(input), {}, settings, input.seed, {input.triangles, &input.points});
    FittedBox fitted{enclose(input.points, run.axes)};
    if (run.best.axis <= 2) fitted.split_axis = static_cast<std::int8_t>(run.best.axis);
    return fitted;
}

}  // namespace glovebox::collision
