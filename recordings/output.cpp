#include "recordings/output.h"

#include <cerrno>
#include <cstring>
#include <iostream>
#include <system_error>

namespace glovebox::recordings {
namespace {

namespace fs = std::filesystem;

constexpr int kMostLinks = 40;  // as systems have it: more is a circle

fs::file_status what_is_at(const fs::path& path) {
    std::error_code ignored;
    return fs::status(path, ignored);
}

void refuse_folder(const fs::path& path) {
    if (fs::is_directory(what_is_at(path)))
        throw ExportError(path.string() + ": cannot be written: it is a folder; name a file");
}

}  // namespace

bool is_standard_output(const fs::path& path) {
    std::error_code ignored;
    return fs::equivalent(path, "/dev/stdout", ignored);
}

fs::path behind_links(fs::path path) {
    std::error_code error;
    for (int i = 0; i < kMostLinks && fs::is_symlink(fs::symlink_status(path, error)); ++i) {
        const fs::path next = fs::read_symlink(path, error);
        if (error) break;
        path = path.parent_path() / next;
    }
    return path;
}

fs::path file_at(const fs::path& path) {
    refuse_folder(path);
    const fs::file_status there = what_is_at(path);
    if (fs::exists(there) && !fs::is_regular_file(there))
        throw ExportError(path.string() + ": cannot be written: it is a device or a pipe, and this has to be a file");
    return behind_links(path);
}

void expect_place(const fs::path& path) {
    refuse_folder(path);
    const fs::path folder = behind_links(path).parent_path();
    if (!fs::exists(what_is_at(path)) && !folder.empty() && !fs::is_directory(what_is_at(folder)))
        throw ExportError(path.string() + ": cannot be written: there is no folder " + folder.string());
}

fs::path part_of(fs::path file) {
    return file += ".part";
}

void move_into_place(const fs::path& part, const fs::path& file) {
    std::error_code error, ignored;
    fs::rename(part, file, error);
    if (!error) return;
    fs::remove(part, ignored);
    throw ExportError(file.string() + ": cannot be written: " + error.message());
}

Output::Output(const fs::path& path) : path_(path) {
    refuse_folder(path);
    // Opened a second time, a file behind standard output would be written over by what is printed next.
    to_standard_output_ = is_standard_output(path);
    if (to_standard_output_) return;
    const fs::file_status there = what_is_at(path);
    if (fs::exists(there) && !fs::is_regular_file(there)) {
        file_.open(path, std::ios::binary);
    } else {
        file_path_ = behind_links(path);
        part_ = part_of(file_path_);
        file_.open(part_, std::ios::binary | std::ios::trunc);
    }
    if (!file_) throw ExportError(path_.string() + ": cannot be written: " + std::strerror(errno));
}

Output::~Output() {
    if (committed_ || part_.empty()) return;
    file_.close();
    std::error_code ignored;
    fs::remove(part_, ignored);
}

void Output::expect_good(const std::ostream& out) const {
    if (!out) throw ExportError(path_.string() + ": writing stopped: " + std::strerror(errno));
}

void Output::write(std::string_view text) {
    std::ostream& out = to_standard_output_ ? std::cout : file_;
    out.write(text.data(), static_cast<std::streamsize>(text.size()));
    size_ += text.size();
    expect_good(out);
}

void Output::patch(std::uint64_t at, std::string_view text) {
    if (part_.empty())
        throw ExportError(path_.string() + ": this format is completed at its beginning, so it has to be a file");
    file_.seekp(static_cast<std::streamoff>(at));
    file_.write(text.data(), static_cast<std::streamsize>(text.size()));
    file_.seekp(0, std::ios::end);
}

void Output::commit() {
    if (to_standard_output_) {
        expect_good(std::cout.flush());
    } else {
        file_.close();
        expect_good(file_);
    }
    if (!part_.empty()) move_into_place(part_, file_path_);
    committed_ = true;
}

}  // namespace glovebox::recordings
