#include "vr/export/touch_figure.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <tuple>

#include "recordings/output.h"
#include "recordings/own_mark.h"
#include "tracking/formatted.h"
#include "tracking/quoted.h"
#include "vr/export/figure.h"
#include "vr/export/touch_table.h"
#include "vr/platform/tool.h"

namespace glovebox::vr {
namespace {

using tracking::formatted;
namespace fs = std::filesystem;

constexpr double kWidth = 920.0, kLabel = 230.0, kPlot = 500.0, kLane = 24.0, kBar = 15.0, kHead = 52.0, kFoot = 44.0;
constexpr const char *kGap = "#E4E7EB", *kHatch = "#9AA5B1";
// Colours of Okabe and Ito, from dark to light: distinct for most colour-blind readers, and in grey.
constexpr std::array kColors = {"#0072B2", "#E69F00", "#D55E00", "#56B4E9", "#000000", "#CC79A7", "#009E73", "#B8B000"};

struct Lane {
    tracking::Side side;
    int part, object;
    bool operator==(const Lane&) const = default;
};

std::vector<Lane> lanes_of(const TouchList& list) {
    std::vector<Lane> lanes;
    for (const Touch& touch : list.touches) {
        const Lane lane{touch.side, touch.part, touch.object};
        if (std::ranges::find(lanes, lane) == lanes.end()) lanes.push_back(lane);
    }
    std::ranges::sort(lanes, {}, [](const Lane& lane) { return std::tuple(lane.side, lane.object, lane.part); });
    return lanes;
}

std::string shortened(const std::string& text, std::size_t most) {
    const std::string whole = tracking::printable(text);
    if (whole.size() <= most) return whole;
    std::size_t end = most - 1;
    while (end > 0 && (static_cast<unsigned char>(whole[end]) & 0xC0U) == 0x80U) --end;
    return whole.substr(0, end) + "\u2026";
}

std::string lane_name(const TouchList& list, const Lane& lane) {
    const bool both = list.hands[tracking::Side::left] && list.hands[tracking::Side::right];
    std::string name = both || list.by == TouchBy::object ? std::string(name_of(lane.side)) + " " : std::string();
    name += part_name(list.by, lane.part) + " on " + list.objects[static_cast<std::size_t>(lane.object)];
    return shortened(name, 34);
}

// Returns the step of the ticks: 1, 2 or 5 times a power of ten, for five to ten ticks.
double tick_step_s(double duration_s) {
    const double rough = duration_s / 6.0, power = std::pow(10.0, std::floor(std::log10(std::max(rough, 1e-6))));
    for (const double factor : {1.0, 2.0, 5.0})
        if (rough <= factor * power) return factor * power;
    return 10.0 * power;
}

double height_of(const TouchList& list) {
    return kHead + kLane * static_cast<double>(std::max<std::size_t>(1, lanes_of(list).size())) + kFoot;
}

void draw_list(Figure& figure, const TouchList& list, double top) {
    const std::vector<Lane> lanes = lanes_of(list);
    const double duration_s = std::max(list.duration_s, 1e-3);
    const double first = top + kHead,
                 foot = first + kLane * static_cast<double>(std::max<std::size_t>(1, lanes.size()));
    const auto x_of = [&](double time_s) { return kLabel + kPlot * std::clamp(time_s / duration_s, 0.0, 1.0); };
    figure.text(16.0, top + 24.0, shortened(fs::path(list.recording).filename().string() + " in " + list.scene, 80),
                15.0, "start", kInk);
    figure.text(kLabel + kPlot + 14.0, top + 24.0, "touches, seconds, deepest", 11.0, "start", kGrey);

    // Intervals without tracking are below the bars.
    const auto unseen = [&](const Interval& span, double from_y, double to_y) {
        const double x0 = x_of(span.begin_s), x1 = std::max(x_of(span.end_s), x0 + 1.0);
        figure.rectangle(x0, from_y, x1 - x0, to_y - from_y, kGap);
        figure.line({x0, from_y}, {x0, to_y}, kHatch, 0.7);
        figure.line({x1, from_y}, {x1, to_y}, kHatch, 0.7);
    };
    bool any_unseen = !list.gaps.empty();
    for (const Interval& gap : list.gaps) unseen(gap, first, foot);
    for (std::size_t i = 0; i < lanes.size(); ++i) {
        const double y = first + kLane * static_cast<double>(i);
        for (const Interval& lost : list.lost[lanes[i].side]) unseen(lost, y, y + kLane);
        any_unseen = any_unseen || !list.lost[lanes[i].side].empty();
    }
    const double step_s = tick_step_s(duration_s);
    for (int tick = 0; tick * step_s <= duration_s * 1.0001; ++tick) {
        const double x = x_of(tick * step_s);
        figure.line({x, first}, {x, foot + 4.0}, kRule, 0.7);
        figure.text(x, foot + 17.0, formatted("%.4g", tick * step_s), 11.0, "middle", kGrey);
    }
    figure.text(kLabel + kPlot, foot + 31.0, "time, s", 11.0, "end", kGrey);
    if (any_unseen) {
        figure.rectangle(kLabel, foot + 23.0, 14.0, 9.0, kGap);
        figure.line({kLabel, foot + 23.0}, {kLabel, foot + 32.0}, kHatch, 0.7);
        figure.line({kLabel + 14.0, foot + 23.0}, {kLabel + 14.0, foot + 32.0}, kHatch, 0.7);
        figure.text(kLabel + 20.0, foot + 31.0, "not tracked", 11.0, "start", kGrey);
    }
    if (lanes.empty()) figure.text(kLabel + 8.0, first + 16.0, "nothing is touched", 12.0, "start", kGrey);
    const std::vector<TouchSum> sums = sums_of(list);
    for (std::size_t i = 0; i < lanes.size(); ++i) {
        const Lane& lane = lanes[i];
        const double y = first + kLane * static_cast<double>(i);
        figure.line({kLabel, y + kLane}, {kLabel + kPlot, y + kLane}, kRule, 0.7);
        figure.text(kLabel - 10.0, y + 16.5, lane_name(list, lane), 12.0, "end", kInk);
        for (const Touch& touch : list.touches) {
            if (Lane{touch.side, touch.part, touch.object} != lane) continue;
            const double x0 = x_of(touch.begin_s()), x1 = x_of(touch.end_s());
            figure.rectangle(x0, y + 0.5 * (kLane - kBar), std::max(1.2, x1 - x0), kBar,
                             kColors[static_cast<std::size_t>(lane.object) % kColors.size()]);
        }
        for (const TouchSum& sum : sums) {
            if (Lane{sum.side, sum.part, sum.object} != lane) continue;
            const std::string text =
                tracking::formatted("%llu \u00b7 %.2f s \u00b7 %.1f mm", static_cast<unsigned long long>(sum.count),
                                    sum.total_s, 1e3 * double{sum.deepest_m});
            figure.text(kLabel + kPlot + 14.0, y + 16.5, text, 11.0, "start", kGrey);
        }
    }
}

}  // namespace

std::string check_figure_path(const std::string& path) {
    const std::string ending = fs::path(path).extension().string();
    if (ending == ".svg" || ending == ".png" || ending == ".pdf") return {};
    return path + ": figures are drawn as .svg, .png or .pdf";
}

void draw_touches(std::span<const TouchList> lists, const fs::path& path) {
    double height = 8.0;
    for (const TouchList& list : lists) height += height_of(list);
    Figure figure(kWidth, height);
    double top = 0.0;
    for (const TouchList& list : lists) {
        draw_list(figure, list, top);
        top += height_of(list);
    }
    const std::string ending = path.extension().string();
    if (ending == ".svg") return figure.save(path);
    const std::string zoom = ending == ".png" ? "2" : "1";
    std::string bytes =
        output_of("rsvg-convert", {"--format", ending.substr(1), "--zoom", zoom}, figure.svg(),
                  path.string() + ": is made by rsvg-convert (package librsvg2-bin); a .svg needs none");
    recordings::Output out(path);
    out.write(ending == ".png" ? recordings::marked_png(std::move(bytes)) : recordings::marked_pdf(std::move(bytes)));
    out.commit();
}

}  // namespace glovebox::vr
