// Writes contact labels to a .glove file. The file has the tables of a log, all empty, and one more table `label` with
// the given columns.
#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>

namespace glovebox::recordings {

enum class LabelType : std::uint8_t { text, integer, real };
struct LabelColumn {
    std::string_view name;
    LabelType type;
};

/// Returns true if the file is a label table of LabelWriter and contains no recording. Treats the file as untrusted.
bool is_label_table(const std::filesystem::path& path);

class LabelWriter {
  public:
    /// Creates the file; `meta` is stored in the log's meta table. Throws ExportError if the file cannot be created.
    LabelWriter(const std::filesystem::path& path, std::span<const LabelColumn> columns,
                const std::map<std::string, std::string>& meta);
    ~LabelWriter();

    /// Adds a row, with one value per column as text; empty values become NULL. Takes about a microsecond. Throws
    /// ExportError if the file cannot be written.
    void add(std::span<const std::string> values);

    /// Creates indexes on recording, frame and bone, if these columns exist, and closes the file. Throws ExportError.
    void close();

  private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace glovebox::recordings
