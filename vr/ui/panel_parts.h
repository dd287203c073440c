// The sections that more than one card on the right has.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "vr/session/view_model.h"
#include "vr/ui/histogram_view.h"
#include "vr/ui/rows.h"
#include "vr/ui/theme.h"

namespace glovebox::vr {

inline constexpr double kFrame90_us = 1e6 / 90.0;

/// The card that is being drawn. Sections stand in an ImGui window and move its cursor on.
struct Card {
    const Brush& brush;
    bool roomy;  ///< more than 1000 logical pixels of height: taller rows and the strip of the last 10 s
};

/// A line across the card above the next section.
void separator(const Brush& brush);

/// The 99th percentile of what is measured, and how much of a budget that is.
void draw_headline(const Card& card, std::string_view label, const DurationHistogram* measured, double budget_us,
                   std::string_view budget);

struct Segment {
    std::string_view name;
    char key = 0;           ///< that chooses it, drawn small before the name; 0: none
    std::string hint = {};  ///< tooltip
};
/// A segmented control, in as many rows as the names need. Returns the segment that was pressed, or -1.
int draw_segments(const Brush& brush, const char* id, std::span<const Segment> segments, std::size_t chosen);

void draw_methods(const Card& card, const ViewModel& model, ViewCommands& commands);
void draw_advice(const Card& card, const ViewModel& model, ViewCommands& commands);

struct CostColumn {
    const char* name;
    double fraction;  ///< 1: the largest
    bool strong;
};
struct CostRow {
    std::string_view name;
    const DurationHistogram* cost;
    bool strong = false;
    const char* sentence = nullptr;  ///< tooltip; null: none
};
struct CostTable {
    std::string_view title;
    float name_width;  ///< the histograms begin there
    std::span<const CostColumn> columns;
};
/// Rows of a name, a histogram on one logarithmic axis, and percentiles.
void draw_cost_table(const Card& card, const CostTable& table, std::span<const CostRow> rows);

/// Each frame's total over the last 10 s, 10 us up to just above 1/90 s. What exceeds `p99_us` by half is an outlier.
void draw_strip(const Card& card, std::span<const float> recent_us, double p99_us);

}  // namespace glovebox::vr
