// Loads meshes from files with Assimp.
#include <assimp/postprocess.h>
#include <assimp/scene.h>

#include <assimp/BaseImporter.h>
#include <algorithm>
#include <assimp/Importer.hpp>
#include <fstream>
#include <iterator>
#include <optional>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "scenes/assimp_importers.h"
#include "scenes/gltf_check.h"
#include "scenes/mesh_format.h"
#include "scenes/mesh_limits.h"
#include "scenes/ply_check.h"
#include "scenes/scene.h"
#include "tracking/quoted.h"

namespace glovebox::scenes {
namespace {

// Recursion is safe: only glTF files can nest nodes deeply, and their levels are checked before.
void append(const aiScene& file, const aiNode& node, const aiMatrix4x4& file_from_parent, float unit_m,
            std::uint64_t most, collision::Mesh& mesh) {
    const aiMatrix4x4 file_from_node = file_from_parent * node.mTransformation;
    for (unsigned m = 0; m < node.mNumMeshes; ++m) {
        const aiMesh& part = *file.mMeshes[node.mMeshes[m]];
        if (mesh.vertices_m.size() + part.mNumVertices > most || mesh.triangles.size() + part.mNumFaces > most)
            throw std::invalid_argument("places its meshes over and over, to more than " + std::to_string(most) +
                                        " vertices or triangles");
        const auto first = static_cast<std::uint32_t>(mesh.vertices_m.size());
        for (unsigned i = 0; i < part.mNumVertices; ++i) {
            const aiVector3D vertex = file_from_node * part.mVertices[i];
            mesh.vertices_m.emplace_back(unit_m * vertex.x, unit_m * vertex.y, unit_m * vertex.z);
        }
        for (unsigned i = 0; i < part.mNumFaces; ++i) {
            const aiFace& face = part.mFaces[i];
            if (face.mNumIndices != 3) continue;  // skip points and lines
            mesh.triangles.push_back({first + face.mIndices[0], first + face.mIndices[1], first + face.mIndices[2]});
        }
    }
    for (unsigned i = 0; i < node.mNumChildren; ++i)
        append(file, *node.mChildren[i], file_from_node, unit_m, most, mesh);
}

// Returns the positions and faces of an OBJ file. Many files refer to texture coordinates that they do not have, and
// Assimp refuses these. So only positions, without their colours, and faces, with only the first index of each corner,
// are passed on.
std::string obj_positions_and_faces(const std::filesystem::path& path) {
    std::ifstream in(path, std::ios::binary);
    std::string text;
    for (std::string line; std::getline(in, line);) {
        if (line.rfind("v ", 0) == 0 || line.rfind("v\t", 0) == 0) {
            // Four numbers are homogeneous coordinates; with more, the rest are colours.
            std::istringstream words(line);
            std::vector<std::string> numbers{std::istream_iterator<std::string>(words), {}};
            if (numbers.size() != 5) numbers.resize(std::min<std::size_t>(numbers.size(), 4));
            for (const std::string& number : numbers) {
                // Assimp does not read ".5".
                for (std::size_t i = 0; i < number.size(); ++i) {
                    const char before = i == 0 ? ' ' : number[i - 1];
                    if (number[i] == '.' && (before < '0' || before > '9')) text += '0';
                    text += number[i];
                }
                text += ' ';
            }
            text.back() = '\n';
        } else if (line.rfind("f ", 0) == 0 || line.rfind("f\t", 0) == 0) {
            bool in_index = true, in_space = false;
            std::uint64_t corners = 0;
            for (const char c : line) {
                const bool space = c == ' ' || c == '\t';
                if (space) in_index = true;
                if (c == '/') in_index = false;
                if (in_index && c != '\r') text += c;
                corners += !space && in_space ? 1 : 0;
                in_space = space;
            }
            if (corners > kMaxCorners)
                throw std::runtime_error(path.string() + ": a face has " + std::to_string(corners) +
                                         " corners; at most " + std::to_string(kMaxCorners) + " are read");
            text += '\n';
        }
    }
    return text;
}

std::string file_content(const std::filesystem::path& path) {
    std::ifstream in(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
}

// The bytes that Assimp reads. It opens no file; of glTF and OBJ it gets only the geometry.
struct Content {
    std::string bytes;
    const char* ending;  ///< tells Assimp the format
};
Content content_of(const std::filesystem::path& path, MeshFormat format) {
    switch (format) {
        case MeshFormat::obj: {
            Content content{obj_positions_and_faces(path), "obj"};
            if (content.bytes.empty())
                throw std::runtime_error(path.string() + ": no OBJ: no line of it is a vertex or a face");
            return content;
        }
        case MeshFormat::gltf:
            return {gltf_shape(path), "glb"};
        case MeshFormat::ply: {
            const std::optional<std::size_t> eaten_line_feed = check_ply(path);
            Content content{file_content(path), "ply"};
            if (eaten_line_feed) content.bytes.insert(*eaten_line_feed, 1, '\n');
            return content;
        }
        case MeshFormat::stl:
            break;
    }
    return {file_content(path), "stl"};
}

bool has_area(const collision::Mesh& mesh, const std::array<std::uint32_t, 3>& triangle) {
    const Eigen::Vector3f& a = mesh.vertices_m[triangle[0]];
    return (mesh.vertices_m[triangle[1]] - a).cross(mesh.vertices_m[triangle[2]] - a).squaredNorm() > 0.0F;
}

}  // namespace

void keep_importers_of(std::string_view ending, Assimp::Importer& importer) {
    for (std::size_t i = importer.GetImporterCount(); i-- > 0;) {
        std::istringstream endings(importer.GetImporterInfo(i)->mFileExtensions);
        if (std::find(std::istream_iterator<std::string>(endings), {}, ending) != std::istream_iterator<std::string>())
            continue;
        Assimp::BaseImporter* other = importer.GetImporter(i);
        importer.UnregisterLoader(other);
        delete other;  // the importer passes ownership
    }
}

collision::Mesh load_mesh(const std::filesystem::path& path, float unit_m) {
    if (!std::filesystem::exists(path)) throw std::runtime_error(path.string() + ": no such mesh file");
    if (!std::filesystem::is_regular_file(path)) throw std::runtime_error(path.string() + ": not a regular file");
    const std::uintmax_t file_bytes = std::filesystem::file_size(path);
    if (file_bytes == 0) throw std::runtime_error(path.string() + ": the file is empty");
    const std::optional<MeshFormat> format = mesh_format_of(path);
    const std::string kind = mesh_format_by_content(path) ? std::string() : other_kind_of_file(path);
    if (!kind.empty()) throw std::runtime_error(path.string() + ": this is " + kind);
    if (!format) throw std::runtime_error(path.string() + ": not a mesh: neither OBJ, STL, PLY nor glTF");
    collision::Mesh mesh;
    try {
        const Content content = content_of(path, *format);
        // Only positions and topology. Identical positions are merged, so that a closed surface is recognised as
        // closed.
        Assimp::Importer importer;
        keep_importers_of(content.ending, importer);
        importer.SetPropertyInteger(AI_CONFIG_PP_RVC_FLAGS, aiComponent_NORMALS | aiComponent_TANGENTS_AND_BITANGENTS |
                                                                aiComponent_COLORS | aiComponent_TEXCOORDS |
                                                                aiComponent_BONEWEIGHTS | aiComponent_ANIMATIONS |
                                                                aiComponent_TEXTURES | aiComponent_LIGHTS |
                                                                aiComponent_CAMERAS | aiComponent_MATERIALS);
        constexpr unsigned kSteps = aiProcess_RemoveComponent | aiProcess_Triangulate | aiProcess_JoinIdenticalVertices;
        const aiScene* file =
            importer.ReadFileFromMemory(content.bytes.data(), content.bytes.size(), kSteps, content.ending);
        if (file == nullptr || file->mRootNode == nullptr)
            throw std::invalid_argument("not a readable " + std::string(name_of(*format)) +
                                        " mesh: " + tracking::printable(importer.GetErrorString()));
        append(*file, *file->mRootNode, aiMatrix4x4(), unit_m, max_elements(content.bytes.size()), mesh);
        check(mesh);
    } catch (const std::invalid_argument& error) {
        throw std::runtime_error(path.string() + ": " + error.what());
    }
    if (std::ranges::none_of(mesh.triangles, [&mesh](const auto& triangle) { return has_area(mesh, triangle); }))
        throw std::runtime_error(path.string() + ": mesh: every triangle has zero area; nothing could be touched");
    return mesh;
}

}  // namespace glovebox::scenes
