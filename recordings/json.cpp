#include "recordings/json.h"

namespace glovebox::recordings {

Json parse_json(const Input& in, std::string_view text) {
    // nlohmann's parser does not recurse, but destroying and copying what it made would: depth is bounded here.
    const auto shallow = [](int depth, Json::parse_event_t, Json&) {
        if (depth > 64) throw std::length_error("nested deeper than 64");
        return true;
    };
    try {
        return Json::parse(text, shallow);
    } catch (const Json::parse_error& error) {
        in.fail("the JSON is cut off or damaged at byte " + std::to_string(error.byte));
    } catch (const std::exception& error) {
        in.fail(std::string("the JSON cannot be read: ") + error.what());
    }
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
