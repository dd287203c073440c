// What a search by touch needs of a recording, in one file beside it: its hands, frame by frame, and swept trees over
// them.
//
// Made once (`glovebox clips index`), then mapped: a search reads the few pages that it looks at. Hands are kept as the
// replay's own ingest leaves them (guarded, radii filled in) and before they are placed in a scene, so one index serves
// all scenes, and posing a kept frame gives the very floats that a replay has.
//
// The file says which log it was made from (size, time of change and hash of the contents) and under which import
// options; an index of something else is refused. All of it is hashed: what is read on opening is checked on opening;
// times, frames and swept cones are checked as they are read. Written beside and renamed: a file is whole or not there.
// Layout: header, then sections at multiples of 64 bytes, little-endian, floats as in memory.
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

/// The index is missing, damaged or of something else; making it again helps.
struct IndexError : std::runtime_error {
    IndexError(const std::filesystem::path& index, const std::string& reason)
        : std::runtime_error(index.string() + ": " + reason), path(index) {}
    std::filesystem::path path;  ///< of the index
};

/// Which file an index was made from, and how it was read.
struct LogStamp {
    std::uint64_t size = 0;
    std::int64_t changed_ns = 0;
    std::uint64_t content_hash = 0;
    std::uint64_t options_hash = 0;
};
std::uint64_t hash_of(const recordings::ImportOptions& options);

/// LOG.touch
std::filesystem::path index_path(const std::filesystem::path& log);

class TakeIndex {
  public:
    /// From a recording in memory; `log` is the file that it came from, or empty for a generated one.
    static TakeIndex build(const recordings::Recording& recording, const std::filesystem::path& log = {},
                           const recordings::ImportOptions& options = {});

    /// Opens LOG's index. Throws IndexError where there is none, it is damaged, of another version, of other contents
    /// of the log (told by size and time of change; by hash where only the time differs) or of other options.
    static TakeIndex open(const std::filesystem::path& log, const recordings::ImportOptions& options = {});

    /// Opens it, or makes it from the log and stores it beside. Where that cannot be written the index lives in memory
    /// only. `made_because` stays empty where it was opened, and says else why it was made, such as why the one that
    /// was there was refused. Throws what recordings::load() throws.
    static TakeIndex open_or_make(const std::filesystem::path& log, const recordings::ImportOptions& options,
                                  std::string& made_because);

    /// The second half of it, for damage that is found when a search comes to it.
    static TakeIndex make_again(const std::filesystem::path& log, const recordings::ImportOptions& options,
                                const IndexError& error, std::string& made_because);

    /// Writes the index to a file, whole or not at all. Throws std::runtime_error.
    void save(const std::filesystem::path& path) const;
    /// Opens a file without asking which log it is of.
    static TakeIndex open_file(const std::filesystem::path& path);

    int frame_count() const;
    /// Throws IndexError if they are damaged, as do all that tell a time.
    std::span<const std::int64_t> times_ns() const;
    double time_s(int frame) const;
    double duration_s() const { return time_s(frame_count() - 1); }
    bool has(tracking::Side side) const;
    std::size_t size_bytes() const;
    const LogStamp& stamp() const;

    /// Where the recording's hands go in a scene: what placement_of() says of the recording itself.
    scenes::HandPlacement placement_in(const scenes::Scene& scene) const;

    /// One hand in a scene, ready to be searched. Refers to this index. nullopt where the hand is never there.
    std::optional<collision::clips::SweptBody> hand_in(const scenes::HandPlacement& placement,
                                                       tracking::Side side) const;

    /// The hands of a frame as the index keeps them, before placement. Throws IndexError if the frame is damaged.
    void frame(int frame, tracking::HandPair& hands) const;

  private:
    struct Storage;
    std::shared_ptr<const Storage> storage_;
};

}  // namespace glovebox::vr
