#include "recordings/writer.h"

#include <array>
#include <cerrno>
#include <cstring>
#include <system_error>

#include "recordings/log/log_writer.h"

namespace glovebox::recordings {

Output::Output(const std::filesystem::path& path) : path_(path), part_(path) {
    part_ += ".part";
    file_.open(part_, std::ios::binary | std::ios::trunc);
    if (!file_) throw ExportError(path_.string() + ": cannot be written: " + std::strerror(errno));
}

Output::~Output() {
    if (committed_) return;
    file_.close();
    std::error_code ignored;
    std::filesystem::remove(part_, ignored);
}

void Output::write(std::string_view text) {
    file_.write(text.data(), static_cast<std::streamsize>(text.size()));
    size_ += text.size();
    if (!file_) throw ExportError(path_.string() + ": writing stopped: " + std::strerror(errno));
}

void Output::patch(std::uint64_t at, std::string_view text) {
    file_.seekp(static_cast<std::streamoff>(at));
    file_.write(text.data(), static_cast<std::streamsize>(text.size()));
    file_.seekp(0, std::ios::end);
}

void Output::commit() {
    file_.close();
    if (!file_) throw ExportError(path_.string() + ": writing stopped: " + std::strerror(errno));
    std::error_code error;
    std::filesystem::rename(part_, path_, error);
    if (error) throw ExportError(path_.string() + ": cannot be written: " + error.message());
    committed_ = true;
}

namespace {

struct Row {
    std::string_view ending;
    SampleWriter (*writer)(Output&);
};
constexpr std::array<Row, 3> kWriters = {
    {{".csv", glovebox_csv_writer}, {".jsonl", json_lines_writer}, {".bvh", bvh_writer}}};

const Row& writer_for(const std::filesystem::path& to) {
    for (const Row& row : kWriters)
        if (to.extension() == row.ending) return row;
    throw ExportError(to.string() + ": the ending says what to write; .csv, .jsonl, .bvh and .glove are known");
}

}  // namespace

void save(const Recording& recording, const std::filesystem::path& to) {
    if (to.extension() == ".glove") return save_log(recording, to);
    const Row& row = writer_for(to);
    Output out(to);
    const SampleWriter writer = row.writer(out);
    for (const tracking::HandPair& sample : recording.samples) writer.write(sample);
    writer.finish();
    out.commit();
}

ImportReport convert(const std::filesystem::path& from, const std::filesystem::path& to, const ImportOptions& options) {
    if (to.extension() == ".glove") return convert_to_log(from, to, options);
    const Row& row = writer_for(to);
    Output out(to);
    const SampleWriter writer = row.writer(out);
    ImportReport report = stream(from, options, writer.write);
    writer.finish();
    out.commit();
    return report;
}

}  // namespace glovebox::recordings
