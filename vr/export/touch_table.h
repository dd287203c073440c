// Formats touches as text for a terminal, as CSV and as JSON.
#pragma once

#include <nlohmann/json.hpp>
#include <span>
#include <string>

#include "vr/session/touch_list.h"

namespace glovebox::vr {

/// Formats one line per touch and gap, then totals. At most `max_lines` lines are followed by "and N more"; 0 means all
/// lines. If nothing is touched, gives a possible reason.
std::string touch_text(const TouchList& list, std::size_t max_lines = 0);
/// Formats one line per recording, with its name, the number and duration of touches, and the longest and deepest
/// touch.
std::string summary_text(std::span<const TouchList> lists);

/// Formats a header and one row per touch, gap and loss; column names contain the units. All lists must have the same
/// `by`.
std::string touch_csv(std::span<const TouchList> lists);

/// Returns {recording, scene, by, touches, gaps, lost, totals}, in seconds and metres.
nlohmann::ordered_json touch_json(const TouchList& list);

/// Totals of one hand part on one object; sums_of() returns them sorted by total time, the longest first.
struct TouchSum {
    tracking::Side side = tracking::Side::right;
    int part = 0, object = 0;
    std::uint64_t count = 0;
    double total_s = 0.0, longest_s = 0.0;
    float deepest_m = 0.0F;
};
std::vector<TouchSum> sums_of(const TouchList& list);

}  // namespace glovebox::vr
