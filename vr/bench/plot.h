// Plots of benches: numbers as CSV, drawn as SVG by gnuplot: logarithmic axes, named points, strokes. Drawings of
// bodies and bars are in figure.h.
#pragma once

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

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
        lines,   ///< a line with points each
        labels,  ///< one named point each: where methods stand
        marks,   ///< points alone
        strokes  ///< pairs of points, joined two by two
    };
    Style style = Style::lines;
    std::vector<PlotSeries> series = {};
    std::vector<std::pair<std::string, Style>> styles = {};  ///< of single series, by label; the others take `style`
};

/// Writes NAME.csv (series,x,y) and draws NAME.svg into the folder. Returns what to tell the user, one sentence: what
/// was written, or that gnuplot is not there. Throws std::runtime_error when the CSV cannot be written.
std::string draw(const Plot& figure, const std::filesystem::path& folder);

}  // namespace glovebox::vr
