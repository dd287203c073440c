// `glovebox bench peers [WORKLOAD...]`: the table of glovebox_peers, its required ratios as claims, and its figure.
#include "vr/bench/peers.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <sstream>

#include "tracking/formatted.h"
#include "vr/export/figure.h"
#include "vr/platform/platform.h"
#include "vr/session/report.h"

namespace glovebox::vr {
namespace {

using tracking::formatted;
using Json = nlohmann::ordered_json;

bool has_ratio(const Json& row) {
    return row.contains("ratio") && row.contains("ratio_min");  // ratios of sizes have no minimum over rounds
}

// Not every workload has all columns.
bool has_number(const Json& row, const char* key) {
    return row.contains(key) && row[key].is_number();
}

void add_claims(BenchResult& result) {
    for (const Json& row : result.rows) {
        if (!has_ratio(row) || !has_number(row, "asked")) continue;
        const double ratio = row["ratio"].get<double>();
        // The ratio is of medians, so it may lie slightly outside the range of the rounds' ratios.
        result.claims.push_back(
            judge({row["work"].get<std::string>() + ": faster than " + row["peer"].get<std::string>(),
                   "this project's own aim", at_least(row["asked"].get<double>(), "x")},
                  Measured{{},
                           ratio,
                           std::min(ratio, row["ratio_min"].get<double>()),
                           std::max(ratio, row["ratio_max"].get<double>())}));
    }
}

void write_csv(const std::filesystem::path& path, std::span<const Json> rows) {
    std::ostringstream file;
    file << "work,peer,unit,ours,theirs,ratio,ratio_min,ratio_max,contacts,their_contacts,differ,asked,cycles,"
            "floor_cycles,floor_flops,floor_bytes\n";
    for (const Json& row : rows) {
        if (!has_ratio(row)) continue;
        file << '"' << row["work"].get<std::string>() << "\",\"" << row["peer"].get<std::string>() << "\",\""
             << row["unit"].get<std::string>() << '"';
        for (const char* key : {"ours", "theirs", "ratio", "ratio_min", "ratio_max", "contacts", "their_contacts",
                                "differ", "asked", "cycles", "floor_cycles", "floor_flops", "floor_bytes"})
            file << ',' << (has_number(row, key) ? row[key].dump() : "");
        file << '\n';
    }
    write_whole(path, file.str());
}

// Draws one bar per row on a logarithmic axis from 0.5 to 200, its spread as a line and the required ratio as a tick.
void draw_ratios(const std::filesystem::path& path, std::span<const Json> rows) {
    constexpr double kTop = 64.0, kRow = 24.0, kWidth = 510.0, kLow = 0.5, kHigh = 200.0;
    constexpr double kLetter = 5.8;  // width of a mean letter of the labels
    const auto label_of = [](const Json& row) {
        return row["work"].get<std::string>() + " | " + row["peer"].get<std::string>();
    };
    std::size_t count = 0, longest = 0;
    for (const Json& row : rows) {
        if (!has_ratio(row)) continue;
        ++count;
        longest = std::max(longest, label_of(row).size());
    }
    const double left = 26.0 + kLetter * static_cast<double>(longest),
                 bottom = kTop + kRow * static_cast<double>(count);
    Figure figure(left + kWidth + 30.0, bottom + 50.0);
    const auto x_of = [&](double ratio) {
        return left + kWidth * std::log(std::clamp(ratio, kLow, kHigh) / kLow) / std::log(kHigh / kLow);
    };
    figure.text(16.0, 28.0, "How many times as fast as each peer", 17.0);
    figure.text(16.0, 48.0, "medians of rounds; thin line: slowest and fastest round; red tick: asked for", 12.0);
    for (const double tick : {1.0, 2.0, 5.0, 10.0, 20.0, 50.0, 100.0}) {
        figure.line({x_of(tick), kTop}, {x_of(tick), bottom}, tick == 1.0 ? "#888888" : "#dddddd");
        figure.text(x_of(tick), bottom + 18.0, formatted("%g", tick), 12.0, "middle");
    }
    double y = kTop;
    for (const Json& row : rows) {
        if (!has_ratio(row)) continue;
        const double ratio = row["ratio"].get<double>(), middle = y + 0.5 * kRow;
        figure.text(left - 10.0, middle + 4.0, label_of(row), 11.0, "end");
        figure.rectangle(x_of(1.0), y + 5.0, std::max(1.0, x_of(ratio) - x_of(1.0)), kRow - 10.0,
                         row["holds"] == "no" ? "#d9a066" : "#4c8dae");
        figure.line({x_of(row["ratio_min"].get<double>()), middle}, {x_of(row["ratio_max"].get<double>()), middle},
                    "#333333");
        if (has_number(row, "asked")) {
            const double required = x_of(row["asked"].get<double>());
            figure.line({required, y + 2.0}, {required, y + kRow - 2.0}, "#cc3333", 2.0);
        }
        figure.text(x_of(std::max(ratio, row["ratio_max"].get<double>())) + 6.0, middle + 4.0, formatted("%.1f", ratio),
                    11.0);
        y += kRow;
    }
    figure.save(path);
}

}  // namespace

PeerAnswer run_peer_program(std::string_view program, const std::string& arguments, std::vector<std::string>& notes) {
    PeerAnswer answer;
    const std::filesystem::path path = program_folder() / program;
    const std::string name(program);
    if (!std::filesystem::exists(path)) {
        notes.push_back("peers skipped: " + name + " is not built beside the application; with libfcl-dev and " +
                        "libbullet-dev installed: cmake --preset release && cmake --build --preset release --target " +
                        name);
        return answer;
    }
    const std::string command = "'" + path.string() + "' --json " + arguments;
    std::string output;
    {
        const std::unique_ptr<std::FILE, int (*)(std::FILE*)> pipe(popen(command.c_str(), "r"), pclose);
        std::array<char, 4096> block{};
        while (pipe) {
            const std::size_t got = std::fread(block.data(), 1, block.size(), pipe.get());
            if (got == 0) break;
            output.append(block.data(), got);
        }
    }
    const Json json = Json::parse(output, nullptr, false);
    const Json& rows = json.is_object() && json.contains("rows") ? json["rows"] : json;
    if (!rows.is_array()) {
        notes.push_back("peers skipped: " + name + " gave no rows");
        answer.agreed = false;
        return answer;
    }
    answer.rows.assign(rows.begin(), rows.end());
    if (json.is_object()) {
        for (const Json& note : json.value("notes", Json::array())) notes.push_back(note.get<std::string>());
        answer.agreed = json.value("agreed", true);
    }
    return answer;
}

BenchResult bench_peers(const BenchOptions& options) {
    BenchResult result;
    std::string arguments = options.quick ? "--quick" : "";
    // Workload names have only letters and hyphens; nothing else may reach the shell.
    for (const std::string& name : options.files) {
        if (name.find_first_not_of("abcdefghijklmnopqrstuvwxyz-") != std::string::npos)
            throw std::runtime_error("bench peers: no workload named '" + name + "'");
        arguments += ' ' + name;
    }
    if (!std::filesystem::exists(program_folder() / "glovebox_peers"))
        throw std::runtime_error(
            "bench peers: glovebox_peers is not built beside the application; with libfcl-dev and libbullet-dev "
            "installed: cmake --preset release && cmake --build --preset release --target glovebox_peers");
    PeerAnswer answer = run_peer_program("glovebox_peers", arguments, result.notes);
    result.rows = std::move(answer.rows);
    result.check_failed = !answer.agreed;
    add_claims(result);
    if (!options.figures.empty() && !result.rows.empty()) {
        write_csv(options.figures / "peers.csv", result.rows);
        draw_ratios(options.figures / "peers.svg", result.rows);
        result.figures.push_back({"peers.svg", "How many times as fast as each peer"});
    }
    return result;
}

}  // namespace glovebox::vr
