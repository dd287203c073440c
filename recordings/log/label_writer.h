// Contact labels as a .glove file: the log's own tables, empty, and one more, `label`, with the columns that it is
// given.
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

/// Is this a table of labels as LabelWriter makes it, with no recording in it? Reads the file as if a stranger had
/// sent it.
bool is_label_table(const std::filesystem::path& path);

class LabelWriter {
  public:
    /// Creates the file; `meta` goes to the log's meta table. Throws ExportError.
    LabelWriter(const std::filesystem::path& path, std::span<const LabelColumn> columns,
                const std::map<std::string, std::string>& meta);
    ~LabelWriter();

    /// One row, a value for each column as text; what is empty becomes NULL. About 1 us. Throws ExportError.
    void add(std::span<const std::string> values);

    /// Indexes by recording, frame and bone, if there are such columns, and closes the file. Throws ExportError.
    void close();

  private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace glovebox::recordings
