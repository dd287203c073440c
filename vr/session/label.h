// Contact labels for learning and statistics: a table of the objects that each bone touches in each frame of many
// recordings.
//
// Each recording gets one part file, which is written atomically; the part's first line names its input and settings.
// Therefore an interrupted run can resume, shards on different machines write different parts, and merging concatenates
// the parts.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace glovebox::vr {

/// Options of a labelling run.
struct LabelSettings {
    std::vector<std::string> inputs;  ///< recording files, names of bundled recordings, folders (read recursively)
    std::string scene;                ///< built-in name or file; empty: the first
    std::string hand = "both", unit = "auto";
    std::optional<float> unit_m;      ///< the length of `unit`; empty: guessed
    std::filesystem::path out;        ///< .csv, .json or .glove; parts go to <out>.parts
    std::vector<std::string> inject;  ///< faults injected into every recording, see recordings/inject.h
    int shard = 1, shards = 1;        ///< this run labels recordings shard, shard + shards, ..., counted from 1
    int jobs = 0;                     ///< number of threads; 0: one per core
    bool force = false;               ///< replace a file at `out`, unless it is a recording
};

/// Result of a labelling run.
struct LabelSummary {
    int labelled = 0, resumed = 0, skipped = 0;  ///< numbers of recordings; skipped: unreadable or not a recording
    bool complete = false;                       ///< every part exists and `out` has been written
    std::vector<std::string> notes;              ///< one line per skipped recording
    bool failed = false;                         ///< a recording that was named, not found in a folder, was skipped
};

/// Returns an error message if `path` cannot name a table of labels, otherwise an empty string.
std::string check_label_path(const std::string& path);

/// Throws recordings::ExportError unless `out` and its data card may be written. A file may be written if it does not
/// exist, or if an earlier run wrote it. With `force`, any file that is not a recording may be replaced.
void expect_replaceable_labels(const std::filesystem::path& out, bool force);

/// Labels this shard's recordings in parallel. If there is only one shard, merges the parts, too. Shows progress on
/// stderr if stderr is a terminal. Throws std::runtime_error if there is nothing to label or a file cannot be written.
LabelSummary label(const LabelSettings& settings);

/// Merges <out>.parts into `out` and the data card <out>.card.json, and removes the parts. Throws std::runtime_error if
/// parts are missing (the message names them) or were made with different settings.
LabelSummary merge_labels(const std::filesystem::path& out, bool force = false);

}  // namespace glovebox::vr
