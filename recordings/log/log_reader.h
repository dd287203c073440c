// Reading .glove logs: as a format among the others, at any time at once, and out of damaged files.
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

bool is_glove_log(std::string_view head, std::uintmax_t file_size);
void read_glove_log(Input& in, const ImportOptions& options, Assembly& out);

/// A log that is looked into here and there. Opening reads the header only; a seek is one step down an index.
class LogReader {
  public:
    /// Throws ImportError: not a log, a newer version, damaged.
    explicit LogReader(const std::filesystem::path& path);
    ~LogReader();

    std::int64_t sample_count() const;  ///< as numbered; constant cost
    std::int64_t duration_ns() const;
    std::map<std::string, std::string> meta() const;
    /// What the devices in the hands were told, in order.
    std::vector<HapticRecord> haptics() const;
    /// What the force loop asked of every output, in order of time.
    std::vector<ForceRecord> forces() const;
    /// As kept in the log; a hand that the log says nothing of keeps `otherwise`.
    tracking::PerSide<tracking::HandProfile> profiles(const tracking::PerSide<tracking::HandProfile>& otherwise) const;
    /// Of the frames that were made from the samples, by sample; 0 where there was none. Empty: there were no frames.
    std::vector<std::uint64_t> state_hashes() const;
    /// The sample whose time is the last at or before `time_ns`, or the first. Throws ImportError on damage.
    tracking::HandPair at(std::int64_t time_ns);

  private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

struct RecoveryReport {
    std::int64_t samples = 0, hands = 0, derived = 0;  ///< rows saved
    std::int64_t lost_ranges = 0;                      ///< places where rows could not be read
    std::int64_t timed_by_arrival = 0;                 ///< samples whose own time is lost
    std::int64_t missing_bytes = 0;                    ///< by which the file is shorter than it says
    bool was_damaged = false, had_journal = false;
    std::string text() const;
};

/// Saves every row that can still be read into a new log, then opens that again and checks it against what was written.
/// Of a damaged one also rows that no tree leads to any more. Reads what stands beside the log, whoever wrote it, and
/// leaves all as it is.
/// Throws ImportError if nothing can be saved, ExportError if the new log cannot be written or does not hold, or where
/// expect_replaceable() does.
RecoveryReport recover_log(const std::filesystem::path& from, const std::filesystem::path& to, bool force = false);

}  // namespace glovebox::recordings
