// Charts of benches: numbers as CSV, drawn as SVG by gnuplot: lines, bars, named points, strokes, logarithmic axes.
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
        lines,    ///< a line with points each
        labels,   ///< one named point each: where methods stand
        marks,    ///< points alone
        strokes,  ///< pairs of points, joined two by two
        rows,     ///< points at a value (x) in a named row (y: its number, from 0)
        bars      ///< a value (y) of a named bar (x: its number, from 0), one series upon the other
    };
    Style style = Style::lines;
    std::vector<PlotSeries> series = {};
    std::vector<std::pair<std::string, Style>> styles = {};  ///< of single series, by label; the others take `style`
    std::vector<std::string> rows = {};  ///< names of the rows, the first on top; of the bars, from the left
};

/// An empty plot; `log_log`: both axes in powers of ten.
Plot plot_of(std::string name, std::string title, std::string x_label, std::string y_label, bool log_log = false);

/// An empty plot of named rows, values along x.
Plot rows_of(std::string name, std::string title, std::string x_label, std::vector<std::string> rows,
             bool log_x = false);

/// Bars with those names; each series is stacked upon the one before.
Plot bars_of(std::string name, std::string title, std::string unit, std::vector<std::string> bars,
             const std::vector<std::pair<std::string, std::vector<double>>>& stacks);

/// Adds to the series of that label, which is begun where there is none.
void add_point(Plot& figure, std::string_view label, double x, double y);

/// Runs gnuplot on `commands`, which set the terminal but no output; what it prints becomes `svg`. Names of strangers
/// go into the commands through tracking::gnuplot_string() alone. False: gnuplot is not there, or failed.
bool run_gnuplot(const std::string& commands, const std::filesystem::path& svg);

/// Writes NAME.csv (series,x,y; series,row,value where rows are named; bar and a column for each series of bars) and
/// draws NAME.svg into the folder. Returns what to tell the user, one sentence: what was written, or that gnuplot is
/// not there. Throws std::runtime_error when the CSV cannot be written.
std::string draw(const Plot& figure, const std::filesystem::path& folder);

/// Draws where the user named a folder for figures, and adds the figure to the result; without gnuplot a note.
void draw_if_asked(BenchResult& result, const BenchOptions& options, const Plot& figure);

/// Writes a drawing into the folder that the user named for figures, and adds it to the result.
void save_figure(BenchResult& result, const BenchOptions& options, const Figure& figure, const std::string& file,
                 std::string title);

}  // namespace glovebox::vr
