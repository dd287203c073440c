#include "collision/mesh/tree_file.h"

#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>
#include <tbb/parallel_invoke.h>

#include <array>
#include <atomic>
#include <bit>
#include <cstdio>
#include <cstring>
#include <string_view>
#include <type_traits>
#include <utility>

#include "collision/mesh/hash.h"
#include "collision/mesh/tree_check.h"
#include "collision/mesh/tree_storage.h"

namespace glovebox::collision {
namespace {

static_assert(std::endian::native == std::endian::little, "the file's byte order is the machine's");
static_assert(sizeof(BoxTree::Node) == 68 && std::is_trivially_copyable_v<std::int32_t>);

constexpr std::array<char, 8> kMagic = {'G', 'B', 'X', 'T', 'R', 'E', 'E', '\n'};
constexpr std::uint32_t kFormat = 2;
constexpr std::uint32_t kBuilder = 3;

struct TreeFileHeader {
    std::array<char, 8> magic;
    std::uint32_t format;
    std::uint32_t builder;
    std::uint64_t mesh_hash;
    std::int64_t vertices, triangles;
    std::array<char, 32> fitter, splitter;  // zero-terminated
    std::int32_t max_leaf_triangles;
    std::uint32_t double_straddlers;
    std::uint64_t seed;
    std::int64_t nodes, order;
    std::uint64_t payload_hash;
    std::uint64_t header_hash;  // of all fields above
};
static_assert(sizeof(TreeFileHeader) == 152 && std::is_trivially_copyable_v<TreeFileHeader>);

template <class T>
std::span<const std::byte> bytes_of(const std::vector<T>& values) {
    return std::as_bytes(std::span(values));
}

std::uint64_t header_hash(const TreeFileHeader& header) {
    return hash_bytes(std::as_bytes(std::span(&header, 1)).first(offsetof(TreeFileHeader, header_hash)));
}

// Data is hashed in chunks of a megabyte, each hash seeding the next, so that a chunk is hashed while the disk reads
// the next.
constexpr std::size_t kChunk_bytes = std::size_t{1} << 20;

std::uint64_t hash_in_chunks(std::span<const std::byte> bytes, std::uint64_t hash) {
    for (std::size_t at = 0; at < bytes.size(); at += kChunk_bytes)
        hash = hash_bytes(bytes.subspan(at, std::min(kChunk_bytes, bytes.size() - at)), hash);
    return hash;
}
std::uint64_t payload_hash(const BoxTree& tree) {
    return hash_in_chunks(bytes_of(tree.order), hash_in_chunks(bytes_of(tree.nodes), 0));
}

[[noreturn]] void refuse(const std::filesystem::path& path, const std::string& why) {
    throw TreeFileError(path.string() + ": " + why);
}
// `count` values of the file, from `offset`.
template <class T>
std::span<const T> values_at(std::span<const std::byte> bytes, std::size_t offset, std::size_t count) {
    return {reinterpret_cast<const T*>(bytes.data() + offset), count};
}

// Returns the fault that `step` throws; empty if none.
template <class Step>
std::string fault_of(const Step& step) {
    try {
        step();
    } catch (const std::invalid_argument& error) {
        return error.what();
    }
    return {};
}

// Returns the fault in the bytes or links of a stored tree. Links are checked while their chunks arrive from the disk.
// A fault in them is reported only if the checksum shows that the bytes are as written.
std::string fault_in_links(const TreeFileHeader& header, std::span<const BoxTree::Node> nodes,
                           std::span<const std::int32_t> order, TreeChecker& checker) {
    std::string fault;
    const std::span<const std::byte> bytes = std::as_bytes(nodes);
    std::uint64_t hash = 0;
    for (std::size_t at = 0; at < bytes.size(); at += kChunk_bytes) {
        const std::size_t end = std::min(at + kChunk_bytes, bytes.size());
        hash = hash_bytes(bytes.subspan(at, end - at), hash);
        if (fault.empty()) fault = fault_of([&] { checker.check_links(end / sizeof(BoxTree::Node)); });
    }
    if (hash_in_chunks(std::as_bytes(order), hash) != header.payload_hash) return "is damaged";
    return fault.empty() ? fault_of([&] { checker.finish(); }) : fault;
}

// Returns the fault in a box of the tree. Uses all cores.
std::string fault_in_boxes(const TreeChecker& checker, std::size_t node_count) {
    std::atomic<bool> fine = true;
    tbb::parallel_for(tbb::blocked_range<std::size_t>(0, node_count, 8192), [&](const auto& range) {
        if (!fault_of([&] { checker.check_boxes(range.begin(), range.end()); }).empty()) fine = false;
    });
    return fine ? "" : fault_of([&] { checker.check_boxes(0, node_count); });
}

std::array<char, 32> fixed_name(std::string_view name) {
    std::array<char, 32> result{};
    std::copy_n(name.begin(), std::min(name.size(), result.size() - 1), result.begin());
    return result;
}
std::string name_of(const std::array<char, 32>& fixed) {
    return {fixed.data(), strnlen(fixed.data(), fixed.size())};
}

}  // namespace

std::string fault_of_cache(const std::filesystem::path& folder) {
    return fault_of_private_folder(folder);
}

std::uint64_t hash_of(const Mesh& mesh) {
    return hash_bytes(bytes_of(mesh.triangles), hash_bytes(bytes_of(mesh.vertices_m)));
}

TreeKey key_of(const Mesh& mesh, const BuildSettings& settings) {
    return {hash_of(mesh),
            static_cast<std::int64_t>(mesh.vertices_m.size()),
            static_cast<std::int64_t>(mesh.triangles.size()),
            std::string(settings.fitter->name),
            std::string(settings.splitter->name),
            settings.max_leaf_triangles,
            settings.double_straddlers,
            settings.seed,
            kBuilder};
}

void save_tree(const std::filesystem::path& path, const BoxTree& tree, const TreeKey& key) {
    TreeFileHeader header{kMagic,
                          kFormat,
                          key.builder,
                          key.mesh_hash,
                          key.vertices,
                          key.triangles,
                          fixed_name(key.fitter),
                          fixed_name(key.splitter),
                          key.max_leaf_triangles,
                          key.double_straddlers ? 1U : 0U,
                          key.seed,
                          static_cast<std::int64_t>(tree.nodes.size()),
                          static_cast<std::int64_t>(tree.order.size()),
                          payload_hash(tree),
                          0};
    header.header_hash = header_hash(header);

    const std::array parts = {std::as_bytes(std::span<const TreeFileHeader>(&header, 1)), bytes_of(tree.nodes),
                              bytes_of(tree.order)};
    if (const std::string why = write_whole(path, parts); !why.empty()) refuse(path, "cannot be written: " + why);
}

StoredTree load_tree(const std::filesystem::path& path) {
    const StoredBytes file(path);
    if (!file.fault().empty()) refuse(path, file.fault());
    const std::span<const std::byte> bytes = file.view();

    TreeFileHeader header{};
    if (bytes.size() >= sizeof(header)) std::memcpy(&header, bytes.data(), sizeof(header));
    if (header.magic != kMagic) refuse(path, "is not a tree file; make one with `glovebox fit`");
    if (header.format != kFormat)
        refuse(path, "is of format " + std::to_string(header.format) + ", this program reads " +
                         std::to_string(kFormat) + "; build it again");
    if (header.header_hash != header_hash(header)) refuse(path, "has a damaged header; build it again");
    // The header is intact, so these numbers are as written; a truncated file is detected here, before any allocation.
    constexpr std::int64_t kMax = std::int64_t{1} << 31;
    if (header.nodes < 1 || header.nodes >= kMax || header.order < 1 || header.order >= kMax ||
        bytes.size() != sizeof(header) + static_cast<std::uint64_t>(header.nodes) * sizeof(BoxTree::Node) +
                            static_cast<std::uint64_t>(header.order) * sizeof(std::int32_t))
        refuse(path, "is cut short or too long; build it again");
    if (header.triangles < 1 || header.triangles > header.order)
        refuse(path, "counts its triangles wrongly; build it again");

    const auto node_count = static_cast<std::size_t>(header.nodes);
    const auto nodes = values_at<BoxTree::Node>(bytes, sizeof(header), node_count);
    const auto order = values_at<std::int32_t>(bytes, sizeof(header) + node_count * sizeof(BoxTree::Node),
                                               static_cast<std::size_t>(header.order));
    // One thread checks while another copies; both follow the disk.
    StoredTree stored;
    std::string fault;
    TreeChecker checker(nodes, order, header.triangles, header.double_straddlers != 0);
    tbb::parallel_invoke([&] { fault = fault_in_links(header, nodes, order, checker); },
                         [&] {
                             stored.tree.nodes.resize(nodes.size());
                             std::memcpy(static_cast<void*>(stored.tree.nodes.data()), nodes.data(),
                                         nodes.size_bytes());
                             stored.tree.order.assign(order.begin(), order.end());
                         });
    if (fault.empty()) fault = fault_in_boxes(checker, nodes.size());
    if (!fault.empty()) refuse(path, fault + "; build it again");
    stored.key = {header.mesh_hash,
                  header.vertices,
                  header.triangles,
                  name_of(header.fitter),
                  name_of(header.splitter),
                  header.max_leaf_triangles,
                  header.double_straddlers != 0,
                  header.seed,
                  header.builder};
    return stored;
}

BoxTree load_tree(const std::filesystem::path& path, const TreeKey& key) {
    StoredTree stored = load_tree(path);
    if (stored.key.mesh_hash != key.mesh_hash || stored.key.vertices != key.vertices ||
        stored.key.triangles != key.triangles)
        refuse(path, "is the tree of another mesh; build it again");
    if (stored.key != key) refuse(path, "was built with other settings; build it again");
    return std::move(stored.tree);
}

std::string cache_file_name(const TreeKey& key) {
    const std::string settings = key.fitter + '\n' + key.splitter + '\n' + std::to_string(key.max_leaf_triangles) +
                                 '\n' + std::to_string(key.double_straddlers) + '\n' + std::to_string(key.seed) + '\n' +
                                 std::to_string(key.builder);
    std::array<char, 64> name{};
    std::snprintf(name.data(), name.size(), "%016llx-%016llx.gbxtree", static_cast<unsigned long long>(key.mesh_hash),
                  static_cast<unsigned long long>(hash_bytes(std::as_bytes(std::span(settings)))));
    return name.data();
}

CachedTree cached_tree(const Mesh& mesh, const BuildSettings& settings, const std::filesystem::path& folder) {
    check(mesh);
    const TreeKey key = key_of(mesh, settings);
    const std::filesystem::path path = folder / cache_file_name(key);
    CachedTree result;
    std::error_code ignored;
    if (const std::string fault = fault_of_cache(folder); !fault.empty()) {
        result.note = folder.string() + ": " + fault + "; trees are not kept there until it is deleted";
        result.was_refused = true;
        result.tree = build_tree(mesh, settings);
        return result;
    }
    if (std::filesystem::exists(path, ignored)) {
        try {
            result.tree = load_tree(path, key);
            // A box that does not contain its triangles makes queries miss them, and no hash tells who wrote the file.
            if (worst_excess_m(result.tree, mesh) > 0.0)
                refuse(path, "has boxes that do not hold its triangles; build it again");
            result.was_stored = true;
            return result;
        } catch (const TreeFileError& error) {
            const std::string_view reason = error.what();  // "PATH: why; what to do"; the advice is carried out here
            result.note = std::string(reason.substr(0, reason.rfind(';'))) + "; built again";
            result.was_refused = true;
        }
    }
    result.tree = build_tree(mesh, settings);
    try {
        make_private_folder(folder);
        save_tree(path, result.tree, key);
    } catch (const TreeFileError& error) {
        result.note += (result.note.empty() ? "" : ", but not kept: ") + std::string(error.what());
    }
    return result;
}

}  // namespace glovebox::collision
