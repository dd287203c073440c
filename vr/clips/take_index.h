// Index file for searching a recording by touch: the hands of every frame, and trees of swept bones over them.
//
// It is built once (`glovebox clips index`), then memory-mapped: a search reads only the pages that it needs. Hands are
// stored as a replay's ingest stage leaves them (guarded, radii filled in) but before placement in a scene. So one
// index serves all scenes, and a stored frame gives exactly the floats of a replay.
//
// The file identifies its log (size, modification time, hash of the contents) and the import options; an index of
// another log or other options is rejected. Everything is hashed: the header and trees are verified on opening; times,
// frames and swept cones when they are read. Files are written atomically. Layout: header, then sections at multiples
// of 64 bytes, little-endian, floats as in memory.
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>

#include "collision/survey/clips/touch_search.h"
#include "recordings/load.h"
#include "scenes/placement.h"
#include "scenes/scene.h"

namespace glovebox::vr {

/// The index is missing, damaged or of another log or other options; rebuilding it helps.
struct IndexError : std::runtime_error {
    IndexError(const std::filesystem::path& index, const std::string& reason)
        : std::runtime_error(index.string() + ": " + reason), path(index) {}
    std::filesystem::path path;  ///< of the index
};

/// Identity of the file that an index was built from, and of the import options.
struct LogStamp {
    std::uint64_t size = 0;
    std::int64_t changed_ns = 0;
    std::uint64_t content_hash = 0;
    std::uint64_t options_hash = 0;
};
std::uint64_t hash_of(const recordings::ImportOptions& options);

/// Returns the path of a log's index: LOG.touch.
std::filesystem::path index_path(const std::filesystem::path& log);

/// An index in memory or in a mapped file. Copies share the data.
class TakeIndex {
  public:
    /// Builds an index from a recording in memory; `log` is its file, or empty for a generated one.
    static TakeIndex build(const recordings::Recording& recording, const std::filesystem::path& log = {},
                           const recordings::ImportOptions& options = {});

    /// Opens LOG's index. Throws IndexError if it is missing, damaged, of another version, of other contents of the log
    /// (by size and modification time; by hash if only the time differs) or of other options.
    static TakeIndex open(const std::filesystem::path& log, const recordings::ImportOptions& options = {});

    /// Opens LOG's index, or builds and stores it beside the log. If that cannot be written, the index is in memory
    /// only. `rebuilt_because` is empty if the index was opened, otherwise the reason why it was built, such as why the
    /// existing one was rejected. Throws what recordings::load() throws.
    static TakeIndex open_or_make(const std::filesystem::path& log, const recordings::ImportOptions& options,
                                  std::string& rebuilt_because);

    /// Builds and stores the index again, for damage (`error`) that is found during a search.
    static TakeIndex make_again(const std::filesystem::path& log, const recordings::ImportOptions& options,
                                const IndexError& error, std::string& rebuilt_because);

    /// Writes the index to a file, atomically. Throws std::runtime_error.
    void save(const std::filesystem::path& path) const;
    /// Opens an index file without checking which log it belongs to.
    static TakeIndex open_file(const std::filesystem::path& path);

    int frame_count() const;
    /// Returns the time of every frame. This and the other functions that return a time throw IndexError if the times
    /// are damaged.
    std::span<const std::int64_t> times_ns() const;
    double time_s(int frame) const;
    double duration_s() const { return time_s(frame_count() - 1); }
    bool has(tracking::Side side) const;
    std::size_t size_bytes() const;
    const LogStamp& stamp() const;

    /// Returns the placement of the hands in a scene: the same as placement_of() for the recording.
    scenes::HandPlacement placement_in(const scenes::Scene& scene) const;

    /// Returns one hand in a scene, for searching; nullopt if the hand is never tracked. The result refers to this
    /// index.
    std::optional<collision::clips::SweptBody> hand_in(const scenes::HandPlacement& placement,
                                                       tracking::Side side) const;

    /// Writes the hands of a frame, before placement, to `hands`. Throws IndexError if the frame is damaged.
    void frame(int frame, tracking::HandPair& hands) const;

  private:
    struct Storage;
    std::shared_ptr<const Storage> storage_;
};

}  // namespace glovebox::vr
