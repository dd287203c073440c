// Box trees in files, and a folder of them that processes share.
//
// A file holds one tree and the key that says what it was built from: the mesh, by hash, and every setting that can
// change a node. It is mapped, copied at the disk's speed on one core while another checks it, and believed only after
// its size, checksum, key and structure have been found whole. Files are written under another name and renamed, so a
// reader sees the old file, the new one or none.
//
// Layout, little-endian: 8 bytes "GBXTREE\n", header (TreeFileHeader), nodes of 68 bytes (centre 3, axes 9 by column,
// half extents 3, all float; first, count), triangle numbers of 4 bytes.
#pragma once

#include <filesystem>
#include <stdexcept>
#include <string>

#include "collision/mesh/build.h"

namespace glovebox::collision {

/// What a tree was built from. Equal keys mean equal trees, bit by bit.
struct TreeKey {
    std::uint64_t mesh_hash = 0;
    std::int64_t vertices = 0, triangles = 0;
    std::string fitter, splitter;
    std::int32_t max_leaf_triangles = 0;
    bool double_straddlers = false;
    std::uint64_t seed = 0;
    std::uint32_t builder = 0;  ///< raised whenever a builder's results change

    friend bool operator==(const TreeKey&, const TreeKey&) = default;
};
TreeKey key_of(const Mesh& mesh, const BuildSettings& settings);
std::uint64_t hash_of(const Mesh& mesh);

/// A file that is not a whole, undamaged tree, or not the one asked for. The message names the file and the reason.
struct TreeFileError : std::runtime_error {
    using std::runtime_error::runtime_error;
};

struct StoredTree {
    BoxTree tree;
    TreeKey key;
};

/// Throws TreeFileError where the folder cannot be written; leaves nothing half-written behind.
void save_tree(const std::filesystem::path& path, const BoxTree& tree, const TreeKey& key);

/// Throws TreeFileError. Allocates no more than twice the file's own size.
StoredTree load_tree(const std::filesystem::path& path);

/// The same, and the tree must be the one that `key` describes.
BoxTree load_tree(const std::filesystem::path& path, const TreeKey& key);

struct CachedTree {
    BoxTree tree;
    bool was_stored = false;   ///< read from the folder, not built
    bool was_refused = false;  ///< there was one, or a folder, that could not be believed; `note` says why
    std::string note;          ///< why a stored tree was refused or could not be kept; empty when all went well
};

/// Returns why what lies in a folder of this user's could be a stranger's ("belongs to another user"); empty: it is
/// this user's own, or is not there yet. A folder that others may read is closed to them.
std::string fault_of_cache(const std::filesystem::path& folder);

/// The stored tree of this mesh and these settings; where there is none, or none that can be believed, it is built and
/// kept. Any number of processes may use the same folder: readers take no lock, writers rename. A folder that cannot be
/// written costs the keeping, nothing else. A folder is made for its user alone; one that is another user's, or that
/// others may write to, is not used. A stored tree is used only if its boxes hold this mesh's triangles. Throws what
/// build_tree throws.
CachedTree cached_tree(const Mesh& mesh, const BuildSettings& settings, const std::filesystem::path& folder);

/// Name of the file in the folder.
std::string cache_file_name(const TreeKey& key);

}  // namespace glovebox::collision
