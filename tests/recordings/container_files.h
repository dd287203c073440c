// Writes HDF5, MCAP and C3D files of the hand of files.h, by the published specifications and without the readers.
#pragma once

#include <bit>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "tests/recordings/files.h"

namespace glovebox::recordings {

/// Little-endian numbers at the end of a text.
template <class Number>
void put_number(std::string& bytes, Number value) {
    bytes.append(reinterpret_cast<const char*>(&value), sizeof value);
}

struct Hdf5Data {
    std::vector<std::uint64_t> shape;
    std::vector<float> values;
};

/// Packs a chunk, or leaves it as it is; `filters` are the numbers of the filters that were applied.
struct Hdf5Packing {
    std::vector<std::uint16_t> filters;
    std::function<std::string(std::string)> pack = [](std::string chunk) { return chunk; };
    std::uint64_t frames_per_chunk = 0;  ///< 0: the array is in one piece
};

/// Writes version 0 of HDF5: one group in the root, with the arrays in it.
class Hdf5Writer {
  public:
    std::string write(const std::string& group, const std::map<std::string, Hdf5Data>& arrays,
                      const Hdf5Packing& packing) {
        file_.assign(kSuperblock, '\0');
        std::map<std::string, std::uint64_t> datasets;
        for (const auto& [name, data] : arrays) datasets[name] = dataset(data, packing);
        const std::uint64_t inner = this->group(datasets);
        const std::uint64_t root = this->group({{group, inner}});
        std::string head("\x89HDF\r\n\x1A\n\0\0\0\0\0\10\10\0", 16);
        put_number(head, std::uint16_t{512});  // most entries of a symbol node, halved
        put_number(head, std::uint16_t{512});
        put_number(head, std::uint32_t{0});
        put_number(head, std::uint64_t{0});
        put_number(head, ~std::uint64_t{0});
        put_number(head, std::uint64_t{file_.size()});
        put_number(head, ~std::uint64_t{0});
        put_number(head, std::uint64_t{0});
        put_number(head, root);
        head.resize(kSuperblock, '\0');
        return file_.replace(0, kSuperblock, head);
    }

  private:
    static constexpr std::size_t kSuperblock = 96;

    std::uint64_t add(const std::string& block) {
        file_.resize((file_.size() + 7) / 8 * 8, '\0');
        file_ += block;
        return file_.size() - block.size();
    }
    static std::string message(std::uint16_t type, std::string body) {
        body.resize((body.size() + 7) / 8 * 8, '\0');
        std::string bytes;
        put_number(bytes, type);
        put_number(bytes, static_cast<std::uint16_t>(body.size()));
        put_number(bytes, std::uint32_t{0});
        return bytes + body;
    }
    std::uint64_t object(const std::vector<std::string>& messages) {
        std::string body, head("\1\0", 2);
        for (const std::string& each : messages) body += each;
        put_number(head, static_cast<std::uint16_t>(messages.size()));
        put_number(head, std::uint32_t{1});
        put_number(head, static_cast<std::uint32_t>(body.size()));
        put_number(head, std::uint32_t{0});
        return add(head + body);
    }
    std::uint64_t group(const std::map<std::string, std::uint64_t>& links) {
        std::string names(8, '\0'), node("SNOD\1\0", 6);
        put_number(node, static_cast<std::uint16_t>(links.size()));
        std::uint64_t last = 0;
        for (const auto& [name, to] : links) {
            last = names.size();
            put_number(node, last);
            put_number(node, to);
            node.append(24, '\0');
            names += name;
            names.resize((names.size() + 8) / 8 * 8, '\0');
        }
        const std::uint64_t names_at = add(names);
        std::string heap("HEAP\0\0\0\0", 8);
        put_number(heap, std::uint64_t{names.size()});
        put_number(heap, std::uint64_t{1});  // no free list
        put_number(heap, names_at);
        const std::uint64_t heap_at = add(heap);
        const std::uint64_t node_at = add(node);
        std::string tree("TREE\0\0\1\0", 8);
        put_number(tree, ~std::uint64_t{0});
        put_number(tree, ~std::uint64_t{0});
        put_number(tree, std::uint64_t{0});
        put_number(tree, node_at);
        put_number(tree, last);
        const std::uint64_t tree_at = add(tree);
        std::string body;
        put_number(body, tree_at);
        put_number(body, heap_at);
        return object({message(0x11, body)});
    }
    std::uint64_t dataset(const Hdf5Data& data, const Hdf5Packing& packing) {
        std::string space("\1", 1), type("\x11\x20\x1F\0\4\0\0\0\0\0\x20\0\x17\10\0\x17\x7F\0\0\0", 20);
        space += static_cast<char>(data.shape.size());
        space.append(6, '\0');
        for (const std::uint64_t size : data.shape) put_number(space, size);
        std::vector<std::string> messages = {message(1, space), message(3, type)};
        const std::string bytes(reinterpret_cast<const char*>(data.values.data()), data.values.size() * sizeof(float));
        std::string layout("\3", 1);
        if (packing.frames_per_chunk == 0) {
            layout += '\1';
            put_number(layout, add(bytes));
            put_number(layout, std::uint64_t{bytes.size()});
        } else {
            layout += '\2';
            layout += static_cast<char>(data.shape.size() + 1);
            put_number(layout, chunks(data, bytes, packing));
            put_number(layout, static_cast<std::uint32_t>(packing.frames_per_chunk));
            for (std::size_t d = 1; d < data.shape.size(); ++d)
                put_number(layout, static_cast<std::uint32_t>(data.shape[d]));
            put_number(layout, std::uint32_t{sizeof(float)});
        }
        messages.push_back(message(8, layout));
        if (!packing.filters.empty()) {
            std::string filters("\1", 1);
            filters += static_cast<char>(packing.filters.size());
            filters.append(6, '\0');
            for (const std::uint16_t filter : packing.filters) {
                put_number(filters, filter);
                put_number(filters, std::uint32_t{0});  // no name, no flags
                put_number(filters, std::uint16_t{1});
                put_number(filters, std::uint32_t{4});  // one value, padded
                put_number(filters, std::uint32_t{0});
            }
            messages.push_back(message(0x0B, filters));
        }
        return object(messages);
    }
    std::uint64_t chunks(const Hdf5Data& data, const std::string& bytes, const Hdf5Packing& packing) {
        const std::size_t frame_bytes = bytes.size() / data.shape[0];
        const std::size_t chunk_bytes = frame_bytes * packing.frames_per_chunk;
        std::string keys;
        std::uint16_t count = 0;
        const auto key = [&](std::size_t packed, std::uint64_t frame) {
            put_number(keys, static_cast<std::uint32_t>(packed));
            put_number(keys, std::uint32_t{0});
            put_number(keys, frame);
            for (std::size_t d = 0; d < data.shape.size(); ++d) put_number(keys, std::uint64_t{0});
        };
        for (std::uint64_t frame = 0; frame < data.shape[0]; frame += packing.frames_per_chunk, ++count) {
            std::string chunk = bytes.substr(frame * frame_bytes, chunk_bytes);
            chunk.resize(chunk_bytes, '\0');  // the last chunk extends beyond the array
            const std::string packed = packing.pack(chunk);
            key(packed.size(), frame);
            put_number(keys, add(packed));
        }
        key(0, data.shape[0]);
        std::string tree("TREE\1\0", 6);
        put_number(tree, count);
        put_number(tree, ~std::uint64_t{0});
        put_number(tree, ~std::uint64_t{0});
        return add(tree + keys);
    }

    std::string file_;
};

/// Returns EgoDex's arrays of both hands: a pose of 4 x 4 in each frame and joint, here without rotation.
inline std::map<std::string, Hdf5Data> egodex_arrays(int frames) {
    constexpr std::array kFingers = {"Thumb", "IndexFinger", "MiddleFinger", "RingFinger", "LittleFinger"};
    constexpr std::array kBones = {"Metacarpal", "Knuckle", "IntermediateBase", "IntermediateTip", "Tip"};
    std::map<std::string, Hdf5Data> arrays;
    const auto add = [&](const std::string& name, tracking::Side side, std::size_t joint) {
        Hdf5Data data{{static_cast<std::uint64_t>(frames), 4, 4}, {}};
        for (int i = 0; i < frames; ++i) {
            const Eigen::Vector3f p = hand_apart(i, side).joints[joint].position_m;
            for (const float v :
                 {1.0F, 0.0F, 0.0F, p.x(), 0.0F, 1.0F, 0.0F, p.y(), 0.0F, 0.0F, 1.0F, p.z(), 0.0F, 0.0F, 0.0F, 1.0F})
                data.values.push_back(v);
        }
        arrays[name] = std::move(data);
    };
    for (const auto side : {tracking::Side::left, tracking::Side::right}) {
        const std::string hand(name_of(side));
        add(hand + "Hand", side, 1);
        add(hand + "Shoulder", side, 0);  // not of a hand
        for (std::size_t f = 0; f < 5; ++f)
            for (std::size_t b = f == 0 ? 1 : 0; b < 5; ++b)
                add(hand + kFingers[f] + kBones[b], side, f == 0 ? 1 + b : 1 + 5 * f + b);
    }
    return arrays;
}

inline std::string egodex(int frames, const Hdf5Packing& packing = {}) {
    return Hdf5Writer().write("transforms", egodex_arrays(frames), packing);
}

/// A chunk's packing and content: "", "lz4" or "zstd"; the bytes are packed already.
struct McapChunk {
    std::string packing, packed;
    std::uint64_t plain_bytes = 0;
    std::uint32_t sum = 0;  ///< CRC-32 of the content, 0: none
};

inline std::string mcap_record(char kind, const std::string& content) {
    std::string bytes(1, kind);
    put_number(bytes, std::uint64_t{content.size()});
    return bytes + content;
}
inline std::string mcap_text(const std::string& text) {
    std::string bytes;
    put_number(bytes, static_cast<std::uint32_t>(text.size()));
    return bytes + text;
}
inline std::string mcap_channel(std::uint16_t id, const std::string& topic, const std::string& encoding,
                                const std::string& schema) {
    std::string type, channel;
    put_number(type, static_cast<std::uint16_t>(id + 1));
    put_number(channel, id);
    put_number(channel, static_cast<std::uint16_t>(id + 1));
    return mcap_record(3, type + mcap_text(schema) + mcap_text(encoding) + mcap_text("")) +
           mcap_record(4, channel + mcap_text(topic) + mcap_text(encoding) + mcap_text(""));
}
inline std::string mcap_message(std::uint16_t channel, std::uint64_t time_ns, const std::string& data) {
    std::string bytes;
    put_number(bytes, channel);
    put_number(bytes, std::uint32_t{0});
    put_number(bytes, time_ns);
    put_number(bytes, time_ns);
    return mcap_record(5, bytes + data);
}
inline std::string mcap_chunk(const McapChunk& chunk) {
    std::string bytes(16, '\0');
    put_number(bytes, chunk.plain_bytes);
    put_number(bytes, chunk.sum);
    bytes += mcap_text(chunk.packing);
    put_number(bytes, std::uint64_t{chunk.packed.size()});
    return mcap_record(6, bytes + chunk.packed);
}
inline std::string mcap(const std::string& records) {
    const std::string magic("\x89MCAP0\r\n", 8);
    return magic + mcap_record(1, mcap_text("") + mcap_text("test")) + records + mcap_record(15, std::string(4, '\0')) +
           mcap_record(2, std::string(20, '\0')) + magic;
}

/// Writes Isaac Teleop's record of a hand as FlatBuffers does: tables after their vtables. Null: the hand is lost.
inline std::string isaac_record(const tracking::HandFrame* hand) {
    const std::string stamp(24, '\0');
    std::string bytes;
    if (hand == nullptr) {
        put_number(bytes, std::uint32_t{12});                                                // the root table
        for (const int v : {8, 28, 0, 4}) put_number(bytes, static_cast<std::uint16_t>(v));  // no data; stamp at 4
        put_number(bytes, std::int32_t{8});
        return bytes + stamp;
    }
    put_number(bytes, std::uint32_t{12});
    for (const int v : {8, 32, 4, 8}) put_number(bytes, static_cast<std::uint16_t>(v));  // data at 4, stamp at 8
    put_number(bytes, std::int32_t{8});
    put_number(bytes, std::uint32_t{36});  // from here to the table of the hand, at 52
    bytes += stamp;                        // 20 .. 44
    for (const int v : {6, 940, 4, 0}) put_number(bytes, static_cast<std::uint16_t>(v));
    put_number(bytes, std::int32_t{8});  // at 52
    for (const tracking::JointPose& joint : hand->joints) {
        for (const float v : joint.position_m) put_number(bytes, v);
        for (const float v : joint.orientation.coeffs()) put_number(bytes, v);
        put_number(bytes, std::uint32_t{joint.position_valid() ? 1U : 0U});
        put_number(bytes, joint.radius_m);
    }
    return bytes;
}

/// Returns the records of an Isaac Teleop recording: both hands at 50 Hz, the right one 3 ms later and lost in frame 2.
inline std::string isaac_records(int frames) {
    std::string records = mcap_channel(1, "head", "flatbuffer", "core.HeadPoseRecord") +
                          mcap_channel(2, "hands/left_hand", "flatbuffer", "core.HandPoseRecord") +
                          mcap_channel(3, "hands/right_hand", "flatbuffer", "core.HandPoseRecord");
    for (int i = 0; i < frames; ++i) {
        const std::uint64_t time_ns = 7'000'000'000 + 20'000'000 * static_cast<std::uint64_t>(i);
        const tracking::HandFrame left = hand_apart(i, tracking::Side::left),
                                  right = hand_apart(i, tracking::Side::right);
        records += mcap_message(1, time_ns, "a head");
        records += mcap_message(2, time_ns, isaac_record(&left));
        records += mcap_message(3, time_ns + 3'000'000, isaac_record(i == 2 ? nullptr : &right));
    }
    return records;
}

/// A C3D file of one right hand, in millimetres with Z up, at 100 Hz.
struct C3dRecipe {
    bool real = true;  ///< numbers, or 16-bit integers times a scale
    bool dec = false;  ///< DEC's numbers
    bool screen = true;
    int frames = 6;
    std::string unit = "mm";
};
inline std::string c3d(const C3dRecipe& recipe = {}) {
    constexpr std::array kNames = {"R_Thumb_CMC",  "R_Thumb_MCP",  "R_Thumb_IP",  "R_Thumb_Tip",  "R_Index_MCP",
                                   "R_Index_PIP",  "R_Index_DIP",  "R_Index_Tip", "R_Middle_MCP", "R_Middle_PIP",
                                   "R_Middle_DIP", "R_Middle_Tip", "R_Ring_MCP",  "R_Ring_PIP",   "R_Ring_DIP",
                                   "R_Ring_Tip",   "R_Pinky_MCP",  "R_Pinky_PIP", "R_Pinky_DIP",  "R_Pinky_Tip"};
    constexpr std::array kJoints = {2, 3, 4, 5, 7, 8, 9, 10, 12, 13, 14, 15, 17, 18, 19, 20, 22, 23, 24, 25};
    constexpr float kScale = 0.01F;
    std::vector<std::string> labels = {"Anna:RWRA", "Anna:RWRB", "Anna:Elbow"};
    for (const char* name : kNames) labels.push_back(std::string("Anna:") + name);
    const auto real = [&recipe](std::string& bytes, float value) {
        auto word = std::bit_cast<std::uint32_t>(recipe.dec ? 4.0F * value : value);
        if (recipe.dec) word = word >> 16 | word << 16;
        put_number(bytes, word);
    };
    // Parameters: a group is a negative number, its parameters have the positive one.
    std::string parameters("\1\x50\0", 3);
    parameters[2] = 4;
    parameters += recipe.dec ? '\x55' : '\x54';
    const auto add = [&parameters](int group, const std::string& name, const std::string& content) {
        parameters += static_cast<char>(name.size());
        parameters += static_cast<char>(group);
        parameters += name;
        put_number(parameters, static_cast<std::uint16_t>(content.size() + 3));
        parameters += content;
        parameters += '\0';  // no description
    };
    const auto text = [&add](const std::string& name, const std::string& content) {
        std::string bytes("\xFF\1", 2);
        bytes += static_cast<char>(content.size());
        add(1, name, bytes + content);
    };
    const auto count = [&add](const std::string& name, std::size_t value) {
        std::string bytes("\2\0", 2);
        put_number(bytes, static_cast<std::uint16_t>(value));
        add(1, name, bytes);
    };
    const auto number = [&add, &real](const std::string& name, float value) {
        std::string bytes("\4\0", 2);
        real(bytes, value);
        add(1, name, bytes);
    };
    add(-1, "POINT", "");
    count("USED", labels.size());
    count("FRAMES", static_cast<std::size_t>(recipe.frames));
    count("DATA_START", 6);
    number("RATE", 100.0F);
    number("SCALE", recipe.real ? -kScale : kScale);
    text("UNITS", recipe.unit + "  ");
    if (recipe.screen) text("X_SCREEN", "+X");
    if (recipe.screen) text("Y_SCREEN", "+Z");
    std::string list("\xFF\2\x14", 3);
    list += static_cast<char>(labels.size());
    for (std::string label : labels) {
        label.resize(20, ' ');
        list += label;
    }
    add(1, "LABELS", list);
    parameters.append(2, '\0');
    parameters.resize(4 * 512, '\0');

    std::string header("\2\x50", 2);
    put_number(header, static_cast<std::uint16_t>(labels.size()));
    put_number(header, std::uint16_t{0});
    put_number(header, std::uint16_t{1});
    put_number(header, static_cast<std::uint16_t>(recipe.frames));
    put_number(header, std::uint16_t{10});
    real(header, recipe.real ? -kScale : kScale);
    put_number(header, std::uint16_t{6});
    put_number(header, std::uint16_t{0});
    real(header, 100.0F);
    header.resize(512, '\0');

    std::string data;
    const float per_m = recipe.unit == "mm" ? 1000.0F : 1.0F;
    for (int i = 0; i < recipe.frames; ++i) {
        const tracking::HandFrame hand = closing_hand(i, tracking::Side::right);
        const auto point = [&](const Eigen::Vector3f& at_m, bool seen) {
            const Eigen::Vector3f place = per_m * Eigen::Vector3f(at_m.x(), -at_m.z(), at_m.y());  // Z is up
            for (const float v : place)
                if (recipe.real)
                    real(data, v);
                else
                    put_number(data, static_cast<std::int16_t>(std::lround(v / kScale)));
            if (recipe.real)
                real(data, seen ? 0.5F : -1.0F);
            else
                put_number(data, static_cast<std::int16_t>(seen ? 1 : -1));
        };
        const Eigen::Vector3f& wrist = hand[tracking::Joint::wrist].position_m;
        point(wrist + Eigen::Vector3f(0.03F, 0.0F, 0.0F), true);
        point(wrist - Eigen::Vector3f(0.03F, 0.0F, 0.0F), true);
        point(wrist + Eigen::Vector3f(0.0F, 0.0F, 0.25F), true);
        // The index fingertip is not seen in frame 3.
        for (const int joint : kJoints)
            point(hand.joints[static_cast<std::size_t>(joint)].position_m, i != 3 || joint != 10);
    }
    return header + parameters + data;
}

/// Writes the hand of bvh_hand() as an animated skeleton with Mixamo's names, 50 keys a second: joints turn, the hand
/// rises by 0.1 m per second, between two keys. The armature scales centimetres to metres. `how`: glTF's interpolation.
inline std::string animated_glb(int frames, const std::string& how = "LINEAR") {
    const tracking::HandFrame rest = tracking::pose_from_angles(tracking::default_profile(), {},
                                                                Eigen::Isometry3f::Identity(), tracking::Side::right);
    std::string bin, views, accessors, samplers, channels;
    int count = 0;
    const auto item = [](std::string& list, const std::string& text) { list += (list.empty() ? "" : ",") + text; };
    const auto accessor = [&](const std::vector<float>& values, const std::string& type, int parts) {
        item(views, "{\"buffer\":0,\"byteOffset\":" + std::to_string(bin.size()) +
                        ",\"byteLength\":" + std::to_string(4 * values.size()) + "}");
        item(accessors, "{\"bufferView\":" + std::to_string(count) + ",\"componentType\":5126,\"count\":" +
                            std::to_string(values.size() / static_cast<std::size_t>(parts)) + ",\"type\":\"" + type +
                            "\"}");
        for (const float v : values) put_number(bin, v);
        return std::to_string(count++);
    };
    int channel_count = 0;
    const auto channel = [&](int node, const std::string& path, const std::string& input, const std::string& output,
                             const std::string& interpolation) {
        item(samplers,
             "{\"input\":" + input + ",\"output\":" + output + ",\"interpolation\":\"" + interpolation + "\"}");
        item(channels, "{\"sampler\":" + std::to_string(channel_count++) +
                           ",\"target\":{\"node\":" + std::to_string(node) + ",\"path\":\"" + path + "\"}}");
    };
    std::vector<float> times_s, turns;
    for (int i = 0; i < frames; ++i) {
        times_s.push_back(0.02F * static_cast<float>(i));
        const Eigen::Quaternionf turn(
            Eigen::AngleAxisf(-(0.3F + 0.01F * static_cast<float>(i)), Eigen::Vector3f::UnitX()));
        const auto key = [&turns](const Eigen::Vector4f& v) { turns.insert(turns.end(), v.begin(), v.end()); };
        if (how == "CUBICSPLINE") key(Eigen::Vector4f::Zero());
        key(turn.coeffs());
        if (how == "CUBICSPLINE") key(Eigen::Vector4f::Zero());
    }
    const float last_s = times_s.back();
    const std::string times = accessor(times_s, "SCALAR", 1), flexion = accessor(turns, "VEC4", 4);
    const auto vector = [](const Eigen::Vector3f& v) {
        return "[" + std::to_string(v.x()) + "," + std::to_string(v.y()) + "," + std::to_string(v.z()) + "]";
    };
    const Eigen::Vector3f wrist_cm = 100.0F * rest[tracking::Joint::wrist].position_m;
    channel(
        1, "translation", accessor({0.0F, last_s}, "SCALAR", 1),
        accessor({wrist_cm.x(), wrist_cm.y(), wrist_cm.z(), wrist_cm.x(), wrist_cm.y() + 10.0F * last_s, wrist_cm.z()},
                 "VEC3", 3),
        "LINEAR");
    std::string nodes, children;
    int node = 2;
    constexpr std::array kFingers = {"Thumb", "Index", "Middle", "Ring", "Pinky"};
    for (std::size_t f = 0; f < 5; ++f) {
        const std::size_t first = f == 0 ? 2 : 2 + 5 * f;
        item(children, std::to_string(node));
        for (std::size_t b = 0; b < 4; ++b, ++node) {
            const std::size_t joint = first + b, before = b == 0 ? 1 : joint - 1;
            item(nodes, "{\"name\":\"mixamorig:RightHand" + std::string(kFingers[f]) + std::to_string(b + 1) +
                            "\",\"translation\":" +
                            vector(100.0F * (rest.joints[joint].position_m - rest.joints[before].position_m)) +
                            (b < 3 ? ",\"children\":[" + std::to_string(node + 1) + "]" : "") + "}");
            if (b < 3) channel(node, "rotation", times, flexion, how);
        }
    }
    std::string json =
        "{\"asset\":{\"version\":\"2.0\"},\"nodes\":[{\"name\":\"Armature\",\"scale\":[0.01,0.01,0.01],"
        "\"children\":[1]},{\"name\":\"mixamorig:RightHand\",\"children\":[" +
        children + "]}," + nodes + "],\"animations\":[{\"channels\":[" + channels + "],\"samplers\":[" + samplers +
        "]}],\"accessors\":[" + accessors + "],\"bufferViews\":[" + views +
        "],\"buffers\":[{\"byteLength\":" + std::to_string(bin.size()) + "}]}";
    json.resize((json.size() + 3) / 4 * 4, ' ');
    std::string bytes = "glTF";
    put_number(bytes, std::uint32_t{2});
    put_number(bytes, static_cast<std::uint32_t>(28 + json.size() + bin.size()));
    put_number(bytes, static_cast<std::uint32_t>(json.size()));
    bytes += "JSON" + json;
    put_number(bytes, static_cast<std::uint32_t>(bin.size()));
    return bytes + std::string("BIN\0", 4) + bin;
}

}  // namespace glovebox::recordings
