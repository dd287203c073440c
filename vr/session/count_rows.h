// Table of a frame's counts. Each has two names, the paper's key and a plain one. Report, table and panel list them.
#pragma once

#include <array>
#include <string_view>

#include "collision/query/collide.h"

namespace glovebox::vr {

/// One count with its two names.
struct CountRow {
    std::string_view key, name;  ///< "n_u", "boxes refitted"
    std::int64_t (*of)(const collision::CollideCounts& counts);
};

inline constexpr std::array kCountRows = {
    CountRow{"coll", "candidate pairs", [](const auto& c) { return c.candidates; }},
    CountRow{"false", "false positives", [](const auto& c) { return c.candidates - c.touching; }},
    CountRow{"true", "pairs that touch", [](const auto& c) { return c.touching; }},
    CountRow{"n_u", "boxes refitted", [](const auto& c) { return c.n_u; }},
    CountRow{"n_v", "box tests", [](const auto& c) { return c.n_v; }},
    CountRow{"n_p", "exact tests", [](const auto& c) { return c.n_p; }},
    CountRow{"n_v_object", "box tests against objects", [](const auto& c) { return c.n_v_object; }},
    CountRow{"n_v_tree", "box tests against trees", [](const auto& c) { return c.n_v_tree; }},
    CountRow{"n_v_exact", "box tests within exact tests", [](const auto& c) { return c.n_v_exact; }}};

}  // namespace glovebox::vr
