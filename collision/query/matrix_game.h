// A matrix game: of all mixtures of the rows the one whose least column gains most.
//
// What searches with several upper bounds come down to: rows are the corners of a cell, columns bounds that are convex
// functions of the place, so that no place in the cell has more than the game's value.
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
    /// Sum 1; not 0 only for columns that hold the value down.
    std::array<double, MatrixGame::kMaxColumns> column_share;
    double value;  ///< no mixture of rows gains more, however the rest was rounded
};

/// Rows and columns: at least one of each; gains finite. The simplex method from the columns' side: some pivots, each
/// rows times columns.
GameSolution solve(const MatrixGame& game);

/// What a mixture of columns leaves at most to any row.
double most_left(const MatrixGame& game, const std::array<double, MatrixGame::kMaxColumns>& column_share);

}  // namespace glovebox::collision
