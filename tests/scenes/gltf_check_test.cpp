// glTF files whose contents do not match their declarations. Each number of a valid file is falsified in turn.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "scenes/scene.h"
#include "tests/test_folder.h"

namespace glovebox::scenes {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

template <class T>
std::string bytes_of(std::initializer_list<T> values) {
    std::string bytes(values.size() * sizeof(T), '\0');
    std::memcpy(bytes.data(), values.begin(), bytes.size());
    return bytes;
}

// A tetrahedron: 48 bytes of positions, then 24 of indices.
const std::string kPositions = bytes_of<float>({0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1});
const std::string kCorners = bytes_of<std::uint16_t>({0, 2, 1, 0, 1, 3, 1, 2, 3, 0, 3, 2});

json tetrahedron() {
    return json::parse(R"({"asset":{"version":"2.0"},"scene":0,"scenes":[{"nodes":[0]}],"nodes":[{"mesh":0}],
        "meshes":[{"primitives":[{"attributes":{"POSITION":0},"indices":1}]}],
        "accessors":[{"bufferView":0,"componentType":5126,"count":4,"type":"VEC3","min":[0,0,0],"max":[1,1,1]},
                     {"bufferView":1,"componentType":5123,"count":12,"type":"SCALAR"}],
        "bufferViews":[{"buffer":0,"byteOffset":0,"byteLength":48},{"buffer":0,"byteOffset":48,"byteLength":24}],
        "buffers":[{"byteLength":72}]})");
}

// False values for the headers of a .glb file.
struct Lies {
    std::optional<std::uint32_t> total = std::nullopt, json_bytes = std::nullopt, buffer_bytes = std::nullopt;
};

std::string glb(const json& gltf, const std::string& buffer = kPositions + kCorners, const Lies& lies = {}) {
    std::string text = gltf.dump();
    text.resize((text.size() + 3) / 4 * 4, ' ');
    const auto size = [](const std::string& bytes) { return static_cast<std::uint32_t>(bytes.size()); };
    return "glTF" +
           bytes_of<std::uint32_t>(
               {2, lies.total.value_or(28 + size(text) + size(buffer)), lies.json_bytes.value_or(size(text))}) +
           "JSON" + text + bytes_of<std::uint32_t>({lies.buffer_bytes.value_or(size(buffer))}) +
           std::string("BIN\0", 4) + buffer;
}

class GltfFiles : public testing::Test {
  protected:
    fs::path write(const std::string& name, const std::string& bytes) const {
        std::ofstream(folder.path / name, std::ios::binary) << bytes;
        return folder.path / name;
    }
    // Returns the error message; empty if the file is a valid mesh.
    std::string refusal(const std::string& name, const std::string& bytes) const {
        try {
            load_mesh(write(name, bytes), 1.0F);
        } catch (const std::runtime_error& error) {
            return error.what();
        }
        return {};
    }

    const tests::TestFolder folder{"gltf"};
};

TEST_F(GltfFiles, ThatAreWholeAreRead) {
    EXPECT_EQ(load_mesh(write("whole.glb", glb(tetrahedron())), 1.0F).triangles.size(), 4U);
    json beside = tetrahedron();
    beside["buffers"][0]["uri"] = "beside.bin";
    write("beside.bin", kPositions + kCorners);
    EXPECT_EQ(load_mesh(write("whole.gltf", beside.dump()), 1.0F).triangles.size(), 4U);
    json without_corners = tetrahedron();
    without_corners["meshes"][0]["primitives"][0].erase("indices");
    without_corners["accessors"][0]["count"] = 3;
    EXPECT_EQ(load_mesh(write("soup.glb", glb(without_corners)), 1.0F).triangles.size(), 1U);
}

TEST_F(GltfFiles, CutAtAnyLengthAreRefused) {
    const std::string whole = glb(tetrahedron());
    for (std::size_t size = 1; size < whole.size(); size += 7)
        EXPECT_THAT(refusal("cut.glb", whole.substr(0, size)), testing::HasSubstr("cut.glb: ")) << size;
    json beside = tetrahedron();
    beside["buffers"][0]["uri"] = "cut.bin";
    write("cut.bin", kPositions);
    EXPECT_THAT(refusal("cut.gltf", beside.dump()), testing::HasSubstr("promises 72 bytes, but there are 48"));
}

TEST_F(GltfFiles, WhoseHeadersPromiseMoreThanThereIsAreRefusedBeforeAnythingIsAllocated) {
    const std::string buffer = kPositions + kCorners;
    const auto refused = [&](const Lies& lies) { return refusal("lying.glb", glb(tetrahedron(), buffer, lies)); };
    EXPECT_THAT(refused({.total = 0xffffffffU}), testing::HasSubstr("promises 4294967295 bytes"));
    EXPECT_THAT(refused({.json_bytes = 0xfffffff0U}), testing::HasSubstr("chunk 0"));
    EXPECT_THAT(refused({.buffer_bytes = 0xfffffff0U}), testing::HasSubstr("chunk 1"));
    EXPECT_THAT(refused({.total = 20}), testing::HasSubstr("chunk 0"));
    EXPECT_THAT(refused({.json_bytes = 40}), testing::HasSubstr("lying.glb: "));
    EXPECT_THAT(refused({.buffer_bytes = 8}), testing::HasSubstr("lying.glb: "));
}

TEST_F(GltfFiles, WithAnyCountSizeOrNumberThatLiesAreRefused) {
    const std::array<const char*, 10> places = {"/accessors/0/count",        "/accessors/1/count",
                                                "/accessors/0/byteOffset",   "/accessors/0/bufferView",
                                                "/bufferViews/0/byteLength", "/bufferViews/1/byteOffset",
                                                "/bufferViews/1/buffer",     "/buffers/0/byteLength",
                                                "/bufferViews/0/byteStride", "/meshes/0/primitives/0/indices"};
    for (const char* place : places)
        for (const json& lie : {json(1000), json(4000000000U), json(0xffffffffffffffffU), json(-1), json(1e300)}) {
            json gltf = tetrahedron();
            gltf[json::json_pointer(place)] = lie;
            EXPECT_THAT(refusal("lying.glb", glb(gltf)), testing::HasSubstr("lying.glb: ")) << place << ' ' << lie;
        }
    json nowhere = tetrahedron();
    nowhere["accessors"][0].erase("bufferView");
    nowhere["accessors"][0]["count"] = 4000000000U;
    EXPECT_THAT(refusal("lying.glb", glb(nowhere)), testing::HasSubstr("lying.glb: "));
}

TEST_F(GltfFiles, NestedWithoutEndAreRefusedBeforeTheStackEnds) {
    const std::string deep(1000000, '[');
    EXPECT_THAT(refusal("deep.gltf", deep), testing::HasSubstr("nested too deeply"));
    EXPECT_THAT(refusal("deep.gltf", "{\"a\":" + deep + std::string(deep.size(), ']') + "}"),
                testing::HasSubstr("nested too deeply"));
    json named = tetrahedron();
    named["nodes"][0]["name"] = "brackets in a name \"" + std::string(1000, '{');
    EXPECT_EQ(load_mesh(write("named.glb", glb(named)), 1.0F).triangles.size(), 4U);
}

TEST_F(GltfFiles, WithACornerThatDoesNotExistAreRefused) {
    const std::string corners = bytes_of<std::uint16_t>({0, 2, 1, 0, 1, 3, 1, 2, 3, 0, 3, 60000});
    EXPECT_THAT(refusal("corner.glb", glb(tetrahedron(), kPositions + corners)),
                testing::HasSubstr("a corner 60000, but there are 4 vertices"));
}

}  // namespace
}  // namespace glovebox::scenes
