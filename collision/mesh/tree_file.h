// Box trees in files, and a cache folder of them that processes share.
//
// A file holds one tree and its key: the hash of the mesh, and every setting that can change a node. Loading maps the
// file and copies it on one thread while another checks it. The tree is accepted only if size, checksum, key and
// structure are right. Files are written under a temporary name and renamed, so a reader sees the old file, the new one
// or none.
//
// Layout, little-endian: 8 bytes "GBXTREE\n", header (TreeFileHeader), nodes of 68 bytes (centre 3, axes 9 by column,
// half extents 3, all float; first, count), triangle numbers of 4 bytes.
#pragma once

#include <filesystem>
#include <stdexcept>
#include <string>

#include "collision/mesh/build.h"

namespace glovebox::collision {

/// The inputs that a tree was built from. Equal keys mean trees that are equal bit by bit.
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

/// Thrown for a file that is damaged, no tree, or not the requested tree. The message names the file and the reason.
struct TreeFileError : std::runtime_error {
    using std::runtime_error::runtime_error;
};

struct StoredTree {
    BoxTree tree;
    TreeKey key;
};

/// Writes the file atomically. Throws TreeFileError if the folder cannot be written; leaves no partial file behind.
void save_tree(const std::filesystem::path& path, const BoxTree& tree, const TreeKey& key);

/// Reads a tree. Throws TreeFileError. Allocates at most twice the file's size.
StoredTree load_tree(const std::filesystem::path& path);

/// Reads a tree and also throws TreeFileError if it is not the one that `key` describes.
BoxTree load_tree(const std::filesystem::path& path, const TreeKey& key);

struct CachedTree {
    BoxTree tree;
    bool was_stored = false;   ///< read from the folder, not built
    bool was_refused = false;  ///< a stored tree or the folder was rejected; `note` tells why
    std::string note;          ///< why a stored tree was rejected or could not be written; empty if all went well
};

/// Returns why the content of a folder may come from another user ("belongs to another user"). Empty if the folder is
/// this user's own or does not exist. If others may read this user's folder, removes that access.
std::string fault_of_cache(const std::filesystem::path& folder);

/// Returns the stored tree of this mesh and settings; if there is none, or it is rejected, builds the tree and stores
/// it. Any number of processes may share the folder: readers take no lock, writers rename. If the folder cannot be
/// written, the tree is only not stored. A new folder is private to its user. A folder that belongs to another user, or
/// is writable by others, is not used. A stored tree is used only if its boxes contain this mesh's triangles. Throws
/// what build_tree() throws.
CachedTree cached_tree(const Mesh& mesh, const BuildSettings& settings, const std::filesystem::path& folder);

/// Returns the name of the tree's file in the folder.
std::string cache_file_name(const TreeKey& key);

}  // namespace glovebox::collision
