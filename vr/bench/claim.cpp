#include "vr/bench/claim.h"

#include <algorithm>
#include <cmath>

#include "vr/bench/measure.h"

namespace glovebox::vr {
namespace {

// Formats counts in full, everything else with three significant digits.
std::string number(double value) {
    return value == std::floor(value) && std::abs(value) < 1e15 ? text("%.0f", value) : three_digits(value);
}

Threshold threshold_of(double low, double high, std::string unit, std::string words) {
    return {low, high, std::move(unit), std::move(words)};
}

constexpr double kInfinity = std::numeric_limits<double>::infinity();

Verdict verdict_of(const Threshold& threshold, const Measured& measured) {
    // Comparisons with NaN are false, so a value without measurement or spread is undecided.
    if (measured.low >= threshold.low && measured.high <= threshold.high) return Verdict::reproduced;
    if (measured.low > threshold.high || measured.high < threshold.low) return Verdict::not_reproduced;
    return Verdict::undecided;
}

Verdict verdict_of(const Threshold& threshold, std::span<const Measured> measured) {
    Verdict verdict = measured.empty() ? Verdict::undecided : Verdict::reproduced;
    for (const Measured& one : measured) {
        const Verdict here = verdict_of(threshold, one);
        if (here == Verdict::not_reproduced) return here;
        if (here == Verdict::undecided) verdict = here;
    }
    return verdict;
}

std::string spread_of(const Measured& measured, const std::string& unit) {
    if (std::isnan(measured.low) || std::isnan(measured.high)) return "one sample";
    if (measured.low == measured.high) return "exact";
    return number(measured.low) + " to " + number(measured.high) + unit;
}

}  // namespace

std::string_view name_of(Verdict verdict) {
    switch (verdict) {
        case Verdict::reproduced:
            return "reproduced";
        case Verdict::not_reproduced:
            return "not reproduced";
        case Verdict::undecided:
            break;
    }
    return "undecided";
}

Threshold at_least(double value, std::string unit) {
    std::string words = "at least " + number(value) + unit;
    return threshold_of(value, kInfinity, std::move(unit), std::move(words));
}
Threshold more_than(double value, std::string unit) {
    std::string words = "more than " + number(value) + unit;
    return threshold_of(std::nextafter(value, kInfinity), kInfinity, std::move(unit), std::move(words));
}
Threshold at_most(double value, std::string unit) {
    std::string words = "at most " + number(value) + unit;
    return threshold_of(-kInfinity, value, std::move(unit), std::move(words));
}
Threshold less_than(double value, std::string unit) {
    std::string words = "less than " + number(value) + unit;
    return threshold_of(-kInfinity, std::nextafter(value, -kInfinity), std::move(unit), std::move(words));
}
Threshold between(double low, double high, std::string unit) {
    std::string words = number(low) + " to " + number(high) + unit;
    return threshold_of(low, high, std::move(unit), std::move(words));
}
Threshold exactly(double value, std::string unit) {
    std::string words = number(value) + unit;
    return threshold_of(value, value, std::move(unit), std::move(words));
}

Measured exact(double value, std::string of) {
    return {std::move(of), value, value, value};
}

Measured median_of(std::span<const double> samples, std::string of) {
    constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();
    if (samples.size() == 1) return {std::move(of), samples.front(), kUnknown, kUnknown};
    const auto [low, high] = std::ranges::minmax(samples);
    return {std::move(of), median({samples.begin(), samples.end()}), low, high};
}

Measured ratio_of(std::span<const double> over, std::span<const double> under, std::string of) {
    std::vector<double> ratios;
    for (std::size_t round = 0; round < over.size(); ++round) ratios.push_back(over[round] / under[round]);
    return median_of(ratios, std::move(of));
}

Measured exponent_of(const std::vector<std::pair<double, double>>& points, std::string of) {
    const double all = power_of(points);
    Measured measured{std::move(of), all, all, all};
    for (std::size_t left_out = 0; left_out < points.size(); ++left_out) {
        std::vector<std::pair<double, double>> others = points;
        others.erase(others.begin() + static_cast<std::ptrdiff_t>(left_out));
        const double without = power_of(others);
        // One remaining point has no slope, so the spread is unknown.
        measured.low = std::isnan(without) ? without : std::min(measured.low, without);
        measured.high = std::isnan(without) ? without : std::max(measured.high, without);
    }
    return measured;
}

std::vector<double> medians_of_stretches(std::span<const double> samples, std::size_t stretches) {
    std::vector<double> medians;
    for (std::size_t i = 0; i < stretches; ++i) {
        const std::size_t begin = i * samples.size() / stretches, end = (i + 1) * samples.size() / stretches;
        if (begin < end)
            medians.push_back(median({samples.begin() + static_cast<std::ptrdiff_t>(begin),
                                      samples.begin() + static_cast<std::ptrdiff_t>(end)}));
    }
    return medians;
}

Claim judge(const Statement& statement, std::span<const Measured> measured, const std::string& remark) {
    const Threshold& threshold = statement.threshold;
    Claim claim{statement.claim, statement.published, threshold.text, {}, {}, verdict_of(threshold, measured)};
    bool varies = false;
    for (const Measured& one : measured) {
        const std::string name = (claim.measured.empty() ? "" : ", ") + one.of + (one.of.empty() ? "" : " ");
        claim.measured += name + (std::isnan(one.value) ? "not measured" : number(one.value) + threshold.unit);
        claim.spread += name + spread_of(one, threshold.unit);
        varies = varies || one.low != one.high;
    }
    if (!varies) claim.spread = "exact";
    if (measured.empty()) claim.measured = claim.spread = "not measured";
    if (!remark.empty()) claim.measured += "; " + remark;
    return claim;
}

Claim judge(const Statement& statement, const Measured& measured, const std::string& remark) {
    return judge(statement, std::span(&measured, 1), remark);
}

}  // namespace glovebox::vr
