// Draws the sections that several panels share: headline, segmented controls, methods, cost table, and chart of the
// last 10 s.
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

/// The card that is being drawn. Sections are drawn in an ImGui window and advance its cursor.
struct Card {
    const Brush& brush;
    bool roomy;  ///< more than 1000 logical pixels high, with taller rows and the chart of the last 10 s
};

/// Draws a line across the card above the next section.
void separator(const Brush& brush);

/// Draws the 99th percentile of the durations, and the ratio of that percentile to the budget.
void draw_headline(const Card& card, std::string_view label, const DurationHistogram* measured, double budget_us,
                   std::string_view budget);

/// An option of a segmented control.
struct Segment {
    std::string_view name;
    char key = 0;           ///< key that selects it, drawn small before the name; 0: none
    std::string hint = {};  ///< tooltip
};
/// Draws a segmented control, in as many rows as the names need. Returns the index of the segment that was pressed, or
/// -1.
int draw_segments(const Brush& brush, const char* id, std::span<const Segment> segments, std::size_t chosen);

void draw_methods(const Card& card, const ViewModel& model, ViewCommands& commands);
void draw_advice(const Card& card, const ViewModel& model, ViewCommands& commands);

/// A column of percentiles.
struct CostColumn {
    const char* name;
    double fraction;  ///< the percentile as a fraction 0..1; 1 is the maximum
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
    float name_width;  ///< width of the names, to the right of which the histograms begin
    std::span<const CostColumn> columns;
    const char* sentence = nullptr;  ///< tooltip of the title
};
/// Draws a table with a name, a histogram and percentiles in each row. All histograms share one logarithmic axis.
void draw_cost_table(const Card& card, const CostTable& table, std::span<const CostRow> rows);

/// Draws each frame's total time over the last 10 s, from 1 us to just above 1/90 s. Frames above 1.5 times `p99_us`
/// or above 1/90 s are marked as outliers.
void draw_strip(const Card& card, std::span<const float> recent_us, double p99_us);

}  // namespace glovebox::vr
