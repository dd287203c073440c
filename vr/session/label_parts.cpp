#include "vr/session/label_parts.h"

#include <algorithm>
#include <fstream>
#include <stdexcept>

#include "recordings/json.h"

namespace glovebox::vr {
namespace {

using nlohmann::ordered_json;
namespace fs = std::filesystem;

constexpr std::size_t kLongestHead = std::size_t{1} << 20, kLongestRow = std::size_t{1} << 16;

// Parses a line "# {...}" of a part, which may come from anywhere.
ordered_json json_of_part(const fs::path& path, const std::string& line) {
    constexpr int kDeepest = 64;  // nesting limit, because destroying nested values recurses
    ordered_json json;
    if (line.size() <= kLongestHead && recordings::json_depth(line) <= kDeepest)
        json = ordered_json::parse(line.substr(2), nullptr, false);
    if (!json.is_object())
        throw std::runtime_error(path.string() + ": its first two lines are no JSON; remove it and label again");
    return json;
}

// Lists the first few numbers without a part. The total comes from a file and may be any number.
std::string missing_parts(const std::vector<LabelPart>& parts, std::size_t expected) {
    constexpr int kMaxNamed = 20;
    std::string missing;
    int named = 0;
    for (std::size_t number = 1, at = 0; number <= expected; ++number) {
        if (at < parts.size() && parts[at].head["number"] == number) {
            ++at;
            continue;
        }
        if (named++ == kMaxNamed) return missing + " and more";
        missing += (missing.empty() ? "" : ", ") + std::to_string(number);
    }
    return missing;
}

}  // namespace

bool is_made(const fs::path& part, const std::string& head) {
    std::ifstream in;
    if (fs::is_regular_file(part)) in.open(part);  // opening a pipe would wait for its writer
    std::string first;
    return in.is_open() && std::getline(in, first) && first == "# " + head;
}

LabelPart read_part(const fs::path& path) {
    const auto expect = [&path](bool is_part) {
        if (!is_part) throw std::runtime_error(path.string() + ": not a part of labels; remove it and label again");
    };
    expect(fs::is_regular_file(path));
    std::ifstream in(path, std::ios::binary);
    std::string head, entry;
    expect(std::getline(in, head) && std::getline(in, entry) && head.starts_with("# ") && entry.starts_with("# "));
    const std::streamoff rows_at = in.tellg();
    const LabelPart part{json_of_part(path, head), json_of_part(path, entry), rows_at, path};
    for (const char* count : {"number", "of"})
        expect(part.head.contains(count) && part.head[count].is_number_unsigned());
    expect(part.head.contains("settings") && part.head["settings"].is_object());
    const ordered_json& made_with = part.head["settings"];
    expect(made_with.contains("scene") && made_with["scene"].is_string());
    expect(!part.entry.contains("skipped") || part.entry["skipped"].is_string());
    return part;
}

std::vector<LabelPart> read_parts(const fs::path& folder) {
    std::vector<LabelPart> parts;
    for (const auto& entry : fs::directory_iterator(folder))
        if (entry.path().extension() == ".csv") parts.push_back(read_part(entry.path()));
    if (parts.empty()) throw std::runtime_error(folder.string() + ": holds no parts");
    std::ranges::sort(parts, {}, [](const LabelPart& part) { return part.head["number"].get<std::size_t>(); });

    const auto expected = parts.front().head["of"].get<std::size_t>();
    const std::string missing = missing_parts(parts, expected);
    if (!missing.empty())
        throw std::runtime_error(folder.string() + ": parts of " + std::to_string(expected) +
                                 " are missing: " + missing);
    if (parts.size() != expected)
        throw std::runtime_error(folder.string() + ": has " + std::to_string(parts.size()) + " parts of " +
                                 std::to_string(expected) + "; remove the folder and label again");
    for (const LabelPart& part : parts)
        if (part.head["settings"] != parts.front().head["settings"] || part.head["of"] != expected)
            throw std::runtime_error(part.path.string() + ": made with other settings than " +
                                     parts.front().path.string() + "; label again");
    return parts;
}

void remove_parts_beyond(const fs::path& folder, std::size_t count) {
    std::vector<fs::path> beyond;
    for (const auto& entry : fs::directory_iterator(folder))
        if (entry.path().extension() == ".csv" && read_part(entry.path()).head["number"] > count)
            beyond.push_back(entry.path());
    for (const fs::path& part : beyond) fs::remove(part);
}

void for_each_row(const std::vector<LabelPart>& parts, const std::function<void(const std::string&)>& visit) {
    for (const LabelPart& part : parts) {
        std::ifstream in(part.path, std::ios::binary);
        in.seekg(part.rows_at);
        for (std::string row; std::getline(in, row);) {
            if (row.size() > kLongestRow)
                throw std::runtime_error(part.path.string() + ": a row is longer than rows are");
            visit(row);
        }
    }
}

std::vector<std::string> fields_of(const std::string& row) {
    std::vector<std::string> fields(1);
    bool in_quotes = false;
    for (std::size_t i = 0; i < row.size(); ++i) {
        if (row[i] == '"' && in_quotes && i + 1 < row.size() && row[i + 1] == '"')
            fields.back() += row[++i];
        else if (row[i] == '"')
            in_quotes = !in_quotes;
        else if (row[i] == ',' && !in_quotes)
            fields.emplace_back();
        else
            fields.back() += row[i];
    }
    return fields;
}

}  // namespace glovebox::vr
