// Touches as text for a terminal, as CSV and as JSON.
#pragma once

#include <nlohmann/json.hpp>
#include <span>
#include <string>

#include "vr/session/touch_list.h"

namespace glovebox::vr {

/// A line a touch and a line a gap, then sums; `most`: lines before "and N more", 0: all. Without any touch: why.
std::string touch_text(const TouchList& list, std::size_t most = 0);
/// A line a recording: what it is, how often and how long it touches, what is touched longest and deepest.
std::string summary_text(std::span<const TouchList> lists);

/// A header and a row a touch, gap and loss; units in the names of the columns. Several recordings need the same `by`.
std::string touch_csv(std::span<const TouchList> lists);

/// {recording, scene, by, touches, gaps, lost, totals}; seconds and metres.
nlohmann::ordered_json touch_json(const TouchList& list);

/// Sums by hand, part and object, the longest first.
struct TouchSum {
    tracking::Side side = tracking::Side::right;
    int part = 0, object = 0;
    std::uint64_t count = 0;
    double total_s = 0.0, longest_s = 0.0;
    float deepest_m = 0.0F;
};
std::vector<TouchSum> sums_of(const TouchList& list);

}  // namespace glovebox::vr
