// Draws bodies, boxes, lines and text as SVG. Charts are in plot.h.
#pragma once

#include <Eigen/Core>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "collision/box/box.h"
#include "collision/box/convex_hull.h"
#include "collision/box/shape.h"

namespace glovebox::vr {

/// Colours of text, of lesser text, and of thin lines.
inline constexpr const char *kInk = "#1F2933", *kGrey = "#52606D", *kRule = "#DDE2E7";

/// A page in pixels, origin at the top left.
class Figure {
  public:
    Figure(double width, double height);

    void line(const Eigen::Vector2d& from, const Eigen::Vector2d& to, std::string_view color, double width = 1.0);
    void polygon(std::span<const Eigen::Vector2d> corners, std::string_view fill, std::string_view stroke,
                 double opacity = 1.0);
    void rectangle(double x, double y, double width, double height, std::string_view fill);
    /// Draws text. `anchor` is "start", "middle" or "end".
    void text(double x, double y, std::string_view words, double size = 12.0, std::string_view anchor = "start",
              std::string_view color = "#333333");
    std::string svg() const;
    void save(const std::filesystem::path& path) const;

  private:
    double width_, height_;
    std::string body_;
};

/// An orthographic view, which maps world points to the page.
struct FigureView {
    Eigen::Matrix<double, 2, 3> page_from_world = Eigen::Matrix<double, 2, 3>::Zero();
    Eigen::Vector2d origin = Eigen::Vector2d::Zero();

    double scale() const { return page_from_world.row(0).norm(); }  ///< pixels per metre
    Eigen::Vector2d operator()(const Eigen::Vector3f& point_m) const {
        return origin + page_from_world * point_m.cast<double>();
    }
};

/// Returns a view along -`from` with +Y up that fits the points into the rectangle.
FigureView view_of(const Eigen::Vector3f& from, std::span<const Eigen::Vector3f> points_m, double x, double y,
                   double width, double height);

void draw(Figure& figure, const FigureView& view, const collision::Obb& box, std::string_view color,
          double width = 1.0);
/// Draws a hull, shaded by a light that is above and to the left of the viewer.
void draw(Figure& figure, const FigureView& view, const collision::ConvexHull& hull,
          const Eigen::Isometry3f& world_from_hull, const Eigen::Vector3f& color);
/// Draws a round cone as a stroke of the cone's mean thickness, and a sphere as a dot.
void draw(Figure& figure, const FigureView& view, const collision::RoundCone& cone, std::string_view color);
std::vector<Eigen::Vector3f> corners_of(const collision::Obb& box);

}  // namespace glovebox::vr
