#include "vr/bench/measure.h"

#include <algorithm>
#include <cmath>

#include "tracking/formatted.h"
#include "vr/platform/platform.h"

namespace glovebox::vr {

using tracking::formatted;

double median(std::vector<double> values) {
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    std::nth_element(values.begin(), middle, values.end());
    return *middle;
}

double wall_seconds(const std::function<void()>& work) {
    const std::int64_t start_ns = now_ns();
    work();
    return 1e-9 * static_cast<double>(now_ns() - start_ns);
}

double thread_seconds(const std::function<void()>& work) {
    const std::int64_t start_ns = thread_cpu_ns();
    work();
    return 1e-9 * static_cast<double>(thread_cpu_ns() - start_ns);
}

double power_of(const std::vector<std::pair<double, double>>& points) {
    double n = 0.0, sx = 0.0, sy = 0.0, sxx = 0.0, sxy = 0.0;
    for (const auto& [x, y] : points) {
        if (!(x > 0.0) || !(y > 0.0)) continue;
        const double u = std::log(x), v = std::log(y);
        n += 1.0;
        sx += u;
        sy += v;
        sxx += u * u;
        sxy += u * v;
    }
    return (n * sxy - sx * sy) / (n * sxx - sx * sx);
}

std::string text(const char* format, double a, double b, double c, double d) {
    return formatted(format, a, b, c, d);
}

std::string three_digits(double value) {
    return text("%.3g", value);
}

}  // namespace glovebox::vr
