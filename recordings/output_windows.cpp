#include <windows.h>

#include <system_error>
#include <utility>

#include "recordings/output.h"

namespace glovebox::recordings {

namespace fs = std::filesystem;

namespace {

ExportError cannot_write(const fs::path& file, DWORD error) {
    return ExportError(file.string() +
                       ": cannot be written: " + std::system_category().message(static_cast<int>(error)));
}

}  // namespace

void make_new_file(const fs::path& path) {
    const HANDLE file = CreateFileW(path.c_str(), GENERIC_WRITE, 0, nullptr, CREATE_NEW, 0, nullptr);
    if (file == INVALID_HANDLE_VALUE) throw cannot_write(path, GetLastError());
    CloseHandle(file);
}

void remove_in_handler(const char* path) {
    DeleteFileA(path);
}

Standing entry_at(const fs::path& file) {
    // Opens a link itself instead of its target; also opens folders.
    const HANDLE there = CreateFileW(file.c_str(), 0, FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE, nullptr,
                                     OPEN_EXISTING, FILE_FLAG_OPEN_REPARSE_POINT | FILE_FLAG_BACKUP_SEMANTICS, nullptr);
    if (there == INVALID_HANDLE_VALUE) return {};
    BY_HANDLE_FILE_INFORMATION info{};
    const bool known = GetFileInformationByHandle(there, &info) != 0;
    CloseHandle(there);
    if (!known) return {};
    return {true, info.dwVolumeSerialNumber, std::uintmax_t{info.nFileIndexHigh} << 32U | info.nFileIndexLow};
}

bool move_if_unchanged(const fs::path& part, const fs::path& file, const Standing& before) {
    if (before.there && entry_at(file) != before) return false;
    if (MoveFileExW(part.c_str(), file.c_str(), before.there ? MOVEFILE_REPLACE_EXISTING : 0)) return true;
    const DWORD error = GetLastError();
    if (!before.there && (error == ERROR_ALREADY_EXISTS || error == ERROR_FILE_EXISTS)) return false;
    throw cannot_write(file, error);
}

// The lock file is deleted when its handle is closed, even if the program is killed.
WriterLock::WriterLock(const fs::path& file)
    // Names have at most 255 characters.
    : path_(file.parent_path() / (file.filename().string().substr(0, 200) + ".lock")) {
    const HANDLE held = CreateFileW(path_.c_str(), GENERIC_READ | GENERIC_WRITE | DELETE, 0, nullptr, CREATE_NEW,
                                    FILE_FLAG_DELETE_ON_CLOSE, nullptr);
    if (held != INVALID_HANDLE_VALUE) {
        file_ = static_cast<int>(reinterpret_cast<std::intptr_t>(held));
        return;
    }
    const DWORD error = GetLastError();
    if (error != ERROR_FILE_EXISTS && error != ERROR_SHARING_VIOLATION && error != ERROR_ACCESS_DENIED)
        throw cannot_write(file, error);
    std::error_code ignored;
    if (fs::file_size(path_, ignored) > 0 && !ignored)
        throw ExportError(file.string() + ": cannot be written: " + path_.filename().string() +
                          " is in the way, and is not empty");
    throw ExportError(file.string() + ": another program is writing it; wait for that, or name another file");
}

WriterLock::~WriterLock() {
    if (file_ >= 0) CloseHandle(reinterpret_cast<HANDLE>(static_cast<std::intptr_t>(file_)));
}

}  // namespace glovebox::recordings
