// Solves small matrix games. Weights of the rows turn each column into one number, the weighted mean of its gains (the
// entries of the matrix). The solution is the weights for which the smallest of these means is largest; that mean is
// the value of the game.
//
// Used by branch and bound where an objective has several upper bounds that are convex functions of position. Rows are
// the corners of a cell, columns are the bounds, and gains are the bounds' values at the corners. A point of the cell
// is a weighted mean of the corners, so each bound is at most the weighted mean of its values at the corners. The
// smallest bound, and so the objective, is therefore nowhere in the cell above the value of the game.
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
    /// Weights of the columns; they sum to 1. Positive only for columns whose mean is the value.
    std::array<double, MatrixGame::kMaxColumns> column_share;
    double value;  ///< of the game, rounded up: no row weights have a smallest mean above it
};

/// Solves the game, which must have at least one row and column, and finite gains. Applies the simplex method to the
/// linear program for the columns' weights, whose dual gives the rows' weights: a few pivots, each of rows x columns
/// operations.
GameSolution solve(const MatrixGame& game);

/// Weights of the columns turn each row into the weighted mean of its gains. Returns the largest of these means, which
/// is an upper bound of the game's value.
double max_row_mean(const MatrixGame& game, const std::array<double, MatrixGame::kMaxColumns>& column_share);

}  // namespace glovebox::collision
