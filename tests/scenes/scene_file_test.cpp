#include "scenes/scene_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <set>
#include <string>

#include "collision/mesh/mesh_tree.h"

namespace glovebox::scenes {
namespace {

using ::testing::HasSubstr;

// A scene file, and a mesh beside it, in the test's own folder.
class SceneFile : public ::testing::Test {
  protected:
    void SetUp() override {
        const auto* info = ::testing::UnitTest::GetInstance()->current_test_info();
        folder_ = std::filesystem::path(::testing::TempDir()) / ("glovebox_scene_file_" + std::string(info->name()));
        std::filesystem::create_directories(folder_);
        std::ofstream(folder_ / "tetra.obj")
            << "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n";
    }
    void TearDown() override { std::filesystem::remove_all(folder_); }

    Scene read(const std::string& text) {
        std::ofstream(folder_ / "scene.toml") << text;
        return read_scene_file(folder_ / "scene.toml");
    }
    std::string error_of(const std::string& text) {
        try {
            read(text);
        } catch (const std::runtime_error& error) {
            return error.what();
        }
        return "no error";
    }

    std::filesystem::path folder_;
};

TEST_F(SceneFile, HoldsWhatWasWritten) {
    setenv("GLOVEBOX_TEST_FOLDER", folder_.c_str(), 1);
    const Scene scene = read(R"(
        name = "a test"  # with a comment
        [thresholds]
        touch_enter_m = 0.002
        dwell_ms = 50
        [hand]
        placement = "recorded"
        tip_length_m = [0.02, 0.02, 0.02, 0.02, 0.01]
        [[object]]
        name = "ball"
        shape = "ball"
        radius_m = 0.04
        motion = "dynamic"
        mass_kg = 0.2
        position_m = [0.1, 0.2, 0.3]
        turn_deg = [0, 90, 0]
        color = "#FF0000"
        material = { friction_static = 0.9 }
        [[object]]
        name = "tetra"
        shape = "mesh"
        file = "$GLOVEBOX_TEST_FOLDER/tetra.obj"
        unit_m = 0.1
    )");
    EXPECT_EQ(scene.name, "a test");
    EXPECT_FLOAT_EQ(scene.thresholds.touch_enter_m, 0.002F);
    EXPECT_EQ(scene.thresholds.dwell_ns, 50'000'000);
    EXPECT_EQ(scene.placement, Placement::recorded);
    EXPECT_FLOAT_EQ(scene.tip_length_m[4], 0.01F);
    ASSERT_EQ(scene.objects.size(), 2U);
    EXPECT_EQ(scene.objects[0].motion, Motion::dynamic);
    EXPECT_FLOAT_EQ(scene.objects[0].mass_kg, 0.2F);
    EXPECT_FLOAT_EQ(scene.objects[0].material.friction_static, 0.9F);
    EXPECT_TRUE(scene.objects[0].color.isApprox(Eigen::Vector3f(1, 0, 0)));
    EXPECT_TRUE(
        (scene.objects[0].world_from_object * Eigen::Vector3f(0, 0, 1)).isApprox(Eigen::Vector3f(1.1F, 0.2F, 0.3F)));
    const auto& mesh = std::get<collision::MeshInstance>(scene.objects[1].shape).tree->mesh();
    EXPECT_EQ(mesh.triangles.size(), 4U);
    EXPECT_FLOAT_EQ(
        mesh.vertices_m[1].norm() + mesh.vertices_m[2].norm() + mesh.vertices_m[3].norm() + mesh.vertices_m[0].norm(),
        0.3F);
}

TEST_F(SceneFile, JointsHaveTheirLimitsInTheirUnits) {
    const Scene scene = read(R"(
        [[object]]
        name = "lid"
        shape = "box"
        motion = "dynamic"
        joint = { kind = "hinge", axis = [2, 0, 0], pivot_m = [0, 0, 0.05], lowest_deg = -90, highest_deg = 0, damping = 0.1 }
        [[object]]
        name = "drawer"
        shape = "box"
        motion = "dynamic"
        joint = { kind = "slider", axis = [0, 0, 1], highest_m = 0.3, spring = 20 }
    )");
    const ObjectJoint &lid = scene.objects[0].joint, &drawer = scene.objects[1].joint;
    EXPECT_EQ(lid.kind, JointKind::hinge);
    EXPECT_TRUE(lid.axis.isApprox(Eigen::Vector3f::UnitX()));
    EXPECT_FLOAT_EQ(lid.pivot_m.z(), 0.05F);
    EXPECT_NEAR(lid.lowest, -1.5707963F, 1e-6F);
    EXPECT_FLOAT_EQ(lid.damping, 0.1F);
    EXPECT_EQ(drawer.kind, JointKind::slider);
    EXPECT_FLOAT_EQ(drawer.highest, 0.3F);
    EXPECT_FLOAT_EQ(drawer.lowest, 0.0F);
    EXPECT_FLOAT_EQ(drawer.spring, 20.0F);
}

TEST_F(SceneFile, GrabPosesAndTheirReachAreRead) {
    const Scene scene = read(R"(
        [thresholds]
        distance_grab_m = 1.5
        [[object]]
        name = "cup"
        motion = "dynamic"
        [[object.grab_pose]]
        hand = "left"
        palm_m = [0.1, 0.2, 0.3]
        palm_quaternion = [0, 0.7071068, 0, 0.7071068]
        [[object.grab_pose]]
        [[object]]
        name = "ball"
    )");
    EXPECT_FLOAT_EQ(scene.thresholds.distance_grab_m, 1.5F);
    ASSERT_EQ(scene.objects[0].grab_poses.size(), 2U);
    const GrabPose& pose = scene.objects[0].grab_poses[0];
    EXPECT_EQ(pose.side, tracking::Side::left);
    // A quarter turn about y takes the palm's z to the object's x.
    EXPECT_TRUE((pose.object_from_palm * Eigen::Vector3f(0, 0, 1)).isApprox(Eigen::Vector3f(1.1F, 0.2F, 0.3F)));
    EXPECT_EQ(scene.objects[0].grab_poses[1].side, tracking::Side::right);
    EXPECT_TRUE(scene.objects[1].grab_poses.empty());
}

TEST_F(SceneFile, FaultsNameTheLine) {
    const std::string object = "[[object]]\nname = \"ball\"\nshape = \"ball\"\n";
    struct Case {
        std::string text, expected;
    };
    const std::array cases = {
        Case{"name = \"a\"\nname = \"b\"\n", ":2: "},
        Case{"name = na\n", "saw 'na\\n'"},  // the parser quotes the line's end
        Case{"", "at least one [[object]]"},
        Case{object + "radius = 0.1\n", ":4: unknown key 'radius'; known here: color"},
        Case{object + "radius_m = \"big\"\n", ":4: 'radius_m' must be a number"},
        Case{object + "radius_m = -1\n", ":4: 'radius_m' must be between"},
        Case{object + "radius_m = nan\n", ":4: 'radius_m' must be between"},
        Case{object + "position_m = [1, 2]\n", ":4: 'position_m' must be 3 numbers"},
        Case{object + "shape = \"cone\"\n", ":4: "},
        Case{"[[object]]\nname = \"x\"\nshape = \"cone\"\n",
             ":3: 'shape' is 'cone' but must be one of ball, box, capsule, mesh"},
        Case{"[[object]]\nshape = \"ball\"\n", ":1: an object needs a 'name'"},
        Case{"[[object]]\nname = \"  \"\nshape = \"ball\"\n", ":1: an object needs a 'name'"},
        Case{"name = \" \"\n" + object, ":1: 'name' is blank"},
        Case{"[[object]]\nname = \"x\\ny\"\nshape = \"ball\"\n", ":2: an object's 'name' is one line"},
        Case{object + object, ":4: two objects are named 'ball': give this one another name"},
        Case{object + "color = \"red\"\n", ":4: 'color' must look like"},
        // Found by fuzzing: values of several lines, and escape codes, in an error's one line.
        Case{object + "motion = \"\"\"fixed\nof\\u001b[31m\"\"\"\n", "'motion' is 'fixed\\nof\\x1b[31m' but must be"},
        Case{"[[object]]\nname = \"m\"\nshape = \"mesh\"\nfile = \"\"\"a\nb.obj\"\"\"\n",
             "a\\nb.obj: no such mesh file"},
        Case{object + "\"ra\\ndius\" = 1\n", ":4: unknown key 'ra\\ndius'"},
        Case{object + "motion = \"recorded\"\n", "motion \"recorded\" and 'track' go together"},
        Case{object + "[thresholds]\ntouch_enter_m = 0.01\ntouch_exit_m = 0.001\n",
             "touch_enter_m must not be above touch_exit_m"},
        Case{object + "[thresholds]\ntouch_enter_m = 0.002\nhover_enter_m = 0.001\n",
             "touch_enter_m must not be above hover_enter_m"},
        Case{object + "[object.joint]\nkind = \"hinge\"\n", ":4: object 'ball': only dynamic objects have a joint"},
        Case{object + "motion = \"dynamic\"\n[object.joint]\naxis = [0, 1, 0]\n", ":5: a joint needs a 'kind'"},
        Case{object + "motion = \"dynamic\"\n[object.joint]\nkind = \"slider\"\n", "needs 'lowest_m' or 'highest_m'"},
        Case{object + "motion = \"dynamic\"\n[object.joint]\nkind = \"hinge\"\naxis = [0, 0, 0]\n",
             ":7: 'axis' must not be zero"},
        Case{object + "[[object.grab_pose]]\nhand = \"left\"\n",
             ":4: object 'ball': only dynamic objects without a joint have grab poses"},
        Case{object + "motion = \"dynamic\"\ngrab_pose = 3\n", ":5: grab poses are written as [[object.grab_pose]]"},
        Case{object + "motion = \"dynamic\"\n[[object.grab_pose]]\nhand = \"both\"\n",
             ":6: 'hand' is 'both' but must be one of left, right"},
        Case{object + "motion = \"dynamic\"\n[[object.grab_pose]]\npalm_quaternion = [0, 0, 0, 0.5]\n",
             ":6: 'palm_quaternion' must have length 1"},
        Case{object + "motion = \"dynamic\"\n[[object.grab_pose]]\nfinger = 1\n", ":6: unknown key 'finger'"},
        Case{object + "[thresholds]\ndistance_grab_m = -1\n", ":5: 'distance_grab_m' must be between"},
        Case{"[[object]]\nname = \"m\"\nshape = \"mesh\"\nfile = \"none.obj\"\n", "none.obj: no such mesh file"},
        Case{"[[object]]\nname = \"m\"\nshape = \"mesh\"\nfile = \"none.obj\"\n", ".toml:4: "},
        Case{object + "motion = \"recorded\"\ntrack = \"none.bvh\"\n", "none.bvh: no such file"},
        Case{object + "motion = \"recorded\"\ntrack = \"none.bvh\"\n", ".toml:5: "},
        Case{"[[object]]\nname = \"m\"\nshape = \"mesh\"\nfile = \"$GLOVEBOX_NO_SUCH/x.obj\"\n",
             ":4: the environment variable GLOVEBOX_NO_SUCH is not set"},
    };
    for (const Case& each : cases) {
        const std::string error = error_of(each.text);
        EXPECT_THAT(error, HasSubstr(each.expected)) << each.text;
        EXPECT_EQ(error.find_first_of("\n\x1b"), std::string::npos) << error;
    }
}

TEST_F(SceneFile, BadMeshesAreRefusedInOneLine) {
    const auto write = [this](const char* name, const std::string& text) {
        std::ofstream(folder_ / name, std::ios::binary) << text;
        return folder_ / name;
    };
    const std::string counts =
        "element vertex 3\nproperty float x\nproperty float y\nproperty float z\n"
        "element face 1\nproperty list uchar int vertex_indices\nend_header\n";
    const std::string text_ply = "ply\nformat ascii 1.0\n" + counts;
    const auto binary_ply = [&counts](char corner) {
        std::string text = "ply\nformat binary_big_endian 1.0\n" + counts;
        for (const int one : {-1, -1, -1, 0, -1, -1, -1, 1, -1})  // 0.0 or 1.0, most significant byte first
            text += one >= 0 ? std::string("\x3f\x80\0\0", 4) : std::string(4, '\0');
        text += '\3';
        for (const char index : {char{0}, char{1}, corner}) text += std::string(3, '\0') + index;
        return text;
    };
    const std::array files = {
        write("empty.obj", ""),
        write("no_faces.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\n"),
        write("index.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 9\n"),
        write("nan.obj", "v 0 0 0\nv nan 0 0\nv 0 1 0\nf 1 2 3\n"),
        write("binary.obj", std::string("\0\1\2\377\376junk\0\0", 12)),
        write("cut.ply", "ply\nformat ascii 1.0\nelement vertex 900000000\nproperty float x\n"),
        write("lying.stl", std::string(80, ' ') + std::string("\377\377\377\177", 4)),
        write("cut.glb", "glTF\2\0\0\0"),
        write("flat.obj", "v 0 0 0\nv 1 0 0\nv 2 0 0\nf 1 2 3\n"),
        write("index.ply", text_ply + "0 0 0\n1 0 0\n0 1 0\n3 0 1 3\n"),
        write("negative.ply", text_ply + "0 0 0\n1 0 0\n0 1 0\n3 0 1 -1\n"),
        write("cut_face.ply", text_ply + "0 0 0\n1 0 0\n0 1 0\n3 0"),
        write("index_binary.ply", binary_ply(3)),
        write("no_corners.ply", text_ply + "0 0 0\n1 0 0\n0 1 0\n0\n"),
        write("blank_line.ply", text_ply + "0 0 0\n1 0 0\n0 1 0\n\n3 0 1 2\n"),
        write("two_lines.ply", text_ply + "0 0 0\n1\r0 0\n0 1 0\n3 0 1 2\n"),
        write("vertical_tab.ply", text_ply.substr(0, text_ply.size() - 1) + "\v0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n"),
        write("capitals.ply", "plY\nformat ascii 1.0\nelement vertex 3\nproperty float x\np"),
        write("blank_first.ply", "\nply\nformat ascii 1.0\nelement vertex 3\nproperty float x\np"),
        write("unnamed.ply", "ply\nformat ascii 1.0\nelement vertex 3\nproperty float \n" + counts.substr(34)),
    };
    EXPECT_EQ(load_mesh(write("fine.ply", text_ply + "0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n"), 1.0F).triangles.size(), 1U);
    EXPECT_EQ(load_mesh(write("fine_binary.ply", binary_ply(2)), 1.0F).triangles.size(), 1U);
    // The data of a binary file may begin with the byte of a line feed.
    const std::string begins_so = "ply\nformat binary_little_endian 1.0\n" + counts + std::string("\n\0\0\0", 4) +
                                  std::string(11, '\0') + "\x3f" + std::string(19, '\0') + "\x3f" +
                                  std::string("\3\0\0\0\0\1\0\0\0\2\0\0\0", 13);
    const collision::Mesh read = load_mesh(write("line_feed.ply", begins_so), 1.0F);
    ASSERT_EQ(read.vertices_m.size(), 3U);
    EXPECT_EQ(read.vertices_m[1], Eigen::Vector3f(0.5F, 0.0F, 0.0F));
    for (const auto& file : files) {
        try {
            load_mesh(file, 1.0F);
            ADD_FAILURE() << file << " was accepted";
        } catch (const std::runtime_error& error) {
            EXPECT_THAT(error.what(), HasSubstr(file.filename().string()));
            EXPECT_EQ(std::string(error.what()).find('\n'), std::string::npos) << error.what();
        }
    }
}

TEST_F(SceneFile, NumbersMayBeginWithTheirPoint) {
    std::ofstream(folder_ / "point.obj") << "v 0 0 0\nv .5 0 0\nv 0 -.5 0\nv 0.25 1.5 .125\nf 1 2 3\nf 1 2 4\n";
    const collision::Mesh mesh = load_mesh(folder_ / "point.obj", 1.0F);
    ASSERT_EQ(mesh.triangles.size(), 2U);
    Eigen::AlignedBox3f bounds;
    for (const Eigen::Vector3f& vertex_m : mesh.vertices_m) bounds.extend(vertex_m);
    EXPECT_EQ(bounds.min(), Eigen::Vector3f(0, -0.5F, 0));
    EXPECT_EQ(bounds.max(), Eigen::Vector3f(0.5F, 1.5F, 0.125F));
}

TEST_F(SceneFile, SingleZeroAreaTrianglesAreLegal) {
    std::ofstream(folder_ / "flat.obj") << "v 0 0 0\nv 1 0 0\nv 2 0 0\nv 0 1 0\nf 1 2 3\nf 1 2 4\n";
    EXPECT_EQ(load_mesh(folder_ / "flat.obj", 1.0F).triangles.size(), 2U);
}

TEST(SceneTable, EveryRowLoadsByName) {
    for (const SceneRow& row : scene_table()) {
        const Scene scene = load_scene(std::string(row.name));
        EXPECT_EQ(scene.name, row.name);
        std::set<std::string> names;
        for (const SceneObject& object : scene.objects) EXPECT_TRUE(names.insert(object.name).second) << object.name;
        EXPECT_FALSE(names.contains("")) << row.name;
    }
}

TEST(SceneTable, UnknownNamesListTheKnownOnes) {
    try {
        load_scene("no-such-scene");
        FAIL();
    } catch (const std::runtime_error& error) {
        EXPECT_THAT(error.what(), HasSubstr("table-and-ball"));
    }
}

}  // namespace
}  // namespace glovebox::scenes
