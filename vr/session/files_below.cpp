#include "vr/session/files_below.h"

#include <algorithm>
#include <cstdio>

#include "recordings/output.h"
#include "tracking/quoted.h"

namespace glovebox::vr {

namespace fs = std::filesystem;

namespace {

void print_skipped(const fs::path& path, const std::error_code& error) {
    std::fprintf(stderr, "glovebox: skipped %s: %s\n", tracking::printable(path.string()).c_str(),
                 error.message().c_str());
}

}  // namespace

std::vector<fs::path> files_below(const fs::path& folder) {
    std::vector<fs::path> files;
    std::error_code error;
    fs::recursive_directory_iterator entry(folder, fs::directory_options::skip_permission_denied, error);
    for (; !error && entry != fs::recursive_directory_iterator(); entry.increment(error)) {
        std::error_code unknown;
        const bool is_file = entry->is_regular_file(unknown);
        if (unknown && unknown != std::errc::no_such_file_or_directory) print_skipped(entry->path(), unknown);
        if (is_file && !recordings::is_temporary_file(entry->path())) files.push_back(entry->path());
    }
    if (error) print_skipped(folder, error);
    std::ranges::sort(files, {}, &fs::path::native);
    return files;
}

}  // namespace glovebox::vr
