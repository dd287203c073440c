// Box trees in files, and a cache folder of them that processes share.
//
// A file contains one tree and its key: the hash of the mesh, and every setting that can change a node. Loading maps
// the file into memory; one thread copies it while another checks it. The tree is accepted only if size, checksum, key
// and structure are right. Files are written under a temporary name and renamed, so a reader sees the old file, the new
// file, or no file.
//
// The layout is little-endian: 8 bytes "GBXTREE\n", the header (TreeFileHeader), nodes of 68 bytes each, and triangle
// indices of 4 bytes each. A node is the centre (3 floats), the axes (9 floats, by column), the half extents (3
// floats), and the integers `first` and `count`.
#pragma once

#include <filesystem>
#include <stdexcept>
#include <string>

#include "collision/mesh/build.h"

namespace glovebox::collision {

/// The inputs that a tree was built from. Trees with equal keys are equal bit by bit.
struct TreeKey {
    std::uint64_t mesh_hash = 0;
    std::int64_t vertices = 0, triangles = 0;
    std::string fitter, splitter;
    std::int32_t max_leaf_triangles = 0;
    bool double_straddlers = false;
    std::uint64_t seed = 0;
    std::uint32_t builder = 0;  ///< incremented whenever a builder's results change

    friend bool operator==(const TreeKey&, const TreeKey&) = default;
};
TreeKey key_of(const Mesh& mesh, const BuildSettings& settings);
std::uint64_t hash_of(const Mesh& mesh);

/// Thrown for a file that is damaged, that is not a tree, or that is not the requested tree. The message names the file
/// and the reason.
struct TreeFileError : std::runtime_error {
    using std::runtime_error::runtime_error;
};

struct StoredTree {
    BoxTree tree;
    TreeKey key;
};

/// Writes the file atomically. Throws TreeFileError if the folder cannot be written; leaves no partial file behind.
void save_tree(const std::filesystem::path& path, const BoxTree& tree, const TreeKey& key);

/// Reads a tree. Throws TreeFileError. Allocates at most twice the size of the file.
StoredTree load_tree(const std::filesystem::path& path);

/// Reads a tree. Throws TreeFileError also if the tree is not the one that `key` describes.
BoxTree load_tree(const std::filesystem::path& path, const TreeKey& key);

struct CachedTree {
    BoxTree tree;
    bool was_stored = false;   ///< true if it was read from the folder, not built
    bool was_refused = false;  ///< true if a stored tree or the folder was rejected; see `note`
    std::string note;          ///< why a tree or the folder was rejected, or the tree could not be written; or empty
};

/// Checks that no other user can have written to a folder. Returns the fault, such as "belongs to another user", or ""
/// if there is none or no folder. If others may read this user's folder, that access is withdrawn.
std::string fault_of_cache(const std::filesystem::path& folder);

/// Returns the stored tree of this mesh and settings. If there is none, or it is rejected, builds the tree and stores
/// it. Any number of processes may share the folder: readers take no lock, and writers rename files. If the folder
/// cannot be written, the tree is built but not stored. A new folder is private to its user. A folder that belongs to
/// another user, or that others may write, is not used. A stored tree is used only if its boxes contain this mesh's
/// triangles. Throws what build_tree() throws.
CachedTree cached_tree(const Mesh& mesh, const BuildSettings& settings, const std::filesystem::path& folder);

/// Returns the name of the tree's file in the folder.
std::string cache_file_name(const TreeKey& key);

}  // namespace glovebox::collision
