#include "scenes/tree_cache.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>

#include "scenes/scene.h"
#include "tests/test_folder.h"

namespace glovebox::scenes {
namespace {

namespace fs = std::filesystem;

// A mesh file and a cache of the test's own; the environment is restored at the end.
class TreeCache : public testing::Test {
  protected:
    TreeCache() {
        std::ofstream(mesh_file) << "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\n"
                                    "f 1 3 2\nf 1 2 4\nf 2 3 4\nf 1 4 3\n";
        ::setenv("XDG_CACHE_HOME", (folder / "cache").c_str(), 1);
    }
    ~TreeCache() override {
        if (before != nullptr)
            ::setenv("XDG_CACHE_HOME", saved.c_str(), 1);
        else
            ::unsetenv("XDG_CACHE_HOME");
    }

    std::vector<fs::path> kept() const {
        std::vector<fs::path> files;
        if (fs::exists(tree_cache_folder()))
            for (const auto& entry : fs::directory_iterator(tree_cache_folder())) files.push_back(entry.path());
        return files;
    }

    const char* before = std::getenv("XDG_CACHE_HOME");
    const std::string saved = before == nullptr ? "" : before;
    const tests::TestFolder own{"tree_cache"};
    const fs::path &folder = own.path, mesh_file = folder / "corner.obj";
};

TEST_F(TreeCache, LiesWhereXdgSays) {
    EXPECT_EQ(tree_cache_folder(), folder / "cache" / "glovebox" / "trees");
    ::setenv("XDG_CACHE_HOME", "relative", 1);
    EXPECT_TRUE(tree_cache_folder().empty() || tree_cache_folder().is_absolute());
    ::unsetenv("XDG_CACHE_HOME");
    if (const char* home = std::getenv("HOME"); home != nullptr && fs::path(home).is_absolute()) {
        EXPECT_EQ(tree_cache_folder(), fs::path(home) / ".cache" / "glovebox" / "trees");
    }
}

TEST_F(TreeCache, KeepsATreeOnceAndReadsItAgain) {
    const auto first = load_mesh_tree(mesh_file, 1.0F);
    ASSERT_EQ(kept().size(), 1U);
    const auto written = fs::last_write_time(kept()[0]);
    testing::internal::CaptureStderr();
    const auto second = load_mesh_tree(mesh_file, 1.0F);
    EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
    ASSERT_EQ(kept().size(), 1U);
    EXPECT_EQ(fs::last_write_time(kept()[0]), written);
    EXPECT_EQ(first->tree().blocks().size(), second->tree().blocks().size());
    EXPECT_EQ(first->signed_distance({0.3F, 0.3F, 0.3F}), second->signed_distance({0.3F, 0.3F, 0.3F}));
    // A different unit makes a different mesh.
    load_mesh_tree(mesh_file, 0.5F);
    EXPECT_EQ(kept().size(), 2U);
}

TEST_F(TreeCache, ReplacesWhatIsDamagedAndWhatIsForeign) {
    const auto first = load_mesh_tree(mesh_file, 1.0F);
    ASSERT_EQ(kept().size(), 1U);
    const fs::path file = kept()[0];
    const auto size = fs::file_size(file);
    for (const char* what : {"", "something else altogether"}) {
        std::ofstream(file, std::ios::binary) << what;
        testing::internal::CaptureStderr();
        const auto again = load_mesh_tree(mesh_file, 1.0F);
        const std::string said = testing::internal::GetCapturedStderr();
        EXPECT_EQ(said, "glovebox: " + file.string() + ": is not a tree file; built again\n");
        EXPECT_EQ(fs::file_size(file), size);
        EXPECT_EQ(again->tree().blocks().size(), first->tree().blocks().size());
    }
}

TEST_F(TreeCache, ThatCannotBeWrittenCostsTheBuildOnly) {
    std::ofstream(folder / "cache") << "in the way";
    EXPECT_EQ(load_mesh_tree(mesh_file, 1.0F)->mesh().triangles.size(), 4U);
}

}  // namespace
}  // namespace glovebox::scenes
