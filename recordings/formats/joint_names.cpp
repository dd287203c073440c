#include "recordings/formats/joint_names.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <utility>

namespace glovebox::recordings {

using tracking::Joint;
using tracking::Side;

std::string letters_of(std::string_view name) {
    std::string letters;
    for (const char c : name.substr(0, 64))
        if (std::isalnum(static_cast<unsigned char>(c)) != 0)
            letters += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    return letters;
}

bool take_prefix(std::string_view& text, std::string_view prefix) {
    if (!text.starts_with(prefix)) return false;
    text.remove_prefix(prefix.size());
    return true;
}

namespace {

// In the enumerations of Oculus and Unity some numbers have two names, and programs print either.
constexpr std::array<std::pair<std::string_view, Joint>, 4> kOtherNames = {{{"handstart", Joint::wrist},
                                                                            {"handmaxskinnable", Joint::thumb_tip},
                                                                            {"xrhandstart", Joint::palm},
                                                                            {"beginmarker", Joint::wrist}}};

}  // namespace

std::optional<NamedPoint> point_of_name(std::string_view name) {
    const std::string letters = letters_of(name);
    for (const auto& [other, joint] : kOtherNames)
        if (letters == other) return NamedPoint{joint};
    std::string_view rest = letters;
    for (const std::string_view prefix :
         {"xrhandjoint", "handjoint", "hand", "left", "right", "xrhand", "hand", "joint"})
        take_prefix(rest, prefix);
    if (rest.ends_with("ext")) rest.remove_suffix(3);
    if (rest.ends_with("joint")) rest.remove_suffix(5);
    if (rest == "wrist" || rest == "wristroot") return NamedPoint{Joint::wrist, false};
    if (rest == "palm") return NamedPoint{Joint::palm, false};
    constexpr std::array<std::string_view, 6> kFingers = {"thumb", "index", "middle", "ring", "little", "pinky"};
    for (std::size_t f = 0; f < kFingers.size(); ++f) {
        if (!take_prefix(rest, kFingers[f])) continue;
        take_prefix(rest, "finger");
        take_prefix(rest, "phalanx");
        const std::size_t finger = std::min<std::size_t>(f, 4);
        struct Bone {
            std::string_view name;
            int thumb, finger;  // index from the metacarpal; -1: no such joint
            bool of_mediapipe;
        };
        // Oculus numbers the bones: its Thumb0 is the trapezium, and its Thumb1 and Pinky0 are metacarpals.
        constexpr std::array<Bone, 20> kBones = {{{"0", -1, 0, false},
                                                  {"1", 0, 1, false},
                                                  {"2", 1, 2, false},
                                                  {"3", 2, 3, false},
                                                  {"metacarpal", 0, 0, false},
                                                  {"proximal", 1, 1, false},
                                                  {"intermediate", -1, 2, false},
                                                  {"distal", 2, 3, false},
                                                  {"tip", 3, 4, false},
                                                  {"knuckle", 0, 1, false},
                                                  {"intermediatebase", 1, 2, false},
                                                  {"intermediatetip", 2, 3, false},
                                                  {"middle", -1, 2, false},
                                                  {"medial", -1, 2, false},
                                                  {"cmc", 0, -1, true},
                                                  {"mcp", 1, 1, true},
                                                  {"pip", -1, 2, true},
                                                  {"ip", 2, -1, true},
                                                  {"dip", -1, 3, true},
                                                  {"fingertip", 3, 4, false}}};
        for (const Bone& bone : kBones) {
            if (bone.name != rest) continue;
            const bool thumb_middle = finger == 0 && bone.thumb < 0 && bone.finger == 2 && !bone.of_mediapipe;
            const int number = thumb_middle ? 1 : finger == 0 ? bone.thumb : bone.finger;
            if (number < 0) continue;
            const int base = finger == 0 ? 2 : 1 + 5 * static_cast<int>(finger);
            return NamedPoint{static_cast<Joint>(base + number), bone.of_mediapipe, thumb_middle};
        }
        return std::nullopt;
    }
    return std::nullopt;
}

namespace {

struct SideWord {
    std::string_view word;
    Side side;
};
constexpr std::array<SideWord, 4> kSideWords = {
    {{"left", Side::left}, {"right", Side::right}, {"l", Side::left}, {"r", Side::right}}};

// Returns the joint of a name whose side is at its begin (by_end: at its end).
std::optional<NamedJoint> with_side_word(const std::string& letters, bool by_end) {
    for (const auto& [word, side] : kSideWords) {
        const std::string_view all = letters;
        if (!(by_end ? all.ends_with(word) : all.starts_with(word))) continue;
        const auto point = point_of_name(by_end ? all.substr(0, all.size() - word.size()) : all.substr(word.size()));
        if (point) return NamedJoint{side, point->joint, point->is_thumb_middle};
    }
    return std::nullopt;
}

}  // namespace

std::optional<NamedJoint> joint_of_track_name(std::string_view name) {
    if (const std::size_t colon = name.rfind(':'); colon != std::string_view::npos) name.remove_prefix(colon + 1);
    if (const auto named = joint_of_bvh_name(name)) return named;
    const std::string letters = letters_of(name);
    for (const bool by_end : {false, true})
        if (const auto named = with_side_word(letters, by_end)) return named;
    if (const auto point = point_of_name(name)) return NamedJoint{std::nullopt, point->joint, point->is_thumb_middle};
    return std::nullopt;
}

bool is_tip(Joint joint) {
    return joint >= Joint::thumb_tip && static_cast<std::size_t>(joint) % 5 == 0;
}

bool names_no_position(std::string_view name) {
    constexpr std::array<std::string_view, 12> kWords = {"rotation", "orientation", "euler", "quat",
                                                         "velocit",  "acceler",     "angle", "angular",
                                                         "normals",  "radius",      "radii", "scales"};
    const std::string letters = letters_of(name);
    return letters.ends_with("rot") || letters.ends_with("rots") || letters.ends_with("2d") ||
           std::any_of(kWords.begin(), kWords.end(),
                       [&letters](std::string_view word) { return letters.find(word) != std::string::npos; });
}

Joint joint_beside(const NamedJoint& named, bool has_thumb_middle) {
    const bool is_first = named.joint == Joint::thumb_proximal && !named.is_thumb_middle;
    return is_first && has_thumb_middle ? Joint::thumb_metacarpal : named.joint;
}

}  // namespace glovebox::recordings
