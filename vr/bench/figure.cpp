#include "vr/bench/figure.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <limits>

#include "recordings/output.h"
#include "tracking/quoted.h"

namespace glovebox::vr {
namespace {

using Eigen::Vector2d;
using Eigen::Vector3f;

std::string number(double value) {
    std::array<char, 32> text{};
    std::snprintf(text.data(), text.size(), "%.5g", value);
    return text.data();
}

void write_text(const std::filesystem::path& path, const std::string& text) {
    recordings::Output out(path);
    out.write(text);
    out.commit();
}

// The largest of 1, 2, 5 times a power of ten that still gives at least four steps.
double step_of(double range) {
    if (!(range > 0.0)) return 1.0;
    const double power = std::pow(10.0, std::floor(std::log10(range / 4.0)));
    const double digits = range / 4.0 / power;
    return power * (digits >= 5.0 ? 5.0 : digits >= 2.0 ? 2.0 : 1.0);
}

// The plotting area and its scales.
struct Plot {
    double left = 70, top = 46, width = 560, height = 280;
    double x0 = 0, x1 = 1, y1 = 1;

    double x(double value) const { return left + width * (value - x0) / (x1 - x0); }
    double y(double value) const { return top + height * (1.0 - value / y1); }
};

void draw_y_axis(Figure& figure, const Plot& plot, const std::string& title) {
    const double step = step_of(plot.y1);
    for (int i = 0; i * step <= plot.y1 * 1.0001; ++i) {
        const double y = plot.y(i * step);
        figure.line({plot.left, y}, {plot.left + plot.width, y}, "#dddddd");
        figure.text(plot.left - 6, y + 4, number(i * step), 11, "end");
    }
    figure.text(plot.left, plot.top - 8, title, 11);
}

void draw_legend(Figure& figure, std::span<const Series> series, double x, double y) {
    for (const Series& one : series) {
        figure.rectangle(x, y - 9, 12, 10, one.color);
        figure.text(x + 17, y, one.name, 11);
        y += 17;
    }
}

// Words under a bar, broken over lines where the bar is narrow.
void draw_label(Figure& figure, double x, double y, double width, const std::string& words) {
    constexpr double kSize = 11.0, kMeanWidth = 0.55 * kSize;  // of a letter
    std::string line;
    const auto end_line = [&] {
        figure.text(x, y, line, kSize, "middle");
        y += kSize + 3.0;
        line.clear();
    };
    // A word ends at a space, which goes where the line is broken, or behind a hyphen, which stays.
    for (std::size_t begin = 0; begin < words.size();) {
        const std::size_t stop = words.find_first_of(" -", begin);
        const std::size_t end = stop == std::string::npos ? words.size() : stop + 1;
        if (!line.empty() && kMeanWidth * static_cast<double>(line.size() + end - begin) > width) end_line();
        line += words.substr(begin, end - begin);
        begin = end;
    }
    end_line();
}

std::string csv_of(const std::string& first, std::span<const std::string> labels, std::span<const Series> series) {
    std::string text = tracking::csv_cell(first);
    for (const Series& one : series) text += "," + tracking::csv_cell(one.name);
    text += "\n";
    for (std::size_t i = 0; i < labels.size(); ++i) {
        text += tracking::csv_cell(labels[i]);
        for (const Series& one : series) text += "," + number(one.values[i]);
        text += "\n";
    }
    return text;
}

}  // namespace

Figure::Figure(double width, double height) : width_(width), height_(height) {
    rectangle(0, 0, width, height, "#ffffff");
}

void Figure::line(const Vector2d& from, const Vector2d& to, std::string_view color, double width) {
    body_ += "<line x1='" + number(from.x()) + "' y1='" + number(from.y()) + "' x2='" + number(to.x()) + "' y2='" +
             number(to.y()) + "' stroke='" + std::string(color) + "' stroke-width='" + number(width) +
             "' stroke-linecap='round'/>\n";
}

void Figure::polygon(std::span<const Vector2d> corners, std::string_view fill, std::string_view stroke,
                     double opacity) {
    body_ += "<polygon points='";
    for (const Vector2d& corner : corners) body_ += number(corner.x()) + "," + number(corner.y()) + " ";
    body_ += "' fill='" + std::string(fill) + "' stroke='" + std::string(stroke) + "' stroke-width='0.5' opacity='" +
             number(opacity) + "'/>\n";
}

void Figure::rectangle(double x, double y, double width, double height, std::string_view fill) {
    body_ += "<rect x='" + number(x) + "' y='" + number(y) + "' width='" + number(width) + "' height='" +
             number(height) + "' fill='" + std::string(fill) + "'/>\n";
}

void Figure::text(double x, double y, std::string_view words, double size, std::string_view anchor,
                  std::string_view color) {
    body_ += "<text x='" + number(x) + "' y='" + number(y) + "' font-family='Inter,sans-serif' font-size='" +
             number(size) + "' text-anchor='" + std::string(anchor) + "' fill='" + std::string(color) + "'>";
    body_ += tracking::xml_text(words);
    body_ += "</text>\n";
}

void Figure::save(const std::filesystem::path& path) const {
    write_text(path, "<svg xmlns='http://www.w3.org/2000/svg' width='" + number(width_) + "' height='" +
                         number(height_) + "' viewBox='0 0 " + number(width_) + " " + number(height_) + "'>\n" + body_ +
                         "</svg>\n");
}

View view_of(const Vector3f& from, std::span<const Vector3f> points_m, double x, double y, double width,
             double height) {
    const Eigen::Vector3d back = from.cast<double>().normalized();
    Eigen::Vector3d right = Eigen::Vector3d::UnitY().cross(back);
    if (right.squaredNorm() < 1e-9) right = Eigen::Vector3d::UnitX();
    right.normalize();
    View view;
    view.page_from_world.row(0) = right.transpose();
    view.page_from_world.row(1) = -back.cross(right).transpose();
    Vector2d low = Vector2d::Constant(std::numeric_limits<double>::infinity()), high = -low;
    for (const Vector3f& point : points_m) {
        low = low.cwiseMin(view(point));
        high = high.cwiseMax(view(point));
    }
    const Vector2d size = (high - low).cwiseMax(1e-9);
    const double scale = std::min(width / size.x(), height / size.y());
    view.page_from_world *= scale;
    view.origin = Vector2d(x + 0.5 * width, y + 0.5 * height) - 0.5 * scale * (low + high);
    return view;
}

std::vector<Vector3f> corners_of(const collision::Obb& box) {
    std::vector<Vector3f> corners;
    for (int i = 0; i < 8; ++i) {
        const Vector3f sign((i & 1) != 0 ? 1.0F : -1.0F, (i & 2) != 0 ? 1.0F : -1.0F, (i & 4) != 0 ? 1.0F : -1.0F);
        corners.push_back(box.center_m + box.axes * sign.cwiseProduct(box.half_m));
    }
    return corners;
}

void draw(Figure& figure, const View& view, const collision::Obb& box, std::string_view color, double width) {
    const std::vector<Vector3f> corners = corners_of(box);
    for (std::size_t i = 0; i < 8; ++i)
        for (std::size_t bit = 1; bit < 8; bit <<= 1)
            if ((i & bit) == 0) figure.line(view(corners[i]), view(corners[i | bit]), color, width);
}

void draw(Figure& figure, const View& view, const collision::ConvexHull& hull, const Eigen::Isometry3f& world_from_hull,
          const Vector3f& color) {
    // The viewer looks along the page's third axis; the light stands up and to the left of that.
    const Eigen::Vector3d right = view.page_from_world.row(0).normalized(),
                          down = view.page_from_world.row(1).normalized();
    const Eigen::Vector3d light = (down.cross(right) - 0.7 * down - 0.4 * right).normalized();
    for (const auto& facet : hull.facets()) {
        std::array<Vector3f, 3> corners;
        std::array<Vector2d, 3> page;
        for (std::size_t k = 0; k < 3; ++k) {
            corners[k] = world_from_hull * hull.corners_m()[static_cast<std::size_t>(facet[k])];
            page[k] = view(corners[k]);
        }
        const Vector2d u = page[1] - page[0], v = page[2] - page[0];
        // Counter-clockwise from outside is clockwise on a page whose y points down.
        if (u.x() * v.y() - u.y() * v.x() >= 0.0) continue;
        const Eigen::Vector3d normal =
            (corners[1] - corners[0]).cross(corners[2] - corners[0]).cast<double>().normalized();
        const double shade = 0.45 + 0.55 * std::max(0.0, normal.dot(light));
        std::array<char, 8> fill{};
        const auto channel = [&](int i) {
            return static_cast<unsigned>(std::lround(255.0 * shade * double{color[i]})) & 255U;
        };
        std::snprintf(fill.data(), fill.size(), "#%02x%02x%02x", channel(0), channel(1), channel(2));
        figure.polygon(page, fill.data(), fill.data());
    }
}

void draw(Figure& figure, const View& view, const collision::RoundCone& cone, std::string_view color) {
    figure.line(view(cone.a_m), view(cone.b_m), color, view.scale() * double{cone.radius_a_m + cone.radius_b_m});
}

void bar_chart(const std::filesystem::path& folder, const std::string& name, const std::string& title,
               const std::string& unit, std::span<const std::string> labels, std::span<const Series> stacks) {
    Figure figure(800, 400);
    Plot plot;
    if (stacks.size() == 1) plot.width = 700;
    plot.y1 = 0.0;
    for (std::size_t i = 0; i < labels.size(); ++i) {
        double total = 0.0;
        for (const Series& stack : stacks) total += stack.values[i];
        plot.y1 = std::max(plot.y1, total);
    }
    plot.y1 = plot.y1 > 0.0 ? 1.05 * plot.y1 : 1.0;
    figure.text(plot.left, 22, title, 15);
    draw_y_axis(figure, plot, unit);
    const double pitch = plot.width / static_cast<double>(labels.size());
    for (std::size_t i = 0; i < labels.size(); ++i) {
        const double x = plot.left + pitch * (static_cast<double>(i) + 0.15);
        double below = 0.0;
        for (const Series& stack : stacks) {
            const double top = plot.y(below + stack.values[i]);
            figure.rectangle(x, top, 0.7 * pitch, plot.y(below) - top, stack.color);
            below += stack.values[i];
        }
        std::array<char, 16> total{};
        std::snprintf(total.data(), total.size(), below >= 100.0 ? "%.0f" : "%.3g", below);
        figure.text(x + 0.35 * pitch, plot.y(below) - 4, total.data(), 10, "middle", "#666666");
        draw_label(figure, x + 0.35 * pitch, plot.top + plot.height + 18, 0.95 * pitch, labels[i]);
    }
    // One kind of bar needs no legend: the title and the unit say it.
    if (stacks.size() > 1) draw_legend(figure, stacks, plot.left + plot.width + 20, plot.top + 10);
    figure.save(folder / (name + ".svg"));
    write_text(folder / (name + ".csv"), csv_of("method", labels, stacks));
}

void draw_bars_if_asked(BenchResult& result, const BenchOptions& options, const std::string& name,
                        const std::string& title, const std::string& unit, std::span<const std::string> labels,
                        std::span<const Series> stacks) {
    if (options.figures.empty()) return;
    bar_chart(options.figures, name, title, unit, labels, stacks);
    result.notes.push_back("figure " + (options.figures / (name + ".svg")).string());
}

void line_chart(const std::filesystem::path& folder, const std::string& name, const std::string& title,
                const std::string& x_title, const std::string& y_title, std::span<const double> x,
                std::span<const Series> lines) {
    Figure figure(800, 400);
    Plot plot;
    plot.x0 = x.front();
    plot.x1 = x.back();
    plot.y1 = 0.0;
    for (const Series& line : lines)
        for (const double value : line.values) plot.y1 = std::max(plot.y1, 1.05 * value);
    figure.text(plot.left, 22, title, 15);
    draw_y_axis(figure, plot, y_title);
    const double step = step_of(plot.x1 - plot.x0);
    for (double tick = std::ceil(plot.x0 / step) * step; tick <= plot.x1 * 1.0001; tick += step)
        figure.text(plot.x(tick), plot.top + plot.height + 18, number(tick), 11, "middle");
    figure.text(plot.left + 0.5 * plot.width, plot.top + plot.height + 40, x_title, 12, "middle");
    for (const Series& line : lines)
        for (std::size_t i = 1; i < x.size(); ++i)
            figure.line({plot.x(x[i - 1]), plot.y(line.values[i - 1])}, {plot.x(x[i]), plot.y(line.values[i])},
                        line.color, 1.8);
    draw_legend(figure, lines, plot.left + plot.width + 20, plot.top + 10);
    figure.save(folder / (name + ".svg"));
    std::vector<std::string> labels;
    for (const double value : x) labels.push_back(number(value));
    write_text(folder / (name + ".csv"), csv_of(x_title, labels, lines));
}

}  // namespace glovebox::vr
