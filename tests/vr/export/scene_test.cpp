// `glovebox scene new`: what it infers from two files, and that the scene works as described.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <nlohmann/json.hpp>

#include "tests/vr/run_program.h"

namespace glovebox::vr {
namespace {

using ::testing::HasSubstr;

// The example of docs/explanation/truth.md: two commands from a recording and a mesh to which finger touches when.
TEST(SceneNew, FindsWhatTheRecordedCupNeeds) {
    const char* data = std::getenv("GLOVEBOX_REAL_DATA");
    if (data == nullptr) GTEST_SKIP() << "GLOVEBOX_REAL_DATA is not set: the ManipNet take is not part of the project";
    const TestFolder folder("scene_cup");
    const std::string take = std::string(data) + "/logs/manipnet_cup1_rightHand.bvh";
    const ProgramResult made = run_program("scene new " + take + " " + data + "/meshes/manipnet_cup1.obj --track " +
                                               data + "/logs/manipnet_cup1_object.bvh -o cup.toml --no-picture",
                                           folder.path);
    ASSERT_EQ(made.exit_code, 0) << made.error;
    const std::string scene = text_of_file(folder.path / "cup.toml");
    for (const char* line : {"recording_unit_m = 0.1\n", "recording_axes = \"unity\"\n", "unit_m = 0.1\n",
                             "track_unit_m = 0.1\n", "placement = \"recorded\"\n", "tip_length_m = ["})
        EXPECT_THAT(scene, HasSubstr(line));
    const ProgramResult touches =
        run_program("touches " + take + " --scene cup.toml -o t.csv --figure lanes.svg --json", folder.path);
    ASSERT_EQ(touches.exit_code, 0) << touches.error;
    // Compared with the scene that was made by hand: the same fingers, for about the same time.
    const ProgramResult by_hand = run_program(
        "touches " + take + " --scene " GLOVEBOX_SOURCE "/scenes/files/manipnet_cup.toml --json", folder.path);
    ASSERT_EQ(by_hand.exit_code, 0) << by_hand.error;
    const auto found = nlohmann::json::parse(touches.out)["totals"],
               expected = nlohmann::json::parse(by_hand.out)["totals"];
    ASSERT_EQ(found.size(), expected.size());
    for (const auto& sum : expected) {
        const auto same = std::ranges::find_if(found, [&](const auto& each) { return each["part"] == sum["part"]; });
        ASSERT_NE(same, found.end()) << sum;
        EXPECT_NEAR((*same)["total_s"].get<double>(), sum["total_s"].get<double>(), 0.35 * sum["total_s"].get<double>())
            << sum["part"];
    }
}

TEST(SceneNew, TakesABundledRecordingByName) {
    const TestFolder folder("scene_bundled");
    std::ofstream(folder.path / "block.obj")
        << "v 0 0 0\nv 0.06 0 0\nv 0 0.06 0\nv 0 0 0.06\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n";
    ASSERT_EQ(run_program("convert lift lift.csv", folder.path).exit_code, 0);
    for (const std::string log : {"lift", "lift.csv"}) {
        const ProgramResult made =
            run_program("scene new " + log + " block.obj --no-picture --force -o block.toml", folder.path);
        EXPECT_EQ(made.exit_code, 0) << log << made.error;
        EXPECT_THAT(text_of_file(folder.path / "block.toml"), HasSubstr("recording_unit_m = 1\n")) << log;
        EXPECT_EQ(run_program("touches " + log + " --scene block.toml", folder.path).exit_code, 0) << log;
    }
    const ProgramResult scaled =
        run_program("scene new lift block.obj --unit cm --no-picture -o other.toml", folder.path);
    EXPECT_EQ(scaled.exit_code, 2);
    EXPECT_THAT(scaled.error, HasSubstr("--unit is for files, and lift is a bundled recording"));
}

// A grab snaps to a pose that is stored 12 mm beside the one found, so that pose is found then.
TEST(SceneGrabs, OfARecordingAreGrabPosesOfItsScene) {
    const TestFolder folder("scene_grabs");
    const ProgramResult found = run_program("scene grabs lift -o poses.toml", folder.path);
    ASSERT_EQ(found.exit_code, 0) << found.error;
    const std::string poses = text_of_file(folder.path / "poses.toml");
    EXPECT_THAT(poses, HasSubstr("# cup, right hand, "));
    EXPECT_THAT(poses, HasSubstr("[[object.grab_pose]]\nhand = \"right\"\npalm_m = ["));
    EXPECT_EQ(run_program("scene grabs lift", folder.path).out, poses);

    const std::string can =
        "[hand]\nanchor_m = [0.0, 0.05, 0.0]\n[[object]]\nname = \"table\"\nshape = \"box\"\nhalf_m = [0.6, 0.05, "
        "0.45]\n"
        "position_m = [0.0, -0.05, 0.0]\n[[object]]\nname = \"can\"\nshape = \"capsule\"\nradius_m = 0.034\n"
        "length_m = 0.06\nposition_m = [0.0, 0.065, 0.0]\nmotion = \"dynamic\"\nmass_kg = 0.15\n"
        "material = { friction_static = 0.9 }\n";
    std::ofstream(folder.path / "can.toml") << can;
    const std::string held = run_program("scene grabs lift --scene can.toml", folder.path).out;
    const auto at = held.find("palm_m = [");
    ASSERT_NE(at, std::string::npos) << held;
    std::array<double, 3> palm_m{};
    ASSERT_EQ(std::sscanf(held.c_str() + at, "palm_m = [%lf, %lf, %lf]", palm_m.data(), &palm_m[1], &palm_m[2]), 3);
    std::array<char, 64> moved{};
    std::snprintf(moved.data(), moved.size(), "palm_m = [%.4f, %.4f, %.4f]", palm_m[0], palm_m[1] + 0.012, palm_m[2]);
    const std::string stored = held.substr(0, at) + moved.data() + held.substr(held.find(']', at) + 1);
    std::ofstream(folder.path / "stored.toml") << can << stored;
    EXPECT_THAT(run_program("scene grabs lift --scene stored.toml", folder.path).out, HasSubstr(moved.data()));

    const ProgramResult none = run_program("scene grabs flick", folder.path);
    EXPECT_EQ(none.exit_code, 1);
    EXPECT_THAT(none.error, HasSubstr("no hand grabs an object"));
}

TEST(SceneNew, ExplainsItselfAndKeepsWhatIsThere) {
    const TestFolder folder("scene_box");
    ASSERT_EQ(run_program("convert grasp hand.csv", folder.path).exit_code, 0);
    // A box of 60 mm in millimetres, where the bundled ball is.
    std::ofstream obj(folder.path / "box.obj");
    for (int i = 0; i < 8; ++i)
        obj << "v " << ((i & 1) != 0 ? 30 : -30) << ' ' << ((i & 2) != 0 ? 78 : 18) << ' ' << ((i & 4) != 0 ? 30 : -30)
            << '\n';
    obj << "f 1 3 4\nf 1 4 2\nf 5 6 8\nf 5 8 7\nf 1 2 6\nf 1 6 5\nf 3 7 8\nf 3 8 4\nf 1 5 7\nf 1 7 3\nf 2 4 8\nf 2 8 "
           "6\n";
    obj.close();
    const ProgramResult made = run_program("scene new hand.csv box.obj -o box.toml --no-picture", folder.path);
    ASSERT_EQ(made.exit_code, 0) << made.error;
    EXPECT_THAT(made.out, HasSubstr("The mesh's unit is a millimetre: the object is then 6.0 cm long"));
    EXPECT_THAT(made.out, HasSubstr("The recording's unit is a metre"));
    EXPECT_THAT(made.out, testing::Not(HasSubstr("The mesh is open")));
    const std::string box = text_of_file(folder.path / "box.obj");
    std::ofstream(folder.path / "open.obj") << box.substr(0, box.rfind('f'));
    EXPECT_THAT(run_program("scene new hand.csv open.obj -o open.toml --no-picture", folder.path).out,
                HasSubstr("The mesh is open, so it has no inside"));
    EXPECT_THAT(text_of_file(folder.path / "box.toml"), HasSubstr("\nunit_m = 0.001\n"));
    EXPECT_EQ(run_program("replay hand.csv --scene box.toml --headless -q", folder.path).exit_code, 0);
    EXPECT_EQ(run_program("scene new hand.csv box.obj -o box.toml --no-picture", folder.path).exit_code, 0)
        << "its own scene is made again";
    EXPECT_EQ(run_program("scene new hand.csv box.obj -o box.toml --no-picture --mesh-unit cm", folder.path).exit_code,
              0)
        << "with another result, too";
    const std::string edited = "# mine\n" + text_of_file(folder.path / "box.toml");
    for (const std::string& text : {edited, text_of_file(folder.path / "box.toml") + "gravity = true\n"}) {
        std::ofstream(folder.path / "box.toml") << text;
        const ProgramResult refused = run_program("scene new hand.csv box.obj -o box.toml --no-picture", folder.path);
        EXPECT_EQ(refused.exit_code, 1);
        EXPECT_THAT(refused.error, HasSubstr("--force"));
        EXPECT_EQ(text_of_file(folder.path / "box.toml"), text) << "what its user edited is kept";
    }
    EXPECT_EQ(run_program("scene new hand.csv box.obj -o box.toml --no-picture --force", folder.path).exit_code, 0);
    std::ofstream(folder.path / "other.png") << "mine";
    const ProgramResult beside = run_program("scene new hand.csv box.obj -o other.toml", folder.path);
    EXPECT_EQ(beside.exit_code, 0) << beside.error;
    EXPECT_THAT(beside.error, testing::AllOf(HasSubstr("other.png"), HasSubstr("--no-picture")));
    EXPECT_EQ(text_of_file(folder.path / "other.png"), "mine");
    EXPECT_TRUE(std::filesystem::exists(folder.path / "other.toml"));
    std::ofstream(folder.path / "mine.toml") << "name = \"mine\"\n";
    EXPECT_EQ(run_program("scene new hand.csv box.obj -o mine.toml --no-picture", folder.path).exit_code, 1);
    EXPECT_EQ(text_of_file(folder.path / "mine.toml"), "name = \"mine\"\n");
}

// A folder of meshes and a table of their motion: a box in the grasping hand, one far away, and one without a mesh.
TEST(SceneNew, PutsAllObjectsOfATakeInOneScene) {
    const TestFolder folder("scene_take");
    ASSERT_EQ(run_program("convert grasp hand.csv", folder.path).exit_code, 0);
    std::filesystem::create_directories(folder.path / "meshes");
    std::ofstream obj(folder.path / "meshes/b1.obj");
    for (int i = 0; i < 8; ++i)
        obj << "v " << ((i & 1) != 0 ? 0.03 : -0.03) << ' ' << ((i & 2) != 0 ? 0.03 : -0.03) << ' '
            << ((i & 4) != 0 ? 0.03 : -0.03) << '\n';
    obj << "f 1 3 4\nf 1 4 2\nf 5 6 8\nf 5 8 7\nf 1 2 6\nf 1 6 5\nf 3 7 8\nf 3 8 4\nf 1 5 7\nf 1 7 3\nf 2 4 8\nf 2 8 "
           "6\n";
    obj.close();
    std::filesystem::copy_file(folder.path / "meshes/b1.obj", folder.path / "meshes/far.obj");
    std::ofstream(folder.path / "meshes/instance.json")
        << R"({"b1": {"instance_name": "box"}, "b2": {"instance_name": "far"}, "b3": {"instance_name": "jug"}})";
    std::ofstream table(folder.path / "dynamic_objects.csv");
    table << "object_uid,timestamp[ns],t_wo_x[m],t_wo_y[m],t_wo_z[m],q_wo_w,q_wo_x,q_wo_y,q_wo_z\n";
    for (int i = 0; i < 200; ++i)
        for (const char* row : {"b1,%lld,0,0.048,0,1,0,0,0", "b2,%lld,5,0,0,1,0,0,0", "b3,%lld,0,0,9,1,0,0,0"}) {
            std::array<char, 80> text{};
            std::snprintf(text.data(), text.size(), row, 20'000'000LL * i);
            table << text.data() << '\n';
        }
    table.close();
    const ProgramResult made = run_program("scene new hand.csv meshes -o take.toml --no-picture", folder.path);
    ASSERT_EQ(made.exit_code, 0) << made.error;
    EXPECT_THAT(made.out, HasSubstr("box is 6.0 cm long; a hand reaches"));
    EXPECT_THAT(made.out, HasSubstr("far is 6.0 cm long; a hand comes within 4"));
    EXPECT_THAT(made.out, HasSubstr("no mesh of them: jug."));
    EXPECT_THAT(text_of_file(folder.path / "take.toml"), HasSubstr("track = \"dynamic_objects.csv#b1\"\n"));
    for (const char* color : {"#8FC1B6", "#D9B98C"})
        EXPECT_THAT(text_of_file(folder.path / "take.toml"), HasSubstr(std::string("color = \"") + color));
    const ProgramResult touches = run_program("touches hand.csv --scene take.toml --json", folder.path);
    ASSERT_EQ(touches.exit_code, 0) << touches.error;
    EXPECT_THAT(touches.out, HasSubstr("\"box\""));
    EXPECT_THAT(touches.out, testing::Not(HasSubstr("\"object\": \"far\"")));

    // Names that occur twice, are blank, or are those of other objects.
    std::filesystem::rename(folder.path / "meshes/far.obj", folder.path / "meshes/b2.obj");
    std::filesystem::copy_file(folder.path / "meshes/b1.obj", folder.path / "meshes/b3.obj");
    std::ofstream(folder.path / "meshes/instance.json")
        << R"({"b1": {"instance_name": "b2"}, "b2": {"instance_name": "b2"}, "b3": {"instance_name": "  "}})";
    ASSERT_EQ(run_program("scene new hand.csv meshes -o names.toml --no-picture", folder.path).exit_code, 0);
    for (const char* name : {"\"b2\"", "\"b2-2\"", "\"b3\""})
        EXPECT_THAT(text_of_file(folder.path / "names.toml"), HasSubstr(std::string("\nname = ") + name));
    EXPECT_EQ(run_program("touches hand.csv --scene names.toml --json", folder.path).exit_code, 0);

    std::filesystem::remove(folder.path / "dynamic_objects.csv");
    const ProgramResult without = run_program("scene new hand.csv meshes -o other.toml --no-picture", folder.path);
    EXPECT_EQ(without.exit_code, 1);
    EXPECT_THAT(without.error, HasSubstr("dynamic_objects.csv beside the recording"));
    EXPECT_EQ(run_program("replay hand.csv --scene take.toml --headless -q", folder.path).exit_code, 1)
        << "a scene whose track is gone";
}

// HOT3D's two samples, each by one command. In one, the hand holds the mouse all the time; in the other, nothing is
// near.
TEST(SceneNew, MakesTheScenesOfHot3d) {
    const char* data = std::getenv("GLOVEBOX_REAL_DATA");
    if (data == nullptr || !std::filesystem::exists(std::string(data) + "/hot3d"))
        GTEST_SKIP() << "HOT3D is not part of the project";
    const TestFolder folder("scene_hot3d");
    const std::string library = std::string(data) + "/hot3d";
    for (const auto& [take, touched] : {std::pair{library, false}, std::pair{library + "/quest3", true}}) {
        const std::string hands = take + "/umetrack_hand_pose_trajectory.jsonl";
        const ProgramResult made =
            run_program("scene new " + hands + " " + library + " -o take.toml --no-picture", folder.path);
        ASSERT_EQ(made.exit_code, 0) << made.error;
        EXPECT_THAT(made.out, HasSubstr("mouse is 11.0 cm long"));
        const ProgramResult touches =
            run_program("touches " + hands + " --scene take.toml --by object --json", folder.path);
        ASSERT_EQ(touches.exit_code, 0) << touches.error;
        const auto totals = nlohmann::json::parse(touches.out)["totals"];
        ASSERT_EQ(!totals.empty(), touched) << totals;
        for (const auto& sum : totals) EXPECT_EQ(sum["object"], "mouse") << totals;
    }
}

}  // namespace
}  // namespace glovebox::vr
