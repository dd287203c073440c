#include "vr/cli/files.h"

#include "recordings/output.h"
#include "tracking/quoted.h"
#include "vr/cli/command.h"
#include "vr/session/files_below.h"
#include "vr/session/open_session.h"

namespace glovebox::vr {
namespace {

namespace fs = std::filesystem;

bool is_other_kind(const fs::path& path) {
    std::error_code ignored;
    const fs::file_status there = fs::status(path, ignored);
    return fs::exists(there) && !fs::is_regular_file(there);
}

// Returns a canonical name, also for a file that does not exist yet.
fs::path whole_name(const fs::path& path) {
    std::error_code ignored;
    return fs::weakly_canonical(fs::absolute(recordings::behind_links(path), ignored), ignored);
}

bool is_same_file(const fs::path& a, const fs::path& b) {
    std::error_code ignored;
    return fs::equivalent(a, b, ignored) || whole_name(a) == whole_name(b);
}

void keep_apart(const NamedFile& output, const NamedFile& other) {
    if (!is_same_file(output.path, other.path)) return;
    throw UsageError(output.name + " " + output.path.string() + " would overwrite " + other.name + " " +
                     other.path.string() + ": give it another name");
}

}  // namespace

void expect_file(const std::string& recording, const char* option) {
    if (const recordings::SampleRow* row = find_bundled(recording))
        throw UsageError(std::string(option) + " is for files, and " + std::string(row->name) +
                         " is a bundled recording");
}

void check_files(const std::vector<NamedFile>& read, const std::vector<NamedFile>& written) {
    for (std::size_t i = 0; i < written.size(); ++i) {
        const NamedFile& output = written[i];
        if (output.path.empty()) continue;
        recordings::expect_place(output.path);
        if (is_other_kind(output.path)) continue;
        for (const NamedFile& input : read)
            if (std::error_code ignored; fs::is_regular_file(input.path, ignored)) keep_apart(output, input);
        for (std::size_t j = 0; j < written.size(); ++j)
            if (i != j && !written[j].path.empty() && !is_other_kind(written[j].path)) keep_apart(output, written[j]);
    }
}

void check_files(const std::vector<NamedFile>& read, const std::vector<NamedFile>& written, bool force) {
    check_files(read, written);
    for (const NamedFile& output : written)
        if (!output.path.empty()) recordings::expect_replaceable(output.path, force);
}

std::vector<std::string> files_in(const std::vector<std::string>& paths) {
    std::vector<std::string> files;
    for (const std::string& path : paths) {
        if (!fs::is_directory(path)) {
            files.push_back(path);
            continue;
        }
        for (const fs::path& file : files_below(path)) files.push_back(file.string());
    }
    if (files.empty() && !paths.empty()) throw std::runtime_error("no recordings in " + paths.front());
    return files;
}

void print_skipped(const std::string& why) {
    std::fprintf(stderr, "glovebox: skipped %s\n", tracking::printable(why).c_str());
}

CLI::Validator dash_is_standard_input() {
    return CLI::Validator(
        [](std::string& name) {
            if (name == "-") name = "/dev/stdin";
            return std::string();
        },
        "", "");
}

}  // namespace glovebox::vr
