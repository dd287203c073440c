#include "recordings/json.h"

#include <algorithm>
#include <functional>
#include <optional>
#include <utility>

namespace glovebox::recordings {

namespace {

constexpr int kDeepest = 64;                 // copying and destroying nested values recurses
constexpr std::size_t kMaxOfItem = 200'000;  // values and names in one item of a list: a frame has some hundred

[[noreturn]] void fail_at_byte(const Input& in, std::string_view text, std::size_t byte) {
    const std::string reason = "the JSON is cut off or damaged at byte " + std::to_string(byte);
    if (byte > text.size()) in.fail_cut(reason);
    in.fail(reason);
}

// Calls visit(place, whether it opens) for each bracket that is not in a string, until it returns false.
template <class Visit>
void for_brackets(std::string_view text, const Visit& visit) {
    bool in_string = false;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        if (in_string) {
            if (c == '\\') ++i;
            in_string = c != '"';
        } else if (c == '"') {
            in_string = true;
        } else if (c == '[' || c == '{' || c == ']' || c == '}') {
            if (!visit(i, c == '[' || c == '{')) return;
        }
    }
}

// Checks the depth in advance, because nlohmann's callback visits all siblings at the end of each list: quadratic time.
void expect_shallow(const Input& in, std::string_view text) {
    if (json_depth(text) > kDeepest) in.fail("the JSON cannot be read: nested deeper than 64");
}

// Returns true if a comma at the beginning of a text has no value behind it.
bool is_trailing_comma(std::string_view text) {
    const std::size_t next = text.find_first_not_of(" \t\r\n", 1);
    return next != std::string_view::npos && (text[next] == ']' || text[next] == '}');
}

bool has_trailing_comma(std::string_view text) {
    for (std::size_t at = text.find(','); at != std::string_view::npos; at = text.find(',', at + 1))
        if (is_trailing_comma(text.substr(at))) return true;
    return false;
}

// Returns the text without what programs write and JSON does not have: Python's NaN and Infinity for missing values
// become null, and a comma after the last value of a list is left out. The text is copied to `copy` if it has any.
std::string_view strict_json(std::string_view text, std::string& copy) {
    if (text.find("NaN") == std::string_view::npos && text.find("Infinity") == std::string_view::npos &&
        !has_trailing_comma(text))
        return text;
    bool in_string = false;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        const std::string_view rest = text.substr(i);
        if (in_string && c == '\\' && i + 1 < text.size()) {
            copy += c;
            copy += text[++i];
            continue;
        }
        if (c == '"') in_string = !in_string;
        const std::size_t length = in_string                       ? 0
                                   : rest.starts_with("NaN")       ? 3
                                   : rest.starts_with("Infinity")  ? 8
                                   : rest.starts_with("-Infinity") ? 9
                                                                   : 0;
        if (length > 0) {
            copy += "null";
            i += length - 1;
        } else if (in_string || c != ',' || !is_trailing_comma(rest)) {
            copy += c;
        }
    }
    return copy;
}

// Builds the same value as the library's own SAX builder, except for one list, whose items are passed on one by one.
class ItemParser {
  public:
    using number_integer_t = Json::number_integer_t;
    using number_unsigned_t = Json::number_unsigned_t;
    using number_float_t = Json::number_float_t;
    using string_t = Json::string_t;
    using binary_t = Json::binary_t;

    ItemParser(const Input& in, std::string_view text, std::string_view list,
               const std::function<void(const Json&)>& take, bool* cut)
        : in_(in), text_(text), list_(list), take_(take), cut_(cut) {}

    bool null() {
        return value([](auto& to) { to.null(); });
    }
    bool boolean(bool v) {
        return value([v](auto& to) { to.boolean(v); });
    }
    bool number_integer(number_integer_t v) {
        return value([v](auto& to) { to.number_integer(v); });
    }
    bool number_unsigned(number_unsigned_t v) {
        return value([v](auto& to) { to.number_unsigned(v); });
    }
    bool number_float(number_float_t v, const string_t& s) {
        return value([&](auto& to) { to.number_float(v, s); });
    }
    bool string(string_t& v) {
        return value([&v](auto& to) { to.string(v); });
    }
    bool binary(binary_t& v) {
        return value([&v](auto& to) { to.binary(v); });
    }
    bool key(string_t& name) {
        if (depth_ == 1) is_list_ = name == list_;
        build().key(name);
        return true;
    }
    bool start_object(std::size_t count) {
        begin_item();
        build().start_object(count);
        ++depth_;
        return true;
    }
    bool start_array(std::size_t count) {
        begin_item();
        build().start_array(count);
        in_list_ = in_list_ || (list_.empty() ? depth_ == 0 : depth_ == 1 && is_list_);
        ++depth_;
        return true;
    }
    bool end_object() {
        --depth_;
        build().end_object();
        end_item();
        return true;
    }
    bool end_array() {
        --depth_;
        in_list_ = in_list_ && depth_ >= item_depth_;
        build().end_array();
        end_item();
        return true;
    }
    bool parse_error(std::size_t at, const std::string&, const nlohmann::detail::exception&) {
        if (cut_ == nullptr || at <= text_.size()) fail_at_byte(in_, text_, at);
        *cut_ = true;
        return false;
    }

    Json take_rest() { return std::move(rest_); }

  private:
    using Builder = nlohmann::detail::json_sax_dom_parser<Json>;

    Builder& build() { return item_builder_ ? *item_builder_ : rest_builder_; }
    void begin_item() {
        if (in_list_ && depth_ == item_depth_) {
            item_ = {};
            item_builder_.emplace(item_, true);
            values_ = 0;
        }
        if (item_builder_ && ++values_ > kMaxOfItem) in_.fail("one item of '" + std::string(list_) + "' is too large");
    }
    void end_item() {
        if (!item_builder_ || depth_ != item_depth_) return;
        item_builder_.reset();
        take_(item_);
        item_ = {};
    }
    template <class Put>
    bool value(const Put& put) {
        begin_item();
        put(build());
        end_item();
        return true;
    }

    const Input& in_;
    std::string_view text_, list_;
    const std::function<void(const Json&)>& take_;
    bool* cut_;
    Json rest_, item_;
    Builder rest_builder_{rest_, true};
    std::optional<Builder> item_builder_;
    int depth_ = 0, item_depth_ = list_.empty() ? 1 : 2;
    bool is_list_ = false, in_list_ = false;
    std::size_t values_ = 0;
};

}  // namespace

int json_depth(std::string_view text) {
    int depth = 0, deepest = 0;
    for_brackets(text, [&](std::size_t, bool opens) {
        depth += opens ? 1 : -1;
        deepest = std::max(deepest, depth);
        return true;
    });
    return deepest;
}

JsonExtent json_extent(std::string_view text) {
    JsonExtent extent{text.size(), {}};
    for_brackets(text, [&](std::size_t at, bool opens) {
        if (opens) {
            extent.open.push_back({text[at] == '[' ? ']' : '}', at, 0, 0});
            return true;
        }
        if (extent.open.empty()) return true;
        const std::size_t begin = extent.open.back().begin;
        extent.open.pop_back();
        if (extent.open.empty()) {
            extent.end = at + 1;
            return false;
        }
        extent.open.back().last_begin = begin;
        extent.open.back().last_end = at + 1;
        return true;
    });
    return extent;
}

Json parse_json(const Input& in, std::string_view text) {
    expect_shallow(in, text);
    std::string copy;
    text = strict_json(text, copy);
    try {
        return Json::parse(text);
    } catch (const Json::parse_error& error) {
        fail_at_byte(in, text, error.byte);
    } catch (const Json::exception& error) {
        in.fail(std::string("the JSON cannot be read: ") + error.what());
    }
}

Json parse_json_items(const Input& in, std::string_view text, std::string_view list,
                      const std::function<void(const Json&)>& take, bool* cut) {
    expect_shallow(in, text);
    std::string copy;
    text = strict_json(text, copy);
    ItemParser parser(in, text, list, take, cut);
    try {
        Json::sax_parse(text, &parser);
    } catch (const Json::exception& error) {
        in.fail(std::string("the JSON cannot be read: ") + error.what());
    }
    return parser.take_rest();
}

const Json* json_member(const Json& object, const char* name) {
    if (!object.is_object()) return nullptr;
    const auto found = object.find(name);
    return found == object.end() ? nullptr : &*found;
}

bool json_number(const Json& object, const char* name, double& value) {
    const Json* member = json_member(object, name);
    if (member == nullptr || !member->is_number()) return false;
    value = member->get<double>();
    return true;
}

bool json_numbers(const Json& list, std::size_t count, float* values) {
    if (!list.is_array() || list.size() != count) return false;
    for (std::size_t i = 0; i < count; ++i) {
        if (!list[i].is_number()) return false;
        values[i] = list[i].get<float>();
    }
    return true;
}

bool json_vector(const Json& object, const char* name, Eigen::Vector3f& value) {
    const Json* member = json_member(object, name);
    return member != nullptr && json_numbers(*member, 3, value.data());
}

}  // namespace glovebox::recordings
