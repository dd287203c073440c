// Meshes from files, through Assimp.
#include <assimp/postprocess.h>
#include <assimp/scene.h>

#include <algorithm>
#include <assimp/Importer.hpp>
#include <fstream>
#include <iterator>
#include <optional>
#include <stdexcept>

#include "scenes/gltf_check.h"
#include "scenes/ply_check.h"
#include "scenes/scene.h"

namespace glovebox::scenes {
namespace {

void append(const aiScene& file, const aiNode& node, const aiMatrix4x4& file_from_parent, float unit_m,
            collision::Mesh& mesh) {
    const aiMatrix4x4 file_from_node = file_from_parent * node.mTransformation;
    for (unsigned m = 0; m < node.mNumMeshes; ++m) {
        const aiMesh& part = *file.mMeshes[node.mMeshes[m]];
        const auto first = static_cast<std::uint32_t>(mesh.vertices_m.size());
        for (unsigned i = 0; i < part.mNumVertices; ++i) {
            const aiVector3D vertex = file_from_node * part.mVertices[i];
            mesh.vertices_m.emplace_back(unit_m * vertex.x, unit_m * vertex.y, unit_m * vertex.z);
        }
        for (unsigned i = 0; i < part.mNumFaces; ++i) {
            const aiFace& face = part.mFaces[i];
            if (face.mNumIndices != 3) continue;  // points and lines bound nothing
            mesh.triangles.push_back({first + face.mIndices[0], first + face.mIndices[1], first + face.mIndices[2]});
        }
    }
    for (unsigned i = 0; i < node.mNumChildren; ++i) append(file, *node.mChildren[i], file_from_node, unit_m, mesh);
}

// OBJ files in the wild refer to texture coordinates that they do not have, and Assimp refuses them whole. Shape needs
// positions and faces only, so only those lines are passed on, faces with their first index each.
std::string obj_positions_and_faces(const std::filesystem::path& path) {
    std::ifstream in(path, std::ios::binary);
    std::string text;
    for (std::string line; std::getline(in, line);) {
        if (line.rfind("v ", 0) == 0 || line.rfind("v\t", 0) == 0) {
            // Assimp does not read ".5".
            for (std::size_t i = 0; i < line.size(); ++i) {
                const char before = i == 0 ? ' ' : line[i - 1];
                if (line[i] == '.' && (before < '0' || before > '9')) text += '0';
                text += line[i];
            }
            text += '\n';
        } else if (line.rfind("f ", 0) == 0 || line.rfind("f\t", 0) == 0) {
            bool in_index = true;
            for (const char c : line) {
                if (c == ' ' || c == '\t') in_index = true;
                if (c == '/') in_index = false;
                if (in_index && c != '\r') text += c;
            }
            text += '\n';
        }
    }
    return text;
}

bool has_area(const collision::Mesh& mesh, const std::array<std::uint32_t, 3>& triangle) {
    const Eigen::Vector3f& a = mesh.vertices_m[triangle[0]];
    return (mesh.vertices_m[triangle[1]] - a).cross(mesh.vertices_m[triangle[2]] - a).squaredNorm() > 0.0F;
}

}  // namespace

collision::Mesh load_mesh(const std::filesystem::path& path, float unit_m) {
    if (!std::filesystem::is_regular_file(path)) throw std::runtime_error(path.string() + ": no such mesh file");

    if (std::filesystem::file_size(path) == 0) throw std::runtime_error(path.string() + ": the file is empty");
    const std::optional<std::size_t> eaten_line_feed = check_ply(path);
    try {
        check_gltf(path);
    } catch (const std::invalid_argument& error) {
        throw std::runtime_error(path.string() + ": " + error.what());
    }
    // Only positions and topology: identical positions are joined, so that a closed surface is seen to be closed.
    Assimp::Importer importer;
    importer.SetPropertyInteger(AI_CONFIG_PP_RVC_FLAGS, aiComponent_NORMALS | aiComponent_TANGENTS_AND_BITANGENTS |
                                                            aiComponent_COLORS | aiComponent_TEXCOORDS |
                                                            aiComponent_BONEWEIGHTS | aiComponent_ANIMATIONS |
                                                            aiComponent_TEXTURES | aiComponent_LIGHTS |
                                                            aiComponent_CAMERAS | aiComponent_MATERIALS);
    constexpr unsigned kSteps = aiProcess_RemoveComponent | aiProcess_Triangulate | aiProcess_JoinIdenticalVertices;
    const aiScene* file = nullptr;
    if (path.extension() == ".obj" || path.extension() == ".OBJ") {
        const std::string text = obj_positions_and_faces(path);
        if (text.empty()) throw std::runtime_error(path.string() + ": no OBJ: no line of it is a vertex or a face");
        file = importer.ReadFileFromMemory(text.data(), text.size(), kSteps, "obj");
    } else if (eaten_line_feed) {
        std::ifstream in(path, std::ios::binary);
        std::string bytes((std::istreambuf_iterator<char>(in)), {});
        bytes.insert(*eaten_line_feed, 1, '\n');
        file = importer.ReadFileFromMemory(bytes.data(), bytes.size(), kSteps, "ply");
    } else {
        file = importer.ReadFile(path.string(), kSteps);
    }
    if (file == nullptr || file->mRootNode == nullptr)
        throw std::runtime_error(path.string() +
                                 ": not a readable OBJ, STL, PLY or glTF mesh: " + importer.GetErrorString());

    collision::Mesh mesh;
    append(*file, *file->mRootNode, aiMatrix4x4(), unit_m, mesh);
    try {
        check(mesh);
    } catch (const std::invalid_argument& error) {
        throw std::runtime_error(path.string() + ": " + error.what());
    }
    if (std::ranges::none_of(mesh.triangles, [&mesh](const auto& triangle) { return has_area(mesh, triangle); }))
        throw std::runtime_error(path.string() + ": mesh: every triangle has zero area; nothing could be touched");
    return mesh;
}

}  // namespace glovebox::scenes
