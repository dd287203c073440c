// A file on its way out: whole or not at all, and never in the place of what is no file.
//
// A file is written beside its place and moved there when it is whole, behind symbolic links where there are some. A
// device, a pipe or standard output takes what is written as it comes, and a folder is refused.
#pragma once

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string>
#include <string_view>

namespace glovebox::recordings {

/// Cannot write: which file, why. One line.
struct ExportError : std::runtime_error {
    using std::runtime_error::runtime_error;
};

/// The file that writing to `path` makes or replaces: what links lead to, be it there already or not.
std::filesystem::path behind_links(std::filesystem::path path);

/// The same for what can only be a file, as a database can. Throws ExportError where a folder, device or pipe stands.
std::filesystem::path file_at(const std::filesystem::path& path);

/// Throws ExportError where nothing can be written: a folder, or a name in a folder that is not there.
void expect_place(const std::filesystem::path& path);

/// Is this what the process prints to? What is printed besides would then stand among what is written.
bool is_standard_output(const std::filesystem::path& path);

/// A name for what is written beside `file` until it is whole.
std::filesystem::path part_of(std::filesystem::path file);

/// From beside to its place. Throws ExportError, and removes `part` then.
void move_into_place(const std::filesystem::path& part, const std::filesystem::path& file);

/// Until commit(), and if it is never called, what stood there stays as it was.
class Output {
  public:
    /// Throws ExportError if it cannot be written to. A pipe waits for its reader.
    explicit Output(const std::filesystem::path& path);
    ~Output();
    Output(const Output&) = delete;
    Output& operator=(const Output&) = delete;

    void write(std::string_view text);  ///< throws ExportError when the disk is full
    /// Overwrites earlier bytes. For counts that are known only at the end. Throws ExportError on what is no file.
    void patch(std::uint64_t at, std::string_view text);
    std::uint64_t size() const { return size_; }
    void commit();

  private:
    void expect_good(const std::ostream& out) const;
    std::filesystem::path path_, file_path_, part_;  // the last two are empty where there is no file
    std::ofstream file_;
    bool to_standard_output_ = false;
    std::uint64_t size_ = 0;
    bool committed_ = false;
};

}  // namespace glovebox::recordings
