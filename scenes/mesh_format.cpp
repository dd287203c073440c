#include "scenes/mesh_format.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <fstream>
#include <string>

namespace glovebox::scenes {
namespace {

// A binary STL has a header of 80 arbitrary bytes, the number of triangles, and 50 bytes for each.
bool is_binary_stl(std::ifstream& in, std::uintmax_t bytes) {
    std::uint32_t triangles = 0;
    in.seekg(80);
    in.read(reinterpret_cast<char*>(&triangles), sizeof(triangles));
    return in.good() && bytes == 84 + std::uintmax_t{50} * triangles;
}

bool is_obj(std::ifstream& in) {
    in.seekg(0);
    for (std::string line; std::getline(in, line);) {
        const std::size_t begin = line.find_first_not_of(" \t\r");
        if (begin == std::string::npos || line[begin] == '#') continue;
        const std::string word = line.substr(begin, line.find_first_of(" \t\r", begin) - begin);
        for (const char* known : {"v", "vn", "vt", "o", "g", "s", "f", "mtllib", "usemtl"})
            // "g = 1" is TOML.
            if (word == known) return line.find('=') == std::string::npos;
        return false;
    }
    return false;
}

// Recordings and reports are JSON too. Every glTF with a mesh has one of these keys near its beginning.
bool is_gltf_json(std::ifstream& in) {
    std::string head(65536, ' ');
    in.clear();
    in.seekg(0);
    in.read(head.data(), static_cast<std::streamsize>(head.size()));
    for (const char* name : {"\"asset\"", "\"accessors\"", "\"bufferViews\"", "\"meshes\""})
        if (head.find(name) != std::string::npos) return true;
    return false;
}

struct Row {
    MeshFormat format;
    std::string_view name;
    std::array<std::string_view, 2> endings;
};
constexpr std::array<Row, 4> kFormats = {{{MeshFormat::obj, "OBJ", {".obj", {}}},
                                          {MeshFormat::stl, "STL", {".stl", {}}},
                                          {MeshFormat::ply, "PLY", {".ply", {}}},
                                          {MeshFormat::gltf, "glTF", {".gltf", ".glb"}}}};

constexpr std::string_view kSaveMesh =
    ", which is not read; save the mesh as glTF (.glb), OBJ, STL or PLY, in Blender with File, Export";
struct OtherKind {
    std::string_view start;   // of the file
    std::string_view inside;  // in its first bytes, if they do not tell
    std::string_view name, advice = kSaveMesh;
};
constexpr std::array<OtherKind, 16> kOtherKinds = {
    {{"<", "<COLLADA", "a COLLADA file"},
     {"<", "<X3D", "an X3D file"},
     {"<", "<amf", "an AMF file"},
     {"<", "<html", "a web page", ", perhaps of an error; download the file itself"},
     {"OFF", {}, "an OFF file"},
     {"COFF", {}, "an OFF file"},
     {"NOFF", {}, "an OFF file"},
     {"PK\x03\x04", {}, "an archive, as 3MF and USDZ are"},
     {"Kaydara FBX", {}, "an FBX file"},
     {"; FBX", {}, "an FBX file"},
     {"BLENDER", {}, "a Blender file"},
     {"#usda", {}, "a USD file"},
     {"PXR-USDC", {}, "a USD file"},
     {"#VRML", {}, "a VRML file"},
     {"ISO-10303-21", {}, "a STEP file"},
     {"version https://git-lfs", {}, "a pointer of Git LFS", "; get the file itself with `git lfs pull`"}}};

}  // namespace

std::string_view name_of(MeshFormat format) {
    return std::ranges::find(kFormats, format, &Row::format)->name;
}

std::optional<MeshFormat> mesh_format_by_content(const std::filesystem::path& path) {
    std::ifstream in(path, std::ios::binary);
    std::array<char, 6> begin{};
    in.read(begin.data(), begin.size());
    const std::string_view start(begin.data(), static_cast<std::size_t>(in.gcount()));
    if (start.starts_with("ply\n") || start.starts_with("ply\r")) return MeshFormat::ply;
    if (start.starts_with("glTF") || (start.starts_with("{") && is_gltf_json(in))) return MeshFormat::gltf;
    if (start.starts_with("solid ") || start.starts_with("solid\t")) return MeshFormat::stl;
    in.clear();
    if (is_binary_stl(in, std::filesystem::file_size(path))) return MeshFormat::stl;
    in.clear();
    if (is_obj(in)) return MeshFormat::obj;
    return {};
}

std::optional<MeshFormat> mesh_format_of(const std::filesystem::path& path) {
    if (const auto format = mesh_format_by_content(path)) return format;
    std::string ending = path.extension().string();
    std::ranges::transform(ending, ending.begin(),
                           [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; });
    for (const Row& row : kFormats)
        for (const std::string_view known : row.endings)
            if (!ending.empty() && ending == known) return row.format;
    return {};
}

std::string other_kind_of_file(const std::filesystem::path& path) {
    std::string head(4096, ' ');
    std::ifstream in(path, std::ios::binary);
    in.read(head.data(), static_cast<std::streamsize>(head.size()));
    head.resize(static_cast<std::size_t>(in.gcount()));
    const std::string_view text = std::string_view(head).substr(head.starts_with("\xEF\xBB\xBF") ? 3 : 0);
    for (const OtherKind& kind : kOtherKinds)
        if (text.starts_with(kind.start) && text.find(kind.inside) != std::string_view::npos)
            return std::string(kind.name).append(kind.advice);
    return {};
}

}  // namespace glovebox::scenes
