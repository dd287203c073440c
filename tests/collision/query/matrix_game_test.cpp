// Matrix games: the values of both players' strategies agree, and games solved by hand.
#include "collision/query/matrix_game.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "tests/collision/random_shapes.h"

namespace glovebox::collision {
namespace {

// Returns the guaranteed gain of the row mixture; it is at most the bound that the column mixture guarantees.
double least_gained(const MatrixGame& game, const GameSolution& solution) {
    double least = std::numeric_limits<double>::infinity();
    for (std::size_t k = 0; k < game.columns; ++k) {
        double gained = 0.0;
        for (std::size_t j = 0; j < game.rows; ++j) gained += solution.row_share[j] * game.gain[k][j];
        least = std::min(least, gained);
    }
    return least;
}

TEST(MatrixGame, TheMixtureOfRowsGainsWhatTheMixtureOfColumnsLeaves) {
    RandomShapes random(201);
    int mixed = 0;
    for (int round = 0; round < 5000; ++round) {
        MatrixGame game;
        game.rows = 1 + static_cast<std::size_t>(round) % MatrixGame::kMaxRows;
        game.columns = 1 + static_cast<std::size_t>(round / 8) % MatrixGame::kMaxColumns;
        const float size = std::pow(10.0F, random.between(-6.0F, 3.0F)), base = size * random.between(-3.0F, 3.0F);
        for (std::size_t k = 0; k < game.columns; ++k)
            for (std::size_t j = 0; j < game.rows; ++j)
                game.gain[k][j] = static_cast<double>(base + size * random.between(-1.0F, 1.0F));
        // Some columns are duplicates and some rows are equal.
        if (round % 3 == 0) game.gain[game.columns - 1] = game.gain[0];
        if (round % 5 == 0)
            for (std::size_t k = 0; k < game.columns; ++k) game.gain[k][game.rows - 1] = game.gain[k][0];
        const GameSolution solution = solve(game);
        const auto rows_end = solution.row_share.begin() + static_cast<std::ptrdiff_t>(game.rows);
        const auto columns_end = solution.column_share.begin() + static_cast<std::ptrdiff_t>(game.columns);
        ASSERT_NEAR(std::accumulate(solution.row_share.begin(), rows_end, 0.0), 1.0, 1e-12);
        ASSERT_NEAR(std::accumulate(solution.column_share.begin(), columns_end, 0.0), 1.0, 1e-12);
        ASSERT_TRUE(std::none_of(solution.row_share.begin(), rows_end, [](double share) { return share < 0.0; }));
        ASSERT_NEAR(least_gained(game, solution), solution.value, 1e-8 * static_cast<double>(size)) << round;
        ASSERT_GE(solution.value, least_gained(game, solution) - 1e-12 * static_cast<double>(size));
        mixed += *std::max_element(solution.row_share.begin(), rows_end) < 0.9 ? 1 : 0;
    }
    EXPECT_GT(mixed, 1500);
}

TEST(MatrixGame, OneRowHasItsLeastColumnAndOneColumnItsLargestRow) {
    MatrixGame game;
    game.rows = 1;
    game.columns = 3;
    for (std::size_t k = 0; k < 3; ++k) game.gain[k][0] = 3.0 - static_cast<double>(k);
    EXPECT_NEAR(solve(game).value, 1.0, 1e-12);
    game.rows = 3;
    game.columns = 1;
    game.gain[0] = {1.0, 7.0, 2.0};
    EXPECT_NEAR(solve(game).value, 7.0, 1e-12);
    EXPECT_NEAR(solve(game).row_share[1], 1.0, 1e-12);
}

// Two walls at a distance: in the middle, both allow half that distance.
TEST(MatrixGame, BetweenTwoWallsItIsHalfway) {
    MatrixGame game;
    game.rows = game.columns = 2;
    game.gain[0] = {0.0, 3.0};
    game.gain[1] = {1.0, 0.0};
    const GameSolution solution = solve(game);
    EXPECT_NEAR(solution.value, 0.75, 1e-12);
    EXPECT_NEAR(solution.row_share[1], 0.25, 1e-12);
    EXPECT_NEAR(solution.column_share[0], 0.25, 1e-12);
}

TEST(MatrixGame, EqualGainsHaveAnAnswer) {
    MatrixGame game;
    game.rows = 4;
    game.columns = 5;
    for (auto& column : game.gain) column.fill(2.0);
    EXPECT_NEAR(solve(game).value, 2.0, 1e-12);
}

}  // namespace
}  // namespace glovebox::collision
