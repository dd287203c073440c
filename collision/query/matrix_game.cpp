#include "collision/query/matrix_game.h"

#include <algorithm>
#include <cassert>
#include <limits>

namespace glovebox::collision {

GameSolution solve(const MatrixGame& game) {
    constexpr std::size_t kRows = MatrixGame::kMaxRows, kColumns = MatrixGame::kMaxColumns;
    const std::size_t rows = game.rows, columns = game.columns;
    assert(rows > 0 && columns > 0);
    double least = std::numeric_limits<double>::infinity(), most = -least;
    for (std::size_t k = 0; k < columns; ++k)
        for (std::size_t j = 0; j < rows; ++j) {
            least = std::min(least, game.gain[k][j]);
            most = std::max(most, game.gain[k][j]);
        }
    GameSolution solution;
    solution.row_share.fill(0.0);
    solution.column_share.fill(0.0);
    // With all gains positive this is a linear program with the zero vector as a feasible start: maximise the sum of
    // the column weights such that no row gains more than 1. A pivot exchanges a row and a column in place.
    const double scale = std::max(most - least, std::numeric_limits<double>::min()), shift = scale - least;
    std::array<std::array<double, kRows>, kColumns> entry;
    std::array<double, kRows> left;
    std::array<double, kColumns> worth;
    left.fill(1.0);
    worth.fill(-1.0);
    std::array<std::size_t, kRows> in_row;
    std::array<std::size_t, kColumns> in_column;
    for (std::size_t j = 0; j < rows; ++j) in_row[j] = columns + j;
    for (std::size_t k = 0; k < columns; ++k) {
        in_column[k] = k;
        for (std::size_t j = 0; j < kRows; ++j) entry[k][j] = j < rows ? (game.gain[k][j] + shift) / scale : 0.0;
    }
    for (std::size_t round = 0; round < 4 * kColumns; ++round) {
        const auto column = static_cast<std::size_t>(
            std::min_element(worth.begin(), worth.begin() + static_cast<std::ptrdiff_t>(columns)) - worth.begin());
        if (!(worth[column] < -1e-10)) break;
        std::array<double, kRows>& pivots = entry[column];
        std::size_t row = rows;
        double min_ratio = std::numeric_limits<double>::infinity();
        for (std::size_t j = 0; j < rows; ++j)
            if (pivots[j] > 1e-10 && left[j] < min_ratio * pivots[j]) {
                min_ratio = left[j] / pivots[j];
                row = j;
            }
        if (row == rows) break;
        const double by_pivot = 1.0 / pivots[row];
        const std::array<double, kRows> by = pivots;
        const auto exchange = [&](std::array<double, kRows>& values, double& below) {
            const double at_row = values[row] * by_pivot;
            for (std::size_t j = 0; j < kRows; ++j) values[j] -= by[j] * at_row;
            values[row] = at_row;
            below -= worth[column] * at_row;
        };
        for (std::size_t k = 0; k < columns; ++k)
            if (k != column) exchange(entry[k], worth[k]);
        double ignored = 0.0;
        exchange(left, ignored);
        for (std::size_t j = 0; j < kRows; ++j) pivots[j] = -by[j] * by_pivot;
        pivots[row] = by_pivot;
        worth[column] = -worth[column] * by_pivot;
        std::swap(in_row[row], in_column[column]);
    }
    double row_sum = 0.0, column_sum = 0.0;
    for (std::size_t k = 0; k < columns; ++k)
        if (in_column[k] >= columns && worth[k] > 0.0) row_sum += solution.row_share[in_column[k] - columns] = worth[k];
    for (std::size_t j = 0; j < rows; ++j)
        if (in_row[j] < columns && left[j] > 0.0) column_sum += solution.column_share[in_row[j]] = left[j];
    if (row_sum > 0.0 && column_sum > 0.0) {
        for (double& share : solution.row_share) share /= row_sum;
        for (double& share : solution.column_share) share /= column_sum;
    } else {
        solution.row_share[0] = solution.column_share[0] = 1.0;
    }
    solution.value = max_row_mean(game, solution.column_share);
    return solution;
}

double max_row_mean(const MatrixGame& game, const std::array<double, MatrixGame::kMaxColumns>& column_share) {
    std::array<double, MatrixGame::kMaxRows> sum{};
    for (std::size_t k = 0; k < game.columns; ++k)
        if (column_share[k] > 0.0)
            for (std::size_t j = 0; j < game.rows; ++j) sum[j] += column_share[k] * game.gain[k][j];
    return *std::max_element(sum.begin(), sum.begin() + static_cast<std::ptrdiff_t>(game.rows));
}

}  // namespace glovebox::collision
