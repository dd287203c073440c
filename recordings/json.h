// JSON of unknown make: reading without trusting it.
#pragma once

#include <Eigen/Core>
#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "recordings/input.h"

namespace glovebox::recordings {

using Json = nlohmann::json;

/// How deep lists and objects are nested in a text; the text need not be JSON.
int json_depth(std::string_view text);

/// Throws ImportError with the place of the fault, CutOff where the text ends too early; also for nesting deeper than
/// 64.
Json parse_json(const Input& in, std::string_view text);

/// Reads {..., "list": [...], ...} without holding all of the list: calls `take` with each of its items, and returns
/// the rest, in which the list is empty. Time is linear. Throws as parse_json(), and for an item that is no frame of
/// anything. Of a text that is cut off the items before the cut are taken, and then it throws CutOff, or tells `cut`
/// and returns what there is. An empty name of the list: the text itself is the list.
Json parse_json_items(const Input& in, std::string_view text, std::string_view list,
                      const std::function<void(const Json&)>& take, bool* cut = nullptr);

/// The member of an object; null if it is no object or has none of that name.
const Json* json_member(const Json& object, const char* name);
bool json_number(const Json& object, const char* name, double& value);
bool json_vector(const Json& object, const char* name, Eigen::Vector3f& value);

/// Every item of a list of `count` numbers; false if it is anything else.
bool json_numbers(const Json& list, std::size_t count, float* values);

}  // namespace glovebox::recordings
