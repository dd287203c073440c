// Solves small matrix games: finds the mixture of rows that maximises the least gain over all columns.
//
// Used by branch and bound with several upper bounds: rows are the corners of a cell, columns are bounds that are
// convex functions of position. No point of the cell exceeds the game's value.
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
    std::array<double, MatrixGame::kMaxRows> row_share;  ///< sum 1
    /// Weights of the columns; sum 1. Positive only for columns that limit the value.
    std::array<double, MatrixGame::kMaxColumns> column_share;
    double value;  ///< upper bound of every row mixture's gain, whatever the rounding
};

/// Solves the game, which must have at least one row and column, and finite gains. Uses the simplex method on the
/// columns' problem: a few pivots of rows x columns operations each.
GameSolution solve(const MatrixGame& game);

/// Returns the largest gain of any row against a mixture of columns: an upper bound of the game's value.
double max_remaining(const MatrixGame& game, const std::array<double, MatrixGame::kMaxColumns>& column_share);

}  // namespace glovebox::collision
