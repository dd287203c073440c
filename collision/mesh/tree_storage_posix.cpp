#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>

#include "collision/mesh/tree_storage.h"

namespace glovebox::collision {
namespace {

std::string last_error() {
    return std::strerror(errno);
}

// Closes a file descriptor on destruction.
struct Descriptor {
    explicit Descriptor(int opened) : number(opened) {}
    ~Descriptor() {
        if (number >= 0) ::close(number);
    }
    Descriptor(const Descriptor&) = delete;
    Descriptor& operator=(const Descriptor&) = delete;
    const int number;
};

bool write_all(int descriptor, std::span<const std::byte> bytes) {
    while (!bytes.empty()) {
        const ssize_t written = ::write(descriptor, bytes.data(), bytes.size());
        if (written < 0 && errno == EINTR) continue;
        if (written <= 0) return false;
        bytes = bytes.subspan(static_cast<std::size_t>(written));
    }
    return true;
}

bool write_parts(int descriptor, std::span<const std::span<const std::byte>> parts) {
    for (const std::span<const std::byte> part : parts)
        if (!write_all(descriptor, part)) return false;
    // mkstemp creates a private file, but a tree needs no secrecy.
    return ::fchmod(descriptor, 0644) == 0;
}

}  // namespace

StoredBytes::StoredBytes(const std::filesystem::path& path) {
    const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
    if (file.number < 0) {
        fault_ = "no tree could be read: " + last_error();
        return;
    }
    ::posix_fadvise(file.number, 0, 0, POSIX_FADV_WILLNEED);  // makes the kernel read the whole file ahead
    struct stat status {};
    if (::fstat(file.number, &status) != 0 || !S_ISREG(status.st_mode)) {
        fault_ = "is not a file";
        return;
    }
    const auto size = static_cast<std::size_t>(status.st_size);
    if (size == 0) return;
    void* const mapped = ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, file.number, 0);
    if (mapped == MAP_FAILED)
        fault_ = "could not be read: " + last_error();
    else
        view_ = {static_cast<const std::byte*>(mapped), size};
}

StoredBytes::~StoredBytes() {
    if (!view_.empty()) ::munmap(const_cast<std::byte*>(view_.data()), view_.size());
}

std::string write_whole(const std::filesystem::path& path, std::span<const std::span<const std::byte>> parts) {
    // In the same folder as the target, so that the rename stays within one file system.
    std::string temporary = path.string() + ".XXXXXX";
    const int descriptor = ::mkstemp(temporary.data());
    if (descriptor < 0) return last_error();
    const bool written = write_parts(descriptor, parts);
    std::string why = written ? "" : last_error();
    if (::close(descriptor) != 0 && written) why = last_error();
    if (why.empty() && std::rename(temporary.c_str(), path.c_str()) != 0) why = last_error();
    if (!why.empty()) ::unlink(temporary.c_str());
    return why;
}

std::string fault_of_private_folder(const std::filesystem::path& folder) {
    struct stat status {};
    if (::stat(folder.c_str(), &status) != 0) return {};  // does not exist yet, or cannot be reached
    if (!S_ISDIR(status.st_mode)) return "is no folder";
    if (status.st_uid != ::geteuid()) return "belongs to another user";
    if ((status.st_mode & 0022U) != 0) return "can be written by other users";
    // Earlier versions created folders that were readable by all.
    if ((status.st_mode & 0077U) != 0) ::chmod(folder.c_str(), 0700);
    return {};
}

void make_private_folder(const std::filesystem::path& folder) {
    std::error_code ignored;
    if (std::filesystem::create_directories(folder, ignored)) ::chmod(folder.c_str(), 0700);
}

}  // namespace glovebox::collision
