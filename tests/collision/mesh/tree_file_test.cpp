#include "collision/mesh/tree_file.h"
#include "collision/survey/fit/fitters.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#ifndef _WIN32
#include <sys/wait.h>
#endif
#include <unistd.h>

#include <fstream>

#include "collision/mesh/hash.h"
#include "collision/survey/fit/random.h"
#include "collision/survey/tree/sample_meshes.h"
#include "tests/collision/mesh/trees.h"
#include "tests/test_folder.h"

namespace glovebox::collision {
namespace {

namespace fs = std::filesystem;

struct TreeFiles : testing::Test {
    const tests::TestFolder own{"tree_files"};
    const fs::path& folder = own.path;
    Mesh mesh = torus(12, 10);
    BuildSettings settings;
    BoxTree tree = build_tree(mesh, settings);
    TreeKey key = key_of(mesh, settings);

    std::string saved() const {
        save_tree(folder / "tree", tree, key);
        return tests::text_of_file(folder / "tree");
    }
    void write(const std::string& bytes) const {
        std::ofstream(folder / "tree", std::ios::binary | std::ios::trunc) << bytes;
    }
    std::string why_refused() const {
        try {
            load_tree(folder / "tree", key);
        } catch (const TreeFileError& error) {
            return error.what();
        }
        return {};
    }
};

TEST_F(TreeFiles, GiveBackWhatWasStored) {
    saved();
    const StoredTree stored = load_tree(folder / "tree");
    EXPECT_TRUE(same(stored.tree, tree));
    EXPECT_EQ(stored.key, key);
    EXPECT_TRUE(same(load_tree(folder / "tree", key), tree));
    EXPECT_EQ(std::distance(fs::directory_iterator(folder), {}), 1) << "a temporary file was left behind";
}

TEST_F(TreeFiles, CutAtAnyLengthAreRefused) {
    const std::string whole = saved();
    for (std::size_t length = 0; length < whole.size(); length += length < 160 ? 1 : 397) {
        write(whole.substr(0, length));
        ASSERT_THROW(load_tree(folder / "tree"), TreeFileError) << length;
    }
    write(whole + "x");
    EXPECT_THROW(load_tree(folder / "tree"), TreeFileError);
}

TEST_F(TreeFiles, WithAnyBitFlippedAreRefused) {
    const std::string whole = saved();
    for (std::size_t byte = 0; byte < whole.size(); byte += byte < 152 ? 1 : 397) {
        for (int bit = 0; bit < 8; ++bit) {
            std::string damaged = whole;
            damaged[byte] = static_cast<char>(damaged[byte] ^ (1 << bit));
            write(damaged);
            ASSERT_THROW(load_tree(folder / "tree"), TreeFileError) << "byte " << byte << ", bit " << bit;
        }
    }
}

TEST_F(TreeFiles, ScrambledAreRefused) {
    const std::string whole = saved();
    Random random(1);
    for (int round = 0; round < 100; ++round) {
        std::string damaged = whole;
        const int holes = static_cast<int>(random.between(1, 20));
        for (int hole = 0; hole < holes; ++hole)
            damaged[static_cast<std::size_t>(random.unit() * static_cast<double>(damaged.size()))] =
                static_cast<char>(random.next());
        if (damaged == whole) continue;
        write(damaged);
        ASSERT_THROW(load_tree(folder / "tree"), TreeFileError) << round;
    }
}

// Files with correct checksums over invalid contents: the structure is checked too.
TEST_F(TreeFiles, WithConsistentNonsenseAreRefused) {
    Random random(2);
    int refused = 0;
    for (int round = 0; round < 100; ++round) {
        BoxTree damaged = tree;
        auto& node = damaged.nodes[static_cast<std::size_t>(random.unit() * static_cast<double>(damaged.nodes.size()))];
        switch (round % 4) {
            case 0:
                node.first = static_cast<std::int32_t>(random.next());
                break;
            case 1:
                node.count = static_cast<std::int32_t>(random.next());
                break;
            case 2:
                node.box.half_m.x() = -1.0F;
                break;
            default:
                damaged.order[static_cast<std::size_t>(random.unit() * static_cast<double>(damaged.order.size()))] =
                    static_cast<std::int32_t>(random.next());
        }
        save_tree(folder / "tree", damaged, key);
        refused += why_refused().empty() ? 0 : 1;
    }
    EXPECT_EQ(refused, 100);
}

TEST_F(TreeFiles, OfAnotherMeshOrOtherSettingsAreRefusedSayingSo) {
    saved();
    Mesh other = mesh;
    other.vertices_m[7].x() = std::nextafter(other.vertices_m[7].x(), 10.0F);
    const TreeKey right = key;
    key = key_of(other, settings);
    EXPECT_THAT(why_refused(), testing::HasSubstr("another mesh"));
    for (const auto& change :
         {+[](BuildSettings& s) { s.fitter = find_fitter("dito-14"); },
          +[](BuildSettings& s) { s.splitter = find_splitter("mean"); },
          +[](BuildSettings& s) { s.max_leaf_triangles = 1; }, +[](BuildSettings& s) { s.double_straddlers = true; },
          +[](BuildSettings& s) { s.seed = 2; }}) {
        BuildSettings changed = settings;
        change(changed);
        key = key_of(mesh, changed);
        EXPECT_NE(cache_file_name(key), cache_file_name(right));
        EXPECT_THAT(why_refused(), testing::HasSubstr("other settings"));
    }
}

TEST_F(TreeFiles, ThatAreNoFilesAreRefused) {
    EXPECT_THROW(load_tree(folder), TreeFileError);
    EXPECT_THROW(load_tree(folder / "none"), TreeFileError);
    EXPECT_THROW(load_tree("/dev/zero"), TreeFileError);
    EXPECT_THROW(save_tree(folder / "no such folder" / "tree", tree, key), TreeFileError);
}

TEST_F(TreeFiles, CacheBuildsOnceAndBuildsAgainWhatIsDamaged) {
    const CachedTree first = cached_tree(mesh, settings, folder / "cache");
    EXPECT_FALSE(first.was_stored);
    EXPECT_EQ(first.note, "");
    const CachedTree second = cached_tree(mesh, settings, folder / "cache");
    EXPECT_TRUE(second.was_stored);
    EXPECT_TRUE(same(first.tree, second.tree));

    const fs::path file = folder / "cache" / cache_file_name(key);
    fs::resize_file(file, fs::file_size(file) / 2);
    const CachedTree third = cached_tree(mesh, settings, folder / "cache");
    EXPECT_FALSE(third.was_stored);
    EXPECT_THAT(third.note, testing::HasSubstr("cut short"));
    EXPECT_TRUE(cached_tree(mesh, settings, folder / "cache").was_stored);
}

TEST_F(TreeFiles, CacheThatCannotBeWrittenStillGivesTheTree) {
    std::ofstream(folder / "in the way") << "x";
    const CachedTree result = cached_tree(mesh, settings, folder / "in the way");
    EXPECT_TRUE(same(result.tree, tree));
    EXPECT_NE(result.note, "");
}

#ifndef _WIN32
TEST_F(TreeFiles, CacheIsSharedByProcessesThatAllWriteAtOnce) {
    constexpr int kProcesses = 4, kRounds = 60;
    std::vector<pid_t> children;
    for (int process = 0; process < kProcesses; ++process) {
        const pid_t child = ::fork();
        ASSERT_GE(child, 0);
        if (child > 0) {
            children.push_back(child);
            continue;
        }
        // Every process keeps removing, damaging and loading files; no answer may be wrong.
        int wrong = 0;
        const fs::path file = folder / "cache" / cache_file_name(key);
        std::error_code ignored;
        for (int round = 0; round < kRounds; ++round) {
            try {
                if (!same(cached_tree(mesh, settings, folder / "cache").tree, tree)) ++wrong;
            } catch (...) {
                ++wrong;
            }
            if (round % 3 == process % 3) fs::remove(file, ignored);
            if (round % 5 == process % 5) std::ofstream(file, std::ios::binary | std::ios::app) << "x";
        }
        ::_exit(wrong == 0 ? 0 : 1);
    }
    for (const pid_t child : children) {
        int status = 0;
        ::waitpid(child, &status, 0);
        EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    }
}
#endif

TEST(HashBytes, EveryByteAndTheLengthCount) {
    std::vector<std::byte> bytes(100, std::byte{7});
    const std::uint64_t whole = hash_bytes(bytes);
    for (std::size_t i = 0; i < bytes.size(); ++i) {
        auto changed = bytes;
        changed[i] = std::byte{8};
        EXPECT_NE(hash_bytes(changed), whole) << i;
        EXPECT_NE(hash_bytes(std::span(bytes).first(i)), whole) << i;
    }
    EXPECT_NE(hash_bytes(bytes, 1), whole);
}

}  // namespace
}  // namespace glovebox::collision
