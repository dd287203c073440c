// Writes files of the smaller formats from the hand of files.h; also lists all formats together, for tests that go
// through every one and for the seeds of the fuzz targets.
#pragma once

#include <array>
#include <bit>
#include <iomanip>
#include <nlohmann/json.hpp>
#include <sstream>
#include <tuple>
#include <utility>
#include <vector>

#include "recordings/formats/webxr.h"
#include "tests/recordings/container_files.h"
#include "tests/recordings/fbx_files.h"
#include "tests/recordings/files.h"
#include "tests/recordings/lz_writer.h"

namespace glovebox::recordings {

using tracking::HandFrame;
using tracking::Joint;
using tracking::Side;

/// `fields` are the words between a node and an axis, of positions and rotations.
inline std::string manus_csv(int frames, Side side,
                             const std::array<const char*, 2>& fields = {"_Position_", "_Rotation_"}) {
    constexpr std::array kFingers = {"Thumb", "Index", "Middle", "Ring", "Pinky"};
    std::ostringstream text;
    text << "Frame,Elapsed_Time_In_Milliseconds,Time";
    std::vector<int> joints;
    for (const char* field : fields) {
        for (const char axis : {'X', 'Y', 'Z'}) text << ",Hand" << field << axis;
        for (int f = 0; f < 5; ++f)
            for (const char* bone : {"_CMC", "_MCP", "_PIP", "_DIP", "_TIP"}) {
                if (f == 0 && std::string(bone) == "_PIP") continue;
                for (const char axis : {'X', 'Y', 'Z'})
                    text << "," << kFingers[static_cast<std::size_t>(f)] << bone << field << axis;
            }
    }
    text << "\n";
    for (int i = 0; i < frames; ++i) {
        text << i << "," << 16.66667 * i << ",00:00:00:000";
        const HandFrame hand = closing_hand(i, side);
        for (std::size_t j = 1; j < tracking::kJointCount; ++j) {
            const Eigen::Vector3f p = 100.0F * hand.joints[j].position_m;
            text << "," << p.x() << "," << p.y() << "," << -p.z();
        }
        for (int j = 0; j < 75; ++j) text << ",0";
        text << "\n";
    }
    return text.str();
}

// Writes a finger with Leap's joint names.
inline std::string leap_pointable(const HandFrame& hand, int finger, bool with_type) {
    std::ostringstream text;
    const auto vector = [&](const char* name, int joint) {
        const Eigen::Vector3f p = 1000.0F * hand.joints[static_cast<std::size_t>(joint)].position_m;
        text << ",\"" << name << "\":[" << p.x() << "," << p.y() << "," << p.z() << "]";
    };
    const int knuckle = finger == 0 ? 2 : 2 + 5 * finger;
    text << "{\"handId\":7";
    if (with_type) text << ",\"type\":" << finger;
    vector("mcpPosition", knuckle);
    vector("pipPosition", knuckle + 1);
    vector("dipPosition", knuckle + 2);
    vector("tipPosition", knuckle + 3);
    text << "}";
    return text.str();
}

/// `palm_share` is the place of the palm between wrist and middle knuckle.
inline std::string leap_json(int frames, float palm_share = 0.75F) {
    std::ostringstream text;
    text << "{\"frames\":[";
    for (int i = 0; i < frames; ++i) {
        const HandFrame hand = closing_hand(i, Side::right);
        const Eigen::Vector3f palm = 1000.0F * ((1.0F - palm_share) * hand[Joint::wrist].position_m +
                                                palm_share * hand[Joint::middle_proximal].position_m);
        const Eigen::Vector3f direction = hand[Joint::middle_proximal].position_m.normalized();
        text << (i ? "," : "") << "{\"timestamp\":" << 5'000'000 + 10'000 * i
             << ",\"interactionBox\":{},\"hands\":[{\"id\":7,\"type\":\"right\",\"palmPosition\":[" << palm.x() << ","
             << palm.y() << "," << palm.z() << "],\"direction\":[" << direction.x() << "," << direction.y() << ","
             << direction.z() << "]}],\"pointables\":[";
        for (const int finger : {3, 0, 4, 1, 2}) text << (finger == 3 ? "" : ",") << leap_pointable(hand, finger, true);
        text << "]}";
    }
    text << "]}";
    return text.str();
}

inline std::string handpose() {
    std::string bytes;
    const auto put = [&bytes](float value) {
        const auto word = std::bit_cast<std::uint32_t>(value);
        for (int i = 0; i < 4; ++i) bytes += static_cast<char>(word >> (8 * i));
    };
    put(25.0F);
    for (const Side side : {Side::left, Side::right})
        for (std::size_t i = 0; i < kWebxrJoints.size(); ++i) {
            const tracking::JointPose joint = closing_hand(3, side)[webxr_joint(i)];
            Eigen::Matrix4f m = Eigen::Matrix4f::Identity();
            m.topLeftCorner<3, 3>() = joint.orientation.matrix();
            m.topRightCorner<3, 1>() = joint.position_m;
            for (Eigen::Index k = 0; k < 16; ++k) put(m.data()[k]);
        }
    for (int i = 0; i < 50; ++i) put(1.0F);
    return bytes;
}

inline std::string iwer_pose(bool json) {
    std::ostringstream text;
    const char* quote = json ? "\"" : "'";
    text << (json ? "{\"jointTransforms\":{"
                  : "import { HandPose } from './x.js';\nexport const p: HandPose = {\n  jointTransforms: {\n");
    for (std::size_t i = 0; i < kWebxrJoints.size(); ++i) {
        const tracking::JointPose joint = closing_hand(2, Side::left)[webxr_joint(i)];
        Eigen::Matrix4f m = Eigen::Matrix4f::Identity();
        m.topLeftCorner<3, 3>() = joint.orientation.matrix();
        m.topRightCorner<3, 1>() = joint.position_m;
        if (i > 0) text << ",";
        text << quote << kWebxrJoints[i] << quote << ": {" << (json ? "\"offsetMatrix\"" : "\n offsetMatrix") << ": [";
        for (Eigen::Index k = 0; k < 16; ++k) text << (k ? ", " : "") << m.data()[k];
        text << "]," << (json ? "\"radius\":" : "\n radius: ") << joint.radius_m << "}";
    }
    text << (json ? "}}" : "},\n};\n");
    return text.str();
}

inline std::string iwer_actions(int frames) {
    std::ostringstream text;
    text
        << R"({"schema":[[0,{"handedness":"left","hasGrip":false,"hasHand":false,"hasGamepad":true}],[1,{"handedness":"right",)"
        << R"("targetRayMode":"tracked-pointer","profiles":[],"hasGrip":true,"hasHand":true,"hasGamepad":false,"jointSequence":[)";
    for (std::size_t i = 0; i < 25; ++i) text << (i ? "," : "") << "\"" << kWebxrJoints[24 - i] << "\"";
    text << "]}]],\"frames\":[";
    for (int i = 0; i < frames; ++i) {
        // The target ray is at (1, 2, 3), rotated by 90 degrees about Y.
        text << (i ? "," : "") << "[" << 1000.5 + 10 * i
             << ",0,1.6,0,0,0,0,1,[0,0,0,0,0,0,0,1,[[0,0,0],0]],[1,1,2,3,0,0.7071068,0,0.7071068,[0,0,0,0,0,0,1],";
        if (i == 1) {
            text << "null]]";
            continue;
        }
        text << "[";
        for (std::size_t k = 0; k < 25; ++k) {
            const tracking::JointPose joint = closing_hand(i, Side::right)[webxr_joint(24 - k)];
            text << (k ? "," : "");
            for (const float v : joint.position_m) text << v << ",";
            for (const float v : joint.orientation.coeffs()) text << v << ",";
            text << joint.radius_m;
        }
        text << "]]]";
    }
    text << "]}";
    return text.str();
}

inline std::string aria_csv() {
    constexpr std::array<int, 21> kJoints = {5,  10, 15, 20, 25, 1,  3,  4,  7,  8, 9,
                                             12, 13, 14, 17, 18, 19, 22, 23, 24, 0};
    std::ostringstream text;
    text << "tracking_timestamp_us";
    for (const char* side : {"left", "right"}) {
        text << "," << side << "_tracking_confidence";
        for (int i = 0; i < 21; ++i)
            for (const char axis : {'x', 'y', 'z'})
                text << ",t" << axis << "_" << side << "_landmark_" << i << "_device";
    }
    text << "\n";
    for (int i = 0; i < 3; ++i) {
        text << 1000 * (100 + i) << ",-1";
        for (int k = 0; k < 63; ++k) text << ",0";
        text << ",0.9";
        for (const int joint : kJoints) {
            const Eigen::Vector3f p = closing_hand(i, Side::right).joints[static_cast<std::size_t>(joint)].position_m;
            text << "," << p.x() << "," << p.y() << "," << p.z();
        }
        text << "\n";
    }
    return text.str();
}

inline constexpr std::array<int, 21> kLandmarkJoints = {1,  2,  3,  4,  5,  7,  8,  9,  10, 12, 13,
                                                        14, 15, 17, 18, 19, 20, 22, 23, 24, 25};
/// MediaPipe's names of the landmarks.
inline constexpr std::array kLandmarkNames = {"WRIST",
                                              "THUMB_CMC",
                                              "THUMB_MCP",
                                              "THUMB_IP",
                                              "THUMB_TIP",
                                              "INDEX_FINGER_MCP",
                                              "INDEX_FINGER_PIP",
                                              "INDEX_FINGER_DIP",
                                              "INDEX_FINGER_TIP",
                                              "MIDDLE_FINGER_MCP",
                                              "MIDDLE_FINGER_PIP",
                                              "MIDDLE_FINGER_DIP",
                                              "MIDDLE_FINGER_TIP",
                                              "RING_FINGER_MCP",
                                              "RING_FINGER_PIP",
                                              "RING_FINGER_DIP",
                                              "RING_FINGER_TIP",
                                              "PINKY_MCP",
                                              "PINKY_PIP",
                                              "PINKY_DIP",
                                              "PINKY_TIP"};

inline std::string mediapipe_csv(const std::string& style, int frames) {
    std::ostringstream text;
    text << (style == "named" ? "timestamp_ms,handedness" : "time");
    for (std::size_t i = 0; i < 21; ++i)
        for (const char axis : {'x', 'y', 'z'}) {
            if (style == "named") text << "," << kLandmarkNames[i] << "_" << axis;
            if (style == "numbered") text << "," << axis << i;
            if (style == "landmark") text << ",landmark_" << i << "_" << axis;
        }
    text << "\n";
    for (int i = 0; i < frames; ++i)
        for (const Side side : {Side::left, Side::right}) {
            if (style != "named" && side == Side::right) continue;
            text << (style == "named" ? 20.0 * i : 0.02 * i);
            if (style == "named") text << (side == Side::left ? ",Left" : ",Right");
            for (const int joint : kLandmarkJoints) {
                const Eigen::Vector3f p = closing_hand(i, side).joints[static_cast<std::size_t>(joint)].position_m;
                text << "," << p.x() << "," << -p.y() << "," << -p.z();
            }
            text << "\n";
        }
    return text.str();
}

/// Writes one landmark per row, two hands alternating, numbered in order of detection: the right one first. `image`:
/// as fractions of a 4:3 picture in which the hand is 0.4 high.
inline std::string long_landmarks(int frames, bool image, std::string_view separator = ",") {
    std::ostringstream text;
    text << "frame" << separator << "hand" << separator << "landmark" << separator << "x" << separator << "y"
         << separator << "z\n";
    const auto number = [&](float value) {
        std::string digits = std::to_string(value);
        if (separator == ";") digits.replace(digits.find('.'), 1, ",");
        return digits;
    };
    for (int i = 0; i < frames; ++i)
        for (const Side side : {Side::right, Side::left}) {
            const HandFrame hand = closing_hand(i, side);
            for (std::size_t k = 0; k < kLandmarkJoints.size(); ++k) {
                Eigen::Vector3f p = hand.joints[static_cast<std::size_t>(kLandmarkJoints[k])].position_m;
                p = {p.x(), -p.y(), -p.z()};
                // The camera looks along the fingers' normal: x right, y down, z away.
                if (image) p = Eigen::Vector3f(0.5F + 2.0F * p.x(), (0.4F + 2.0F * p.y()) / 0.75F, 2.0F * p.z());
                text << i << separator << (side == Side::right ? 0 : 1) << separator << k;
                for (const float v : p) text << separator << number(v);
                text << "\n";
            }
        }
    return text.str();
}

/// Writes ARKit's joint names; joints in the frame of the anchor, matrices in column-major order.
inline std::string arkit_lines(int frames) {
    constexpr std::array kFingers = {"thumb", "indexFinger", "middleFinger", "ringFinger", "littleFinger"};
    constexpr std::array kBones = {"Metacarpal", "Knuckle", "IntermediateBase", "IntermediateTip", "Tip"};
    std::ostringstream text;
    const auto matrix = [&text](const Eigen::Vector3f& p) {
        text << "[1,0,0,0,0,1,0,0,0,0,1,0," << p.x() << "," << p.y() << "," << p.z() << ",1]";
    };
    for (int i = 0; i < frames; ++i) {
        const HandFrame hand = closing_hand(i, Side::left);
        text << "{\"timestamp\":" << 12.5 + 0.01 * i
             << ",\"hands\":[{\"chirality\":\"left\",\"originFromAnchorTransform\":";
        matrix({0.5F, 1.0F, -0.25F});
        text << ",\"joints\":{\"wrist\":{\"anchorFromJointTransform\":";
        matrix(hand[Joint::wrist].position_m);
        text << "}";
        for (int f = 0; f < 5; ++f)
            for (int b = f == 0 ? 1 : 0; b < 5; ++b) {
                const int joint = f == 0 ? 1 + b : 1 + 5 * f + b;
                text << ",\"" << kFingers[static_cast<std::size_t>(f)] << kBones[static_cast<std::size_t>(b)]
                     << "\":{\"anchorFromJointTransform\":";
                matrix(hand.joints[static_cast<std::size_t>(joint)].position_m);
                text << "}";
            }
        text << "}}]}\n";
    }
    return text.str();
}

/// Writes frames by their numbers, with words beside them that hold for all. `lost`: frames of zeros before them.
/// `as_logged`: as a headset's logger does it, with left-handed axes, fingers from the tip, and times in whole seconds.
inline std::string counted_json(int frames, int lost = 0, bool as_logged = false) {
    std::ostringstream text;
    text << "{\n  \"handedness\": \"Right\",\n  \"startTime\": \"2024-07-24T11:30:55Z\"";
    for (int i = 0; i < lost + frames; ++i) {
        const HandFrame hand = i < lost ? HandFrame() : closing_hand(i - lost, Side::right);
        const auto point = [&](Joint joint) {
            const Eigen::Vector3f& p = hand[joint].position_m;
            text << "[" << p.x() << ", " << p.y() << ", " << (as_logged ? -p.z() : p.z()) << "]";
        };
        text << ",\n  \"" << 3178 + i << "\": {";
        constexpr std::array kNames = {"thumb", "index", "middle", "ring", "pinky"};
        for (std::size_t f = 0; f < 5; ++f) {
            text << "\"" << kNames[f] << "\": [";
            for (std::size_t b = f == 0 ? 1 : 0; b < 5; ++b) {
                point(static_cast<Joint>(1 + 5 * f + (!as_logged ? b : f == 0 ? 5 - b : 4 - b)));
                text << (b < 4 ? ", " : "], ");
            }
        }
        text << "\"wrist\": ";
        point(Joint::wrist);
        if (as_logged) text << ", \"timestamp\": \"2024-07-24T11:30:" << 10 + i / 30 << "Z\"";
        text << ", \"inference_time\": 0}";
    }
    return text.str() + "\n}\n";
}

/// Writes a list of results as MediaPipe's JavaScript does: world landmarks beside image landmarks.
inline std::string mediapipe_json(int frames) {
    std::ostringstream text;
    text << "[";
    for (int i = 0; i < frames; ++i) {
        text << (i ? "," : "") << "{\"timestamp\":" << 33 * i
             << ",\"multiHandedness\":[{\"label\":\"Right\",\"score\":0.9}]";
        for (const char* kind : {"multiHandLandmarks", "multiHandWorldLandmarks"}) {
            text << ",\"" << kind << "\":[[";
            for (std::size_t k = 0; k < kLandmarkJoints.size(); ++k) {
                const float scale = std::string(kind) == "multiHandLandmarks" ? 3.0F : 1.0F;
                const Eigen::Vector3f p =
                    scale *
                    closing_hand(i, Side::right).joints[static_cast<std::size_t>(kLandmarkJoints[k])].position_m;
                text << (k ? "," : "") << "{\"x\":" << p.x() << ",\"y\":" << -p.y() << ",\"z\":" << -p.z() << "}";
            }
            text << "]]";
        }
        text << "}";
    }
    text << "]";
    return text.str();
}

/// Writes an array of doubles as numpy.save does. `shape` is the text of its shape: "4, 26, 3".
inline std::string npy_array(const std::string& shape, const std::vector<float>& values) {
    std::string header = "{'descr': '<f8', 'fortran_order': False, 'shape': (" + shape + "), }";
    header.resize(117, ' ');
    header += '\n';
    std::string bytes("\x93NUMPY\1\0", 8);
    bytes += static_cast<char>(header.size());
    bytes += '\0';
    bytes += header;
    for (const float v : values) {
        const auto word = std::bit_cast<std::array<char, 8>>(static_cast<double>(v));
        bytes.append(word.data(), word.size());
    }
    return bytes;
}

/// Writes frames x 26 x 3 doubles of a left hand.
inline std::string npy_joints(int frames) {
    std::vector<float> values;
    for (int i = 0; i < frames; ++i)
        for (const tracking::JointPose& joint : closing_hand(i, Side::left).joints)
            values.insert(values.end(), joint.position_m.begin(), joint.position_m.end());
    return npy_array(std::to_string(frames) + ", 26, 3", values);
}

inline std::string handsbin(int frames) {
    std::string bytes;
    const auto word = [&bytes](std::uint32_t value) {
        for (int i = 0; i < 4; ++i) bytes += static_cast<char>(value >> (8 * i));
    };
    const auto number = [&word](float value) { word(std::bit_cast<std::uint32_t>(value)); };
    word(1);
    bytes += '\x04';
    bytes += "take";
    number(1.5F);
    word(static_cast<std::uint32_t>(frames));
    for (int i = 0; i < frames; ++i) {
        number(0.25F * static_cast<float>(i));
        bytes.append("\0\1\0\1", 4);
        for (std::size_t j = 0; j < tracking::kJointCount; ++j) {
            const tracking::JointPose joint = closing_hand(i, Side::right).joints[j == 0 ? 1 : j == 1 ? 0 : j];
            for (const float v : {joint.position_m.x(), joint.position_m.y(), -joint.position_m.z()}) number(v);
            const auto& q = joint.orientation;
            for (const float v : {-q.x(), -q.y(), q.z(), q.w()}) number(v);
        }
    }
    return bytes;
}

inline std::string cyberglove_text(std::size_t sensors, float sign) {
    std::ostringstream text;
    for (int i = 0; i < 30; ++i) {
        text << "2014 11 28 08 33 0" << i / 10 << "." << i % 10 << " 1";
        for (std::size_t s = 0; s < sensors; ++s)
            text << " " << sign * (0.02F * static_cast<float>(s) + 0.01F * static_cast<float>(i));
        text << "\n";
    }
    return text.str();
}

/// Writes the bones of a right hand as Motive does: rotations before positions, in millimetres. The third bone of the
/// index finger is lost in frame 2.
inline std::string motive_csv(int frames) {
    constexpr std::array kFingers = {"Thumb", "Index", "Middle", "Ring", "Pinky"};
    std::vector<std::pair<std::string, std::size_t>> bones = {{"Anna:Hip", 0}, {"Anna:RHand", 1}};
    for (std::size_t f = 0; f < kFingers.size(); ++f)
        for (std::size_t b = 1; b <= 3; ++b)
            bones.emplace_back(std::string("Anna:R") + kFingers[f] + std::to_string(b), f == 0 ? 1 + b : 1 + 5 * f + b);
    std::string type = ",Type", name = ",Name", id = ",ID", kind = ",", axes = "Frame,Time (Seconds)";
    for (const auto& [bone, joint] : bones)
        for (const char* axis : {"X", "Y", "Z", "W", "X", "Y", "Z"}) {
            type += ",Bone";
            name += "," + bone;
            id += ",7";
            axes += std::string(",") + axis;
        }
    for (std::size_t b = 0; b < bones.size(); ++b)
        kind += ",Rotation,Rotation,Rotation,Rotation,Position,Position,Position";
    std::ostringstream text;
    text << "Format Version,1.23,Take Name,a take,Capture Frame Rate,120.000000,Length Units,Millimeters\n\n"
         << type << "\n"
         << name << "\n"
         << id << "\n"
         << kind << "\n"
         << axes << "\n";
    for (int i = 0; i < frames; ++i) {
        const HandFrame hand = closing_hand(i, Side::right);
        text << i << "," << 0.01 * i;
        for (const auto& [bone, joint] : bones) {
            text << ",0,0,0,1";
            const Eigen::Vector3f p = 1000.0F * hand.joints[joint].position_m;
            if (i == 2 && bone == "Anna:RIndex3")
                text << ",,,";
            else
                text << "," << p.x() << "," << p.y() << "," << p.z();
        }
        text << "\n";
    }
    return text.str();
}

/// Writes the landmarks of a right hand as pandas does; `orientation` has its name there, or is "lines".
inline std::string table_json(const std::string& orientation, int frames) {
    nlohmann::ordered_json records = nlohmann::ordered_json::array(), table;
    for (int i = 0; i < frames; ++i) {
        const HandFrame hand = closing_hand(i, Side::right);
        nlohmann::ordered_json& record = records.emplace_back();
        record["time"] = 0.02 * i;
        for (std::size_t k = 0; k < kLandmarkJoints.size(); ++k) {
            const Eigen::Vector3f p = hand.joints[static_cast<std::size_t>(kLandmarkJoints[k])].position_m;
            const std::string name = std::string(kLandmarkNames[k]) + "_";
            record[name + "x"] = p.x();
            record[name + "y"] = -p.y();
            record[name + "z"] = -p.z();
        }
    }
    if (orientation == "records") return records.dump();
    if (orientation == "table") return nlohmann::ordered_json{{"schema", {{"fields", {}}}}, {"data", records}}.dump();
    std::string lines;
    for (std::size_t i = 0; i < records.size(); ++i) {
        const std::string label = std::to_string(i);
        lines += records[i].dump() + "\n";
        if (orientation == "index") table[label] = records[i];
        if (orientation == "split") {
            table["index"].push_back(i);
            table["data"].emplace_back();
        }
        for (const auto& [name, value] : records[i].items()) {
            if (orientation == "list") table[name].push_back(value);
            if (orientation == "columns") table[name][label] = value;
            if (orientation == "split" && i == 0) table["columns"].push_back(name);
            if (orientation == "split") table["data"].back().push_back(value);
        }
    }
    return orientation == "lines" ? lines : table.dump();
}

/// Writes both hands as Rokoko Studio does: milliseconds, metres in Unity's axes, joints of the body before the hands,
/// and angles after them. There are no fingertips.
inline std::string rokoko_csv(int frames) {
    constexpr std::array kBones = {"MetaCarpal", "ProximalPhalangx", "IntermediatePhalanx", "DistalPhalanx"};
    std::vector<std::tuple<std::string, Side, std::size_t>> joints;
    for (const Side side : {Side::left, Side::right}) {
        const std::string hand = side == Side::left ? "Left" : "Right";
        joints.emplace_back(hand + "Hand", side, 1);
        for (std::size_t f = 0; f < 5; ++f)
            for (std::size_t b = 0; b < 4; ++b) {
                if (f == 0 && b == 2) continue;
                const std::size_t joint = f == 0 ? 2 + std::min<std::size_t>(b, 2) : 1 + 5 * f + b;
                joints.emplace_back(hand + "Digit" + std::to_string(1 + f) + kBones[b], side, joint);
            }
    }
    std::ostringstream text;
    text << std::setprecision(9) << "Timestamp,Pelvis_position_x,Pelvis_position_y,Pelvis_position_z";
    for (const auto& [name, side, joint] : joints)
        for (const char* axis : {"_position_x", "_position_y", "_position_z"}) text << "," << name << axis;
    for (int digit = 1; digit <= 5; ++digit)
        for (const char* hand : {"Left", "Right"})
            for (const char* angle : {"_flexion", "_ulnarDeviation", "_pronation"})
                text << "," << hand << "Digit" << digit << "Metacarpophalangeal" << angle;
    text << "\n";
    for (int i = 0; i < frames; ++i) {
        text << 10 * i << ",0.25,0.875,-0.125";
        for (const auto& [name, side, joint] : joints) {
            const Eigen::Vector3f p = hand_apart(i, side).joints[joint].position_m;
            text << "," << p.x() << "," << p.y() << "," << -p.z();
        }
        for (int angle = 0; angle < 30; ++angle) text << "," << 3 * angle;
        text << "\n";
    }
    return text.str();
}

/// Writes the joints of a right hand from `first` on under numbers, as programs do that know a hand as an array.
inline std::string numbered_csv(int frames, std::size_t first = 0) {
    std::ostringstream text;
    text << "time";
    for (std::size_t j = first; j < tracking::kJointCount; ++j)
        for (const char axis : {'x', 'y', 'z'}) text << ",joint_" << j - first << "_" << axis;
    for (int i = 0; i < frames; ++i) {
        const tracking::HandFrame hand = closing_hand(i, Side::right);
        text << "\n" << 0.02 * i;
        for (std::size_t j = first; j < tracking::kJointCount; ++j)
            for (const float v : hand.joints[j].position_m) text << "," << v;
    }
    return text.str() + "\n";
}

inline std::vector<std::pair<std::string, std::string>> all_formats() {
    return {{"openxr-csv", openxr_csv(4, Side::left)},
            {"hololens-csv", hololens_csv(4)},
            {"bvh", bvh({})},
            {"manus-csv", manus_csv(4, Side::left)},
            {"leap-json", leap_json(4)},
            {"leap-json", compress_lz_base64(leap_json(4))},
            {"handpose", handpose()},
            {"iwer-pose", iwer_pose(false)},
            {"iwer-actions", iwer_actions(4)},
            {"aria-csv", aria_csv()},
            {"mediapipe-csv", mediapipe_csv("named", 4)},
            {"unity-handsbin", handsbin(4)},
            {"cyberglove", cyberglove_text(22, 1.0F)},
            {"mediapipe-csv", long_landmarks(4, false)},
            {"hand-json", arkit_lines(4)},
            {"hand-json", mediapipe_json(4)},
            {"table-json", table_json("records", 4)},
            {"npz", npy_joints(4)},
            {"hdf5", egodex(2)},
            {"mcap", mcap(isaac_records(4))},
            {"c3d", c3d()},
            {"optitrack-csv", motive_csv(4)},
            {"joint-csv", rokoko_csv(4)},
            {"points-csv", numbered_csv(4)},
            {"glb", animated_glb(4)},
            {"fbx", fbx(closing_hands(2))}};
}

}  // namespace glovebox::recordings
