// What every bench does with its clocks and its samples.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace glovebox::vr {

/// The upper of both middles where their number is even. At least one value.
double median(std::vector<double> values);

/// Seconds that the work took by the clock on the wall.
double wall_seconds(const std::function<void()>& work);

/// Of this thread's own processor time: what other programs do on the machine meanwhile does not count.
double thread_seconds(const std::function<void()>& work);

/// Least-squares slope of log y over log x: the exponent of a power law. Points that are not positive are left out.
double power_of(const std::vector<std::pair<double, double>>& points);

/// As printf; for sentences with up to four numbers.
std::string text(const char* format, double a, double b = 0.0, double c = 0.0, double d = 0.0);

/// Three significant digits, for sentences.
std::string three_digits(double value);

}  // namespace glovebox::vr
