#include "vr/export/glb.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <limits>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "vr/platform/version.h"
#include "vr/render/hand_mesh.h"
#include "vr/render/hand_skin.h"
#include "vr/render/object_mesh.h"
#include "vr/session/report.h"

namespace glovebox::vr {
namespace {

using nlohmann::ordered_json;
using tracking::Joint;
using tracking::Side;

constexpr std::size_t kMaxKeys = 20'000, kMarkers = 24;
constexpr float kMarker_m = 0.004F;
constexpr int kFloat = 5126, kUnsignedInt = 5125, kUnsignedByte = 5121;  // glTF's component types
constexpr int kVertices = 34962, kIndices = 34963;                       // and targets of buffer views

// The two chunks of a GLB while they grow.
struct Document {
    ordered_json json;
    std::string bin;

    Document() {
        json["asset"] = {{"generator", std::string("glovebox ") + kVersion}, {"version", "2.0"}};
        json["scene"] = 0;
        for (const char* list : {"scenes", "nodes", "meshes", "materials", "accessors", "bufferViews"})
            json[list] = ordered_json::array();
    }
    int add(const char* list, ordered_json entry) {
        json[list].push_back(std::move(entry));
        return static_cast<int>(json[list].size()) - 1;
    }
    // `target` 0: none.
    template <class T>
    int accessor(const std::vector<T>& values, int component, int parts, const char* type, int target, bool bounds) {
        while (bin.size() % 4 != 0) bin += '\0';
        ordered_json view = {{"buffer", 0}, {"byteOffset", bin.size()}, {"byteLength", values.size() * sizeof(T)}};
        if (target != 0) view["target"] = target;
        const std::size_t at = bin.size();
        bin.resize(at + values.size() * sizeof(T));
        if (!values.empty()) std::memcpy(bin.data() + at, values.data(), values.size() * sizeof(T));
        ordered_json entry = {{"bufferView", add("bufferViews", std::move(view))},
                              {"componentType", component},
                              {"count", values.size() / static_cast<std::size_t>(parts)},
                              {"type", type}};
        if (bounds) {
            std::vector<double> low(static_cast<std::size_t>(parts), std::numeric_limits<double>::max());
            std::vector<double> high(static_cast<std::size_t>(parts), std::numeric_limits<double>::lowest());
            for (std::size_t i = 0; i < values.size(); ++i) {
                const std::size_t part = i % static_cast<std::size_t>(parts);
                low[part] = std::min(low[part], static_cast<double>(values[i]));
                high[part] = std::max(high[part], static_cast<double>(values[i]));
            }
            entry["min"] = low;
            entry["max"] = high;
        }
        return add("accessors", std::move(entry));
    }
};

void append(std::vector<float>& values, const Eigen::Vector3f& v) {
    values.insert(values.end(), {v.x(), v.y(), v.z()});
}

// Converts sRGB to the linear colours of glTF.
int material(Document& file, const std::string& name, const Eigen::Vector3f& color, float roughness) {
    const auto linear = [](float c) { return std::pow(std::clamp(c, 0.0F, 1.0F), 2.2F); };
    return file.add("materials",
                    {{"name", name},
                     {"doubleSided", true},
                     {"pbrMetallicRoughness",
                      {{"baseColorFactor", {linear(color.x()), linear(color.y()), linear(color.z()), 1.0F}},
                       {"metallicFactor", 0.0},
                       {"roughnessFactor", roughness}}}});
}

int mesh_of(Document& file, const std::string& name, const DrawMesh& mesh, int material) {
    std::vector<float> positions, normals;
    std::vector<std::uint32_t> corners;
    for (const DrawVertex& vertex : mesh.vertices) {
        append(positions, vertex.position_m);
        const float length = vertex.normal.norm();
        append(normals, length > 1e-6F ? Eigen::Vector3f(vertex.normal / length) : Eigen::Vector3f::UnitY());
    }
    for (const auto& triangle : mesh.triangles) corners.insert(corners.end(), triangle.begin(), triangle.end());
    const ordered_json attributes = {{"POSITION", file.accessor(positions, kFloat, 3, "VEC3", kVertices, true)},
                                     {"NORMAL", file.accessor(normals, kFloat, 3, "VEC3", kVertices, false)}};
    const int indices = file.accessor(corners, kUnsignedInt, 1, "SCALAR", kIndices, false);
    return file.add(
        "meshes",
        {{"name", name}, {"primitives", {{{"attributes", attributes}, {"indices", indices}, {"material", material}}}}});
}

// An animated node.
struct Track {
    int node = -1;
    std::vector<float> translation, rotation, scale;

    void add(const Eigen::Vector3f& at, Eigen::Quaternionf turn) {
        if (rotation.size() >= 4) {
            const Eigen::Map<const Eigen::Vector4f> before(rotation.data() + rotation.size() - 4);
            if (before.dot(turn.coeffs()) < 0.0F) turn.coeffs() = -turn.coeffs();
        }
        append(translation, at);
        rotation.insert(rotation.end(), {turn.x(), turn.y(), turn.z(), turn.w()});
    }
};

class Animation {
  public:
    void write(Document& file, const std::vector<float>& times_s, std::span<const Track> tracks) {
        if (times_s.empty()) return;
        input_ = file.accessor(times_s, kFloat, 1, "SCALAR", 0, true);
        for (const Track& track : tracks) {
            channel(file, track.node, "translation", track.translation, 3, "VEC3", "LINEAR");
            channel(file, track.node, "rotation", track.rotation, 4, "VEC4", "LINEAR");
            channel(file, track.node, "scale", track.scale, 3, "VEC3", track.rotation.empty() ? "STEP" : "LINEAR");
        }
        if (channels_.empty()) return;
        file.json["animations"] = {{{"name", "replay"}, {"channels", channels_}, {"samplers", samplers_}}};
    }

  private:
    void channel(Document& file, int node, const char* path, const std::vector<float>& values, int parts,
                 const char* type, const char* how) {
        if (values.empty()) return;
        samplers_.push_back({{"input", input_},
                             {"output", file.accessor(values, kFloat, parts, type, 0, false)},
                             {"interpolation", how}});
        channels_.push_back({{"sampler", samplers_.size() - 1}, {"target", {{"node", node}, {"path", path}}}});
    }
    ordered_json channels_ = ordered_json::array(), samplers_ = ordered_json::array();
    int input_ = 0;
};

// Joints that move no vertex of the skin: palm and fingertips. They make the file a whole recording.
constexpr std::array kPoints = {Joint::palm,       Joint::thumb_tip, Joint::index_tip,
                                Joint::middle_tip, Joint::ring_tip,  Joint::little_tip};

struct HandNodes {
    HandSkin skin;
    Track root;  // only its scale: 0 while the hand is lost
    std::array<Track, kSkinBoneCount> bones;
    std::array<Track, kPoints.size()> points;
};

HandSkin skin_of(const Session& session, Side side) {
    if (session.hand_meshes != nullptr) return (*session.hand_meshes)[side];
    const HandSkeleton skeleton = rest_skeleton(session.pipeline.settings.profiles[side], side);
    HandSkin right = cached_skin(skeleton, {.cell_m = 0.0030F}, user_cache_folder());
    return side == Side::right ? std::move(right) : mirrored(right);
}

void write_hand(Document& file, Side side, HandNodes& hand, ordered_json& roots) {
    const std::string name(name_of(side));
    std::vector<float> positions, normals, weights, inverse;
    std::vector<std::uint8_t> joints;
    std::vector<std::uint32_t> corners;
    for (const SkinVertex& vertex : hand.skin.vertices) {
        append(positions, vertex.position_m);
        const float length = vertex.normal.norm();
        append(normals, length > 1e-6F ? Eigen::Vector3f(vertex.normal / length) : Eigen::Vector3f::UnitY());
        float sum = 0.0F;
        for (const float weight : vertex.weights) sum += weight;
        for (std::size_t i = 0; i < 4; ++i) {
            weights.push_back(sum > 0.0F ? vertex.weights[i] / sum : i == 0 ? 1.0F : 0.0F);
            joints.push_back(vertex.weights[i] > 0.0F ? vertex.bones[i] : std::uint8_t{0});
        }
    }
    for (const auto& triangle : hand.skin.triangles) corners.insert(corners.end(), triangle.begin(), triangle.end());
    ordered_json nodes = ordered_json::array();
    for (std::size_t bone = 0; bone < hand.bones.size(); ++bone) {
        const std::string joint(name_of(skin_bone_joint(static_cast<int>(bone))));
        // Viewers without animation, and those that use the nodes' poses for skinning, show the hand at rest.
        const Eigen::Isometry3f& rest = hand.skin.rest[bone].world_from_bone;
        const Eigen::Vector3f at = rest.translation();
        const Eigen::Quaternionf turn(rest.linear());
        hand.bones[bone].node = file.add("nodes", {{"name", name + "_" + joint},
                                                   {"translation", {at.x(), at.y(), at.z()}},
                                                   {"rotation", {turn.x(), turn.y(), turn.z(), turn.w()}}});
        nodes.push_back(hand.bones[bone].node);
        const Eigen::Matrix4f bind = rest.inverse().matrix();
        inverse.insert(inverse.end(), bind.data(), bind.data() + 16);
    }
    const ordered_json attributes = {{"POSITION", file.accessor(positions, kFloat, 3, "VEC3", kVertices, true)},
                                     {"NORMAL", file.accessor(normals, kFloat, 3, "VEC3", kVertices, false)},
                                     {"JOINTS_0", file.accessor(joints, kUnsignedByte, 4, "VEC4", kVertices, false)},
                                     {"WEIGHTS_0", file.accessor(weights, kFloat, 4, "VEC4", kVertices, false)}};
    const int indices = file.accessor(corners, kUnsignedInt, 1, "SCALAR", kIndices, false);
    const int skin_material = material(file, name + " skin", {0.875F, 0.784F, 0.725F}, 0.75F);
    const int mesh = file.add(
        "meshes", {{"name", name + " hand"},
                   {"primitives", {{{"attributes", attributes}, {"indices", indices}, {"material", skin_material}}}}});
    if (!file.json.contains("skins")) file.json["skins"] = ordered_json::array();
    const int skin = file.add(
        "skins", {{"joints", nodes}, {"inverseBindMatrices", file.accessor(inverse, kFloat, 16, "MAT4", 0, false)}});
    // A skinned mesh is positioned by its joints; the transform of its own node is ignored.
    roots.push_back(file.add("nodes", {{"name", name + " hand"}, {"mesh", mesh}, {"skin", skin}}));
    for (std::size_t i = 0; i < kPoints.size(); ++i) {
        hand.points[i].node = file.add("nodes", {{"name", name + "_" + std::string(name_of(kPoints[i]))}});
        nodes.push_back(hand.points[i].node);
    }
    hand.root.node = file.add("nodes", {{"name", name + " bones"}, {"children", nodes}});
    roots.push_back(hand.root.node);
}

Eigen::Vector3f last_place(const std::vector<float>& places, const Eigen::Vector3f& if_none) {
    if (places.empty()) return if_none;
    return Eigen::Vector3f(places.data() + places.size() - 3);
}

void add_pose(HandNodes& hand, const tracking::HandFrame& frame) {
    const BoneFrames tracked = tracked_frames(frame, hand.skin.rest);
    const auto carried = skin_matrices(tracked, hand.skin.rest);
    for (std::size_t bone = 0; bone < hand.bones.size(); ++bone) {
        const Eigen::Matrix4f world = carried[bone] * hand.skin.rest[bone].world_from_bone.matrix();
        Eigen::Matrix3f turn;
        Eigen::Vector3f scale;
        for (Eigen::Index axis = 0; axis < 3; ++axis) {
            scale[axis] = world.block<3, 1>(0, axis).norm();
            turn.col(axis) = world.block<3, 1>(0, axis) / std::max(scale[axis], 1e-6F);
        }
        // A mirrored frame is not a rotation: one axis is scaled by -1.
        if (turn.determinant() < 0.0F) {
            turn.col(0) = -turn.col(0);
            scale.x() = -scale.x();
        }
        hand.bones[bone].add(world.block<3, 1>(0, 3), Eigen::Quaternionf(turn).normalized());
        append(hand.bones[bone].scale, scale);
    }
    for (std::size_t i = 0; i < kPoints.size(); ++i) {
        const tracking::JointPose& joint = frame[kPoints[i]];
        std::vector<float>& places = hand.points[i].translation;
        if ((joint.flags & tracking::joint_flags::kPositionValid) != 0 && joint.position_m.allFinite())
            append(places, joint.position_m);
        else
            append(places, last_place(places, frame[Joint::wrist].position_m));
    }
}

void repeat_pose(HandNodes& hand) {
    for (Track& point : hand.points) append(point.translation, last_place(point.translation, Eigen::Vector3f::Zero()));
    for (Track& bone : hand.bones) {
        if (bone.translation.empty()) {
            bone.add(Eigen::Vector3f::Zero(), Eigen::Quaternionf::Identity());
            append(bone.scale, Eigen::Vector3f::Ones());
            continue;
        }
        bone.add(Eigen::Map<const Eigen::Vector3f>(bone.translation.data() + bone.translation.size() - 3),
                 Eigen::Quaternionf(bone.rotation.data() + bone.rotation.size() - 4));
        append(bone.scale,
               Eigen::Vector3f(Eigen::Map<const Eigen::Vector3f>(bone.scale.data() + bone.scale.size() - 3)));
    }
}

std::string word(std::uint32_t value) {
    std::string bytes(4, '\0');
    std::memcpy(bytes.data(), &value, 4);
    return bytes;
}

std::string packed_file(Document& file) {
    while (file.bin.size() % 4 != 0) file.bin += '\0';
    file.json["buffers"] = {{{"byteLength", file.bin.size()}}};
    std::string json = text_of(file.json);
    while (json.size() % 4 != 0) json += ' ';
    const std::size_t size = 12 + 8 + json.size() + 8 + file.bin.size();
    if (size > std::numeric_limits<std::int32_t>::max()) throw std::runtime_error("a GLB cannot be larger than 2 GB");
    return "glTF" + word(2) + word(static_cast<std::uint32_t>(size)) + word(static_cast<std::uint32_t>(json.size())) +
           "JSON" + json + word(static_cast<std::uint32_t>(file.bin.size())) + std::string("BIN\0", 4) + file.bin;
}

}  // namespace

GlbSummary glb_of(Session& session) {
    GlbSummary summary;
    const std::size_t samples = session.recording().samples.size();
    summary.stride = std::max<std::size_t>(1, (samples + kMaxKeys - 1) / kMaxKeys);
    Document file;
    ordered_json roots = ordered_json::array();
    const tracking::PerSide<bool>& used = session.pipeline.settings.use_hand;
    tracking::PerSide<std::unique_ptr<HandNodes>> hands;
    for (const Side side : tracking::kSides) {
        if (!used[side]) continue;
        hands[side] = std::make_unique<HandNodes>();
        hands[side]->skin = skin_of(session, side);
        write_hand(file, side, *hands[side], roots);
    }
    std::vector<Track> objects(session.scene.objects.size());
    for (std::size_t i = 0; i < objects.size(); ++i) {
        const scenes::SceneObject& object = session.scene.objects[i];
        const int mesh =
            mesh_of(file, object.name, draw_mesh(object.shape), material(file, object.name, object.color, 0.8F));
        objects[i].node = file.add("nodes", {{"name", object.name}, {"mesh", mesh}});
        roots.push_back(objects[i].node);
    }
    const int marker_mesh =
        mesh_of(file, "contact",
                draw_mesh(collision::RoundCone{Eigen::Vector3f::Zero(), Eigen::Vector3f::Zero(), kMarker_m, kMarker_m}),
                material(file, "contact", {0.835F, 0.369F, 0.0F}, 0.5F));
    std::vector<Track> markers(kMarkers);
    for (std::size_t i = 0; i < kMarkers; ++i) {
        markers[i].node = file.add("nodes", {{"name", "contact " + std::to_string(i + 1)}, {"mesh", marker_mesh}});
        roots.push_back(markers[i].node);
    }

    std::vector<float> times_s;
    for (std::size_t frame = 0; session.next(); ++frame) {
        if (frame % summary.stride != 0) continue;
        // Key times must increase strictly: of samples at the same time the first counts.
        const auto time_s = static_cast<float>(session.time_s());
        if (!times_s.empty() && time_s <= times_s.back()) continue;
        times_s.push_back(time_s);
        const scenes::World& world = session.pipeline.world;
        std::size_t marked = 0;
        for (const Side side : tracking::kSides) {
            if (!hands[side]) continue;
            const tracking::HandFrame& hand = session.pipeline.hands[side];
            if (hand.active)
                add_pose(*hands[side], hand);
            else
                repeat_pose(*hands[side]);
            append(hands[side]->root.scale, Eigen::Vector3f::Constant(hand.active ? 1.0F : 0.0F));
            for (const collision::Contact& contact : world.hands[side].contacts) {
                if (contact.distance_m > session.scene.thresholds.touch_enter_m || marked == kMarkers) continue;
                append(markers[marked].translation, contact.on_object_m);
                append(markers[marked++].scale, Eigen::Vector3f::Ones());
            }
        }
        for (; marked < kMarkers; ++marked) {
            append(markers[marked].translation, Eigen::Vector3f::Zero());
            append(markers[marked].scale, Eigen::Vector3f::Zero());
        }
        for (std::size_t i = 0; i < objects.size(); ++i)
            objects[i].add(world.world_from_object[i].translation(),
                           Eigen::Quaternionf(world.world_from_object[i].linear()).normalized());
    }
    summary.frames = times_s.size();
    summary.duration_s = times_s.empty() ? 0.0 : double{times_s.back()};

    std::vector<Track> tracks;
    for (std::size_t i = 0; i < objects.size(); ++i) {
        if (session.scene.objects[i].motion == scenes::Motion::fixed && !objects[i].translation.empty()) {
            ordered_json& node = file.json["nodes"][static_cast<std::size_t>(objects[i].node)];
            node["translation"] =
                std::vector<float>(objects[i].translation.begin(), objects[i].translation.begin() + 3);
            node["rotation"] = std::vector<float>(objects[i].rotation.begin(), objects[i].rotation.begin() + 4);
        } else {
            tracks.push_back(std::move(objects[i]));
        }
    }
    for (const Side side : tracking::kSides) {
        if (!hands[side]) continue;
        tracks.push_back(std::move(hands[side]->root));
        for (Track& bone : hands[side]->bones) tracks.push_back(std::move(bone));
        for (Track& point : hands[side]->points) tracks.push_back(std::move(point));
    }
    for (Track& marker : markers) {
        const bool ever = std::ranges::any_of(marker.scale, [](float scale) { return scale > 0.0F; });
        if (ever) {
            tracks.push_back(std::move(marker));
        } else {
            file.json["nodes"][static_cast<std::size_t>(marker.node)]["scale"] = {0.0, 0.0, 0.0};
        }
    }
    Animation().write(file, times_s, tracks);
    file.json["scenes"] = {{{"name", session.scene.name}, {"nodes", roots}}};
    summary.bytes = packed_file(file);
    return summary;
}

}  // namespace glovebox::vr
