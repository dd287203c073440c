// Writers of recordings, one for each format. A writer gets one sample at a time; the complete file appears atomically.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "recordings/load.h"
#include "recordings/output.h"

namespace glovebox::recordings {

/// Writes the samples of one file.
struct SampleWriter {
    SampleSink write;
    /// Call it once, after the last sample. Returns a sentence about content that the format cannot express; empty if
    /// there is none.
    std::function<std::string()> finish;
};

/// Write CSV or JSON lines. Everything except the times of arrival is kept, also missing joints, NaN and other times.
SampleWriter glovebox_csv_writer(Output& out);
SampleWriter json_lines_writer(Output& out);
/// Writes NumPy arrays without loss. All samples stay in memory until finish().
SampleWriter npz_writer(Output& out);
/// The hands that occur in a recording.
using HandsPresent = tracking::PerSide<bool>;

/// Writes BVH for other programs, with positions rounded to 1e-8 m and the mean frame time. Only `present` hands get a
/// skeleton. BVH cannot mark a hand as missing, so a lost hand stays where it was.
SampleWriter bvh_writer(Output& out, const HandsPresent& present);

/// Write the first hand in the layout of Monado's recorder: its finger joints relative to the wrist, and its wrist in
/// space. Lost hands have no row; radii, validity and device times are not written.
SampleWriter openxr_csv_writer(Output& out);
SampleWriter openxr_wrist_csv_writer(Output& out);

/// An entry of the table of writers. `glove` has no writer, because a log is more than a file of samples.
struct WriterRow {
    std::string_view name, ending, summary;
    SampleWriter (*writer)(Output&) = nullptr;
    SampleWriter (*writer_of_hands)(Output&, const HandsPresent&) = nullptr;  ///< if the hands must be known first
};
std::span<const WriterRow> writer_table();

/// Returns an error message unless there is a writer for this file, and an empty text otherwise. `as` must name a
/// writer or, if it is empty, a writer must have the file name extension of `to`.
std::string check_writer(const std::filesystem::path& to, std::string_view as);

/// Writes a recording in memory. `as` is the name of a writer; if it is empty, the first writer with the file name
/// extension of `to` is used. Returns the result of SampleWriter::finish. Throws ExportError if the file cannot be
/// written or expect_replaceable() throws.
std::string save(const Recording& recording, const std::filesystem::path& to, std::string_view as = {},
                 bool force = false);

/// Reads any format and writes one, chosen as in save(). Memory does not grow with the file. To write BVH, the file is
/// read twice, because its hands must be known first. Returns the report of stream(). Throws ImportError if the file
/// cannot be read, and ExportError if the new file cannot be written.
ImportReport convert(const std::filesystem::path& from, const std::filesystem::path& to, const ImportOptions& options,
                     std::string_view as = {}, bool force = false);

}  // namespace glovebox::recordings
