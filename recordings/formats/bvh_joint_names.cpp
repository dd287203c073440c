#include "recordings/formats/bvh_joint_names.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <regex>
#include <string>

namespace glovebox::recordings {
namespace {

using tracking::Joint;
using tracking::Side;

int finger_of_word(std::string_view word) {
    if (word == "mid") word = "middle";
    constexpr std::array<std::string_view, 6> kWords = {"thumb", "index", "middle", "ring", "pinky", "little"};
    const auto found = std::find(kWords.begin(), kWords.end(), word);
    if (found == kWords.end()) return -1;
    return std::min(4, static_cast<int>(found - kWords.begin()));
}

// `bone` counts from the metacarpal (0) to the tip (thumb 3, fingers 4).
std::optional<Joint> finger_joint(int finger, int bone) {
    const int bones = finger == 0 ? 4 : 5;
    if (finger < 0 || finger > 4 || bone < 0 || bone >= bones) return std::nullopt;
    return static_cast<Joint>((finger == 0 ? 2 : 1 + 5 * finger) + bone);
}

// Returns the joint of a suit's phalanx number: 1 is a thumb's metacarpal and a finger's proximal phalanx.
std::optional<Joint> numbered_joint(int finger, int number) {
    return finger_joint(finger, finger == 0 ? number - 1 : number);
}

std::optional<Side> side_of(char letter) {
    return letter == 'l' ? std::optional(Side::left) : std::optional(Side::right);
}

std::optional<NamedJoint> with_side(std::optional<Side> side, std::optional<Joint> joint) {
    if (!joint) return std::nullopt;
    return NamedJoint{side, *joint};
}

using Parts = std::match_results<std::string::const_iterator>;
int digit(const Parts& parts, std::size_t group) {
    return parts[group].str()[0] - '0';
}

std::optional<NamedJoint> joint_of_suit(const Parts& parts) {
    const auto side = side_of(parts[1].str()[0]);
    if (!parts[3].matched) return parts[2].length() == 0 ? with_side(side, Joint::wrist) : std::nullopt;
    const int finger = finger_of_word(parts[3].str());
    if (parts[2].length() > 0) return with_side(side, finger == 0 ? std::nullopt : finger_joint(finger, 0));
    return parts[4].length() > 0 ? with_side(side, numbered_joint(finger, digit(parts, 4))) : std::nullopt;
}

std::optional<NamedJoint> palm_of_suit(const Parts& parts) {
    return with_side(side_of(parts[1].str()[0]), Joint::palm);
}

std::optional<NamedJoint> cmu_hand(const Parts& parts) {
    const auto side = side_of(parts[1].str()[0]);
    return with_side(side, parts[2].str() == "hand" ? Joint::wrist : Joint::thumb_metacarpal);
}

std::optional<NamedJoint> cmu_finger(const Parts& parts) {
    return with_side(side_of(parts[3].str()[0]), numbered_joint(digit(parts, 1) - 1, digit(parts, 2)));
}

std::optional<NamedJoint> cmu_metacarpal(const Parts& parts) {
    return with_side(side_of(parts[2].str()[0]), finger_joint(digit(parts, 1), 0));
}

std::optional<NamedJoint> engine_hand(const Parts& parts) {
    return with_side(side_of(parts[1].str()[0]), Joint::wrist);
}

std::optional<NamedJoint> engine_finger(const Parts& parts) {
    const int finger = finger_of_word(parts[1].str());
    const auto joint =
        parts[2].str() == "metacarpal" ? finger_joint(finger, 0) : numbered_joint(finger, parts[2].str()[1] - '0');
    return with_side(side_of(parts[3].str()[0]), joint);
}

// The base of the ManipNet thumb is a pair of joints 28 mm apart. The outer one is a metacarpal's length from the next
// joint and is taken as the metacarpal's base.
std::optional<NamedJoint> hand_only_joint(const Parts& parts) {
    if (!parts[1].matched) return with_side(std::nullopt, Joint::wrist);
    constexpr std::array<std::string_view, 3> kThumb = {"cmc_aa", "mcp_fe", "ip_fe"};
    constexpr std::array<std::string_view, 3> kFinger = {"mcp", "pip_fe", "dip_fe"};
    const int finger = finger_of_word(parts[1].str());
    const auto& bones = finger == 0 ? kThumb : kFinger;
    const auto found = std::find(bones.begin(), bones.end(), parts[2].str());
    if (found == bones.end()) return std::nullopt;
    return with_side(std::nullopt, numbered_joint(finger, 1 + static_cast<int>(found - bones.begin())));
}

// Side, finger and number in that order: DAZ and Poser (lIndex1, lMid1), SMPL-X (left_index1), Oculus (b_l_index1), VRM
// (J_Bip_L_Index1). Oculus has 0 for fingers' metacarpals and for the thumb's trapezium, which we do not have.
std::optional<NamedJoint> side_first(const Parts& parts) {
    return with_side(side_of(parts[1].str()[0]), numbered_joint(finger_of_word(parts[2].str()), digit(parts, 3)));
}

// Finger, number and side: Rigify (f_index.01.L), Blender's mirrored names (index1.L).
std::optional<NamedJoint> side_last(const Parts& parts) {
    return with_side(side_of(parts[3].str()[0]), numbered_joint(finger_of_word(parts[1].str()), digit(parts, 2)));
}

std::optional<NamedJoint> any_hand(const Parts& parts) {
    return with_side(side_of(parts[1].str()[0]), Joint::wrist);
}

// 3ds Max: "Bip01 L Finger12" is the third phalanx of the index finger; its thumb is finger 0.
std::optional<NamedJoint> biped_joint(const Parts& parts) {
    const auto side = side_of(parts[1].str()[0]);
    if (!parts[2].matched) return with_side(side, Joint::wrist);
    return with_side(side, numbered_joint(digit(parts, 2), parts[3].length() == 0 ? 1 : 1 + digit(parts, 3)));
}

// Rokoko Studio: fingers are numbered from the thumb, LeftFinger2Proximal; in its tables the segments are called
// LeftDigit2MetaCarpal, LeftDigit2ProximalPhalangx, LeftDigit2IntermediatePhalanx.
std::optional<NamedJoint> rokoko_joint(const Parts& parts) {
    const int finger = digit(parts, 2) - 1;
    const std::string bone = parts[3].str();
    const int last = finger == 0 ? 3 : 4;
    const int number = bone == "metacarpal" ? 0
                       : bone == "proximal" ? 1
                       : bone == "distal"   ? last - 1
                       : bone == "tip"      ? last
                       : finger == 0        ? -1
                                            : 2;
    return with_side(side_of(parts[1].str()[0]), finger_joint(finger, number));
}

// SteamVR's skeleton: finger_index_meta_r, finger_index_0_r, finger_index_r_end; the thumb has no meta, and its 0 is
// the metacarpal.
std::optional<NamedJoint> steamvr_joint(const Parts& parts) {
    const int finger = finger_of_word(parts[1].str());
    const std::string bone = parts[2].matched ? parts[2].str() : "end";
    const int first = finger == 0 ? 0 : 1, last = finger == 0 ? 3 : 4;
    const int number = bone == "meta" ? (finger == 0 ? -1 : 0) : bone == "end" ? last : first + (bone[0] - '0');
    return with_side(side_of(parts[3].str()[0]), finger_joint(finger, number));
}

struct Scheme {
    const char* pattern;
    std::optional<NamedJoint> (*meaning)(const Parts&);
};
constexpr std::array<Scheme, 15> kSchemes = {{
    {"(left|right)(in)?hand(?:(thumb|index|middle|ring|pinky|little)([1-4])?)?", joint_of_suit},
    {"(left|right)handpalm", palm_of_suit},
    {"(l|r)(hand|thumb)", cmu_hand},
    {"finger([1-5])-([1-4])\\.(l|r)", cmu_finger},
    {"metacarpal([1-4])\\.(l|r)", cmu_metacarpal},
    {"hand_(l|r)", engine_hand},
    {"(thumb|index|middle|ring|pinky|little)_(metacarpal|0[1-4])_(l|r)", engine_finger},
    {"(?:b_|j_bip_)?(l|r|left|right)_?(thumb|index|middle|mid|ring|pinky|little)_?([0-4])", side_first},
    {"(?:b_|j_bip_)?(l|r|left|right)_(?:wrist|hand)", any_hand},
    {"(?:def-)?(?:f_)?(thumb|index|middle|ring|pinky|little)[._]?0?([1-4])[._](l|r|left|right)", side_last},
    {"(?:def-)?(?:hand|wrist)[._](l|r|left|right)", any_hand},
    {"(left|right)(?:finger|digit)([1-5])(metacarpal|proximal|medial|intermediate|distal|tip)(?:phalang?x)?",
     rokoko_joint},
    {"finger_(thumb|index|middle|ring|pinky)(?:_(meta|[0-2]))?_(l|r)(?:_end)?", steamvr_joint},
    {"bip[0-9]* (l|r) (?:hand|finger([0-4])([1-3]?))", biped_joint},
    {"wrist|(?:(thumb|index|middle|ring|pinky|little)_([a-z_]+))", hand_only_joint},
}};

std::string plain(std::string_view name) {
    if (const std::size_t colon = name.rfind(':'); colon != std::string_view::npos) name.remove_prefix(colon + 1);
    std::string lower(name);
    for (char& c : lower) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    constexpr std::string_view kMixamo = "mixamorig";
    if (lower.starts_with(kMixamo)) lower.erase(0, lower.find_first_not_of("0123456789_", kMixamo.size()));
    return lower;
}

}  // namespace

std::optional<NamedJoint> joint_of_bvh_name(std::string_view name) {
    // Joint names are short; the recursion depth of a regular expression grows with its text.
    if (name.size() > 64) return std::nullopt;
    static const auto patterns = [] {
        std::array<std::regex, kSchemes.size()> all;
        for (std::size_t i = 0; i < all.size(); ++i) all[i] = std::regex(kSchemes[i].pattern, std::regex::optimize);
        return all;
    }();
    const std::string text = plain(name);
    Parts parts;
    for (std::size_t i = 0; i < kSchemes.size(); ++i)
        if (std::regex_match(text, parts, patterns[i])) return kSchemes[i].meaning(parts);
    return std::nullopt;
}

}  // namespace glovebox::recordings
