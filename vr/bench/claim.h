// Claims that can fail: a threshold stated in the program, a measurement with its spread, and the verdict of the two.
//
// A claim is a published sentence. The threshold says which numbers would reproduce it; it is written before any run.
// No one writes a verdict: judge() compares each measurement's whole spread with the threshold.
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

/// The numbers that reproduce a claim: from `low` to `high`, both included.
struct Threshold {
    double low = -std::numeric_limits<double>::infinity(), high = std::numeric_limits<double>::infinity();
    std::string unit = {};  ///< follows every number of the claim as it is: "x", " us", " %"
    std::string text = {};  ///< "at least 2x"
};
Threshold at_least(double value, std::string unit = {});
Threshold more_than(double value, std::string unit = {});
Threshold at_most(double value, std::string unit = {});
Threshold less_than(double value, std::string unit = {});
Threshold between(double low, double high, std::string unit = {});
Threshold exactly(double value, std::string unit = {});

/// One number and how far it went in repeated measurements: low <= value <= high. NaN limits: it was not repeated.
struct Measured {
    std::string of = {};  ///< what was measured, where a claim has several numbers: "convex links, 3:1"
    double value = 0.0, low = 0.0, high = 0.0;
};
/// A number that is the same in every run of the program: a count, a volume.
Measured exact(double value, std::string of = {});
/// The median and the extremes of repeated measurements. At least one sample; of one sample no spread is known.
Measured median_of(std::span<const double> samples, std::string of = {});
/// Ratios of two contestants round by round: median and extremes. Both have as many rounds, at least one.
Measured ratio_of(std::span<const double> over, std::span<const double> under, std::string of = {});

/// The exponent of a power law through points (power_of), and its extremes when any one point is left out.
Measured exponent_of(const std::vector<std::pair<double, double>>& points, std::string of = {});

/// Medians of consecutive stretches of a long series of samples, for a spread of what is stated as a median.
std::vector<double> medians_of_stretches(std::span<const double> samples, std::size_t stretches = 3);

/// What is stated before the run.
struct Statement {
    std::string claim;      ///< "CAB updates its boxes more than twice as fast as covariance analysis"
    std::string published;  ///< the published figure, or whose aim the threshold is
    Threshold threshold;
};

struct Claim {
    std::string claim, published, threshold;
    std::string measured;  ///< the numbers; a remark after them is made of this run's numbers alone
    std::string spread;    ///< the extremes of each number, or "exact"
    Verdict verdict = Verdict::undecided;
};

/// reproduced: the whole spread of every measurement lies within the threshold. not reproduced: the whole spread of one
/// of them lies outside. undecided: a spread crosses the threshold or is not known, or nothing was measured.
Claim judge(const Statement& statement, std::span<const Measured> measured, const std::string& remark = {});
Claim judge(const Statement& statement, const Measured& measured, const std::string& remark = {});

}  // namespace glovebox::vr
