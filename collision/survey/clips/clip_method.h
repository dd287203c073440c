// Methods that decide whether two placed clips collide: entries of one table with one signature.
//
// All give the same result as testing every pair of samples that share an instant; they differ in the tests made
// before. Names are the paper's [Sung05, sec. 4 and 5], except for the wide tree, which is new. When the paper was
// written, a box test cost as much as one sample test; today it costs ten. So a tree pays only if many bounds are
// tested at once. A new method needs only a new entry.
#pragma once

#include <span>
#include <string_view>

#include "collision/survey/clips/clip_tree.h"

namespace glovebox::collision::clips {

/// The paper's counts of box tests in 2-D and in 3-D and of sample tests, and the outcomes of its figure 3.
struct ClipCounts {
    std::int64_t queries = 0, hits = 0;
    std::int64_t tests_2d = 0, tests_3d = 0, sample_tests = 0;
    std::int64_t time_tests = 0;
    std::int64_t apart_in_time = 0;    ///< fig. 3(c), where no box test was needed
    std::int64_t apart_in_space = 0;   ///< fig. 3(b, d)
    std::int64_t leaf_tests = 0;       ///< leaves that were reached, so that samples were compared
    std::int64_t decided_at_root = 0;  ///< queries rejected by the root boxes alone
};

struct ClipMethod {
    std::string_view name;     ///< as in `--method mobb`
    std::string_view summary;  ///< one line of help for the user
    ClipTree (*build)(Clip clip, const ClipFit& fit);
    /// Returns true if the clips collide; stops at the first collision. Adds to `counts`. No allocation. Throws
    /// std::invalid_argument if the clips differ in dt or time scale, or if a placement is not finite.
    bool (*collide)(const ClipTree& a, const ClipPlacement& placed_a, const ClipTree& b, const ClipPlacement& placed_b,
                    ClipCounts& counts);
};

/// Returns all methods, the default ("mobb") first, brute force last.
std::span<const ClipMethod> clip_methods();

/// Returns the method of that name, or nullptr.
const ClipMethod* find_clip_method(std::string_view name);

}  // namespace glovebox::collision::clips
