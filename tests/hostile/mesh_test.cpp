// Mesh files with false declarations, with references elsewhere, or with excessive demands.
#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <csignal>
#include <string>

#include "tests/hostile/meshes.h"
#include "tests/vr/run_program.h"
#include "vr/platform/mesh_process.h"

namespace glovebox::hostile {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using testing::HasSubstr;
using vr::TestFolder;

TEST(HostileGltf, OfVersionOneIsRefused) {
    const TestFolder folder("gltf_version");
    EXPECT_EQ(refusal(written(folder.path / "good.gltf", triangle_gltf().dump())), "");
    // 400 indices in 6 bytes; files that declared version 1.0 were not checked for this.
    json gltf = triangle_gltf();
    gltf["asset"]["version"] = "1.0";
    gltf["accessors"][1]["count"] = 400;
    EXPECT_THAT(refusal(written(folder.path / "old.gltf", gltf.dump())),
                HasSubstr("is of glTF version 1.0; 2.0 is read"));
    for (const json& version : {json(), json(2), json("3.0"), json::object()}) {
        gltf["asset"]["version"] = version;
        EXPECT_THAT(refusal(written(folder.path / "other.gltf", gltf.dump())), HasSubstr("glTF version")) << version;
    }
    gltf = triangle_gltf();
    gltf["accessors"][0]["byteOffset"] = 4000000000U;
    EXPECT_THAT(refusal(written(folder.path / "offset.gltf", gltf.dump())),
                HasSubstr("more than its buffer view holds"));
}

TEST(HostileGltf, UnderAnyNameIsCheckedAllTheSame) {
    const TestFolder folder("gltf_names");
    json gltf = triangle_gltf();
    gltf["accessors"][1]["count"] = 400;
    for (const char* name : {"a.stl", "a.obj", "a.ply", "a", "a.dae"})
        EXPECT_THAT(refusal(written(folder.path / name, gltf.dump())), HasSubstr("counts 400")) << name;
}

TEST(HostileGltf, ChainsOfNodesEndBeforeTheStackDoes) {
    const TestFolder folder("gltf_chain");
    const auto chain = [&](int nodes) {
        json gltf = triangle_gltf();
        for (int i = 0; i + 1 < nodes; ++i) gltf["nodes"][static_cast<std::size_t>(i)]["children"] = {i + 1};
        if (nodes > 1) gltf["nodes"][static_cast<std::size_t>(nodes - 1)] = json::object();
        return refusal(written(folder.path / "chain.gltf", gltf.dump()));
    };
    EXPECT_EQ(chain(1), "");
    EXPECT_THAT(chain(30000), HasSubstr("below more than 500 others"));
}

TEST(HostileGltf, NodesThatAreNoTreeAreRefused) {
    const TestFolder folder("gltf_nodes");
    const auto refused = [&](const char* nodes, const char* roots) {
        json gltf = triangle_gltf();
        gltf["nodes"] = json::parse(nodes);
        gltf["scenes"][0]["nodes"] = json::parse(roots);
        return refusal(written(folder.path / "nodes.gltf", gltf.dump()));
    };
    EXPECT_EQ(refused(R"([{"children":[1,2]},{"mesh":0},{"mesh":0}])", "[0]"), "");
    EXPECT_THAT(refused(R"([{"children":[1,1]},{"mesh":0}])", "[0]"), HasSubstr("child of two nodes"));
    EXPECT_THAT(refused(R"([{"children":[1]},{"mesh":0,"children":[0]}])", "[0]"), HasSubstr("below themselves"));
    EXPECT_THAT(refused(R"([{"mesh":0,"children":[0]}])", "[0]"), HasSubstr("below themselves"));
    EXPECT_THAT(refused(R"([{"mesh":0}])", "[0,0]"), HasSubstr("twice"));
    EXPECT_THAT(refused(R"([{"mesh":7}])", "[0]"), HasSubstr("mesh is named that there is not"));
    EXPECT_THAT(refused(R"([{"mesh":-1}])", "[0]"), HasSubstr("mesh is named that there is not"));
    EXPECT_THAT(refused(R"([{"mesh":0,"children":["a"]}])", "[0]"), HasSubstr("node is named that there is not"));
}

// A file of 600 kB that would expand to 4 * 10^8 triangles.
TEST(HostileGltf, MeshesPlacedOverAndOverAreRefusedInTimeAndMemory) {
    const TestFolder folder("gltf_repeats");
    json gltf = triangle_gltf();
    const std::size_t corners = 30000;
    std::string base64;
    for (std::size_t i = 0; i < corners / 3; ++i) base64 += "AAABAAIA";
    gltf["buffers"].push_back({{"byteLength", 2 * corners}, {"uri", "data:;base64," + base64}});
    gltf["bufferViews"].push_back({{"buffer", 1}, {"byteLength", 2 * corners}});
    gltf["accessors"][1] = {{"bufferView", 2}, {"componentType", 5123}, {"count", corners}, {"type", "SCALAR"}};
    EXPECT_EQ(refusal(written(folder.path / "once.gltf", gltf.dump())), "");
    json placed = gltf;
    placed["nodes"] = json::array();
    placed["scenes"][0]["nodes"] = json::array();
    for (int i = 0; i < 40000; ++i) {
        placed["nodes"].push_back({{"mesh", 0}});
        placed["scenes"][0]["nodes"].push_back(i);
    }
    EXPECT_THAT(refusal(written(folder.path / "placed.gltf", placed.dump())), HasSubstr("over and over"));
    json shared = gltf;
    for (int i = 0; i < 5000; ++i) shared["meshes"][0]["primitives"].push_back(gltf["meshes"][0]["primitives"][0]);
    EXPECT_THAT(refusal(written(folder.path / "shared.gltf", shared.dump())), HasSubstr("over and over"));
}

TEST(HostileGltf, BuffersStayInTheMeshsFolder) {
    const TestFolder folder("gltf_uri");
    const fs::path inside = folder.path / "mesh";
    fs::create_directories(inside / "parts");
    const std::string bytes = std::string(24, '\1') + std::string(12, '\2') + std::string("\0\0\1\0\2\0", 6);
    written(folder.path / "outside.bin", bytes);
    written(inside / "beside.bin", bytes);
    written(inside / "parts" / "below.bin", bytes);
    fs::create_symlink(folder.path / "outside.bin", inside / "link.bin");
    fs::create_directory(inside / "folder.bin");
    const auto refused = [&](const std::string& uri) {
        json gltf = triangle_gltf();
        gltf["buffers"][0]["uri"] = uri;
        const std::string reason = refusal(written(inside / "mesh.gltf", gltf.dump()));
        EXPECT_THAT(reason, testing::Not(HasSubstr("root:")));
        return reason;
    };
    EXPECT_THAT(refused("beside.bin"), testing::Not(HasSubstr("buffer")));
    EXPECT_THAT(refused("parts/../parts/below.bin"), testing::Not(HasSubstr("buffer")));
    for (const std::string uri : {"../outside.bin", "link.bin", "/etc/passwd", "parts/../../outside.bin", "..", "/"})
        EXPECT_THAT(refused(uri), HasSubstr("outside the mesh's folder")) << uri;
    for (const std::string uri : {"none.bin", "folder.bin", "."})
        EXPECT_THAT(refused(uri), HasSubstr("no regular file")) << uri;
    // A relative name, which depends on the current folder.
    const fs::path before = fs::current_path();
    fs::current_path(inside);
    json gltf = triangle_gltf();
    gltf["buffers"][0]["uri"] = "../outside.bin";
    written("mesh.gltf", gltf.dump());
    EXPECT_THAT(refusal("mesh.gltf"), HasSubstr("outside the mesh's folder"));
    fs::current_path(before);
}

// Each pipe would wait forever for a writer.
TEST(HostilePipes, AsMeshOrBufferAreRefusedAtOnce) {
    const TestFolder folder("pipes");
    ASSERT_EQ(::mkfifo((folder.path / "pipe").c_str(), 0600), 0);
    ASSERT_EQ(::mkfifo((folder.path / "pipe.obj").c_str(), 0600), 0);
    json gltf = triangle_gltf();
    gltf["buffers"][0]["uri"] = "pipe";
    EXPECT_THAT(refusal(written(folder.path / "a.gltf", gltf.dump())), HasSubstr("no regular file"));
    EXPECT_THAT(refusal(folder.path / "pipe.obj"), HasSubstr("not a regular file"));
    EXPECT_THAT(refusal("/dev/zero"), HasSubstr("not a regular file"));
}

// Formats that Assimp reads but the project does not support.
TEST(HostileMeshes, OfOtherFormatsAreRefusedUnderEveryName) {
    const TestFolder folder("formats");
    const std::string collada =
        "<?xml version=\"1.0\"?><COLLADA xmlns=\"http://www.collada.org/2005/11/COLLADASchema\" version=\"1.4.1\">"
        "<library_geometries><geometry id=\"g\"><mesh><source id=\"p\"><float_array id=\"a\" count=\"9\">0 0 0 1 0 0 0 "
        "1 "
        "0</float_array><technique_common><accessor source=\"#a\" count=\"3\" stride=\"3\"><param name=\"X\" "
        "type=\"float\"/><param name=\"Y\" type=\"float\"/><param name=\"Z\" type=\"float\"/></accessor>"
        "</technique_common></source><vertices id=\"v\"><input semantic=\"POSITION\" source=\"#p\"/></vertices>"
        "<triangles count=\"1\"><input semantic=\"VERTEX\" source=\"#v\" offset=\"0\"/><p>0 1 2</p></triangles></mesh>"
        "</geometry></library_geometries><library_visual_scenes><visual_scene id=\"s\"><node><instance_geometry "
        "url=\"#g\"/></node></visual_scene></library_visual_scenes><scene><instance_visual_scene url=\"#s\"/></scene>"
        "</COLLADA>";
    const std::string off = "OFF\n3 1 0\n0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n";
    for (const std::string& content : {collada, off, std::string("0 0 0 1 0 0 0 1 0\n")})
        for (const char* name : {"a.dae", "a.off", "a.raw", "a.obj", "a.stl", "a.ply", "a.glb", "a.gltf", "a"})
            EXPECT_NE(refusal(written(folder.path / name, content)), "") << name << ": " << content.substr(0, 40);
}

TEST(HostileMeshes, ThatAreNoMeshShowNothingOfTheFile) {
    const TestFolder folder("secret");
    const std::string secret = "topsecret:x:0:0:topsecret:/root\n";
    for (const char* name : {"secret", "secret.obj", "secret.stl", "secret.ply", "secret.glb", "secret.gltf"}) {
        const std::string reason = refusal(written(folder.path / name, secret));
        EXPECT_THAT(reason, HasSubstr(name));
        EXPECT_THAT(reason, testing::Not(HasSubstr("top"))) << name;
        EXPECT_THAT(reason, testing::Not(HasSubstr("root"))) << name;
    }
}

TEST(HostileMeshes, WithFacesOfVeryManyCornersAreRefused) {
    const TestFolder folder("corners");
    std::string obj = "v 0 0 0\nv 1 0 0\nv 0 1 0\nf";
    for (int i = 0; i < 400000; ++i) obj += " " + std::to_string(1 + i % 3);
    EXPECT_THAT(refusal(written(folder.path / "round.obj", obj + "\n")), HasSubstr("corners"));
    std::string ply =
        "ply\nformat ascii 1.0\nelement vertex 3\nproperty float x\nproperty float y\nproperty float z\n"
        "element face 1\nproperty list uint int vertex_indices\nend_header\n0 0 0\n1 0 0\n0 1 0\n400000";
    for (int i = 0; i < 400000; ++i) ply += " " + std::to_string(i % 3);
    EXPECT_THAT(refusal(written(folder.path / "round.ply", ply + "\n")), HasSubstr("corners"));
    EXPECT_THAT(
        refusal(written(folder.path / "empty.ply", "ply\nformat ascii 1.0\nelement vertex 4000000000\nend_header\n")),
        HasSubstr("promises more"));
    EXPECT_THAT(refusal(written(folder.path / "twice.ply",
                                "ply\nformat ascii 1.0\nelement vertex 1\nproperty float x\nelement vertex 9\nproperty "
                                "float x\nend_header\n0\n0\n0\n0\n0\n0\n0\n0\n0\n0\n")),
                HasSubstr("again"));
    // Some vertices have colours and others do not.
    EXPECT_EQ(refusal(written(folder.path / "colours.obj", "v 0 0 0 1 1 1\nv 1 0 0\nv 0 1 0\nf 1 2 3\n")), "");
}

TEST(MeshProcess, ReadsWhatLoadMeshReadsAndSaysWhatItSays) {
    const TestFolder folder("apart");
    const fs::path mesh = written(folder.path / "a.obj", kTetrahedronObj);
    const collision::Mesh here = scenes::load_mesh(mesh, 0.5F), apart = vr::load_mesh_apart(mesh, 0.5F);
    ASSERT_EQ(here.vertices_m.size(), apart.vertices_m.size());
    for (std::size_t i = 0; i < here.vertices_m.size(); ++i) EXPECT_EQ(here.vertices_m[i], apart.vertices_m[i]);
    EXPECT_EQ(here.triangles, apart.triangles);
    for (const fs::path& bad : {folder.path / "none.obj", written(folder.path / "empty.obj", ""),
                                written(folder.path / "index.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 9\n")}) {
        EXPECT_NE(refusal(bad), "");
        EXPECT_EQ(refusal(bad, vr::load_mesh_apart), refusal(bad));
    }
}

// A reader that crashes or hangs does not affect the session. This test's child process is ended by signals.
TEST(MeshProcess, ThatEndsOrHangsIsOneLine) {
    const TestFolder folder("broken");
    const fs::path mesh = written(folder.path / "a.obj", kTetrahedronObj);
    EXPECT_THAT(refusal(
                    mesh,
                    +[](const fs::path& path, float) -> collision::Mesh {
                        return vr::load_mesh_apart(path, 1.0F, [](const fs::path&, float) -> collision::Mesh {
                            std::raise(SIGSEGV);
                            return {};
                        });
                    }),
                HasSubstr("a.obj: cannot be read: the process that reads it ended (signal 11"));
    EXPECT_THAT(refusal(
                    mesh,
                    +[](const fs::path& path, float) -> collision::Mesh {
                        return vr::load_mesh_apart(
                            path, 1.0F, [](const fs::path&, float) -> collision::Mesh { throw std::bad_alloc(); });
                    }),
                HasSubstr("too much memory"));
    EXPECT_THAT(refusal(
                    mesh,
                    +[](const fs::path& path, float) -> collision::Mesh {
                        return vr::load_mesh_apart(path, 1.0F, [](const fs::path&, float) -> collision::Mesh {
                            std::raise(SIGXCPU);
                            return {};
                        });
                    }),
                HasSubstr("too long"));
    // Indices of a mesh that were not checked.
    EXPECT_THAT(refusal(
                    mesh,
                    +[](const fs::path& path, float) -> collision::Mesh {
                        return vr::load_mesh_apart(path, 1.0F, [](const fs::path&, float) {
                            return collision::Mesh{{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, {{0, 1, 77}}};
                        });
                    }),
                HasSubstr("a.obj: "));
}

TEST(MeshProcess, WritesNoFileAndHoldsNoneOfOurs) {
    const TestFolder folder("closed");
    const fs::path mesh = written(folder.path / "a.obj", kTetrahedronObj);
    const int ours = ::dup(STDERR_FILENO);
    ASSERT_GT(ours, 2);
    static int held;
    static fs::path file;
    held = ours;
    file = folder.path / "written";
    EXPECT_EQ(refusal(
                  mesh,
                  +[](const fs::path& path, float) -> collision::Mesh {
                      return vr::load_mesh_apart(path, 1.0F, [](const fs::path&, float) -> collision::Mesh {
                          std::string said = ::fcntl(held, F_GETFD) < 0 ? "closed" : "open";
                          ::signal(SIGXFSZ, SIG_IGN);
                          std::ofstream(file) << "bytes" << std::flush;
                          throw std::runtime_error(said);
                      });
                  }),
              "closed");
    EXPECT_EQ(fs::exists(file) ? fs::file_size(file) : 0U, 0U);
    ::close(ours);
}

}  // namespace
}  // namespace glovebox::hostile
