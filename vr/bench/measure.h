// Timing, medians and formatting of numbers, shared by all benches.
#pragma once

#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace glovebox::vr {

/// Returns the median. If the number of values is even, it is the upper of the two in the middle. There must be at
/// least one value.
double median(std::vector<double> values);

/// Returns the wall-clock time of the work in seconds.
double wall_seconds(const std::function<void()>& work);

/// Returns the CPU time of the calling thread for the work, in seconds. Other programs do not affect it.
double thread_seconds(const std::function<void()>& work);

/// Returns the exponent of a power law through the points, which is the least-squares slope of log y over log x.
/// Ignores points with a coordinate that is not positive.
double power_of(const std::vector<std::pair<double, double>>& points);

/// Formats up to four numbers with a printf format.
std::string text(const char* format, double a, double b = 0.0, double c = 0.0, double d = 0.0);

/// Formats a number with three significant digits.
std::string three_digits(double value);

}  // namespace glovebox::vr
