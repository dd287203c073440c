#include "recordings/writer.h"

#include <array>
#include <system_error>

#include "recordings/log/log_writer.h"
#include "tracking/names.h"

namespace glovebox::recordings {

namespace {

constexpr std::array<WriterRow, 7> kWriters = {{
    {"glove", ".glove", "our own log (SQLite)"},
    {"glovebox-csv", ".csv", "every bit of every sample as CSV", glovebox_csv_writer},
    {"glovebox-jsonl", ".jsonl", "every bit of every sample as JSON lines", json_lines_writer},
    {"npz", ".npz", "every bit of every sample as arrays of NumPy", npz_writer},
    {"bvh", ".bvh", "motion capture for other programs", nullptr, bvh_writer},
    {"openxr-csv", ".csv", "26 joints of one hand, relative to the wrist, as Monado's recorder writes them",
     openxr_csv_writer},
    {"openxr-wrist-csv", ".csv", "the wrist of one hand in space, as Monado's recorder writes it",
     openxr_wrist_csv_writer},
}};

const WriterRow* find_writer(const std::filesystem::path& to, std::string_view as) {
    for (const WriterRow& row : kWriters)
        if (as.empty() ? to.extension() == row.ending : as == row.name) return &row;
    return nullptr;
}

const WriterRow& writer_for(const std::filesystem::path& to, std::string_view as) {
    if (const WriterRow* row = find_writer(to, as)) return *row;
    throw ExportError(check_writer(to, as));
}

// A recording without hands is written with both, because the file needs a skeleton.
HandsPresent or_both(const HandsPresent& seen) {
    return seen[0] || seen[1] ? seen : HandsPresent{true, true};
}

void note_hands(const tracking::HandPair& sample, HandsPresent& seen) {
    for (std::size_t side = 0; side < 2; ++side) seen[side] = seen[side] || sample.hands[side].active;
}

// Writes all samples. `samples(sink)` passes every sample to the sink, each time it is called.
template <typename Samples>
std::string write_all(const WriterRow& row, const std::filesystem::path& to, bool force, const Samples& samples) {
    // Take the writer lock before the test, so that no other program can write there in between.
    Output out(to);
    expect_replaceable(to, force);
    HandsPresent seen{};
    if (row.writer_of_hands != nullptr)
        samples([&seen](const tracking::HandPair& sample) { note_hands(sample, seen); });
    const SampleWriter writer =
        row.writer_of_hands != nullptr ? row.writer_of_hands(out, or_both(seen)) : row.writer(out);
    samples(writer.write);
    const std::string left_out = writer.finish();
    out.commit();
    return left_out;
}

bool is_log(const WriterRow& row) {
    return row.writer == nullptr && row.writer_of_hands == nullptr;
}

}  // namespace

std::span<const WriterRow> writer_table() {
    return kWriters;
}

std::string check_writer(const std::filesystem::path& to, std::string_view as) {
    if (find_writer(to, as) != nullptr) return {};
    if (!as.empty())
        return std::string(as) + " cannot be written; known: " + tracking::listed(tracking::names_of(kWriters));
    return to.string() + ": the ending says what to write; .csv, .jsonl, .npz, .bvh, .glove and .glb are known";
}

std::string save(const Recording& recording, const std::filesystem::path& to, std::string_view as, bool force) {
    const WriterRow& row = writer_for(to, as);
    if (is_log(row)) {
        save_log(recording, to, force);
        return {};
    }
    return write_all(row, to, force, [&recording](const SampleSink& sink) {
        for (const tracking::HandPair& sample : recording.samples) sink(sample);
    });
}

ImportReport convert(const std::filesystem::path& from, const std::filesystem::path& to, const ImportOptions& options,
                     std::string_view as, bool force) {
    const WriterRow& row = writer_for(to, as);
    if (is_log(row)) return convert_to_log(from, to, options, force);
    std::error_code ignored;
    if (row.writer_of_hands != nullptr && !std::filesystem::is_regular_file(from, ignored) &&
        std::filesystem::exists(from, ignored) && !std::filesystem::is_directory(from, ignored))
        throw ImportError(from.string() + ": is read twice to write " + std::string(row.name) +
                          ", and a pipe can be read once; save it to a file first");
    ImportReport report;
    std::string left_out =
        write_all(row, to, force, [&](const SampleSink& sink) { report = stream(from, options, sink); });
    report.left_out = std::move(left_out);
    return report;
}

}  // namespace glovebox::recordings
