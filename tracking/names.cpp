#include "tracking/names.h"

#include <algorithm>

namespace glovebox::tracking {
namespace {

// Returns the edit distance [Damerau64].
std::size_t distance(std::string_view a, std::string_view b) {
    std::vector<std::vector<std::size_t>> cost(a.size() + 1, std::vector<std::size_t>(b.size() + 1));
    for (std::size_t i = 0; i <= a.size(); ++i) cost[i][0] = i;
    for (std::size_t j = 0; j <= b.size(); ++j) cost[0][j] = j;
    for (std::size_t i = 1; i <= a.size(); ++i)
        for (std::size_t j = 1; j <= b.size(); ++j) {
            cost[i][j] = std::min(
                {cost[i - 1][j] + 1, cost[i][j - 1] + 1, cost[i - 1][j - 1] + (a[i - 1] == b[j - 1] ? 0U : 1U)});
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                cost[i][j] = std::min(cost[i][j], cost[i - 2][j - 2] + 1);
        }
    return cost[a.size()][b.size()];
}

}  // namespace

std::string listed(const std::vector<std::string>& names) {
    std::string all;
    for (const std::string& name : names) all += (all.empty() ? "" : ", ") + name;
    return all;
}

std::string nearest_name(std::string_view wrong, const std::vector<std::string>& names) {
    std::string best;
    std::size_t least = std::max<std::size_t>(2, wrong.size() / 3) + 1;
    for (const std::string& name : names) {
        std::size_t apart = distance(wrong, name);
        // A prefix of a name counts as one wrong letter.
        if (wrong.size() >= 3 && name.starts_with(wrong)) apart = std::min<std::size_t>(apart, 1);
        if (apart >= least) continue;
        least = apart;
        best = name;
    }
    return best;
}

}  // namespace glovebox::tracking
