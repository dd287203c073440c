// An index file for searching a recording by touch. It has the hands of every frame, and trees of swept bones over
// them.
//
// The index is built once (`glovebox clips index`) and then memory-mapped, so a search reads only the pages that it
// needs. Hands are stored as they are after the ingest stage of a replay (guarded, with radii filled in), but before
// they are placed in a scene. One index therefore serves all scenes, and a stored frame gives exactly the floats of a
// replay. If the log's profile has bones that are fitted to a skin, as `convert --profile` and `--record` store it, the
// trees are over these bones, and the index has the joints' orientations, too.
//
// The file identifies its log (size, modification time, hash of the contents) and the import options. An index of
// another log or with other options is rejected. All data have hashes: those of the header and the trees are checked
// when the file is opened, those of times, frames and swept cones when these are read. Files are written atomically. A
// file has a header and then sections at multiples of 64 bytes, in little-endian order, with floats as in memory.
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

/// Thrown if the index is missing or damaged, or belongs to another log or other options. Rebuilding the index helps.
struct IndexError : std::runtime_error {
    IndexError(const std::filesystem::path& index, const std::string& reason)
        : std::runtime_error(index.string() + ": " + reason), path(index) {}
    std::filesystem::path path;  ///< path of the index
};

/// Identity of the file that an index was built from, and of the import options.
struct LogStamp {
    std::uint64_t size = 0;
    std::int64_t changed_ns = 0;
    std::uint64_t content_hash = 0;
    std::uint64_t options_hash = 0;
};
/// Returns a hash of the options that change the imported samples.
std::uint64_t hash_of(const recordings::ImportOptions& options);

/// Returns the path of a log's index: LOG.touch.
std::filesystem::path index_path(const std::filesystem::path& log);

/// An index in memory or in a mapped file. Copies share the data.
class TakeIndex {
  public:
    /// Builds an index from a recording in memory. `log` is the file of the recording; it is empty for a generated
    /// recording.
    static TakeIndex build(const recordings::Recording& recording, const std::filesystem::path& log = {},
                           const recordings::ImportOptions& options = {});

    /// Opens the index of `log`. Throws IndexError if the index is missing or damaged, or if its version, the contents
    /// of the log or the options differ. Contents are compared by size and modification time, and by hash if only the
    /// time differs.
    static TakeIndex open(const std::filesystem::path& log, const recordings::ImportOptions& options = {});

    /// Opens the index of `log`, or builds it and stores it beside the log. If the file cannot be written, the index is
    /// in memory only. Sets `rebuilt_because` to the reason why the index was built, such as why the existing one was
    /// rejected. It is empty if the index was opened. Throws what recordings::load() throws.
    static TakeIndex open_or_make(const std::filesystem::path& log, const recordings::ImportOptions& options,
                                  std::string& rebuilt_because);

    /// Builds and stores the index again. Call it if a search finds damage (`error`).
    static TakeIndex make_again(const std::filesystem::path& log, const recordings::ImportOptions& options,
                                const IndexError& error, std::string& rebuilt_because);

    /// Writes the index to a file, atomically. Throws std::runtime_error if it cannot be written.
    void save(const std::filesystem::path& path) const;
    /// Opens an index file without checking which log it belongs to.
    static TakeIndex open_file(const std::filesystem::path& path);

    int frame_count() const;
    /// Returns the times of all frames. Like the other functions that return a time, throws IndexError if the times are
    /// damaged.
    std::span<const std::int64_t> times_ns() const;
    double time_s(int frame) const;
    double duration_s() const { return time_s(frame_count() - 1); }
    bool has(tracking::Side side) const;
    std::size_t size_bytes() const;
    const LogStamp& stamp() const;

    /// Returns the placement of the hands in a scene: the same that placement_of() returns for the recording.
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
