// Timing, medians and number formatting that all benches share.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace glovebox::vr {

/// Returns the median; of an even number of values, the upper one. Needs at least one value.
double median(std::vector<double> values);

/// Returns the wall-clock time of the work in seconds.
double wall_seconds(const std::function<void()>& work);

/// Returns this thread's CPU time for the work in seconds, which excludes other programs.
double thread_seconds(const std::function<void()>& work);

/// Returns the least-squares slope of log y over log x: the exponent of a power law. Ignores points that are not
/// positive.
double power_of(const std::vector<std::pair<double, double>>& points);

/// Formats up to four numbers with a printf format.
std::string text(const char* format, double a, double b = 0.0, double c = 0.0, double d = 0.0);

/// Formats a number with three significant digits.
std::string three_digits(double value);

}  // namespace glovebox::vr
