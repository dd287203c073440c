// Reads .glove logs: import as a recording format, random access by time, and recovery of damaged files.
#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "recordings/format.h"
#include "recordings/log/log_writer.h"
#include "tracking/hand_profile.h"

namespace glovebox::recordings {

/// Returns true if a file of this size that begins with `head` is a .glove log.
bool is_glove_log(std::string_view head, std::uintmax_t file_size);
/// Reads a whole log into `out`, as an entry of the table of formats. Throws ImportError on damage.
void read_glove_log(Input& in, const ImportOptions& options, Assembly& out);

/// Gives random access to a log. The constructor reads only the header; a seek is one index lookup.
class LogReader {
  public:
    /// Opens a log. Throws ImportError if the file is not a log, is damaged, or has a newer version.
    explicit LogReader(const std::filesystem::path& path);
    ~LogReader();

    std::int64_t sample_count() const;  ///< highest sample index plus one; constant cost
    std::int64_t duration_ns() const;
    std::map<std::string, std::string> meta() const;
    /// Returns the haptic commands sent to handheld devices, in the order of writing.
    std::vector<HapticRecord> haptics() const;
    /// Returns the force loop's commands to every output, in time order; their vibrations are not read.
    std::vector<ForceRecord> forces() const;
    /// Returns the profiles stored in the log; a hand without one gets that of `otherwise`.
    tracking::PerSide<tracking::HandProfile> profiles(const tracking::PerSide<tracking::HandProfile>& otherwise) const;
    /// Returns the state hash of each sample's frame; 0 for a sample without a frame. Empty if the log has no frames.
    std::vector<std::uint64_t> state_hashes() const;
    /// Returns the latest sample at or before `time_ns`; the first if `time_ns` is earlier. Throws ImportError on
    /// damage.
    tracking::HandPair at(std::int64_t time_ns);

  private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

/// Result of recover_log().
struct RecoveryReport {
    std::int64_t samples = 0, hands = 0, derived = 0;  ///< rows saved; `derived` counts those of all other tables
    std::int64_t lost_ranges = 0;                      ///< ranges in which rows could not be read
    std::int64_t timed_by_arrival = 0;                 ///< samples whose own time is lost
    std::int64_t missing_bytes = 0;                    ///< bytes missing compared with the length in the header
    bool was_damaged = false, had_journal = false;
    /// Formats the report in one paragraph.
    std::string text() const;
};

/// Saves every readable row into a new log, then reopens the new log and verifies it against what was written. For a
/// damaged log, also recovers rows that no B-tree refers to any more. Also reads a -wal or journal beside the log,
/// whichever program wrote it. Changes no input file. Throws ImportError if nothing can be saved, and ExportError if
/// the new log cannot be written or verified, or if expect_replaceable() throws.
RecoveryReport recover_log(const std::filesystem::path& from, const std::filesystem::path& to, bool force = false);

}  // namespace glovebox::recordings
