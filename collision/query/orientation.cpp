#include "collision/query/orientation.h"

#include <array>
#include <cmath>

namespace glovebox::collision {
namespace {

using Eigen::Vector3d;

constexpr double kHalfUlp = 0x1.0p-53;

// An exact sum of doubles that do not overlap, smallest first; the sign is that of the last one. [Shewchuk97]
template <std::size_t kMax>
struct ExactSum {
    std::array<double, kMax> terms;
    std::size_t count = 0;

    void push(double term) {
        if (term != 0.0) terms[count++] = term;
    }
    int sign() const { return count == 0 ? 0 : (terms[count - 1] > 0.0 ? 1 : -1); }
};

// Computes a + b as the rounded sum and its rounding error.
void two_sum(double a, double b, double& sum, double& lost) {
    sum = a + b;
    const double b_part = sum - a;
    lost = (a - (sum - b_part)) + (b - b_part);
}

template <std::size_t kMax>
void add(ExactSum<kMax>& sum, double term) {
    ExactSum<kMax> grown;
    double carried = term;
    for (std::size_t i = 0; i < sum.count; ++i) {
        double lost = 0.0;
        two_sum(carried, sum.terms[i], carried, lost);
        grown.push(lost);
    }
    grown.push(carried);
    sum = grown;
}

// Returns the exact difference of two doubles: at most two terms.
ExactSum<2> difference(double a, double b) {
    double rounded = 0.0, lost = 0.0;
    two_sum(a, -b, rounded, lost);
    ExactSum<2> result;
    result.push(lost);
    result.push(rounded);
    return result;
}

template <std::size_t kMax, std::size_t kFirst, std::size_t kSecond>
void add_product(ExactSum<kMax>& sum, const ExactSum<kFirst>& first, const ExactSum<kSecond>& second, double sign) {
    for (std::size_t i = 0; i < first.count; ++i) {
        for (std::size_t j = 0; j < second.count; ++j) {
            const double product = first.terms[i] * second.terms[j];
            add(sum, sign * std::fma(first.terms[i], second.terms[j], -product));
            add(sum, sign * product);
        }
    }
}

// u_i v_j - u_j v_i
ExactSum<16> minor_of(const std::array<ExactSum<2>, 3>& u, const std::array<ExactSum<2>, 3>& v, std::size_t i,
                      std::size_t j) {
    ExactSum<16> result;
    add_product(result, u[i], v[j], 1.0);
    add_product(result, u[j], v[i], -1.0);
    return result;
}

std::array<ExactSum<2>, 3> difference(const Vector3d& a, const Vector3d& b) {
    return {difference(a.x(), b.x()), difference(a.y(), b.y()), difference(a.z(), b.z())};
}

int exact_sign(const Vector3d& a, const Vector3d& b, const Vector3d& c, const Vector3d& d) {
    const auto u = difference(a, d), v = difference(b, d), w = difference(c, d);
    ExactSum<192> determinant;
    for (std::size_t k = 0; k < 3; ++k) add_product(determinant, minor_of(u, v, (k + 1) % 3, (k + 2) % 3), w[k], 1.0);
    return determinant.sign();
}

int sign_of(double value) {
    return value > 0.0 ? 1 : (value < 0.0 ? -1 : 0);
}

// The minors of two differences of points, and the magnitudes of their terms. They give the sign of a determinant of
// three differences, or 0 if rounding may have changed it. [Shewchuk97, sec. 4.3]
struct Minors {
    double x, y, z, size_x, size_y, size_z;

    Minors(const Vector3d& u, const Vector3d& v) {
        const double xy = u.x() * v.y(), yx = u.y() * v.x(), yz = u.y() * v.z(), zy = u.z() * v.y(), zx = u.z() * v.x(),
                     xz = u.x() * v.z();
        x = yz - zy;
        y = zx - xz;
        z = xy - yx;
        size_x = std::abs(yz) + std::abs(zy);
        size_y = std::abs(zx) + std::abs(xz);
        size_z = std::abs(xy) + std::abs(yx);
    }
    int certain_sign(const Vector3d& w) const {
        const double determinant = x * w.x() + y * w.y() + z * w.z();
        const double size = size_x * std::abs(w.x()) + size_y * std::abs(w.y()) + size_z * std::abs(w.z());
        return std::abs(determinant) > (7.0 + 56.0 * kHalfUlp) * kHalfUlp * size ? sign_of(determinant) : 0;
    }
};

}  // namespace

int orientation_sign(const Vector3d& a, const Vector3d& b, const Vector3d& c, const Vector3d& d) {
    const int sign = Minors(a - d, b - d).certain_sign(c - d);
    return sign != 0 ? sign : exact_sign(a, b, c, d);
}

std::array<int, 3> orientation_signs(const Vector3d& a, const Vector3d& b, const Vector3d& c,
                                     const std::array<Vector3d, 3>& d) {
    // Relative to a instead of each d: |b-a c-a d-a| = -|a-d b-d c-d|.
    const Minors minors(b - a, c - a);
    std::array<int, 3> signs;
    for (std::size_t i = 0; i < 3; ++i) {
        signs[i] = -minors.certain_sign(d[i] - a);
        if (signs[i] == 0) signs[i] = exact_sign(a, b, c, d[i]);
    }
    return signs;
}

int orientation_sign(const Vector3d& a, const Vector3d& b, const Vector3d& c, int dropped) {
    const int x = (dropped + 1) % 3, y = (dropped + 2) % 3;
    const double left = (a[x] - c[x]) * (b[y] - c[y]), right = (a[y] - c[y]) * (b[x] - c[x]);
    const double determinant = left - right;
    if (std::abs(determinant) > (3.0 + 16.0 * kHalfUlp) * kHalfUlp * (std::abs(left) + std::abs(right)))
        return sign_of(determinant);
    const auto ix = static_cast<std::size_t>(x), iy = static_cast<std::size_t>(y);
    return minor_of(difference(a, c), difference(b, c), ix, iy).sign();
}

}  // namespace glovebox::collision
