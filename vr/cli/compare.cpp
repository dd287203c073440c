// `glovebox compare`: compares two reports, or a report and a stored baseline; exit 3 if they differ beyond the
// tolerance.
#include <cstdio>
#include <fstream>
#include <memory>
#include <sstream>

#include "recordings/json.h"
#include "tracking/quoted.h"
#include "vr/cli/command.h"
#include "vr/export/compare.h"
#include "vr/platform/color.h"
#include "vr/platform/platform.h"
#include "vr/session/report.h"

namespace glovebox::vr {
namespace {

struct Compare {
    std::string a, b, baseline;
    double tolerance = 0.05;
    bool json = false;
};

constexpr std::size_t kMaxBytes = std::size_t{256} << 20;

nlohmann::ordered_json read_report(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    if (!file) throw std::runtime_error(path + ": cannot be read");
    std::string text;
    std::array<char, 1 << 16> block{};
    while (file.read(block.data(), block.size()) || file.gcount() > 0) {
        text.append(block.data(), static_cast<std::size_t>(file.gcount()));
        if (text.size() > kMaxBytes) throw std::runtime_error(path + ": larger than a report can be (256 MB)");
    }
    constexpr int kDeepest = 64;
    nlohmann::ordered_json report;
    if (recordings::json_depth(text) <= kDeepest) report = nlohmann::ordered_json::parse(text, nullptr, false);
    if (!report.is_object() || !(report.contains("stages_us") || report.contains("rows")))
        throw std::runtime_error(path + ": no report: write one with --report");
    return report;
}

std::optional<double> share(const std::string& text) {
    double value = 0.0;
    int read = 0;
    if (std::sscanf(text.c_str(), "%lf%n", &value, &read) != 1) return {};
    const std::string unit = text.substr(static_cast<std::size_t>(read));
    if (unit == "%") value *= 0.01;
    if ((unit != "%" && !unit.empty()) || !(value >= 0.0) || !(value <= 1000.0)) return {};
    return value;
}

int run_compare(const Compare& arguments) {
    if (arguments.b.empty() == arguments.baseline.empty())
        throw UsageError("two reports are compared: compare A.json B.json, or compare B.json --baseline A.json");
    const std::string& before = arguments.baseline.empty() ? arguments.a : arguments.baseline;
    const std::string& after = arguments.baseline.empty() ? arguments.b : arguments.a;
    const Comparison comparison = compare_reports(read_report(before), read_report(after), arguments.tolerance);
    const std::string text = arguments.json ? text_of(comparison_json(comparison, arguments.tolerance), 2) + "\n"
                                            : comparison_text(comparison, arguments.tolerance);
    std::istringstream lines(tracking::printable_lines(text));
    for (std::string line; std::getline(lines, line);) {
        const bool beyond = line.starts_with("SLOWER") || line.starts_with("DIFFERS");
        std::printf("%s\n", (beyond ? red(line, stdout_is_terminal()) : line).c_str());
    }
    return comparison.holds() ? kExitFine : kExitCheckFailed;
}

}  // namespace

std::function<int()> declare_compare(CLI::App& app) {
    const auto arguments = std::make_shared<Compare>();
    app.add_option("A", arguments->a, "report of `--report`")->required();
    app.add_option("B", arguments->b, "report to hold against it");
    app.add_option("--baseline", arguments->baseline, "in place of B: the stored report that A is held against");
    app.add_option_function<std::string>(
           "--tolerance", [arguments](const std::string& text) { arguments->tolerance = share(text).value(); },
           "how much slower a timing may be: 5%, or 0.05")
        ->check([](const std::string& text) {
            return share(text) ? std::string() : text + " is no tolerance: write 5% or 0.05";
        })
        ->default_str("5%");
    app.add_flag("--json", arguments->json, "print JSON in place of the table");
    app.footer(
        "Counts, touches and state hashes are compared exactly, timings as ratios. Exit 3 if anything is beyond.\n"
        "Example:\n"
        "  glovebox replay hand.csv --headless --report now.json && glovebox compare now.json --baseline main.json "
        "--tolerance 20%");
    return [arguments] { return run_compare(*arguments); };
}

}  // namespace glovebox::vr
