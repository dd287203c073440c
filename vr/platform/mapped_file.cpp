#include "vr/platform/mapped_file.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <stdexcept>
#include <utility>

namespace glovebox::vr {

MappedFile::MappedFile(const std::filesystem::path& path) {
    const auto fail = [&path] { throw std::runtime_error(path.string() + ": " + std::strerror(errno)); };
    const int file = open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);  // a pipe without a writer must not block
    if (file < 0) fail();
    struct stat about {};
    if (fstat(file, &about) != 0) {
        close(file);
        fail();
    }
    if (!S_ISREG(about.st_mode)) {
        close(file);
        throw std::runtime_error(path.string() + ": is no regular file");
    }
    size_ = static_cast<std::size_t>(about.st_size);
    if (size_ > 0) {
        void* mapped = mmap(nullptr, size_, PROT_READ, MAP_PRIVATE, file, 0);
        if (mapped == MAP_FAILED) {
            close(file);
            fail();
        }
        data_ = static_cast<const std::byte*>(mapped);
    }
    close(file);
}

MappedFile::~MappedFile() {
    if (data_ != nullptr) munmap(const_cast<std::byte*>(data_), size_);
}

MappedFile::MappedFile(MappedFile&& other) noexcept
    : data_(std::exchange(other.data_, nullptr)), size_(std::exchange(other.size_, 0)) {}

MappedFile& MappedFile::operator=(MappedFile&& other) noexcept {
    std::swap(data_, other.data_);
    std::swap(size_, other.size_);
    return *this;
}

void drop_from_page_cache(const std::filesystem::path& path) {
    const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
    if (descriptor < 0) return;
    ::fsync(descriptor);
    ::posix_fadvise(descriptor, 0, 0, POSIX_FADV_DONTNEED);
    ::close(descriptor);
}

}  // namespace glovebox::vr
