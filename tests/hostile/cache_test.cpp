// Trees stored on disk: a folder that is not the user's own, and trees written by someone else.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmath>
#include <fstream>

#include "collision/mesh/hash.h"
#include "collision/mesh/tree_file.h"
#include "collision/survey/tree/sample_meshes.h"
#include "tests/vr/run_program.h"
#include "vr/render/hand_skin.h"

namespace glovebox::collision {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

// The hash of a stored skin detects damage, but a forger writes the matching hash.
TEST(StoredSkin, NamesNoVertexOrBoneThatThereIsNot) {
    const vr::TestFolder folder("skin_cache");
    const auto skin = [&](std::uint32_t corner, std::uint32_t bones, float x) {
        std::string vertices, triangles, head = "glvskin3";
        const auto add = [](auto value, std::string& to) {
            to.append(reinterpret_cast<const char*>(&value), sizeof value);
        };
        for (int i = 0; i < 3; ++i) {
            for (const float value : {x, 0.0F, 0.0F, 0.0F, 1.0F, 0.0F, 1.0F, 0.0F, 0.0F, 0.0F}) add(value, vertices);
            add(bones, vertices);
            add(1.0F, vertices);
        }
        for (const std::uint32_t c : {0U, 1U, corner}) add(c, triangles);
        const std::uint64_t hash =
            hash_bytes(std::as_bytes(std::span(triangles)), hash_bytes(std::as_bytes(std::span(vertices))));
        add(std::uint32_t{3}, head);
        add(std::uint32_t{1}, head);
        add(hash, head);
        std::ofstream(folder.path / "skin", std::ios::binary) << head << vertices << triangles;
        return vr::read_cached_skin(folder.path / "skin").has_value();
    };
    EXPECT_TRUE(skin(2, 0x03020100, 0.1F));
    EXPECT_FALSE(skin(3, 0x03020100, 0.1F)) << "a fourth vertex";
    EXPECT_FALSE(skin(2, 0xFF020100, 0.1F)) << "bone 255";
    EXPECT_FALSE(skin(2, 0x03020100, std::nanf(""))) << "nowhere";
    fs::remove(folder.path / "skin");
    ASSERT_EQ(::mkfifo((folder.path / "skin").c_str(), 0600), 0);
    EXPECT_FALSE(vr::read_cached_skin(folder.path / "skin").has_value());
}

TEST(TreeFolder, IsMadeForItsUserAlone) {
    const vr::TestFolder folder("tree_folder");
    const fs::path cache = folder.path / "a" / "trees";
    const mode_t before = ::umask(0);
    EXPECT_FALSE(cached_tree(sphere(6, 8, 1.0), {}, cache).was_stored);
    ::umask(before);
    struct stat status {};
    ASSERT_EQ(::stat(cache.c_str(), &status), 0);
    EXPECT_EQ(status.st_mode & 0777U, 0700U);
    EXPECT_TRUE(cached_tree(sphere(6, 8, 1.0), {}, cache).was_stored);
    // A folder that all users could read is made private.
    ::chmod(cache.c_str(), 0755);
    EXPECT_TRUE(cached_tree(sphere(6, 8, 1.0), {}, cache).was_stored);
    ASSERT_EQ(::stat(cache.c_str(), &status), 0);
    EXPECT_EQ(status.st_mode & 0777U, 0700U);
}

TEST(TreeFolder, ThatOthersWriteToIsNotUsed) {
    const vr::TestFolder folder("tree_folder_open");
    const fs::path cache = folder.path / "trees";
    cached_tree(sphere(6, 8, 1.0), {}, cache);
    ::chmod(cache.c_str(), 0777);
    const CachedTree open = cached_tree(sphere(6, 8, 1.0), {}, cache);
    EXPECT_FALSE(open.was_stored);
    EXPECT_TRUE(open.was_refused);
    EXPECT_THAT(open.note, HasSubstr("can be written by other users"));
    EXPECT_FALSE(open.tree.nodes.empty());
    if (::geteuid() != 0) GTEST_SKIP() << "only root can give a folder away";
    ::chmod(cache.c_str(), 0700);
    ASSERT_EQ(::chown(cache.c_str(), 12345, 12345), 0);
    const CachedTree foreign = cached_tree(sphere(6, 8, 1.0), {}, cache);
    EXPECT_FALSE(foreign.was_stored);
    EXPECT_THAT(foreign.note, HasSubstr("belongs to another user"));
}

// Every hash is correct, but one box is too small: queries would miss the triangles outside it.
TEST(ForgedTrees, AreBuiltAgain) {
    const vr::TestFolder folder("tree_forged");
    const Mesh mesh = sphere(20, 24, 1.0);
    const TreeKey key = key_of(mesh, {});
    const BoxTree good = cached_tree(mesh, {}, folder.path / "trees").tree;
    const fs::path file = folder.path / "trees" / cache_file_name(key);
    ASSERT_TRUE(cached_tree(mesh, {}, folder.path / "trees").was_stored);
    ASSERT_GT(good.nodes.size(), 100U);
    int refused = 0;
    for (std::size_t i = 0; i < good.nodes.size(); i += 7, ++refused) {
        for (int how = 0; how < 3; ++how) {
            BoxTree forged = good;
            Obb& box = forged.nodes[i].box;
            if (how == 0) box.half_m *= 0.97F;
            if (how == 1) box.center_m.x() += 0.05F;
            if (how == 2) box.center_m = {100.0F, 0.0F, 0.0F};
            save_tree(file, forged, key);
            const CachedTree found = cached_tree(mesh, {}, folder.path / "trees");
            EXPECT_FALSE(found.was_stored) << i;
            EXPECT_THAT(found.note, HasSubstr("boxes that do not hold its triangles; built again")) << i;
            EXPECT_EQ(found.tree.nodes.size(), good.nodes.size());
        }
    }
    EXPECT_GT(refused, 10);
    EXPECT_TRUE(cached_tree(mesh, {}, folder.path / "trees").was_stored);
}

}  // namespace
}  // namespace glovebox::collision
