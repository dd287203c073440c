#include "recordings/log/glove_words.h"

#include "recordings/log/database.h"
#include "recordings/log/log_reader.h"

namespace glovebox::recordings {
namespace {

/// Checks that the file is a log, runs `sql`, and calls `take(row)` for each row.
template <class Take>
void for_each_row(const std::filesystem::path& path, const char* sql, Take&& take) {
    const LogReader is_log(path);
    try {
        const Database database(path, OpenMode::read);
        Statement rows(database, sql);
        while (rows.step()) take(rows);
    } catch (const DatabaseError& error) {
        throw ImportError(path.string() + ": the log is damaged: try `glovebox recover`; " + error.what());
    }
}

}  // namespace

GloveWords read_glove_words(const std::filesystem::path& log) {
    tracking::PerSide<std::vector<tracking::SensorSample>> by_side;
    for_each_row(log, "SELECT time_ns, hand, words FROM glove_word ORDER BY time_ns", [&](const Statement& row) {
        auto& samples = by_side[row.text(1) == "left" ? 0 : 1];
        const auto bytes = row.bytes(2);
        tracking::SensorSample sample;
        sample.time_s = 1e-9 * static_cast<double>(row.integer(0));
        for (std::size_t i = 0; i + 1 < bytes.size(); i += 2)
            sample.raw.push_back(static_cast<float>(bytes[i] + 256 * bytes[i + 1]));
        if (sample.raw.empty() || (!samples.empty() && samples.front().raw.size() != sample.raw.size())) return;
        samples.push_back(std::move(sample));
    });
    const bool left = by_side[0].size() > by_side[1].size();
    return {left ? tracking::Side::left : tracking::Side::right, std::move(by_side[left ? 0 : 1])};
}

std::vector<Annotation> read_annotations(const std::filesystem::path& log) {
    std::vector<Annotation> annotations;
    for_each_row(log, "SELECT time_ns, text FROM annotation ORDER BY time_ns", [&](const Statement& row) {
        annotations.push_back({row.integer(0), std::string(row.text(1))});
    });
    return annotations;
}

}  // namespace glovebox::recordings
