// Charts for benches: numbers as CSV, drawn as SVG by gnuplot: lines, bars, named points, strokes, logarithmic axes.
// Drawings of bodies are in figure.h.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "vr/bench/bench.h"
#include "vr/bench/figure.h"

namespace glovebox::vr {

struct PlotSeries {
    std::string label;
    std::vector<std::pair<double, double>> points = {};
};

struct Plot {
    std::string name;  ///< of the files, without their ending
    std::string title, x_label, y_label;
    bool log_x = false, log_y = false;
    enum class Style : std::uint8_t {
        lines,    ///< a line with points for each series
        labels,   ///< one named point for each series
        marks,    ///< points alone
        strokes,  ///< line segments between pairs of points
        rows,     ///< points at a value (x) in a named row (y: its number, from 0)
        bars      ///< a value (y) of a named bar (x: its number, from 0); series are stacked
    };
    Style style = Style::lines;
    std::vector<PlotSeries> series = {};
    std::vector<std::pair<std::string, Style>> styles = {};  ///< of single series, by label; the others use `style`
    std::vector<std::string> rows = {};  ///< names of the rows from the top, or of the bars from the left
};

/// Returns an empty plot; `log_log`: both axes in powers of ten.
Plot plot_of(std::string name, std::string title, std::string x_label, std::string y_label, bool log_log = false);

/// Returns an empty plot of named rows, with values along x.
Plot rows_of(std::string name, std::string title, std::string x_label, std::vector<std::string> rows,
             bool log_x = false);

/// Returns a plot of named bars; each series is stacked on the one before.
Plot bars_of(std::string name, std::string title, std::string unit, std::vector<std::string> bars,
             const std::vector<std::pair<std::string, std::vector<double>>>& stacks);

/// Adds a point to the series of that label, which is created if there is none.
void add_point(Plot& figure, std::string_view label, double x, double y);

/// Runs gnuplot on `commands`, which set the terminal but no output, and writes its output to `svg`. Untrusted names
/// must be quoted with tracking::gnuplot_string(). Returns false if gnuplot is not installed or fails.
bool run_gnuplot(const std::string& commands, const std::filesystem::path& svg);

/// Writes NAME.csv (series,x,y; for named rows series,row,value; for bars the name and a column per series) and draws
/// NAME.svg into the folder. Returns a sentence for the user: what was written, or that gnuplot is missing. Throws
/// std::runtime_error if the CSV cannot be written.
std::string draw(const Plot& figure, const std::filesystem::path& folder);

/// Draws if the user named a folder for figures, and adds the figure to the result, or a note if gnuplot is missing.
void draw_if_requested(BenchResult& result, const BenchOptions& options, const Plot& figure);

/// Writes a drawing into the folder that the user named for figures, and adds it to the result.
void save_figure(BenchResult& result, const BenchOptions& options, const Figure& figure, const std::string& file,
                 std::string title);

}  // namespace glovebox::vr
