#include "scenes/mesh_scene.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <stdexcept>

#include "collision/mesh/mesh_tree.h"

namespace glovebox::scenes {
namespace {

// Files in the test's own folder, with names that do not reveal their contents.
class MeshScene : public ::testing::Test {
  protected:
    void SetUp() override {
        const auto* info = ::testing::UnitTest::GetInstance()->current_test_info();
        folder_ = std::filesystem::path(::testing::TempDir()) / ("glovebox_mesh_scene_" + std::string(info->name()));
        std::filesystem::create_directories(folder_);
    }
    void TearDown() override { std::filesystem::remove_all(folder_); }

    std::filesystem::path written(const std::string& name, const std::string& content) {
        std::ofstream(folder_ / name, std::ios::binary) << content;
        return folder_ / name;
    }
    // A tetrahedron whose top is over (0.1, 0.2).
    static std::string tetrahedron(const std::string& height, const std::string& width = "1") {
        return "# a comment, and TOML's too\n\nv 0 0 0\nv " + width + " 0 0\nv 0 0 " + width + "\nv 0.1 " + height +
               " 0.2\nf 1 2 3\nf 1 4 2\nf 1 3 4\nf 2 4 3\n";
    }

    std::filesystem::path folder_;
};

TEST_F(MeshScene, IsToldByContent) {
    std::string stl(84 + 50, '\0');
    stl[80] = 1;
    EXPECT_TRUE(is_mesh_file(written("a", tetrahedron("0.2"))));
    EXPECT_TRUE(is_mesh_file(written("b", "mtllib x.mtl\no cup\n")));
    EXPECT_TRUE(is_mesh_file(written("c", "ply\nformat ascii 1.0\n")));
    EXPECT_TRUE(is_mesh_file(written("d", "glTF\x02")));
    EXPECT_FALSE(is_mesh_file("flick")) << "the name of a recording, or of what is not there";
    EXPECT_FALSE(is_mesh_file(std::filesystem::temp_directory_path())) << "a folder";
    EXPECT_TRUE(is_mesh_file(written("e", "{ \"asset\": {} }")));
    EXPECT_TRUE(is_mesh_file(written("f", "solid thing\n")));
    EXPECT_TRUE(is_mesh_file(written("tab", "solid\tthing\n")));
    EXPECT_TRUE(is_mesh_file(written("g", stl)));
    EXPECT_FALSE(is_mesh_file(written("h", stl + " ")));
    EXPECT_FALSE(is_mesh_file(written("i", "# a scene\nname = \"desk\"\n[[object]]\n")));
    EXPECT_FALSE(is_mesh_file(written("j", "g = 1\n")));
    EXPECT_FALSE(is_mesh_file(written("k", "")));
    EXPECT_FALSE(is_mesh_file(written("l", "solidity = 1\n")));
}

TEST_F(MeshScene, OtherKindsAreNamedWithWhatToDo) {
    const auto refusal = [&](const std::string& content) -> std::string {
        try {
            load_scene(written("thing", content).string());
        } catch (const std::runtime_error& error) {
            return error.what();
        }
        return {};
    };
    // One line of COLLADA has more points than a scene file may have.
    std::string collada = "\xEF\xBB\xBF<?xml version=\"1.0\"?>\n<COLLADA version=\"1.4.1\">\n";
    for (int i = 0; i < 2000; ++i) collada += "0.5 ";
    for (const auto& [content, kind] : {std::pair<std::string, const char*>{collada, "a COLLADA file"},
                                        {"<?xml version=\"1.0\"?>\n<X3D>", "an X3D file"},
                                        {"OFF\n4 4 0\n", "an OFF file"},
                                        {std::string("PK\x03\x04\0", 5), "an archive"},
                                        {"Kaydara FBX Binary  ", "an FBX file"},
                                        {"#VRML V2.0 utf8\n", "a VRML file"}})
        EXPECT_THAT(refusal(content),
                    testing::AllOf(testing::HasSubstr(kind), testing::HasSubstr("save the mesh as glTF")));
    const std::string pointer = "version https://git-lfs.github.com/spec/v1\noid sha256:18396\nsize 558106\n";
    EXPECT_THAT(refusal(pointer), testing::HasSubstr("git lfs pull"));
    EXPECT_THROW(load_mesh(written("cup.obj", pointer), 1.0F), std::runtime_error);
    EXPECT_THAT(refusal("<!DOCTYPE html><html>"), testing::HasSubstr("a web page"));
    EXPECT_THAT(refusal("<svg>"), testing::Not(testing::HasSubstr("this is")));
}

TEST_F(MeshScene, FingertipsAreLedToTheTopOfAThing) {
    const Scene scene = load_scene(written("thing.obj", tetrahedron("0.25")).string());
    EXPECT_EQ(scene.name, "thing");
    EXPECT_EQ(scene.placement, Placement::fingertips);
    EXPECT_EQ(scene.anchor_m, Eigen::Vector3f(0.1F, 0.25F, 0.2F));
    ASSERT_EQ(scene.objects.size(), 1U);
    EXPECT_EQ(scene.objects[0].motion, Motion::fixed);
    EXPECT_TRUE(std::get<collision::MeshInstance>(scene.objects[0].shape).tree->closed());
}

TEST_F(MeshScene, OfAFlatTopTheMiddleIsTheTop) {
    const Scene scene = load_scene(written("wedge.obj",
                                           "v 0 0 0\nv 0.4 0 0\nv 0.4 0.1 0\nv 0 0.1 0\nv 0 0.1 0.2\nv 0.4 0.1 0.2\n"
                                           "f 1 3 2\nf 1 4 3\nf 4 6 3\nf 4 5 6\nf 1 2 6\nf 1 6 5\nf 1 5 4\nf 2 3 6\n")
                                       .string());
    EXPECT_EQ(scene.anchor_m, Eigen::Vector3f(0.2F, 0.1F, 0.1F));
}

TEST_F(MeshScene, HandsAreWhereTheyWereInAPlace) {
    EXPECT_EQ(load_scene(written("room.obj", tetrahedron("2.5", "4")).string()).placement, Placement::recorded);
}

TEST_F(MeshScene, ARoomHasTheColourOfWallsUnlessItsAuthorSaysOtherwise) {
    const Eigen::Vector3f thing = SceneObject().color;
    const std::string room = written("room.obj", tetrahedron("0.9", "1.6")).string();
    const auto color_of = [&](const std::string& scene) { return load_scene(scene).objects.at(0).color; };
    EXPECT_EQ(color_of(written("thing.obj", tetrahedron("1.2", "1.4")).string()), thing);
    const Eigen::Vector3f wall = color_of(room);
    EXPECT_LT(wall.maxCoeff() - wall.minCoeff(), 0.05F) << "grey, or nearly";
    EXPECT_GT(wall.minCoeff(), 0.7F) << "light";
    const std::string object = "[[object]]\nname = 'r'\nshape = 'mesh'\nfile = 'room.obj'\n";
    EXPECT_EQ(color_of(written("plain.toml", object).string()), wall);
    EXPECT_EQ(color_of(written("red.toml", object + "color = '#FF0000'\n").string()), Eigen::Vector3f::UnitX());
    EXPECT_EQ(color_of(written("ball.toml", "[[object]]\nname = 'b'\nshape = 'ball'\nradius_m = 5\n").string()), thing);
}

TEST_F(MeshScene, WhatIsLargerThanARoomIsInMillimetres) {
    const Scene scene = load_scene(written("part.obj", tetrahedron("250", "80")).string());
    EXPECT_EQ(scene.placement, Placement::fingertips);
    EXPECT_NEAR(scene.anchor_m.y(), 0.25F, 1e-6F);
    EXPECT_NE(scene.summary.find("millimetres"), std::string::npos);
}

TEST_F(MeshScene, WhatIsBrokenIsRefusedWithTheFile) {
    const std::filesystem::path path = written("broken.ply", "ply\nformat ascii 1.0\n");
    try {
        load_scene(path.string());
        FAIL();
    } catch (const std::runtime_error& error) {
        EXPECT_NE(std::string(error.what()).find(path.string()), std::string::npos) << error.what();
    }
}

}  // namespace
}  // namespace glovebox::scenes
