#include "vr/bench/plot.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <memory>

#include "vr/report.h"

namespace glovebox::vr {
namespace {

Plot::Style style_of(const Plot& figure, const PlotSeries& series) {
    for (const auto& [label, style] : figure.styles)
        if (label == series.label) return style;
    return figure.style;
}

std::string number(double value) {
    std::array<char, 40> text{};
    std::snprintf(text.data(), text.size(), "%.9g", value);
    return text.data();
}

/// Inside a double-quoted string of gnuplot.
std::string quoted(const std::string& text) {
    std::string out = "\"";
    for (const char c : text) {
        if (c == '"' || c == '\\') out += '\\';
        out += c;
    }
    return out + "\"";
}

std::string csv_text(const Plot& figure) {
    std::string text = "series,x,y\n";
    for (const PlotSeries& series : figure.series)
        for (const auto& [x, y] : series.points) {
            std::string label = series.label;
            std::replace(label.begin(), label.end(), ',', ';');
            text += label + ',' + number(x) + ',' + number(y) + '\n';
        }
    return text;
}

std::string gnuplot_text(const Plot& figure, const std::filesystem::path& svg) {
    // Colours that hold on white and in print, also for most colour-blind eyes (Okabe and Ito).
    constexpr std::array kColors = {"#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00",
                                    "#56b4e9", "#000000", "#999933", "#882255"};
    std::string text =
        "set terminal svg size 860,560 dynamic enhanced font 'Inter,14' background '#ffffff'\nset output " +
        quoted(svg.string()) +
        "\nset termoption noenhanced\nset border 3 lc rgb '#808080'\nset tics nomirror out textcolor rgb "
        "'#404040'\nset grid lc rgb '#e4e4e4' lw 1 lt 1\n"
        "set key outside right top textcolor rgb '#404040' samplen 1.5 spacing 1.2\nset title " +
        quoted(figure.title) + " left offset 0,0.3\nset xlabel " + quoted(figure.x_label) + "\nset ylabel " +
        quoted(figure.y_label) + "\n";
    if (figure.log_x) text += "set logscale x\n";
    if (figure.log_y) text += "set logscale y\n";
    if (figure.style == Plot::Style::labels)
        text += "unset key\nset offsets graph 0.12, graph 0.12, graph 0.06, graph 0.06\n";
    if (figure.style == Plot::Style::strokes || figure.style == Plot::Style::marks) text += "set size ratio -1\n";

    std::string data, plot;
    for (std::size_t i = 0; i < figure.series.size(); ++i) {
        const PlotSeries& series = figure.series[i];
        const Plot::Style style = style_of(figure, series);
        const std::string block = "$s" + std::to_string(i),
                          color = std::string("lc rgb '") + kColors[i % kColors.size()] + "'";
        data += block + " << EOD\n";
        for (std::size_t k = 0; k < series.points.size(); ++k) {
            data += number(series.points[k].first) + ' ' + number(series.points[k].second) + '\n';
            if (style == Plot::Style::strokes && k % 2 == 1) data += '\n';
        }
        data += "EOD\n";
        plot += i == 0 ? "plot " : ", \\\n     ";
        switch (style) {
            case Plot::Style::lines:
                plot += block + " with linespoints lw 2 pt 7 ps 0.6 " + color;
                break;
            case Plot::Style::labels:
                plot += block + " using 1:2:(" + quoted(series.label) + ") with labels point pt 7 ps 1 " + color +
                        " offset 0,0.9 textcolor rgb '#202020'";
                break;
            case Plot::Style::marks:
                plot += block + " with points pt 7 ps 0.25 " + color;
                break;
            case Plot::Style::strokes:
                plot += block + " with lines lw 1.5 " + color;
                break;
        }
        plot += " title " + quoted(series.label);
    }
    return text + data + plot + '\n';
}

}  // namespace

std::string draw(const Plot& figure, const std::filesystem::path& folder) {
    const std::filesystem::path csv = folder / (figure.name + ".csv"), svg = folder / (figure.name + ".svg");
    write_whole(csv, csv_text(figure));
    // A pipe that nobody reads must not end the program: gnuplot is asked for first.
    if (std::system("command -v gnuplot >/dev/null 2>&1") != 0)
        return csv.string() + " written; no gnuplot here to draw it (package gnuplot-nox)";
    const std::unique_ptr<std::FILE, int (*)(std::FILE*)> gnuplot(popen("gnuplot", "w"), pclose);
    if (!gnuplot) return csv.string() + " written; gnuplot could not be started";
    const std::string commands = gnuplot_text(figure, svg);
    std::fwrite(commands.data(), 1, commands.size(), gnuplot.get());
    return svg.string() + " drawn, its numbers in " + csv.filename().string();
}

Plot plot_of(std::string name, std::string title, std::string x_label, std::string y_label, bool log_log) {
    Plot figure;
    figure.name = std::move(name);
    figure.title = std::move(title);
    figure.x_label = std::move(x_label);
    figure.y_label = std::move(y_label);
    figure.log_x = figure.log_y = log_log;
    return figure;
}

void add_point(Plot& figure, std::string_view label, double x, double y) {
    for (PlotSeries& series : figure.series)
        if (series.label == label) {
            series.points.emplace_back(x, y);
            return;
        }
    figure.series.push_back({std::string(label), {{x, y}}});
}

void draw_if_asked(BenchResult& result, const BenchOptions& options, const Plot& figure) {
    if (!options.figures.empty()) result.notes.push_back(draw(figure, options.figures));
}

}  // namespace glovebox::vr
