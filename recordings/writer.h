// Recordings to files: one writer a format, sample by sample, nothing half-written.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "recordings/load.h"
#include "recordings/output.h"

namespace glovebox::recordings {

struct SampleWriter {
    SampleSink write;
    /// To be called once, after the last sample. What the format had no room for, in a sentence; empty: nothing.
    std::function<std::string()> finish;
};

/// Lossless: every bit of every sample comes back, missing joints, NaN and times included; only times of arrival do
/// not.
SampleWriter glovebox_csv_writer(Output& out);
SampleWriter json_lines_writer(Output& out);
/// The same as arrays of NumPy. They are written when all samples are known: until then they are held in memory.
SampleWriter npz_writer(Output& out);
/// Which hands a recording has at all.
using HandsPresent = tracking::PerSide<bool>;

/// For other programs: positions to 1e-8 m; a constant frame time (the mean); a hand that is missing stays where it
/// was, for BVH cannot say that something is missing. So a skeleton is written of `present` hands only.
SampleWriter bvh_writer(Output& out, const HandsPresent& present);

/// In the layout of Monado's recorder: one hand (the first that is there), fingers relative to its wrist, and the wrist
/// itself in space. Lost hands have no row; radii, validity and device times are not kept.
SampleWriter openxr_csv_writer(Output& out);
SampleWriter openxr_wrist_csv_writer(Output& out);

/// What recordings are written as. `glove` is a row too; it has no writer, because a log is no file of samples alone.
struct WriterRow {
    std::string_view name, ending, summary;
    SampleWriter (*writer)(Output&) = nullptr;
    SampleWriter (*writer_of_hands)(Output&, const HandsPresent&) = nullptr;  ///< has to know them beforehand
};
std::span<const WriterRow> writer_table();

/// Empty if `as` names a row or, where it is empty, the ending of `to` belongs to one; else what is wrong and what
/// there is.
std::string check_writer(const std::filesystem::path& to, std::string_view as);

/// Writes a recording that is in memory. `as` is a row's name; empty: the first row with the ending of `to`. Throws
/// ExportError, also where expect_replaceable() does. Returns what the format had no room for, as SampleWriter::finish.
std::string save(const Recording& recording, const std::filesystem::path& to, std::string_view as = {},
                 bool force = false);

/// Reads any format and writes one, chosen as in save(). Memory does not grow with the file; BVH is read for twice,
/// because its hands have to be known beforehand. Throws ImportError or
/// ExportError. Returns what was said while reading.
ImportReport convert(const std::filesystem::path& from, const std::filesystem::path& to, const ImportOptions& options,
                     std::string_view as = {}, bool force = false);

}  // namespace glovebox::recordings
