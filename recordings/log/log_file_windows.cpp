#include <windows.h>

#include <algorithm>

#include "recordings/log/log_file.h"

namespace glovebox::recordings {
namespace {

// Handles have 32 significant bits, so that 64-bit programs share them with 32-bit ones.
HANDLE handle_of(int file) {
    return reinterpret_cast<HANDLE>(static_cast<std::intptr_t>(file));
}

OVERLAPPED place(std::uintmax_t at) {
    OVERLAPPED result{};
    result.Offset = static_cast<DWORD>(at);
    result.OffsetHigh = static_cast<DWORD>(at >> 32U);
    return result;
}

}  // namespace

int open_file(const std::filesystem::path& path) {
    std::error_code ignored;
    if (!std::filesystem::is_regular_file(path, ignored)) return -1;
    const HANDLE file = CreateFileW(path.c_str(), GENERIC_READ, FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE,
                                    nullptr, OPEN_EXISTING, 0, nullptr);
    return file == INVALID_HANDLE_VALUE ? -1 : static_cast<int>(reinterpret_cast<std::intptr_t>(file));
}

void close_file(int file) {
    CloseHandle(handle_of(file));
}

std::uintmax_t bytes_of(int file) {
    LARGE_INTEGER size{};
    return GetFileSizeEx(handle_of(file), &size) ? static_cast<std::uintmax_t>(size.QuadPart) : 0;
}

bool read_at(int file, std::uintmax_t at, std::span<unsigned char> to) {
    while (!to.empty()) {
        OVERLAPPED from = place(at);
        const auto wanted = static_cast<DWORD>(std::min<std::size_t>(to.size(), std::size_t{1} << 30U));
        DWORD got = 0;
        if (!ReadFile(handle_of(file), to.data(), wanted, &got, &from) || got == 0) return false;
        at += got;
        to = to.subspan(got);
    }
    return true;
}

bool lock_for_reading(int shm) {
    constexpr std::uintmax_t kFirstLock = 120, kCheckpointLock = kFirstLock + 1, kFirstReadMark = kFirstLock + 4;
    for (const std::uintmax_t at : {kCheckpointLock, kFirstReadMark}) {
        OVERLAPPED from = place(at);
        if (!LockFileEx(handle_of(shm), LOCKFILE_FAIL_IMMEDIATELY, 0, 1, 0, &from))
            return GetLastError() != ERROR_LOCK_VIOLATION && GetLastError() != ERROR_IO_PENDING;
    }
    return true;
}

}  // namespace glovebox::recordings
