// What the cards on the right are made of: a pen that runs down the card, and the sections that more than one card has.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "vr/session/view_model.h"
#include "vr/ui/histogram_view.h"
#include "vr/ui/theme.h"

namespace glovebox::vr {

inline constexpr double kFrame90_us = 1e6 / 90.0;

/// Runs down the card; sections move `y` on.
struct Pen {
    static constexpr float kPad = 16.0F;

    const Brush& brush;
    Box box;
    float y;
    bool roomy;  ///< more than 1000 logical pixels of height: taller rows and the strip of the last 10 s

    float left() const { return box.x + kPad; }
    float right() const { return box.right() - kPad; }
    float width() const { return box.width - 2 * kPad; }
};

/// A number through one printf conversion.
std::string formatted(const char* pattern, double value);

void separator(const Pen& pen);

/// The 99th percentile of what is measured, and how much of a budget that is.
void draw_headline(Pen& pen, std::string_view label, const DurationHistogram* measured, double budget_us,
                   std::string_view budget);

/// The methods as a segmented control, in as many rows as they need.
void draw_methods(Pen& pen, const ViewModel& model, ViewCommands& commands);
void draw_advice(Pen& pen, const ViewModel& model, ViewCommands& commands);

struct CostColumn {
    const char* name;
    double fraction;  ///< 1: the largest
    bool strong;
};
struct CostRow {
    std::string_view name;
    const DurationHistogram* cost;
    bool strong = false;
    const char* sentence = nullptr;  ///< for whoever points at it; null: none
};
struct CostTable {
    std::string_view title;
    float name_width;  ///< the histograms begin there
    std::span<const CostColumn> columns;
};
/// Rows of a name, a histogram on one logarithmic axis, and percentiles.
void draw_cost_table(Pen& pen, const CostTable& table, std::span<const CostRow> rows);

/// Each frame's total over the last 10 s, 10 us up to just above 1/90 s. What exceeds `p99_us` by half is an outlier.
void draw_strip(Pen& pen, std::span<const float> recent_us, double p99_us);

}  // namespace glovebox::vr
