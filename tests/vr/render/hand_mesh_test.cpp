// Rigged hands of other authors, mapped to our bones.
#include "vr/render/hand_mesh.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>

#include <cstring>
#include <fstream>
#include <set>

#include "tests/vr/render/skin_matrices.h"
#include "tests/vr/run_program.h"
#include "tracking/forward_kinematics.h"

namespace glovebox::vr {
namespace {

using testing::HasSubstr;
using tracking::Joint;
using tracking::Side;

tracking::HandFrame bent_hand(Side side) {
    tracking::HandAngles angles = tracking::resting_angles();
    for (tracking::FingerAngles& finger : angles.fingers) finger.mcp_flex += 0.5F;
    Eigen::Isometry3f wrist = Eigen::Isometry3f::Identity();
    wrist.translation() = Eigen::Vector3f(0.1F, 0.2F, -0.3F);
    wrist.rotate(Eigen::AngleAxisf(0.8F, Eigen::Vector3f(0.3F, 0.9F, 0.1F).normalized()));
    return tracking::pose_from_angles(tracking::default_profile(), angles, wrist, side);
}

// Makes a rig with a small triangle at the end of every bone, bound to the bone's first joint, at any pose.
RiggedHand pin_hand(Side side, const Eigen::Isometry3f& rig_from_hand) {
    const tracking::HandFrame rest = tracking::pose_from_angles(tracking::default_profile(), tracking::resting_angles(),
                                                                Eigen::Isometry3f::Identity(), side);
    RiggedHand rig;
    rig.side = side;
    for (std::size_t j = 0; j < tracking::kJointCount; ++j) rig.joint_m[j] = rig_from_hand * rest.joints[j].position_m;
    for (std::size_t j = 2; j < tracking::kJointCount; ++j) {
        const auto first = static_cast<std::uint32_t>(rig.vertices.size());
        for (int corner = 0; corner < 3; ++corner) {
            RiggedHand::Vertex vertex;
            vertex.position_m = rig.joint_m[j];
            vertex.normal = Eigen::Vector3f::UnitY();
            vertex.joints[0] = static_cast<std::uint8_t>(tracking::parent_of(static_cast<Joint>(j)));
            vertex.weights[0] = 0.5F;
            rig.vertices.push_back(vertex);
        }
        rig.triangles.push_back({first, first + 1, first + 2});
    }
    return rig;
}

class HandMeshSides : public testing::TestWithParam<Side> {};

TEST_P(HandMeshSides, AreBentSoThatEveryBonesEndIsWhereItWasTracked) {
    Eigen::Isometry3f anywhere = Eigen::Isometry3f::Identity();
    anywhere.translation() = Eigen::Vector3f(1.0F, -2.0F, 0.5F);
    anywhere.rotate(Eigen::AngleAxisf(2.1F, Eigen::Vector3f(1.0F, 2.0F, 3.0F).normalized()));
    const HandSkin skin = skin_of_rig(pin_hand(GetParam(), anywhere));
    const tracking::HandFrame tracked = bent_hand(GetParam());
    const auto matrices = matrices_of(skin_pose(tracked_frames(tracked, skin.rest), skin.rest));
    std::size_t vertex = 0;
    for (std::size_t j = 2; j < tracking::kJointCount; ++j, vertex += 3) {
        // Metacarpal bases are bound to the wrist, which moves them as in our own skin.
        if (tracking::parent_of(static_cast<Joint>(j)) == Joint::wrist) continue;
        const SkinVertex& v = skin.vertices[vertex];
        EXPECT_FLOAT_EQ(v.weights[0], 1.0F);
        const Eigen::Vector3f drawn_m = (matrices[v.bones[0]] * v.position_m.homogeneous()).head<3>();
        EXPECT_LT((drawn_m - tracked.joints[j].position_m).norm(), 1e-4F)
            << tracking::name_of(static_cast<Joint>(j)) << " at " << drawn_m.transpose();
    }
}
INSTANTIATE_TEST_SUITE_P(HandMesh, HandMeshSides, testing::Values(Side::left, Side::right),
                         [](const auto& param_info) { return std::string(tracking::name_of(param_info.param)); });

TEST(HandMesh, InAnotherUnitIsMadeAHandOfUsualSize) {
    RiggedHand rig = pin_hand(Side::right, Eigen::Isometry3f::Identity());
    for (Eigen::Vector3f& joint_m : rig.joint_m) joint_m *= 100.0F;
    for (RiggedHand::Vertex& vertex : rig.vertices) vertex.position_m *= 100.0F;
    const HandSkin skin = skin_of_rig(rig);
    float reach_m = 0.0F;
    for (const SkinVertex& vertex : skin.vertices) reach_m = std::max(reach_m, vertex.position_m.norm());
    EXPECT_GT(reach_m, 0.15F);
    EXPECT_LT(reach_m, 0.25F);
}

TEST(HandMesh, WhatIsNoHandIsRefusedWithAReason) {
    const auto reason_of = [](const RiggedHand& rig) -> std::string {
        try {
            skin_of_rig(rig);
        } catch (const std::runtime_error& error) {
            return error.what();
        }
        return "nothing";
    };
    const RiggedHand good = pin_hand(Side::right, Eigen::Isometry3f::Identity());
    EXPECT_EQ(reason_of(good), "nothing");
    RiggedHand bad = good;
    bad.triangles.clear();
    EXPECT_THAT(reason_of(bad), HasSubstr("no triangles"));
    bad = good;
    bad.triangles[0][1] = 100'000;
    EXPECT_THAT(reason_of(bad), HasSubstr("vertex 100000"));
    bad = good;
    bad.joint_m.fill(Eigen::Vector3f::Zero());
    EXPECT_THAT(reason_of(bad), HasSubstr("no hand at rest"));
    bad = good;
    bad.joint_m[7].x() = std::numeric_limits<float>::quiet_NaN();
    EXPECT_THAT(reason_of(bad), HasSubstr("index-finger-phalanx-proximal"));
}

TEST(HandMesh, BadFilesAreOneLine) {
    const TestFolder folder("hand_mesh_bad");
    std::ofstream(folder.path / "text.glb") << "this is no mesh\n";
    std::ofstream(folder.path / "empty.glb");
    std::ofstream cut(folder.path / "cut.glb", std::ios::binary);
    cut << "glTF" << std::string("\x02\0\0\0\0\0\x10\0", 8) << "JSON";
    cut.close();
    std::ofstream(folder.path / "box.obj") << "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n";
    for (const char* name : {"text.glb", "empty.glb", "cut.glb", "box.obj", "not_there.glb"}) {
        const ProgramResult ran =
            run_program(std::string("replay flick --headless --frames 2 --hand-mesh ") + name, folder.path);
        EXPECT_EQ(ran.exit_code, 1) << name;
        EXPECT_THAT(ran.error, HasSubstr("no hand mesh")) << name;
        EXPECT_EQ(std::count(ran.error.begin(), ran.error.end(), '\n'), 1) << ran.error;
    }
}

// Two public hands of the WebXR input profiles, a left and a right one.
class GenericHands : public testing::Test {
  protected:
    void SetUp() override {
        const char* data = std::getenv("GLOVEBOX_REAL_DATA");
        if (data == nullptr) GTEST_SKIP() << "GLOVEBOX_REAL_DATA is not set: no generic-hand files";
        for (const char* name : {"webxr_generic_hand_left.glb", "webxr_generic_hand_right.glb"}) {
            paths.push_back(std::filesystem::path(data) / "meshes" / name);
            if (!std::filesystem::exists(paths.back())) GTEST_SKIP() << paths.back() << " is not there";
        }
    }
    std::vector<std::filesystem::path> paths;
};

TEST_F(GenericHands, AreTakenForTheHandsThatTheyAre) {
    const RiggedHand left = read_rigged_hand(paths[0]), right = read_rigged_hand(paths[1]);
    EXPECT_EQ(left.side, Side::left);
    EXPECT_EQ(right.side, Side::right);
    EXPECT_EQ(left.triangles.size(), 2314U);
    EXPECT_EQ(right.triangles.size(), 2314U);
    const auto meshes = load_hand_meshes(paths);
    EXPECT_EQ((*meshes)[Side::left].side, Side::left);
    EXPECT_EQ((*meshes)[Side::right].side, Side::right);
}

TEST_F(GenericHands, BentTheirSkinStaysRoundTheTrackedBones) {
    const auto meshes = load_hand_meshes(paths);
    for (const Side side : {Side::left, Side::right}) {
        const HandSkin& skin = (*meshes)[side];
        const tracking::HandFrame tracked = bent_hand(side);
        const SkinPose pose = skin_pose(tracked_frames(tracked, skin.rest), skin.rest);
        std::set<int> bones;
        for (const SkinVertex& v : skin.vertices) {
            const Eigen::Vector3f drawn_m = bent(pose, v.position_m, v.weights, v.bones);
            bones.insert(v.bones[0]);
            if (v.position_m.z() > 0.0F) continue;  // no bone is near the skin behind the wrist
            float nearest_m = 1.0F;
            for (std::size_t j = 1; j < tracking::kJointCount; ++j) {
                const auto parent = static_cast<std::size_t>(tracking::parent_of(static_cast<Joint>(j)));
                const Eigen::Vector3f& a = tracked.joints[parent].position_m;
                const Eigen::Vector3f d = tracked.joints[j].position_m - a;
                const float t =
                    d.squaredNorm() > 0.0F ? std::clamp((drawn_m - a).dot(d) / d.squaredNorm(), 0.0F, 1.0F) : 0.0F;
                nearest_m = std::min(nearest_m, (drawn_m - a - t * d).norm());
            }
            ASSERT_LT(nearest_m, 0.035F) << tracking::name_of(side);
        }
        EXPECT_GE(bones.size(), 15U) << "all fingers carry skin";
    }
}

// In this process, Assimp never reads the file.
TEST_F(GenericHands, AreReadInAProcessOfTheirOwn) {
    const auto ended_children = [] {
        rusage usage{};
        getrusage(RUSAGE_CHILDREN, &usage);
        return usage.ru_minflt;
    };
    const auto before = ended_children();
    const RiggedHand here = read_rigged_hand(paths[0]);
    EXPECT_EQ(ended_children(), before);
    const auto meshes = load_hand_meshes(std::vector{paths[0]});
    EXPECT_GT(ended_children(), before);
    const HandSkin direct = skin_of_rig(here);
    ASSERT_EQ((*meshes)[Side::left].vertices.size(), direct.vertices.size());
    for (std::size_t i = 0; i < direct.vertices.size(); ++i) {
        EXPECT_EQ((*meshes)[Side::left].vertices[i].position_m, direct.vertices[i].position_m);
        EXPECT_EQ((*meshes)[Side::left].vertices[i].bones, direct.vertices[i].bones);
    }
}

TEST_F(GenericHands, OneFileServesBothSides) {
    const auto meshes = load_hand_meshes(std::vector{paths[0]});
    const HandSkin &left = (*meshes)[Side::left], &right = (*meshes)[Side::right];
    ASSERT_EQ(left.vertices.size(), right.vertices.size());
    EXPECT_FLOAT_EQ(left.vertices[100].position_m.x(), -right.vertices[100].position_m.x());
    EXPECT_THROW(load_hand_meshes(std::vector{paths[0], paths[0]}), std::runtime_error) << "two left hands";
}

TEST_F(GenericHands, CutShortAreRefusedAtEveryLength) {
    const TestFolder folder("hand_mesh_cut");
    const std::string whole = text_of_file(paths[1]);
    int refused = 0;
    for (std::size_t part = 1; part < 20; ++part) {
        const auto path = folder.path / "cut.glb";
        std::ofstream(path, std::ios::binary) << whole.substr(0, part * whole.size() / 20);
        try {
            read_rigged_hand(path);
        } catch (const std::runtime_error&) {
            ++refused;
        }
    }
    EXPECT_EQ(refused, 19);
}

}  // namespace
}  // namespace glovebox::vr
