#include "tests/recordings/files.h"

#include <sstream>

namespace glovebox::recordings {
namespace {

// Returns joint names from the base to the last phalanx, thumb to little finger.
std::vector<std::string> finger_names(const std::string& scheme, int finger) {
    constexpr std::array kWords = {"Thumb", "Index", "Middle", "Ring", "Pinky"};
    const std::string word = kWords[static_cast<std::size_t>(finger)];
    const std::string number = std::to_string(finger + 1);
    std::string upper = word, lower = word;
    for (char& c : upper) c = static_cast<char>(std::toupper(c));
    for (char& c : lower) c = static_cast<char>(std::tolower(c));
    if (scheme == "cmu") {
        const std::string first = finger == 0 ? "rthumb" : "finger" + number + "-1.r";
        return {first, "finger" + number + "-2.r", "finger" + number + "-3.r"};
    }
    if (scheme == "engine") return {lower + "_01_r", lower + "_02_r", lower + "_03_r"};
    if (scheme == "hand-only") {
        if (finger == 0) return {"THUMB_CMC_AA", "THUMB_MCP_FE", "THUMB_IP_FE"};
        return {upper + "_MCP", upper + "_PIP_FE", upper + "_DIP_FE"};
    }
    const std::vector<std::string> numbered = {"1", "2", "3"};
    std::vector<std::string> names;
    for (const std::string& n : numbered) {
        if (scheme == "daz") names.push_back("r" + (word == "Middle" ? "Mid" : word) + n);
        if (scheme == "smplx") names.push_back("right_" + lower + n);
        if (scheme == "oculus") names.push_back("b_r_" + lower + n);
        if (scheme == "vrm") names.push_back("J_Bip_R_" + (word == "Pinky" ? "Little" : word) + n);
        if (scheme == "rigify") names.push_back((finger > 0 ? "f_" : "") + lower + ".0" + n + ".R");
        if (scheme == "biped")
            names.push_back("Bip01 R Finger" + std::to_string(finger) +
                            (n == "1" ? "" : std::to_string(std::stoi(n) - 1)));
    }
    if (!names.empty()) return names;
    const std::string prefix = scheme == "mixamo" ? "mixamorig:" : "";
    if (scheme == "suit-inhand" && finger > 0) names.push_back("RightInHand" + word);
    for (int i = 1; i <= 3; ++i) names.push_back(prefix + "RightHand" + word + std::to_string(i));
    return names;
}

std::string wrist_name(const std::string& scheme) {
    if (scheme == "cmu") return "rhand";
    if (scheme == "engine") return "hand_r";
    if (scheme == "hand-only") return "WRIST";
    if (scheme == "daz") return "rHand";
    if (scheme == "smplx") return "right_wrist";
    if (scheme == "oculus") return "b_r_wrist";
    if (scheme == "vrm") return "J_Bip_R_Hand";
    if (scheme == "rigify") return "hand.R";
    if (scheme == "biped") return "Bip01 R Hand";
    return scheme == "mixamo" ? "mixamorig:RightHand" : "RightHand";
}

}  // namespace

std::string bvh(const BvhRecipe& recipe) {
    const tracking::HandFrame rest = tracking::pose_from_angles(tracking::default_profile(), {},
                                                                Eigen::Isometry3f::Identity(), tracking::Side::right);
    std::string rotations;
    for (const char axis : recipe.order) rotations.append(" ").append(1, axis).append("rotation");
    std::ostringstream text;
    const auto offset = [&](std::size_t joint, std::size_t from) {
        const Eigen::Vector3f v = (rest.joints[joint].position_m - rest.joints[from].position_m) / recipe.unit_m;
        text << "OFFSET " << v.x() << " " << v.y() << " " << v.z() << "\n";
    };
    text << "HIERARCHY\nROOT " << wrist_name(recipe.scheme)
         << "\n{\nOFFSET 0 0 0\nCHANNELS 6 Xposition Yposition Zposition" << rotations << "\n";
    std::vector<bool> flexes;  // per joint, in the order of the channels
    for (int finger = 0; finger < 5; ++finger) {
        const auto names = finger_names(recipe.scheme, finger);
        std::size_t parent = 1;
        std::size_t joint = finger == 0 ? 2 : static_cast<std::size_t>(2 + 5 * finger);
        if (names.size() == 4) --joint;
        for (std::size_t n = 0; n < names.size(); ++n) {
            text << "JOINT " << names[n] << "\n{\n";
            offset(joint, parent);
            text << "CHANNELS 3" << rotations << "\n";
            flexes.push_back(names.size() == 3 || n > 0);
            parent = joint++;
        }
        text << "End Site\n{\n";
        if (recipe.tips) {
            offset(joint, parent);
        } else {
            text << "OFFSET 0 0 0\n";
        }
        text << "}\n" << (names.size() == 4 ? "}\n}\n}\n}\n" : "}\n}\n}\n");
    }
    text << "}\nMOTION\nFrames: " << recipe.frames << "\nFrame Time: 0.01\n";
    for (int i = 0; i < recipe.frames; ++i) {
        text << "0 0 0 0 0 0";
        for (const bool flex : flexes)
            for (const char axis : recipe.order)
                text << " " << (flex && axis == 'X' ? -57.29578F * (0.3F + 0.01F * static_cast<float>(i)) : 0.0F);
        text << "\n";
    }
    return text.str();
}

}  // namespace glovebox::recordings
