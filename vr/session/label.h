// Contact labels: for each frame, hand and bone of a recording what it touches, as a table for learning and statistics.
//
// One part file per recording, written whole or not at all, with what it was made from in its first line. So a run that
// was interrupted goes on where it was, shards on other machines make disjoint parts, and joining is concatenation.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace glovebox::vr {

struct LabelSettings {
    std::vector<std::string> inputs;  ///< recordings, bundled ones by name, folders (with all below them)
    std::string scene;                ///< built-in name or file; empty: the first
    std::string hand = "both", unit = "auto";
    std::optional<float> unit_m;      ///< the length of `unit`; empty: guessed
    std::filesystem::path out;        ///< .csv, .json or .glove; parts go to <out>.parts
    std::vector<std::string> inject;  ///< faults put into every recording, see recordings/inject.h
    int shard = 1, shards = 1;        ///< this run does the recordings number shard, shard + shards, ...
    int jobs = 0;                     ///< threads; 0: one per core
    bool force = false;               ///< replace what stands at `out`, if it is no recording
};

struct LabelSummary {
    int labelled = 0, resumed = 0, skipped = 0;  ///< recordings; skipped: not a recording, or broken
    bool complete = false;                       ///< every part is there and `out` has been written
    std::vector<std::string> notes;              ///< one line per skipped recording
};

/// Empty, or what is wrong with it as the name of a table of labels.
std::string check_label_path(const std::string& path);

/// Throws recordings::ExportError unless `out` and its data card may be written: no file is there, or one that this
/// wrote before. With `force` anything but a recording.
void expect_replaceable_labels(const std::filesystem::path& out, bool force);

/// Labels this shard's recordings on all cores; with one shard, joins the parts too. Progress on stderr on a terminal.
/// Throws std::runtime_error when there is nothing to label or a file cannot be written.
LabelSummary label(const LabelSettings& settings);

/// Joins <out>.parts into `out` and the data card <out>.card.json. Throws std::runtime_error when parts are missing,
/// named, or were made with different settings.
LabelSummary merge_labels(const std::filesystem::path& out, bool force = false);

}  // namespace glovebox::vr
