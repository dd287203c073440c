// Writers of recordings, one for each format. They write sample by sample; the file appears atomically.
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
    /// Call it once, after the last sample. Returns what the format cannot express, in a sentence; empty: nothing.
    std::function<std::string()> finish;
};

/// Write CSV or JSON lines without loss, except for times of arrival. Missing joints, NaN and other times are kept.
SampleWriter glovebox_csv_writer(Output& out);
SampleWriter json_lines_writer(Output& out);
/// Writes NumPy arrays without loss. Keeps all samples in memory until finish().
SampleWriter npz_writer(Output& out);
/// The hands that occur in a recording.
using HandsPresent = tracking::PerSide<bool>;

/// Writes BVH for other programs: positions to 1e-8 m, and the mean frame time. BVH cannot mark a hand as missing, so a
/// lost hand stays where it was, and only `present` hands get a skeleton.
SampleWriter bvh_writer(Output& out, const HandsPresent& present);

/// Write the layout of Monado's recorder for the first hand: fingers relative to its wrist, and the wrist in space.
/// Lost hands have no row; radii, validity and device times are not written.
SampleWriter openxr_csv_writer(Output& out);
SampleWriter openxr_wrist_csv_writer(Output& out);

/// An entry of the table of writers. `glove` has no writer, because a log is more than a file of samples.
struct WriterRow {
    std::string_view name, ending, summary;
    SampleWriter (*writer)(Output&) = nullptr;
    SampleWriter (*writer_of_hands)(Output&, const HandsPresent&) = nullptr;  ///< if the hands must be known first
};
std::span<const WriterRow> writer_table();

/// Returns an empty text if `as` names a writer, or if `as` is empty and a writer has the ending of `to`; else an error
/// message.
std::string check_writer(const std::filesystem::path& to, std::string_view as);

/// Writes a recording in memory. `as` is the name of a writer; empty: the first writer with the ending of `to`. Returns
/// what the format cannot express, as SampleWriter::finish does. Throws ExportError, also if expect_replaceable() does.
std::string save(const Recording& recording, const std::filesystem::path& to, std::string_view as = {},
                 bool force = false);

/// Reads any format and writes one, chosen as in save(). Memory does not grow with the file. For BVH the file is read
/// twice, because its hands must be known first. Throws ImportError or ExportError. Returns the report of stream().
ImportReport convert(const std::filesystem::path& from, const std::filesystem::path& to, const ImportOptions& options,
                     std::string_view as = {}, bool force = false);

}  // namespace glovebox::recordings
