// A file of JSON lines, one for each recording, that an interrupted run can continue.
//
// The first line names the command, the settings and the version that made the file. Every line is flushed when its
// recording is done. The next run keeps the complete lines and removes a last line that was cut off. A file with
// another first line is never changed.
#pragma once

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <set>
#include <string>

#include "recordings/output.h"

namespace glovebox::vr {

class LineOutput {
  public:
    /// Opens or creates the file. `settings` is everything besides the recording that a line depends on. If `force` is
    /// set, a file that this command did not make is replaced, unless it is a recording. Throws recordings::ExportError
    /// if the file cannot be written, or has contents that this command did not make with these settings.
    LineOutput(const std::filesystem::path& path, std::string_view command, const nlohmann::ordered_json& settings,
               bool force = false);

    /// Returns whether the file has a complete line for the recording. `./take.csv` and `take.csv` are the same.
    bool has(const std::string& recording) const;

    /// Returns whether `recording` is this file, which may stand in the folder of recordings.
    bool is_output(const std::filesystem::path& recording) const;

    /// Appends the line {"path": recording, ...}. A line of a recording that could not be read has the member `error`;
    /// a line of one that is unfit for measurements has a list `unfit`. Throws recordings::ExportError if the disk is
    /// full.
    void add(const std::string& recording, const nlohmann::ordered_json& rest);

    /// Counts of the lines that earlier runs wrote.
    struct Earlier {
        std::size_t lines = 0, errors = 0, unfit = 0;
    };
    const Earlier& earlier() const { return earlier_; }

    /// Returns a sentence such as "3 read, 2 were there already, 1 skipped", for what this run added.
    std::string summary() const;

  private:
    void take_over(const std::string& head, bool force);

    std::filesystem::path file_;
    recordings::WriterLock lock_;
    std::set<std::string> done_;
    Earlier earlier_;
    std::size_t read_ = 0, skipped_ = 0;
    std::ofstream out_;
};

}  // namespace glovebox::vr
