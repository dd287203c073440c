// The FBX reader against Assimp's: places of all joints in made files, and in a real one.
#include <assimp/scene.h>
#include <gtest/gtest.h>
#include <assimp/Importer.hpp>

#include <cstdlib>
#include <map>

#include "recordings/formats/joint_names.h"
#include "tests/recordings/fbx_files.h"

namespace glovebox::recordings {
namespace {

Eigen::Affine3d affine(const aiMatrix4x4& m) {
    Eigen::Affine3d pose;
    pose.matrix() << m.a1, m.a2, m.a3, m.a4, m.b1, m.b2, m.b3, m.b4, m.c1, m.c2, m.c3, m.c4, m.d1, m.d2, m.d3, m.d4;
    return pose;
}

template <class Key>
const Key& key_at(const Key* keys, unsigned count, double tick) {
    const Key* best = keys;
    for (const Key* key = keys; key < keys + count; ++key)
        if (std::abs(key->mTime - tick) < std::abs(best->mTime - tick)) best = key;
    return *best;
}

// Places of Assimp's nodes at the times of keys, by the nodes' names.
class AssimpMotion {
  public:
    explicit AssimpMotion(const std::string& bytes) {
        scene_ = importer_.ReadFileFromMemory(bytes.data(), bytes.size(), 0, "fbx");
        if (scene_ == nullptr || scene_->mNumAnimations == 0) return;  // Assimp drops curves that never move
        const aiAnimation& animation = *scene_->mAnimations[0];
        ticks_per_second_ = animation.mTicksPerSecond;
        for (unsigned c = 0; c < animation.mNumChannels; ++c)
            channels_[animation.mChannels[c]->mNodeName.C_Str()] = animation.mChannels[c];
    }
    bool is_read() const { return scene_ != nullptr; }
    std::string error() const { return importer_.GetErrorString(); }
    std::map<std::string, Eigen::Vector3d> places_at(double time_s) const {
        std::map<std::string, Eigen::Vector3d> places;
        add(*scene_->mRootNode, Eigen::Affine3d::Identity(), time_s * ticks_per_second_, places);
        return places;
    }

  private:
    void add(const aiNode& node, const Eigen::Affine3d& parent, double tick,
             std::map<std::string, Eigen::Vector3d>& places) const {
        Eigen::Affine3d pose = affine(node.mTransformation);
        if (const auto found = channels_.find(node.mName.C_Str()); found != channels_.end()) {
            const aiNodeAnim& channel = *found->second;
            const aiVector3D at = key_at(channel.mPositionKeys, channel.mNumPositionKeys, tick).mValue;
            const aiQuaternion turn = key_at(channel.mRotationKeys, channel.mNumRotationKeys, tick).mValue;
            const aiVector3D scale = key_at(channel.mScalingKeys, channel.mNumScalingKeys, tick).mValue;
            pose = Eigen::Translation3d(at.x, at.y, at.z) * Eigen::Quaterniond(turn.w, turn.x, turn.y, turn.z) *
                   Eigen::Scaling(Eigen::Vector3d(scale.x, scale.y, scale.z));
        }
        const Eigen::Affine3d world = parent * pose;
        places[node.mName.C_Str()] = world.translation();
        for (unsigned i = 0; i < node.mNumChildren; ++i) add(*node.mChildren[i], world, tick, places);
    }

    Assimp::Importer importer_;
    const aiScene* scene_ = nullptr;
    double ticks_per_second_ = 0.0;
    std::map<std::string, const aiNodeAnim*> channels_;
};

// Compares the joints that the file has. Returns how many places were compared.
std::size_t compare(const std::string& bytes, const Recording& read, double first_s, double tolerance_m) {
    const AssimpMotion assimp(bytes);
    EXPECT_TRUE(assimp.is_read()) << assimp.error();
    if (!assimp.is_read()) return 0;
    std::size_t compared = 0;
    for (std::size_t i = 0; i < read.samples.size(); i += 7) {
        const double time_s = first_s + 1e-9 * static_cast<double>(read.samples[i].time_ns);
        for (const auto& [name, place] : assimp.places_at(time_s)) {
            const auto named = joint_of_track_name(name);
            if (!named || !named->side) continue;
            const Eigen::Vector3d ours = read.samples[i][*named->side][named->joint].position_m.cast<double>();
            EXPECT_LT((ours - static_cast<double>(read.unit_m) * place).norm(), tolerance_m) << name << " sample " << i;
            ++compared;
        }
    }
    return compared;
}

TEST(FbxAgainstAssimp, MadeFilesHaveTheSamePlaces) {
    const Recording truth = closing_hands(40);
    FbxRecipe plain, all;
    plain.settings = false;
    all.pivots = true;
    all.version = 7500;
    for (const FbxRecipe& recipe : {plain, all}) {
        const std::string bytes = fbx(truth, recipe);
        const TemporaryFile file(bytes);
        EXPECT_EQ(compare(bytes, load(file.path()), static_cast<double>(recipe.first_tick) / 46186158000.0, 1e-4),
                  6U * 52U);
    }
}

TEST(FbxAgainstAssimp, ARealFileHasTheSamePlaces) {
    const char* data = std::getenv("GLOVEBOX_REAL_DATA");
    if (data == nullptr) GTEST_SKIP() << "GLOVEBOX_REAL_DATA is not set";
    const std::filesystem::path path = std::filesystem::path(data) / "logs/rokoko_DEFAULT.fbx";
    if (!std::filesystem::exists(path)) GTEST_SKIP() << path << " is not there";
    std::ifstream in(path, std::ios::binary);
    const std::string bytes{std::istreambuf_iterator<char>(in), {}};
    EXPECT_GT(compare(bytes, load(path), 0.0, 1e-4), 38U);
}

}  // namespace
}  // namespace glovebox::recordings
