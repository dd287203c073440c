// A session exported as GLB and read back by Assimp: skin, animation, and positions of the bones.
#include <assimp/postprocess.h>
#include <assimp/scene.h>
#include <gtest/gtest.h>
#include <assimp/Importer.hpp>

#include <cstring>
#include <nlohmann/json.hpp>
#include <set>

#include "recordings/load.h"
#include "recordings/writer.h"
#include "tests/recordings/files.h"
#include "tests/vr/export/session_of.h"
#include "tests/vr/run_program.h"
#include "vr/export/glb.h"
#include "vr/session/open_session.h"

namespace glovebox::vr {
namespace {

using tracking::Side;

TEST(Glb, IsReadByAssimpWithSkinObjectsAndAnimation) {
    const GlbSummary made = glb_of(*session_of("carry"));
    Assimp::Importer importer;
    const aiScene* scene =
        importer.ReadFileFromMemory(made.bytes.data(), made.bytes.size(), aiProcess_ValidateDataStructure, "glb");
    ASSERT_NE(scene, nullptr) << importer.GetErrorString();
    ASSERT_EQ(scene->mNumAnimations, 1U);
    std::set<std::string> skinned, names;
    for (unsigned i = 0; i < scene->mNumMeshes; ++i) {
        names.insert(scene->mMeshes[i]->mName.C_Str());
        if (scene->mMeshes[i]->mNumBones > 0) {
            skinned.insert(scene->mMeshes[i]->mName.C_Str());
            EXPECT_EQ(scene->mMeshes[i]->mNumBones, 20U);
            EXPECT_GT(scene->mMeshes[i]->mNumVertices, 1000U);
        }
    }
    EXPECT_EQ(skinned.size(), 2U) << "two hands";
    EXPECT_TRUE(
        std::ranges::any_of(names, [](const std::string& name) { return name.find("crate") != std::string::npos; }));
    EXPECT_GT(scene->mAnimations[0]->mNumChannels, 40U);
}

struct Glb {
    explicit Glb(const std::string& bytes) {
        std::uint32_t json_size = 0;
        std::memcpy(&json_size, bytes.data() + 12, 4);
        json = nlohmann::json::parse(bytes.substr(20, json_size));
        binary = bytes.substr(20 + json_size + 8);
    }
    std::vector<float> floats(int accessor) const {
        const auto& entry = json["accessors"][static_cast<std::size_t>(accessor)];
        const auto& view = json["bufferViews"][entry["bufferView"].get<std::size_t>()];
        std::vector<float> values(view["byteLength"].get<std::size_t>() / sizeof(float));
        std::memcpy(values.data(), binary.data() + view["byteOffset"].get<std::size_t>(),
                    values.size() * sizeof(float));
        return values;
    }
    nlohmann::json json;
    std::string binary;
};

// Blender builds a rig from the nodes before any animation: there the skin must be in its bind pose.
TEST(Glb, BonesAtRestStandWhereTheSkinWasBound) {
    const Glb glb(glb_of(*session_of("carry")).bytes);
    int bones = 0;
    for (const auto& skin : glb.json["skins"]) {
        const std::vector<float> inverse = glb.floats(skin["inverseBindMatrices"].get<int>());
        for (std::size_t i = 0; i < skin["joints"].size(); ++i, ++bones) {
            const auto& node = glb.json["nodes"][skin["joints"][i].get<std::size_t>()];
            const auto at = node["translation"].get<std::vector<float>>(),
                       turn = node["rotation"].get<std::vector<float>>();
            Eigen::Isometry3f rest = Eigen::Isometry3f::Identity();
            rest.linear() = Eigen::Quaternionf(turn[3], turn[0], turn[1], turn[2]).toRotationMatrix();
            rest.translation() = Eigen::Vector3f(at[0], at[1], at[2]);
            const Eigen::Map<const Eigen::Matrix4f> bind(inverse.data() + 16 * i);
            EXPECT_TRUE((rest.matrix() * bind).isIdentity(1e-5F)) << node["name"];
        }
    }
    EXPECT_EQ(bones, 40);
}

// Each joint of the animation is at the hand's joint, to 0.1 mm.
TEST(Glb, JointsAreWhereTheHandWas) {
    const Glb glb(glb_of(*session_of("flick")).bytes);
    const nlohmann::json& file = glb.json;
    std::vector<float> tip;
    for (const auto& channel : file["animations"][0]["channels"]) {
        const auto node = channel["target"]["node"].get<std::size_t>();
        if (file["nodes"][node]["name"] == "right_index_distal" && channel["target"]["path"] == "translation")
            tip = glb.floats(
                file["animations"][0]["samplers"][channel["sampler"].get<std::size_t>()]["output"].get<int>());
    }
    const auto session = session_of("flick");
    std::size_t compared = 0;
    for (std::size_t i = 0; session->next(); ++i) {
        const tracking::HandFrame& hand = session->pipeline.hands[tracking::Side::right];
        if (!hand.active) continue;
        ASSERT_LT(3 * i + 2, tip.size());
        const Eigen::Vector3f at(tip[3 * i], tip[3 * i + 1], tip[3 * i + 2]);
        EXPECT_LT((at - hand[tracking::Joint::index_distal].position_m).norm(), 1e-4F) << "frame " << i;
        ++compared;
    }
    EXPECT_GT(compared, 600U);
}

// All 26 joints, lost hands too, beside objects and contact markers, one of them called like a joint.
TEST(Glb, IsReadBackAsTheSameRecording) {
    const TestFolder folder("glb_round_trip");
    std::ofstream(folder.path / "scene.toml") << "[hand]\nplacement = \"recorded\"\n[[object]]\nname = "
                                                 "\"right_index_tip\"\nshape = \"ball\"\nradius_m = 0.05\n"
                                                 "position_m = [0.0, 1.0, -0.3]\n";
    for (const std::string name : {"flick", "carry"}) {
        recordings::Recording truth = recordings::bundled(name);
        ASSERT_GT(truth.samples.size(), 600U);
        for (std::size_t i = 200; i < 260; ++i) truth.samples[i][Side::right] = {};
        recordings::save(truth, folder.path / (name + ".csv"));
        ASSERT_EQ(run_program("convert " + name + ".csv " + name + ".glb --scene scene.toml", folder.path).exit_code, 0)
            << name;
        const recordings::Recording read = recordings::load(folder.path / (name + ".glb"));
        EXPECT_EQ(read.format, "glb");
        ASSERT_EQ(read.samples.size(), truth.samples.size());
        for (std::size_t i = 0; i < truth.samples.size(); ++i) {
            EXPECT_NEAR(static_cast<double>(read.samples[i].time_ns), static_cast<double>(truth.samples[i].time_ns),
                        1000.0);
            for (const Side side : tracking::kSides) {
                const tracking::HandFrame &is = read.samples[i][side], &was = truth.samples[i][side];
                // The session holds a lost hand for 0.1 s.
                const bool held = side == Side::right && i >= 200 && i < 210;
                ASSERT_TRUE(held || is.active == was.active) << name << " sample " << i;
                for (std::size_t j = 0; was.active && j < tracking::kJointCount; ++j)
                    ASSERT_LT((is.joints[j].position_m - was.joints[j].position_m).norm(), 1e-5F)
                        << name << " sample " << i << " joint " << j;
            }
        }
    }
}

TEST(Glb, IsWrittenByConvertAndAgain) {
    const TestFolder folder("glb");
    for (int run = 0; run < 2; ++run)
        EXPECT_EQ(run_program("convert flick flick.glb", folder.path).exit_code, 0) << "run " << run;
    EXPECT_EQ(run_program("convert flick flick.csv --scene held-ball", folder.path).exit_code, 2);
    std::ofstream(folder.path / "mine.glb") << "glTF of another person's tool";
    EXPECT_EQ(run_program("convert flick mine.glb", folder.path).exit_code, 1);
}

}  // namespace
}  // namespace glovebox::vr
