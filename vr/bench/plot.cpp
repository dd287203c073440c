#include "vr/bench/plot.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>

#include "recordings/output.h"
#include "tracking/formatted.h"
#include "tracking/quoted.h"
#include "vr/session/report.h"

namespace glovebox::vr {
namespace {

using tracking::csv_cell;
using tracking::formatted;
using tracking::gnuplot_string;

Plot::Style style_of(const Plot& figure, const PlotSeries& series) {
    for (const auto& [label, style] : figure.styles)
        if (label == series.label) return style;
    return figure.style;
}

std::string number(double value) {
    return formatted("%.9g", value);
}

std::string bars_csv(const Plot& figure) {
    std::string text = "bar";
    for (const PlotSeries& series : figure.series) text += ',' + csv_cell(series.label);
    for (std::size_t bar = 0; bar < figure.rows.size(); ++bar) {
        text += '\n' + csv_cell(figure.rows[bar]);
        for (const PlotSeries& series : figure.series) text += ',' + number(series.points[bar].second);
    }
    return text + '\n';
}

std::string csv_text(const Plot& figure) {
    if (figure.style == Plot::Style::bars) return bars_csv(figure);
    const bool rows = !figure.rows.empty();
    std::string text = rows ? "series,row,value\n" : "series,x,y\n";
    for (const PlotSeries& series : figure.series)
        for (const auto& [x, y] : series.points)
            text += csv_cell(series.label) + ',' +
                    (rows ? csv_cell(figure.rows[static_cast<std::size_t>(y)]) + ',' + number(x)
                          : number(x) + ',' + number(y)) +
                    '\n';
    return text;
}

// Escapes the name of a tic, which gnuplot would interpret as a number format.
std::string tic_name(std::string_view name) {
    std::string text;
    for (const char c : name) text += c == '%' ? std::string("%%") : std::string(1, c);
    return gnuplot_string(text);
}

// Writes the names of the rows as tics, the first on top. The key is below, because the names take the width.
std::string rows_text(const Plot& figure) {
    std::string tics;
    for (std::size_t row = 0; row < figure.rows.size(); ++row)
        tics += (row == 0 ? "" : ", ") + tic_name(figure.rows[row]) + ' ' + std::to_string(row);
    return "set ytics (" + tics + ")\nset yrange [" + number(static_cast<double>(figure.rows.size()) - 0.4) +
           ":-0.6]\nset key at screen 0.99, screen 0.925 right top horizontal\nset tmargin 6\nset "
           "offsets graph 0.03, graph 0.03, 0, 0\n";
}

// Returns a name as a gnuplot expression: words in single quotes, with line feeds between them.
std::string a_word_a_line(std::string_view name) {
    std::string text;
    for (std::size_t from = 0; from <= name.size();) {
        const std::size_t to = std::min(name.find(' ', from), name.size());
        text += (text.empty() ? "" : ".\"\\n\".") + tic_name(name.substr(from, to - from));
        from = to + 1;
    }
    return text;
}

// Writes the names of the bars, one word per line, and each bar's total above it.
std::string bars_text(const Plot& figure) {
    std::string tics, totals;
    double highest = 0.0;
    std::ptrdiff_t lines = 1;
    for (std::size_t bar = 0; bar < figure.rows.size(); ++bar) {
        const std::string name = a_word_a_line(figure.rows[bar]);
        lines = std::max(lines, 1 + std::ranges::count(figure.rows[bar], ' '));
        tics += (bar == 0 ? "" : ", ") + name + ' ' + std::to_string(bar);
        double total = 0.0;
        for (const PlotSeries& series : figure.series) total += series.points[bar].second;
        highest = std::max(highest, total);
        totals += std::to_string(bar) + ' ' + number(total) + ' ' +
                  tracking::formatted(total >= 100.0 ? "%.0f" : "%.3g", total) + '\n';
    }
    return "set xtics (" + tics + ")\nset yrange [0:" + number(highest > 0.0 ? 1.08 * highest : 1.0) +
           "]\nset xrange [-0.6:" + number(static_cast<double>(figure.rows.size()) - 0.4) + "]\nset bmargin " +
           std::to_string(lines + 2) + "\nset boxwidth 0.7\nset style fill solid\n$totals << EOD\n" + totals + "EOD\n" +
           (figure.series.size() == 1 ? "unset key\n" : "");
}

std::string gnuplot_text(const Plot& figure) {
    // Colours that are visible on white and in print, also for most colour-blind readers (Okabe and Ito).
    constexpr std::array kColors = {"#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00",
                                    "#56b4e9", "#000000", "#999933", "#882255"};
    // The marks differ too: filled and hollow circles, squares, triangles.
    constexpr std::array kMarks = {7, 4, 8, 5, 6, 9};
    std::string text =
        "set terminal svg size 860,560 dynamic noenhanced font 'Inter,14' background '#ffffff'\nset border 3 lc rgb "
        "'#808080'\nset tics nomirror out textcolor rgb "
        "'#404040'\nset grid lc rgb '#e4e4e4' lw 1 lt 1\n"
        "set key outside right top Left reverse textcolor rgb '#404040' samplen 1.5 spacing 1.2\nset tmargin 4\nset "
        "format '%g'\nset label 1 " +
        gnuplot_string(figure.title) +
        " at screen 0.015, screen 0.965 font 'Inter,17' textcolor rgb '#202020'\nset xlabel " +
        gnuplot_string(figure.x_label) + "\nset ylabel " + gnuplot_string(figure.y_label) + "\n";
    if (figure.log_x) text += "set logscale x\n";
    if (figure.log_y) text += "set logscale y\n";
    if (figure.style == Plot::Style::bars)
        text += bars_text(figure);
    else if (!figure.rows.empty())
        text += rows_text(figure);
    if (figure.style == Plot::Style::labels)
        text += "unset key\nset offsets graph 0.12, graph 0.12, graph 0.06, graph 0.06\n";
    if (figure.style == Plot::Style::strokes || figure.style == Plot::Style::marks) text += "set size ratio -1\n";

    std::string data, plot;
    std::vector<double> below(figure.rows.size(), 0.0);
    for (std::size_t i = 0; i < figure.series.size(); ++i) {
        const PlotSeries& series = figure.series[i];
        const Plot::Style style = style_of(figure, series);
        const std::string block = "$s" + std::to_string(i),
                          color = std::string("lc rgb '") + kColors[i % kColors.size()] + "'";
        data += block + " << EOD\n";
        for (std::size_t k = 0; k < series.points.size(); ++k) {
            data += number(series.points[k].first) + ' ' + number(series.points[k].second);
            // Bars are stacked on those of the previous series.
            if (style == Plot::Style::bars) {
                data += ' ' + number(below[k]);
                below[k] += series.points[k].second;
            }
            data += '\n';
            if (style == Plot::Style::strokes && k % 2 == 1) data += '\n';
        }
        data += "EOD\n";
        plot += i == 0 ? "plot " : ", \\\n     ";
        switch (style) {
            case Plot::Style::lines:
                // With very many points only the line is drawn. Dashes, where the colours begin again.
                plot += block +
                        (series.points.size() > 60 ? " with lines lw 2 " : " with linespoints lw 2 pt 7 ps 0.6 ") +
                        color + (i < kColors.size() ? "" : " dt 2");
                break;
            case Plot::Style::rows:
                plot +=
                    block + " with points ps 1.1 lw 1.6 pt " + std::to_string(kMarks[i % kMarks.size()]) + ' ' + color;
                break;
            case Plot::Style::labels:
                plot += block + " using 1:2:(" + gnuplot_string(series.label) + ") with labels point pt 7 ps 1 " +
                        color + " offset 0,0.9 textcolor rgb '#202020'";
                break;
            case Plot::Style::marks:
                plot += block + " with points pt 7 ps 0.25 " + color;
                break;
            case Plot::Style::bars:
                plot += block + " using 1:($3+$2/2):(0.35):($2/2) with boxxyerror " + color;
                break;
            case Plot::Style::strokes:
                plot += block + " with lines lw 1.5 " + color;
                break;
        }
        plot += " title " + gnuplot_string(series.label);
    }
    if (figure.style == Plot::Style::bars)
        plot += ", $totals using 1:2:3 with labels offset 0,0.6 textcolor rgb '#606060' notitle";
    return text + data + plot + '\n';
}

constexpr const char* kNotDrawn = " written; gnuplot is missing or failed to draw it (package gnuplot-nox)";

// Returns false if the figure was not drawn.
bool write_and_draw(const Plot& figure, const std::filesystem::path& csv, const std::filesystem::path& svg) {
    write_whole(csv, csv_text(figure));
    return run_gnuplot(gnuplot_text(figure), svg);
}

}  // namespace

bool run_gnuplot(const std::string& commands, const std::filesystem::path& svg) {
    // Check that gnuplot exists first: writing to a pipe without a reader would end the program.
    if (std::system("command -v gnuplot >/dev/null 2>&1") != 0) return false;
    recordings::Replacement out(svg);
    recordings::make_new_file(out.part());
    // The shell opens the file, because its name may contain line feeds, which gnuplot strings cannot.
    std::FILE* gnuplot = popen(("gnuplot >" + tracking::shell_word(out.part().string())).c_str(), "w");
    if (gnuplot == nullptr) return false;
    const bool written = std::fwrite(commands.data(), 1, commands.size(), gnuplot) == commands.size();
    if (pclose(gnuplot) != 0 || !written) return false;
    out.place();
    return true;
}

std::string draw(const Plot& figure, const std::filesystem::path& folder) {
    const std::filesystem::path csv = folder / (figure.name + ".csv"), svg = folder / (figure.name + ".svg");
    if (!write_and_draw(figure, csv, svg)) return csv.string() + kNotDrawn;
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

Plot rows_of(std::string name, std::string title, std::string x_label, std::vector<std::string> rows, bool log_x) {
    Plot figure = plot_of(std::move(name), std::move(title), std::move(x_label), {});
    figure.style = Plot::Style::rows;
    figure.rows = std::move(rows);
    figure.log_x = log_x;
    return figure;
}

Plot bars_of(std::string name, std::string title, std::string unit, std::vector<std::string> bars,
             const std::vector<std::pair<std::string, std::vector<double>>>& stacks) {
    Plot figure = plot_of(std::move(name), std::move(title), {}, std::move(unit));
    figure.style = Plot::Style::bars;
    figure.rows = std::move(bars);
    for (const auto& [label, values] : stacks)
        for (std::size_t bar = 0; bar < values.size(); ++bar)
            add_point(figure, label, static_cast<double>(bar), values[bar]);
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

void draw_if_requested(BenchResult& result, const BenchOptions& options, const Plot& figure) {
    if (options.figures.empty()) return;
    const std::filesystem::path csv = options.figures / (figure.name + ".csv");
    if (write_and_draw(figure, csv, options.figures / (figure.name + ".svg")))
        result.figures.push_back({figure.name + ".svg", figure.title});
    else
        result.notes.push_back(csv.filename().string() + kNotDrawn);
}

void save_figure(BenchResult& result, const BenchOptions& options, const Figure& figure, const std::string& file,
                 std::string title) {
    figure.save(options.figures / file);
    result.figures.push_back({file, std::move(title)});
}

}  // namespace glovebox::vr
