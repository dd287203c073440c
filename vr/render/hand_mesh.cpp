#include "vr/render/hand_mesh.h"

#include <assimp/postprocess.h>
#include <assimp/scene.h>

#include <algorithm>
#include <assimp/Importer.hpp>
#include <cmath>
#include <fstream>
#include <optional>
#include <stdexcept>
#include <string>

#include "recordings/formats/webxr.h"
#include "scenes/assimp_importers.h"
#include "scenes/gltf_check.h"
#include "tracking/hand_geometry.h"
#include "vr/platform/mesh_process.h"

namespace glovebox::vr {
namespace {

using Eigen::Vector3f;
using tracking::Joint;
using tracking::kJointCount;
using tracking::Side;

constexpr float kUsualHand_m = 0.187F;
constexpr std::uintmax_t kMaxBytes = std::uintmax_t{64} << 20;  // a hand of 300k triangles takes 20 MB

// Returns WebXR's name of a joint; the palm has none there.
const char* webxr_name(std::size_t joint) {
    return joint == 0 ? "palm" : recordings::kWebxrJoints[joint - 1].data();
}

std::optional<std::size_t> joint_named(const std::string& name) {
    for (std::size_t j = 0; j < kJointCount; ++j)
        if (name == webxr_name(j)) return j;
    return {};
}

// Returns the skin bone that a joint's weights go to: tips to the last bone, the palm to the wrist.
std::uint8_t bone_of(std::size_t joint) {
    const bool tip = joint == 5 || (joint > 5 && joint % 5 == 0);
    const auto carried = static_cast<Joint>(tip ? joint - 1 : joint);
    for (int bone = 0; bone < kSkinBoneCount; ++bone)
        if (skin_bone_joint(bone) == carried) return static_cast<std::uint8_t>(bone);
    return 0;
}

tracking::HandFrame frame_of(const std::array<Vector3f, kJointCount>& joint_m, Side side) {
    tracking::HandFrame frame;
    frame.side = side;
    frame.active = true;
    for (std::size_t j = 0; j < kJointCount; ++j) {
        frame.joints[j].position_m = joint_m[j];
        frame.joints[j].flags = tracking::joint_flags::kPositionValid;
    }
    return frame;
}

Vector3f at(const std::array<Vector3f, kJointCount>& joint_m, Joint joint) {
    return joint_m[static_cast<std::size_t>(joint)];
}

float length_of(const std::array<Vector3f, kJointCount>& joint_m) {
    float length_m = 0.0F;
    for (Joint joint = Joint::middle_tip; joint != Joint::wrist; joint = tracking::parent_of(joint))
        length_m += (at(joint_m, joint) - at(joint_m, tracking::parent_of(joint))).norm();
    return length_m;
}

void check(const RiggedHand& rig) {
    for (std::size_t j = 1; j < kJointCount; ++j)
        if (!rig.joint_m[j].allFinite())
            throw std::runtime_error("the joint '" + std::string(webxr_name(j)) + "' is not at a finite place");
    const Vector3f forward = at(rig.joint_m, Joint::middle_proximal) - at(rig.joint_m, Joint::wrist);
    const Vector3f across = at(rig.joint_m, Joint::little_proximal) - at(rig.joint_m, Joint::index_proximal);
    if (forward.norm() < 1e-6F || across.cross(forward).norm() < 1e-3F * forward.squaredNorm())
        throw std::runtime_error("its wrist and knuckles are in a line or at one point: that is no hand at rest");
    if (rig.triangles.empty()) throw std::runtime_error("it has no triangles");
    for (const auto& triangle : rig.triangles)
        for (const std::uint32_t corner : triangle)
            if (corner >= rig.vertices.size())
                throw std::runtime_error("a triangle names vertex " + std::to_string(corner) + " of " +
                                         std::to_string(rig.vertices.size()));
    for (const RiggedHand::Vertex& vertex : rig.vertices)
        if (!vertex.position_m.allFinite() || !vertex.normal.allFinite())
            throw std::runtime_error("a vertex is not finite");
}

// Converts weights to at most four different bones, the largest first, with sum 1. Two joints may map to one bone.
void set_weights(const RiggedHand::Vertex& from, SkinVertex& to) {
    std::array<std::pair<float, std::uint8_t>, 4> parts{};
    std::size_t count = 0;
    float sum = 0.0F;
    for (std::size_t i = 0; i < 4; ++i) {
        const float weight = from.weights[i];
        if (!(weight > 0.0F) || !std::isfinite(weight)) continue;
        const std::uint8_t bone = bone_of(std::min<std::size_t>(from.joints[i], kJointCount - 1));
        const auto same = std::find_if(parts.begin(), parts.begin() + static_cast<std::ptrdiff_t>(count),
                                       [bone](const auto& part) { return part.second == bone; });
        if (same == parts.begin() + static_cast<std::ptrdiff_t>(count)) parts[count++] = {0.0F, bone};
        same->first += weight;
        sum += weight;
    }
    if (count == 0) {
        parts[0] = {1.0F, 0};  // no weights: it follows the wrist
        sum = 1.0F;
    }
    std::sort(parts.begin(), parts.end(), [](const auto& a, const auto& b) { return a.first > b.first; });
    for (std::size_t i = 0; i < 4; ++i) {
        to.weights[i] = parts[i].first / sum;
        to.bones[i] = parts[i].second;
    }
}

}  // namespace

tracking::HandFrame rest_frame(const RiggedHand& rig) {
    check(rig);
    return frame_of(rig.joint_m, rig.side);
}

HandSkin skin_of_rig(const RiggedHand& rig) {
    check(rig);
    const float length_m = length_of(rig.joint_m);
    const float scale = length_m < 0.08F || length_m > 0.40F ? kUsualHand_m / length_m : 1.0F;

    // Transform into the wrist's rest frame, in which the shader fades out the forearm.
    BoneFrames none;
    none[0].length_m = 0.1F;  // of the forearm; never measured, because there is no joint behind the wrist
    const BoneFrames in_rig = tracked_frames(frame_of(rig.joint_m, rig.side), none);
    const Eigen::Isometry3f wrist_from_rig = in_rig[0].world_from_bone.inverse();
    std::array<Vector3f, kJointCount> joint_m;
    for (std::size_t j = 0; j < kJointCount; ++j) joint_m[j] = scale * (wrist_from_rig * rig.joint_m[j]);

    HandSkin skin;
    skin.side = rig.side;
    skin.scale = scale * length_m / kUsualHand_m;
    none[0].length_m *= skin.scale;
    skin.rest = tracked_frames(frame_of(joint_m, rig.side), none);
    skin.triangles = rig.triangles;
    skin.vertices.resize(rig.vertices.size());
    for (std::size_t i = 0; i < rig.vertices.size(); ++i) {
        const RiggedHand::Vertex& from = rig.vertices[i];
        SkinVertex& to = skin.vertices[i];
        to.position_m = scale * (wrist_from_rig * from.position_m);
        to.normal = (wrist_from_rig.linear() * from.normal).normalized();
        to.open = 1.0F;
        set_weights(from, to);
    }
    // Such a mesh has its own nails, so ours are put where there is no skin.
    for (Nail& nail : skin.nails) {
        nail.center_m = {10.0F, 10.0F};
        nail.half_m = {0.001F, 0.001F};
    }
    return skin;
}

namespace {

[[noreturn]] void fail(const std::filesystem::path& path, const std::string& reason) {
    throw std::runtime_error(path.string() + ": no hand mesh: " + reason);
}

Vector3f vector_of(const aiVector3D& v) {
    return {v.x, v.y, v.z};
}

// Assimp trusts the lengths in a GLB file, so files with lengths beyond their end are rejected here.
void check_file(const std::filesystem::path& path) {
    if (!std::filesystem::exists(path)) fail(path, "there is no such file");
    if (!std::filesystem::is_regular_file(path)) fail(path, "it is a folder, a device or a pipe; name a glTF file");
    const std::uintmax_t bytes = std::filesystem::file_size(path);
    if (bytes > kMaxBytes) fail(path, "it has more than 64 MB");
    std::ifstream in(path, std::ios::binary);
    std::array<unsigned char, 12> head{};
    in.read(reinterpret_cast<char*>(head.data()), head.size());
    const std::string_view magic(reinterpret_cast<const char*>(head.data()), 4);
    const auto number = [&head](std::size_t first) {
        return static_cast<std::uintmax_t>(head[first]) | static_cast<std::uintmax_t>(head[first + 1]) << 8U |
               static_cast<std::uintmax_t>(head[first + 2]) << 16U |
               static_cast<std::uintmax_t>(head[first + 3]) << 24U;
    };
    if (magic == "glTF" && number(8) > bytes)
        fail(path, "it is cut short: its header promises " + std::to_string(number(8)) + " bytes and there are " +
                       std::to_string(bytes));
}

/// Where a joint is at rest, in the mesh's frame; only of joints that were found.
struct JointsFound {
    std::array<bool, kJointCount> known{};
    std::array<aiMatrix4x4, kJointCount> mesh_from_joint;
};

void add_part(const aiMesh& part, RiggedHand& rig, JointsFound& found) {
    const auto first = static_cast<std::uint32_t>(rig.vertices.size());
    std::vector<std::size_t> used(part.mNumVertices, 0);
    rig.vertices.resize(first + part.mNumVertices);
    for (unsigned i = 0; i < part.mNumVertices; ++i) {
        rig.vertices[first + i].position_m = vector_of(part.mVertices[i]);
        rig.vertices[first + i].normal = vector_of(part.mNormals[i]);
    }
    for (unsigned b = 0; b < part.mNumBones; ++b) {
        const aiBone& bone = *part.mBones[b];
        const auto joint = joint_named(bone.mName.C_Str());
        if (!joint) continue;
        // The offset matrix maps mesh vertices into the joint's frame; the joint is at the origin's image under its
        // inverse.
        aiMatrix4x4 mesh_from_joint = bone.mOffsetMatrix;
        mesh_from_joint.Inverse();
        found.mesh_from_joint[*joint] = mesh_from_joint;
        found.known[*joint] = true;
        for (unsigned w = 0; w < bone.mNumWeights; ++w) {
            const aiVertexWeight& weight = bone.mWeights[w];
            if (weight.mVertexId >= part.mNumVertices || used[weight.mVertexId] >= 4 || !(weight.mWeight > 0.0F))
                continue;
            RiggedHand::Vertex& vertex = rig.vertices[first + weight.mVertexId];
            const std::size_t slot = used[weight.mVertexId]++;
            vertex.joints[slot] = static_cast<std::uint8_t>(*joint);
            vertex.weights[slot] = weight.mWeight;
        }
    }
    for (unsigned i = 0; i < part.mNumFaces; ++i) {
        const aiFace& face = part.mFaces[i];
        if (face.mNumIndices != 3) continue;
        rig.triangles.push_back({first + face.mIndices[0], first + face.mIndices[1], first + face.mIndices[2]});
    }
}

aiMatrix4x4 scene_from(const aiNode* node) {
    aiMatrix4x4 scene_from_node;
    for (; node != nullptr; node = node->mParent) scene_from_node = node->mTransformation * scene_from_node;
    return scene_from_node;
}

// Joints without skin weights, such as fingertips, are not in the mesh. Their nodes give their pose relative to the
// joint before them, which is.
void add_bare_joints(const aiScene& file, JointsFound& found) {
    for (std::size_t j = 1; j < kJointCount; ++j) {
        const auto before = static_cast<std::size_t>(tracking::parent_of(static_cast<Joint>(j)));
        if (found.known[j] || before == j || !found.known[before]) continue;
        const aiNode* node = file.mRootNode->FindNode(webxr_name(j));
        const aiNode* node_before = file.mRootNode->FindNode(webxr_name(before));
        if (node == nullptr || node_before == nullptr) continue;
        aiMatrix4x4 before_from_scene = scene_from(node_before);
        before_from_scene.Inverse();
        found.mesh_from_joint[j] = found.mesh_from_joint[before] * before_from_scene * scene_from(node);
        found.known[j] = true;
    }
}

// Determines the side from the bend of the fingers; the thumb, bent towards the palm in every rest pose, counts too.
// Otherwise from the file name.
Side side_of(const RiggedHand& rig, const std::filesystem::path& path) {
    tracking::ChiralityVote vote;
    vote.add(frame_of(rig.joint_m, Side::left));
    if (const auto side = vote.side()) return *side;
    std::string name = path.filename().string();
    std::transform(name.begin(), name.end(), name.begin(), [](unsigned char c) { return std::tolower(c); });
    return name.find("left") != std::string::npos ? Side::left : Side::right;
}

}  // namespace

RiggedHand read_rigged_hand(const std::filesystem::path& path) {
    check_file(path);
    try {
        scenes::check_gltf(path);
    } catch (const std::invalid_argument& error) {
        fail(path, error.what());
    }
    Assimp::Importer importer;
    scenes::keep_importers_of("glb", importer);
    // Keep the four largest weights per vertex, as the renderer uses.
    const aiScene* file =
        importer.ReadFile(path.string(), aiProcess_Triangulate | aiProcess_GenSmoothNormals |
                                             aiProcess_LimitBoneWeights | aiProcess_JoinIdenticalVertices);
    if (file == nullptr || file->mRootNode == nullptr)
        fail(path, std::string("not a readable glTF file: ") + importer.GetErrorString());
    RiggedHand rig;
    rig.joint_m.fill(Vector3f::Zero());
    JointsFound found;
    for (unsigned m = 0; m < file->mNumMeshes; ++m) {
        const aiMesh& part = *file->mMeshes[m];
        if (part.HasBones() && part.HasNormals()) add_part(part, rig, found);
    }
    if (rig.vertices.empty()) fail(path, "no mesh in it is bound to joints");
    add_bare_joints(*file, found);
    for (std::size_t j = 0; j < kJointCount; ++j)
        if (const aiMatrix4x4& m = found.mesh_from_joint[j]; found.known[j]) rig.joint_m[j] = {m.a4, m.b4, m.c4};
    for (std::size_t j = 1; j < kJointCount; ++j)
        if (!found.known[j])
            fail(path, "it has no joint named '" + std::string(webxr_name(j)) +
                           "'; the 25 names of WebXR are needed, from 'wrist' to 'pinky-finger-tip'");
    if (!found.known[0])
        rig.joint_m[0] = 0.5F * (at(rig.joint_m, Joint::middle_metacarpal) + at(rig.joint_m, Joint::middle_proximal));
    rig.side = side_of(rig, path);
    return rig;
}

// The result of the process is validated like any rig.
RiggedHand read_rigged_hand_apart(const std::filesystem::path& path) {
    const std::string content = read_apart(path, [&path] {
        const RiggedHand rig = read_rigged_hand(path);
        std::string bytes;
        put(std::span<const Vector3f>(rig.joint_m), bytes);
        put(std::span(rig.vertices), bytes);
        put(std::span(rig.triangles), bytes);
        put(std::span<const Side>(&rig.side, 1), bytes);
        return bytes;
    });
    std::string_view bytes = content;
    RiggedHand rig;
    std::vector<Vector3f> joint_m;
    std::vector<Side> side;
    if (!take(bytes, joint_m) || !take(bytes, rig.vertices) || !take(bytes, rig.triangles) || !take(bytes, side) ||
        joint_m.size() != kJointCount || side.size() != 1 || (side[0] != Side::left && side[0] != Side::right))
        fail(path, "the process that reads it returned no hand");
    std::ranges::copy(joint_m, rig.joint_m.begin());
    rig.side = side[0];
    return rig;
}

std::shared_ptr<const HandMeshes> load_hand_meshes(std::span<const std::filesystem::path> paths) {
    if (paths.empty()) return nullptr;
    auto meshes = std::make_shared<HandMeshes>();
    std::array<bool, 2> given{};
    for (const std::filesystem::path& path : paths) {
        const RiggedHand rig = read_rigged_hand_apart(path);
        const auto i = static_cast<std::size_t>(rig.side);
        if (given[i])
            fail(path, "this is a " + std::string(tracking::name_of(rig.side)) + " hand, and so was the one before");
        given[i] = true;
        try {
            meshes->skins[i] = skin_of_rig(rig);
        } catch (const std::runtime_error& error) {
            fail(path, error.what());
        }
    }
    for (const std::size_t i : {0U, 1U})
        if (!given[i]) meshes->skins[i] = mirrored(meshes->skins[1 - i]);
    return meshes;
}

}  // namespace glovebox::vr
