// Recordings to files: one writer a format, sample by sample, nothing half-written.
#pragma once

#include <filesystem>
#include <fstream>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "recordings/load.h"

namespace glovebox::recordings {

/// Cannot write: which file, why. One line.
struct ExportError : std::runtime_error {
    using std::runtime_error::runtime_error;
};

/// A file on its way out. It is written beside its place and moved there by commit(): until then, and if commit() is
/// never called, what stood there stays as it was.
class Output {
  public:
    /// Throws ExportError if the folder cannot be written to.
    explicit Output(const std::filesystem::path& path);
    ~Output();
    Output(const Output&) = delete;
    Output& operator=(const Output&) = delete;

    void write(std::string_view text);  ///< throws ExportError when the disk is full
    /// Overwrites earlier bytes. For counts that are known only at the end.
    void patch(std::uint64_t at, std::string_view text);
    std::uint64_t size() const { return size_; }
    void commit();

  private:
    std::filesystem::path path_, part_;
    std::ofstream file_;
    std::uint64_t size_ = 0;
    bool committed_ = false;
};

struct SampleWriter {
    SampleSink write;
    std::function<void()> finish;  ///< to be called once, after the last sample
};

/// Lossless: every bit of every sample comes back, missing joints, NaN and times included.
SampleWriter glovebox_csv_writer(Output& out);
SampleWriter json_lines_writer(Output& out);
/// For other programs: positions to 1e-8 m; a constant frame time (the mean); a hand that is missing stays where it
/// was.
SampleWriter bvh_writer(Output& out);

/// Writes a recording that is in memory; formats as convert(). Throws ExportError.
void save(const Recording& recording, const std::filesystem::path& to);

/// Reads any format and writes the one that the ending of `to` names: .csv, .jsonl, .bvh or .glove. Memory does not
/// grow with the file. Throws ImportError or ExportError. Returns what was said while reading.
ImportReport convert(const std::filesystem::path& from, const std::filesystem::path& to, const ImportOptions& options);

}  // namespace glovebox::recordings
