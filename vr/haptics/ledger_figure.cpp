#include "vr/haptics/ledger_figure.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "tracking/formatted.h"
#include "vr/export/figure.h"

namespace glovebox::vr {
namespace {

constexpr double kWidth_px = 980.0, kLabel_px = 210.0, kPlot_px = 440.0, kRow_px = 27.0, kBars_px = 20.0,
                 kHead_px = 92.0, kFoot_px = 36.0;
constexpr double kMin_us = 1.0, kMax_us = 100'000.0;
constexpr int kBins = static_cast<int>(kPlot_px) / 4;
constexpr const char *kBody = "#7FA8C4", *kLate = "#E69F00", *kBudget = "#8A5200", *kEmpty = "#B9C2CA";

double x_of(double at_us) {
    const double share = std::log(std::max(at_us, kMin_us) / kMin_us) / std::log(kMax_us / kMin_us);
    return kLabel_px + kPlot_px * std::min(share, 1.0);
}

std::string duration(double at_us) {
    if (at_us >= 10'000.0) return tracking::formatted("%.1f ms", 1e-3 * at_us);
    return tracking::formatted(at_us >= 10.0 ? "%.0f" : "%.1f", at_us);
}

struct HistogramRow {
    std::string label;
    const DurationHistogram* histogram;
    const char* color;
};

void draw_bars(Figure& figure, const HistogramRow& row, double foot) {
    std::array<double, kBins> count{};
    double most = 0.0;
    for (int i = 0; i < DurationHistogram::kBinCount; ++i) {
        const auto in = static_cast<double>(row.histogram->bin(i));
        if (in <= 0.0) continue;
        const double share = (x_of(DurationHistogram::bin_low_us(i)) - kLabel_px) / kPlot_px;
        const auto at = static_cast<std::size_t>(std::clamp(static_cast<int>(share * kBins), 0, kBins - 1));
        count[at] += in;
        most = std::max(most, count[at]);
    }
    const double late_from = x_of(1000.0);
    for (int bin = 0; bin < kBins; ++bin) {
        const double in = count[static_cast<std::size_t>(bin)];
        if (in <= 0.0) continue;
        const double x = kLabel_px + kPlot_px * bin / kBins, height = std::max(1.5, kBars_px * std::sqrt(in / most));
        figure.rectangle(x, foot - height, kPlot_px / kBins - 1.0, height, x >= late_from - 1.0 ? kLate : row.color);
    }
}

void draw_row(Figure& figure, const HistogramRow& row, double foot) {
    figure.text(kLabel_px - 10.0, foot - 4.0, row.label, 12.0, "end", kInk);
    figure.line({kLabel_px, foot}, {kLabel_px + kPlot_px, foot}, kRule);
    if (row.histogram->count() == 0) return;
    draw_bars(figure, row, foot);
    const std::array<double, 4> values = {row.histogram->percentile_us(0.5), row.histogram->percentile_us(0.99),
                                          row.histogram->percentile_us(0.999), row.histogram->max_us()};
    for (std::size_t i = 0; i < values.size(); ++i)
        figure.text(kLabel_px + kPlot_px + 60.0 + 68.0 * static_cast<double>(i), foot - 4.0, duration(values[i]), 12.0,
                    "end", i == 2 ? kInk : kGrey);
}

void draw_axis(Figure& figure, double top, double foot) {
    const auto vertical = [&](double at_us, const char* color) {
        figure.line({x_of(at_us), top}, {x_of(at_us), foot}, color);
    };
    for (const double at_us : {1.0, 10.0, 100.0, 10'000.0, 100'000.0}) vertical(at_us, kRule);
    for (const Deadline& deadline : kDeadlines) vertical(1e-3 * static_cast<double>(deadline.limit_ns), kBudget);
    const auto label = [&](double at_us, const char* words, const char* anchor, const char* color) {
        figure.text(x_of(at_us), foot + 15.0, words, 11.0, anchor, color);
    };
    figure.text(kLabel_px - 34.0, foot + 15.0, "time, logarithmic", 11.0, "end", kGrey);
    label(1.0, "1 µs", "middle", kGrey);
    label(10.0, "10", "middle", kGrey);
    label(100.0, "100", "middle", kGrey);
    label(1000.0, "1 ms", "middle", kBudget);
    label(9600.0, "1/120 1/90 1/72", "middle", kBudget);
    label(34'000.0, "1/30 s", "start", kBudget);
}

std::vector<HistogramRow> rows_of(const LedgerBlock& block) {
    const DeadlineLedger& ledger = *block.ledger;
    std::vector<HistogramRow> rows = {{"tick: due to done", &ledger.tick, kBody}};
    if (block.empty != nullptr) rows.push_back({"an empty loop's tick", &block.empty->tick, kEmpty});
    rows.push_back({"the tick's own work", &ledger.work, kBody});
    constexpr std::array<const char*, kLinkCount> kFrom = {"sample to arrival", "to refitted", "to boxes tested",
                                                           "to exact contacts", "to command"};
    for (std::size_t i = 0; i < ledger.links.size(); ++i) rows.push_back({kFrom[i], &ledger.links[i], kBody});
    rows.push_back({"response: arrival to command", &ledger.response, kBody});
    rows.push_back({"age: sample to pad there", &ledger.age, kBody});
    return rows;
}

std::string counts_of(const LedgerBlock& block) {
    const auto over = [](const std::array<std::uint64_t, kDeadlines.size()>& late) {
        std::string text;
        for (std::size_t i = 0; i < late.size(); ++i)
            text += (i == 0 ? "" : ", ") + std::to_string(late[i]) + " over " + std::string(kDeadlines[i].name);
        return text;
    };
    std::string text = std::to_string(block.ledger->tick.count()) +
                       " ticks: " + std::to_string(block.ledger->late_ticks[0]) + " over 1 ms";
    if (block.empty != nullptr)
        text += " (the empty loop: " + std::to_string(block.empty->late_ticks[0]) + " of " +
                std::to_string(block.empty->tick.count()) + ")";
    return text + ";  responses: " + over(block.ledger->late_responses);
}

}  // namespace

void draw_ledgers(const std::vector<LedgerBlock>& blocks, const std::filesystem::path& path) {
    double height = 8.0;
    for (const LedgerBlock& block : blocks)
        height += kHead_px + kRow_px * static_cast<double>(rows_of(block).size()) + kFoot_px;
    Figure figure(kWidth_px, height);
    figure.rectangle(0.0, 0.0, kWidth_px, height, "#FCFCFD");
    double top = 0.0;
    for (const LedgerBlock& block : blocks) {
        figure.text(20.0, top + 28.0, block.title, 15.0, "start", kInk);
        figure.text(20.0, top + 46.0, block.note, 11.0, "start", kGrey);
        figure.text(20.0, top + 62.0, counts_of(block), 11.0, "start", kGrey);
        constexpr std::array<const char*, 4> kColumns = {"p50, µs", "p99", "p99.9", "max"};
        for (std::size_t i = 0; i < kColumns.size(); ++i)
            figure.text(kLabel_px + kPlot_px + 60.0 + 68.0 * static_cast<double>(i), top + kHead_px - 6.0, kColumns[i],
                        11.0, "end", kGrey);
        const std::vector<HistogramRow> rows = rows_of(block);
        const double first = top + kHead_px, foot = first + kRow_px * static_cast<double>(rows.size());
        draw_axis(figure, first, foot);
        for (std::size_t i = 0; i < rows.size(); ++i)
            draw_row(figure, rows[i], first + kRow_px * static_cast<double>(i + 1));
        top = foot + kFoot_px;
    }
    figure.save(path);
}

}  // namespace glovebox::vr
