#include "vr/cli/unit_option.h"

#include <array>
#include <charconv>
#include <string_view>

#include "tracking/axes.h"

namespace glovebox::vr {
namespace {

struct Unit {
    std::string_view name;
    float length_m;
};
constexpr std::array kUnits = {Unit{"m", 1.0F}, Unit{"dm", 0.1F}, Unit{"cm", 0.01F}, Unit{"mm", 0.001F},
                               Unit{"in", 0.0254F}};
constexpr float kMin_m = 1e-6F, kMax_m = 1e6F;

}  // namespace

std::optional<float> unit_in_metres(const std::string& unit) {
    for (const Unit& known : kUnits)
        if (known.name == unit) return known.length_m;
    float length_m = 0.0F;
    const char* const last = unit.data() + unit.size();
    const auto [end, error] = std::from_chars(unit.data(), last, length_m);
    if (error != std::errc() || end != last || !(length_m >= kMin_m && length_m <= kMax_m)) return {};
    return length_m;
}

std::string check_unit(const std::string& unit) {
    if (unit_in_metres(unit)) return {};
    return unit + " is no unit of length: m, dm, cm, mm, in or a number of metres from 0.000001 to 1000000";
}

std::string check_unit_or_auto(const std::string& unit) {
    return unit == "auto" ? std::string() : check_unit(unit);
}

std::string check_axes(const std::string& axes) {
    return tracking::find_axes(axes) ? std::string() : axes + " is none of " + tracking::axes_names();
}

}  // namespace glovebox::vr
