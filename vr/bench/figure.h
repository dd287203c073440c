// Figures of the benches: line drawings and charts as SVG, with their numbers as CSV beside them.
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
#include "vr/bench/bench.h"

namespace glovebox::vr {

/// A page in pixels, origin at the top left.
class Figure {
  public:
    Figure(double width, double height);

    void line(const Eigen::Vector2d& from, const Eigen::Vector2d& to, std::string_view color, double width = 1.0);
    void polygon(std::span<const Eigen::Vector2d> corners, std::string_view fill, std::string_view stroke,
                 double opacity = 1.0);
    void rectangle(double x, double y, double width, double height, std::string_view fill);
    /// `anchor`: start, middle or end.
    void text(double x, double y, std::string_view words, double size = 12.0, std::string_view anchor = "start",
              std::string_view color = "#333333");
    void save(const std::filesystem::path& path) const;

  private:
    double width_, height_;
    std::string body_;
};

/// Where a drawing looks from: maps world points to the page, without perspective.
struct View {
    Eigen::Matrix<double, 2, 3> page_from_world = Eigen::Matrix<double, 2, 3>::Zero();
    Eigen::Vector2d origin = Eigen::Vector2d::Zero();

    double scale() const { return page_from_world.row(0).norm(); }  ///< pixels per metre
    Eigen::Vector2d operator()(const Eigen::Vector3f& point_m) const {
        return origin + page_from_world * point_m.cast<double>();
    }
};

/// A view along -`from` with +Y up that fits the points into the rectangle.
View view_of(const Eigen::Vector3f& from, std::span<const Eigen::Vector3f> points_m, double x, double y, double width,
             double height);

void draw(Figure& figure, const View& view, const collision::Obb& box, std::string_view color, double width = 1.0);
/// Shaded by a light over the viewer's left shoulder.
void draw(Figure& figure, const View& view, const collision::ConvexHull& hull, const Eigen::Isometry3f& world_from_hull,
          const Eigen::Vector3f& color);
/// A round bone as a stroke of its mean thickness; a ball is a dot.
void draw(Figure& figure, const View& view, const collision::RoundCone& cone, std::string_view color);
std::vector<Eigen::Vector3f> corners_of(const collision::Obb& box);

struct Series {
    std::string name, color;
    std::vector<double> values;
};

/// Stacked bars, one per label. Writes NAME.svg and NAME.csv.
void bar_chart(const std::filesystem::path& folder, const std::string& name, const std::string& title,
               const std::string& unit, std::span<const std::string> labels, std::span<const Series> stacks);

/// The same where the user named a folder for figures, noted in the result.
void draw_bars_if_asked(BenchResult& result, const BenchOptions& options, const std::string& name,
                        const std::string& title, const std::string& unit, std::span<const std::string> labels,
                        std::span<const Series> stacks);

/// Lines over a shared x axis. Writes NAME.svg and NAME.csv.
void line_chart(const std::filesystem::path& folder, const std::string& name, const std::string& title,
                const std::string& x_title, const std::string& y_title, std::span<const double> x,
                std::span<const Series> lines);

}  // namespace glovebox::vr
