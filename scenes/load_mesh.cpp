// Meshes from files, through Assimp.
#include <assimp/postprocess.h>
#include <assimp/scene.h>

#include <assimp/Importer.hpp>
#include <fstream>
#include <sstream>
#include <stdexcept>

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

// Assimp believes a PLY header: one without an end makes it wait for ever, one that lies makes it ask for all memory.
// So the header is read here first: it must end, and its counts must fit into the file.
void check_ply_header(const std::filesystem::path& path) {
    std::ifstream in(path, std::ios::binary);
    std::string line;
    std::getline(in, line);
    if (line.rfind("ply", 0) != 0) return;

    const auto fail = [&path](const std::string& reason) { throw std::runtime_error(path.string() + ": " + reason); };
    const std::uintmax_t file_bytes = std::filesystem::file_size(path);
    std::uintmax_t element_count = 0, needed_bytes = 0;
    for (int row = 2; std::getline(in, line); ++row) {
        std::istringstream words(line);
        std::string keyword, name;
        words >> keyword >> name;
        if (keyword == "end_header") return;
        if (keyword == "element" && !(words >> element_count))
            fail("line " + std::to_string(row) + " of the PLY header has no count");
        // A value takes at least one byte, in text a separator beside it.
        if (keyword == "property") needed_bytes += element_count;
        if (needed_bytes > file_bytes)
            fail("line " + std::to_string(row) +
                 " of the PLY header promises more than the file holds; it is cut short");
    }
    fail("the PLY header has no end; the file is cut short");
}

// OBJ files in the wild refer to texture coordinates that they do not have, and Assimp refuses them whole. Shape needs
// positions and faces only, so only those lines are passed on, faces with their first index each.
std::string obj_positions_and_faces(const std::filesystem::path& path) {
    std::ifstream in(path, std::ios::binary);
    std::string text;
    for (std::string line; std::getline(in, line);) {
        if (line.rfind("v ", 0) == 0 || line.rfind("v\t", 0) == 0) {
            text += line + '\n';
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

}  // namespace

collision::Mesh load_mesh(const std::filesystem::path& path, float unit_m) {
    if (!std::filesystem::is_regular_file(path)) throw std::runtime_error(path.string() + ": no such mesh file");

    check_ply_header(path);
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
        file = importer.ReadFileFromMemory(text.data(), text.size(), kSteps, "obj");
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
    return mesh;
}

}  // namespace glovebox::scenes
