#include "vr/bench/page.h"

#include <cctype>
#include <fstream>

#include "tracking/quoted.h"
#include "vr/export/text_table.h"
#include "vr/platform/platform.h"
#include "vr/platform/version.h"

namespace glovebox::vr {
namespace {

// Escapes characters with a meaning in Markdown or HTML.
std::string escaped(std::string_view words) {
    std::string text;
    for (const char c : tracking::printable(std::string(words))) {
        if (std::string_view("\\|*`").find(c) != std::string_view::npos) text += '\\';
        text += c == '<' ? "&lt;" : std::string(1, c);
    }
    return text;
}

std::string sentence(std::string_view words) {
    std::string text = escaped(words);
    if (text.empty()) return text;
    text.front() = static_cast<char>(std::toupper(static_cast<unsigned char>(text.front())));
    return text + (text.ends_with('.') ? "\n" : ".\n");
}

std::string line_of(const std::vector<std::string>& cells) {
    std::string line = "|";
    for (const std::string& cell : cells) line += ' ' + escaped(cell) + " |";
    return line + '\n';
}

std::string table_text(std::span<const nlohmann::ordered_json> rows) {
    std::vector<std::string> head;
    std::string rule = "|";
    for (const auto& [key, value] : rows.front().items()) {
        head.push_back(key);
        rule += value.is_number() ? "---:|" : "---|";
    }
    std::string text = line_of(head) + rule + '\n';
    for (const auto& row : rows) {
        std::vector<std::string> cells;
        for (const auto& [key, value] : row.items()) cells.push_back(cell_text(value));
        text += line_of(cells);
    }
    return text;
}

std::string claims_text(std::span<const Claim> claims) {
    std::string text =
        line_of({"claim", "published", "threshold", "measured", "spread", "verdict"}) + "|---|---|---|---|---|---|\n";
    for (const Claim& claim : claims)
        text += line_of({claim.claim, claim.published, claim.threshold, claim.measured, claim.spread,
                         std::string(name_of(claim.verdict))});
    return text;
}

std::string part_text(const BenchResult& result, const BenchPart& from, const BenchPart& to,
                      const std::filesystem::path& page) {
    std::string text;
    if (!from.title.empty()) text += "\n## " + escaped(from.title) + '\n';
    if (!from.summary.empty()) text += '\n' + sentence(from.summary);
    const std::span all_claims(result.claims);
    if (to.claims > from.claims) text += '\n' + claims_text(all_claims.subspan(from.claims, to.claims - from.claims));
    const std::span all_rows(result.rows);
    for (const auto& table : tables_of(all_rows.subspan(from.rows, to.rows - from.rows)))
        text += '\n' + table_text(table);
    for (std::size_t i = from.figures; i < to.figures; ++i)
        text += "\n![" + escaped(result.figures[i].title) + "](" + figures_beside(page).filename().string() + '/' +
                result.figures[i].file + ")\n";
    return text;
}

std::string verdict_counts(std::span<const Claim> claims) {
    std::string text;
    for (const Verdict verdict : {Verdict::reproduced, Verdict::not_reproduced, Verdict::undecided}) {
        std::size_t count = 0;
        for (const Claim& claim : claims) count += claim.verdict == verdict ? 1 : 0;
        text += (text.empty() ? "" : ", ") + std::to_string(count) + ' ' + std::string(name_of(verdict));
    }
    return text;
}

}  // namespace

std::filesystem::path figures_beside(const std::filesystem::path& page) {
    return page.parent_path() / "figures";
}

std::string page_text(const Bench& bench, const BenchResult& result, const std::filesystem::path& page,
                      const std::string& command) {
    const Machine machine = describe_machine();
    std::string text = "<!-- Written by `glovebox bench`. Run the command below instead of editing. -->\n# " +
                       escaped(bench.name) + "\n\n" + sentence(bench.summary) + "\n`" + command + "`\n\n" +
                       "Glovebox " + kVersion + ", " + escaped(machine.compiler) + ", " + escaped(machine.build) +
                       "; " + escaped(machine.cpu) + ", " + std::to_string(machine.cores) + " cores, " +
                       std::to_string(machine.memory_mb / 1024) + " GB, " + escaped(machine.os) + ".\n";
    if (!result.claims.empty())
        text += "\nClaims: " + verdict_counts(result.claims) +
                ". A claim is undecided where the spread of its measurement crosses the threshold.\n";
    if (result.check_failed) text += "\n**A check of this bench failed; see the notes.**\n";
    const BenchPart end{"", "", result.rows.size(), result.figures.size(), result.claims.size()};
    std::vector<BenchPart> parts = result.parts;
    if (parts.empty() || parts.front().rows + parts.front().figures + parts.front().claims > 0)
        parts.insert(parts.begin(), BenchPart{});
    parts.push_back(end);
    for (std::size_t i = 0; i + 1 < parts.size(); ++i) text += part_text(result, parts[i], parts[i + 1], page);
    if (!result.notes.empty()) text += "\n## Notes\n\n";
    for (const std::string& note : result.notes) text += "- " + sentence(note);
    return text;
}

bool is_page_of_full_run(const std::filesystem::path& page) {
    std::ifstream in(page);
    for (std::string line; std::getline(in, line);)
        if (line.starts_with("`glovebox bench ")) return line.find(" --quick ") == line.npos;
    return false;
}

}  // namespace glovebox::vr
