#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>

#include "recordings/log/log_file.h"

namespace glovebox::recordings {

int open_file(const std::filesystem::path& path) {
    const int file = open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    struct stat info {};
    if (file >= 0 && fstat(file, &info) == 0 && S_ISREG(info.st_mode)) return file;
    if (file >= 0) close(file);
    return -1;
}

void close_file(int file) {
    close(file);
}

std::uintmax_t bytes_of(int file) {
    struct stat info {};
    return fstat(file, &info) == 0 ? static_cast<std::uintmax_t>(info.st_size) : 0;
}

bool read_at(int file, std::uintmax_t at, std::span<unsigned char> to) {
    while (!to.empty()) {
        const ssize_t got = pread(file, to.data(), to.size(), static_cast<off_t>(at));
        if (got < 0 && errno == EINTR) continue;
        if (got <= 0) return false;
        at += static_cast<std::uintmax_t>(got);
        to = to.subspan(static_cast<std::size_t>(got));
    }
    return true;
}

bool lock_for_reading(int shm) {
    constexpr off_t kFirstLock = 120, kCheckpointLock = kFirstLock + 1, kFirstReadMark = kFirstLock + 4;
    for (const off_t at : {kCheckpointLock, kFirstReadMark}) {
        struct flock lock {};
        lock.l_type = F_RDLCK;
        lock.l_whence = SEEK_SET;
        lock.l_start = at;
        lock.l_len = 1;
        if (fcntl(shm, F_OFD_SETLK, &lock) != 0) return errno != EAGAIN && errno != EACCES;  // true: no lock support
    }
    return true;
}

}  // namespace glovebox::recordings
