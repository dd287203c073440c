// Parses untrusted JSON safely.
#pragma once

#include <Eigen/Core>
#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "recordings/input.h"

namespace glovebox::recordings {

using Json = nlohmann::json;

/// Returns how many levels deep lists and objects are nested in a text, which need not be JSON.
int json_depth(std::string_view text);

/// A list or object without its closing bracket, and the bounds of the last list or object in it that has one.
struct OpenJson {
    char closing = ']';
    std::size_t begin = 0, last_begin = 0, last_end = 0;
};

/// The end of the first list or object of a text. If the text ends before, `open` are the values that enclose the end,
/// from the outside.
struct JsonExtent {
    std::size_t end = 0;
    std::vector<OpenJson> open;
};
JsonExtent json_extent(std::string_view text);

/// Parses a text. Throws CutOff if the text ends too early. Throws ImportError with the position of the error if the
/// text is not JSON or is nested more than 64 levels deep.
Json parse_json(const Input& in, std::string_view text);

/// Parses {..., "list": [...], ...} without storing the list: calls `take` for each of its items, and returns the rest
/// with an empty list. If the name `list` is empty, the text itself is the list. Takes linear time. Throws what
/// parse_json() throws, and ImportError for an item that cannot be a frame. If the text is truncated, calls `take` for
/// the items before the cut and throws CutOff. If `cut` is not null, sets `*cut` instead and returns the rest.
Json parse_json_items(const Input& in, std::string_view text, std::string_view list,
                      const std::function<void(const Json&)>& take, bool* cut = nullptr);

/// Returns the member of an object; null if `object` is not an object or has no such member.
const Json* json_member(const Json& object, const char* name);
bool json_number(const Json& object, const char* name, double& value);
bool json_vector(const Json& object, const char* name, Eigen::Vector3f& value);

/// Copies a list of exactly `count` numbers to `values`; returns false if it is anything else.
bool json_numbers(const Json& list, std::size_t count, float* values);

}  // namespace glovebox::recordings
