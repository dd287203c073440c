// Programs under the API layer, against the test runtime.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdlib>
#include <map>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "tests/runtime/run_with_runtime.h"

namespace glovebox::vr::layer {

inline constexpr const char* kOurs = "XR_APILAYER_glovebox";
inline constexpr const char* kValidation = "XR_APILAYER_LUNARG_core_validation";

/// GLOVEBOX_DATA_FOLDER is the build tree's share: the layer's manifest lies there as it does in an installation.
inline tests::RunOptions under(const std::vector<std::string>& layers, const std::string& script = {}) {
    tests::RunOptions options;
    options.script = script;
    std::string list;
    for (const std::string& each : layers) list += (list.empty() ? "" : ":") + each;
    options.environment = {{"XR_ENABLE_API_LAYERS", list},
                           {"XDG_DATA_DIRS", std::string(GLOVEBOX_DATA_FOLDER) + ":/usr/local/share:/usr/share"}};
    return options;
}

/// Between two validation layers cannot be asked for: once above and once below are two runs.
inline tests::RunOptions above_validation(const std::string& script = {}) {
    return under({kOurs, kValidation}, script);
}
inline tests::RunOptions below_validation(const std::string& script = {}) {
    return under({kValidation, kOurs}, script);
}

/// Runs the application beside an emulated glove on a pseudo-terminal. What the glove was told is in
/// {folder}/glove.txt.
inline tests::RunOptions beside_a_glove(tests::RunOptions options) {
    options.environment["EMULATE"] = GLOVEBOX_PROGRAM;
    return options;
}
inline std::vector<std::string> glove_script(const std::string& recording, const std::string& side,
                                             const std::string& arguments,
                                             const std::string& while_it_runs = "wait $APP") {
    return {
        "/bin/sh", "-c",
        "env -u XR_ENABLE_API_LAYERS \"$EMULATE\" emulate " + recording +
            " --as opengloves --to pty --loop > {folder}/glove.txt & GLOVE=$!\n"
            "for i in $(seq 200); do PORT=$(sed -n 's/^glove at //p' {folder}/glove.txt); [ -n \"$PORT\" ] && break; "
            "sleep 0.05; done\n"
            "GLOVEBOX_LAYER_GLOVE_" +
            side + "=$PORT " HAND_APP " " + arguments + " & APP=$!\n" + while_it_runs +
            "\nwait $APP; CODE=$?\nkill -INT $GLOVE 2>/dev/null; wait $GLOVE\nexit $CODE"};
}

/// What the hand application was given: a line each.
struct Given {
    int frame = 0;
    std::size_t side = 0;
    bool active = false;
    struct Joint {
        unsigned flags = 0;
        std::array<double, 8> numbers{};  ///< position, orientation x y z w, radius
    };
    std::array<Joint, 26> joints;
    unsigned velocity_flags = 0;
    std::array<double, 3> velocity{};
};

inline std::vector<Given> hands_in(const std::string& out) {
    std::vector<Given> hands;
    for (std::size_t at = 0; at < out.size();) {
        const std::size_t end = std::min(out.find('\n', at), out.size());
        const std::string line = out.substr(at, end - at);
        at = end + 1;
        if (line.rfind("hand ", 0) != 0 || line.rfind("hand tracking", 0) == 0) continue;
        const char* text = line.c_str() + 5;
        const auto number = [&text] {
            char* rest = nullptr;
            const double value = std::strtod(text, &rest);
            text = rest;
            return value;
        };
        Given hand;
        hand.frame = static_cast<int>(number());
        hand.side = static_cast<std::size_t>(number());
        hand.active = number() != 0.0;
        for (Given::Joint& joint : hand.joints) {
            joint.flags = static_cast<unsigned>(number());
            for (double& each : joint.numbers) each = number();
        }
        text += std::string_view(text).find('|') + 1;
        hand.velocity_flags = static_cast<unsigned>(number());
        for (double& each : hand.velocity) each = number();
        hands.push_back(hand);
    }
    return hands;
}

/// Lines of the application by what they are of ("head", "grip 0", "trigger 1") and the time since its first frame.
struct Line {
    std::vector<double> numbers;  ///< with the flags or "active" first
};
using Lines = std::map<std::string, std::map<std::int64_t, Line>>;

inline Lines lines_of(const std::string& out) {
    Lines lines;
    std::istringstream text(out);
    for (std::string line; std::getline(text, line);) {
        std::istringstream words(line);
        std::string what;
        words >> what;
        constexpr std::array<std::string_view, 15> kWhat = {
            "head",  "view",    "grip",        "trigger",   "select",   "held",       "pinch",    "aim_activate",
            "grasp", "pressed", "pinch_ready", "hand_grip", "hand_aim", "hand_pinch", "hand_poke"};
        if (std::ranges::find(kWhat, what) == kWhat.end()) continue;
        if (what != "head") {
            std::string side;
            words >> side;
            what += " " + side;
        }
        std::int64_t time_ns = 0;
        words >> time_ns;
        Line& to = lines[what][time_ns];
        for (std::string word; words >> word;)
            if (word != "|") to.numbers.push_back(std::stod(word));
    }
    return lines;
}

}  // namespace glovebox::vr::layer
