// Solves small matrix games: finds the weights of the rows that maximise the least gain over all columns.
//
// Used by branch and bound where an objective has several upper bounds. Rows are the corners of a cell; columns are
// bounds that are convex functions of position. At every point of the cell, the least of the bounds, and so the
// objective, is at most the game's value.
#pragma once

#include <array>
#include <cstddef>

namespace glovebox::collision {

struct MatrixGame {
    static constexpr std::size_t kMaxRows = 8, kMaxColumns = 24;
    std::array<std::array<double, kMaxRows>, kMaxColumns> gain;  ///< [column][row]
    std::size_t rows = 0, columns = 0;
};

struct GameSolution {
    std::array<double, MatrixGame::kMaxRows> row_share;  ///< weights of the rows; they sum to 1
    /// Weights of the columns; they sum to 1. Positive only for columns that limit the value.
    std::array<double, MatrixGame::kMaxColumns> column_share;
    double value;  ///< rounded such that no row weights have a larger least gain
};

/// Solves the game, which must have at least one row and column, and finite gains. Applies the simplex method to
/// the linear program for the columns' weights: a few pivots, each of rows x columns operations.
GameSolution solve(const MatrixGame& game);

/// Returns the largest gain of any row for given weights of the columns, which is an upper bound of the game's value.
double max_remaining(const MatrixGame& game, const std::array<double, MatrixGame::kMaxColumns>& column_share);

}  // namespace glovebox::collision
