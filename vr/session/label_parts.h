// The parts of a table of labels, one file per recording, as another machine may have sent them: two lines "# {...}",
// what a part was made from and the recording's entry in the data card, then its rows as CSV.
#pragma once

#include <filesystem>
#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace glovebox::vr {

struct LabelPart {
    nlohmann::ordered_json head;   ///< "number" and "of": counts; "settings": an object with the name of a "scene"
    nlohmann::ordered_json entry;  ///< "skipped", if it is there, is text
    std::streamoff rows_at = 0;
    std::filesystem::path path;
};

/// Is the part of this recording and these settings there? Reads its first line.
bool is_made(const std::filesystem::path& part, const std::string& head);

/// Throws std::runtime_error with the part's name: no regular file, or no part of labels.
LabelPart read_part(const std::filesystem::path& path);

/// Reads the parts in a folder, all of them and all of the same settings, in order. Throws std::runtime_error: which
/// are missing, or what is wrong.
std::vector<LabelPart> read_parts(const std::filesystem::path& folder);

/// Visits every row of every part, in order. Throws std::runtime_error where one is longer than a row can be.
void for_each_row(const std::vector<LabelPart>& parts, const std::function<void(const std::string&)>& visit);

/// Returns the fields of one CSV row.
std::vector<std::string> fields_of(const std::string& row);

}  // namespace glovebox::vr
