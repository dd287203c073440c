#include "vr/export/figure.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <limits>

#include "recordings/output.h"
#include "tracking/formatted.h"
#include "tracking/quoted.h"

namespace glovebox::vr {
namespace {

using Eigen::Vector2d;
using Eigen::Vector3f;
using tracking::formatted;

std::string number(double value) {
    return formatted("%.5g", value);
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

std::string Figure::svg() const {
    return "<svg xmlns='http://www.w3.org/2000/svg' data-by='glovebox' width='" + number(width_) + "' height='" +
           number(height_) + "' viewBox='0 0 " + number(width_) + " " + number(height_) + "'>\n" + body_ + "</svg>\n";
}

void Figure::save(const std::filesystem::path& path) const {
    recordings::Output out(path);
    out.write(svg());
    out.commit();
}

FigureView view_of(const Vector3f& from, std::span<const Vector3f> points_m, double x, double y, double width,
                   double height) {
    const Eigen::Vector3d back = from.cast<double>().normalized();
    Eigen::Vector3d right = Eigen::Vector3d::UnitY().cross(back);
    if (right.squaredNorm() < 1e-9) right = Eigen::Vector3d::UnitX();
    right.normalize();
    FigureView view;
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

void draw(Figure& figure, const FigureView& view, const collision::Obb& box, std::string_view color, double width) {
    const std::vector<Vector3f> corners = corners_of(box);
    for (std::size_t i = 0; i < 8; ++i)
        for (std::size_t bit = 1; bit < 8; bit <<= 1)
            if ((i & bit) == 0) figure.line(view(corners[i]), view(corners[i | bit]), color, width);
}

void draw(Figure& figure, const FigureView& view, const collision::ConvexHull& hull,
          const Eigen::Isometry3f& world_from_hull, const Vector3f& color) {
    // The viewer looks along the page's third axis; the light is above and to the left of the viewer.
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

void draw(Figure& figure, const FigureView& view, const collision::RoundCone& cone, std::string_view color) {
    figure.line(view(cone.a_m), view(cone.b_m), color, view.scale() * double{cone.radius_a_m + cone.radius_b_m});
}

}  // namespace glovebox::vr
