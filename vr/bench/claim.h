// Published claims, each with a threshold, a measurement of this project with its spread, and the computed verdict.
//
// A claim is a published sentence. The threshold states which numbers reproduce the claim, and is written before any
// run. judge() always computes the verdict by comparing the whole spread of each measurement with the threshold.
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace glovebox::vr {

enum class Verdict : std::uint8_t { reproduced, not_reproduced, undecided };
std::string_view name_of(Verdict verdict);  ///< "reproduced", "not reproduced", "undecided"

/// Range of the numbers that reproduce a claim, from `low` to `high` inclusive.
struct Threshold {
    double low = -std::numeric_limits<double>::infinity(), high = std::numeric_limits<double>::infinity();
    std::string unit = {};  ///< appended to every number of the claim: "x", " us", " %"
    std::string text = {};  ///< "at least 2x"
};
Threshold at_least(double value, std::string unit = {});
Threshold more_than(double value, std::string unit = {});
Threshold at_most(double value, std::string unit = {});
Threshold less_than(double value, std::string unit = {});
Threshold between(double low, double high, std::string unit = {});
Threshold exactly(double value, std::string unit = {});

/// A number and its range in repeated measurements: low <= value <= high. The limits are NaN if the measurement was not
/// repeated.
struct Measured {
    std::string of = {};  ///< name of the number if a claim has several, such as "convex links, 3:1"
    double value = 0.0, low = 0.0, high = 0.0;
};
/// Returns a number that is the same in every run of the program, such as a count or a volume.
Measured exact(double value, std::string of = {});
/// Returns median and extremes of repeated measurements. There must be at least one sample; the spread of a single
/// sample is unknown.
Measured median_of(std::span<const double> samples, std::string of = {});
/// Returns median and extremes of the ratios over[i] / under[i] of all rounds i. Both spans must have the same size, at
/// least one.
Measured ratio_of(std::span<const double> over, std::span<const double> under, std::string of = {});

/// Returns the exponent of a power law through points (power_of()). Its extremes are those when any one point is left
/// out.
Measured exponent_of(const std::vector<std::pair<double, double>>& points, std::string of = {});

/// Returns the medians of consecutive parts of a long series of samples, whose spread serves as the spread of the
/// series' median.
std::vector<double> medians_of_stretches(std::span<const double> samples, std::size_t stretches = 3);

/// A claim as stated before the run.
struct Statement {
    std::string claim;      ///< "CAB updates its boxes more than twice as fast as covariance analysis"
    std::string published;  ///< the published figure, or the source of the threshold
    Threshold threshold;
};

/// A claim with measurement and verdict, as text.
struct Claim {
    std::string claim, published, threshold;
    std::string measured;  ///< the measured numbers, and a remark computed from them
    std::string spread;    ///< the extremes of each number, or "exact"
    Verdict verdict = Verdict::undecided;
};

/// Computes the verdict. A claim is reproduced if the whole spread of every measurement lies within the threshold. It
/// is not reproduced if the whole spread of any measurement lies outside. Otherwise it is undecided, also if a spread
/// is unknown or nothing was measured.
Claim judge(const Statement& statement, std::span<const Measured> measured, const std::string& remark = {});
Claim judge(const Statement& statement, const Measured& measured, const std::string& remark = {});

}  // namespace glovebox::vr
