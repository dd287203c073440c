#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <utility>

#include "recordings/output.h"

namespace glovebox::recordings {

namespace fs = std::filesystem;

void make_new_file(const fs::path& path) {
    const int file = open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
    if (file < 0) throw ExportError(path.string() + ": cannot be written: " + std::strerror(errno));
    close(file);
}

void remove_in_handler(const char* path) {
    unlink(path);
}

Standing entry_at(const fs::path& file) {
    struct stat info {};
    if (lstat(file.c_str(), &info) != 0) return {};
    return {true, static_cast<std::uintmax_t>(info.st_dev), static_cast<std::uintmax_t>(info.st_ino)};
}

bool move_if_unchanged(const fs::path& part, const fs::path& file, const Standing& before) {
    int code = 0;
    if (before.there) {
        if (entry_at(file) != before) return false;
        code = rename(part.c_str(), file.c_str());
    } else {
        code = renameat2(AT_FDCWD, part.c_str(), AT_FDCWD, file.c_str(), RENAME_NOREPLACE);
        if (code != 0 && errno == EEXIST) return false;
        // Fallback for file systems without renameat2(): a race between test and move remains.
        if (code != 0 && (errno == EINVAL || errno == ENOSYS)) {
            if (entry_at(file).there) return false;
            code = rename(part.c_str(), file.c_str());
        }
    }
    if (code != 0) throw ExportError(file.string() + ": cannot be written: " + std::strerror(errno));
    return true;
}

WriterLock::WriterLock(const fs::path& file)
    // Names have at most 255 bytes.
    : path_(file.parent_path() / (file.filename().string().substr(0, 200) + ".lock")) {
    constexpr int kMaxTries = 100;
    const auto cannot = [&file](const std::string& why) {
        return ExportError(file.string() + ": cannot be written: " + why);
    };
    for (int tries = 0; tries < kMaxTries; ++tries) {
        const int held = open(path_.c_str(), O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0666);
        if (held < 0) throw cannot(std::strerror(errno));
        file_ = held;
        struct stat ours {};
        if (fstat(held, &ours) != 0 || !S_ISREG(ours.st_mode) || ours.st_size != 0) {
            close(std::exchange(file_, -1));
            throw cannot(path_.filename().string() + " is in the way, and is not empty");
        }
        if (flock(held, LOCK_EX | LOCK_NB) != 0) {
            const int why = errno;
            if (why != EWOULDBLOCK && why != EINTR) return;  // a file system without locks
            close(std::exchange(file_, -1));
            if (why == EINTR) continue;
            throw ExportError(file.string() + ": another program is writing it; wait for that, or name another file");
        }
        // The previous owner may have removed the file after this program opened it.
        const Standing there = entry_at(path_);
        if (there ==
            Standing{true, static_cast<std::uintmax_t>(ours.st_dev), static_cast<std::uintmax_t>(ours.st_ino)}) {
            registered_ = register_temporary_files(path_.string() + '\0');
            return;
        }
        close(std::exchange(file_, -1));
    }
    throw cannot(path_.filename().string() + " comes and goes");
}

WriterLock::~WriterLock() {
    if (file_ < 0) return;
    unlink(path_.c_str());  // before the lock is released, so that no other program locks a removed file
    close(file_);
}

}  // namespace glovebox::recordings
