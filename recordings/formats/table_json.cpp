// The same table can be written as JSON in several ways, and pandas has a name for each:
//   records   [{"WRIST_x": 0.1, ...}, ...]; or a line for each record
//   list      {"WRIST_x": [0.1, ...], ...}
//   columns   {"WRIST_x": {"0": 0.1, ...}, ...}
//   index     {"0": {"WRIST_x": 0.1, ...}, ...}
//   split     {"columns": [...], "index": [...], "data": [[...], ...]}
//   table     {"schema": ..., "data": [{...}, ...]}
// Each is converted to comma-separated text, which the readers of tables then read. So names, sides, times and units
// mean the same in both. An index that does not count the rows is a time or a number of a frame.
#include "recordings/formats/table_json.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <map>
#include <utility>
#include <vector>

#include "recordings/formats/csv_columns.h"
#include "recordings/formats/joint_csv.h"
#include "recordings/formats/landmark_csv.h"
#include "recordings/json.h"
#include "recordings/parse.h"

namespace glovebox::recordings {
namespace {

constexpr std::size_t kMaxTableBytes = std::size_t{256} << 20;
constexpr std::size_t kMaxWholeBytes = std::size_t{64} << 20;  // of orientations that are parsed at once
constexpr std::size_t kMaxTableColumns = 4096;

// Appends a cell's text, which is empty unless the value is a number or a word.
void append_cell(const Json& value, std::string& text) {
    if (value.is_number() || value.is_boolean()) {
        text += value.is_boolean() ? (value.get<bool>() ? "1" : "0") : value.dump();
    } else if (value.is_string()) {
        for (const char c : value.get_ref<const std::string&>()) text += c == ',' || c == '\n' || c == '\r' ? ' ' : c;
    }
}

bool is_scalar(const Json& value) {
    return !value.is_structured();
}

// A table that grows by rows. A cell without a value takes a byte here and none in a record or an object, so the table
// is limited to a multiple of the JSON.
class CsvText {
  public:
    /// Raises the limit by JSON of this size, which was read from `in`. Records may lack a hand that is lost; columns
    /// have all cells, if only as null.
    void allow(const Input& in, std::size_t bytes, bool by_records) {
        in_ = &in;
        max_bytes_ += (by_records ? 8 : 2) * bytes;
    }
    /// Sets the columns from the first record; later records have no others.
    void add_record(const Json& record) {
        if (!record.is_object()) return;
        if (columns_.empty())
            for (const auto& [name, value] : record.items())
                if (is_scalar(value)) columns_.push_back(name);
        begin_row();
        for (std::size_t i = 0; i < columns_.size(); ++i) {
            if (i > 0) rows_ += ',';
            if (const auto found = record.find(columns_[i]); found != record.end()) append_cell(*found, rows_);
        }
    }
    void add_list(const Json& row) {
        if (!row.is_array()) return;
        begin_row();
        for (std::size_t i = 0; i < row.size(); ++i) {
            if (i > 0) rows_ += ',';
            append_cell(row[i], rows_);
        }
    }
    void set_columns(std::vector<std::string> names) { columns_ = std::move(names); }
    const std::vector<std::string>& columns() const { return columns_; }
    std::string take() {
        std::string text;
        for (std::size_t i = 0; i < columns_.size(); ++i) {
            if (i > 0) text += ',';
            append_cell(Json(columns_[i]), text);
        }
        return text + rows_ + "\n";
    }

  private:
    void begin_row() {
        if (in_ != nullptr && rows_.size() > max_bytes_)
            in_->fail("the table has far more cells than values; leave empty columns out");
        rows_ += '\n';
    }

    const Input* in_ = nullptr;  // null: a table of a few rows, by which a format is recognised
    std::vector<std::string> columns_;
    std::string rows_;
    std::size_t max_bytes_ = std::size_t{1} << 20;
};

// Reads a text and notes the first names and values in it, as far as the text goes.
class Glance {
  public:
    using number_integer_t = Json::number_integer_t;
    using number_unsigned_t = Json::number_unsigned_t;
    using number_float_t = Json::number_float_t;
    using string_t = Json::string_t;
    using binary_t = Json::binary_t;

    std::vector<std::string> outer, inner;  // names in the first object, and in its first value
    Json record = Json::object();           // the first object, if its values are words and numbers
    bool in_list = false;                   // the first object is an item of a list
    bool ended = false;                     // with the first object
    bool any_scalar = false, any_list = false, any_object = false, any_deep = false;

    bool null() { return scalar(nullptr); }
    bool boolean(bool v) { return scalar(v); }
    bool number_integer(number_integer_t v) { return scalar(v); }
    bool number_unsigned(number_unsigned_t v) { return scalar(v); }
    bool number_float(number_float_t v, const string_t&) { return scalar(v); }
    bool string(string_t& v) { return scalar(v); }
    bool binary(binary_t&) { return false; }
    bool key(string_t& name) {
        const int depth = depth_ - (in_list ? 1 : 0);
        if (depth == 1) outer.push_back(name);
        if (depth == 2 && outer.size() == 1) inner.push_back(name);
        return outer.size() <= kMaxTableColumns && inner.size() <= kMaxTableColumns;
    }
    bool start_object(std::size_t) {
        open(any_object);
        return true;
    }
    bool start_array(std::size_t) {
        if (depth_ == 0) {
            in_list = true;
            ++depth_;
            return true;
        }
        open(any_list);
        return true;
    }
    bool end_object() {
        --depth_;
        ended = depth_ == (in_list ? 1 : 0);
        return !ended;
    }
    bool end_array() {
        --depth_;
        return depth_ > 0;
    }
    bool parse_error(std::size_t, const std::string&, const nlohmann::detail::exception&) { return false; }

  private:
    bool scalar(Json value) {
        if (depth_ != (in_list ? 2 : 1)) return depth_ > 0;
        any_scalar = true;
        if (!outer.empty()) record[outer.back()] = std::move(value);
        return !outer.empty();
    }
    void open(bool& kind) {
        const int depth = depth_ - (in_list ? 1 : 0);
        if (depth == 1) kind = true;
        if (depth > 1) any_deep = true;
        ++depth_;
    }
    int depth_ = 0;
};

enum class Orientation { none, records, lines, list, columns, index, split, table };

bool is_table_of_hand(const std::string& text) {
    return is_landmark_csv(text, text.size()) || is_joint_csv(text, text.size());
}

bool is_table_of_hand(const std::vector<std::string>& names) {
    CsvText csv;
    csv.set_columns(names);
    return is_table_of_hand(csv.take());
}

// Returns true if a column's name is a coordinate's. The head of a file may end in a long column.
bool is_name_of_coordinate(const std::string& name) {
    const std::vector<std::string> words = words_of_name(name);
    const auto is_axis = [](const std::string& word) { return is_one_of(word, {"x", "y", "z"}); };
    return words.size() > 1 && (is_axis(words.front()) || is_axis(words.back()));
}

bool is_number_text(const std::string& text) {
    double number = 0.0;
    return parse_number(text, number);
}

Orientation orientation_of(std::string_view head) {
    if (!head.starts_with('{') && !head.starts_with('[')) return Orientation::none;
    if (json_depth(head) > 8) return Orientation::none;
    Glance seen;
    try {
        Json::sax_parse(head, &seen, nlohmann::detail::input_format_t::json, false);
    } catch (const Json::exception&) {
        return Orientation::none;
    }
    if (seen.outer.empty()) return Orientation::none;
    const auto has = [&seen](const char* name) {
        return std::find(seen.outer.begin(), seen.outer.end(), name) != seen.outer.end();
    };
    if (seen.in_list || (seen.any_scalar && !seen.any_list && !seen.any_object)) {
        if (!seen.ended || seen.any_list || seen.any_object) return Orientation::none;
        CsvText csv;
        csv.add_record(seen.record);
        if (!is_table_of_hand(csv.take())) return Orientation::none;
        return seen.in_list ? Orientation::records : Orientation::lines;
    }
    const bool has_schema = has("data") && has("schema") && head.find("\"fields\"") != std::string_view::npos;
    if (seen.any_scalar && !has_schema) return Orientation::none;
    if (has("columns") && has("data") && !seen.any_object) return Orientation::split;
    if (has("columns") && has("index") && !seen.any_object) return Orientation::split;
    if (has_schema) return Orientation::table;
    if (seen.any_deep) return Orientation::none;
    const bool visible = std::any_of(seen.outer.begin(), seen.outer.end(), is_name_of_coordinate);
    if (seen.any_list && !seen.any_object)
        return (seen.ended ? is_table_of_hand(seen.outer) : visible) ? Orientation::list : Orientation::none;
    if (!seen.any_object || seen.any_list) return Orientation::none;
    if (is_table_of_hand(seen.inner)) return Orientation::index;
    const bool counts = !seen.inner.empty() && std::all_of(seen.inner.begin(), seen.inner.end(), is_number_text);
    if (!counts && visible && !seen.ended && seen.outer.size() == 1) return Orientation::columns;  // dates as index
    return counts && (seen.ended ? is_table_of_hand(seen.outer) : visible) ? Orientation::columns : Orientation::none;
}

// Sorts the labels of rows, which JSON has in the order of their text.
std::vector<std::string> sorted_labels(std::vector<std::string> labels) {
    if (std::all_of(labels.begin(), labels.end(), is_number_text)) {
        const auto number = [](const std::string& text) {
            double value = 0.0;
            parse_number(text, value);
            return value;
        };
        std::stable_sort(labels.begin(), labels.end(),
                         [&](const std::string& a, const std::string& b) { return number(a) < number(b); });
    }
    return labels;
}

// Returns the name of a column for the labels of the rows: of frames, of times, or none if they only count the rows.
std::string name_of_labels(const std::vector<std::string>& labels) {
    bool counts = true, whole = true, civil = !labels.empty();
    std::vector<double> steps;
    double before = -1.0;
    for (const std::string& label : labels) {
        double number = 0.0;
        civil = civil && parse_civil_time_ns(label).has_value();
        if (!parse_number(label, number)) {
            counts = whole = false;
            continue;
        }
        counts = counts && number == before + 1.0;
        whole = whole && number == std::floor(number);
        if (before >= 0.0) steps.push_back(number - before);
        before = number;
    }
    if (civil) return "time";
    if (counts || steps.size() + 1 < labels.size() || steps.empty()) return {};
    const auto middle = steps.begin() + static_cast<std::ptrdiff_t>(steps.size() / 2);
    std::nth_element(steps.begin(), middle, steps.end());
    return whole && *middle == 1.0 ? "frame" : "time";
}

bool has_time_column(const std::vector<std::string>& names) {
    return std::any_of(names.begin(), names.end(), [](const std::string& name) {
        const std::vector<std::string> words = words_of_name(name);
        return time_unit_of_column(words) || is_frame_column(words);
    });
}

std::vector<std::string> names_in(const Json& object) {
    std::vector<std::string> names;
    for (const auto& [name, value] : object.items()) names.push_back(name);
    return names;
}

// Adds rows with labels; `cell(column, row)` returns a cell or null.
template <class Cell>
void add_labelled(std::vector<std::string> columns, const std::vector<std::string>& labels, Cell&& cell, CsvText& csv) {
    const std::string label_name = has_time_column(columns) ? std::string() : name_of_labels(labels);
    std::vector<std::string> names = columns;
    if (!label_name.empty()) names.insert(names.begin(), label_name);
    csv.set_columns(std::move(names));
    for (const std::string& label : labels) {
        Json row = Json::array();
        if (!label_name.empty()) row.push_back(label);
        for (const std::string& column : columns) {
            const Json* value = cell(column, label);
            row.push_back(value != nullptr && is_scalar(*value) ? *value : Json());
        }
        csv.add_list(row);
    }
}

void add_columns(const Json& table, CsvText& csv) {
    const Json* longest = nullptr;
    for (const Json& column : table)
        if (column.is_object() && (longest == nullptr || column.size() > longest->size())) longest = &column;
    if (longest == nullptr) return;
    add_labelled(
        names_in(table), sorted_labels(names_in(*longest)),
        [&table](const std::string& column, const std::string& row) { return json_member(table[column], row.c_str()); },
        csv);
}

void add_index(const Json& table, CsvText& csv) {
    const std::vector<std::string> labels = sorted_labels(names_in(table));
    if (labels.empty() || !table[labels[0]].is_object()) return;
    add_labelled(
        names_in(table[labels[0]]), labels,
        [&table](const std::string& column, const std::string& row) { return json_member(table[row], column.c_str()); },
        csv);
}

void add_lists(const Input& in, const Json& table, CsvText& csv) {
    std::vector<std::string> names;
    std::size_t rows = 0;
    for (const auto& [name, column] : table.items()) {
        if (!column.is_array()) continue;
        if (!names.empty() && column.size() != rows)
            in.fail("the columns of the table differ in their length: " + excerpt(name) + " has " +
                    std::to_string(column.size()) + " values, others have " + std::to_string(rows));
        rows = column.size();
        names.push_back(name);
    }
    for (std::size_t i = 0; i < rows; ++i) {
        Json row = Json::array();
        for (const std::string& name : names) row.push_back(is_scalar(table[name][i]) ? table[name][i] : Json());
        csv.add_list(row);
    }
    csv.set_columns(std::move(names));
}

void read_csv(Input& in, const ImportOptions& options, CsvText& csv, Assembly& out) {
    if (csv.columns().empty()) in.fail("the JSON is a table without rows");
    if (csv.columns().size() > kMaxTableColumns) in.fail("the table has more than 4096 columns");
    std::string names;
    for (const std::string& name : csv.columns())
        if (names.size() < 200) names.append(names.empty() ? "" : ", ").append(excerpt(name));
    Input table(in.path(), csv.take());
    if (is_landmark_csv(table.head(), table.size())) return read_landmark_csv(table, options, out);
    if (is_joint_csv(table.head(), table.size())) return read_joint_csv(table, options, out);
    in.fail("the JSON is a table whose columns are not coordinates of a hand's points: " + names +
            "; names such as WRIST_x, x0 or right_index_proximal_x are read");
}

}  // namespace

bool is_table_json(std::string_view head, std::uintmax_t) {
    return orientation_of(trimmed(head)) != Orientation::none;
}

bool read_table_document(Input& in, const Json& document, std::size_t bytes, const ImportOptions& options,
                         Assembly& out) {
    if (!document.is_object() || document.empty()) return false;
    const bool lists = std::all_of(document.begin(), document.end(), [](const Json& column) {
        return column.is_array() && std::all_of(column.begin(), column.end(), is_scalar);
    });
    const bool objects = std::all_of(document.begin(), document.end(), [](const Json& column) {
        return column.is_object() && std::all_of(column.begin(), column.end(), is_scalar);
    });
    if ((!lists && !objects) || !is_table_of_hand(names_in(document))) return false;
    CsvText csv;
    csv.allow(in, bytes, false);
    lists ? add_lists(in, document, csv) : add_columns(document, csv);
    read_csv(in, options, csv, out);
    return true;
}

void read_table_json(Input& in, const ImportOptions& options, Assembly& out) {
    const Orientation orientation = orientation_of(trimmed(in.head()));
    CsvText csv;
    if (orientation == Orientation::lines) {
        try {
            for (std::string_view line; in.next_full_line(line);) {
                csv.allow(in, line.size(), true);
                csv.add_record(parse_json(in, line));
            }
        } catch (const ImportError&) {
            if (!csv.columns().empty()) read_csv(in, options, csv, out);
            throw;
        }
        return read_csv(in, options, csv, out);
    }
    const bool by_items =
        orientation == Orientation::records || orientation == Orientation::split || orientation == Orientation::table;
    const std::string text = in.read_all(by_items ? kMaxTableBytes : kMaxWholeBytes);
    csv.allow(in, text.size(), by_items);
    if (!by_items) {
        const Json table = parse_json(in, text);
        if (orientation == Orientation::columns) add_columns(table, csv);
        if (orientation == Orientation::index) add_index(table, csv);
        if (orientation == Orientation::list) add_lists(in, table, csv);
        return read_csv(in, options, csv, out);
    }
    bool cut = false;
    const bool is_split = orientation == Orientation::split;
    Json rest;
    try {
        rest = parse_json_items(
            in, text, orientation == Orientation::records ? "" : "data",
            [&](const Json& item) { is_split ? csv.add_list(item) : csv.add_record(item); }, &cut);
    } catch (const ImportError&) {
        if (!csv.columns().empty()) read_csv(in, options, csv, out);
        throw;
    }
    if (is_split) {
        const Json* columns = json_member(rest, "columns");
        std::vector<std::string> names;
        if (columns != nullptr && columns->is_array())
            for (const Json& name : *columns) names.push_back(name.is_string() ? name.get<std::string>() : name.dump());
        csv.set_columns(std::move(names));
    }
    read_csv(in, options, csv, out);
    if (cut) in.fail_cut("the JSON is cut off");
}

}  // namespace glovebox::recordings
