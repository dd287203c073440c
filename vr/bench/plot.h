// Charts for benches: lines, bars, named points and strokes, with linear or logarithmic axes. The numbers are written
// as CSV, and gnuplot draws them as SVG. Drawings of bodies are in figure.h.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "vr/bench/bench.h"
#include "vr/export/figure.h"

namespace glovebox::vr {

struct PlotSeries {
    std::string label;
    std::vector<std::pair<double, double>> points = {};
};

struct Plot {
    std::string name;  ///< name of the files, without extension
    std::string title, x_label, y_label;
    bool log_x = false, log_y = false;
    enum class Style : std::uint8_t {
        lines,    ///< a line with points for each series
        labels,   ///< one named point for each series
        marks,    ///< points without lines
        strokes,  ///< line segments between pairs of points
        rows,     ///< points at a value (x) in a named row (y is its index)
        bars      ///< a value (y) of a named bar (x is its index); series are stacked
    };
    Style style = Style::lines;
    std::vector<PlotSeries> series = {};
    std::vector<std::pair<std::string, Style>> styles = {};  ///< styles of single series, by label; others use `style`
    std::vector<std::string> rows = {};  ///< names of the rows from the top, or of the bars from the left
};

/// Returns an empty plot. If `log_log` is true, both axes are logarithmic.
Plot plot_of(std::string name, std::string title, std::string x_label, std::string y_label, bool log_log = false);

/// Returns an empty plot of named rows, with values along x.
Plot rows_of(std::string name, std::string title, std::string x_label, std::vector<std::string> rows,
             bool log_x = false);

/// Returns a plot of named bars. Each series is stacked on the previous one.
Plot bars_of(std::string name, std::string title, std::string unit, std::vector<std::string> bars,
             const std::vector<std::pair<std::string, std::vector<double>>>& stacks);

/// Adds a point to the series with this label. If there is no such series, creates it.
void add_point(Plot& figure, std::string_view label, double x, double y);

/// Runs gnuplot with `commands`, which set the terminal but no output file, and writes the output to `svg`. Untrusted
/// names must be quoted with tracking::gnuplot_string(). Returns false if gnuplot is not installed or fails.
bool run_gnuplot(const std::string& commands, const std::filesystem::path& svg);

/// Writes NAME.csv and draws NAME.svg into the folder. The CSV has the columns series,x,y, or series,row,value for
/// named rows. For bars it has the name and one column per series. Returns a sentence for the user, which says what was
/// written or that gnuplot is missing. Throws std::runtime_error if the CSV cannot be written.
std::string draw(const Plot& figure, const std::filesystem::path& folder);

/// If the user named a folder for figures, draws the figure and adds it to the result. If gnuplot is missing, adds a
/// note instead.
void draw_if_requested(BenchResult& result, const BenchOptions& options, const Plot& figure);

/// Writes a drawing into the folder that the user named for figures, and adds it to the result.
void save_figure(BenchResult& result, const BenchOptions& options, const Figure& figure, const std::string& file,
                 std::string title);

}  // namespace glovebox::vr
