// Small mesh files for tests to corrupt, and the error messages that follow.
#pragma once

#include <fstream>
#include <nlohmann/json.hpp>
#include <string>

#include "scenes/scene.h"

namespace glovebox::hostile {

inline const std::string kTetrahedronObj = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 1 4 3\n";

/// Returns one triangle as glTF: 36 bytes of positions and 6 of indices in one base64 buffer.
inline nlohmann::json triangle_gltf() {
    return nlohmann::json::parse(R"({"asset":{"version":"2.0"},"scene":0,"scenes":[{"nodes":[0]}],"nodes":[{"mesh":0}],
        "meshes":[{"primitives":[{"attributes":{"POSITION":0},"indices":1}]}],
        "accessors":[{"bufferView":0,"componentType":5126,"count":3,"type":"VEC3"},
                     {"bufferView":1,"componentType":5123,"count":3,"type":"SCALAR"}],
        "bufferViews":[{"buffer":0,"byteLength":36},{"buffer":0,"byteOffset":36,"byteLength":6}],
        "buffers":[{"byteLength":42,"uri":"data:application/octet-stream;base64,AAAAAAAAAAAAAAAAAACAPwAAAAAAAAAAAAAAAAAAgD8AAAAAAAABAAIA"}]})");
}

inline std::filesystem::path written(const std::filesystem::path& path, const std::string& bytes) {
    std::ofstream(path, std::ios::binary) << bytes;
    return path;
}

/// Returns the reason why a mesh is refused; empty if it can be read.
inline std::string refusal(const std::filesystem::path& path, scenes::MeshLoader read = scenes::load_mesh) {
    try {
        read(path, 1.0F);
    } catch (const std::runtime_error& error) {
        return error.what();
    }
    return {};
}

}  // namespace glovebox::hostile
