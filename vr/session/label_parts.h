// Reads and validates the part files of a table of labels, one per recording, which may come from another machine. A
// part begins with two lines "# {...}": its input and settings, and the recording's entry in the data card. Its rows
// follow as CSV.
#pragma once

#include <filesystem>
#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace glovebox::vr {

/// The two header lines of a part file, and where its rows begin.
struct LabelPart {
    /// "number" (from 1) of "of" parts; "settings" is an object with the name of a "scene".
    nlohmann::ordered_json head;
    nlohmann::ordered_json entry;  ///< "skipped", if present, is a string
    std::streamoff rows_at = 0;
    std::filesystem::path path;
};

/// Returns whether the file exists and its first line is "# " followed by `head`; the part is then up to date.
bool is_made(const std::filesystem::path& part, const std::string& head);

/// Reads a part's two header lines. Throws std::runtime_error, naming the file, if it is not a valid part.
LabelPart read_part(const std::filesystem::path& path);

/// Reads the headers of all parts in a folder, in order. Throws std::runtime_error if any are missing or invalid, or
/// were made with different settings.
std::vector<LabelPart> read_parts(const std::filesystem::path& folder);

/// Removes the parts with a number above `count`, which an interrupted run of more recordings left. Throws
/// std::runtime_error if such a file is no part.
void remove_parts_beyond(const std::filesystem::path& folder, std::size_t count);

/// Calls `visit` with every row of every part, in order. Throws std::runtime_error if a row exceeds the maximum length.
void for_each_row(const std::vector<LabelPart>& parts, const std::function<void(const std::string&)>& visit);

/// Returns the fields of one CSV row.
std::vector<std::string> fields_of(const std::string& row);

}  // namespace glovebox::vr
