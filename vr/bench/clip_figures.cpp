#include "vr/bench/clip_figures.h"

#include <array>
#include <sstream>

#include "collision/survey/clips/clip_method.h"
#include "vr/bench/plot.h"
#include "vr/session/report.h"

namespace glovebox::vr {
namespace {

namespace clips = collision::clips;
using clips::Clip;
using clips::ClipTree;

constexpr const char* kStyle =
    "set border lw 0.6 lc rgb '#8a94a0'\nset tics scale 0.5 textcolor rgb '#5b6570'\nset grid lw 0.4 lc rgb "
    "'#e3e7ec'\nset key off\n";

// Writes the edges of a box as polylines for gnuplot's splot: bottom, top and the four edges between them.
void put_box(std::ostream& out, const clips::TiltedBox& box, double seconds_per_unit) {
    const auto corner = [&](int k) {
        const Eigen::Vector3d sign(k & 1 ? 1 : -1, k & 2 ? 1 : -1, k & 4 ? 1 : -1);
        Eigen::Vector3d at = box.center + box.axes * box.half.cwiseProduct(sign);
        at.z() *= seconds_per_unit;
        return at;
    };
    for (int from = 0; from < 8; ++from)
        for (const int bit : {1, 2, 4})
            if ((from & bit) == 0)
                for (const int k : {from, from | bit})
                    out << corner(k).x() << ' ' << corner(k).y() << ' ' << corner(k).z()
                        << (k == from ? "\n" : "\n\n\n");
}

// Three levels of a tree in space-time, side by side.
std::string tree_levels(const ClipTree& tree, const char* title) {
    std::ostringstream script;
    const Clip& clip = tree.clip();
    script << "$path << EOD\n";
    for (std::size_t i = 0; i < clip.samples.size(); ++i)
        script << clip.samples[i].center_m.transpose() << ' ' << clip.dt_s * static_cast<double>(i) << '\n';
    script << "EOD\n";
    for (int level = 0; level < 3; ++level) {
        script << "$level" << level << " << EOD\n";
        for (const std::int32_t i : tree.nodes_at(level))
            put_box(script, tree.space_time_box(tree.nodes()[static_cast<std::size_t>(i)]),
                    1.0 / tree.fit().time_scale_m_per_s);
        script << "EOD\n";
    }
    script << "set term svg size 1200,430 font 'Inter,13' background '#ffffff'\n"
           << kStyle << "set multiplot layout 1,3 title \"" << title << "\" font ',15'\n"
           << "set view 68,35\nset xyplane 0\nset xtics 1\nset ytics 1\nset ztics 0.5\nset xlabel 'x, m'\nset ylabel "
              "'y, m'\nset zlabel "
              "'t, s' rotate\n";
    for (int level = 0; level < 3; ++level)
        script << "splot $level" << level << " w l lw 1.1 lc rgb '#2f7f79', $path w l lw 2.2 lc rgb '#e07a3f'\n";
    script << "unset multiplot\n";
    return script.str();
}

std::string crowd_from_above(const clips::Crowd& crowd) {
    std::ostringstream script;
    script << "$agents << EOD\n";
    for (const clips::Crowd::Agent& agent : crowd.agents())
        script << crowd.position_m(agent).transpose() << ' ' << crowd.settings().radius_m << '\n';
    script << "EOD\n$plans << EOD\n";
    for (const clips::Crowd::Agent& agent : crowd.agents()) {
        for (const clips::ClipSample& s : crowd.trees()[agent.clip].clip().samples)
            script << (agent.placed * s.center_m).transpose() << '\n';
        script << '\n';
    }
    script << "EOD\nset term svg size 700,900 font 'Inter,13' background '#ffffff'\n"
           << kStyle << "set size ratio -1\nset xrange [0:" << crowd.settings().width_m
           << "]\nset yrange [0:" << crowd.settings().depth_m << "]\nset xlabel 'x, m'\nset ylabel 'y, m'\n"
           << "set title \"" << crowd.agents().size() << " agents after " << crowd.time_s()
           << " s; lines: the clip each of them is playing\" font ',15'\n"
           << "plot $agents w circles fs transparent solid 0.25 lc rgb '#2f7f79', $plans w l lw 1.4 lc rgb '#e07a3f'\n";
    return script.str();
}

std::string path_from_above(const Clip& clip) {
    std::ostringstream script;
    script << "$path << EOD\n";
    for (const clips::ClipSample& s : clip.samples) script << s.center_m.transpose() << '\n';
    script << "EOD\nset term svg size 700,700 font 'Inter,13' background '#ffffff'\n"
           << kStyle << "set size ratio -1\nset xlabel 'x, m'\nset ylabel 'y, m'\nset title \"A long clip: "
           << static_cast<int>(clip.duration_s()) << " s of walking in circles\" font ',15'\n"
           << "plot $path w l lw 1.4 lc rgb '#e07a3f'\n";
    return script.str();
}

void write_numbers(const std::filesystem::path& path, const ClipTree& tree) {
    std::ostringstream out;
    out << "level,center_x_m,center_y_m,center_t_s,half_0_m,half_1_m,half_2,first_sample,end_sample\n";
    for (int level = 0; level < 3; ++level)
        for (const std::int32_t i : tree.nodes_at(level)) {
            const ClipTree::Node& node = tree.nodes()[static_cast<std::size_t>(i)];
            const clips::TiltedBox box = tree.space_time_box(node);
            out << level << ',' << box.center.x() << ',' << box.center.y() << ','
                << box.center.z() / tree.fit().time_scale_m_per_s << ',' << box.half[0] << ',' << box.half[1] << ','
                << box.half[2] << ',' << node.first << ',' << node.end << '\n';
        }
    write_whole(path, out.str());
}

}  // namespace

void draw_clip_figures(BenchResult& result, const std::filesystem::path& folder, const Clip& short_clip,
                       const Clip& long_clip, const clips::Crowd& crowd) {
    const ClipTree mobb = clips::find_clip_method("mobb")->build(short_clip, {});
    const ClipTree umobb = clips::find_clip_method("umobb")->build(short_clip, {});
    write_numbers(folder / "clips-fig2.csv", mobb);
    write_numbers(folder / "clips-fig5.csv", umobb);
    {
        std::ostringstream out;
        out << "x_m,y_m,radius_m\n";
        for (const clips::Crowd::Agent& agent : crowd.agents()) {
            const Eigen::Vector2d at_m = crowd.position_m(agent);
            out << at_m.x() << ',' << at_m.y() << ',' << crowd.settings().radius_m << '\n';
        }
        write_whole(folder / "clips-fig7.csv", out.str());
    }
    {
        std::ostringstream out;
        out << "x_m,y_m\n";
        for (const clips::ClipSample& s : long_clip.samples) out << s.center_m.x() << ',' << s.center_m.y() << '\n';
        write_whole(folder / "clips-fig8.csv", out.str());
    }
    struct Drawing {
        const char *file, *title;
        std::string script;
    };
    const std::array<Drawing, 4> drawings = {{
        {"clips-fig2.svg", "Figure 2: three levels of a MOBB tree",
         tree_levels(mobb, "MOBB: three levels; each box lasts half as long as the one above")},
        {"clips-fig5.svg", "Figure 5: the same levels of a UMOBB tree",
         tree_levels(umobb, "UMOBB: the same stretches in boxes tilted into time")},
        {"clips-fig7.svg", "Figure 7: the crowd from above", crowd_from_above(crowd)},
        {"clips-fig8.svg", "Figure 8: a long clip from above", path_from_above(long_clip)},
    }};
    for (const Drawing& drawing : drawings)
        if (run_gnuplot(drawing.script, folder / drawing.file))
            result.figures.push_back({drawing.file, drawing.title});
        else
            result.notes.push_back(std::string(drawing.file) + ": gnuplot is missing or failed (package gnuplot-nox)");
}

}  // namespace glovebox::vr
